package policies.iam.data_wildcards_test

import data.policies.iam.data_wildcards
import rego.v1

identity := {"id": "i", "name": "i", "service_linked": false, "grants_admin": false, "data_wildcards": []}

world(changes) := {"params": {"iam.admin_access": {"break_glass": ["firefighter"]}}, "resources": {"identity": [object.union(identity, changes)]}}

blind(facts) := {"params": {"iam.admin_access": {"break_glass": []}}, "resources": {"identity": [object.remove(identity, facts)]}}

test_fails if {
	data_wildcards.fail == {{
		"id": "i", "fact": "data_wildcards", "expected": [],
		"message": "may do everything with every resource of kms, s3",
	}} with input as world({"data_wildcards": ["s3", "kms"]})
}

test_passes if {
	data_wildcards.scope == {"i"} with input as world({})
	data_wildcards.fail == set() with input as world({})
}

test_out_of_scope if {
	every change in [{"service_linked": true}, {"grants_admin": true}] {
		data_wildcards.scope == set() with input as world(change)
		data_wildcards.fail == set() with input as world(object.union(change, {"data_wildcards": ["s3", "kms"]}))
	}
}

test_blind_proves_nothing if {
	data_wildcards.scope == {"i"} with input as blind(["data_wildcards"])
	data_wildcards.fail == set() with input as blind(["data_wildcards"])
	every fact in ["service_linked", "grants_admin"] {
		data_wildcards.scope == set() with input as blind([fact])
	}
}
