package policies.workload.fabric_without_accelerator_test

import data.policies.workload.fabric_without_accelerator
import rego.v1

thing := {
	"id": "w", "operator": "", "attachments": [{"network": "a/rdma", "default_route": false}],
	"fabric_networks": ["a/rdma"], "fabric_networks_settled": true, "accelerator": true,
}

world(changes) := {"resources": {"workload": [object.union(thing, changes)]}}

bad := object.union(thing, {"accelerator": false})

test_without_accelerator_fails if {
	fabric_without_accelerator.fail == {{
		"id": "w", "fact": "fabric_networks", "expected": [], "actual": ["a/rdma"],
		"message": "its pods are attached to the fabric (a/rdma) and ask for no accelerator",
	}} with input as world({"accelerator": false})
}

test_sound_passes if {
	fabric_without_accelerator.fail == set() with input as world({})
	fabric_without_accelerator.scope == {"w"} with input as world({})
	fabric_without_accelerator.safe == {"w"} with input as world({})
	fabric_without_accelerator.fail == set() with input as world({"accelerator": false, "fabric_networks": []})
}

test_attached_to_nothing_is_out_of_scope if {
	fabric_without_accelerator.scope == set() with input as world({"attachments": []})
}

test_operator_is_exempt if {
	fabric_without_accelerator.exempt == {{"id": "w", "reason": "Multus owns it and needs it"}} with input as world({"operator": "Multus", "accelerator": false})
	fabric_without_accelerator.fail == set() with input as world({"operator": "Multus", "accelerator": false})
	fabric_without_accelerator.exempt == set() with input as world({"operator": "Multus", "attachments": []})
}

test_other_kinds_are_out_of_scope if {
	fabric_without_accelerator.scope == set() with input as {"resources": {"other": [thing]}}
	fabric_without_accelerator.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["operator", "attachments", "fabric_networks", "accelerator"] {
		blind := {"resources": {"workload": [object.remove(bad, [fact])]}}
		fabric_without_accelerator.fail == set() with input as blind
	}
}
