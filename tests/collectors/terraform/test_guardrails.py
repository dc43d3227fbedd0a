"""Policies of an organisation in plans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from collectors.terraform.plan import read_plan
from scanner.model import Resource
from tests.conftest import ROOT

PLAN = ROOT / "fixtures" / "plans" / "types" / "08-identity" / "plan.json"


def policies(plan: dict[str, Any], tmp_path: Path) -> dict[str, Resource]:
    (tmp_path / "plan.json").write_text(json.dumps(plan))
    found = read_plan(tmp_path / "plan.json", name="p").resources
    return {r.id: r for r in found if r.native_type == "AWS::Organizations::Policy"}


def test_the_real_plan(tmp_path: Path) -> None:
    (found,) = policies(json.loads(PLAN.read_text()), tmp_path).values()
    assert found.id == "plan/aws_organizations_policy.scp"
    assert found.kind == "permission_set"
    assert found.region == "global"
    assert found.facts["policy_type"] == "service_control"
    assert found.facts["targets"] == ["r-ab12"]
    assert found.facts["system"] is False
    assert [s["actions"] for s in found.facts["statements"]] == [
        ["cloudtrail:StopLogging", "kms:ScheduleKeyDeletion", "guardduty:DeleteDetector"]
    ]
    assert found.gaps == {}


def test_other_sorts_of_policies_are_not_read(tmp_path: Path) -> None:
    plan = json.loads(PLAN.read_text())
    (change,) = [c for c in plan["resource_changes"] if c["type"] == "aws_organizations_policy"]
    change["change"]["after"]["type"] = "TAG_POLICY"
    assert policies(plan, tmp_path) == {}
    change["change"]["after"]["type"] = "RESOURCE_CONTROL_POLICY"
    (found,) = policies(plan, tmp_path).values()
    assert found.facts["policy_type"] == "resource_control"


def test_a_policy_that_nothing_attaches(tmp_path: Path) -> None:
    plan = json.loads(PLAN.read_text())
    for part in (plan["resource_changes"], plan["configuration"]["root_module"]["resources"]):
        part[:] = [r for r in part if r["type"] != "aws_organizations_policy_attachment"]
    (found,) = policies(plan, tmp_path).values()
    assert found.facts["targets"] == []
