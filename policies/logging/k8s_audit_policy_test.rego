package policies.logging.k8s_audit_policy_test

import data.policies.logging.k8s_audit_policy
import rego.v1

base := {"id": "x", "api_server": "here", "audit_levels": [{"of": "secrets", "lowest": "Metadata", "highest": "Metadata"}, {"of": "configmaps", "lowest": "Metadata", "highest": "Metadata"}, {"of": "tokenreviews", "lowest": "Metadata", "highest": "Metadata"}, {"of": "pods/exec", "lowest": "Metadata", "highest": "Metadata"}, {"of": "rbac", "lowest": "Metadata", "highest": "Metadata"}]}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_no_trace_fails if {
	found := {{"id": "x", "fact": "audit_levels", "expected": "Metadata or more", "message": "requests for pods/exec leave no trace", "actual": {"of": "pods/exec", "lowest": "None", "highest": "Request"}}}
	k8s_audit_policy.fail == found with input as world({"audit_levels": [{"of": "pods/exec", "lowest": "None", "highest": "Request"}]})
	k8s_audit_policy.scope == {"x"} with input as world({"audit_levels": [{"of": "pods/exec", "lowest": "None", "highest": "Request"}]})
}

test_values_fails if {
	found := {{"id": "x", "fact": "audit_levels", "expected": "Metadata", "message": "values of secrets are written into the log", "actual": {"of": "secrets", "lowest": "Metadata", "highest": "RequestResponse"}}}
	k8s_audit_policy.fail == found with input as world({"audit_levels": [{"of": "secrets", "lowest": "Metadata", "highest": "RequestResponse"}]})
	k8s_audit_policy.scope == {"x"} with input as world({"audit_levels": [{"of": "secrets", "lowest": "Metadata", "highest": "RequestResponse"}]})
}

test_sound_passes if {
	k8s_audit_policy.fail == set() with input as world({})
	k8s_audit_policy.scope == {"x"} with input as world({})
}

test_roles_whole_passes if {
	k8s_audit_policy.fail == set() with input as world({"audit_levels": [{"of": "rbac", "lowest": "RequestResponse", "highest": "RequestResponse"}]})
	k8s_audit_policy.scope == {"x"} with input as world({"audit_levels": [{"of": "rbac", "lowest": "RequestResponse", "highest": "RequestResponse"}]})
}

test_another_part_is_out_of_scope if {
	k8s_audit_policy.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_audit_policy.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_audit_policy.exempt == reasons with input as world({"api_server": "pods"})
	k8s_audit_policy.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_audit_policy.exempt == reasons with input as world({"api_server": "provider"})
	k8s_audit_policy.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"audit_levels": [{"of": "secrets", "lowest": "Metadata", "highest": "RequestResponse"}]})
	blind := {"resources": {"cluster": [object.remove(bad, ["audit_levels"])]}}
	k8s_audit_policy.fail == set() with input as blind
}
