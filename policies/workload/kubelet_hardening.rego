# METADATA
# title: Kubelets confine pods that ask for nothing
# description: >-
#   Without seccompDefault a container that names no profile may call the whole kernel; without podPidsLimit one pod
#   takes every process of the node. protectKernelDefaults and the like are not judged. Told by the kubelet's
#   configuration or its answer to /configz, given as files: a scan never asks a kubelet, since that takes
#   nodes/proxy. Flags stand above a file and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: low
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_seccomp_default, kubelet_pids_limit]
#   controls:
#     cis_k8s_1.12: ["4.2.13", "4.2.14"]
#     cis_eks_1.8: ["3.2.5", "3.2.6", "3.2.7"]
#     cis_aks_1.8: ["3.2.5", "3.2.6", "3.2.7"]
#     nist_800_53_r5: [CM-6]
#     mitre_attack_containers: [T1499]
#     soc2: [CC7.1]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-006]
#       fix:
#         manifest: "seccompDefault: true, podPidsLimit: 4096"
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.workload.kubelet_hardening

import rego.v1

exempt contains {"id": n.id, "reason": "the provider runs the node alone"} if {
	some n in input.resources.node
	n.serverless == true
}

scope contains n.id if {
	some n in input.resources.node
	n.serverless == false
}

fail contains {
	"id": n.id, "fact": "kubelet_seccomp_default", "expected": true,
	"message": "containers without a profile run without one (seccompDefault)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_seccomp_default == false
}

fail contains {
	"id": n.id, "fact": "kubelet_pids_limit", "expected": "a limit",
	"message": "pods may take every process of the node (podPidsLimit)",
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_pids_limit <= 0
}
