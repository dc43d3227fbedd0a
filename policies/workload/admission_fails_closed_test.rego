package policies.workload.admission_fails_closed_test

import data.policies.workload.admission_fails_closed
import rego.v1

hook := {"name": "h", "fails_closed": true, "guards": true, "ephemeral": true, "namespace_selector": {}, "object_selector": {}, "conditions": false}

policy := {
	"id": "p", "policy_type": "validating_webhook", "engine": "Kyverno", "webhooks": [hook],
	"sees_ephemeral": true, "skipped_namespaces": [], "exemption_guarded": true,
}

world(changes) := {"resources": {"admission_policy": [object.union(policy, changes)]}, "params": {"workload.admission_fails_closed": {"exempt_namespaces": ["gpu-operator", "kyverno*"]}}}

with_hook(changes) := world({"webhooks": [object.union(hook, changes)]})

test_open_fails if {
	admission_fails_closed.fail == {
		{"id": "p", "fact": "webhooks", "expected": "failurePolicy Fail", "actual": "h", "tag": "open", "message": "h fails open: what it should refuse is admitted while its server is down"},
	} with input as with_hook({"fails_closed": false})
}

test_ephemeral_containers_fail if {
	admission_fails_closed.fail == {
		{"id": "p", "fact": "sees_ephemeral", "expected": true, "tag": "ephemeral", "message": "containers that are added to a running pod pass by it"},
	} with input as world({"sees_ephemeral": false})
	admission_fails_closed.fail == set() with input as world({"sees_ephemeral": false, "policy_type": "mutating_webhook"})
}

test_skipped_namespaces_fail if {
	admission_fails_closed.fail == {
		{"id": "p", "fact": "skipped_namespaces", "expected": "every namespace with workloads", "actual": ["team"], "tag": "skipped", "message": "it does not see team"},
	} with input as world({"skipped_namespaces": ["gpu-operator", "kyverno-extra", "team"]})
}

test_exempt_namespaces_pass if {
	admission_fails_closed.fail == set() with input as world({"skipped_namespaces": ["gpu-operator", "kyverno"]})
}

test_closed_passes if {
	admission_fails_closed.fail == set() with input as world({})
	admission_fails_closed.scope == {"p"} with input as world({})
}

test_out_of_scope if {
	every change in [{"engine": ""}, {"webhooks": [object.union(hook, {"guards": false, "fails_closed": false})]}] {
		admission_fails_closed.scope == set() with input as world(object.union(change, {"sees_ephemeral": false}))
		admission_fails_closed.fail == set() with input as world(object.union(change, {"sees_ephemeral": false}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"admission_policy": [object.remove(policy, ["sees_ephemeral", "skipped_namespaces", "policy_type"])]}, "params": {"workload.admission_fails_closed": {"exempt_namespaces": []}}}
	admission_fails_closed.fail == set() with input as blind
	unknown := {"resources": {"admission_policy": [object.remove(policy, ["engine"])]}, "params": {"workload.admission_fails_closed": {"exempt_namespaces": []}}}
	admission_fails_closed.scope == set() with input as unknown
}
