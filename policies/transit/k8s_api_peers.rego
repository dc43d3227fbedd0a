# METADATA
# title: The API server verifies kubelets and etcd, and proves itself to them
# description: >-
#   Without --kubelet-certificate-authority whoever stands between can read and change what goes through exec and
#   logs. kubeadm leaves it out: kubelets then show certificates of their own, so first let the cluster sign them
#   (serverTLSBootstrap). Judged by the static pods of kube-system; where a provider runs the control plane its own
#   rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/
#   - https://kubernetes.io/docs/concepts/architecture/control-plane-node-communication/
# custom:
#   severity: medium
#   kind: cluster
#   scope_on: [api_server]
#   fail_on: [peer_flags_missing]
#   controls:
#     cis_k8s_1.12: ["1.2.4", "1.2.5", "1.2.23", "1.2.26"]
#     nist_800_53_r5: [SC-8, IA-3]
#     mitre_attack_containers: [T1557]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-TLS-010]
#       fix:
#         manifest: "Set the flags that are named."
#     kubernetes/v1/Cluster: *same
package policies.transit.k8s_api_peers

import data.policies.lib.control_plane
import rego.v1

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.api_server)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.api_server == "here"
}

fail contains {
	"id": c.id, "fact": "peer_flags_missing", "expected": [],
	"message": sprintf("not set: --%s", [concat(", --", c.peer_flags_missing)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	count(c.peer_flags_missing) > 0
}
