# METADATA
# title: GPU nodes run pods of one tenant, or pods in sandboxes
# description: >-
#   Whoever gets out of a container has the node, and with it whatever others run there. Pods of the platform, of
#   DaemonSets and of the node itself do not count, nor pods that have ended; a runtime class whose handler is Kata,
#   gVisor or Firecracker is a sandbox. One pod without beside another tenant is enough. MIG does not help: it divides the
#   GPU, not the kernel. Tenants are told by `tenants` in `bartizan.yaml` or by labels of their namespaces; where nothing
#   tells it is unknown. Where pods run is seen on live clusters only.
# related_resources:
#   - https://kubernetes.io/docs/concepts/security/multi-tenancy/#node-isolation
#   - https://kubernetes.io/docs/concepts/containers/runtime-class/
# custom:
#   severity: medium
#   kind: node
#   scope_on: [accelerator]
#   fail_on: [tenants, unsandboxed_tenants, tenants_settled]
#   controls:
#     cis_k8s_1.12: ["5.6.1"]
#     cis_k8s_1.10: ["5.7.1"]
#     cis_eks_1.8: ["4.5.1"]
#     cis_gke_1.9: ["4.6.1"]
#     cis_aks_1.8: ["4.6.1"]
#     nist_800_53_r5: [SC-2, SC-39]
#     mitre_attack_containers: [T1611]
#     soc2: [CC6.1]
#   tags: [kubernetes, tenancy]
#   covers:
#     v1/Node:
#       catalog: [K8S-MT-006]
#       fix:
#         manifest: Give each tenant a node pool of its own (taint and nodeSelector), or its pods a runtimeClassName of Kata or gVisor.
package policies.workload.node_single_tenant

import rego.v1

scope contains n.id if {
	some n in input.resources.node
	n.accelerator == true
}

fail contains {
	"id": n.id, "fact": "tenants", "expected": "one tenant, or sandboxes", "actual": n.tenants,
	"message": sprintf("runs pods of %d tenants, and those of %s without a sandbox", [count(n.tenants), concat(", ", n.unsandboxed_tenants)]),
} if {
	some n in input.resources.node
	n.id in scope
	count(n.tenants) > 1
	count(n.unsandboxed_tenants) > 0
}
