package policies.network.private_services_test

import data.policies.network.private_services
import rego.v1

network := {"id": "n", "has_accelerators": true, "ai_role": "none", "private_services": ["ecr.api", "s3", "sts"]}

params := {"network.private_services": {"services": ["sts", "ecr.api"]}}

world(changes) := {"params": params, "resources": {"network": [object.union(network, changes)]}}

blind(facts) := {"params": params, "resources": {"network": [object.remove(network, facts)]}}

test_fails if {
	private_services.fail == {{
		"id": "n", "fact": "private_services", "expected": ["ecr.api", "sts"],
		"message": "has no private endpoint for ecr.api, sts",
	}} with input as world({"private_services": ["s3"]})
}

test_passes if {
	private_services.scope == {"n"} with input as world({})
	private_services.fail == set() with input as world({})
}

test_managed_training if {
	private_services.scope == {"n"} with input as world({"has_accelerators": false, "ai_role": "training"})
	private_services.scope == set() with input as world({"has_accelerators": false, "ai_role": "management"})
}

test_out_of_scope if {
	private_services.scope == set() with input as world({"has_accelerators": false})
	private_services.fail == set() with input as world({"has_accelerators": false, "private_services": []})
}

test_blind_proves_nothing if {
	private_services.scope == {"n"} with input as blind(["private_services"])
	private_services.fail == set() with input as blind(["private_services"])
	private_services.scope == set() with input as blind(["has_accelerators"])
}
