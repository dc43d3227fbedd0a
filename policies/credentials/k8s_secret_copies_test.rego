package policies.credentials.k8s_secret_copies_test

import data.policies.credentials.k8s_secret_copies
import rego.v1

judged(found) := result if {
	result := {"scope": k8s_secret_copies.scope, "fail": k8s_secret_copies.fail} with input as {"resources": {"configuration": [found]}}
}

secret(copies) := {"id": "s", "configuration_type": "secret", "applied_copies": copies}

test_a_copy_fails if {
	judged(secret(["kubectl.kubernetes.io/last-applied-configuration"])) == {"scope": {"s"}, "fail": {{
		"id": "s", "fact": "applied_copies", "expected": [],
		"message": "the annotation kubectl.kubernetes.io/last-applied-configuration holds a copy of it",
	}}}
}

test_none_passes if {
	judged(secret([])) == {"scope": {"s"}, "fail": set()}
}

test_a_config_map_is_out_of_scope if {
	judged(object.union(secret(["x"]), {"configuration_type": "config_map"})) == {"scope": set(), "fail": set()}
}

test_blind if {
	judged({"id": "s", "configuration_type": "secret"}) == {"scope": {"s"}, "fail": set()}
}
