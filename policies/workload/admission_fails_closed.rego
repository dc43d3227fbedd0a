# METADATA
# title: Webhooks of policy engines fail closed and see every pod
# description: >-
#   A webhook that fails open admits everything while its server is down, and whoever can load it can take it down.
#   Containers that are added to a running pod pass by a webhook whose rules name pods only. Namespaces that no guarding
#   webhook sees have no policies at all. Judged are webhooks of known policy engines that see pods, or what makes them;
#   where a webhook may belong to an engine that is not known, the verdict is unknown. Expressions (matchConditions) and
#   the time that a webhook has are not judged. Gatekeeper fails open unless it is told otherwise.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#failure-policy
#   - https://open-policy-agent.github.io/gatekeeper/website/docs/failing-closed/
# custom:
#   severity: medium
#   kind: admission_policy
#   scope_on: [engine, webhooks]
#   fail_on: [policy_type, sees_ephemeral, skipped_namespaces]
#   controls:
#     cis_k8s_1.12: ["5.2.1"]
#     nist_800_53_r5: [CM-6, SI-7]
#     mitre_attack_containers: [T1562.001]
#     soc2: [CC8.1]
#   params:
#     exempt_namespaces: [gpu-operator, network-operator, "nvidia-*", "gatekeeper-system", "kyverno*", cosign-system, "kubewarden*", "istio-system", cert-manager, "calico-*", "tigera-*", "cilium*", "openshift-*"]
#   tags: [kubernetes, admission]
#   covers:
#     admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration: &same
#       catalog: [K8S-ADM-003]
#       fix:
#         manifest: "failurePolicy: Fail, rules with pods/ephemeralcontainers on UPDATE, a namespaceSelector that leaves out nothing but the system."
#     admissionregistration.k8s.io/v1/MutatingWebhookConfiguration: *same
package policies.workload.admission_fails_closed

import rego.v1

settings := input.params["workload.admission_fails_closed"]

scope contains p.id if {
	some p in input.resources.admission_policy
	p.engine != ""
	some w in p.webhooks
	w.guards == true
}

fail contains {
	"id": p.id, "fact": "webhooks", "expected": "failurePolicy Fail", "actual": w.name, "tag": "open",
	"message": sprintf("%s fails open: what it should refuse is admitted while its server is down", [w.name]),
} if {
	some p in input.resources.admission_policy
	p.id in scope
	some w in p.webhooks
	w.guards == true
	w.fails_closed == false
}

fail contains {
	"id": p.id, "fact": "sees_ephemeral", "expected": true, "tag": "ephemeral",
	"message": "containers that are added to a running pod pass by it",
} if {
	some p in input.resources.admission_policy
	p.id in scope
	p.policy_type == "validating_webhook"
	p.sees_ephemeral == false
}

fail contains {
	"id": p.id, "fact": "skipped_namespaces", "expected": "every namespace with workloads", "actual": left, "tag": "skipped",
	"message": sprintf("it does not see %s", [concat(", ", array.slice(left, 0, 5))]),
} if {
	some p in input.resources.admission_policy
	p.id in scope
	skipped := p.skipped_namespaces
	left := [n | some n in skipped; matching := [e | some e in settings.exempt_namespaces; glob.match(e, [], n)]; count(matching) == 0]
	count(left) > 0
}
