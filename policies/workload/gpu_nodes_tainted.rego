# METADATA
# title: Nodes with accelerators keep other pods away by a taint
# description: >-
#   Whatever else runs beside a trainer is one more way into it. GKE taints such nodes by itself, EKS and AKS do not.
#   Taints that Kubernetes sets for a while (cordoned, not ready, under pressure) do not count. A taint alone is no
#   isolation: whoever may make pods may tolerate it, and the admission plugin ExtendedResourceToleration does so for
#   every pod that asks for the resource.
# related_resources:
#   - https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
#   - https://docs.cloud.google.com/kubernetes-engine/docs/how-to/gpus
# custom:
#   severity: low
#   kind: node
#   scope_on: [accelerator]
#   fail_on: [taints]
#   controls:
#     nist_800_53_r5: [SC-2, SC-7(21)]
#     soc2: [CC6.1]
#   tags: [kubernetes, gpu]
#   covers:
#     v1/Node:
#       catalog: [K8S-GPU-011]
#       fix:
#         cli: kubectl taint nodes NAME nvidia.com/gpu=present:NoSchedule
#         manifest: Taint the node pool with nvidia.com/gpu=present and the effect NoSchedule.
package policies.workload.gpu_nodes_tainted

import rego.v1

# Set by Kubernetes and the cloud for a while.
passing(taint) if startswith(taint.key, "node.kubernetes.io/")

passing(taint) if startswith(taint.key, "node.cloudprovider.kubernetes.io/")

scope contains n.id if {
	some n in input.resources.node
	n.accelerator == true
}

fail contains {
	"id": n.id, "fact": "taints", "expected": "a taint NoSchedule or NoExecute",
	"message": "has accelerators, and no taint keeps other pods away",
} if {
	some n in input.resources.node
	n.id in scope
	taints := n.taints
	held := {t.key | some t in taints; t.effect in {"NoSchedule", "NoExecute"}}
	count(held - {t.key | some t in taints; passing(t)}) == 0
}
