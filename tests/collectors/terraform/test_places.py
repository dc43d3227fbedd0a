"""Which of the things that a fact is read from is shown: what decides it, else the block that holds them all, never another."""

from __future__ import annotations

import pytest

from collectors.terraform.plan import read_plan
from tests.collectors.terraform.conftest import FIXTURES

CASES = [
    # the attribute that has the value, in a joined resource
    ("twins/buckets", "aws_s3_bucket.raw", "versioning", 'status = "Suspended"'),
    # of several that are read, the one without which it would be another
    ("types/02-keys-secrets", "aws_secretsmanager_secret.dead_key", "rotation_days", 'schedule_expression = "rate(365 days)"'),
    # a value that stands there as it is
    ("twins/buckets", "aws_s3_bucket.golden", "key_id", "kms_master_key_id = aws_kms_key.data.arn"),
    # nothing that is written has or decides it: the block that would hold it
    ("twins/buckets", "aws_s3_bucket.managed", "key_id", "apply_server_side_encryption_by_default {"),
    # a name says nothing of a setting, and a type, engine or protocol neither
    ("types/06-containers", "aws_ecr_repository.bad", "key_id", None),
    # a list of things: which of them is meant only a rule knows
    ("twins/networks", "aws_vpn_connection.v", "tunnels", None),
]


def found(folder: str, address: str, fact: str) -> str | None:
    root = FIXTURES / (f"plans/{folder}" if folder.startswith("types") else folder)
    resources = {r.id: r for r in read_plan(root / "plan.json", source=root).resources if fact in r.facts}
    place = resources[f"plan/{address}"].places.get(fact)
    return (root / place.file).read_text().split("\n")[place.line - 1].strip() if place else None


@pytest.mark.parametrize(("folder", "address", "fact", "line"), CASES)
def test_the_place_of_a_fact(folder: str, address: str, fact: str, line: str | None) -> None:
    assert found(folder, address, fact) == line
