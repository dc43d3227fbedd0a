package policies.credentials.node_ssh_key_test

import data.policies.credentials.node_ssh_key
import rego.v1

node := {"id": "n", "accelerator": true, "ssh_key": ""}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

blind(facts) := {"resources": {"node": [object.remove(node, facts)]}}

test_fails if {
	node_ssh_key.fail == {{
		"id": "n", "fact": "ssh_key", "expected": "",
		"message": "was launched with the SSH key pair gpu-team",
	}} with input as world({"ssh_key": "gpu-team"})
}

test_passes if {
	node_ssh_key.scope == {"n"} with input as world({})
	node_ssh_key.fail == set() with input as world({})
}

test_out_of_scope if {
	node_ssh_key.scope == set() with input as world({"accelerator": false})
	node_ssh_key.fail == set() with input as world({"accelerator": false, "ssh_key": "bastion"})
}

test_blind_proves_nothing if {
	node_ssh_key.scope == {"n"} with input as blind(["ssh_key"])
	node_ssh_key.fail == set() with input as blind(["ssh_key"])
	node_ssh_key.scope == set() with input as blind(["accelerator"])
}
