package policies.iam.k8s_pod_exec_test

import data.policies.iam.k8s_pod_exec
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_exec_fails if {
	k8s_pod_exec.fail == {
		{"id": "g", "fact": "rules", "expected": "no cluster-wide exec", "actual": "create on pods/exec (core)", "message": "ci may run commands in every pod"},
	} with input as world({"rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["pods/exec"], "resource_names": [], "non_resource_urls": []}]})
}

test_get_exec_fails if {
	k8s_pod_exec.fail == {
		{"id": "g", "fact": "rules", "expected": "no cluster-wide exec", "actual": "get on pods/exec (core)", "message": "ci may run commands in every pod"},
	} with input as world({"rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["pods/exec"], "resource_names": [], "non_resource_urls": []}]})
}

test_ephemeral_fails if {
	k8s_pod_exec.fail == {
		{"id": "g", "fact": "rules", "expected": "no cluster-wide ephemeral containers", "actual": "patch on pods/ephemeralcontainers (core)", "message": "ci may add containers to every pod"},
	} with input as world({"rules": [{"verbs": ["patch"], "api_groups": [""], "resources": ["pods/ephemeralcontainers"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_pod_exec.fail == set() with input as world({})
	k8s_pod_exec.scope == {"g"} with input as world({})
}

test_pods_only_passes if {
	k8s_pod_exec.fail == set() with input as world({"rules": [{"verbs": ["create", "get"], "api_groups": [""], "resources": ["pods", "pods/log"], "resource_names": [], "non_resource_urls": []}]})
	k8s_pod_exec.scope == {"g"} with input as world({"rules": [{"verbs": ["create", "get"], "api_groups": [""], "resources": ["pods", "pods/log"], "resource_names": [], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["pods/exec"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}, {"cluster_wide": false, "rules": [{"verbs": ["create"], "api_groups": [""], "resources": ["pods/exec"], "resource_names": [], "non_resource_urls": []}]}] {
		k8s_pod_exec.scope == set() with input as world(change)
		k8s_pod_exec.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_pod_exec.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_pod_exec.fail == set() with input as blind
}
