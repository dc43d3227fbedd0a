package policies.iam.training_data_read_only_test

import data.policies.iam.training_data_read_only
import rego.v1

it := {"id": "r", "name": "r", "trains": true, "training_writes": []}

world(changes) := {"resources": {"identity": [object.union(it, changes)]}, "params": {"iam.training_data_read_only": params}}

blind(changes, facts) := {"resources": {"identity": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.training_data_read_only": params}}

params := {"preprocessing": []}

test_fails if {
	training_data_read_only.fail == {{
		"id": "r", "fact": "training_writes", "expected": [], "actual": ["s3:PutObject on s3://corpus/clean"],
		"message": "may change training data: s3:PutObject on s3://corpus/clean",
	}} with input as world({"training_writes": ["s3:PutObject on s3://corpus/clean"]})
}

test_passes if {
	training_data_read_only.fail == set() with input as world({})
	training_data_read_only.scope == {"r"} with input as world({})
}

test_out_of_scope if {
	training_data_read_only.scope == set() with input as world({"trains": false})
	training_data_read_only.exempt == {{
		"id": "r", "reason": "prepares training data (preprocessing)",
	}} with input as object.union(world({}), {"params": {"iam.training_data_read_only": {"preprocessing": ["r"]}}})
}

test_blind_proves_nothing if {
	every fact in ["trains", "training_writes"] {
		training_data_read_only.fail == set() with input as blind({"training_writes": ["x"]}, [fact])
	}
}
