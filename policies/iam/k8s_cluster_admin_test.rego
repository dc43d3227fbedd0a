package policies.iam.k8s_cluster_admin_test

import data.policies.iam.k8s_cluster_admin
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_admin_fails if {
	k8s_cluster_admin.fail == {
		{"id": "g", "fact": "rules", "expected": "a narrower role", "actual": "* on * (*)", "message": "ci may do everything"},
	} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_namespaced_admin_fails if {
	k8s_cluster_admin.fail == {
		{"id": "g", "fact": "rules", "expected": "a narrower role", "actual": "* on * (*)", "message": "ci may do everything"},
	} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}], "cluster_wide": false})
}

test_sound_passes if {
	k8s_cluster_admin.fail == set() with input as world({})
	k8s_cluster_admin.scope == {"g"} with input as world({})
}

test_everything_of_a_name_passes if {
	k8s_cluster_admin.fail == set() with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": ["x"], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}] {
		k8s_cluster_admin.scope == set() with input as world(change)
		k8s_cluster_admin.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_cluster_admin.fail == set() with input as blind
}
