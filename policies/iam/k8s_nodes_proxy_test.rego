package policies.iam.k8s_nodes_proxy_test

import data.policies.iam.k8s_nodes_proxy
import rego.v1

grant := {"id": "g", "subjects": [{"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}], "cluster_wide": true, "rules": [{"verbs": ["get", "list"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}}

test_get_fails if {
	k8s_nodes_proxy.fail == {
		{"id": "g", "fact": "rules", "expected": "finer node subresources", "actual": "get on nodes/proxy (core)", "message": "ci has nodes/proxy"},
	} with input as world({"rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["nodes/proxy"], "resource_names": [], "non_resource_urls": []}]})
}

test_sound_passes if {
	k8s_nodes_proxy.fail == set() with input as world({})
	k8s_nodes_proxy.scope == {"g"} with input as world({})
}

test_metrics_passes if {
	k8s_nodes_proxy.fail == set() with input as world({"rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["nodes/metrics", "nodes"], "resource_names": [], "non_resource_urls": []}]})
	k8s_nodes_proxy.scope == {"g"} with input as world({"rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["nodes/metrics", "nodes"], "resource_names": [], "non_resource_urls": []}]})
}

test_out_of_scope if {
	every change in [{"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}], "rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["nodes/proxy"], "resource_names": [], "non_resource_urls": []}]}, {"subjects": []}, {"cluster_wide": false, "rules": [{"verbs": ["get"], "api_groups": [""], "resources": ["nodes/proxy"], "resource_names": [], "non_resource_urls": []}]}] {
		k8s_nodes_proxy.scope == set() with input as world(change)
		k8s_nodes_proxy.fail == set() with input as world(change)
	}
}

test_everything_is_exempt if {
	k8s_nodes_proxy.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [{"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []}]})
}

test_blind_proves_nothing if {
	blind := {"resources": {"grant": [object.remove(grant, ["rules"])]}}
	k8s_nodes_proxy.fail == set() with input as blind
}
