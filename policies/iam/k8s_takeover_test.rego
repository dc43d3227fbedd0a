package policies.iam.k8s_takeover_test

import data.policies.iam.k8s_takeover
import rego.v1

path := {"path": "bind any role", "grant": "b", "role": "ClusterRole r", "rule": "bind on clusterroles (rbac.authorization.k8s.io)", "pods": ["p"]}

account := {"id": "a", "name": "ci", "namespace": "build", "takeover_paths": [], "takeover_settled": true}

world(changes) := {"resources": {"identity": [object.union(account, changes)]}, "params": {"iam.k8s_takeover": {"accounts": ["platform/*"]}}}

test_path_fails if {
	found := path
	k8s_takeover.fail == {{"id": "a", "fact": "takeover_paths", "expected": "no critical right", "actual": found, "message": "its pods may bind any role, by ClusterRole r"}} with input as world({"takeover_paths": [found]})
}

test_sound_passes if {
	k8s_takeover.fail == set() with input as world({})
	k8s_takeover.scope == {"a"} with input as world({})
	k8s_takeover.exempt == set() with input as world({"namespace": "platform"})
}

test_platform_is_out_of_scope if {
	k8s_takeover.scope == set() with input as world({"namespace": "kube-system", "takeover_paths": [path]})
	k8s_takeover.fail == set() with input as world({"namespace": "kube-system", "takeover_paths": [path]})
}

test_trusted_is_exempt if {
	k8s_takeover.exempt == {{"id": "a", "reason": "trusted by name"}} with input as world({"namespace": "platform", "takeover_paths": [path]})
}

test_blind_proves_nothing if {
	every fact in ["takeover_paths", "namespace"] {
		blind := object.union(world({}), {"resources": {"identity": [object.remove(object.union(account, {"takeover_paths": [path]}), [fact])]}})
		k8s_takeover.fail == set() with input as blind
	}
}
