package policies.workload.kubelet_hardening_test

import data.policies.workload.kubelet_hardening
import rego.v1

base := {"id": "x", "serverless": false, "kubelet_seccomp_default": true, "kubelet_pids_limit": 4096}

world(changes) := {"resources": {"node": [object.union(base, changes)]}}

test_no_seccomp_fails if {
	found := {{"id": "x", "fact": "kubelet_seccomp_default", "expected": true, "message": "containers without a profile run without one (seccompDefault)"}}
	kubelet_hardening.fail == found with input as world({"kubelet_seccomp_default": false})
	kubelet_hardening.scope == {"x"} with input as world({"kubelet_seccomp_default": false})
}

test_no_limit_fails if {
	found := {{"id": "x", "fact": "kubelet_pids_limit", "expected": "a limit", "message": "pods may take every process of the node (podPidsLimit)"}}
	kubelet_hardening.fail == found with input as world({"kubelet_pids_limit": -1})
	kubelet_hardening.fail == found with input as world({"kubelet_pids_limit": 0})
	kubelet_hardening.scope == {"x"} with input as world({"kubelet_pids_limit": -1})
}

test_sound_passes if {
	kubelet_hardening.fail == set() with input as world({})
	kubelet_hardening.scope == {"x"} with input as world({})
}

test_unseen_scope_is_out_of_scope if {
	kubelet_hardening.fail == set() with input as world({"serverless": null})
	kubelet_hardening.scope == set() with input as world({"serverless": null})
}

test_serverless_is_exempt if {
	reasons := {{"id": "x", "reason": "the provider runs the node alone"}}
	kubelet_hardening.exempt == reasons with input as world({"serverless": true})
	kubelet_hardening.fail == set() with input as world({"serverless": true})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"kubelet_seccomp_default": false, "kubelet_pids_limit": -1})
	blind := {"resources": {"node": [object.remove(bad, ["kubelet_seccomp_default", "kubelet_pids_limit"])]}}
	kubelet_hardening.fail == set() with input as blind
}
