package policies.exposure.k8s_ingress_nginx_test

import data.policies.exposure.k8s_ingress_nginx
import rego.v1

thing := {"id": "w", "ingress_nginx": [], "ingress_nginx_settled": true}

world(changes) := {"resources": {"workload": [object.union(thing, changes)]}}

controller := {"container": "controller", "version": "1.15.1", "fork": false}

bad := object.union(thing, {"ingress_nginx": [controller]})

test_retired_fails if {
	given := world({"ingress_nginx": [controller]})
	expected := {{
		"id": "w", "fact": "ingress_nginx", "expected": [], "actual": [controller],
		"message": "container controller is ingress-nginx, which was retired in March 2026", "tag": "controller",
	}}
	k8s_ingress_nginx.fail == expected with input as given
}

test_forks_are_not_proven if {
	k8s_ingress_nginx.fail == set() with input as world({"ingress_nginx": [object.union(controller, {"fork": true})]})
}

test_sound_passes if {
	k8s_ingress_nginx.fail == set() with input as world({})
	k8s_ingress_nginx.scope == {"w"} with input as world({})
}

test_other_kinds_are_out_of_scope if {
	k8s_ingress_nginx.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_ingress_nginx.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["ingress_nginx"] {
		blind := {"resources": {"workload": [object.remove(bad, [fact])]}}
		k8s_ingress_nginx.fail == set() with input as blind
	}
}
