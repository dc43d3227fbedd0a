"""Calico's selector language: by hand, and against a reading of the same text by other means."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.kubernetes.policies.selectors import Expression, parse
from scanner.model import Gap, Reason

LABELS = {"role": "trainer", "team": "blue", "k8s.io/a-b_c": "x y"}


def holds(text: str, labels: dict[str, str] | None = None) -> Any:
    return parse(text).holds((LABELS if labels is None else labels).get)


@pytest.mark.parametrize(
    ("text", "picked"),
    [
        ("", True),
        ("  ", True),
        ("all()", True),
        ("all( )", True),
        ("global()", True),
        ("role == 'trainer'", True),
        ('role=="trainer"', True),
        ("role == 'x'", False),
        ("role != 'x'", True),
        ("none != 'x'", True),
        ("none == 'x'", False),
        ("role in {'a', 'trainer'}", True),
        ("role in{'a','trainer',}", True),
        ("role in {}", False),
        ("role not in {'a'}", True),
        ("role notin {'a'}", True),
        ("none not in {'a'}", True),
        ("has(role)", True),
        ("has( role )", True),
        ("!has(role)", False),
        ("! ! has(role)", True),
        ("has(none)", False),
        ("role contains 'rain'", True),
        ("role contains 'x'", False),
        ("role starts with 'tr'", True),
        ("role startswith 'tr'", True),
        ('role ends with "er"', True),
        ("none ends with ''", False),
        ("k8s.io/a-b_c == 'x y'", True),
        ("has(none) || has(role) && has(none)", False),
        ("has(role) || has(none) && has(none)", True),
        ("(has(role) || has(none)) && has(none)", False),
        ("!(has(role) && has(none))", True),
        ("!has(none) && !(role == 'x') && (team in {'blue'})", True),
    ],
)
def test_by_hand(text: str, picked: bool) -> None:  # noqa: FBT001 - a column of the table
    assert holds(text) is picked


@pytest.mark.parametrize(
    "text",
    [
        "role", "role =", "role = 'x'", "role == x", "role == 'x", "== 'x'", "has(", "has()", "has role", "all", "role in 'x'",
        "role in {'x'", "role in {x}", "(has(a)", "has(a))", "has(a) has(b)", "has(a) &&", "has(a) & has(b)", "!", "role starts 'x'",
        "role not 'x'", "a == 'b' c", "🙂 == 'x'", "(" * 100 + "has(a)" + ")" * 100,
    ],
)  # fmt: skip
def test_what_is_no_selector(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)


GAP = Gap(Reason.NOT_OFFERED)


def test_an_unknown_label_counts_only_where_it_decides() -> None:
    def look(key: str) -> str | Gap | None:
        return GAP if key == "hidden" else LABELS.get(key)

    for text in (
        "hidden == 'x'",
        "has(hidden)",
        "!has(hidden)",
        "hidden not in {'x'}",
        "has(role) && has(hidden)",
        "has(none) || has(hidden)",
    ):
        assert parse(text).holds(look) is GAP
    assert parse("has(none) && has(hidden)").holds(look) is False
    assert parse("has(role) || has(hidden)").holds(look) is True


KEYS = st.sampled_from(["role", "team", "a/b", "in.x"])
VALUES = st.sampled_from(["", "x", "trainer", "it's", 'q"', "rain"])


def quoted(value: str) -> str:
    return f"'{value}'" if "'" not in value else f'"{value}"'


LEAVES = st.one_of(
    st.builds(
        lambda k, o, v: (f"{k} {o} {quoted(v)}", Expression(o, k, (v,))),
        KEYS,
        st.sampled_from(["==", "!=", "contains", "starts with", "ends with"]),
        VALUES,
    ),
    st.builds(
        lambda k, o, v: (f"{k} {o} {{{', '.join(map(quoted, v))}}}", Expression(o, k, tuple(v))),
        KEYS,
        st.sampled_from(["in", "not in"]),
        st.lists(VALUES, max_size=3),
    ),
    st.builds(lambda k: (f"has({k})", Expression("has", k)), KEYS),
    st.just(("all()", Expression("all"))),
)


def joined(kind: str, mark: str) -> Any:
    def build(parts: list[tuple[str, Expression]]) -> tuple[str, Expression]:
        return mark.join(f"({t})" for t, _ in parts), Expression(kind, parts=tuple(e for _, e in parts))

    return build


EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(joined("and", " && ")),
        st.lists(inner, min_size=2, max_size=3).map(joined("or", "||")),
        inner.map(lambda made: (f"!({made[0]})", Expression("not", parts=(made[1],)))),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS)
def test_what_is_written_is_read(made: tuple[str, Expression]) -> None:
    text, expression = made
    assert parse(text) == expression


@given(EXPRESSIONS, st.dictionaries(KEYS, VALUES))
def test_not_turns_it_round(made: tuple[str, Expression], labels: dict[str, str]) -> None:
    found = holds(made[0], labels)
    assert holds(f"!({made[0]})", labels) is not found
    assert holds(f"({made[0]}) || !({made[0]})", labels) is True
    assert holds(f"({made[0]}) && !({made[0]})", labels) is False


@given(EXPRESSIONS, st.dictionaries(KEYS, VALUES), st.sets(KEYS))
def test_less_known_proves_no_more(made: tuple[str, Expression], labels: dict[str, str], hidden: set[str]) -> None:
    part = made[1].holds(lambda key: GAP if key in hidden else labels.get(key))
    assert part is GAP or part is holds(made[0], labels)


@given(st.text(alphabet="ab(){}!&|='\" ,inhas", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = parse(text)
    except ValueError:
        return
    assert found.holds({"a": "b"}.get) in (True, False)
