package policies.iam.k8s_authorization_mode_test

import data.policies.iam.k8s_authorization_mode
import rego.v1

base := {"id": "x", "api_server": "here", "authorization_modes": ["Node", "RBAC"]}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_everything_allowed_fails if {
	found := {{"id": "x", "fact": "authorization_modes", "expected": "no AlwaysAllow", "message": "everyone may do everything (AlwaysAllow)"}, {"id": "x", "fact": "authorization_modes", "expected": ["Node", "RBAC"], "message": "requests are not authorized by Node and RBAC"}}
	k8s_authorization_mode.fail == found with input as world({"authorization_modes": ["AlwaysAllow"]})
	k8s_authorization_mode.scope == {"x"} with input as world({"authorization_modes": ["AlwaysAllow"]})
}

test_allowed_besides_fails if {
	found := {{"id": "x", "fact": "authorization_modes", "expected": "no AlwaysAllow", "message": "everyone may do everything (AlwaysAllow)"}}
	k8s_authorization_mode.fail == found with input as world({"authorization_modes": ["Node", "RBAC", "AlwaysAllow"]})
	k8s_authorization_mode.scope == {"x"} with input as world({"authorization_modes": ["Node", "RBAC", "AlwaysAllow"]})
}

test_no_node_fails if {
	found := {{"id": "x", "fact": "authorization_modes", "expected": ["Node", "RBAC"], "message": "requests are not authorized by Node"}}
	k8s_authorization_mode.fail == found with input as world({"authorization_modes": ["RBAC"]})
	k8s_authorization_mode.scope == {"x"} with input as world({"authorization_modes": ["RBAC"]})
}

test_sound_passes if {
	k8s_authorization_mode.fail == set() with input as world({})
	k8s_authorization_mode.scope == {"x"} with input as world({})
}

test_webhook_besides_passes if {
	k8s_authorization_mode.fail == set() with input as world({"authorization_modes": ["Node", "RBAC", "Webhook"]})
	k8s_authorization_mode.scope == {"x"} with input as world({"authorization_modes": ["Node", "RBAC", "Webhook"]})
}

test_another_part_is_out_of_scope if {
	k8s_authorization_mode.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_authorization_mode.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_authorization_mode.exempt == reasons with input as world({"api_server": "pods"})
	k8s_authorization_mode.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_authorization_mode.exempt == reasons with input as world({"api_server": "provider"})
	k8s_authorization_mode.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"authorization_modes": ["RBAC"]})
	blind := {"resources": {"cluster": [object.remove(bad, ["authorization_modes"])]}}
	k8s_authorization_mode.fail == set() with input as blind
}
