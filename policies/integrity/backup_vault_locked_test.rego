package policies.integrity.backup_vault_locked_test

import data.policies.integrity.backup_vault_locked
import rego.v1

vault := {"id": "v", "store_type": "backup_vault", "recovery_point_count": 3, "locked": true, "lock_date": "2026-01-01T00:00:00Z"}

asked(resource, final) := {
	"resources": {"data_store": [resource]}, "now": "2026-11-30T00:00:00Z",
	"params": {"integrity.backup_vault_locked": {"final": final}},
}

world(changes) := asked(object.union(vault, changes), false)

strict(changes) := asked(object.union(vault, changes), true)

test_unlocked_fails if {
	backup_vault_locked.fail == {{"id": "v", "fact": "locked", "expected": true, "message": "nothing locks its recovery points"}} with input as world({"locked": false, "lock_date": ""})
	backup_vault_locked.safe == set() with input as world({"locked": false})
}

test_not_final_fails_where_asked if {
	backup_vault_locked.fail == {{
		"id": "v", "fact": "lock_date", "expected": "a date that has passed",
		"message": "its lock never becomes final: who manages the vault may take it away",
	}} with input as strict({"lock_date": ""})
	backup_vault_locked.fail == {{
		"id": "v", "fact": "lock_date", "expected": "a date that has passed",
		"message": "its lock is not final yet: who manages the vault may take it away",
	}} with input as strict({"lock_date": "2026-12-03T00:00:00Z"})
	backup_vault_locked.fail == set() with input as world({"lock_date": ""})
}

test_passes if {
	backup_vault_locked.fail == set() with input as world({})
	backup_vault_locked.safe == {"v"} with input as world({})
	backup_vault_locked.fail == set() with input as strict({})
	backup_vault_locked.scope == {"v"} with input as strict({})
}

test_planned_is_judged_though_empty if {
	backup_vault_locked.fail == {{"id": "plan/v", "fact": "locked", "expected": true, "message": "nothing locks its recovery points"}} with input as world({"id": "plan/v", "recovery_point_count": 0, "locked": false})
}

test_out_of_scope if {
	every change in [{"recovery_point_count": 0}, {"store_type": "bucket"}] {
		backup_vault_locked.scope == set() with input as world(object.union(change, {"locked": false}))
		backup_vault_locked.fail == set() with input as world(object.union(change, {"locked": false}))
		backup_vault_locked.safe == set() with input as world(change)
	}
}

test_blind_proves_nothing if {
	backup_vault_locked.fail == set() with input as asked(object.remove(object.union(vault, {"locked": false}), ["recovery_point_count"]), false)
	backup_vault_locked.safe == set() with input as asked(object.remove(vault, ["locked"]), false)
	backup_vault_locked.fail == set() with input as asked(object.remove(vault, ["lock_date"]), true)
}
