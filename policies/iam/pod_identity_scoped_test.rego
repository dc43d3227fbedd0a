package policies.iam.pod_identity_scoped_test

import data.policies.iam.pod_identity_scoped
import rego.v1

grant := {"id": "g", "identity_pinned": true, "identity_namespaces": ["train"]}

world(changes) := {"params": {}, "resources": {"grant": [object.union(grant, changes)]}}

blind(facts) := {"params": {}, "resources": {"grant": [object.remove(grant, facts)]}}

test_fails if {
	pod_identity_scoped.fail == {{
		"id": "g", "fact": "identity_pinned", "expected": true, "tag": "trust",
		"message": "pods of any namespace and cluster may be given its role: the trust policy pins nothing",
	}} with input as world({"identity_pinned": false})
}

test_fails_a_shared_role if {
	pod_identity_scoped.fail == {{
		"id": "g", "fact": "identity_namespaces", "expected": "one namespace", "tag": "shared",
		"message": "its role serves several namespaces: serve, train",
	}} with input as world({"identity_namespaces": ["train", "serve"]})
}

test_passes if {
	pod_identity_scoped.scope == {"g"} with input as world({})
	pod_identity_scoped.fail == set() with input as world({})
}

test_out_of_scope_without_associations if {
	pod_identity_scoped.scope == set() with input as {"params": {}, "resources": {"grant": []}}
}

test_blind_proves_nothing if {
	every fact in ["identity_pinned", "identity_namespaces"] {
		pod_identity_scoped.scope == {"g"} with input as blind([fact])
		pod_identity_scoped.fail == set() with input as blind([fact])
	}
}
