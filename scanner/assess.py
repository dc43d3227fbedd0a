"""From a snapshot and rules to the `Report`: the second half of a scan, and the whole of `bartizan evaluate`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scanner import __version__
from scanner.asked import UNASKED
from scanner.config import Config
from scanner.evaluate import Plan, evaluate
from scanner.gate import ALLOWED, gate
from scanner.model import Reason, Report, Rule, Severity, Waiver
from scanner.rules.library import Library
from scanner.snapshot import Snapshot
from scanner.waivers import settled

INTERRUPTED = "the collection was interrupted: what is missing from the snapshot was not seen. Continue it with --resume."


@dataclass(frozen=True, slots=True)
class Terms:
    """How to judge, and what the gate lets through."""

    fail_on: Severity | None = Severity.HIGH
    allowed: frozenset[Reason] = ALLOWED
    engine: str = "regorus"
    opa: Mapping[str, str | None] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()
    waivers_unreadable: bool = False
    problems: tuple[str, ...] = ()
    """Faults met before the snapshot."""
    workers: int = 0


def utc_now() -> datetime.datetime:
    """Now, in UTC, to the second."""
    return datetime.datetime.now(datetime.UTC).replace(microsecond=0)


def stamp(moment: datetime.datetime) -> str:
    """RFC 3339 with `Z`."""
    return moment.isoformat().replace("+00:00", "Z")


def assess(
    path: Path,
    library: Library,
    rules: Sequence[Rule],
    config: Config,
    terms: Terms,
    *,
    now: datetime.datetime,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Evaluate the snapshot at `path`. Raises BartizanError where snapshot, rules or engine cannot be used."""
    params = config.params(rules, library.rules)
    severities = config.severities(library.rules)
    waivers = (*config.waivers(now.date(), library.rules), *terms.waivers)
    plan = Plan(
        snapshot=path,
        rules=tuple(rules),
        modules=library.modules,
        params=params,
        severities=severities,
        waivers=waivers,
        settings=config.settings(),
        engine=terms.engine,
        opa=terms.opa,
        isolated=any(rule.id in library.custom for rule in rules),
        workers=terms.workers,
    )
    found = evaluate(plan, progress)
    with Snapshot.open(path) as snapshot:
        resources, calls = snapshot.size()
        report = Report(
            tool_version=__version__,
            generated_at=stamp(now),
            snapshot_digest=snapshot.kept_digest(),
            policy_digest=library.digest(rules, {"params": params, "severities": severities}),
            engine=found.engine,
            sources=snapshot.sources(),
            rules=tuple(rules),
            verdicts=found.verdicts,
            coverage=tuple(
                row for row in snapshot.listings() if row.gap != UNASKED or any(row.native_type in r.covers for r in rules)
            ),
            waivers=settled(waivers, found.waived),
            params=params,
            resources=resources,
            calls=calls,
            failed_calls=snapshot.failed_calls(),
            problems=(*terms.problems, *snapshot.problems(), *([] if snapshot.state == "complete" else [INTERRUPTED])),
        )
    code, reason = gate(report, terms.fail_on, terms.allowed, waivers_unreadable=terms.waivers_unreadable)
    return report.replace(exit_code=code, exit_reason=reason)
