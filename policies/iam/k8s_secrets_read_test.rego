package policies.iam.k8s_secrets_read_test

import data.policies.iam.k8s_secrets_read
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_list_fails if {
	k8s_secrets_read.fail == {
		{"id": "g", "fact": "rules", "expected": "no cluster-wide read of secrets", "actual": "list on secrets (core)", "message": "ci may read every Secret of the cluster"},
	} with input as world({"rules": [{"verbs": ["list"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
}

test_get_fails if {
	k8s_secrets_read.fail == {
		{"id": "g", "fact": "rules", "expected": "no cluster-wide read of secrets", "actual": "get on * (*)", "message": "ci may read every Secret of the cluster"},
	} with input as world({"rules": [{"verbs": ["get"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_secrets_read.fail == set() with input as world({})
	k8s_secrets_read.scope == {"g"} with input as world({})
}

test_named_get_passes if {
	k8s_secrets_read.fail == set() with input as world({"rules": [{"verbs": ["get", "list", "watch"], "api_groups": [""], "resources": ["secrets"], "resource_names": ["tls"], "non_resource_urls": []}]})
	k8s_secrets_read.scope == {"g"} with input as world({"rules": [{"verbs": ["get", "list", "watch"], "api_groups": [""], "resources": ["secrets"], "resource_names": ["tls"], "non_resource_urls": []}]})
}

test_write_only_passes if {
	k8s_secrets_read.fail == set() with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
	k8s_secrets_read.scope == {"g"} with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["list"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}, {"cluster_wide": false, "rules": [{"verbs": ["list"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]}] {
		k8s_secrets_read.scope == set() with input as world(change)
		k8s_secrets_read.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_secrets_read.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_secrets_read.fail == set() with input as blind
}
