# METADATA
# title: No snapshot is shared with everyone
# description: >-
#   Snapshots of nodes hold code, tokens and sometimes weights, and anyone can make a volume of one that is public.
#   Images and the account's blocks on sharing have rules of their own; snapshots shared with single accounts are not
#   judged.
# related_resources:
#   - https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modifying-snapshot-permissions.html
# custom:
#   severity: critical
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [shared_publicly]
#   controls:
#     nist_800_53_r5: [
#       AC-3, AC-3(7), AC-4, AC-4(21), AC-6, AC-21, SC-7, SC-7(3), SC-7(4), SC-7(9), SC-7(11), SC-7(16), SC-7(20), SC-7(21)
#     ]
#     nist_800_171_r2: [3.1.1, 3.1.2, 3.1.3, 3.1.14, 3.4.6, 3.13.2, 3.13.5]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.6]
#     pci_dss_4: [3.5.1.3, 10.3.2, A1.1.2, A3.4.1]
#     mitre_atlas: [AML.T0035]
#   covers:
#     AWS::EC2::Snapshot:
#       catalog: [AWS-PUB-005]
#       controls:
#         aws_fsbp: [EC2.1]
#       fix:
#         cli: >-
#           aws ec2 modify-snapshot-attribute --snapshot-id SNAPSHOT --attribute createVolumePermission --operation-type
#           remove --group-names all, and aws ec2 enable-snapshot-block-public-access --state block-all-sharing
#         terraform: "aws_ebs_snapshot_block_public_access with state = \"block-all-sharing\""
package policies.exposure.snapshot_shared

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "snapshot"
}

fail contains {"id": store.id, "fact": "shared_publicly", "expected": false, "message": "anyone may make a volume of it"} if {
	some store in input.resources.data_store
	store.id in scope
	store.shared_publicly == true
}
