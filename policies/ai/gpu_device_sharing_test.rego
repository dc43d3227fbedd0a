package policies.ai.gpu_device_sharing_test

import data.policies.ai.gpu_device_sharing
import rego.v1

claim := {"id": "c", "sharing": [], "usable_by": ["a", "b"]}

world(changes) := {"resources": {"device_claim": [object.union(claim, changes)]}}

test_shared_fails if {
	gpu_device_sharing.fail == {{
		"id": "c", "fact": "sharing", "expected": [], "actual": ["TimeSlicing"],
		"message": "its devices are shared by TimeSlicing, and 2 tenants may use it",
	}} with input as world({"sharing": ["TimeSlicing"]})
}

test_one_tenant_passes if {
	gpu_device_sharing.fail == set() with input as world({"sharing": ["MPS"], "usable_by": ["a"]})
	gpu_device_sharing.scope == {"c"} with input as world({"sharing": ["MPS"], "usable_by": ["a"]})
}

test_exclusive_is_safe_whoever_may_use_it if {
	blind := {"resources": {"device_claim": [object.remove(claim, ["usable_by"])]}}
	gpu_device_sharing.safe == {"c"} with input as blind
}

test_other_kinds_are_out_of_scope if {
	gpu_device_sharing.scope == set() with input as {"resources": {"other": [claim]}}
	gpu_device_sharing.fail == set() with input as {"resources": {"other": [claim]}}
}

test_blind_proves_nothing if {
	blind := {"resources": {"device_claim": [object.remove(claim, ["sharing"])]}}
	gpu_device_sharing.fail == set() with input as blind
	gpu_device_sharing.safe == set() with input as blind
}
