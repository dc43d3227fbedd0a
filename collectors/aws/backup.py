"""AWS Backup: vaults, and what has a recovery point in one."""

from __future__ import annotations

from typing import Any

from collectors.aws import arn
from collectors.table import Call, Const, Field, Table

VAULT = "https://docs.aws.amazon.com/aws-backup/latest/devguide/API_BackupVaultListMember.html"
ENCRYPTION = "https://docs.aws.amazon.com/aws-backup/latest/devguide/encryption.html"
AIR_GAPPED = "https://docs.aws.amazon.com/aws-backup/latest/devguide/logicallyairgappedvault.html"
LOCK = "https://docs.aws.amazon.com/aws-backup/latest/devguide/vault-lock.html"

ISOLATED = {"BACKUP_VAULT": False, "LOGICALLY_AIR_GAPPED_BACKUP_VAULT": True, "RESTORE_ACCESS_BACKUP_VAULT": True}
"""Type of a vault → it may have a key of AWS's by design. The last of them shows what is in another account's."""

PROTECTED = Call("backup", "list_protected_resources", take="Results")
"""What has a recovery point, of whatever age, in some vault."""


def key_selectable(vault: str | None, key: str | None) -> bool:
    """Not a vault that AWS isolates and encrypts with a key of its own, on purpose. KeyError for a type that is not known."""
    return not ISOLATED[vault or "BACKUP_VAULT"] or key == "CUSTOMER_MANAGED_KMS_KEY"


def vault_key(partition: str, region: str, account: str, key: str | None, owner: str | None) -> Any:
    """The key; of one that AWS owns nothing is to be seen."""
    return "" if owner == "AWS_OWNED_KMS_KEY" else arn.key_arn(partition, region, account, key)


VAULTS = Table(
    kind="data_store",
    native_type="AWS::Backup::BackupVault",
    list=Call("backup", "list_backup_vaults", take="BackupVaultList"),
    id=Field("item.BackupVaultArn"),
    name=Field("item.BackupVaultName"),
    tags=arn.tags("tags"),
    detail={
        "tags": Call(
            "backup", "list_tags", args={"ResourceArn": "item.BackupVaultArn"}, take="Tags", token=("NextToken", "NextToken")
        )
    },
    facts={
        "store_type": Const("backup_vault"),
        "encrypted": Field("item.BackupVaultName", lambda _: True, source=ENCRYPTION),
        "key_id": Field((*arn.PLACE, "item.EncryptionKeyArn", "item.EncryptionKeyType"), vault_key, source=ENCRYPTION),
        "key_selectable": Field(("item.VaultType", "item.EncryptionKeyType"), key_selectable, absent=True, source=AIR_GAPPED),
        "locked": Field("item.Locked", absent=False, source=LOCK),
        "lock_date": Field("item.LockDate", absent="", source=LOCK),
        "recovery_point_count": Field("item.NumberOfRecoveryPoints", absent=0, source=VAULT),
    },
)

TABLES: tuple[Table, ...] = (VAULTS,)
