# METADATA
# title: Tables, streams, caches and backup vaults are encrypted with a customer-managed key
# description: >-
#   These services encrypt all they keep, and with a key of their own unless told otherwise: one that has no policy to
#   read, no record of use and no switch. Feature stores, agent memory, prompt caches, raw training records and the
#   copies of all of it stand behind it. Every table, cluster and vault is judged, whatever is in it. A replica of a
#   global table has a key of its own and is judged where it is, so its region must be among those that are looked at.
#   Serverless brokers and vaults that AWS isolates with a key of its own take no key; serverless caches, single nodes that
#   are in no replication group, and what is in a vault under another key than the vault's (copies of volumes and file
#   systems keep that of their source), are not judged.
# related_resources:
#   - https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/EncryptionAtRest.html
#   - https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html
#   - https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/at-rest-encryption.html
#   - https://docs.aws.amazon.com/memorydb/latest/devguide/at-rest-encryption.html
#   - https://docs.aws.amazon.com/aws-backup/latest/devguide/encryption.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type, key_selectable]
#   fail_on: [key_manager]
#   covers:
#     AWS::DynamoDB::Table:
#       catalog: [AWS-ENC-026]
#       controls:
#         nist_800_53_r5: [AU-9(3), SC-8(3), SC-8(4), SC-13, SC-28(1), SI-19(4)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: >-
#           aws dynamodb update-table --table-name TABLE --sse-specification
#           Enabled=true,SSEType=KMS,KMSMasterKeyId=KEY_ARN
#         terraform: server_side_encryption { enabled = true, kms_key_arn = aws_kms_key.NAME.arn }
#     AWS::MSK::Cluster:
#       catalog: [AWS-ENC-027]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: aws kafka create-cluster-v2 with EncryptionInfo.EncryptionAtRest.DataVolumeKMSKeyId, then move the topics
#         terraform: encryption_info { encryption_at_rest_kms_key_arn = aws_kms_key.NAME.arn } (the cluster is made anew)
#     AWS::ElastiCache::ReplicationGroup:
#       catalog: [AWS-ENC-028]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [ElastiCache.4]
#       fix:
#         cli: >-
#           aws elasticache create-replication-group --snapshot-name SNAPSHOT --at-rest-encryption-enabled --kms-key-id
#           KEY_ARN …
#         terraform: at_rest_encryption_enabled = true and kms_key_id = aws_kms_key.NAME.arn (the group is made anew)
#     AWS::MemoryDB::Cluster:
#       catalog: [AWS-ENC-028]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: aws memorydb create-cluster --snapshot-name SNAPSHOT --kms-key-id KEY_ARN …
#         terraform: kms_key_arn = aws_kms_key.NAME.arn (the cluster is made anew)
#     AWS::Backup::BackupVault:
#       catalog: [AWS-ENC-029]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [Backup.1]
#       fix:
#         cli: >-
#           aws backup create-backup-vault --backup-vault-name VAULT --encryption-key-arn KEY_ARN, then name it in the
#           backup plans
#         terraform: kms_key_arn = aws_kms_key.NAME.arn (the vault is made anew)
package policies.encryption.managed_store_cmk

import rego.v1

said := {
	"none": "nothing encrypts it at rest",
	"provider": "the key that encrypts it is the provider's own, not customer-managed",
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"database", "stream", "cache", "backup_vault"}
	store.key_selectable == true
}

fail contains {"id": store.id, "fact": "key_manager", "expected": "customer", "message": said[store.key_manager]} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager in {"none", "provider"}
}
