from __future__ import annotations

import json

import pytest

from collectors.aws import secretsmanager
from collectors.table import MISSING
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
ARN = "arn:aws:secretsmanager:us-east-1:123456789012:secret:"


@pytest.mark.parametrize(
    ("expression", "days"),
    [
        ("rate(10 days)", 10),
        ("rate(1 day)", 1),
        ("rate(4 hours)", 1),
        ("rate(36 hours)", 2),
        ("rate(365 days)", 365),
        ("cron(0 8 1 * ? *)", 31),
        ("cron(0 /8 * * ? *)", 1),
        ("cron(0 8 ? * SUN *)", 7),
        ("cron(0 8 ? * 1#1 *)", 35),
        ("cron(0 8 1 */3 ? *)", 93),
        ("cron(0 8 1 1,7 ? *)", 186),
        ("cron(0 8 1 JAN-JUN ? *)", 217),
        ("cron(0 8 1 JAN ? *)", 372),
    ],
)
def test_schedules(expression, days):
    assert secretsmanager.schedule_days(expression) == days


@pytest.mark.parametrize(
    "expression", ["rate(1 year)", "cron(0 8 1 * ? 2026)", "cron(0 8 1 13 ? *)", "cron(0 8 1 MOON ? *)", "daily"]
)
def test_a_schedule_that_is_not_understood_is_unreadable(expression):
    with pytest.raises(ValueError, match=r"month|schedule|invalid|not in tuple"):
        secretsmanager.schedule_days(expression)


@pytest.mark.parametrize(
    ("enabled", "days", "expression", "expected"),
    [
        (True, 30, None, 30),
        (True, None, "rate(7 days)", 7),
        (None, 30, None, 0),
        (False, None, None, 0),
        (True, None, None, MISSING),
    ],
)
def test_rotation_days(enabled, days, expression, expected):
    assert secretsmanager.rotation_days(enabled, days, expression) == expected


def test_secrets(boto, look):
    client = boto("secretsmanager")
    client.create_secret(Name="good", KmsKeyId=KEY, SecretString="x", Tags=[{"Key": "Zone", "Value": "training"}])
    client.rotate_secret(SecretId="good", RotationRules={"AutomaticallyAfterDays": 30})
    policy = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "secretsmanager:GetSecretValue", "Resource": "*"}]}
    client.put_resource_policy(SecretId="good", ResourcePolicy=json.dumps(policy))
    client.create_secret(Name="plain", SecretString="x")
    client.create_secret(Name="gone", SecretString="x")
    client.delete_secret(SecretId="gone")

    seen = look(secretsmanager.SECRETS)

    assert seen.failed() == []
    assert sorted(r.name for r in seen.resources) == ["good", "plain"], "one that is being deleted is not there"
    good = seen.named("good")
    assert good.id.startswith(f"{ARN}good-")
    assert (good.tags, good.gaps) == ({"Zone": "training"}, {})
    moments = {n: good.facts[n] for n in ("created", "last_rotated", "last_changed")}
    assert all(value[:2] == "20" and value.endswith("Z") for value in moments.values())
    assert {k: v for k, v in good.facts.items() if k not in (*moments, "policy_statements")} == {
        "credential_type": "secret",
        "managed_by": "",
        "replica": False,
        "encrypted": True,
        "key_id": KEY,
        "rotation_enabled": True,
        "rotation_days": 30,
    }
    assert good.facts["policy_statements"][0]["principals"] == ["*"]
    plain = seen.named("plain").facts
    assert (plain["key_id"], plain["rotation_enabled"], plain["rotation_days"], plain["last_rotated"]) == ("", False, 0, "never")
    assert plain["policy_statements"] == []
    assert "get_secret_value" not in {c.operation for c in seen.asked}


def test_secrets_of_services_and_copies_from_elsewhere():
    owned = {
        "ARN": f"{ARN}a",
        "Name": "a",
        "OwningService": "directconnect",
        "PrimaryRegion": "us-east-1",
        "CreatedDate": "2026-06-01T00:00:00Z",
    }
    copied = {
        "ARN": f"{ARN}b",
        "Name": "b",
        "PrimaryRegion": "eu-west-1",
        "CreatedDate": "2026-06-01T00:00:00Z",
        "RotationEnabled": True,
    }
    seen = given(
        secretsmanager.SECRETS,
        answers={
            "secretsmanager:list_secrets": {"SecretList": [owned, copied]},
            f"secretsmanager:get_resource_policy:{ARN}a": {"ARN": f"{ARN}a"},
            f"secretsmanager:get_resource_policy:{ARN}b": "AccessDeniedException",
        },
    )
    first, second = seen.resources
    assert (first.facts["managed_by"], first.facts["replica"], first.facts["policy_statements"]) == ("directconnect", False, [])
    assert second.facts["replica"] is True
    assert second.gaps["policy_statements"].reason == "denied"
    assert second.gaps["rotation_days"].reason == "not_offered", "it rotates, and nothing says how often"
