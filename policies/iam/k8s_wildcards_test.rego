package policies.iam.k8s_wildcards_test

import data.policies.iam.k8s_wildcards
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_verbs_fails if {
	k8s_wildcards.fail == {
		{"id": "g", "fact": "rules", "expected": "verbs written out", "actual": "* on deployments (apps)", "message": "ci holds every verb on some resources"},
	} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["apps"], "resources": ["deployments"], "resource_names": [], "non_resource_urls": []}]})
}

test_resources_fails if {
	k8s_wildcards.fail == {
		{"id": "g", "fact": "rules", "expected": "resources written out", "actual": "get on * (*)", "message": "ci holds some verbs on every resource"},
	} with input as world({"rules": [{"verbs": ["get"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_wildcards.fail == set() with input as world({})
	k8s_wildcards.scope == {"g"} with input as world({})
}

test_own_group_passes if {
	k8s_wildcards.fail == set() with input as world({"rules": [{"verbs": ["*"], "api_groups": ["ray.io"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
	k8s_wildcards.scope == {"g"} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["ray.io"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["*"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}] {
		k8s_wildcards.scope == set() with input as world(change)
		k8s_wildcards.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_wildcards.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_wildcards.fail == set() with input as blind
}
