package policies.integrity.k8s_volume_one_tenant_test

import data.policies.integrity.k8s_volume_one_tenant
import rego.v1

volume := {"id": "v", "backend_type": "file", "shared_with": [], "shared_with_settled": true}

world(changes) := {"resources": {"data_store": [object.union(volume, changes)]}}

other := {"volume": "k8s/c/PersistentVolume//b", "tenant": "blue", "path": "/"}

test_shared_fails if {
	found := other
	k8s_volume_one_tenant.fail == {{
		"id": "v", "fact": "shared_with", "expected": "one tenant", "actual": found, "tag": "blue",
		"message": "tenant blue has the same files by k8s/c/PersistentVolume//b",
	}} with input as world({"shared_with": [found]})
}

test_alone_passes if {
	k8s_volume_one_tenant.fail == set() with input as world({})
	k8s_volume_one_tenant.scope == {"v"} with input as world({})
}

test_disks_are_out_of_scope if {
	k8s_volume_one_tenant.scope == set() with input as world({"backend_type": "block"})
	k8s_volume_one_tenant.scope == set() with input as world({"backend_type": "local"})
}

test_blind_proves_nothing if {
	k8s_volume_one_tenant.fail == set() with input as {"resources": {"data_store": [object.remove(volume, ["shared_with"])]}}
}
