"""What a plan says of where a resource was: moves, and what is no move."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.plan import read_plan

PLANS = Path(__file__).resolve().parents[3] / "fixtures" / "plans" / "shapes"


@pytest.mark.parametrize(
    ("name", "moved"),
    [
        ("moved", {"plan/aws_kms_key.old": "plan/aws_kms_key.new"}),
        ("moved-into-module", {"plan/aws_kms_key.old": 'plan/module.keys.aws_kms_key.this["a"]'}),
        ("forget", {"plan/aws_kms_key.left": ""}),
        ("import", {}),
        ("update-replace-delete", {}),
        ("no-op", {}),
    ],
)
def test_plans_of_terraform(name: str, moved: dict[str, str]) -> None:
    assert read_plan(PLANS / name / "plan.json").moved == moved


def test_terraform_json_45_moves_of_a_whole_module(make: Any) -> None:
    """https://github.com/hashicorp/terraform-json/issues/45: `previous_address`, of every resource by itself."""
    for name in "abc":
        make.key(f'module.m["x"].aws_kms_key.{name}', actions=("no-op",), before={}, sets={})
        make.document["resource_changes"][-1]["previous_address"] = f"module.old.aws_kms_key.{name}"
    assert make.read().moved == {f"plan/module.old.aws_kms_key.{n}": f'plan/module.m["x"].aws_kms_key.{n}' for n in "abc"}


@pytest.mark.parametrize("actions", [("no-op",), ("update",), ("delete", "create"), ("create", "delete"), ("delete",)])
def test_whatever_is_done_to_it(make: Any, actions: tuple[str, ...]) -> None:
    # NOTE: one that is destroyed is in the state by its old address as well, and another may take that over
    make.key("aws_kms_key.k")
    make.key("aws_kms_key.b", actions=actions, before={"enable_key_rotation": True}, sets={"enable_key_rotation": True})
    make.document["resource_changes"][-1]["previous_address"] = "aws_kms_key.a"
    assert make.read().moved == {"plan/aws_kms_key.a": "plan/aws_kms_key.b"}


def test_deposed_objects_move_nothing(make: Any) -> None:
    """What is left of a replacement that failed has its address twice: the object that counts, and the one that will go."""
    make.key("aws_kms_key.k")
    make.key("aws_kms_key.k", actions=("delete",), before={})
    make.document["resource_changes"][-1] |= {"deposed": "00000001", "previous_address": "aws_kms_key.old"}
    assert make.read().moved == {}


def test_terraform_29637_colliding_moves_are_one(make: Any) -> None:
    """https://github.com/hashicorp/terraform/pull/29637: two want to go to one address, so one stays; a hand-made file may say anything."""
    for address in ("aws_kms_key.b", "aws_kms_key.c"):
        make.key(address)
        make.document["resource_changes"][-1]["previous_address"] = "aws_kms_key.a"
    assert make.read().moved == {"plan/aws_kms_key.a": "plan/aws_kms_key.b"}


@pytest.mark.parametrize("before", [None, "", "aws_kms_key.k"])
def test_no_other_address_is_no_move(make: Any, before: str | None) -> None:
    make.key("aws_kms_key.k")
    make.document["resource_changes"][-1]["previous_address"] = before
    assert make.read().moved == {}


def test_data_sources_have_no_identity(make: Any) -> None:
    make.key("aws_kms_key.k")
    make.add("data.aws_kms_key.read", actions=("read",), late=("arn",))
    make.document["resource_changes"][-1]["previous_address"] = "data.aws_kms_key.old"
    assert make.read().moved == {}
