# METADATA
# title: Shared file systems refuse clients without TLS
# description: >-
#   NFS is clear text unless the mount helper is told to use TLS, and a client that forgets it is not turned away by
#   itself. The policy of the file system must deny everyone to mount it where `aws:SecureTransport` is false; a Deny with
#   a condition besides (other than that the client comes through a mount target, as all of them do) leaves a way. An
#   Allow that asks for TLS is not enough, since identity policies allow as well. Every file system is judged; what mounts
#   it is judged where it is configured.
# related_resources:
#   - https://docs.aws.amazon.com/efs/latest/ug/encryption-in-transit.html
#   - https://docs.aws.amazon.com/efs/latest/ug/iam-access-control-nfs-efs.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [store_type]
#   fail_on: [tls_only]
#   controls:
#     nist_800_53_r5: [SC-8, SC-8(1)]
#     nist_800_171_r2: [3.13.8]
#     iso_27001_2022: [A.8.24]
#     soc2: [CC6.7]
#     pci_dss_4: [4.2.1]
#   covers:
#     AWS::EFS::FileSystem:
#       catalog: [AWS-TLS-013]
#       fix:
#         cli: >-
#           aws efs put-file-system-policy --file-system-id FILE_SYSTEM --policy file://policy.json (Deny, Principal "*",
#           Action "*", with Bool {"aws:SecureTransport": "false"})
#         terraform: aws_efs_file_system_policy with a Deny of everything to everyone where aws:SecureTransport is false
package policies.transit.filesystem_tls

import rego.v1

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "filesystem"
}

fail contains {
	"id": store.id, "fact": "tls_only", "expected": true,
	"message": "its policy does not turn away clients without TLS",
} if {
	some store in input.resources.data_store
	store.id in scope
	store.tls_only == false
}
