package policies.exposure.search_public_test

import data.policies.exposure.search_public
import rego.v1

domain := {
	"id": "d", "native_type": "AWS::OpenSearchService::Domain", "store_type": "search", "deleting": false,
	"internet_parts": ["domain"], "policy_public": "yes", "fine_grained_access": false,
}

collection := {
	"id": "c", "native_type": "AWS::OpenSearchServerless::Collection", "store_type": "search", "deleting": false,
	"internet_parts": [], "policy_public": "no", "fine_grained_access": false,
}

world(store, changes) := {"resources": {"data_store": [object.union(store, changes)]}}

blind(store, changes, facts) := {"resources": {"data_store": [object.remove(object.union(store, changes), facts)]}}

open_policy(id) := {
	"id": id, "fact": "policy_public", "expected": "no", "tag": "policy",
	"message": "it answers on the internet, and its policy lets anyone in",
}

part(name, shown) := {
	"id": "c", "fact": "internet_parts", "expected": [], "actual": name, "tag": name,
	"message": sprintf("a network policy lets the internet reach its %s", [shown]),
}

test_domain_fails if {
	search_public.fail == {open_policy("d")} with input as world(domain, {})
	search_public.safe == set() with input as world(domain, {})
}

test_collection_fails if {
	search_public.fail == {part("collection", "endpoint")} with input as world(collection, {"internet_parts": ["collection"]})
	search_public.fail == {part("collection", "endpoint"), part("dashboard", "dashboards")} with input as world(
		collection,
		{"internet_parts": ["collection", "dashboard"]},
	)
	search_public.fail == {open_policy("c"), part("dashboard", "dashboards")} with input as world(
		collection,
		{"internet_parts": ["dashboard"], "policy_public": "yes"},
	)
}

# https://github.com/prowler-cloud/prowler/issues/4494
test_domain_passes if {
	every change in [{"internet_parts": []}, {"policy_public": "no"}, {"fine_grained_access": true}] {
		search_public.fail == set() with input as world(domain, change)
		search_public.safe == {"d"} with input as world(domain, change)
	}
}

test_collection_passes if {
	search_public.scope == {"c"} with input as world(collection, {})
	search_public.fail == set() with input as world(collection, {})
	search_public.fail == set() with input as world(collection, {"policy_public": "yes"})
}

test_out_of_scope if {
	every change in [{"store_type": "bucket"}, {"deleting": true}] {
		search_public.scope == set() with input as world(domain, change)
		search_public.fail == set() with input as world(domain, change)
		search_public.safe == set() with input as world(domain, change)
	}
}

test_blind_proves_nothing if {
	every fact in ["internet_parts", "policy_public", "fine_grained_access", "store_type", "deleting"] {
		search_public.fail == set() with input as blind(domain, {}, [fact])
		search_public.safe == set() with input as blind(domain, {}, [fact])
		search_public.fail == set() with input as blind(collection, {}, [fact])
	}
	search_public.safe == set() with input as blind(collection, {}, ["internet_parts"])
	search_public.safe == {"d"} with input as blind(domain, {"policy_public": "no"}, ["internet_parts", "fine_grained_access"])
}
