# METADATA
# title: What stands behind a PersistentVolume is encrypted under a customer's key
# description: >-
#   A volume that somebody wrote by hand escapes the StorageClass, and one that was made before its class was changed
#   keeps the old key. Judged is the store itself, by the volume handle, where the scan looked at its account as well
#   (EBS, EFS, FSx, S3); else it is unknown, as is what no cloud keeps. Disks and directories of the node itself are not
#   judged. Whether an NFS export is mounted in clear is another rule's.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/persistent-volumes/
#   - https://docs.aws.amazon.com/ebs/latest/userguide/ebs-encryption.html
# custom:
#   severity: medium
#   kind: data_store
#   scope_on: [backend_type]
#   fail_on: [backing_encrypted, backing_key_manager]
#   controls:
#     cis_gke_1.9: ["5.9.1"]
#     nist_800_53_r5: [SC-28]
#     mitre_attack_containers: [T1530]
#     pci_dss_4: ["3.5.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, storage]
#   covers:
#     v1/PersistentVolume:
#       catalog: [K8S-ENC-003]
#       fix:
#         manifest: Make the volume anew by a StorageClass that names the key, and copy the data.
package policies.encryption.k8s_volume_key

import rego.v1

scope contains v.id if {
	some v in input.resources.data_store
	v.backend_type in {"block", "file", "bucket", "other"}
}

fail contains {"id": v.id, "fact": "backing_encrypted", "expected": true, "message": "what stands behind it is not encrypted at rest"} if {
	some v in input.resources.data_store
	v.id in scope
	v.backing_encrypted == false
}

fail contains {
	"id": v.id, "fact": "backing_key_manager", "expected": "customer", "actual": "provider",
	"message": "what stands behind it is encrypted under a key of the provider",
} if {
	some v in input.resources.data_store
	v.id in scope
	v.backing_key_manager == "provider"
}
