package policies.exposure.k8s_ingress_snippets_test

import data.policies.exposure.k8s_ingress_snippets
import rego.v1

thing := {"id": "i", "endpoint_type": "ingress", "snippets": []}

world(changes) := {"resources": {"endpoint": [object.union(thing, changes)]}}

bad := object.union(thing, {"snippets": ["nginx.ingress.kubernetes.io/server-snippet"]})

test_snippets_fail if {
	k8s_ingress_snippets.fail == {{
		"id": "i", "fact": "snippets", "expected": [], "actual": ["nginx.ingress.kubernetes.io/server-snippet"],
		"message": "nginx.ingress.kubernetes.io/server-snippet is configuration of nginx", "tag": "nginx.ingress.kubernetes.io/server-snippet",
	}} with input as world({"snippets": ["nginx.ingress.kubernetes.io/server-snippet"]})
}

test_sound_passes if {
	k8s_ingress_snippets.fail == set() with input as world({})
	k8s_ingress_snippets.scope == {"i"} with input as world({})
}

test_services_are_out_of_scope if {
	k8s_ingress_snippets.scope == set() with input as world({"endpoint_type": "service"})
}

test_other_kinds_are_out_of_scope if {
	k8s_ingress_snippets.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_ingress_snippets.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["endpoint_type", "snippets"] {
		blind := {"resources": {"endpoint": [object.remove(bad, [fact])]}}
		k8s_ingress_snippets.fail == set() with input as blind
	}
}
