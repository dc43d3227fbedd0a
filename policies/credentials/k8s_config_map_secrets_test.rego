package policies.credentials.k8s_config_map_secrets_test

import data.policies.credentials.k8s_config_map_secrets
import rego.v1

configuration := {"id": "c", "configuration_type": "config_map", "credentials": []}

world(changes) := {"resources": {"configuration": [object.union(configuration, changes)]}}

test_found_fails if {
	k8s_config_map_secrets.fail == {{"id": "c", "fact": "credentials", "expected": "none", "actual": {"key": "a, line 3", "kind": "GitHub token"}, "message": "a, line 3 holds a credential (GitHub token)"}} with input as world({"credentials": [{"key": "a, line 3", "kind": "GitHub token"}, {"key": "b", "kind": "called like a secret"}]})
	k8s_config_map_secrets.scope == {"c"} with input as world({"credentials": [{"key": "a, line 3", "kind": "GitHub token"}, {"key": "b", "kind": "called like a secret"}]})
}

test_none_passes if {
	k8s_config_map_secrets.fail == set() with input as world({})
	k8s_config_map_secrets.scope == {"c"} with input as world({})
}

test_the_other_kind_passes if {
	k8s_config_map_secrets.fail == set() with input as world({"credentials": [{"key": "b", "kind": "called like a secret"}]})
	k8s_config_map_secrets.scope == {"c"} with input as world({"credentials": [{"key": "b", "kind": "called like a secret"}]})
}

test_other_configurations_are_out_of_scope if {
	k8s_config_map_secrets.fail == set() with input as world({"configuration_type": "felix", "credentials": [{"key": "a, line 3", "kind": "GitHub token"}]})
	k8s_config_map_secrets.scope == set() with input as world({"configuration_type": "felix", "credentials": [{"key": "a, line 3", "kind": "GitHub token"}]})
}

test_other_kinds_are_out_of_scope if {
	k8s_config_map_secrets.scope == set() with input as {"resources": {"other": [configuration]}}
	k8s_config_map_secrets.fail == set() with input as {"resources": {"other": [configuration]}}
}

test_blind_proves_nothing if {
	k8s_config_map_secrets.fail == set() with input as {"resources": {"configuration": [{"id": "c", "credentials": [{"key": "a, line 3", "kind": "GitHub token"}]}]}}
	k8s_config_map_secrets.fail == set() with input as {"resources": {"configuration": [{"id": "c", "configuration_type": "config_map"}]}}
}
