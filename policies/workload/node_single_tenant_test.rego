package policies.workload.node_single_tenant_test

import data.policies.workload.node_single_tenant
import rego.v1

node := {"id": "n", "accelerator": true, "tenants": ["blue", "red"], "unsandboxed_tenants": [], "tenants_settled": true}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

test_two_tenants_on_a_kernel_fail if {
	node_single_tenant.fail == {{
		"id": "n", "fact": "tenants", "expected": "one tenant, or sandboxes", "actual": ["blue", "red"],
		"message": "runs pods of 2 tenants, and those of red without a sandbox",
	}} with input as world({"unsandboxed_tenants": ["red"]})
}

test_sandboxed_or_alone_passes if {
	node_single_tenant.fail == set() with input as world({})
	node_single_tenant.scope == {"n"} with input as world({})
	node_single_tenant.fail == set() with input as world({"tenants": ["red"], "unsandboxed_tenants": ["red"]})
}

test_nodes_without_accelerators_are_out_of_scope if {
	node_single_tenant.scope == set() with input as world({"accelerator": false})
	node_single_tenant.fail == set() with input as world({"accelerator": false, "unsandboxed_tenants": ["red"]})
}

test_blind_proves_nothing if {
	node_single_tenant.fail == set() with input as {"resources": {"node": [object.remove(node, ["tenants"])]}}
	node_single_tenant.fail == set() with input as {"resources": {"node": [object.remove(node, ["unsandboxed_tenants"])]}}
}
