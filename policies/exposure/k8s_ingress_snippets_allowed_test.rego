package policies.exposure.k8s_ingress_snippets_allowed_test

import data.policies.exposure.k8s_ingress_snippets_allowed
import rego.v1

thing := {"id": "m", "settings": {"component": "ingress-nginx"}, "snippets_allowed": false}

world(changes) := {"resources": {"configuration": [object.union(thing, changes)]}}

bad := object.union(thing, {"snippets_allowed": true})

test_allowed_fails if {
	k8s_ingress_snippets_allowed.fail == {{
		"id": "m", "fact": "snippets_allowed", "expected": false,
		"message": "it lets annotations put text of their own into the configuration of nginx",
	}} with input as world({"snippets_allowed": true})
}

test_sound_passes if {
	k8s_ingress_snippets_allowed.fail == set() with input as world({})
	k8s_ingress_snippets_allowed.scope == {"m"} with input as world({})
}

test_other_settings_are_out_of_scope if {
	k8s_ingress_snippets_allowed.scope == set() with input as world({"settings": {"component": "cilium"}})
	k8s_ingress_snippets_allowed.scope == set() with input as {"resources": {"configuration": [{"id": "m", "settings": {}, "snippets_allowed": false}]}}
}

test_other_kinds_are_out_of_scope if {
	k8s_ingress_snippets_allowed.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_ingress_snippets_allowed.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["settings", "snippets_allowed"] {
		blind := {"resources": {"configuration": [object.remove(bad, [fact])]}}
		k8s_ingress_snippets_allowed.fail == set() with input as blind
	}
}
