# METADATA
# title: Buckets, volumes, file systems and databases are encrypted with a customer-managed key
# description: >-
#   With a key of the provider's own there is no key policy, no record of use and no switch to turn the data off:
#   whoever may read the store reads the datasets and checkpoints in it. Every bucket, volume,
#   snapshot, file system and database is judged, not only those of accelerator nodes; launch templates and directory
#   buckets are not. A bucket's default does not re-encrypt older objects, and an upload may name another key: neither is
#   seen. Backups of file systems and snapshots of databases keep the key of their source and are not judged. Instances
#   of a database cluster have its key, so the cluster is judged once; Lustre scratch file systems take no key
#   (`encryption.lustre_persistent` speaks of them). A key of another account is the customer's by construction, since
#   provider-managed keys cannot be used across accounts.
# related_resources:
#   - https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
#   - https://docs.aws.amazon.com/ebs/latest/userguide/how-ebs-encryption-works.html
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html
#   - https://docs.aws.amazon.com/efs/latest/ug/encryption-at-rest.html
#   - https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/Overview.Encryption.html
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [key_manager]
#   covers:
#     AWS::S3::Bucket:
#       catalog: [AWS-ENC-004]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.4]
#         pci_dss_4: [3.5.1]
#         mitre_atlas: [AML.T0035]
#         aws_fsbp: [S3.17]
#       fix:
#         cli: >-
#           aws s3api put-bucket-encryption --bucket BUCKET --server-side-encryption-configuration '{"Rules":
#           [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "KEY_ARN"},
#           "BucketKeyEnabled": true}]}'
#         terraform: >-
#           aws_s3_bucket_server_side_encryption_configuration with sse_algorithm = "aws:kms" and kms_master_key_id
#     AWS::EC2::Volume:
#       catalog: [AWS-ENC-007]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         nist_800_171_r2: [3.5.10, 3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [EC2.3]
#         cis_aws_3.0.0: [2.2.1]
#         cis_aws_5.0.0: [5.1.1]
#       fix:
#         cli: >-
#           aws ec2 create-snapshot --volume-id VOLUME && aws ec2 copy-snapshot --source-snapshot-id SNAPSHOT
#           --source-region REGION --encrypted --kms-key-id KEY_ARN, then aws ec2 create-volume --snapshot-id COPY
#           --availability-zone ZONE
#         terraform: encrypted = true and kms_key_id = aws_kms_key.NAME.arn (the volume is made anew)
#     AWS::EC2::Snapshot:
#       catalog: []
#       controls:
#         nist_800_53_r5: [SC-13, SC-28, SC-28(1)]
#         nist_800_171_r2: [3.5.10, 3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: >-
#           aws ec2 copy-snapshot --source-snapshot-id SNAPSHOT --source-region REGION --encrypted --kms-key-id KEY_ARN,
#           then delete the old one
#         terraform: aws_ebs_snapshot_copy with encrypted = true and kms_key_id
#     AWS::FSx::FileSystem:
#       catalog: [AWS-ENC-008, AWS-ENC-009]
#       controls:
#         nist_800_53_r5: [SC-12, SC-28, SC-28(1)]
#         nist_800_171_r2: [3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#       fix:
#         cli: >-
#           aws fsx create-file-system-from-backup --backup-id BACKUP --kms-key-id KEY_ARN --subnet-ids SUBNET (a Lustre file
#           system with deployment type PERSISTENT_2), then mount the new one
#         terraform: kms_key_id = aws_kms_key.NAME.arn (the file system is made anew)
#     AWS::EFS::FileSystem:
#       catalog: [AWS-ENC-010]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [CC6.1]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [EFS.1, EFS.8]
#         cis_aws_3.0.0: [2.4.1]
#         cis_aws_5.0.0: [2.3.1]
#         cis_aws_7.0.0: [3.3.1]
#       fix:
#         cli: aws efs create-file-system --encrypted --kms-key-id KEY_ARN, then move the data with DataSync
#         terraform: encrypted = true and kms_key_id = aws_kms_key.NAME.arn (the file system is made anew)
#     AWS::RDS::DBInstance:
#       catalog: [AWS-ENC-011]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [RDS.3]
#         cis_aws_3.0.0: [2.3.1]
#         cis_aws_5.0.0: [2.2.1]
#         cis_aws_7.0.0: [3.2.1]
#       fix:
#         cli: >-
#           aws rds create-db-snapshot, then aws rds copy-db-snapshot --kms-key-id KEY_ARN, then aws rds
#           restore-db-instance-from-db-snapshot
#         terraform: storage_encrypted = true and kms_key_id = aws_kms_key.NAME.arn (the instance is made anew)
#     AWS::RDS::DBCluster:
#       catalog: [AWS-ENC-011]
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-7(10), SC-13, SC-28, SC-28(1), SI-7(6)]
#         nist_800_171_r2: [3.13.11, 3.13.16]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [RDS.27]
#         cis_aws_3.0.0: [2.3.1]
#         cis_aws_5.0.0: [2.2.1]
#         cis_aws_7.0.0: [3.2.1]
#       fix:
#         cli: aws rds create-db-cluster-snapshot, then aws rds restore-db-cluster-from-snapshot --kms-key-id KEY_ARN
#         terraform: storage_encrypted = true and kms_key_id = aws_kms_key.NAME.arn (the cluster is made anew)
#     AWS::Redshift::Cluster:
#       catalog: []
#       controls:
#         nist_800_53_r5: [CA-9(1), CM-3(6), SC-13, SC-28, SC-28(1), SI-7(6)]
#         iso_27001_2022: [A.8.24]
#         soc2: [PI1.5]
#         pci_dss_4: [3.5.1]
#         aws_fsbp: [Redshift.8]
#       fix:
#         cli: aws redshift modify-cluster --cluster-identifier CLUSTER --encrypted --kms-key-id KEY_ARN
#         terraform: encrypted = true and kms_key_id = aws_kms_key.NAME.arn
package policies.encryption.store_cmk

import rego.v1

said := {
	"none": "nothing encrypts it at rest",
	"provider": "the key that encrypts it is the provider's own, not customer-managed",
}

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type in {"bucket", "volume", "snapshot", "filesystem", "database"}
}

fail contains {"id": store.id, "fact": "key_manager", "expected": "customer", "message": said[store.key_manager]} if {
	some store in input.resources.data_store
	store.id in scope
	store.key_manager in {"none", "provider"}
}
