from __future__ import annotations

import json

import pytest

from collectors.aws import kms

ACCOUNT = "123456789012"


def test_algorithms():
    specs = {"SYMMETRIC_DEFAULT": "symmetric", "HMAC_256": "hmac", "RSA_2048": "asymmetric", "ECC_NIST_P256": "asymmetric"}
    specs |= {"SM2": "asymmetric", "ML_DSA_65": "asymmetric"}
    assert {spec: kms.algorithm(spec) for spec in specs} == specs


@pytest.mark.parametrize(
    ("enabled", "manager", "spec", "origin", "expected"),
    [
        (True, "CUSTOMER", "SYMMETRIC_DEFAULT", "AWS_KMS", True),
        (False, "CUSTOMER", "SYMMETRIC_DEFAULT", "AWS_KMS", False),
        (None, "AWS", "SYMMETRIC_DEFAULT", "AWS_KMS", True),
        (None, "CUSTOMER", "RSA_2048", "AWS_KMS", False),
        (None, "CUSTOMER", "SYMMETRIC_DEFAULT", "EXTERNAL", False),
    ],
)
def test_rotation_enabled(enabled, manager, spec, origin, expected):
    assert kms.rotation_enabled(enabled, manager, spec, origin) is expected


def test_a_key_that_can_rotate_needs_a_status():
    with pytest.raises(ValueError, match="no rotation status"):
        kms.rotation_enabled(None, "CUSTOMER", "SYMMETRIC_DEFAULT", "AWS_KMS")


def test_expires():
    assert kms.expires("KEY_MATERIAL_EXPIRES", "2027-01-01T00:00:00Z", "Enabled") == "2027-01-01T00:00:00Z"
    assert kms.expires("KEY_MATERIAL_DOES_NOT_EXPIRE", None, "Enabled") == "never"
    assert kms.expires(None, None, "PendingImport") == "missing"
    with pytest.raises(ValueError, match="not when"):
        kms.expires("KEY_MATERIAL_EXPIRES", None, "Enabled")


@pytest.mark.parametrize(
    ("meta", "asked"),
    [
        ({"KeyManager": "CUSTOMER", "KeySpec": "SYMMETRIC_DEFAULT", "Origin": "AWS_KMS"}, True),
        ({"KeyManager": "AWS", "KeySpec": "SYMMETRIC_DEFAULT", "Origin": "AWS_KMS"}, False),
        # https://github.com/prowler-cloud/prowler/issues/1785, https://github.com/nccgroup/ScoutSuite/issues/1636
        ({"KeyManager": "CUSTOMER", "KeySpec": "RSA_2048", "Origin": "AWS_KMS"}, False),
        ({"KeyManager": "CUSTOMER", "KeySpec": "HMAC_256", "Origin": "AWS_KMS"}, False),
        # https://github.com/prowler-cloud/prowler/issues/36
        ({"KeyManager": "CUSTOMER", "KeySpec": "SYMMETRIC_DEFAULT", "Origin": "EXTERNAL"}, False),
    ],
)
def test_rotation_is_asked_only_of_keys_that_can_rotate(meta, asked):
    assert kms.rotates({"meta": meta}) is asked


def test_keys(boto, look):
    client = boto("kms")
    policy = json.dumps({"Statement": [{"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "kms:*", "Resource": "*"}]})
    good = client.create_key(Policy=policy, Tags=[{"TagKey": "ai-role", "TagValue": "training"}])["KeyMetadata"]
    client.enable_key_rotation(KeyId=good["KeyId"])
    client.create_alias(AliasName="alias/data", TargetKeyId=good["KeyId"])
    for name in ("reader", "writer"):
        client.create_grant(
            KeyId=good["KeyId"], GranteePrincipal="arn:aws:iam::999999999999:root", Operations=["Decrypt"], Name=name
        )
    client.create_alias(AliasName="alias/checkpoints", TargetKeyId=good["KeyId"])
    still = client.create_key(MultiRegion=True)["KeyMetadata"]
    signing = client.create_key(KeySpec="RSA_2048", KeyUsage="SIGN_VERIFY")["KeyMetadata"]
    gone = client.create_key()["KeyMetadata"]
    client.schedule_key_deletion(KeyId=gone["KeyId"])

    seen = look(kms.KEYS)

    assert seen.failed() == []
    key = seen.named("alias/checkpoints")
    assert (key.id, key.region, key.tags) == (good["Arn"], "us-east-1", {"ai-role": "training"})
    assert key.gaps == {}
    statement = {
        "effect": "Allow",
        "actions": ["kms:*"],
        "not_actions": [],
        "resources": ["*"],
        "not_resources": [],
        "principals": ["*"],
        "not_principals": [],
        "conditions": [],
    }
    assert key.facts == {
        "manager": "customer",
        "state": "enabled",
        "algorithm": "symmetric",
        "origin": "provider",
        "rotation_enabled": True,
        "rotation_days": 365,
        "aliases": ["alias/checkpoints", "alias/data"],
        "expires": "never",
        "policy_statements": [statement],
        "grantees": ["arn:aws:iam::999999999999:root"],
        "aws.multi_region": "none",
    }
    facts = seen.named(still["KeyId"]).facts
    assert (facts["rotation_enabled"], facts["aws.multi_region"], facts["aliases"]) == (False, "primary", [])
    facts = seen.named(signing["KeyId"]).facts
    assert (facts["algorithm"], facts["rotation_enabled"]) == ("asymmetric", False)
    assert seen.named(gone["KeyId"]).facts["state"] == "pending_deletion"
    assert {c.operation for c in seen.asked} == {
        "list_keys",
        "describe_key",
        "get_key_rotation_status",
        "get_key_policy",
        "get_resources",
        "list_aliases",
        "list_grants",
    }
    assert sum(c.operation == "get_key_rotation_status" for c in seen.asked) == 3
