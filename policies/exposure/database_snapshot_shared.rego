# METADATA
# title: No snapshot of a database is shared with everyone
# description: >-
#   Anyone with an account can restore a public snapshot and read all that was in the database. Snapshots made by hand are
#   judged, copies among them; automated ones cannot be shared. Snapshots that are shared with single accounts are not
#   judged.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ShareSnapshot.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [shared_publicly]
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
#     AWS::RDS::DBSnapshot:
#       catalog: [AWS-PUB-009]
#       controls:
#         aws_fsbp: [RDS.1]
#       fix:
#         cli: >-
#           aws rds modify-db-snapshot-attribute --db-snapshot-identifier SNAPSHOT --attribute-name restore
#           --values-to-remove all
#         terraform: remove "all" from shared_accounts
#     AWS::RDS::DBClusterSnapshot:
#       catalog: [AWS-PUB-009]
#       controls:
#         aws_fsbp: [RDS.1]
#       fix:
#         cli: >-
#           aws rds modify-db-cluster-snapshot-attribute --db-cluster-snapshot-identifier SNAPSHOT --attribute-name restore
#           --values-to-remove all
#         terraform: remove "all" from shared_accounts
package policies.exposure.database_snapshot_shared

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "snapshot"
}

fail contains {"id": store.id, "fact": "shared_publicly", "expected": false, "message": "anyone may restore it"} if {
	some store in input.resources.data_store
	store.id in scope
	store.shared_publicly == true
}
