package policies.transit.k8s_gateway_tls_version_test

import data.policies.transit.k8s_gateway_tls_version
import rego.v1

thing := {"id": "g", "endpoint_type": "gateway", "tls_versions": ["1.3"]}

world(changes) := {"resources": {"endpoint": [object.union(thing, changes)]}}

bad := object.union(thing, {"tls_versions": ["1.2", "1.3"]})

test_old_versions_fail if {
	k8s_gateway_tls_version.fail == {{
		"id": "g", "fact": "tls_versions", "expected": ["1.3"], "actual": ["1.1", "1.2", "1.3"],
		"message": "it accepts TLS 1.1, 1.2",
	}} with input as world({"tls_versions": ["1.1", "1.2", "1.3"]})
}

test_sound_passes if {
	k8s_gateway_tls_version.fail == set() with input as world({})
	k8s_gateway_tls_version.scope == {"g"} with input as world({})
}

test_without_tls_of_its_own_is_out_of_scope if {
	k8s_gateway_tls_version.scope == set() with input as world({"tls_versions": []})
	k8s_gateway_tls_version.scope == set() with input as world({"endpoint_type": "listener"})
}

test_other_kinds_are_out_of_scope if {
	k8s_gateway_tls_version.scope == set() with input as {"resources": {"other": [thing]}}
	k8s_gateway_tls_version.fail == set() with input as {"resources": {"other": [thing]}}
}

test_blind_proves_nothing if {
	every fact in ["endpoint_type", "tls_versions"] {
		blind := {"resources": {"endpoint": [object.remove(bad, [fact])]}}
		k8s_gateway_tls_version.fail == set() with input as blind
	}
}
