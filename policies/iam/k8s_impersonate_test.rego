package policies.iam.k8s_impersonate_test

import data.policies.iam.k8s_impersonate
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_users_fails if {
	k8s_impersonate.fail == {
		{"id": "g", "fact": "rules", "expected": "named identities only", "actual": "impersonate on users, groups (core)", "message": "ci may impersonate others"},
	} with input as world({"rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["users", "groups"], "resource_names": [], "non_resource_urls": []}]})
}

test_extras_fails if {
	k8s_impersonate.fail == {
		{"id": "g", "fact": "rules", "expected": "named identities only", "actual": "impersonate on userextras/scopes (authentication.k8s.io)", "message": "ci may impersonate others"},
	} with input as world({"rules": [{"verbs": ["impersonate"], "api_groups": ["authentication.k8s.io"], "resources": ["userextras/scopes"], "resource_names": [], "non_resource_urls": []}]})
}

test_masters_fails if {
	k8s_impersonate.fail == {
		{"id": "g", "fact": "rules", "expected": "named identities only", "actual": "impersonate on groups (core) named system:masters", "message": "ci may impersonate others"},
	} with input as world({"rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["groups"], "resource_names": ["system:masters"], "non_resource_urls": []}]})
}

test_star_fails if {
	k8s_impersonate.fail == {
		{"id": "g", "fact": "rules", "expected": "named identities only", "actual": "* on serviceaccounts (core)", "message": "ci may impersonate others"},
	} with input as world({"rules": [{"verbs": ["*"], "api_groups": [""], "resources": ["serviceaccounts"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_impersonate.fail == set() with input as world({})
	k8s_impersonate.scope == {"g"} with input as world({})
}

test_identities_outside_namespaces_pass_in_one if {
	k8s_impersonate.fail == set() with input as world({"cluster_wide": false, "rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["users", "groups"], "resource_names": [], "non_resource_urls": []}]})
	k8s_impersonate.fail == {
		{"id": "g", "fact": "rules", "expected": "named identities only", "actual": "impersonate on serviceaccounts (core)", "message": "ci may impersonate others"},
	} with input as world({"cluster_wide": false, "rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["serviceaccounts"], "resource_names": [], "non_resource_urls": []}]})
}

test_named_passes if {
	k8s_impersonate.fail == set() with input as world({"rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["users"], "resource_names": ["ci@example"], "non_resource_urls": []}]})
	k8s_impersonate.scope == {"g"} with input as world({"rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["users"], "resource_names": ["ci@example"], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["impersonate"], "api_groups": [""], "resources": ["users"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}] {
		k8s_impersonate.scope == set() with input as world(change)
		k8s_impersonate.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_impersonate.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_impersonate.fail == set() with input as blind
}
