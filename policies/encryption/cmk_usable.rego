# METADATA
# title: Keys in use are neither disabled nor scheduled for deletion
# description: >-
#   A key that is deleted takes every dataset and checkpoint under it along; a disabled one stops whatever reads them.
#   Only customer-managed keys that some resource of the snapshot names are judged. A key that is enabled passes even
#   where not all its users could be seen; one that is being made or moved between regions is not judged yet.
# related_resources:
#   - https://docs.aws.amazon.com/kms/latest/developerguide/deleting-keys.html
#   - https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html
# custom:
#   severity: critical
#   kind: key
#   scope_on: [manager]
#   fail_on: [state, used_by]
#   controls:
#     nist_800_53_r5: [SC-12, SC-12(2)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.5.1.1, 3.5.1.3, 3.6.1, 3.6.1.2, 3.6.1.3, 3.6.1.4, 3.7.1, 3.7.2, 3.7.4, 3.7.6, 3.7.7]
#   covers:
#     AWS::KMS::Key:
#       catalog: [AWS-ENC-002]
#       controls:
#         aws_fsbp: [KMS.3]
#       fix:
#         cli: aws kms cancel-key-deletion --key-id KEY_ID && aws kms enable-key --key-id KEY_ID
#         terraform: "is_enabled = true, and lifecycle { prevent_destroy = true }"
package policies.encryption.cmk_usable

import rego.v1

said := {
	"disabled": "is disabled",
	"pending_deletion": "is scheduled for deletion",
	"pending_import": "has no key material",
	"unavailable": "is not available",
}

scope contains key.id if {
	some key in input.resources.key
	key.manager == "customer"
}

fail contains {
	"id": key.id, "fact": "state", "expected": "enabled",
	"message": sprintf("the key %s and still encrypts %s", [said[key.state], users(key.used_by)]),
} if {
	some key in input.resources.key
	key.id in scope
	key.state in object.keys(said)
	count(key.used_by) > 0
}

# Whoever uses it, an enabled key serves them.
safe contains key.id if {
	some key in input.resources.key
	key.id in scope
	key.state == "enabled"
}

exempt contains {"id": key.id, "reason": "its state is changing: look again"} if {
	some key in input.resources.key
	key.id in scope
	key.state in {"creating", "updating"}
}

exempt contains {"id": key.id, "reason": "nothing that was seen names the key"} if {
	some key in input.resources.key
	key.id in scope
	key.state in object.keys(said)
	key.used_by == []
}

users(ids) := ids[0] if count(ids) == 1

users(ids) := sprintf("%s and %d more", [ids[0], count(ids) - 1]) if count(ids) > 1
