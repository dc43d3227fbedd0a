"""The account's audit trail."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap
from tests.scanner.derive.things import thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

GOOD = {"multi_region": True, "logging": True, "validation": True, "management_events": "all", "excluded_sources": []}


def answer(*trails: dict[str, Any], gaps: dict[str, Gap] | None = None) -> object:
    root = thing("account", "root")
    made = []
    for number, facts in enumerate(trails):
        unknown = {k: v for k, v in facts.items() if isinstance(v, Gap)}
        made.append(thing("audit_log", f"t{number}", gaps=unknown, **{k: v for k, v in facts.items() if k not in unknown}))
    return MemoryWorld([root, *made], gaps, DERIVATIONS).fact(root, "audit_trail")


def test_one_good_trail_is_enough() -> None:
    assert answer(GOOD) is True
    assert answer(GOOD | {"logging": False}, GOOD, gaps={"AWS::CloudTrail::Trail": DENIED}) is True


@pytest.mark.parametrize(
    "change",
    [
        {"multi_region": False},
        {"logging": False},
        {"validation": False},
        {"management_events": "write"},
        {"excluded_sources": ["kms.amazonaws.com"]},
    ],
    ids=str,
)
def test_each_part_counts(change: dict[str, Any]) -> None:
    assert answer(GOOD | change) is False


def test_silence_is_not_a_pass() -> None:
    assert answer() is False
    assert answer(gaps={"AWS::CloudTrail::Trail": DENIED}) is DENIED
    assert answer(GOOD | {"logging": DENIED}) is DENIED
    assert answer(GOOD | {"logging": DENIED, "validation": False}) is False
