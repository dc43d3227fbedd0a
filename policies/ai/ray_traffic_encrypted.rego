# METADATA
# title: Ray encrypts what its parts send each other
# description: >-
#   GCS and object store carry pickled data: who reads it learns the model, who changes it runs code. Ray's own TLS
#   counts where every part has it: the operator's tlsOptions, which do nothing without its feature gate
#   RayClusterMTLS (alpha, off), or RAY_USE_TLS and its certificates in the head, all workers and the autoscaler. A
#   mesh or network plugin that is known to encrypt counts as well. The dashboard's HTTP is never covered.
# related_resources:
#   - https://docs.ray.io/en/latest/ray-core/configure.html#tls-authentication
#   - https://github.com/ray-project/kuberay/blob/master/ray-operator/pkg/features/features.go
# custom:
#   severity: high
#   kind: model_service
#   scope_on: [service_type]
#   fail_on: [traffic_protection]
#   controls:
#     nist_800_53_r5: [SC-8]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, ray]
#   covers:
#     ray.io/v1/RayCluster: &same
#       catalog: [K8S-AI-004]
#       fix:
#         manifest: "spec.tlsOptions: {enabled: true} and the feature gate RayClusterMTLS of the operator; or RAY_USE_TLS=1 with certificates in every part."
#     ray.io/v1/RayJob: *same
#     ray.io/v1/RayService: *same
package policies.ai.ray_traffic_encrypted

import rego.v1

scope contains m.id if {
	some m in input.resources.model_service
	m.service_type == "ray"
}

fail contains {
	"id": m.id, "fact": "traffic_protection", "expected": "TLS or an encrypting network", "actual": "none",
	"message": "its parts send each other pickled data in clear",
} if {
	some m in input.resources.model_service
	m.id in scope
	m.traffic_protection == "none"
}
