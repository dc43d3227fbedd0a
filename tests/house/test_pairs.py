"""Every native type that both an account and a plan tell stands in a recorded twin or in a pair: live ≡ plan is tried for all of them."""

from __future__ import annotations

from collectors.aws.tables import TABLES as LIVE
from collectors.terraform.plan import read_plan
from collectors.terraform.tables import TABLES as PLANNED
from tests.collectors.terraform.test_pairs import PAIRS
from tests.house.tree import ROOT

NOWHERE: dict[str, str] = {}
"""Native type → why no twin and no pair has it."""


def test_every_type_of_both_sources_is_in_a_twin_or_a_pair() -> None:
    both = {t.native_type for t in LIVE} & {t.native_type for t in PLANNED}
    twins = {r.native_type for path in (ROOT / "fixtures" / "twins").glob("*/plan.json") for r in read_plan(path).resources}
    pairs = {pair.resource().native_type for pair in PAIRS}
    assert both - twins - pairs == NOWHERE.keys()
