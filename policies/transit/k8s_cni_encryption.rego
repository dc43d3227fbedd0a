# METADATA
# title: OVN-Kubernetes and Antrea encrypt what pods send to other nodes
# description: >-
#   OVN-Kubernetes of OpenShift encrypts between pods only in the mode Full (an empty ipsecConfig is from before there
#   were modes and means the same); External is for traffic that leaves the cluster. Antrea encrypts only where
#   trafficEncryptionMode is ipsec or wireGuard. OVN-Kubernetes without OpenShift's operator is not seen.
# related_resources:
#   - https://docs.redhat.com/en/documentation/openshift_container_platform/4.21/html/network_security/configuring-ipsec-ovn
#   - https://github.com/antrea-io/antrea/blob/main/docs/traffic-encryption.md
# custom:
#   severity: medium
#   kind: configuration
#   scope_on: [plugin]
#   fail_on: [pod_encryption]
#   controls:
#     nist_800_53_r5: [SC-8(1)]
#     mitre_attack_containers: [T1040]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, network]
#   covers:
#     operator.openshift.io/v1/Network: &same
#       catalog: [K8S-TLS-005]
#       fix:
#         manifest: "OpenShift: spec.defaultNetwork.ovnKubernetesConfig.ipsecConfig.mode: Full. Antrea: trafficEncryptionMode: wireGuard."
#     v1/ConfigMap: *same
package policies.transit.k8s_cni_encryption

import rego.v1

plugins := {"ovn", "antrea"}

scope contains c.id if {
	some c in input.resources.configuration
	c.plugin in plugins
}

fail contains {
	"id": c.id, "fact": "pod_encryption", "expected": "wireguard or ipsec",
	"message": "the network plugin encrypts nothing between pods",
} if {
	some c in input.resources.configuration
	c.id in scope
	c.pod_encryption in {"none", "external"}
}
