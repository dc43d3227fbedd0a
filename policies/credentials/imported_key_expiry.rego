# METADATA
# title: Imported key material does not expire soon
# description: >-
#   Imported material cannot rotate by itself, and where it expires everything under the key stops until someone imports
#   it again. A key fails from `min_days` before the end, and while it has no material: the first was not imported yet,
#   or the last one has expired. How old the material is, is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/kms/latest/developerguide/importing-keys.html
# custom:
#   severity: medium
#   kind: key
#   scope_on: [manager, origin]
#   fail_on: [expires]
#   params:
#     min_days: 30
#   controls:
#     nist_800_53_r5: [SC-12, SC-12(2)]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.1]
#     pci_dss_4: [3.7.4]
#   covers:
#     AWS::KMS::Key:
#       catalog: [AWS-CRED-012]
#       fix:
#         cli: "aws kms import-key-material --key-id KEY_ID … --expiration-model KEY_MATERIAL_EXPIRES --valid-to DATE"
#         terraform: aws_kms_external_key with a later valid_to
package policies.credentials.imported_key_expiry

import data.policies.lib.moment
import rego.v1

min_days := input.params["credentials.imported_key_expiry"].min_days

scope contains key.id if {
	some key in input.resources.key
	key.manager == "customer"
	key.origin == "external"
}

fail contains {
	"id": key.id, "fact": "expires", "expected": sprintf("in %d days or later, or never", [min_days]),
	"message": sprintf("the key material expires on %s", [substring(key.expires, 0, 10)]),
} if {
	some key in input.resources.key
	key.id in scope
	0 - moment.days_since(key.expires) < min_days
}

fail contains {
	"id": key.id, "fact": "expires", "expected": sprintf("in %d days or later, or never", [min_days]),
	"message": "the key has no material: it expired, or was never imported",
} if {
	some key in input.resources.key
	key.id in scope
	key.expires == "missing"
}
