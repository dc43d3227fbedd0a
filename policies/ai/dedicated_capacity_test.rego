package policies.ai.dedicated_capacity_test

import data.policies.ai.dedicated_capacity
import rego.v1

node := {
	"id": "n", "isolation_required": true, "accelerator": true, "tenancy": "default", "bare_metal": false,
	"instance_type": "g5.12xlarge",
}

asked(resource, all) := {
	"resources": {"node": [resource]},
	"params": {"ai.dedicated_capacity": {"all_accelerators": all, "sizes": ["p5.48xlarge"]}},
}

world(changes) := asked(object.union(node, changes), false)

failure := {{
	"id": "n", "fact": "tenancy", "expected": "dedicated",
	"message": "it must have hardware of its own, and shares it with other accounts",
}}

test_shared_fails if {
	dedicated_capacity.fail == failure with input as world({})
	dedicated_capacity.safe == set() with input as world({})
	dedicated_capacity.fail == failure with input as asked(object.union(node, {"isolation_required": false}), true)
}

test_passes if {
	every change in [{"tenancy": "dedicated"}, {"tenancy": "host"}, {"bare_metal": true}, {"instance_type": "p5.48xlarge"}] {
		dedicated_capacity.fail == set() with input as world(change)
		dedicated_capacity.safe == {"n"} with input as world(change)
	}
}

test_out_of_scope if {
	dedicated_capacity.scope == set() with input as world({"isolation_required": false})
	dedicated_capacity.exempt == {{"id": "n", "reason": "no policy demands hardware of its own for it"}} with input as world({"isolation_required": false})
	dedicated_capacity.fail == set() with input as world({"isolation_required": false})
	dedicated_capacity.exempt == set() with input as world({})
}

test_blind_proves_nothing if {
	every fact in ["isolation_required", "tenancy", "bare_metal", "instance_type"] {
		dedicated_capacity.fail == set() with input as asked(object.remove(node, [fact]), false)
		dedicated_capacity.safe == set() with input as asked(object.remove(node, [fact]), false)
	}
	dedicated_capacity.exempt == set() with input as asked(object.remove(node, ["isolation_required"]), false)
}
