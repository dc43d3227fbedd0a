from __future__ import annotations

from botocore.session import get_session

from collectors.aws import backup
from tests.collectors.aws.answers import given

PLACE = "us-east-1:123456789012"
KEY = f"arn:aws:kms:{PLACE}:key/k"


def one(**more):
    vault = {"BackupVaultName": "v", "BackupVaultArn": f"arn:aws:backup:{PLACE}:backup-vault:v", **more}
    answers = {"backup:list_backup_vaults": {"BackupVaultList": [vault]}, "backup:list_tags": {"Tags": {"Zone": "data"}}}
    (found,) = given(*backup.TABLES, answers=answers).resources
    return found


def test_a_whole_vault():
    found = one(EncryptionKeyArn=KEY, Locked=True, LockDate="2026-12-24T00:00:00Z", NumberOfRecoveryPoints=3)
    assert (found.tags, found.gaps) == ({"Zone": "data"}, {})
    assert found.facts == {
        "store_type": "backup_vault",
        "encrypted": True,
        "key_id": KEY,
        "key_selectable": True,
        "locked": True,
        "lock_date": "2026-12-24T00:00:00Z",
        "recovery_point_count": 3,
    }


def test_a_vault_that_is_isolated_with_a_key_of_the_provider_s_takes_none():
    owned = one(VaultType="LOGICALLY_AIR_GAPPED_BACKUP_VAULT", EncryptionKeyType="AWS_OWNED_KMS_KEY").facts
    assert (owned["key_selectable"], owned["key_id"]) == (False, "")
    own = one(
        VaultType="LOGICALLY_AIR_GAPPED_BACKUP_VAULT", EncryptionKeyType="CUSTOMER_MANAGED_KMS_KEY", EncryptionKeyArn=KEY
    ).facts
    assert (own["key_selectable"], own["key_id"]) == (True, KEY)


def test_against_moto(boto, look):
    client = boto("backup")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    client.create_backup_vault(BackupVaultName="good", EncryptionKeyArn=key)
    client.create_backup_vault(BackupVaultName="bare")
    seen = look(*backup.TABLES)
    assert seen.failed() == []
    assert (seen.named("good").facts["key_id"], seen.named("bare").facts["key_id"]) == (key, "")


def test_a_vault_of_a_type_that_is_not_known_is_unknown():
    assert set(get_session().get_service_model("backup").shape_for("VaultType").enum) == set(backup.ISOLATED)
    assert one(VaultType="MOON_VAULT", EncryptionKeyType="AWS_OWNED_KMS_KEY").gaps.keys() == {"key_selectable"}
