package policies.network.k8s_multus_isolation_test

import data.policies.network.k8s_multus_isolation
import rego.v1

thing := {"id": "w", "multus_isolation": "on", "several_tenants": true}

world(changes) := {"resources": {"workload": [object.union(thing, changes)]}}

bad := object.union(thing, {"multus_isolation": "off"})

test_off_fails if {
	k8s_multus_isolation.fail == {{
		"id": "w", "fact": "multus_isolation", "expected": "on", "actual": "off",
		"message": "its Multus lets pods attach to networks of every namespace",
	}} with input as world({"multus_isolation": "off"})
}

test_sound_passes if {
	k8s_multus_isolation.fail == set() with input as world({})
	k8s_multus_isolation.scope == {"w"} with input as world({})
}

test_one_tenant_and_other_pods_are_out_of_scope if {
	k8s_multus_isolation.scope == set() with input as world({"several_tenants": false, "multus_isolation": "off"})
	k8s_multus_isolation.scope == set() with input as world({"multus_isolation": "none"})
}

test_other_kinds_are_out_of_scope if {
	k8s_multus_isolation.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_multus_isolation.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["multus_isolation", "several_tenants"] {
		blind := {"resources": {"workload": [object.remove(bad, [fact])]}}
		k8s_multus_isolation.fail == set() with input as blind
	}
}
