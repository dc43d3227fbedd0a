package policies.transit.k8s_cilium_strict_test

import data.policies.transit.k8s_cilium_strict
import rego.v1

configuration := {"id": "c", "plugin": "cilium", "pod_encryption": "wireguard", "drops_clear": true}

world(changes) := {"resources": {"configuration": [object.union(configuration, changes)]}}

test_lax_fails if {
	k8s_cilium_strict.fail == {
		{"id": "c", "fact": "drops_clear", "expected": true, "message": "packets to addresses that an agent does not know yet leave in clear"},
	} with input as world({"drops_clear": false})
}

test_strict_passes if {
	k8s_cilium_strict.fail == set() with input as world({})
	k8s_cilium_strict.scope == {"c"} with input as world({})
}

test_out_of_scope if {
	every change in [{"plugin": ""}, {"pod_encryption": "none"}, {"pod_encryption": "ipsec"}] {
		k8s_cilium_strict.scope == set() with input as world(object.union(change, {"drops_clear": false}))
		k8s_cilium_strict.fail == set() with input as world(object.union(change, {"drops_clear": false}))
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"configuration": [object.remove(configuration, ["drops_clear"])]}}
	k8s_cilium_strict.fail == set() with input as blind
}
