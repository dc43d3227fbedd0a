"""Patterns against patterns, checked on every text of a small alphabet."""

from __future__ import annotations

import functools
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.globs import covers, everything, overlaps

LETTERS = "ab"
TEXTS = ["".join(t) for n in range(6) for t in itertools.product(LETTERS, repeat=n)]
PATTERNS = st.text(alphabet="ab*?", max_size=5)


@functools.cache
def matched(pattern: str) -> frozenset[str]:
    compiled = re.compile("".join({"*": ".*", "?": "."}.get(c, c) for c in pattern))
    return frozenset(t for t in TEXTS if compiled.fullmatch(t))


@given(PATTERNS, PATTERNS)
def test_covers_is_sound(wide: str, narrow: str) -> None:
    if covers(wide, narrow):
        assert matched(narrow) <= matched(wide)


@given(PATTERNS)
def test_covers_itself(pattern: str) -> None:
    assert covers(pattern, pattern)
    assert covers("*", pattern)


@given(PATTERNS, PATTERNS)
def test_overlaps_is_exact(one: str, other: str) -> None:
    # texts of five letters are enough: two patterns of at most five signs that share a text share one that short
    assert (
        overlaps(one, other) == bool(matched(one) & matched(other)) or len(one.replace("*", "")) + len(other.replace("*", "")) > 5
    )


@pytest.mark.parametrize(
    ("one", "other", "answer"), [("iam:*", "iam:PassRole", True), ("s3:Get*", "s3:*Acl", True), ("s3:Get*", "s3:Put*", False)]
)
def test_overlaps(one: str, other: str, answer: object) -> None:
    assert overlaps(one, other) is answer
    assert overlaps(other, one) is answer


def test_a_question_mark_is_no_star() -> None:
    assert not covers("s3:?", "s3:*")


@pytest.mark.parametrize(
    ("pattern", "answer"), [("*", True), ("**", True), ("*:*", True), ("", False), (":", False), ("s3:*", False), ("*:", False)]
)
def test_everything(pattern: str, answer: object) -> None:
    assert everything(pattern) is answer
