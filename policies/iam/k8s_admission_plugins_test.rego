package policies.iam.k8s_admission_plugins_test

import data.policies.iam.k8s_admission_plugins
import rego.v1

base := {"id": "x", "api_server": "here", "admission_enabled": ["NodeRestriction"], "admission_disabled": []}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_no_node_restriction_fails if {
	found := {{"id": "x", "fact": "admission_enabled", "expected": "NodeRestriction", "message": "NodeRestriction is off: a kubelet may change other nodes and their pods"}}
	k8s_admission_plugins.fail == found with input as world({"admission_enabled": []})
	k8s_admission_plugins.scope == {"x"} with input as world({"admission_enabled": []})
}

test_always_admit_fails if {
	found := {{"id": "x", "fact": "admission_enabled", "expected": "no AlwaysAdmit", "message": "AlwaysAdmit is on"}}
	k8s_admission_plugins.fail == found with input as world({"admission_enabled": ["NodeRestriction", "AlwaysAdmit"]})
	k8s_admission_plugins.scope == {"x"} with input as world({"admission_enabled": ["NodeRestriction", "AlwaysAdmit"]})
}

test_guard_off_fails if {
	found := {{"id": "x", "fact": "admission_disabled", "expected": [], "message": "turned off: PodSecurity, ServiceAccount", "actual": ["PodSecurity", "ServiceAccount"]}}
	k8s_admission_plugins.fail == found with input as world({"admission_disabled": ["ServiceAccount", "PodSecurity"]})
	k8s_admission_plugins.scope == {"x"} with input as world({"admission_disabled": ["ServiceAccount", "PodSecurity"]})
}

test_sound_passes if {
	k8s_admission_plugins.fail == set() with input as world({})
	k8s_admission_plugins.scope == {"x"} with input as world({})
}

test_unknown_plugin_off_passes if {
	k8s_admission_plugins.fail == set() with input as world({"admission_disabled": ["DenyServiceExternalIPs"]})
	k8s_admission_plugins.scope == {"x"} with input as world({"admission_disabled": ["DenyServiceExternalIPs"]})
}

test_another_part_is_out_of_scope if {
	k8s_admission_plugins.fail == set() with input as world({"api_server": "elsewhere"})
	k8s_admission_plugins.scope == set() with input as world({"api_server": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_admission_plugins.exempt == reasons with input as world({"api_server": "pods"})
	k8s_admission_plugins.fail == set() with input as world({"api_server": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_admission_plugins.exempt == reasons with input as world({"api_server": "provider"})
	k8s_admission_plugins.fail == set() with input as world({"api_server": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"admission_enabled": ["NodeRestriction", "AlwaysAdmit"], "admission_disabled": ["ServiceAccount", "PodSecurity"]})
	blind := {"resources": {"cluster": [object.remove(bad, ["admission_enabled", "admission_disabled"])]}}
	k8s_admission_plugins.fail == set() with input as blind
}
