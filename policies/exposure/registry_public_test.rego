package policies.exposure.registry_public_test

import data.policies.exposure.registry_public
import rego.v1

store := {"id": "r", "native_type": "AWS::ECR::Repository", "store_type": "registry", "policy_public": "no"}

public := {"id": "r", "native_type": "AWS::ECR::PublicRepository", "store_type": "registry", "shared_publicly": true}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	registry_public.fail == {{"id": "r", "fact": "policy_public", "expected": "no", "message": "its policy lets anyone in"}} with input as world({"policy_public": "yes"})
	registry_public.safe == set() with input as world({"policy_public": "yes"})
}

test_public_repositories_fail if {
	registry_public.fail == {{
		"id": "r", "fact": "shared_publicly", "expected": false,
		"message": "it is a public repository: anyone may pull its images",
	}} with input as {"resources": {"data_store": [public]}}
}

test_passes if {
	registry_public.scope == {"r"} with input as world({})
	registry_public.safe == {"r"} with input as world({})
	registry_public.fail == set() with input as world({})
}

test_out_of_scope if {
	registry_public.scope == set() with input as world({"store_type": "bucket", "policy_public": "yes"})
	registry_public.fail == set() with input as world({"store_type": "bucket", "policy_public": "yes"})
}

test_blind_proves_nothing if {
	registry_public.fail == set() with input as blind(["policy_public"])
	registry_public.safe == set() with input as blind(["policy_public"])
	registry_public.scope == set() with input as blind(["store_type"])
}
