package policies.exposure.broker_public_test

import data.policies.exposure.broker_public
import rego.v1

store := {"id": "s", "serverless": false, "internet_facing": false, "anonymous_access": false}

world(changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(store, facts)]}}

test_fails if {
	broker_public.fail == {
		{
			"id": "s", "fact": "internet_facing", "expected": false, "tag": "public",
			"message": "its brokers have addresses that the internet can reach",
		},
		{
			"id": "s", "fact": "anonymous_access", "expected": false, "tag": "anonymous",
			"message": "clients may connect without proving who they are",
		},
	} with input as world({"internet_facing": true, "anonymous_access": true})
}

test_passes if {
	broker_public.scope == {"s"} with input as world({})
	broker_public.fail == set() with input as world({})
}

test_out_of_scope if {
	broker_public.scope == set() with input as world({"serverless": true})
	broker_public.fail == set() with input as world({"serverless": true, "internet_facing": true})
}

test_blind_proves_nothing if {
	broker_public.scope == {"s"} with input as blind(["internet_facing", "anonymous_access"])
	broker_public.fail == set() with input as blind(["internet_facing", "anonymous_access"])
	broker_public.scope == set() with input as blind(["serverless"])
	broker_public.fail == set() with input as blind(["serverless"])
}
