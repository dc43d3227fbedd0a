"""Facts of a whole account that hang on its resources: whether some trail records everything."""

from __future__ import annotations

from collections.abc import Mapping

from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

ROOT, TRAIL = "AWS::IAM::RootUser", "AWS::CloudTrail::Trail"
NEEDED = {"multi_region": True, "logging": True, "validation": True, "management_events": "all"}
"""Fact of a trail → what it is where the trail is the account's audit log."""


def audit_trail(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Some trail of the account records all management events of every region, and signs its files."""
    trails = world.memo("accounts.trails", lambda: _trails(world))
    truth = any_of((*trails.get(account.scope, ()), world.listing(TRAIL, account.scope) or False))
    return {"audit_trail": truth}


def _trails(world: World) -> dict[str, list[Truth]]:
    found: dict[str, list[Truth]] = {}
    for trail in world.all("audit_log"):
        if trail.native_type == TRAIL:
            found.setdefault(trail.scope, []).append(_complete(trail, world))
    return found


def _complete(trail: Resource, world: World) -> Truth:
    facts = [(world.fact(trail, name), wanted) for name, wanted in NEEDED.items()]
    sources = world.fact(trail, "excluded_sources")
    return all_of(
        (*(f if isinstance(f, Gap) else f == wanted for f, wanted in facts), sources if isinstance(sources, Gap) else sources == [])
    )


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("account", ("audit_trail",), audit_trail, reads={TRAIL: (*NEEDED, "excluded_sources")}, native_types=(ROOT,)),
)
