# METADATA
# title: Databases make their clients speak TLS
# description: >-
#   Vector indexes and experiment metadata repeat what the documents say, and a database takes clear text unless its
#   parameters forbid it: `rds.force_ssl` for PostgreSQL and SQL Server, `require_secure_transport` for MySQL and MariaDB.
#   Where a parameter group leaves it open, the default of the engine's release holds. A change that takes a restart does
#   not hold before it, so it fails while the parameters wait for one. Of a cluster the cluster's parameters count, and
#   its instances are not judged. Oracle and Db2 are configured by option groups, which are not read; of other engines without such a
#   parameter (RDS Custom for SQL Server) the answer is unknown.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.SSL.html
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/mysql-ssl-connections.require-ssl.html
#   - https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/AuroraPostgreSQL.Security.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type, engine]
#   fail_on: [tls_only]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1), SC-13]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::RDS::DBInstance:
#       catalog: [AWS-TLS-006]
#       controls:
#         aws_fsbp: [RDS.38, RDS.39, RDS.41, RDS.44]
#       fix:
#         cli: >-
#           aws rds modify-db-parameter-group --db-parameter-group-name GROUP --parameters
#           ParameterName=rds.force_ssl,ParameterValue=1,ApplyMethod=pending-reboot (MySQL, MariaDB:
#           require_secure_transport=1), then aws rds reboot-db-instance where it is pending
#         terraform: 'aws_db_parameter_group with parameter { name = "rds.force_ssl", value = "1" }, named by parameter_group_name'
#     AWS::RDS::DBCluster:
#       catalog: [AWS-TLS-006]
#       fix:
#         cli: >-
#           aws rds modify-db-cluster-parameter-group --db-cluster-parameter-group-name GROUP --parameters
#           ParameterName=rds.force_ssl,ParameterValue=1,ApplyMethod=immediate (Aurora MySQL:
#           require_secure_transport=ON)
#         terraform: >-
#           aws_rds_cluster_parameter_group with parameter { name = "rds.force_ssl", value = "1" }, named by
#           db_cluster_parameter_group_name
package policies.transit.database_tls

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "database"
	regex.match(`^(custom-)?(oracle|db2)-`, store.engine) == false
}

fail contains {
	"id": store.id, "fact": "tls_only", "expected": true,
	"message": "its parameters let clients speak clear text",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_only == false
}
