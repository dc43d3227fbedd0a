"""Live ≡ plan: what is known both of a plan and of the account that it made must be the same, fact by fact."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

from collectors.aws.collect import Options, collect_account
from collectors.terraform.plan import read_plan
from scanner.model import JSON, Call, Coverage, Resource, Source

HERE = Path(__file__).resolve().parent
TWINS = HERE.parents[2] / "fixtures" / "twins"

# moto's S3 has no default encryption (S3 has, since 2023), and its KMS forgets the rotation period
# and its SageMaker forgets the isolation of models; and interfaces have no ids and no addresses before they are there
NOT_MOTO = {
    ("AWS::EC2::Instance", "interfaces"),
    ("AWS::S3::Bucket", "encrypted"), ("AWS::S3::Bucket", "aws.algorithm"), ("AWS::KMS::Key", "rotation_days"),
    ("AWS::EC2::Instance", "tenancy"), ("AWS::SageMaker::Model", "network_isolation"),
}  # fmt: skip
LEAST = {"buckets": 60, "identity": 65, "nodes": 80, "services": 80, "stores": 15}
"""Facts that must be compared at least, so that the test cannot pass by comparing nothing."""


def _helper() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bartizan_twins", HERE / "twins.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


twins = _helper()


@dataclass
class Seen:
    """A sink in memory."""

    found: dict[str, Resource] = field(default_factory=dict)

    def source(self, source: Source) -> None: ...
    def expect(self, rows: Iterable[Coverage]) -> None: ...
    def problem(self, text: str) -> None: ...
    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None: ...
    def coverage(self, row: Coverage) -> None: ...

    def page(self, resources: Sequence[Resource]) -> None:
        self.found |= {r.id: r for r in resources}


@pytest.mark.parametrize("name", sorted(LEAST))
def test_what_is_known_of_both_is_the_same(name: str, moto_server: str) -> None:
    folder = TWINS / name
    assert twins.replay(folder / "apply_requests.jsonl", moto_server) == []
    plan = read_plan(folder / "plan.json")
    seen = Seen()
    demand = {}
    for resource in plan.resources:
        demand[resource.native_type] = demand.get(resource.native_type, frozenset()) | resource.facts.keys() | resource.gaps.keys()
    collect_account(Options(regions=("us-east-1",), endpoint=moto_server), seen, now="2026-11-01T00:00:00Z", demand=demand)
    ids = twins.live_ids(json.loads((folder / "state.json").read_text()))

    compared, differ = 0, []
    for planned in plan.resources:
        live = seen.found[ids[planned.id]]
        assert (live.kind, live.native_type, live.region, live.tags) == (
            planned.kind,
            planned.native_type,
            planned.region,
            planned.tags,
        )
        for fact, value in planned.facts.items():
            if fact in planned.gaps or fact in live.gaps or (planned.native_type, fact) in NOT_MOTO:
                continue
            want, got = twins.translated(value, ids), twins.translated(live.facts[fact], {})
            if want == ["assigned"] and got:
                want = got
            compared += 1
            if want != got:
                differ.append(f"{planned.id} {fact}: plan {want}, live {got}")
    assert differ == []
    assert compared >= LEAST[name]


@pytest.mark.parametrize("name", sorted(LEAST))
def test_no_unknown_of_the_plan_is_anything_but_not_known_yet(name: str) -> None:
    reasons = {g.reason.value for r in read_plan(TWINS / name / "plan.json").resources for g in r.gaps.values()}
    assert reasons <= {"known_after_apply", "not_offered"}
