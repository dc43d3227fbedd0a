"""What a source was asked, so that nobody takes what nobody asked for as seen.

A collection asks for what its rules need and no more. A snapshot is judged again with other rules: then types that were not listed,
and facts that were not read, are unknown, and the cure is to collect again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from scanner.model import JSON, Gap, Reason, frozen

UNASKED = Gap(
    Reason.TRUNCATED,
    "",
    "Collect again, or go on with --resume, with these rules chosen.",
    "not asked for: no rule of the collection needed it",
)
"""Why something is unknown that the source would have told."""
Offers = Mapping[str, Mapping[str, frozenset[str]]]
"""Native type → kind → facts that a source can tell."""


@frozen
class Asked:
    """One source's questions, in terms of types and facts."""

    offers: Offers = field(default_factory=dict)
    facts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Native type → facts that were asked for; a type that is not here was not listed."""

    def unread(self) -> dict[tuple[str, str], frozenset[str]]:
        """(native type, kind) → facts that the source would have told and was not asked for."""
        found = {
            (native, kind): facts - self.facts.get(native, frozenset())
            for native, kinds in self.offers.items()
            for kind, facts in kinds.items()
        }
        return {key: facts for key, facts in found.items() if facts}

    def unlisted(self) -> Iterator[tuple[str, str]]:
        """(native type, kind) of what the source could have listed and was not asked for."""
        for native, kinds in self.offers.items():
            if native not in self.facts:
                for kind in kinds:
                    yield native, kind

    def listed(self) -> Iterator[tuple[str, str]]:
        """(native type, kind) of what was to be listed."""
        for native, kinds in self.offers.items():
            if native in self.facts:
                for kind in kinds:
                    yield native, kind

    def answers(self, native: str, wanted: frozenset[str]) -> bool:
        """Whether a complete listing of `native` holds all of `wanted` that the source can tell."""
        offered = frozenset[str]().union(*self.offers.get(native, {}).values())
        return native in self.facts and (wanted & offered) <= self.facts[native]


def asked_out(asked: Asked) -> dict[str, JSON]:
    """Plain JSON, in a fixed order."""
    return {
        "facts": {native: sorted(facts) for native, facts in sorted(asked.facts.items()) if native in asked.offers},
        "offers": {
            native: {kind: sorted(facts) for kind, facts in sorted(kinds.items())} for native, kinds in sorted(asked.offers.items())
        },
    }


def asked_in(data: Mapping[str, JSON]) -> Asked:
    """The inverse of `asked_out`."""
    return Asked(
        {native: {kind: frozenset(facts) for kind, facts in kinds.items()} for native, kinds in data["offers"].items()},
        {native: frozenset(facts) for native, facts in data["facts"].items()},
    )
