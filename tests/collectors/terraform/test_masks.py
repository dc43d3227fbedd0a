from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.project import look
from collectors.terraform.masks import hits, pick, scrub, split, steps, unset

LEAVES = st.booleans() | st.none() | st.integers() | st.text(max_size=3)
TREES = st.recursive(
    LEAVES, lambda t: st.lists(t, max_size=3) | st.dictionaries(st.sampled_from("abc"), t, max_size=3), max_leaves=12
)
PATHS = st.lists(st.sampled_from(["a", "b", "c", "[0]", "[1]", "[]"]), min_size=1, max_size=4).map(
    lambda p: "".join(s if s.startswith("[") else f".{s}" for s in ["a", *p]).lstrip(".")
)


def test_steps() -> None:
    assert steps("item.rule[0].by[].id[*]") == ("item", "rule", 0, "by", None, "id", None)
    assert split(pick("rules[]", "type", "self")) == ("rules", (None, frozenset(("type", "self"))))
    for bad in ("item.a || b", "item[?a]", "length(item)", "item.a-b"):
        with pytest.raises(ValueError, match="not a path"):
            steps(bad)


@pytest.mark.parametrize(
    ("mask", "path", "hidden"),
    [
        (True, "a.b", True),
        ({"a": True}, "a.b[0].c", True),
        ({"a": [{"b": True}, {}]}, "a[1].b", False),
        ({"a": [{"b": True}, {}]}, "a[].b", True),
        ({"a": [{"b": True}, {}]}, "a[5].b", False),
        ({"a": {"b": [False, {"c": True}]}}, "a", True),
        ({"a": {"b": [False, {}]}}, "a", False),
        ({"a": [{"b": True, "c": False}]}, pick("a[]", "c", "d"), False),
        ({"a": [{"b": True, "c": False}]}, pick("a[]", "c", "b"), True),
        ({}, "a", False),
        (None, "a", False),
        ("nonsense", "a", False),
    ],
)
def test_hits(mask: Any, path: str, hidden: bool) -> None:  # noqa: FBT001
    assert hits(mask, steps(path)) is hidden


@given(TREES, PATHS)
def test_what_a_path_reads_from_a_mask_without_true_is_never_hidden(mask: Any, path: str) -> None:
    if not hits(mask, steps(path)):
        seen = json.dumps(look(path, mask)) if isinstance(mask, dict) else ""
        assert "true" not in seen.replace('"true"', "")


@given(TREES, TREES)
def test_scrub_keeps_nothing_that_the_mask_covers(value: Any, mask: Any) -> None:
    kept = scrub(value, mask)
    if mask is True:
        assert kept is None
    if not mask:
        assert kept == value
    if isinstance(kept, dict) and isinstance(mask, dict):
        assert all(kept[k] is None for k in kept if mask.get(k) is True)
    if isinstance(kept, list) and isinstance(mask, list):
        assert all(kept[i] is None for i in range(min(len(kept), len(mask))) if mask[i] is True)


@pytest.mark.parametrize(
    ("mask", "expressions", "path", "nobody"),
    [
        ({"a": True}, {}, "a", True),
        ({"a": True}, {"a": {"references": ["local.x"]}}, "a", False),
        ({"a": True}, None, "a", False),
        ({"a": [{"b": True}]}, {"a": [{"c": {}}]}, "a[0].b", True),
        ({"a": [{"b": True}]}, {"a": [{"b": {}}]}, "a[].b", False),
        ({"a": [{"b": True}, {"b": True}]}, {"a": [{"c": {}}]}, "a[].b", False),  # more blocks than are written: some are dynamic
        ({"a": True}, {"a": [{"c": {}}]}, "a[0].b", False),
        ({"a": [{"b": True}]}, {"a": {"references": ["aws_x.y.id"]}}, "a[].b", False),
        # the order of a listener rule's action, which the provider makes
        ({"a": [{"b": True, "c": False}], "d": True}, {"a": [{"c": {}}]}, ".{a: a}", True),
        ({"a": [{"b": [{"e": True}]}]}, {"a": [{"b": [{}]}]}, ".{a: a}", True),
        ({"a": [{"b": True}]}, {"a": [{"b": {}}]}, ".{a: a}", False),
        ({"a": [{"b": True}, {"b": True}]}, {"a": [{"c": {}}]}, ".{a: a}", False),
        ({"a": True}, {"a": [{"c": {}}]}, ".{a: a}", False),
    ],
)
def test_unset_only_where_it_is_certain(mask: Any, expressions: Any, path: str, nobody: bool) -> None:  # noqa: FBT001
    assert unset(mask, expressions, steps(path)) is nobody
