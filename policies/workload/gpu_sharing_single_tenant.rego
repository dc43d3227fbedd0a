# METADATA
# title: GPUs that are time-sliced or shared by MPS serve one tenant
# description: >-
#   Neither divides the memory of the GPU or keeps a fault of one process from the others. Judged on the labels of the
#   node, by GPU Feature Discovery or GKE, and on the pods that run there: those that ask for the resource, or for its
#   `.shared` name. One replica is no sharing, and MIG partitions are apart. A claim of dynamic resource allocation
#   belongs to one namespace; which devices it holds is not seen, and leaves the node unknown where others run there.
#   Tenants are told by `tenants` in `bartizan.yaml` or by labels of their namespaces; pods are seen on live clusters
#   only.
# related_resources:
#   - https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus
#   - https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/gpu-sharing.html
# custom:
#   severity: high
#   kind: node
#   scope_on: [gpu_sharing]
#   fail_on: [sharers, sharers_settled]
#   controls:
#     nist_800_53_r5: [SC-4, SC-39]
#     mitre_attack_containers: [T1496, T1499]
#     pci_dss_4: ["2.2.3"]
#     soc2: [CC6.1]
#   tags: [kubernetes, tenancy, gpu]
#   covers:
#     v1/Node:
#       catalog: [K8S-GPU-003]
#       fix:
#         manifest: Use MIG or whole GPUs for nodes of several tenants, or give each tenant nodes of its own.
package policies.workload.gpu_sharing_single_tenant

import rego.v1

scope contains n.id if {
	some n in input.resources.node
	count(n.gpu_sharing) > 0
}

fail contains {
	"id": n.id, "fact": "sharers", "expected": "one tenant", "actual": found, "tag": found.resource,
	"message": sprintf("%s is shared by pods of %s", [found.resource, concat(", ", found.tenants)]),
} if {
	some n in input.resources.node
	n.id in scope
	some found in n.sharers
	count(found.tenants) > 1
}
