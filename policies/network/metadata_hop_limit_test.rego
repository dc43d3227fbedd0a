package policies.network.metadata_hop_limit_test

import data.policies.network.metadata_hop_limit
import rego.v1

node := {"id": "n", "metadata_enabled": true, "container_host": true, "metadata_hop_limit": 1}

params := {"network.metadata_hop_limit": {"max_hops": 1}}

world(changes) := {"params": params, "resources": {"node": [object.union(node, changes)]}}

blind(facts) := {"params": params, "resources": {"node": [object.remove(node, facts)]}}

test_fails if {
	metadata_hop_limit.fail == {{
		"id": "n", "fact": "metadata_hop_limit", "expected": "at most 1",
		"message": "metadata answers travel 2 hops, into its containers",
	}} with input as world({"metadata_hop_limit": 2})
}

test_passes if {
	metadata_hop_limit.scope == {"n"} with input as world({})
	metadata_hop_limit.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"metadata_enabled": false}, {"container_host": false}] {
		metadata_hop_limit.scope == set() with input as world(change)
		metadata_hop_limit.fail == set() with input as world(object.union(change, {"metadata_hop_limit": 64}))
	}
}

test_blind_proves_nothing if {
	metadata_hop_limit.scope == {"n"} with input as blind(["metadata_hop_limit"])
	metadata_hop_limit.fail == set() with input as blind(["metadata_hop_limit"])
	metadata_hop_limit.scope == set() with input as blind(["container_host"])
}

test_safe_where_the_limit_of_a_template_keeps_containers_out if {
	template := object.union(object.remove(node, ["container_host"]), {"native_type": "AWS::EC2::LaunchTemplate"})
	metadata_hop_limit.safe == {"n"} with input as {"params": params, "resources": {"node": [template]}}
	metadata_hop_limit.safe == set() with input as {"params": params, "resources": {"node": [object.union(template, {"metadata_hop_limit": 2})]}}
	metadata_hop_limit.safe == set() with input as world({"native_type": "AWS::EC2::Instance"})
}
