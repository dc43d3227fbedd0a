"""From rules to the facts that must be collected for them, derived facts followed to what they are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scanner.derive.world import Derivation
from scanner.model import Rule


def demand(rules: Sequence[Rule], derivations: Sequence[Derivation], kinds: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Native type → facts wanted of it. `kinds` tells the kind of native types that derivations read."""
    by_fact: dict[tuple[str, str], list[Derivation]] = {}
    for derivation in derivations:
        for fact in derivation.facts:
            by_fact.setdefault((derivation.kind, fact), []).append(derivation)
    wanted: dict[str, set[str]] = {native: set() for rule in rules for native in rule.covers}
    todo = [(native, rule.kind, fact) for rule in rules for native in rule.covers for fact in rule.needs]
    seen: set[tuple[str, str, str]] = set()
    while todo:
        item = todo.pop()
        if item in seen:
            continue
        seen.add(item)
        native, kind, fact = item
        wanted.setdefault(native, set()).add(fact)
        for derivation in by_fact.get((kind, fact), ()):
            if derivation.native_types and native not in derivation.native_types:
                continue
            todo += [(native, kind, need) for need in derivation.needs]
            for other, facts in derivation.reads.items():
                wanted.setdefault(other, set())
                todo += [(other, kinds.get(other, ""), need) for need in facts]
    return {native: frozenset(facts) for native, facts in sorted(wanted.items())}
