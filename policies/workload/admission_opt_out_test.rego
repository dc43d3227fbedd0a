package policies.workload.admission_opt_out_test

import data.policies.workload.admission_opt_out
import rego.v1

hook := {"name": "h", "fails_closed": true, "guards": true, "ephemeral": true, "namespace_selector": {}, "object_selector": {}, "conditions": false}

policy := {
	"id": "p", "policy_type": "validating_webhook", "engine": "Kyverno", "webhooks": [hook],
	"sees_ephemeral": true, "skipped_namespaces": [], "exemption_guarded": true,
}

world(changes) := {"resources": {"admission_policy": [object.union(policy, changes)]}, "params": {}}

with_hook(changes) := world({"webhooks": [object.union(hook, changes)]})

test_object_selector_fails if {
	admission_opt_out.fail == {
		{"id": "p", "fact": "webhooks", "expected": "no objectSelector", "actual": "h", "tag": "object", "message": "whoever writes an object decides by its labels whether h sees it"},
	} with input as with_hook({"object_selector": {"matchExpressions": [{"key": "skip", "operator": "DoesNotExist"}]}})
}

test_unguarded_label_fails if {
	admission_opt_out.fail == {
		{"id": "p", "fact": "exemption_guarded", "expected": true, "tag": "namespace", "message": "nothing keeps the label admission.gatekeeper.sh/ignore from any namespace"},
	} with input as world({"exemption_guarded": false})
}

test_sound_passes if {
	admission_opt_out.fail == set() with input as world({})
	admission_opt_out.scope == {"p"} with input as world({})
}

test_out_of_scope if {
	admission_opt_out.scope == set() with input as world({"engine": "", "exemption_guarded": false})
	admission_opt_out.fail == set() with input as world({"engine": "", "exemption_guarded": false})
}

test_blind_proves_nothing if {
	blind := {"resources": {"admission_policy": [object.remove(policy, ["exemption_guarded"])]}}
	admission_opt_out.fail == set() with input as blind
	unknown := {"resources": {"admission_policy": [object.remove(policy, ["webhooks"])]}}
	admission_opt_out.scope == set() with input as unknown
}
