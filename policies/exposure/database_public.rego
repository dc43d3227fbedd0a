# METADATA
# title: Databases have no address that the internet can reach
# description: >-
#   A database with a public address is one rule of a security group away from everyone. The address alone fails; whether
#   routes and security groups let the internet through is the question of `exposure.database_reachable`. In an Aurora
#   cluster each instance has a setting of its own, and the cluster may have a gateway to the internet besides.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_VPC.WorkingWithRDSInstanceinaVPC.html
#   - https://docs.aws.amazon.com/redshift/latest/mgmt/rs-security-group-public-private.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [internet_facing]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(5), SC-7(9), SC-7(11), SC-7(16), SC-7(20),
#       SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.4.6, 3.13.1, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.2]
#     pci_dss_4: [1.2.8, 1.3.1, 1.3.2, 1.4.2, 1.5.1]
#   covers:
#     AWS::RDS::DBInstance:
#       catalog: [AWS-PUB-009]
#       controls:
#         aws_fsbp: [RDS.2]
#         cis_aws_3.0.0: [2.3.3]
#         cis_aws_5.0.0: [2.2.3]
#         cis_aws_7.0.0: [3.2.3]
#       fix:
#         cli: aws rds modify-db-instance --db-instance-identifier INSTANCE --no-publicly-accessible --apply-immediately
#         terraform: publicly_accessible = false
#     AWS::RDS::DBCluster:
#       catalog: [AWS-PUB-009]
#       fix:
#         cli: make the cluster anew with --no-publicly-accessible and without an internet access gateway
#         terraform: publicly_accessible = false on every aws_rds_cluster_instance
#     AWS::Redshift::Cluster:
#       catalog: [AWS-PUB-009]
#       controls:
#         aws_fsbp: [Redshift.1]
#       fix:
#         cli: aws redshift modify-cluster --cluster-identifier CLUSTER --no-publicly-accessible
#         terraform: publicly_accessible = false
package policies.exposure.database_public

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"database", "database_member"}
}

fail contains {
	"id": store.id, "fact": "internet_facing", "expected": false,
	"message": "it has an address that the internet can reach",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.internet_facing == true
}
