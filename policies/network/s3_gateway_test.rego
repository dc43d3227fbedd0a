package policies.network.s3_gateway_test

import data.policies.network.s3_gateway
import rego.v1

subnet := {"id": "s", "has_accelerators": true, "ai_role": "none", "s3_gateway": true, "s3_interface": false}

world(changes) := {"resources": {"subnet": [object.union(subnet, changes)]}}

blind(changes, facts) := {"resources": {"subnet": [object.remove(object.union(subnet, changes), facts)]}}

test_fails if {
	s3_gateway.fail == {{
		"id": "s", "fact": "s3_gateway", "expected": true,
		"message": "its route table has no gateway endpoint for S3",
	}} with input as world({"s3_gateway": false})
}

test_passes if {
	s3_gateway.safe == {"s"} with input as world({})
	s3_gateway.fail == set() with input as world({})
	s3_gateway.exempt == set() with input as world({})
}

test_managed_training if {
	s3_gateway.scope == {"s"} with input as world({"has_accelerators": false, "ai_role": "training"})
	s3_gateway.scope == set() with input as world({"has_accelerators": false, "ai_role": "data"})
}

test_interface_endpoint_is_exempt if {
	s3_gateway.exempt == {{
		"id": "s",
		"reason": "an interface endpoint with private DNS answers for S3",
	}} with input as world({"s3_gateway": false, "s3_interface": true})
	s3_gateway.fail == set() with input as world({"s3_gateway": false, "s3_interface": true})
}

test_out_of_scope if {
	s3_gateway.scope == set() with input as world({"has_accelerators": false})
	s3_gateway.fail == set() with input as world({"has_accelerators": false, "s3_gateway": false})
	s3_gateway.safe == set() with input as world({"has_accelerators": false})
}

test_blind_proves_nothing if {
	s3_gateway.fail == set() with input as blind({"s3_gateway": false}, ["s3_interface"])
	s3_gateway.fail == set() with input as blind({}, ["s3_gateway"])
	s3_gateway.safe == set() with input as blind({}, ["s3_gateway"])
	s3_gateway.exempt == set() with input as blind({"s3_interface": true}, ["s3_gateway"])
	s3_gateway.scope == set() with input as blind({}, ["has_accelerators"])
}
