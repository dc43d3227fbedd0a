"""Whatever a plan holds: resources, gaps or a BartizanError, never another exception, and never more than the plan said."""

from __future__ import annotations

import copy
import io
import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from collectors.terraform.plan import PlanEstate, read_plan
from scanner.model import BartizanError

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures"
NAMES = ["plans/types/01-buckets", "plans/types/03-nodes", "plans/types/04-network", "plans/types/08-identity", "plans/types/09-edge",
         "plans/types/10-audit", "plans/shapes/nested-modules", "plans/shapes/deferred-data", "plans/shapes/update-replace-delete", "twins/services"]  # fmt: skip
PLANS = {n: json.loads((FIXTURES / n / "plan.json").read_text()) for n in NAMES}
JUNK = st.sampled_from(
    [
        None,
        True,
        False,
        0,
        -1,
        10**30,
        "",
        "x",
        "plan/x",
        "arn:",
        "\udfff",
        [],
        [None],
        [[]],
        {},
        {"a": {}},
        {"references": [7, "", "."]},
    ]
)
FAST = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def read(document: Any) -> PlanEstate | None:
    try:
        estate = read_plan(io.StringIO(json.dumps(document)), name="x")
    except BartizanError:
        return None
    for resource in estate.resources:
        json.dumps([dict(resource.facts), dict(resource.tags), resource.name]).encode()
        assert isinstance(resource.name, str)
    return estate


def walk(document: Any, choose: Any) -> tuple[Any, Any]:
    """A place in the document: a container and a key in it, picked step by step."""
    node, key = {"": document}, ""
    for _ in range(choose(st.integers(1, 12))):
        inner = node[key]
        if not isinstance(inner, (dict, list)) or not inner:
            break
        node = inner
        key = choose(st.sampled_from(sorted(inner))) if isinstance(inner, dict) else choose(st.integers(0, len(inner) - 1))
    return node, key


@FAST
@given(st.data())
def test_wrong_types_and_lost_keys(data: st.DataObject) -> None:
    document = copy.deepcopy(PLANS[data.draw(st.sampled_from(NAMES))])
    for _ in range(data.draw(st.integers(1, 6))):
        node, key = walk(document, data.draw)
        if isinstance(node, dict) and key and data.draw(st.booleans()):
            del node[key]
        else:
            node[key] = copy.deepcopy(data.draw(JUNK))
    read(document)


@FAST
@given(st.data())
def test_truncated_text(data: st.DataObject) -> None:
    text = json.dumps(PLANS["plans/shapes/deferred-data"])
    with pytest.raises(BartizanError):
        read_plan(io.StringIO(text[: data.draw(st.integers(0, len(text) - 1))]), name="x")


@FAST
@given(st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    with pytest.raises(BartizanError):
        read_plan(io.BytesIO(raw), name="x")


@FAST
@given(st.data())
def test_hiding_a_value_never_makes_another_one(data: st.DataObject) -> None:
    """The blanking law at the source: what becomes unknown in the plan becomes a gap, or what nobody sets takes its default."""
    name = data.draw(st.sampled_from(NAMES))
    document = copy.deepcopy(PLANS[name])
    before = {r.id: r for r in read_plan(io.StringIO(json.dumps(document)), name="x").resources}
    changes = [c for c in document["resource_changes"] if c["change"]["after"] and c["mode"] == "managed"]
    change = data.draw(st.sampled_from(changes))["change"]
    attribute = data.draw(st.sampled_from(sorted(change["after"])))
    del change["after"][attribute]
    change["after_unknown"][attribute] = True
    change["actions"] = ["update"]
    document["configuration"]["root_module"].pop("resources", None)
    for resource in read_plan(io.StringIO(json.dumps(document)), name="x").resources:
        if resource.id not in before:
            continue  # an inline volume whose instance was renamed by its device
        was = before[resource.id]
        for fact, value in resource.facts.items():
            if fact in resource.gaps or fact not in was.facts:
                continue
            assert value == was.facts[fact] or _ids(was.facts[fact]), (resource.id, fact, was.facts[fact], value)


def _ids(value: Any) -> bool:
    """The fact held ids that only the configuration could settle."""
    return "plan/" in json.dumps(value)


def test_two_thousand_resources_take_well_under_a_second() -> None:
    document = copy.deepcopy(PLANS["plans/types/01-buckets"])
    base, made = document["resource_changes"], []
    for i in range(2000 // len(base) + 1):
        made += [{**change, "module_address": f"module.m[{i}]", "address": f"module.m[{i}].{change['address']}"} for change in base]
    document["resource_changes"] = made
    document["configuration"]["root_module"] = {"module_calls": {"m": {"module": document["configuration"]["root_module"]}}}
    text = json.dumps(document)
    began = time.process_time()
    estate = read_plan(io.StringIO(text), name="large")
    took = time.process_time() - began
    assert len(made) >= 2000
    assert len(estate.resources) > 600
    golden = [r for r in estate.resources if r.id.endswith("aws_s3_bucket.golden")]
    assert {r.facts["key_id"] for r in golden} == {f"plan/module.m[{i}].aws_kms_key.data" for i in range(len(golden))}
    assert took < 2.5  # about 0.4 s on an idle machine
