# METADATA
# title: File systems and buckets are mounted encrypted on the way
# description: >-
#   Training data and checkpoints otherwise cross the front-end network in clear. NFS is in clear without Kerberos privacy
#   (`sec=krb5p`) or TLS (`xprtsec`), so is Azure Files by NFS without `encryptInTransit`, Blob storage by NFS, EFS with
#   `encryptInTransit: "false"`, SMB before 3.0, CephFS with `ms_mode=crc`. Where servers, machines or networks decide
#   (Lustre, WEKA, VAST, BeeGFS, Filestore, SMB 3), it is unknown: FSx for Lustre encrypts between some sizes of machines
#   only. Disks are not judged. Options that the node's own configuration adds are not seen.
# related_resources:
#   - https://man7.org/linux/man-pages/man5/nfs.5.html
#   - https://docs.aws.amazon.com/efs/latest/ug/encryption-in-transit.html
#   - https://learn.microsoft.com/azure/storage/files/encryption-in-transit-for-nfs-shares
#   - https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-in-transit-fsxl.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [backend_type]
#   fail_on: [encrypted_in_transit]
#   controls:
#     nist_800_53_r5: [SC-8]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, storage]
#   covers:
#     v1/PersistentVolume: &same
#       catalog: [K8S-ENC-004]
#       fix:
#         manifest: "mountOptions: [sec=krb5p], or the driver's own: encryptInTransit: \"true\""
#     storage.k8s.io/v1/StorageClass: *same
package policies.transit.k8s_volume_mount

import rego.v1

scope contains v.id if {
	some v in input.resources.data_store
	v.backend_type in {"file", "bucket"}
}

fail contains {"id": v.id, "fact": "encrypted_in_transit", "expected": true, "message": "is mounted in clear text"} if {
	some v in input.resources.data_store
	v.id in scope
	v.encrypted_in_transit == false
}
