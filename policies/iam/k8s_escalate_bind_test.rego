package policies.iam.k8s_escalate_bind_test

import data.policies.iam.k8s_escalate_bind
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_escalate_fails if {
	k8s_escalate_bind.fail == {
		{"id": "g", "fact": "rules", "expected": "no escalate", "actual": "escalate on clusterroles (rbac.authorization.k8s.io) named x", "message": "ci may write roles beyond its own (escalate)"},
	} with input as world({"rules": [{"verbs": ["escalate"], "api_groups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "resource_names": ["x"], "non_resource_urls": []}]})
}

test_bind_fails if {
	k8s_escalate_bind.fail == {
		{"id": "g", "fact": "rules", "expected": "no bind, or bind of named roles", "actual": "bind on roles (rbac.authorization.k8s.io)", "message": "ci may bind any role (bind)"},
	} with input as world({"rules": [{"verbs": ["bind"], "api_groups": ["rbac.authorization.k8s.io"], "resources": ["roles"], "resource_names": [], "non_resource_urls": []}]})
}

test_bind_admin_fails if {
	k8s_escalate_bind.fail == {
		{"id": "g", "fact": "rules", "expected": "no bind, or bind of named roles", "actual": "bind on clusterroles (*) named cluster-admin", "message": "ci may bind any role (bind)"},
	} with input as world({"rules": [{"verbs": ["bind"], "api_groups": ["*"], "resources": ["clusterroles"], "resource_names": ["cluster-admin"], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_escalate_bind.fail == set() with input as world({})
	k8s_escalate_bind.scope == {"g"} with input as world({})
}

test_bind_of_named_role_passes if {
	k8s_escalate_bind.fail == set() with input as world({"rules": [{"verbs": ["bind"], "api_groups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "resource_names": ["view"], "non_resource_urls": []}]})
	k8s_escalate_bind.scope == {"g"} with input as world({"rules": [{"verbs": ["bind"], "api_groups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "resource_names": ["view"], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["escalate"], "api_groups": ["rbac.authorization.k8s.io"], "resources": ["clusterroles"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}] {
		k8s_escalate_bind.scope == set() with input as world(change)
		k8s_escalate_bind.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_escalate_bind.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_escalate_bind.fail == set() with input as blind
}
