# METADATA
# title: Parts of the GPU and Network Operators do not join the network or processes of the host
# description: >-
#   hostPID and hostNetwork are off by default in every part: turned on, a flaw of an exporter reaches the services of the node, or the
#   environment of every process on it. What parts need whatever the object says (the toolkit's hostPID) is not judged, nor
#   whether privileged namespaces are labelled (psa.enabled).
# related_resources:
#   - https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/deployments/gpu-operator/values.yaml
# custom:
#   severity: medium
#   kind: operator
#   scope_on: []
#   fail_on: [components]
#   controls:
#     nist_800_53_r5: [AC-6, CM-7]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.3]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy: &same
#       catalog: [K8S-GPU-012]
#       fix:
#         manifest: Remove hostPID and hostNetwork from the component.
#     nvidia.com/v1alpha1/NVIDIADriver: *same
#     nvidia.com/v1alpha1/GPUCluster: *same
#     mellanox.com/v1alpha1/NicClusterPolicy: *same
#     mellanox.com/v1alpha1/NicNodePolicy: *same
package policies.workload.gpu_operator_host_access

import rego.v1

scope contains o.id if {
	some o in input.resources.operator
}

fail contains {
	"id": o.id, "fact": "components", "expected": false, "tag": sprintf("%s hostPID", [c.name]),
	"actual": {"name": c.name, "host_pid": true},
	"message": sprintf("%s shares the host's process namespace (hostPID)", [c.name]),
} if {
	some o in input.resources.operator
	o.id in scope
	some c in o.components
	c.host_pid == true
}

fail contains {
	"id": o.id, "fact": "components", "expected": false, "tag": sprintf("%s hostNetwork", [c.name]),
	"actual": {"name": c.name, "host_network": true},
	"message": sprintf("%s shares the host's network (hostNetwork)", [c.name]),
} if {
	some o in input.resources.operator
	o.id in scope
	some c in o.components
	c.host_network == true
}
