package policies.exposure.k8s_load_balancer_open_test

import data.policies.exposure.k8s_load_balancer_open
import rego.v1

endpoint := {"id": "e", "service_type": "LoadBalancer", "internet_facing": true, "source_ranges": ["203.0.113.0/24"]}

world(changes) := {"resources": {"endpoint": [object.union(endpoint, changes)]}}

test_open_fails if {
	k8s_load_balancer_open.fail == {
		{"id": "e", "fact": "source_ranges", "expected": "an internal address, or named ranges", "message": "its load balancer is open to the internet"},
	} with input as world({"source_ranges": []})
}

test_all_ranges_fails if {
	k8s_load_balancer_open.fail == {
		{"id": "e", "fact": "source_ranges", "expected": "an internal address, or named ranges", "message": "its load balancer is open to the internet"},
	} with input as world({"source_ranges": ["10.0.0.0/8", "::/0"]})
}

test_halves_and_spellings_fail if {
	every range in ["0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "8000::/1"] {
		count(k8s_load_balancer_open.fail) == 1 with input as world({"source_ranges": ["10.0.0.0/8", range]})
	}
}

test_narrow_passes if {
	every range in ["10.0.0.0/8", "8.0.0.0/5", "2001:db8::/32", "junk"] {
		k8s_load_balancer_open.fail == set() with input as world({"source_ranges": [range]})
	}
}

test_sound_passes if {
	k8s_load_balancer_open.fail == set() with input as world({})
	k8s_load_balancer_open.scope == {"e"} with input as world({})
}

test_out_of_scope if {
	every change in [{"service_type": "ClusterIP", "source_ranges": []}, {"service_type": "NodePort", "source_ranges": []}] {
		k8s_load_balancer_open.scope == set() with input as world(change)
		k8s_load_balancer_open.fail == set() with input as world(change)
	}
}

test_internal_is_safe if {
	k8s_load_balancer_open.safe == {"e"} with input as world({"internet_facing": false, "source_ranges": []})
	k8s_load_balancer_open.fail == set() with input as world({"internet_facing": false, "source_ranges": []})
}

test_blind_proves_nothing if {
	blind := {"resources": {"endpoint": [object.remove(endpoint, ["internet_facing", "source_ranges"])]}}
	k8s_load_balancer_open.fail == set() with input as blind
	k8s_load_balancer_open.safe == set() with input as blind
}
