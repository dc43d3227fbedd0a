"""What the chosen rules need, in the words of the collectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from scanner.asked import Offers
from scanner.model import Rule


def wanted_facts(rules: Sequence[Rule], alone: Offers | None = None) -> dict[str, frozenset[str]]:
    """Native type → facts, derived facts followed to what they are made of.

    `alone` is what the only source can tell: what other sources would be asked is not worked out then.
    """
    from scanner.derive.demand import demand  # noqa: PLC0415
    from scanner.derive.needed import derivations  # noqa: PLC0415

    if alone is not None:
        kinds = {native: kind for native, told in alone.items() for kind in told}
        return demand([r for r in rules if r.covers.keys() & kinds.keys()], derivations(kinds), kinds)
    from collectors.aws.tables import TABLES as AWS  # noqa: PLC0415 - tables are data, without any SDK
    from collectors.kubernetes.tables import TABLES as KUBERNETES  # noqa: PLC0415

    kinds = {t.native_type: t.kind for t in AWS} | {t.native_type: t.kind for t in KUBERNETES}
    return demand(rules, derivations(kinds), kinds)


def aws() -> Offers:
    """What a live account can tell."""
    from collectors.aws.tables import TABLES  # noqa: PLC0415

    return _offers(TABLES)


def kubernetes() -> Offers:
    """What a cluster or its manifests can tell."""
    from collectors.kubernetes.tables import TABLES  # noqa: PLC0415

    return _offers(TABLES)


def plan() -> Offers:
    """What a plan can tell."""
    from collectors.terraform.tables import TABLES  # noqa: PLC0415

    return _offers(TABLES)


def _offers(tables: Iterable[Any]) -> Offers:
    """Several tables may make one type; what one of them tells, the type tells."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for table in tables:
        kinds = found.setdefault(table.native_type, {})
        kinds[table.kind] = kinds.get(table.kind, frozenset()) | table.facts.keys()
    return found
