package policies.credentials.k8s_token_lifetime_test

import data.policies.credentials.k8s_token_lifetime
import rego.v1

workload := {"id": "w", "projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 3600}]}

world(changes) := {"resources": {"workload": [object.union(workload, changes)]}, "params": {"credentials.k8s_token_lifetime": {"longest": 86400, "external": ["/var/run/secrets/vault/"]}}}

test_long_fails if {
	k8s_token_lifetime.fail == {{"id": "w", "fact": "projected_tokens", "expected": "at most 86400 seconds", "actual": {"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 86401}, "tag": "lifetime vault", "message": "the token in the volume vault lives 86401 seconds"}} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 86401}]})
	k8s_token_lifetime.scope == {"w"} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 86401}]})
}

test_for_another_without_audience_fails if {
	k8s_token_lifetime.fail == {{"id": "w", "fact": "projected_tokens", "expected": "an audience", "actual": {"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "", "seconds": 3600}, "tag": "audience /var/run/secrets/vault/token", "message": "the token at /var/run/secrets/vault/token is for another system, and good for the API server"}} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "", "seconds": 3600}]})
	k8s_token_lifetime.scope == {"w"} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "", "seconds": 3600}]})
}

test_a_day_passes if {
	k8s_token_lifetime.fail == set() with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 86400}]})
	k8s_token_lifetime.scope == {"w"} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/vault/token"], "audience": "vault", "seconds": 86400}]})
}

test_for_the_api_server_passes if {
	k8s_token_lifetime.fail == set() with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/kubernetes.io/serviceaccount/token"], "audience": "", "seconds": 3607}]})
	k8s_token_lifetime.scope == {"w"} with input as world({"projected_tokens": [{"volume": "vault", "paths": ["/var/run/secrets/kubernetes.io/serviceaccount/token"], "audience": "", "seconds": 3607}]})
}

test_none_is_out_of_scope if {
	k8s_token_lifetime.fail == set() with input as world({"projected_tokens": []})
	k8s_token_lifetime.scope == set() with input as world({"projected_tokens": []})
}

test_other_kinds_are_out_of_scope if {
	k8s_token_lifetime.scope == set() with input as {"resources": {"other": [workload]}, "params": {"credentials.k8s_token_lifetime": {"longest": 86400, "external": ["/var/run/secrets/vault/"]}}}
	k8s_token_lifetime.fail == set() with input as {"resources": {"other": [workload]}, "params": {"credentials.k8s_token_lifetime": {"longest": 86400, "external": ["/var/run/secrets/vault/"]}}}
}

test_blind_proves_nothing if {
	k8s_token_lifetime.fail == set() with input as {"resources": {"workload": [{"id": "w"}]}, "params": {"credentials.k8s_token_lifetime": {"longest": 86400, "external": ["/var/run/secrets/vault/"]}}}
}
