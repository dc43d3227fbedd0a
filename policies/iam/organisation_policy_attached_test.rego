package policies.iam.organisation_policy_attached_test

import data.policies.iam.organisation_policy_attached
import rego.v1

it := {"id": "p", "system": false, "targets": ["r-root"]}

world(changes) := {"resources": {"permission_set": [object.union(it, changes)]}, "params": {"iam.organisation_policy_attached": params}}

blind(changes, facts) := {"resources": {"permission_set": [object.remove(object.union(it, changes), facts)]}, "params": {"iam.organisation_policy_attached": params}}

params := {}

test_fails if {
	organisation_policy_attached.fail == {{
		"id": "p", "fact": "targets", "expected": "a root, unit or account", "message": "is attached to nothing",
	}} with input as world({"targets": []})
}

test_passes if {
	organisation_policy_attached.fail == set() with input as world({})
	organisation_policy_attached.scope == {"p"} with input as world({})
}

test_out_of_scope if {
	organisation_policy_attached.scope == set() with input as world({"system": true, "targets": []})
	organisation_policy_attached.fail == set() with input as world({"system": true, "targets": []})
}

test_blind_proves_nothing if {
	organisation_policy_attached.fail == set() with input as blind({}, ["targets"])
	organisation_policy_attached.fail == set() with input as blind({"targets": []}, ["system"])
}
