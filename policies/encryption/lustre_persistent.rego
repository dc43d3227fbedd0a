# METADATA
# title: Lustre file systems with training data are persistent deployments, which take a customer-managed key
# description: >-
#   A scratch deployment is encrypted with a key of the service, whatever its owner wishes, and one failed server loses
#   what was on it. File systems are judged that tags or a zone place in the data part of the factory, or that are linked
#   to a bucket; where a tag calls one a cache or scratch space, `encryption.lustre_scratch` speaks of it. Which key a
#   persistent deployment has is the question of `encryption.store_cmk`.
# related_resources:
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-fsx-lustre.html
# custom:
#   severity: high
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
package policies.encryption.lustre_persistent

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.engine == "lustre"
	store.data_tier == true
}

fail contains {
	"id": store.id, "fact": "persistent", "expected": true,
	"message": "a scratch deployment takes no customer-managed key",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.persistent == false
}
