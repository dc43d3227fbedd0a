# METADATA
# title: etcd speaks TLS and asks everyone for a certificate
# description: >-
#   etcd holds every Secret: whoever reaches it without a certificate has the cluster. It listens in clear by
#   default. Metrics on an address of the machine are as they should be and are not judged. Variables ETCD_* count
#   as flags do; with a configuration file of its own it is unknown. etcd on other machines is not seen. Judged by
#   the static pods of kube-system.
# related_resources:
#   - https://etcd.io/docs/v3.6/op-guide/security/
#   - https://etcd.io/docs/v3.6/op-guide/configuration/
# custom:
#   severity: critical
#   kind: cluster
#   scope_on: [etcd]
#   fail_on: [etcd_clear, etcd_client_certificates, etcd_peer_certificates, etcd_self_signed, etcd_files_missing]
#   controls:
#     cis_k8s_1.12: ["2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7"]
#     nist_800_53_r5: [SC-8, IA-5(2)]
#     mitre_attack_containers: [T1552]
#     pci_dss_4: ["4.2.1"]
#     soc2: [CC6.7]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-TLS-009]
#       fix:
#         manifest: "--cert-file, --key-file, --trusted-ca-file, --client-cert-auth=true, the same with --peer-, and https:// in --listen-client-urls."
#     kubernetes/v1/Cluster: *same
package policies.transit.k8s_etcd_tls

import data.policies.lib.control_plane
import rego.v1

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.etcd)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.etcd == "here"
}

fail contains {
	"id": c.id, "fact": "etcd_clear", "expected": "https://",
	"message": sprintf("it listens in clear on %s", [concat(", ", c.etcd_clear)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	count(c.etcd_clear) > 0
}

fail contains {
	"id": c.id, "fact": "etcd_client_certificates", "expected": true,
	"message": "clients need no certificate (--client-cert-auth)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.etcd_client_certificates == false
}

fail contains {
	"id": c.id, "fact": "etcd_peer_certificates", "expected": true,
	"message": "other members need no certificate (--peer-client-cert-auth)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.etcd_peer_certificates == false
}

fail contains {
	"id": c.id, "fact": "etcd_self_signed", "expected": false,
	"message": "it makes its own certificates (--auto-tls)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.etcd_self_signed == true
}

fail contains {
	"id": c.id, "fact": "etcd_files_missing", "expected": [],
	"message": sprintf("not set: --%s", [concat(", --", c.etcd_files_missing)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	count(c.etcd_files_missing) > 0
}
