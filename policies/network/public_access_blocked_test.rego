package policies.network.public_access_blocked_test

import data.policies.network.public_access_blocked
import rego.v1

region := {"id": "r", "in_use": true, "internet_gateway_block": "ingress"}

asked(resource) := {"resources": {"account": [resource]}}

world(changes) := asked(object.union(region, changes))

test_fails if {
	public_access_blocked.fail == {{
		"id": "r", "fact": "internet_gateway_block", "expected": "ingress or bidirectional",
		"message": "nothing blocks what internet gateways let in",
	}} with input as world({"internet_gateway_block": "off"})
}

test_passes if {
	every mode in ["ingress", "bidirectional"] {
		public_access_blocked.fail == set() with input as world({"internet_gateway_block": mode})
		public_access_blocked.scope == {"r"} with input as world({"internet_gateway_block": mode})
	}
}

test_out_of_scope if {
	public_access_blocked.scope == set() with input as world({"in_use": false})
	public_access_blocked.fail == set() with input as world({"in_use": false, "internet_gateway_block": "off"})
}

test_blind_proves_nothing if {
	public_access_blocked.fail == set() with input as asked(object.remove(region, ["internet_gateway_block"]))
	public_access_blocked.fail == set() with input as asked(object.remove(object.union(region, {"internet_gateway_block": "off"}), ["in_use"]))
}
