package policies.transit.distribution_tls_test

import data.policies.transit.distribution_tls
import rego.v1

endpoint := {
	"id": "e", "endpoint_type": "distribution", "enabled": true, "clear_paths": [], "tls_versions": ["1.2", "1.3"],
	"tls_weak_ciphers": [], "clear_origins": [], "origin_tls_versions": ["1.2"],
}

params := {"transit.distribution_tls": {"min_version": "1.2"}}

world(changes) := {"params": params, "resources": {"endpoint": [object.union(endpoint, changes)]}}

blind(changes, facts) := {"params": params, "resources": {"endpoint": [object.remove(object.union(endpoint, changes), facts)]}}

bad := {
	"clear_paths": ["*", "/models/*"], "tls_versions": ["ssl3", "1.0", "1.1", "1.2", "1.3"], "tls_weak_ciphers": ["AES128-SHA256"],
	"clear_origins": ["o"], "origin_tls_versions": ["1.0", "1.2"],
}

findings := {
	"clear_paths": {
		"id": "e", "fact": "clear_paths", "expected": [], "tag": "paths",
		"message": "answers over plain HTTP at *, /models/*",
	},
	"tls_versions": {
		"id": "e", "fact": "tls_versions", "expected": "TLS 1.2 or later", "tag": "versions",
		"message": "accepts TLS versions below 1.2: 1.0, 1.1, ssl3",
	},
	"tls_weak_ciphers": {
		"id": "e", "fact": "tls_weak_ciphers", "expected": [], "tag": "ciphers",
		"message": "accepts 1 weak ciphers",
	},
	"clear_origins": {
		"id": "e", "fact": "clear_origins", "expected": [], "tag": "origins",
		"message": "asks its origins over plain HTTP: o",
	},
	"origin_tls_versions": {
		"id": "e", "fact": "origin_tls_versions", "expected": "TLS 1.2 or later", "tag": "origin-versions",
		"message": "speaks TLS versions below 1.2 with its origins: 1.0",
	},
}

test_each_fails if {
	found := findings
	worse := bad
	every fact, finding in found {
		distribution_tls.fail == {finding} with input as world({fact: worse[fact]})
	}
}

test_passes if {
	distribution_tls.scope == {"e"} with input as world({})
	distribution_tls.fail == set() with input as world({})
	distribution_tls.fail == set() with input as world({"tls_versions": ["1.3"], "origin_tls_versions": []})
}

test_the_minimum_is_a_parameter if {
	strict := object.union(world({}), {"params": {"transit.distribution_tls": {"min_version": "1.3"}}})
	{finding.tag | some finding in distribution_tls.fail} == {"versions", "origin-versions"} with input as strict
}

test_out_of_scope if {
	every change in [{"enabled": false}, {"endpoint_type": "listener"}] {
		distribution_tls.scope == set() with input as world(object.union(bad, change))
		distribution_tls.fail == set() with input as world(object.union(bad, change))
	}
}

test_blind_proves_nothing if {
	every fact, finding in findings {
		distribution_tls.fail == set() with input as blind({}, [fact])
		not finding in distribution_tls.fail with input as blind(bad, [fact])
	}
	distribution_tls.fail == set() with input as blind(bad, ["enabled"])
	distribution_tls.fail == set() with input as blind(bad, ["endpoint_type"])
}
