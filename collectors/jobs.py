"""What is to be looked at: a scope, the bounds of a look, and the listings that it takes, many at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from typing import Any, TypeVar

from collectors.demand import Demand, parts_for
from collectors.rate import DEFAULT, RATES
from collectors.table import Table
from scanner.model import Gap

Made = TypeVar("Made")
SLOW_RATE, SLOW_THREADS = 50.0, 4
"""Calls a second at which a service counts as slow, and the threads that wait for such services."""


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


Page = tuple[list[Any], str, Gap | None]
"""Items of a listing, the call they came from, and why no more came."""


@dataclass(slots=True)
class Shared:
    """A listing that several jobs begin with: the first of them asks, and the last lets go of the answer."""

    left: int = 0
    """Jobs that have not taken it yet."""
    pages: list[Page] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, ask: Callable[[], Iterable[Page]]) -> list[Page]:
        """The whole listing. Who comes while it is asked waits for it."""
        with self.lock:
            pages = list(ask()) if self.pages is None else self.pages
            self.left -= 1
            self.pages = pages if self.left else None
            return pages


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
    shared: Shared | None = None
    """Where other jobs begin with the very same question."""


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


def share(jobs: Sequence[Job]) -> None:
    """Let jobs that begin with the very same question ask it once: the clusters whose node groups and access entries are listed.

    Only where some table lists more per item: any other listing is worked off a page at a time, and never held whole.
    """
    alike: dict[tuple[object, ...], list[list[Job]]] = {}
    for job in jobs:
        table = job.table
        if table.each is not None or table.keep is None:
            groups = alike.setdefault((job.region, table.redact, table.list.service, table.list.operation), [])
            group = next((g for g in groups if g[0].table.list == table.list), None)
            if group is None:
                groups.append([job])
            else:
                group.append(job)
    for group in (g for groups in alike.values() for g in groups):
        if len(group) > 1 and any(job.table.each for job in group):
            shared = Shared(len(group))
            for job in group:
                job.shared = shared


class Pools:
    """Threads that describe rows. Services that are asked slowly have their own, so that no other waits behind them."""

    def __init__(self, most: int) -> None:
        self._fast = ThreadPoolExecutor(most, thread_name_prefix="row")
        self._slow = ThreadPoolExecutor(min(most, SLOW_THREADS), thread_name_prefix="slow")

    def map(self, service: str, task: Callable[[Any], Made], rows: Iterable[Any]) -> Iterator[Made]:
        """What the task makes of each row, in order."""
        slow = RATES.get(service, DEFAULT) <= SLOW_RATE
        return (self._slow if slow else self._fast).map(task, rows)

    def shutdown(self, *, wait: bool) -> None:
        """Let go of the threads; what has not begun is not done."""
        for pool in (self._fast, self._slow):
            pool.shutdown(wait=wait, cancel_futures=True)


def together(tasks: Sequence[Callable[[], Made]], most: int, name: str, stop: Callable[[], None]) -> list[Made]:
    """What tasks make, so many of them at a time; the first that fails calls `stop`, and its error is raised."""
    pool = ThreadPoolExecutor(most, thread_name_prefix=name)
    done, patient = False, True
    try:
        # NOTE: as they end, so that the first error (a full disk) or Ctrl-C stops the others, who may have hours to go
        made = [future.result() for future in as_completed([pool.submit(task) for task in tasks])]
        done = True
    except KeyboardInterrupt:
        patient = False  # NOTE: calls under way may take minutes more; who pressed Ctrl-C does not wait for them
        raise
    finally:
        if not done:
            stop()
        pool.shutdown(wait=patient, cancel_futures=not done)
    return made
