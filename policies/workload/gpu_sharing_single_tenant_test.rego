package policies.workload.gpu_sharing_single_tenant_test

import data.policies.workload.gpu_sharing_single_tenant
import rego.v1

node := {
	"id": "n", "sharers_settled": true,
	"gpu_sharing": [{"resource": "nvidia.com/gpu", "strategy": "mps", "replicas": 4}],
	"sharers": [{"resource": "nvidia.com/gpu", "tenants": ["red"]}],
}

world(changes) := {"resources": {"node": [object.union(node, changes)]}}

test_two_tenants_fail if {
	both := {"resource": "nvidia.com/gpu", "tenants": ["blue", "red"]}
	gpu_sharing_single_tenant.fail == {{
		"id": "n", "fact": "sharers", "expected": "one tenant", "actual": both, "tag": "nvidia.com/gpu",
		"message": "nvidia.com/gpu is shared by pods of blue, red",
	}} with input as world({"sharers": [both]})
}

test_one_tenant_passes if {
	gpu_sharing_single_tenant.fail == set() with input as world({})
	gpu_sharing_single_tenant.scope == {"n"} with input as world({})
}

test_whole_gpus_are_out_of_scope if {
	gpu_sharing_single_tenant.scope == set() with input as world({"gpu_sharing": []})
}

test_blind_proves_nothing if {
	gpu_sharing_single_tenant.fail == set() with input as {"resources": {"node": [object.remove(node, ["sharers"])]}}
	gpu_sharing_single_tenant.scope == set() with input as {"resources": {"node": [object.remove(node, ["gpu_sharing"])]}}
}
