# METADATA
# title: Lustre file systems with training data squash root
# description: >-
#   Without root squash whoever is root on any node, in a privileged container for instance, owns every file: datasets and
#   checkpoints can be changed without a trace of who did it. File systems that hold data of the factory are judged.
#   Which clients are excepted from squashing is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/root-squash.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [engine, data_tier]
#   fail_on: [root_squash]
#   controls:
#     nist_800_53_r5: [AC-6, SI-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0020, AML.T0059]
#   covers:
#     AWS::FSx::FileSystem:
#       catalog: [AWS-DATA-010]
#       fix:
#         cli: >-
#           aws fsx update-file-system --file-system-id FILE_SYSTEM --lustre-configuration
#           'RootSquashConfiguration={RootSquash="65534:65534"}'
#         terraform: 'root_squash_configuration { root_squash = "65534:65534" }'
package policies.integrity.root_squash

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.engine == "lustre"
	store.data_tier == true
}

fail contains {
	"id": store.id, "fact": "root_squash", "expected": true,
	"message": "root on any client owns every file",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.root_squash == false
}
