package policies.exposure.search_endpoint_test

import data.policies.exposure.search_endpoint
import rego.v1

domain := {"id": "d", "deleting": false, "internet_parts": ["domain"]}

world(changes) := {"resources": {"data_store": [object.union(domain, changes)]}}

blind(facts) := {"resources": {"data_store": [object.remove(domain, facts)]}}

test_fails if {
	search_endpoint.fail == {{
		"id": "d", "fact": "internet_parts", "expected": [],
		"message": "it stands in no network and answers on the internet",
	}} with input as world({})
}

test_passes if {
	search_endpoint.scope == {"d"} with input as world({"internet_parts": []})
	search_endpoint.fail == set() with input as world({"internet_parts": []})
}

test_out_of_scope if {
	search_endpoint.scope == set() with input as world({"deleting": true})
	search_endpoint.fail == set() with input as world({"deleting": true})
}

test_blind_proves_nothing if {
	search_endpoint.fail == set() with input as blind(["internet_parts"])
	search_endpoint.fail == set() with input as blind(["deleting"])
}
