# METADATA
# title: Controller manager and scheduler listen to their machine only and tell nothing of themselves
# description: >-
#   Their endpoints tell of the inside of the control plane. kubeadm binds them to 127.0.0.1; the default is every
#   address. Controllers that share one account have the rights of all. With a configuration file the scheduler's
#   profiling is unknown. Judged by the static pods of kube-system; where a provider runs the control plane its own
#   rules judge it.
# related_resources:
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/
#   - https://kubernetes.io/docs/reference/command-line-tools-reference/kube-scheduler/
# custom:
#   severity: low
#   kind: cluster
#   scope_on: [controllers]
#   fail_on: [bind_address, profiling, account_credentials, controller_files_missing]
#   controls:
#     cis_k8s_1.12: ["1.3.2", "1.3.3", "1.3.4", "1.3.5", "1.3.7", "1.4.1", "1.4.2"]
#     nist_800_53_r5: [CM-7]
#     mitre_attack_containers: [T1613]
#     soc2: [CC6.6]
#   tags: [kubernetes, control-plane]
#   covers:
#     v1/Pod: &same
#       catalog: [K8S-NODE-009]
#       fix:
#         manifest: "--bind-address=127.0.0.1 --profiling=false; for the controller manager --use-service-account-credentials=true, --root-ca-file and --service-account-private-key-file as well."
#     kubernetes/v1/Cluster: *same
package policies.exposure.k8s_controllers

import data.policies.lib.control_plane
import rego.v1

exempt contains reason if {
	some c in input.resources.cluster
	reason := control_plane.exemption(c, c.controllers)
}

scope contains c.id if {
	some c in input.resources.cluster
	c.controllers == "here"
}

fail contains {
	"id": c.id, "fact": "bind_address", "expected": "127.0.0.1",
	"message": sprintf("it listens on %s", [c.bind_address]),
} if {
	some c in input.resources.cluster
	c.id in scope
	count({c.bind_address} & {"127.0.0.1", "::1", "localhost"}) == 0
}

fail contains {
	"id": c.id, "fact": "profiling", "expected": false,
	"message": "its profiling endpoints answer",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.profiling == true
}

fail contains {
	"id": c.id, "fact": "account_credentials", "expected": true,
	"message": "its controllers share one account (--use-service-account-credentials)",
} if {
	some c in input.resources.cluster
	c.id in scope
	c.account_credentials == false
}

fail contains {
	"id": c.id, "fact": "controller_files_missing", "expected": [],
	"message": sprintf("not set: --%s", [concat(", --", c.controller_files_missing)]),
} if {
	some c in input.resources.cluster
	c.id in scope
	count(c.controller_files_missing) > 0
}
