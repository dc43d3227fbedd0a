# METADATA
# title: Lustre file systems that only pass data on are persistent deployments as well
# description: >-
#   Tags may call a scratch file system a cache or a passing place, and nothing links it to the data of the factory. What
#   passes through is encrypted with a key of the service all the same, and nobody checks what ends up there.
#   `encryption.lustre_persistent` judges the others.
# related_resources:
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [engine, data_tier]
#   fail_on: [persistent]
#   covers:
#     AWS::FSx::FileSystem:
#       catalog: [AWS-ENC-008]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         nist_800_171_r2: [3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: >-
#           aws fsx create-file-system --file-system-type LUSTRE --kms-key-id KEY_ARN --lustre-configuration
#           DeploymentType=PERSISTENT_2,PerUnitStorageThroughput=250 …
#         terraform: 'deployment_type = "PERSISTENT_2" and kms_key_id = aws_kms_key.NAME.arn (the file system is made anew)'
package policies.encryption.lustre_scratch

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.engine == "lustre"
	store.data_tier == false
}

fail contains {
	"id": store.id, "fact": "persistent", "expected": true,
	"message": "a scratch deployment takes no customer-managed key",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.persistent == false
}
