package policies.logging.k8s_audit_log_test

import data.policies.logging.k8s_audit_log
import rego.v1

base := {"id": "x", "api_server": "here", "audit_sinks": ["file"], "audit_policy": true, "audit_days": 30}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}, "params": {"logging.k8s_audit_log": {"days": 30}}}

test_nowhere_fails if {
	found := {{"id": "x", "fact": "audit_sinks", "expected": "a file or a webhook", "message": "it keeps no audit log"}}
	k8s_audit_log.fail == found with input as world({"audit_sinks": []})
	k8s_audit_log.scope == {"x"} with input as world({"audit_sinks": []})
}

test_no_policy_fails if {
	found := {{"id": "x", "fact": "audit_policy", "expected": true, "message": "without --audit-policy-file it records nothing"}}
	k8s_audit_log.fail == found with input as world({"audit_policy": false})
	k8s_audit_log.scope == {"x"} with input as world({"audit_policy": false})
}

test_short_fails if {
	found := {{"id": "x", "fact": "audit_days", "expected": 30, "message": "files of the audit log go after 7 days"}}
	k8s_audit_log.fail == found with input as world({"audit_days": 7})
	k8s_audit_log.scope == {"x"} with input as world({"audit_days": 7})
}

test_sound_passes if {
	k8s_audit_log.fail == set() with input as world({})
	k8s_audit_log.scope == {"x"} with input as world({})
}

test_webhook_passes if {
	k8s_audit_log.fail == set() with input as world({"audit_sinks": ["webhook"], "audit_days": 0})
	k8s_audit_log.scope == {"x"} with input as world({"audit_sinks": ["webhook"], "audit_days": 0})
}

test_another_part_is_out_of_scope if {
	k8s_audit_log.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_audit_log.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_audit_log.exempt == reasons with input as world({"api_server": "pods"})
	k8s_audit_log.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_audit_log.exempt == reasons with input as world({"api_server": "provider"})
	k8s_audit_log.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"audit_sinks": [], "audit_policy": false, "audit_days": 7})
	blind := {"resources": {"cluster": [object.remove(bad, ["audit_sinks", "audit_policy", "audit_days"])]}, "params": {"logging.k8s_audit_log": {"days": 30}}}
	k8s_audit_log.fail == set() with input as blind
}
