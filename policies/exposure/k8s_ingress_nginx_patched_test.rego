package policies.exposure.k8s_ingress_nginx_patched_test

import data.policies.exposure.k8s_ingress_nginx_patched
import rego.v1

thing := {
	"id": "w", "ingress_nginx": [{"container": "controller", "version": "1.12.1", "fork": false}],
	"ingress_nginx_outdated": [], "ingress_nginx_outdated_settled": true,
}

world(changes) := {"resources": {"workload": [object.union(thing, changes)]}}

old := [{"container": "controller", "version": "1.11.4", "fixed": "1.11.5", "ids": ["CVE-2025-1974"]}]

bad := object.union(thing, {"ingress_nginx_outdated": old})

test_outdated_fails if {
	k8s_ingress_nginx_patched.fail == {{
		"id": "w", "fact": "ingress_nginx_outdated", "expected": "1.11.5", "actual": "1.11.4",
		"message": "container controller runs ingress-nginx 1.11.4, without the fix of CVE-2025-1974", "tag": "controller",
	}} with input as world({"ingress_nginx_outdated": old})
}

test_sound_passes if {
	k8s_ingress_nginx_patched.fail == set() with input as world({})
	k8s_ingress_nginx_patched.scope == {"w"} with input as world({})
}

test_other_pods_are_out_of_scope if {
	k8s_ingress_nginx_patched.scope == set() with input as world({"ingress_nginx": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_ingress_nginx_patched.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_ingress_nginx_patched.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["ingress_nginx", "ingress_nginx_outdated"] {
		blind := {"resources": {"workload": [object.remove(bad, [fact])]}}
		k8s_ingress_nginx_patched.fail == set() with input as blind
	}
}
