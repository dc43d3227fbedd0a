# METADATA
# title: Nodes that must partition their GPUs do
# description: >-
#   Partitions (MIG) have memory and caches of their own; without them tenants of a GPU share both. Asked only of nodes whose GPUs
#   can and that a label demands it of: one such as `example.com/mig-required: "true"`, or a layout in nvidia.com/mig.config.
#   The defaults of the GPU Operator, strategy single with all-disabled, are no partitions. Where discovery labels are missing it is unknown.
# related_resources:
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-operator-mig.html
# custom:
#   severity: medium
#   kind: node
#   scope_on: [mig_required]
#   fail_on: [mig_strategy, mig_config, mig_state]
#   controls:
#     nist_800_53_r5: [SC-4]
#     soc2: [CC6.1]
#   tags: [kubernetes, gpu]
#   covers:
#     v1/Node:
#       catalog: [K8S-GPU-004]
#       fix:
#         cli: kubectl label node NAME nvidia.com/mig.config=all-1g.10gb --overwrite
#         manifest: "spec.mig.strategy of the ClusterPolicy: single or mixed."
package policies.ai.gpu_mig_in_force

import rego.v1

scope contains node.id if {
	some node in input.resources.node
	node.mig_required == true
}

fail contains {
	"id": node.id, "fact": "mig_strategy", "expected": "single or mixed", "actual": "none",
	"message": "it must partition its GPUs, and no partitions are offered",
} if {
	some node in input.resources.node
	node.id in scope
	node.mig_strategy == "none"
}

fail contains {
	"id": node.id, "fact": "mig_config", "expected": "a layout with partitions", "actual": "all-disabled",
	"message": "it must partition its GPUs, and its layout turns partitions off",
} if {
	some node in input.resources.node
	node.id in scope
	node.mig_config == "all-disabled"
}

fail contains {
	"id": node.id, "fact": "mig_state", "expected": "success", "actual": node.mig_state,
	"message": sprintf("it must partition its GPUs, and its layout is not in force (%s)", [node.mig_state]),
} if {
	some node in input.resources.node
	node.id in scope
	node.mig_state != "success"
}
