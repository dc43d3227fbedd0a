package policies.integrity.k8s_served_remote_code_test

import data.policies.integrity.k8s_served_remote_code
import rego.v1

model_service := {"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "remote_code": [], "remote_code_settled": true}

world(changes) := {"resources": {"model_service": [object.union(model_service, changes)]}}

test_trusted_fails if {
	k8s_served_remote_code.fail == {{"id": "r", "fact": "remote_code", "expected": "none", "actual": {"container": "main", "how": "trust_remote_code"}, "tag": "main", "message": "main runs code that comes with the model (trust_remote_code)"}} with input as world({"remote_code": [{"container": "main", "how": "trust_remote_code"}]})
	k8s_served_remote_code.scope == {"r"} with input as world({"remote_code": [{"container": "main", "how": "trust_remote_code"}]})
}

test_without_a_server_it_fails_as_well if {
	k8s_served_remote_code.fail == {{"id": "r", "fact": "remote_code", "expected": "none", "actual": {"container": "main", "how": "trust_remote_code"}, "tag": "main", "message": "main runs code that comes with the model (trust_remote_code)"}} with input as world({"remote_code": [{"container": "main", "how": "trust_remote_code"}], "model_servers": []})
	k8s_served_remote_code.scope == {"r"} with input as world({"remote_code": [{"container": "main", "how": "trust_remote_code"}], "model_servers": []})
}

test_none_passes if {
	k8s_served_remote_code.fail == set() with input as world({})
	k8s_served_remote_code.scope == {"r"} with input as world({})
}

test_no_server_is_out_of_scope if {
	k8s_served_remote_code.fail == set() with input as world({"model_servers": []})
	k8s_served_remote_code.scope == set() with input as world({"model_servers": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_served_remote_code.scope == set() with input as {"resources": {"other": [model_service]}}
	k8s_served_remote_code.fail == set() with input as {"resources": {"other": [model_service]}}
}

test_blind_proves_nothing if {
	k8s_served_remote_code.fail == set() with input as {"resources": {"model_service": [{"id": "r", "model_servers": [{"container": "main", "server": "vLLM"}], "remote_code_settled": true}]}}
}
