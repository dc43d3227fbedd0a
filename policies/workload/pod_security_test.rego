package policies.workload.pod_security_test

import data.policies.workload.pod_security
import rego.v1

namespace := {"id": "n", "system": false, "pod_security_enforce": "baseline"}

world(changes) := {"resources": {"namespace": [object.union(namespace, changes)]}}

test_none_fails if {
	pod_security.fail == {
		{"id": "n", "fact": "pod_security_enforce", "expected": "baseline or restricted", "message": "enforces no Pod Security level"},
	} with input as world({"pod_security_enforce": "none"})
}

test_privileged_fails if {
	pod_security.fail == {
		{"id": "n", "fact": "pod_security_enforce", "expected": "baseline or restricted", "message": "enforces the level privileged, which allows everything"},
	} with input as world({"pod_security_enforce": "privileged"})
}

test_sound_passes if {
	pod_security.fail == set() with input as world({})
	pod_security.scope == {"n"} with input as world({})
}

test_restricted_passes if {
	pod_security.fail == set() with input as world({"pod_security_enforce": "restricted"})
	pod_security.scope == {"n"} with input as world({"pod_security_enforce": "restricted"})
}

test_out_of_scope if {
	every change in [{"system": true, "pod_security_enforce": "none"}] {
		pod_security.scope == set() with input as world(change)
		pod_security.fail == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	blind := {"resources": {"namespace": [object.remove(namespace, ["pod_security_enforce"])]}}
	pod_security.fail == set() with input as blind
}
