package policies.logging.cluster_audit_logs_test

import data.policies.logging.cluster_audit_logs
import rego.v1

cluster := {"id": "c", "audit_logs": ["api", "audit", "authenticator"]}

params := {"logging.cluster_audit_logs": {"types": ["audit", "authenticator"]}}

world(changes) := {"params": params, "resources": {"cluster": [object.union(cluster, changes)]}}

blind(facts) := {"params": params, "resources": {"cluster": [object.remove(cluster, facts)]}}

test_fails if {
	cluster_audit_logs.fail == {{
		"id": "c", "fact": "audit_logs", "expected": ["audit", "authenticator"],
		"message": "keeps no audit, authenticator log",
	}} with input as world({"audit_logs": ["api"]})
}

test_passes if {
	cluster_audit_logs.scope == {"c"} with input as world({})
	cluster_audit_logs.fail == set() with input as world({})
}

test_out_of_scope if cluster_audit_logs.scope == set() with input as {"params": params, "resources": {"network": [cluster]}}

test_blind_proves_nothing if {
	cluster_audit_logs.scope == {"c"} with input as blind(["audit_logs"])
	cluster_audit_logs.fail == set() with input as blind(["audit_logs"])
}
