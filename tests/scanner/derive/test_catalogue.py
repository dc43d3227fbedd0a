"""All derivations keep the contract."""

from __future__ import annotations

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.world import Derivation
from scanner.rules.library import kinds


def name(derivation: Derivation) -> str:
    return f"{derivation.kind}.{','.join(derivation.facts)}"


@pytest.mark.parametrize("derivation", DERIVATIONS, ids=name)
def test_facts_are_in_the_kind_and_marked(derivation: Derivation) -> None:
    properties = kinds()[derivation.kind]["properties"]
    for fact in derivation.facts:
        assert properties[fact].get("x-derived") is True, fact
    assert set(derivation.needs) <= set(properties)


def test_every_derived_fact_has_its_derivation() -> None:
    made = {(d.kind, fact) for d in DERIVATIONS for fact in d.facts}
    marked = {
        (kind, fact) for kind, schema in kinds().items() for fact, about in schema["properties"].items() if about.get("x-derived")
    }
    assert marked - made == set()


def test_what_is_read_of_other_types_is_a_fact_of_some_kind() -> None:
    known = {fact for schema in kinds().values() for fact in schema["properties"]}
    assert {fact for d in DERIVATIONS for facts in d.reads.values() for fact in facts} <= known


def test_no_fact_is_derived_twice_for_one_type() -> None:
    seen: set[tuple[str, str, str]] = set()
    for derivation in DERIVATIONS:
        if derivation.facts == ("ai_role", "zone"):
            continue  # the general word, after the more exact ones
        for fact in derivation.facts:
            for native in derivation.native_types or ("",):
                assert (derivation.kind, fact, native) not in seen
                seen.add((derivation.kind, fact, native))
