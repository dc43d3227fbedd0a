package policies.integrity.checkpoint_filesystem_backed_up_test

import data.policies.integrity.checkpoint_filesystem_backed_up
import rego.v1

store := {"id": "s", "holds_checkpoints": true, "persistent": true, "backed_up": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	checkpoint_filesystem_backed_up.fail == {
		{"id": "s", "fact": "persistent", "expected": true, "message": "what is on a server that fails is lost"},
		{
			"id": "s", "fact": "backed_up", "expected": true,
			"message": "nothing backs it up, and nothing is exported from it",
		},
	} with input as world({"persistent": false, "backed_up": false})
}

test_passes if {
	checkpoint_filesystem_backed_up.scope == {"s"} with input as world({})
	checkpoint_filesystem_backed_up.fail == set() with input as world({})
}

test_out_of_scope if {
	checkpoint_filesystem_backed_up.scope == set() with input as world({"holds_checkpoints": false})
	checkpoint_filesystem_backed_up.fail == set() with input as world({"holds_checkpoints": false, "persistent": false})
}

test_blind_proves_nothing if {
	checkpoint_filesystem_backed_up.scope == {"s"} with input as blind(["persistent", "backed_up"])
	checkpoint_filesystem_backed_up.fail == set() with input as blind(["persistent", "backed_up"])
	checkpoint_filesystem_backed_up.scope == set() with input as blind(["holds_checkpoints"])
	checkpoint_filesystem_backed_up.fail == set() with input as blind(["holds_checkpoints"])
}
