# METADATA
# title: Vaults that hold recovery points are locked
# description: >-
#   What encrypts the file systems goes for their backups next. A lock whose date has not come yet, or that has none, can
#   be taken away by whoever may manage the vault: set `final` to ask for one that nobody can take away. An empty vault is
#   not judged unless it is planned, and neither is whether what it holds comes from the factory.
# related_resources:
#   - https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html
# custom:
#   severity: low
#   kind: data_store
#   scope_on: [store_type, recovery_point_count]
#   fail_on: [locked, lock_date]
#   params:
#     final: false
#   controls:
#     nist_800_53_r5: [AU-9(2), CP-6, CP-6(1), CP-6(2), CP-9, CP-10, SC-5(2), SC-36(2), SI-13(5)]
#     iso_27001_2022: [A.8.14]
#     soc2: [A1.2]
#   covers:
#     AWS::Backup::BackupVault:
#       catalog: [AWS-RES-003]
#       fix:
#         cli: aws backup put-backup-vault-lock-configuration --backup-vault-name VAULT --min-retention-days 30 --changeable-for-days 3
#         terraform: aws_backup_vault_lock_configuration with changeable_for_days
package policies.integrity.backup_vault_locked

import data.policies.lib.moment
import rego.v1

final := input.params["integrity.backup_vault_locked"].final

scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "backup_vault"
	store.recovery_point_count > 0
}

# A planned vault is empty, and made to hold some.
scope contains store.id if {
	some store in input.resources.data_store
	store.store_type == "backup_vault"
	startswith(store.id, "plan/")
}

fail contains {"id": store.id, "fact": "locked", "expected": true, "message": "nothing locks its recovery points"} if {
	some store in input.resources.data_store
	store.id in scope
	store.locked == false
}

fail contains {
	"id": store.id, "fact": "lock_date", "expected": "a date that has passed",
	"message": "its lock never becomes final: who manages the vault may take it away",
} if {
	some store in input.resources.data_store
	store.id in scope
	final == true
	store.locked == true
	store.lock_date == ""
}

fail contains {
	"id": store.id, "fact": "lock_date", "expected": "a date that has passed",
	"message": "its lock is not final yet: who manages the vault may take it away",
} if {
	some store in input.resources.data_store
	store.id in scope
	final == true
	store.locked == true
	moment.days_since(store.lock_date) < 0
}

safe contains store.id if {
	some store in input.resources.data_store
	store.id in scope
	final == false
	store.locked == true
}
