package policies.iam.k8s_labels_write_test

import data.policies.iam.k8s_labels_write
import rego.v1

subject := {"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}

rule(verbs, groups, resources, named) := {"verbs": verbs, "api_groups": groups, "resources": resources, "resource_names": named, "non_resource_urls": []}

grant := {"id": "g", "subjects": [subject], "cluster_wide": true, "role": {"kind": "ClusterRole", "name": "r"}, "rules": [rule(["get"], [""], ["pods"], [])], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}, "params": {"iam.k8s_labels_write": {"accounts": ["platform/operator", "drivers/*"]}}}

found(actual) := {{"id": "g", "fact": "rules", "expected": "no update or patch on namespaces or nodes", "actual": actual, "message": "build/ci may relabel namespaces or nodes"}}

offence := rule(["patch"], [""], ["nodes"], [])

test_offence_fails if {
	what := found("ClusterRole r: patch on nodes (core)")
	k8s_labels_write.fail == what with input as world({"rules": [offence]})
}

test_sound_passes if {
	every rules in [[], [rule(["get", "create", "delete"], [""], ["namespaces"], [])], [rule(["patch"], [""], ["nodes"], ["n1"])], [rule(["patch"], [""], ["nodes/status", "namespaces/status"], [])]] {
		k8s_labels_write.fail == set() with input as world({"rules": rules})
		k8s_labels_write.scope == {"g"} with input as world({"rules": rules})
	}
}

test_out_of_scope if {
	every change in [{"subjects": []}, {"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}]}] {
		k8s_labels_write.scope == set() with input as world(object.union({"rules": [offence]}, change))
		k8s_labels_write.fail == set() with input as world(object.union({"rules": [offence]}, change))
	}
}

test_trusted_accounts_are_exempt if {
	every trusted in [
		{"kind": "ServiceAccount", "name": "operator", "namespace": "platform", "system": false},
		{"kind": "ServiceAccount", "name": "any", "namespace": "drivers", "system": false},
		{"kind": "User", "name": "system:serviceaccount:platform:operator", "namespace": "", "system": false},
	] {
		reason := {{"id": "g", "reason": sprintf("trusted by name: %s", [trusted.name])}}
		k8s_labels_write.exempt == reason with input as world({"rules": [offence], "subjects": [trusted]})
		k8s_labels_write.fail == set() with input as world({"rules": [offence], "subjects": [trusted]})
		k8s_labels_write.exempt == set() with input as world({"rules": [], "subjects": [trusted]})

		# one stranger among them is enough
		what := found("ClusterRole r: patch on nodes (core)")
		k8s_labels_write.fail == what with input as world({"rules": [offence], "subjects": [trusted, subject]})
		k8s_labels_write.exempt == set() with input as world({"rules": [offence], "subjects": [trusted, subject]})
	}
}

test_everything_is_judged_elsewhere if {
	k8s_labels_write.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [rule(["*"], ["*"], ["*"], [])]})
}

test_blind_proves_nothing if {
	every fact in ["rules", "subjects", "cluster_wide", "role"] {
		blind := object.union(world({}), {"resources": {"grant": [object.remove(object.union(grant, {"rules": [offence]}), [fact])]}})
		k8s_labels_write.fail == set() with input as blind
	}
}

test_the_own_namespace_counts if {
	own := rule(["patch"], [""], ["namespaces"], ["team"])
	some verdict in k8s_labels_write.fail with input as world({"rules": [own], "cluster_wide": false})
	verdict.actual == "ClusterRole r: patch on namespaces (core) named team"

	# named in the whole cluster; nodes are in no namespace
	k8s_labels_write.fail == set() with input as world({"rules": [own]})
	k8s_labels_write.fail == set() with input as world({"rules": [offence], "cluster_wide": false})
}
