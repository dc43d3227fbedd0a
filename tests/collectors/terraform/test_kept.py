"""A plan keeps the values of some resources at hand and reads the others again: how many it keeps changes nothing but the time."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from collectors.terraform import configuration, estate
from collectors.terraform.plan import read_plan
from tests.bench.plans import plan

SIZE = 5_000


def shuffled() -> str:
    """A plan whose resources are asked about in alternation: parts of one stand far from it, and some change what was there."""
    document = plan(SIZE)
    changes: list[dict[str, Any]] = document["resource_changes"]
    for number, entry in enumerate(changes):
        change = entry["change"]
        if number % 7 == 0:
            change |= {"actions": ["update"], "before": {**change["after"], "tags": {"was": str(number)}}}
        if number % 5 == 0:
            change["after"] = {**change["after"], "tags": {"number": str(number)}, "tags_all": {"number": str(number)}}
    document["resource_changes"] = [changes[(number * 1_237) % len(changes)] for number in range(len(changes))]
    return json.dumps(document)


def test_how_many_are_kept_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shuffled()

    def read(kept: int) -> Any:
        for module in (configuration, estate):
            monkeypatch.setattr(module, "KEPT", kept)
        return read_plan(io.StringIO(text), name="plan")

    every = read(10 * SIZE)
    assert len(every.resources) > SIZE / 2
    for kept in (1, 3, 2_048):
        assert read(kept) == every
