"""Live ≡ plan where no recorded twin has the type: what both sources know of one thing is the same, fact by fact."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from tests.collectors.aws.answers import given
from tests.collectors.terraform.pairs import Pair, tables
from tests.collectors.terraform.pairs_bedrock import BEDROCK
from tests.collectors.terraform.pairs_facts import FACTS
from tests.collectors.terraform.pairs_given import GIVEN
from tests.collectors.terraform.pairs_made import MADE
from tests.collectors.terraform.pairs_networks import NETWORKS
from tests.collectors.terraform.twins import REGION, collected, compared

PAIRS: tuple[Pair, ...] = (*GIVEN, *FACTS, *NETWORKS, *BEDROCK, *MADE)


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.make is None], ids=lambda p: p.plan)
def test_what_is_told_of_both_is_the_same(pair: Pair) -> None:
    planned = pair.resource()
    seen = given(*tables(planned), answers=pair.answers)
    (live,) = (r for r in seen.resources if r.id == pair.live)
    facts, different = compared(planned, live, {pair.id: pair.live, **pair.ids})
    assert different == []
    assert set(facts) == planned.facts.keys() - planned.gaps.keys(), "answers that tell too little"


@pytest.mark.parametrize("pair", [p for p in PAIRS if p.make is not None], ids=lambda p: p.plan)
def test_what_is_made_is_as_planned(pair: Pair, moto_server: str) -> None:
    def client(service: str) -> Any:
        return boto3.client(service, region_name=REGION, endpoint_url=moto_server)

    planned = pair.resource()
    assert pair.make is not None
    ids = {**pair.ids, **pair.make(client)}
    live = collected(moto_server, {planned.native_type: frozenset(planned.facts)})[ids[pair.id]]
    facts, different = compared(planned, live, ids)
    assert different == []
    assert facts


def test_a_difference_is_seen() -> None:
    pair = next(p for p in PAIRS if p.plan.endswith("aws_eks_cluster.good"))
    planned = pair.resource()
    (live,) = given(*tables(planned), answers=pair.answers).resources
    changed = live.replace(facts={**live.facts, "api_public": True}, tags={"a": "b"})
    different = compared(planned, changed, {pair.id: pair.live, **pair.ids})[1]
    assert different == ["tags: plan {}, live {'a': 'b'}", "api_public: plan False, live True"]
