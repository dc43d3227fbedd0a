package policies.iam.k8s_token_minting_test

import data.policies.iam.k8s_token_minting
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_token_fails if {
	k8s_token_minting.fail == {
		{"id": "g", "fact": "rules", "expected": "named service accounts only", "actual": "create on serviceaccounts/token (core)", "message": "ci may mint tokens of any service account"},
	} with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["serviceaccounts/token"], "resource_names": [], "non_resource_urls": []}]})
}

test_token_secret_fails if {
	k8s_token_minting.fail == {
		{"id": "g", "fact": "rules", "expected": "no create together with read of secrets", "actual": "create on secrets (core)", "message": "ci may make token Secrets and read them"},
	} with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}, {"verbs": ["get"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_token_minting.fail == set() with input as world({})
	k8s_token_minting.scope == {"g"} with input as world({})
}

test_named_passes if {
	k8s_token_minting.fail == set() with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["serviceaccounts/token"], "resource_names": ["ci"], "non_resource_urls": []}]})
	k8s_token_minting.scope == {"g"} with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["serviceaccounts/token"], "resource_names": ["ci"], "non_resource_urls": []}]})
}

test_secrets_of_one_namespace_passes if {
	k8s_token_minting.fail == set() with input as world({"cluster_wide": false, "rules": [{"verbs": ["create", "get"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
	k8s_token_minting.scope == {"g"} with input as world({"cluster_wide": false, "rules": [{"verbs": ["create", "get"], "api_groups": [""], "resources": ["secrets"], "resource_names": [], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["serviceaccounts/token"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}] {
		k8s_token_minting.scope == set() with input as world(change)
		k8s_token_minting.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_token_minting.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_token_minting.fail == set() with input as blind
}
