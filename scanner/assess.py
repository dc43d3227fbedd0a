"""From a snapshot and rules to the `Report`: the second half of a scan, and the whole of `bartizan evaluate`."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from scanner import __version__
from scanner.asked import UNASKED
from scanner.config import Config
from scanner.evaluate import Plan, evaluate
from scanner.gate import ALLOWED, gate
from scanner.model import Reason, Report, Rule, Severity, Waiver, frozen
from scanner.moved import followed, left
from scanner.rules.library import Library
from scanner.snapshot import Snapshot
from scanner.waivers import Limits, distinct, ignored, measured, read_inline, settled

if TYPE_CHECKING:
    from scanner.baseline import Baseline

INTERRUPTED = "the collection was interrupted: what is missing from the snapshot was not seen. Continue it with --resume."

ONLY = "only those of --waivers-from count"
NO_INLINE = "only those of files count (--no-inline-waivers, or waiver_policy.inline)"


@frozen
class Terms:
    """How to judge, and what the gate lets through."""

    fail_on: Severity | None = Severity.HIGH
    allowed: frozenset[Reason] = ALLOWED
    engine: str = "regorus"
    opa: Mapping[str, str | None] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()
    """Those of a file of their own."""
    only_these: bool = False
    """Whether no others count: neither those of the configuration nor those that stand in what is judged."""
    inline: bool = True
    """Whether those count that stand in what is judged."""
    waivers_unreadable: bool = False
    problems: tuple[str, ...] = ()
    """Faults met before the snapshot."""
    workers: int = 0
    baseline: Baseline | None = None
    """What the report is compared with."""
    new_only: bool = False
    """Whether only what the baseline does not know counts."""


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
    waivers = _waivers(path, config, terms, config.limits(now.date(), library.rules))
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
        moves = snapshot.moves()
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
            waivers=left(measured(settled(waivers, found.waived), rules, snapshot.named()), moves),
            params=params,
            resources=resources,
            calls=calls,
            failed_calls=snapshot.failed_calls(),
            problems=(*terms.problems, *snapshot.problems(), *([] if snapshot.state == "complete" else [INTERRUPTED])),
            moved=moves,
        )
    if terms.baseline:
        from scanner.baseline import compare  # noqa: PLC0415 - only when asked for

        report = compare(report, terms.baseline, new_only=terms.new_only)
    code, reason = gate(report, terms.fail_on, terms.allowed, waivers_unreadable=terms.waivers_unreadable)
    return report.replace(exit_code=code, exit_reason=reason)


def _waivers(path: Path, config: Config, terms: Terms, limits: Limits) -> tuple[Waiver, ...]:
    """All waivers that are written anywhere, with their state before any finding is known."""
    own: Sequence[Waiver] = config.waivers(limits)
    with Snapshot.open(path) as snapshot:
        inline: Sequence[Waiver] = [waiver for found in snapshot.inline() for waiver in read_inline(found, limits)]
        moves = snapshot.moves()
    if terms.only_these:
        own, inline = ignored(own, ONLY), ignored(inline, ONLY)
    elif not terms.inline:
        inline = ignored(inline, NO_INLINE)
    return followed(distinct((*own, *terms.waivers, *inline)), moves)
