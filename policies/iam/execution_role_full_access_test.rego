package policies.iam.execution_role_full_access_test

import data.policies.iam.execution_role_full_access
import rego.v1

role := {"id": "r", "execution_role": true, "full_access": []}

world(changes) := {"params": {}, "resources": {"identity": [object.union(role, changes)]}}

blind(facts) := {"params": {}, "resources": {"identity": [object.remove(role, facts)]}}

failure(message) := {{"id": "r", "fact": "full_access", "expected": [], "message": message}}

test_fails if {
	execution_role_full_access.fail == failure("what acts as it has all of s3, sagemaker") with input as world({"full_access": ["sagemaker", "s3"]})
	execution_role_full_access.fail == failure("what acts as it may do everything") with input as world({"full_access": ["*"]})
}

test_passes if {
	execution_role_full_access.scope == {"r"} with input as world({})
	execution_role_full_access.fail == set() with input as world({})
}

test_out_of_scope if {
	execution_role_full_access.scope == set() with input as world({"execution_role": false})
	execution_role_full_access.fail == set() with input as world({"execution_role": false, "full_access": ["*"]})
}

test_blind_proves_nothing if {
	execution_role_full_access.scope == {"r"} with input as blind(["full_access"])
	execution_role_full_access.fail == set() with input as blind(["full_access"])
	execution_role_full_access.scope == set() with input as blind(["execution_role"])
}
