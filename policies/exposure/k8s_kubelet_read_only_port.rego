# METADATA
# title: Kubelets have no read-only port
# description: >-
#   Port 10255 tells everyone the specification of every pod. Off by default in a file. What GKE's own setting says
#   is not seen here. Told by the kubelet's configuration or its answer to /configz, given as files: a scan never
#   asks a kubelet, since that takes nodes/proxy. Flags stand above a file and are seen in the answer alone.
# related_resources:
#   - https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/
#   - https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/
# custom:
#   severity: high
#   kind: node
#   scope_on: [serverless]
#   fail_on: [kubelet_read_only_port]
#   controls:
#     cis_k8s_1.12: ["4.2.4"]
#     cis_eks_1.8: ["3.2.4"]
#     cis_aks_1.8: ["3.2.4"]
#     nist_800_53_r5: [CM-7]
#     mitre_attack_containers: [T1613]
#     pci_dss_4: ["1.4.2"]
#     soc2: [CC6.6]
#   tags: [kubernetes, kubelet]
#   covers:
#     v1/Node: &same
#       catalog: [K8S-NODE-003]
#       fix:
#         manifest: "readOnlyPort: 0"
#     kubelet.config.k8s.io/v1beta1/KubeletConfiguration: *same
package policies.exposure.k8s_kubelet_read_only_port

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
	"id": n.id, "fact": "kubelet_read_only_port", "expected": 0,
	"message": sprintf("its kubelet answers everyone on port %d", [n.kubelet_read_only_port]),
} if {
	some n in input.resources.node
	n.id in scope
	n.kubelet_read_only_port != 0
}
