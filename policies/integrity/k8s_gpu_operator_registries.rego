# METADATA
# title: The GPU and Network Operators take their images from known registries
# description: >-
#   Their containers are privileged on every node: whoever owns the registry owns the nodes. Known is nvcr.io/nvidia, where the vendor
#   releases; its staging registry (nvcr.io/nvstaging) is not. Mirrors of your own go into `registries`. A component that names no
#   registry has the operator's own default; components that are turned off are not judged, nor whether an image is pinned.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/release-notes.html
#   - https://github.com/Mellanox/network-operator
# custom:
#   severity: medium
#   kind: operator
#   scope_on: []
#   fail_on: [components]
#   params:
#     registries:
#       - nvcr.io/nvidia
#   controls:
#     nist_800_53_r5: [AC-6, CM-7]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.3]
#   tags: [kubernetes, gpu]
#   covers:
#     nvidia.com/v1/ClusterPolicy: &same
#       catalog: [K8S-GPU-012]
#       fix:
#         manifest: "spec.COMPONENT.repository: nvcr.io/nvidia/…, or a mirror that is listed."
#     nvidia.com/v1alpha1/NVIDIADriver: *same
#     nvidia.com/v1alpha1/GPUCluster: *same
#     mellanox.com/v1alpha1/NicClusterPolicy: *same
#     mellanox.com/v1alpha1/NicNodePolicy: *same
package policies.integrity.k8s_gpu_operator_registries

import rego.v1

params := input.params["integrity.k8s_gpu_operator_registries"]

scope contains o.id if {
	some o in input.resources.operator
}

known(repository) if {
	some registry in params.registries
	startswith(sprintf("%s/", [repository]), sprintf("%s/", [registry]))
}

fail contains {
	"id": o.id, "fact": "components", "expected": "a registry that is listed", "tag": c.name,
	"actual": {"name": c.name, "repository": c.repository},
	"message": sprintf("%s comes from %s", [c.name, c.repository]),
} if {
	some o in input.resources.operator
	o.id in scope
	some c in o.components
	c.repository != ""
	count([1 | known(c.repository)]) == 0
}
