package policies.network.studio_vpc_only_test

import data.policies.network.studio_vpc_only
import rego.v1

service := {"id": "d", "service_type": "domain", "managed_by": "", "direct_internet": false, "internet_route": false}

world(changes) := {"resources": {"model_service": [object.union(service, changes)]}}

blind(changes, facts) := {"resources": {"model_service": [object.remove(object.union(service, changes), facts)]}}

test_direct_internet_fails if {
	every route in [true, false] {
		studio_vpc_only.fail == {{
			"id": "d", "fact": "direct_internet", "expected": false,
			"message": "its apps reach the internet past the customer's network",
		}} with input as world({"direct_internet": true, "internet_route": route})
	}
}

test_a_public_subnet_fails if {
	studio_vpc_only.fail == {{
		"id": "d", "fact": "internet_route", "expected": false,
		"message": "a subnet of its apps routes to an internet gateway",
	}} with input as world({"internet_route": true})
}

test_passes if {
	studio_vpc_only.fail == set() with input as world({})
	studio_vpc_only.scope == {"d"} with input as world({})
}

test_out_of_scope if {
	every change in [{"managed_by": "dzd_1"}, {"service_type": "notebook"}] {
		studio_vpc_only.scope == set() with input as world(object.union(change, {"direct_internet": true}))
		studio_vpc_only.fail == set() with input as world(object.union(change, {"direct_internet": true}))
	}
}

test_blind_proves_nothing if {
	studio_vpc_only.fail == set() with input as blind({"internet_route": true}, ["direct_internet"])
	studio_vpc_only.fail == set() with input as blind({}, ["internet_route"])
	studio_vpc_only.scope == set() with input as blind({}, ["managed_by"])
}
