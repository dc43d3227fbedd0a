"""What the chosen rules need, in the words of the collectors."""

from __future__ import annotations

from collections.abc import Sequence

from scanner.model import Rule


def wanted_facts(rules: Sequence[Rule]) -> dict[str, frozenset[str]]:
    """Native type → facts, derived facts followed to what they are made of."""
    from collectors.aws.tables import TABLES as AWS  # noqa: PLC0415 - tables are data, without any SDK
    from collectors.kubernetes.tables import TABLES as KUBERNETES  # noqa: PLC0415
    from scanner.derive.catalogue import DERIVATIONS  # noqa: PLC0415
    from scanner.derive.demand import demand  # noqa: PLC0415

    kinds = {t.native_type: t.kind for t in AWS} | {t.native_type: t.kind for t in KUBERNETES}
    return demand(rules, DERIVATIONS, kinds)
