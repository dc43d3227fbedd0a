"""Live ≡ plan, verdict by verdict: an estate judged before it is applied says what the account says afterwards, or that it cannot know yet.

The facts are compared in tests/collectors/terraform/test_twins.py; here are the verdicts that come of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from collectors.aws.collect import Options, collect_account
from collectors.terraform.plan import read_plan
from scanner.evaluate import Plan, evaluate
from scanner.model import Status, Verdict
from scanner.snapshot import Snapshot
from tests.collectors.terraform.twins import live_ids, replay
from tests.house import corpus
from tests.house.tree import ROOT

TWINS = sorted(p.name for p in (ROOT / "fixtures" / "twins").iterdir() if (p / "plan.json").is_file())
OTHERWISE = {
    ("encryption.store_cmk", "AWS::S3::Bucket"): "moto has no default encryption; S3 has, since 2023",
    ("integrity.store_inventory", "AWS::S3::Bucket"): "moto forgets the optional fields of inventories in the listing",
    ("transit.distribution_tls", "AWS::CloudFront::Distribution"): "moto says of all that they have CloudFront's own certificate",
    # what a plan makes is judged as what it is made for
    ("network.model_isolated", "AWS::SageMaker::Model"): "moto forgets the isolation, and no endpoint serves the model yet",
    ("integrity.backup_vault_locked", "AWS::Backup::BackupVault"): "the vault holds nothing yet",
}
"""Verdicts that may differ → why."""
CREDENTIALS = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}


def judged(path: Path) -> Mapping[tuple[str, str], Verdict]:
    library = corpus.library()
    plan = Plan(
        path, tuple(r for r in corpus.rules() if any(n.startswith("AWS::") for n in r.covers)), library.modules, corpus.params()
    )
    return {(v.rule, v.subject): v for v in evaluate(plan).verdicts if v.level == "resource"}


@pytest.mark.parametrize("name", TWINS)
def test_plan_and_account_get_the_same_verdicts(name: str, moto_server: str, tmp_path: Path) -> None:
    folder = ROOT / "fixtures" / "twins" / name
    assert replay(folder / "apply_requests.jsonl", moto_server) == []
    with Snapshot.create(tmp_path / "live") as snapshot:
        collect_account(Options(endpoint=moto_server, regions=("us-east-1",), credentials=CREDENTIALS), snapshot, now=corpus.NOW)
        snapshot.finish()
    estate = read_plan(folder / "plan.json", name=name, now=corpus.NOW)
    with Snapshot.create(tmp_path / "plan") as snapshot:
        snapshot.source(estate.source)
        snapshot.page(estate.resources)
        for row in estate.coverage:
            snapshot.coverage(row)
        snapshot.finish()
    ids = live_ids(json.loads((folder / "state.json").read_text()))
    live, planned = judged(tmp_path / "live"), judged(tmp_path / "plan")
    both = 0
    for (rule, subject), verdict in planned.items():
        other = live.get((rule, ids.get(subject, subject)))
        if other is None or Status.UNKNOWN in (verdict.status, other.status) or (rule, verdict.native_type) in OTHERWISE:
            continue
        both += 1
        assert verdict.status is other.status, (rule, subject, verdict.message, other.message)
    assert both >= 5, "hardly anything was compared"
