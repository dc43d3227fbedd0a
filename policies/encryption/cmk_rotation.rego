# METADATA
# title: Customer-managed keys rotate automatically
# description: >-
#   A key that never rotates turns one leak into every past leak: all datasets and checkpoints stay readable with the
#   leaked version. Only symmetric keys with provider-made material rotate by themselves, so no other key is judged.
# related_resources:
#   - https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html
# custom:
#   severity: high
#   kind: key
#   scope_on: [manager, state, algorithm, origin, aws.multi_region]
#   fail_on: [rotation_enabled, rotation_days]
#   params: {max_days: 365}
#   controls:
#     nist_800_53_r5: [SC-12, SC-12(2), SC-28(3)]
#     iso_27001_2022: [A.8.24]
#     soc2: [PI1.5]
#     pci_dss_4: [3.7.4, 3.7.5]
#   covers:
#     AWS::KMS::Key:
#       catalog: [AWS-ENC-001]
#       controls: {cis_aws_3.0.0: ["3.6"], cis_aws_5.0.0: ["3.6"], cis_aws_7.0.0: ["4.6"], aws_fsbp: [KMS.4]}
#       fix:
#         cli: aws kms enable-key-rotation --key-id KEY_ID --rotation-period-in-days 365
#         terraform: enable_key_rotation = true
package policies.encryption.cmk_rotation

import rego.v1

max_days := input.params["encryption.cmk_rotation"].max_days

scope contains key.id if {
	some key in input.resources.key
	key.manager == "customer"
	key.state == "enabled"
	key.algorithm == "symmetric"
	key.origin == "provider"
	key.aws.multi_region in {"none", "primary"}
}

fail contains {"id": key.id, "fact": "rotation_enabled", "expected": true, "message": "automatic rotation is off"} if {
	some key in input.resources.key
	key.id in scope
	key.rotation_enabled == false
}

fail contains {
	"id": key.id, "fact": "rotation_days", "expected": sprintf("at most %d", [max_days]),
	"message": sprintf("rotates only every %d days", [key.rotation_days]),
} if {
	some key in input.resources.key
	key.id in scope
	key.rotation_days > max_days
}
