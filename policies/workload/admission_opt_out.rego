# METADATA
# title: Nobody opts out of a policy engine by a label of their own
# description: >-
#   A webhook whose objectSelector asks for a label, or for the absence of one, leaves the choice to whoever writes the
#   pod. The label admission.gatekeeper.sh/ignore takes a whole namespace out: Gatekeeper's second webhook, which must
#   fail closed, keeps it to the namespaces that were named. Who else may label namespaces is a matter of RBAC and not
#   judged here.
# related_resources:
#   - https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#matching-requests-objectselector
#   - https://open-policy-agent.github.io/gatekeeper/website/docs/exempt-namespaces/
# custom:
#   severity: high
#   kind: admission_policy
#   scope_on: [engine, webhooks]
#   fail_on: [exemption_guarded]
#   controls:
#     cis_k8s_1.12: ["5.2.1"]
#     nist_800_53_r5: [CM-6, SI-7]
#     mitre_attack_containers: [T1562.001]
#     soc2: [CC8.1]
#   tags: [kubernetes, admission]
#   covers:
#     admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration: &same
#       catalog: [K8S-ADM-003]
#       fix:
#         manifest: "No objectSelector; keep Gatekeeper's webhook check-ignore-label with failurePolicy: Fail."
#     admissionregistration.k8s.io/v1/MutatingWebhookConfiguration: *same
package policies.workload.admission_opt_out

import rego.v1

scope contains p.id if {
	some p in input.resources.admission_policy
	p.engine != ""
	some w in p.webhooks
	w.guards == true
}

fail contains {
	"id": p.id, "fact": "webhooks", "expected": "no objectSelector", "actual": w.name, "tag": "object",
	"message": sprintf("whoever writes an object decides by its labels whether %s sees it", [w.name]),
} if {
	some p in input.resources.admission_policy
	p.id in scope
	some w in p.webhooks
	w.guards == true
	count(w.object_selector) > 0
}

fail contains {
	"id": p.id, "fact": "exemption_guarded", "expected": true, "tag": "namespace",
	"message": "nothing keeps the label admission.gatekeeper.sh/ignore from any namespace",
} if {
	some p in input.resources.admission_policy
	p.id in scope
	p.exemption_guarded == false
}
