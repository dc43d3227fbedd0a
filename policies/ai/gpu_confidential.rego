# METADATA
# title: Nodes that must compute confidentially do
# description: >-
#   In confidential mode the GPU encrypts what crosses the bus and its memory cannot be read by the host: weights in use are safe.
#   Asked only of nodes whose GPUs can and that a label demands it of: one such as `example.com/confidential-computing: required`, or
#   nvidia.com/cc.mode. Mode devtools switches the protection off; protected PCIe (ppcie) counts as on. Where the state label is
#   missing it is unknown. The CPU's own enclave is not seen.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/confidential-containers-deploy.html
# custom:
#   severity: medium
#   kind: node
#   scope_on: [cc_required]
#   fail_on: [cc_state]
#   controls:
#     nist_800_53_r5: [SC-28, SC-39]
#     soc2: [CC6.1]
#   tags: [kubernetes, gpu]
#   covers:
#     v1/Node:
#       catalog: [K8S-GPU-008]
#       fix:
#         cli: kubectl label node NAME nvidia.com/cc.mode=on --overwrite
#         manifest: "spec.ccManager: {enabled: true, defaultMode: \"on\"}"
package policies.ai.gpu_confidential

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.cc_required == true
}

fail contains {
	"id": node.id, "fact": "cc_state", "expected": "on", "actual": "devtools",
	"message": "it must compute confidentially, and mode devtools switches the protection off",
} if {
	some node in input.resources.node
	node.id in scope
	node.cc_state == "devtools"
}

fail contains {
	"id": node.id, "fact": "cc_state", "expected": "on", "actual": state,
	"message": sprintf("it must compute confidentially, and its GPUs do not (%s)", [state]),
} if {
	some node in input.resources.node
	node.id in scope
	state := node.cc_state
	count({state} & {"on", "ppcie", "devtools"}) == 0
}
