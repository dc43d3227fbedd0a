"""Live ≡ plan: what is known both of a plan and of the account that it made must be the same, fact by fact."""

from __future__ import annotations

import json

import pytest

from collectors.terraform.plan import read_plan
from tests.collectors.terraform import twins
from tests.conftest import ROOT

TWINS = ROOT / "fixtures" / "twins"
LEAST = {"buckets": 85, "databases": 60, "fronts": 160, "identity": 80, "networks": 55, "nodes": 100, "platforms": 210, "services": 120, "stores": 100}  # fmt: skip
"""Facts that must be compared at least, so that the test cannot pass by comparing nothing."""


@pytest.mark.parametrize("name", sorted(LEAST))
def test_what_is_known_of_both_is_the_same(name: str, moto_server: str) -> None:
    folder = TWINS / name
    assert twins.replay(folder / "apply_requests.jsonl", moto_server) == []
    plan = read_plan(folder / "plan.json")
    demand: dict[str, frozenset[str]] = {}
    for resource in plan.resources:
        demand[resource.native_type] = demand.get(resource.native_type, frozenset()) | resource.facts.keys() | resource.gaps.keys()
    found = twins.collected(moto_server, demand)
    ids = twins.live_ids(json.loads((folder / "state.json").read_text()))
    compared, differ = 0, []
    for planned in plan.resources:
        facts, wrong = twins.compared(planned, found[ids[planned.id]], ids)
        compared += len(facts)
        differ += [f"{planned.id} {text}" for text in wrong]
    assert differ == []
    assert compared >= LEAST[name]


@pytest.mark.parametrize("name", sorted(LEAST))
def test_no_unknown_of_the_plan_is_anything_but_not_known_yet(name: str) -> None:
    reasons = {g.reason.value for r in read_plan(TWINS / name / "plan.json").resources for g in r.gaps.values()}
    assert reasons <= {"known_after_apply", "not_offered"}
