# METADATA
# title: A cluster with GPUs exports their metrics
# description: >-
#   Without an exporter nobody sees that GPUs mine coins, or who uses them. A DaemonSet with an image of dcgm-exporter must be ready
#   on all nodes that it is for, the GPU Operator's or another. Which nodes it leaves out is not seen, nor other exporters and those
#   that a provider keeps out of the cluster.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-telemetry/latest/dcgm-exporter.html
# custom:
#   severity: low
#   kind: cluster
#   scope_on: [gpu_telemetry]
#   fail_on: [gpu_telemetry]
#   controls:
#     nist_800_53_r5: [AU-12, SI-4]
#     mitre_attack_containers: [T1496]
#     soc2: [CC7.2]
#   tags: [kubernetes, gpu]
#   covers:
#     kubernetes/v1/Cluster:
#       catalog: [K8S-GPU-005]
#       fix:
#         cli: helm install dcgm-exporter gpu-helm-charts/dcgm-exporter
#         manifest: A DaemonSet of dcgm-exporter on all nodes with GPUs.
package policies.ai.gpu_cluster_telemetry

import rego.v1

scope contains c.id if {
	some c in input.resources.cluster
	c.gpu_telemetry in {"on", "off", "not_ready"}
}

message := {"off": "nobody exports metrics of its GPUs", "not_ready": "the DCGM exporter is not ready on all of its nodes"}

fail contains {"id": c.id, "fact": "gpu_telemetry", "expected": "on", "actual": state, "message": message[state]} if {
	some c in input.resources.cluster
	c.id in scope
	state := c.gpu_telemetry
	state in {"off", "not_ready"}
}
