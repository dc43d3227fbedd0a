package policies.logging.audit_bucket_test

import data.policies.logging.audit_bucket
import rego.v1

bucket := {
	"id": "b", "audit_log_of": ["t"], "policy_public": "no", "policy_public_blocked": true,
	"acl_public": false, "acl_public_blocked": true, "object_lock": "compliance", "versioning": "enabled",
}

asked(resource) := {
	"resources": {"data_store": [resource]},
	"params": {"logging.audit_bucket": {"modes": ["compliance", "governance"]}},
}

world(changes) := asked(object.union(bucket, changes))

test_open_fails if {
	audit_bucket.fail == {{
		"id": "b", "fact": "policy_public", "tag": "policy", "expected": "no",
		"message": "the policy of the audit log's bucket lets anyone in, and nothing blocks it",
	}} with input as world({"policy_public": "yes", "policy_public_blocked": false})
	audit_bucket.fail == {{
		"id": "b", "fact": "acl_public", "tag": "acl", "expected": false,
		"message": "the ACL of the audit log's bucket lets anyone in, and nothing blocks it",
	}} with input as world({"acl_public": true, "acl_public_blocked": false})
}

test_unlocked_fails if {
	audit_bucket.fail == {{
		"id": "b", "fact": "object_lock", "tag": "lock", "expected": "compliance or governance",
		"message": "nothing locks the audit log: who may delete versions can delete it",
	}} with input as world({"object_lock": "none"})
	audit_bucket.fail == {{
		"id": "b", "fact": "object_lock", "tag": "lock", "expected": "compliance or governance",
		"message": "nothing locks the audit log, and no old versions are kept",
	}} with input as world({"object_lock": "none", "versioning": "off"})
}

test_passes if {
	every change in [{}, {"object_lock": "governance"}, {"policy_public": "yes"}] {
		audit_bucket.fail == set() with input as world(change)
		audit_bucket.safe == {"b"} with input as world(change)
	}
}

test_out_of_scope if {
	audit_bucket.scope == set() with input as world({"audit_log_of": []})
	audit_bucket.fail == set() with input as world({"audit_log_of": [], "object_lock": "none"})
	audit_bucket.safe == set() with input as world({"audit_log_of": []})
}

test_blind_proves_nothing if {
	open := object.union(bucket, {"policy_public": "yes", "policy_public_blocked": false, "object_lock": "none"})
	audit_bucket.fail == set() with input as asked(object.remove(open, ["policy_public_blocked", "object_lock"]))
	audit_bucket.fail == set() with input as asked(object.remove(open, ["audit_log_of"]))
	audit_bucket.safe == set() with input as asked(object.remove(bucket, ["object_lock"]))
	audit_bucket.safe == set() with input as asked(object.remove(bucket, ["policy_public", "policy_public_blocked"]))
}
