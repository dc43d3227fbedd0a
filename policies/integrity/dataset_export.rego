# METADATA
# title: What changes on a file system is not written over the training data in a bucket
# description: >-
#   Where changed and deleted files are exported to the bucket that they came from, any node that mounts the file system
#   can rewrite the corpus. Older file systems export to one path of their own, newer ones by links to repositories: both
#   are judged. What a place in a bucket holds is known from the bucket's tags, else from the jobs and models that name
#   it; where neither says anything the answer is unknown, and a tag settles it. Exports of new files alone overwrite
#   nothing.
# related_resources:
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html
#   - https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreConfiguration.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type, repository_uris]
#   fail_on: [overwrites_dataset]
#   controls:
#     nist_800_53_r5: [AC-6, SI-7]
#     iso_27001_2022: [A.8.3]
#     soc2: [CC6.1]
#     pci_dss_4: [11.5.2]
#     mitre_atlas: [AML.T0020, AML.T0059]
#   covers:
#     AWS::FSx::DataRepositoryAssociation:
#       catalog: [AWS-DATA-010]
#       fix:
#         cli: >-
#           aws fsx update-data-repository-association --association-id ASSOCIATION --s3 'AutoExportPolicy={Events=[]}',
#           and a link of its own for checkpoints
#         terraform: remove auto_export_policy from the association, and add one for a checkpoint bucket
#     AWS::FSx::FileSystem:
#       catalog: [AWS-DATA-010]
#       fix:
#         cli: make the file system anew without ImportPath, with a data repository association that exports nothing
#         terraform: remove export_path, or replace both paths by aws_fsx_data_repository_association
package policies.integrity.dataset_export

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "repository_link"
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"filesystem", "scratch"}
	uris := store.repository_uris
	count(uris) > 0
}

fail contains {
	"id": store.id, "fact": "overwrites_dataset", "expected": false,
	"message": "what changes on the file system is written over training data",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.overwrites_dataset == true
}
