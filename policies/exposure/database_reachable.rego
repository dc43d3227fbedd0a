# METADATA
# title: Databases with a public address let nobody in from the internet
# description: >-
#   Feature stores, experiment metadata and the documents behind an assistant stand one password away from everyone. A
#   database that has a public address is judged by what gets through to its port: by the internet gateway, the routes and
#   network ACLs of its subnets, and its security groups. A public block wider than /`widest_v4` (IPv6: /`widest_v6`)
#   counts as the internet; narrower ones, an office for instance, pass here, and `exposure.database_public` fails the
#   address itself. Gateways to the internet of Aurora clusters without a network are not followed.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_VPC.WorkingWithRDSInstanceinaVPC.html
#   - https://docs.aws.amazon.com/redshift/latest/mgmt/rs-security-group-public-private.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type, internet_facing]
#   fail_on: [internet_sources, internet_sources_known]
#   params:
#     widest_v4: 16
#     widest_v6: 32
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
#         cli: >-
#           aws rds modify-db-instance --db-instance-identifier INSTANCE --no-publicly-accessible --apply-immediately, and
#           aws ec2 revoke-security-group-ingress for the rule that admits the internet
#         terraform: publicly_accessible = false, and a security group in place of the CIDR in its ingress rules
#     AWS::Redshift::Cluster:
#       catalog: [AWS-PUB-009]
#       controls:
#         aws_fsbp: [Redshift.1]
#       fix:
#         cli: aws redshift modify-cluster --cluster-identifier CLUSTER --no-publicly-accessible
#         terraform: publicly_accessible = false
package policies.exposure.database_reachable

import data.policies.lib.cidr
import rego.v1

limits := input.params["exposure.database_reachable"]

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"database", "database_member"}
	store.internet_facing == true
}

fail contains {
	"id": store.id, "fact": "internet_sources", "expected": "nobody on the internet",
	"actual": source,
	"message": sprintf("%s gets through to its port", [source]),
} if {
	some store in input.resources.data_store
	store.id in scope
	wide := [source | some source in store.internet_sources; cidr.internet(source, limits.widest_v4, limits.widest_v6)]
	source := wide[0]
}

# Proves nothing: where a link was not seen this fact is unknown, and so is a verdict that does not fail.
seen contains store.id if {
	some store in input.resources.data_store
	store.internet_sources_known == true
}
