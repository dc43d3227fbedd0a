package policies.credentials.k8s_cloud_identity_shared_test

import data.policies.credentials.k8s_cloud_identity_shared
import rego.v1

account := {"id": "a", "name": "trainer", "cloud_identity": "arn:aws:iam::111122223333:role/train", "identity_shared_with": [], "identity_shared_with_settled": true}

world(changes) := {"resources": {"identity": [object.union(account, changes)]}}

test_shared_fails if {
	k8s_cloud_identity_shared.fail == {{
		"id": "a", "fact": "identity_shared_with", "expected": "an identity of its own", "actual": "blue", "tag": "blue",
		"message": "service accounts of blue may become the same cloud identity",
	}} with input as world({"identity_shared_with": ["blue"]})
}

test_default_fails if {
	k8s_cloud_identity_shared.fail == {{
		"id": "a", "fact": "cloud_identity", "expected": "none on the account default", "tag": "default",
		"message": "every pod of the namespace that names no account may become this cloud identity",
	}} with input as world({"name": "default"})
}

test_own_identity_passes if {
	k8s_cloud_identity_shared.fail == set() with input as world({})
	k8s_cloud_identity_shared.scope == {"a"} with input as world({})
}

test_no_identity_is_out_of_scope if {
	k8s_cloud_identity_shared.scope == set() with input as world({"cloud_identity": ""})
}

test_blind_proves_nothing if {
	k8s_cloud_identity_shared.fail == set() with input as {"resources": {"identity": [object.remove(account, ["identity_shared_with"])]}}
	k8s_cloud_identity_shared.scope == set() with input as {"resources": {"identity": [object.remove(account, ["cloud_identity"])]}}
}
