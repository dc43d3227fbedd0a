package policies.credentials.k8s_static_cloud_keys_test

import data.policies.credentials.k8s_static_cloud_keys
import rego.v1

container := {"name": "main", "type": "container", "cloud_keys": []}

workload := {"id": "w", "containers": [container]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

with_container(changes) := world({"containers": [container, object.union(container, changes)]})

test_variable_fails if {
	k8s_static_cloud_keys.fail == {
		{"id": "w", "fact": "containers", "expected": "none", "actual": {"container": "b", "cloud_keys": "SOME_KEY"}, "message": "container b holds a static cloud key in SOME_KEY"},
	} with input as with_container({"cloud_keys": ["SOME_KEY"], "name": "b"})
}

test_argument_of_init_container_fails if {
	k8s_static_cloud_keys.fail == {
		{"id": "w", "fact": "containers", "expected": "none", "actual": {"container": "setup", "cloud_keys": "args[2]"}, "message": "init container setup holds a static cloud key in args[2]"},
	} with input as with_container({"cloud_keys": ["args[2]"], "type": "init", "name": "setup"})
}

test_sound_passes if {
	k8s_static_cloud_keys.fail == set() with input as world({})
	k8s_static_cloud_keys.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	k8s_static_cloud_keys.scope == set() with input as {"resources": {"other": [workload]}}
	k8s_static_cloud_keys.fail == set() with input as {"resources": {"other": [workload]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["containers"])]}}
	k8s_static_cloud_keys.fail == set() with input as blind
}
