package policies.transit.k8s_volume_mount_test

import data.policies.transit.k8s_volume_mount
import rego.v1

volume := {"id": "v", "backend_type": "file", "encrypted_in_transit": true}

world(changes) := {"resources": {"data_store": [object.union(volume, changes)]}}

test_clear_fails if {
	k8s_volume_mount.fail == {{"id": "v", "fact": "encrypted_in_transit", "expected": true, "message": "is mounted in clear text"}} with input as world({"encrypted_in_transit": false})
}

test_encrypted_passes if {
	k8s_volume_mount.fail == set() with input as world({})
	k8s_volume_mount.scope == {"v"} with input as world({})
}

test_disks_are_out_of_scope if {
	k8s_volume_mount.scope == set() with input as world({"backend_type": "block"})
}

test_blind_proves_nothing if {
	k8s_volume_mount.fail == set() with input as {"resources": {"data_store": [object.remove(volume, ["encrypted_in_transit"])]}}
}
