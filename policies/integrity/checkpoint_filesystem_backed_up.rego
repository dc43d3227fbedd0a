# METADATA
# title: File systems with checkpoints are persistent and can be brought back
# description: >-
#   A scratch file system loses what was on a server that fails, and weeks of training with it. Any way to bring the
#   checkpoints back is enough: backups of the service, a recovery point in AWS Backup, or new files exported to a bucket
#   by themselves (a file system that is linked to one takes no automatic backups). File systems are judged that tags say
#   hold checkpoints, or that export to where checkpoints are kept; caches and scratch spaces are not. How old a recovery
#   point is, and whether an export covers the whole file system, is not seen.
# related_resources:
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/using-backups-fsx.html
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html
#   - https://docs.aws.amazon.com/efs/latest/ug/awsbackup.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [holds_checkpoints]
#   fail_on: [persistent, backed_up]
#   controls:
#     nist_800_53_r5: [CP-6, CP-6(1), CP-6(2), CP-9, CP-10, SC-5(2), SI-12, SI-13(5)]
#     nist_800_171_r2: [3.13.2]
#     iso_27001_2022: [A.8.13]
#     soc2: [A1.1, CC7.4]
#     pci_dss_4: [10.3.3]
#   covers:
#     AWS::FSx::FileSystem:
#       catalog: [AWS-RES-001]
#       fix:
#         cli: >-
#           aws fsx update-file-system --file-system-id FILE_SYSTEM --lustre-configuration AutomaticBackupRetentionDays=14,
#           or aws fsx create-data-repository-association with an AutoExportPolicy to a checkpoint bucket; a scratch file
#           system must be made anew as PERSISTENT_2
#         terraform: >-
#           deployment_type = "PERSISTENT_2" and automatic_backup_retention_days, or
#           aws_fsx_data_repository_association with auto_export_policy
#     AWS::EFS::FileSystem:
#       catalog: [AWS-RES-001]
#       controls:
#         aws_fsbp: [EFS.2, EFS.7]
#       fix:
#         cli: aws efs put-backup-policy --file-system-id FILE_SYSTEM --backup-policy Status=ENABLED
#         terraform: 'aws_efs_backup_policy { backup_policy { status = "ENABLED" } }'
package policies.integrity.checkpoint_filesystem_backed_up

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.holds_checkpoints == true
}

fail contains {
	"id": store.id, "fact": "persistent", "expected": true,
	"message": "what is on a server that fails is lost",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.persistent == false
}

fail contains {
	"id": store.id, "fact": "backed_up", "expected": true,
	"message": "nothing backs it up, and nothing is exported from it",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.backed_up == false
}
