# METADATA
# title: Storage classes encrypt volumes with a customer key
# description: >-
#   Checkpoints and datasets on volumes of such a class are encrypted with a key of the provider, or not at all. Judged
#   are the block and file drivers of AWS, Google and Azure that take a key as a parameter. An account's default
#   encryption (EBS) is not seen here, and does not give a key of the customer's by itself.
# related_resources:
#   - https://kubernetes.io/docs/concepts/storage/storage-classes/
# custom:
#   severity: high
#   kind: data_store
#   scope_on: [store_type, provisioner]
#   fail_on: [encrypted, key_id]
#   params:
#     provisioners:
#       [ebs.csi.aws.com, kubernetes.io/aws-ebs, fsx.csi.aws.com, pd.csi.storage.gke.io, kubernetes.io/gce-pd,
#        filestore.csi.storage.gke.io, disk.csi.azure.com, kubernetes.io/azure-disk]
#   controls:
#     cis_gke_1.9: ["5.9.1"]
#     nist_800_53_r5: [SC-28, SC-28(1), SC-12]
#     mitre_attack_containers: [T1530]
#     pci_dss_4: ["3.5.1", "3.6.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, encryption]
#   covers:
#     storage.k8s.io/v1/StorageClass:
#       catalog: [K8S-ENC-002]
#       fix:
#         manifest: "Add the driver's parameters: encrypted: \"true\" and kmsKeyId (EBS), disk-encryption-kms-key (Google), diskEncryptionSetID (Azure)."
package policies.encryption.k8s_storage_class

import rego.v1

provisioners := {p | some p in input.params["encryption.k8s_storage_class"].provisioners}

scope contains s.id if {
	some s in input.resources.data_store
	s.store_type == "volume_class"
	s.provisioner in provisioners
}

of_provider(key) if key == ""

of_provider(key) if contains(key, "alias/aws/")

fail contains {"id": s.id, "fact": "encrypted", "expected": true, "message": "its volumes are not encrypted by the class"} if {
	some s in input.resources.data_store
	s.id in scope
	s.encrypted == false
}

fail contains {"id": s.id, "fact": "key_id", "expected": "a customer key", "message": "it names no customer key"} if {
	some s in input.resources.data_store
	s.id in scope
	of_provider(s.key_id)
}
