package policies.workload.pod_security_met_test

import data.policies.workload.pod_security_met
import rego.v1

namespace := {"id": "n", "pod_security_enforce": "baseline", "pod_security_violations": [], "pod_security_settled": true, "pod_security_met": "restricted"}

violation := {"workload": "w", "violations": ["the pod sets hostPID", "container a is privileged"]}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_violation_fails if {
	what := {
		{"id": "n", "fact": "pod_security_violations", "expected": "baseline", "actual": violation, "message": "w does not meet baseline: the pod sets hostPID, container a is privileged"},
		{"id": "n", "fact": "pod_security_met", "expected": "baseline", "actual": "privileged", "message": "all its pods together meet privileged only"},
	}
	pod_security_met.fail == what with input as world({"pod_security_violations": [violation], "pod_security_met": "privileged"})
}

test_met_is_safe if {
	pod_security_met.fail == set() with input as world({})
	pod_security_met.safe == {"n"} with input as world({})
	pod_security_met.scope == {"n"} with input as world({})
}

test_safe_without_the_level if {
	blind := {"resources": {"namespace": [object.remove(namespace, ["pod_security_met"])]}}
	pod_security_met.safe == {"n"} with input as blind
}

test_out_of_scope if {
	every level in ["none", "privileged"] {
		pod_security_met.scope == set() with input as world({"pod_security_enforce": level, "pod_security_violations": [violation]})
		pod_security_met.fail == set() with input as world({"pod_security_enforce": level, "pod_security_violations": [violation]})
	}
}

test_blind_proves_nothing if {
	every fact in ["pod_security_violations", "pod_security_settled"] {
		blind := {"resources": {"namespace": [object.remove(namespace, [fact])]}}
		pod_security_met.fail == set() with input as blind
		pod_security_met.safe == set() with input as blind
	}
}
