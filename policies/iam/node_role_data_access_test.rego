package policies.iam.node_role_data_access_test

import data.policies.iam.node_role_data_access
import rego.v1

role := {"id": "r", "node_role": true, "data_actions": []}

world(changes) := {"params": {"iam.node_role_data_access": {"allowed": ["kms:Decrypt"]}}, "resources": {"identity": [object.union(role, changes)]}}

blind(facts) := {"params": {"iam.node_role_data_access": {"allowed": []}}, "resources": {"identity": [object.remove(role, facts)]}}

test_fails if {
	node_role_data_access.fail == {{
		"id": "r", "fact": "data_actions", "expected": [], "actual": ["s3:GetObject", "s3:PutObject"],
		"message": "every pod of its nodes may do s3:GetObject, s3:PutObject",
	}} with input as world({"data_actions": ["s3:PutObject", "s3:GetObject", "kms:Decrypt"]})
}

test_passes if {
	every actions in [[], ["kms:Decrypt"]] {
		node_role_data_access.scope == {"r"} with input as world({"data_actions": actions})
		node_role_data_access.fail == set() with input as world({"data_actions": actions})
	}
}

test_out_of_scope if {
	node_role_data_access.scope == set() with input as world({"node_role": false})
	node_role_data_access.fail == set() with input as world({"node_role": false, "data_actions": ["s3:GetObject"]})
}

test_blind_proves_nothing if {
	node_role_data_access.scope == {"r"} with input as blind(["data_actions"])
	node_role_data_access.fail == set() with input as blind(["data_actions"])
	node_role_data_access.scope == set() with input as blind(["node_role"])
}
