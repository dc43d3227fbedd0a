package policies.exposure.k8s_controllers_test

import data.policies.exposure.k8s_controllers
import rego.v1

base := {"id": "x", "controllers": "here", "bind_address": "127.0.0.1", "profiling": false, "account_credentials": true, "controller_files_missing": []}

world(changes) := {"resources": {"cluster": [object.union(base, changes)]}}

test_public_fails if {
	found := {{"id": "x", "fact": "bind_address", "expected": "127.0.0.1", "message": "it listens on 0.0.0.0"}}
	k8s_controllers.fail == found with input as world({"bind_address": "0.0.0.0"})
	k8s_controllers.scope == {"x"} with input as world({"bind_address": "0.0.0.0"})
}

test_profiling_fails if {
	found := {{"id": "x", "fact": "profiling", "expected": false, "message": "its profiling endpoints answer"}}
	k8s_controllers.fail == found with input as world({"profiling": true})
	k8s_controllers.scope == {"x"} with input as world({"profiling": true})
}

test_one_account_fails if {
	found := {{"id": "x", "fact": "account_credentials", "expected": true, "message": "its controllers share one account (--use-service-account-credentials)"}}
	k8s_controllers.fail == found with input as world({"account_credentials": false})
	k8s_controllers.scope == {"x"} with input as world({"account_credentials": false})
}

test_no_files_fails if {
	found := {{"id": "x", "fact": "controller_files_missing", "expected": [], "message": "not set: --root-ca-file"}}
	k8s_controllers.fail == found with input as world({"controller_files_missing": ["root-ca-file"]})
	k8s_controllers.scope == {"x"} with input as world({"controller_files_missing": ["root-ca-file"]})
}

test_sound_passes if {
	k8s_controllers.fail == set() with input as world({})
	k8s_controllers.scope == {"x"} with input as world({})
}

test_loopback_v6_passes if {
	k8s_controllers.fail == set() with input as world({"bind_address": "::1"})
	k8s_controllers.scope == {"x"} with input as world({"bind_address": "::1"})
}

test_another_part_is_out_of_scope if {
	k8s_controllers.fail == set() with input as world({"controllers": "elsewhere"})
	k8s_controllers.scope == set() with input as world({"controllers": "elsewhere"})
}

test_pods_is_exempt if {
	reasons := {{"id": "x", "reason": "judged on the pods of its control plane"}}
	k8s_controllers.exempt == reasons with input as world({"controllers": "pods"})
	k8s_controllers.fail == set() with input as world({"controllers": "pods"})
}

test_provider_is_exempt if {
	reasons := {{"id": "x", "reason": "its provider runs the control plane: the rules about the provider's cluster judge it"}}
	k8s_controllers.exempt == reasons with input as world({"controllers": "provider"})
	k8s_controllers.fail == set() with input as world({"controllers": "provider"})
}

test_blind_proves_nothing if {
	bad := object.union(base, {"bind_address": "0.0.0.0", "profiling": true, "account_credentials": false, "controller_files_missing": ["root-ca-file"]})
	blind := {"resources": {"cluster": [object.remove(bad, ["bind_address", "profiling", "account_credentials", "controller_files_missing"])]}}
	k8s_controllers.fail == set() with input as blind
}
