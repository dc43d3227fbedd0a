package policies.transit.k8s_linkerd_authenticated_test

import data.policies.transit.k8s_linkerd_authenticated
import rego.v1

workload := {"id": "w", "mesh": "linkerd", "linkerd_open": false, "linkerd_bypassed": []}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}}

test_open_fails if {
	k8s_linkerd_authenticated.fail == {
		{"id": "w", "fact": "linkerd_open", "expected": false, "message": "it takes callers that prove nothing, in clear text"},
	} with input as world({"linkerd_open": true})
}

test_bypassed_fails if {
	k8s_linkerd_authenticated.fail == {
		{"id": "w", "fact": "linkerd_bypassed", "expected": [], "message": "ports 8000 bypass the proxy"},
	} with input as world({"linkerd_bypassed": ["8000"]})
}

test_authenticated_passes if {
	k8s_linkerd_authenticated.fail == set() with input as world({})
	k8s_linkerd_authenticated.scope == {"w"} with input as world({})
}

test_out_of_scope if {
	k8s_linkerd_authenticated.scope == set() with input as world({"mesh": "none", "linkerd_open": true})
	k8s_linkerd_authenticated.fail == set() with input as world({"mesh": "none", "linkerd_open": true})
}

test_blind_proves_nothing if {
	blind := {"resources": {"workload": [object.remove(workload, ["linkerd_open", "linkerd_bypassed"])]}}
	k8s_linkerd_authenticated.fail == set() with input as blind
}
