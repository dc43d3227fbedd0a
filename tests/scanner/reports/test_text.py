from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Where
from scanner.reports import text as words
from tests.scanner.reports.golden import HOSTILE

ANY = st.text(st.characters(exclude_categories=()))  # surrogates too


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("plain name-1/é.鍵", "plain name-1/é.鍵"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x9b2J", r"\x9b2J"),
        ("a\r\nb\tc", r"a\r\nb\tc"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\u2066x\u2069", r"\u2066x\u2069"),
        ("a\u2028b", r"a\u2028b"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
        ("\x7f", r"\x7f"),
        ("::error::x", r"\x3a:error::x"),
        ("a ::error::x", r"a \x3a:error::x"),
        ("AWS::KMS::Key", "AWS::KMS::Key"),
        ("x##vso[task.complete]", r"x\x23#vso[task.complete]"),
        ("##[command]", r"\x23#[command]"),
        ("##teamcity[x]", r"\x23#teamcity[x]"),
        ("## heading", "## heading"),
        ("%0a::error::x", "%0a::error::x"),
    ],
)
def test_visible(given_: str, shown: str) -> None:
    assert words.visible(given_) == shown


@given(ANY)
def test_visible_is_one_harmless_line(text: str) -> None:
    shown = words.visible(text)
    assert not [c for c in shown if unicodedata.category(c) in words.HIDDEN]
    assert len(shown.splitlines()) <= 1
    assert words.visible(shown) == shown
    shown.encode()
    words.visible(text, "ascii").encode("ascii")
    words.visible(text, "cp1252").encode("cp1252")


@given(st.text(st.characters(codec="ascii", categories=["L", "N"])))
def test_visible_leaves_names_alone(text: str) -> None:
    assert words.visible(text) == text


@pytest.mark.parametrize("text", HOSTILE)
def test_different_names_stay_different(text: str) -> None:
    assert [words.visible(other) for other in HOSTILE].count(words.visible(text)) == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (None, "null"),
        (3, "3"),
        ("text", "text"),
        ("", '""'),
        (" padded", '" padded"'),
        (["0.0.0.0/0", "::/0"], "0.0.0.0/0, ::/0"),
        ([], "[]"),
        ([True, 2], "true, 2"),
        ({"b": 1, "a": [2]}, '{"a": [2], "b": 1}'),
        ("x" * 200, "x" * 160 + "... (40 characters more)"),
    ],
)
def test_shown(value: object, shown: str) -> None:
    assert words.shown(value) == shown


def test_sentence() -> None:
    assert words.sentence("A key that\nnever rotates leaks. Only symmetric keys rotate.") == "A key that never rotates leaks."
    assert words.sentence("no end") == "no end"


@pytest.mark.parametrize(
    ("where", "shown"),
    [
        (Where("a.tf", 3, 5), "a.tf:3:5"),
        (Where("a.tf", 3), "a.tf:3"),
        (Where("a.tf"), "a.tf"),
        (Where("a.tf", 0, 5), "a.tf"),
        (Where(locator="arn:x"), ""),
    ],
)
def test_place(where: Where, shown: str) -> None:
    assert words.place(where) == shown


def test_many_and_ended() -> None:
    assert words.many(1, "finding") == "1 finding"
    assert words.many(0, "finding") == "0 findings"
    assert words.many(2, "entry", "entries") == "2 entries"
    assert words.ended("so be it ") == "so be it."
    assert words.ended("really?") == "really?"
