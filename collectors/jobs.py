"""What is to be looked at: a scope, the bounds of a look, and the listings that it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from collectors.demand import Demand, parts_for
from collectors.table import Table
from scanner.model import Gap


@dataclass(slots=True)
class Limits:
    """Bounds of one collection."""

    concurrency: int = 12
    """Calls under way at once."""
    deadline: float | None = None
    """Seconds after which no further call is made."""
    rate: float | None = None
    """Most calls a second to one service in one region."""
    sample: bool = False
    """Preflight: look at the first item of every listing only."""


@dataclass(slots=True)
class Scope:
    """What is looked at: one account in some regions."""

    id: str
    regions: Sequence[str]
    home: str
    """The region in which account-wide services are asked."""
    context: Mapping[str, str]
    """More of the row's `context` part: account, partition."""


@dataclass(slots=True)
class Job:
    """One listing."""

    table: Table
    region: str
    """Where its listing is asked."""
    shown: str
    """The region its resources and its coverage have: `global` for account-wide listings."""
    wanted: frozenset[str]
    parts: tuple[str, ...]
    """Detail parts that the wanted facts need, in the table's order."""
    gaps: list[Gap] = field(default_factory=list)
    count: int = 0


def jobs_for(tables: Sequence[Table], scope: Scope, demand: Demand) -> list[Job]:
    """The listings that the demand takes: every table whose native type is wanted, once a region or once an account."""
    jobs = []
    for table in tables:
        wanted = demand.get(table.native_type) if demand is not None else frozenset(table.facts)
        if wanted is None:
            continue
        parts = parts_for(table, wanted)
        places = [(scope.home, "global")] if table.per == "account" else [(r, r) for r in scope.regions]
        jobs += [Job(table, region, shown, wanted, parts) for region, shown in places]
    return jobs
