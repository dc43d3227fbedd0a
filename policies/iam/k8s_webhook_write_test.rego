package policies.iam.k8s_webhook_write_test

import data.policies.iam.k8s_webhook_write
import rego.v1

subject := {"kind": "ServiceAccount", "name": "ci", "namespace": "build", "system": false}

rule(verbs, groups, resources, named) := {"verbs": verbs, "api_groups": groups, "resources": resources, "resource_names": named, "non_resource_urls": []}

grant := {"id": "g", "subjects": [subject], "cluster_wide": true, "role": {"kind": "ClusterRole", "name": "r"}, "rules": [rule(["get"], [""], ["pods"], [])], "rules_settled": true}

world(changes) := {"resources": {"grant": [object.union(grant, changes)]}, "params": {"iam.k8s_webhook_write": {"accounts": ["platform/operator", "drivers/*"]}}}

found(actual) := {{"id": "g", "fact": "rules", "expected": "named webhooks and policies only", "actual": actual, "message": "build/ci may change what admission does"}}

offence := rule(["update"], ["admissionregistration.k8s.io"], ["validatingwebhookconfigurations"], [])

test_offence_fails if {
	what := found("ClusterRole r: update on validatingwebhookconfigurations (admissionregistration.k8s.io)")
	k8s_webhook_write.fail == what with input as world({"rules": [offence]})
}

test_sound_passes if {
	every rules in [[], [rule(["get"], ["admissionregistration.k8s.io"], ["*"], [])], [rule(["patch"], ["admissionregistration.k8s.io"], ["mutatingwebhookconfigurations"], ["istiod"])]] {
		k8s_webhook_write.fail == set() with input as world({"rules": rules})
		k8s_webhook_write.scope == {"g"} with input as world({"rules": rules})
	}
}

test_out_of_scope if {
	every change in [{"subjects": []}, {"subjects": [{"kind": "Group", "name": "system:masters", "namespace": "", "system": true}]}, {"cluster_wide": false}] {
		k8s_webhook_write.scope == set() with input as world(object.union({"rules": [offence]}, change))
		k8s_webhook_write.fail == set() with input as world(object.union({"rules": [offence]}, change))
	}
}

test_trusted_accounts_are_exempt if {
	every trusted in [
		{"kind": "ServiceAccount", "name": "operator", "namespace": "platform", "system": false},
		{"kind": "ServiceAccount", "name": "any", "namespace": "drivers", "system": false},
		{"kind": "User", "name": "system:serviceaccount:platform:operator", "namespace": "", "system": false},
	] {
		reason := {{"id": "g", "reason": sprintf("trusted by name: %s", [trusted.name])}}
		k8s_webhook_write.exempt == reason with input as world({"rules": [offence], "subjects": [trusted]})
		k8s_webhook_write.fail == set() with input as world({"rules": [offence], "subjects": [trusted]})
		k8s_webhook_write.exempt == set() with input as world({"rules": [], "subjects": [trusted]})

		# one stranger among them is enough
		what := found("ClusterRole r: update on validatingwebhookconfigurations (admissionregistration.k8s.io)")
		k8s_webhook_write.fail == what with input as world({"rules": [offence], "subjects": [trusted, subject]})
		k8s_webhook_write.exempt == set() with input as world({"rules": [offence], "subjects": [trusted, subject]})
	}
}

test_everything_is_judged_elsewhere if {
	k8s_webhook_write.exempt == {{"id": "g", "reason": "it grants everything, which iam.k8s_cluster_admin judges"}} with input as world({"rules": [rule(["*"], ["*"], ["*"], [])]})
}

test_blind_proves_nothing if {
	every fact in ["rules", "subjects", "cluster_wide", "role"] {
		blind := object.union(world({}), {"resources": {"grant": [object.remove(object.union(grant, {"rules": [offence]}), [fact])]}})
		k8s_webhook_write.fail == set() with input as blind
	}
}

test_policies_and_deletion_fail if {
	every offence in [rule(["delete"], ["admissionregistration.k8s.io"], ["validatingadmissionpolicybindings"], []), rule(["deletecollection"], ["*"], ["*"], []), rule(["create"], ["admissionregistration.k8s.io"], ["mutatingadmissionpolicies"], [])] {
		some verdict in k8s_webhook_write.fail with input as world({"rules": [offence]})
		verdict.id == "g"
	}
}
