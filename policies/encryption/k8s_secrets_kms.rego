# METADATA
# title: Secrets are encrypted in etcd by a key management service
# description: >-
#   Without it every copy of etcd has the tokens of all workloads: in clear, or with the key on the disk beside it.
#   The first provider of the first entry that names secrets (or *. or *.*) writes; identity at the end is normal
#   while moving. KMS v1 is deprecated and off by default. A file that was not collected is unknown. Whether old
#   Secrets were written again is not seen. Judged by the static pods of kube-system; where a provider runs the
#   control plane its own rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/
#   - https://kubernetes.io/docs/tasks/administer-cluster/kms-provider/
# custom:
#   severity: high
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [secrets_provider]
#   controls:
#     cis_k8s_1.12: ["1.2.27", "1.2.28"]
#     cis_eks_1.8: ["5.3.1"]
#     cis_gke_1.9: ["5.3.1"]
#     cis_aks_1.8: ["5.3.1"]
#     nist_800_53_r5: [SC-28, SC-28(1), SC-12]
#     mitre_attack_containers: [T1552]
#     pci_dss_4: ["3.5.1", "3.6.1"]
#     soc2: [CC6.1]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-ENC-001]
#       fix:
#         manifest: "--encryption-provider-config with resources: [secrets] and first provider kms: {apiVersion: v2, \u2026}"
#     kubernetes/v1/Cluster: *same
#     apiserver.config.k8s.io/v1/EncryptionConfiguration: *same
package policies.encryption.k8s_secrets_kms

import data.policies.lib.control_plane
import rego.v1

messages := {
	"none": "Secrets lie in etcd in clear: no encryption is configured",
	"identity": "Secrets lie in etcd in clear: identity writes them",
	"kms_v1": "KMS v1 is deprecated and off by default",
	"aescbc": "the key lies on the disk beside them (aescbc)", "aesgcm": "the key lies on the disk beside them (aesgcm)",
	"secretbox": "the key lies on the disk beside them (secretbox)",
}

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

fail contains {
	"id": c.id, "fact": "secrets_provider", "expected": "kms_v2",
	"message": message,
} if {
	some c in input.resources.cluster
	c.id in scope
	message := messages[c.secrets_provider]
}
