"""Sources into a snapshot, from the start or where an interrupted collection left off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scanner.asked import UNASKED, Asked
from scanner.assess import stamp, utc_now
from scanner.cli import sources
from scanner.cli.demand import wanted_facts
from scanner.cli.options import Chosen
from scanner.cli.progress import progress
from scanner.model import BartizanError, Extent, Gap, Reason
from scanner.snapshot import Snapshot

PASSING = frozenset({Reason.DENIED, Reason.THROTTLED, Reason.TIMEOUT, Reason.TRUNCATED})
"""Reasons that may be gone when the same is asked again: their remedies say `--resume`."""


def gather(wanted: Sequence[sources.Wanted], options: dict[str, Any], chosen: Chosen, path: Path, *, lasting: bool = True) -> None:
    """Collect every source into the snapshot at `path`, which is kept where it is `lasting`.

    Of several sources one that cannot be read is a problem in the report; a single one is an error.
    """
    alone = wanted[0].offers() if len(wanted) == 1 and wanted[0].alone else None
    demand: sources.Demand = wanted_facts(chosen.rules, alone)
    with Snapshot.create(path, resume=bool(options.get("resume")), lasting=lasting) as snapshot:
        before = {source.id for source in snapshot.sources()}
        demand = joined(demand, snapshot.asked())
        done = finished(snapshot, demand)
        failed: list[BartizanError] = []
        for source in wanted:
            snapshot.cured(f"{source.label}: ")
        for source in wanted:
            snapshot.asking = Asked(source.offers(), demand)
            with progress(f"collect {source.label}", quiet=bool(options.get("quiet"))) as step:
                context = sources.Context(
                    snapshot,
                    demand,
                    stamp(utc_now()),
                    done,
                    options.get("concurrency") or 1,
                    options.get("deadline"),
                    options.get("max_rate"),
                    options.get("max_bytes"),
                    progress=step,
                    before=before,
                )
                try:
                    source.collect(context)
                except BartizanError as error:
                    if len(wanted) == 1:
                        raise
                    failed.append(error)
                    snapshot.problem(f"{source.label}: {error}")
        if len(failed) == len(wanted):
            raise failed[0]
        snapshot.finish()


def _passing(gap: Gap) -> bool:
    return gap.reason in PASSING and gap != UNASKED


def joined(demand: sources.Demand, asked: Mapping[str, Asked]) -> sources.Demand:
    """What is wanted now, and what was wanted by those who began: a listing that is made again must not lose facts."""
    every = [demand, *(questions.facts for questions in asked.values())]
    return {native: frozenset[str]().union(*(each.get(native, ()) for each in every)) for each in every for native in each}


def finished(snapshot: Snapshot, demand: sources.Demand) -> frozenset[tuple[str, str, str]]:
    """(native type, scope, region) of listings that need not be made again.

    One is finished where it is complete, was asked for all facts that are wanted now, and none of its details failed for a reason that
    may have passed.
    """
    rows = snapshot.listings()
    asked = snapshot.asked()
    missing = {
        (c.native_type, c.scope, c.region)
        for c in rows  # NOTE: one listing may make resources of two kinds, each with its row: it is done when all of them are
        if c.extent is not Extent.COMPLETE
        or c.source not in asked
        or not asked[c.source].answers(c.native_type, demand.get(c.native_type, frozenset()))
    }
    failed = {(r.native_type, r.scope) for r in snapshot.resources() if any(map(_passing, r.gaps.values()))}
    every = frozenset((c.native_type, c.scope, c.region) for c in rows) - missing
    return frozenset(listing for listing in every if listing[:2] not in failed)
