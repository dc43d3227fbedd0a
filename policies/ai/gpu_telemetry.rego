# METADATA
# title: The GPU Operator exports metrics of the GPUs
# description: >-
#   Without the DCGM exporter nobody sees that GPUs mine coins, or who uses them. On unless it is turned off; unknown where GKE exports
#   the metrics itself. Whether an exporter, this or another, is ready ai.gpu_cluster_telemetry tells of live clusters; whether a
#   Prometheus reads the metrics is not seen.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-telemetry/latest/dcgm-exporter.html
# custom:
#   severity: low
#   kind: operator
#   scope_on: []
#   fail_on: [exporter_state]
#   controls:
#     nist_800_53_r5: [AU-12, SI-4]
#     mitre_attack_containers: [T1496]
#     soc2: [CC7.2]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy: &same
#       catalog: [K8S-GPU-005]
#       fix:
#         manifest: "spec.dcgmExporter.enabled: true"
#     nvidia.com/v1alpha1/GPUCluster: *same
package policies.ai.gpu_telemetry

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {
	"id": o.id, "fact": "exporter_state", "expected": "on", "actual": "off",
	"message": "it turns the DCGM exporter off",
} if {
	some o in input.resources.operator
	o.id in scope
	o.exporter_state == "off"
}
