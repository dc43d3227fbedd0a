package policies.iam.k8s_dangling_test

import data.policies.iam.k8s_dangling
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "role": {"kind": "Role", "name": "r"}, "role_exists": true, "missing_accounts": [], "missing_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_missing_role_fails if {
	k8s_dangling.fail == {{"id": "g", "fact": "role_exists", "expected": "a role that exists", "actual": "Role r", "message": "binds Role r, which does not exist"}} with input as world({"role_exists": false})
}

test_missing_account_fails if {
	k8s_dangling.fail == {{"id": "g", "fact": "missing_accounts", "expected": "accounts that exist", "actual": "build/ci", "message": "names the service account build/ci, which does not exist"}} with input as world({"missing_accounts": ["build/ci"]})
}

test_account_of_no_namespace_fails if {
	k8s_dangling.fail == {{"id": "g", "fact": "subjects", "expected": "a namespace", "actual": "ci", "message": "names the service account ci without a namespace"}} with input as world({"subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "", "system": false}]})
}

test_sound_passes if {
	k8s_dangling.fail == set() with input as world({})
	k8s_dangling.scope == {"g"} with input as world({})
	k8s_dangling.fail == set() with input as world({"subjects": [{"kind": "Group", "name": "ci", "namespace": "", "system": false}]})
}

test_out_of_scope if {
	k8s_dangling.scope == set() with input as {"resources": {"other": [grant]}}
}

test_blind_proves_nothing if {
	k8s_dangling.fail == set() with input as {"resources": {"grant": [object.remove(grant, ["role_exists", "missing_accounts", "subjects"])]}}
	k8s_dangling.fail == set() with input as {"resources": {"grant": [object.remove(object.union(grant, {"role_exists": false}), ["role"])]}}
}
