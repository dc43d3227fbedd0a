package policies.encryption.audit_log_cmk_test

import data.policies.encryption.audit_log_cmk
import rego.v1

log := {"id": "x", "key_manager": "customer"}

world(changes) := {"resources": {"audit_log": [object.union(log, changes)]}}

blind(facts) := {"resources": {"audit_log": [object.remove(log, facts)]}}

test_fails if {
	every manager in ["none", "provider"] {
		audit_log_cmk.fail == {{
			"id": "x", "fact": "key_manager", "expected": "customer",
			"message": "no customer-managed key encrypts its log files",
		}} with input as world({"key_manager": manager})
	}
}

test_passes if {
	audit_log_cmk.scope == {"x"} with input as world({})
	audit_log_cmk.fail == set() with input as world({})
}

test_out_of_scope if audit_log_cmk.scope == set() with input as {"resources": {"network": [log]}}

test_blind_proves_nothing if {
	audit_log_cmk.scope == {"x"} with input as blind(["key_manager"])
	audit_log_cmk.fail == set() with input as blind(["key_manager"])
}
