"""The quick reader of paths says what the JMESPath library says, of every path that the tables have and of any document."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import jmespath
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.aws.tables import TABLES as LIVE
from collectors.kubernetes.tables import TABLES as OBJECTS
from collectors.project import look, paths
from collectors.table import Field
from collectors.terraform.tables import TABLES as PLANNED

NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-1, 2), st.just(""), st.just("x")),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3),
        st.dictionaries(NAMES, inner, max_size=3).map(MappingProxyType),
    ),
    max_leaves=12,
)
STEPS = st.one_of(NAMES.map(lambda n: f".{n}"), st.sampled_from(["[0]", "[1]", "[]", "[*]", "[]"]))
ENDS = st.sampled_from(["", "", ".{a: a}", ".{x: b, c: c}", ".{a: a.b}"])
PATHS = st.builds(lambda first, steps, end: first + "".join(steps) + end, NAMES, st.lists(STEPS, max_size=4), ENDS)


@given(PATHS, VALUES)
def test_any_path_of_any_document(path: str, document: Any) -> None:
    assert look(path, document) == jmespath.search(path, document)


FACTS = [
    *(f for t in (*LIVE, *PLANNED) for f in (*t.facts.values(), t.name, t.tags)),
    *(f for table in OBJECTS for f in table.facts.values()),
]
TABLED = sorted({p for f in FACTS if isinstance(f, Field) for p in paths(f) if p})


def reaching(path: str) -> st.SearchStrategy[Any]:
    """Documents in which a path leads somewhere, or nearly."""
    inner: st.SearchStrategy[Any] = VALUES
    for step in reversed(path.replace("[0]", "[]").partition(".{")[0].replace("[*]", "[]").replace("[]", ".[]").split(".")):
        here = st.lists(inner, max_size=2) if step == "[]" else inner.map(lambda v, step=step: {step: v})
        inner = st.one_of(here, here, here, VALUES)
    return inner


@settings(max_examples=500)
@given(st.sampled_from(TABLED).flatmap(lambda path: st.tuples(st.just(path), reaching(path))))
def test_every_path_of_the_tables(found: tuple[str, Any]) -> None:
    path, document = found
    assert look(path, document) == jmespath.search(path, document)


def test_the_empty_path_is_the_document() -> None:
    assert look("", {"a": 1}) == {"a": 1}
