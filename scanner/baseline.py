"""What a change makes worse: a report compared with a baseline, which is an earlier report, a snapshot or a baseline file.

| in the baseline | now | state |
|---|---|---|
| nothing | fail | `new`, with a note where the baseline never evaluated the rule, never looked at the source, or did not know |
| fail | fail | `unchanged`; `worse` where its severity rose; `reopened` where it was waived and is open |
| fixed | fail | `reopened` |
| anything but unknown | unknown | `newly_unknown`; `unseen` where it was a fail |
| unknown | unknown | `unchanged` |
| fail | pass, not applicable, or gone from a listing that is complete | `fixed` |
| fail | gone, and its listing is not complete | `unseen` |
| fail | rule or source not looked at | `unjudged` |

Identity is the source and the fingerprint (`matching.py` says how numbers of `count` are allowed for, `moved.py` how what a plan moves is
followed to its new address). A plan and a live account name the same thing by different ids, so the one is no baseline of the other.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import overload

from scanner.matching import LISTING, Key, entry_of, paired, unnumbered
from scanner.model import (
    Change,
    Comparison,
    Coverage,
    Entry,
    Past,
    Reason,
    Report,
    Severity,
    State,
    Status,
    Tallied,
    Verdict,
    frozen,
)
from scanner.moved import Moved, Moves, needed

Place = tuple[str, str, str]
"""Source, rule and resource."""
EVERYWHERE = ("", "global")
"""Regions of listings that are not of one region."""
MENDED = "passes now, or is gone"
LET_GO = "Terraform lets go of it and leaves it as it is (a removed block), so no plan shows it any more"
FEW = 5
"""Rules or sources that a note names."""


@frozen
class Baseline:
    """What is known from before."""

    name: str
    """What messages call it."""
    kind: str
    """`report`, `snapshot` or `file`."""
    created_at: str
    digest: str
    policy: str
    sources: frozenset[str]
    rules: frozenset[str]
    """Rules that were evaluated."""
    findings: tuple[Entry, ...]
    """Waived ones too, and those that are fixed since."""
    unknowns: tuple[Entry, ...] = ()
    moved: Moves = field(default_factory=dict)
    """What its plans moved, as far as it says something about its entries: as long as that is not applied, every plan tells it."""


def of_report(report: Report, name: str, kind: str = "report") -> Baseline:
    """A report as a baseline. What it knows from a baseline of its own is handed on."""
    day = day_of(report)
    findings: list[Entry] = []
    unknowns: list[Entry] = []
    for verdict in report.notable():
        if verdict.status is Status.FAIL:
            findings.append(entry_of(verdict, day))
        else:
            unknowns.append(entry_of(verdict, ""))
    if report.baseline:
        here = {_key(entry) for entry in findings}
        findings += [_settled(past, day) for past in report.baseline.past if _key(past.entry) not in here]
    return Baseline(
        name=name,
        kind=kind,
        created_at=report.generated_at if kind == "report" else _collected(report),
        digest=report.snapshot_digest,
        policy=report.policy_digest,
        sources=frozenset(source.id for source in report.sources),
        rules=frozenset(rule.id for rule in report.rules),
        findings=tuple(findings),
        unknowns=tuple(unknowns),
        moved=needed(report.moved, (*findings, *unknowns)),
    )


def day_of(report: Report) -> str:
    """The day on which the estate was seen."""
    return _collected(report)[:10]


def _collected(report: Report) -> str:
    """When the youngest of the sources was read; when it was judged, where none says."""
    return max((source.collected_at for source in report.sources if source.collected_at), default=report.generated_at)


def _settled(past: Past, day: str) -> Entry:
    """A past finding for the next comparison: fixed ones stay known as such, so that they can be reopened."""
    entry = past.entry
    return dataclasses.replace(entry, fixed=day) if past.state is State.FIXED else entry


def compare(report: Report, baseline: Baseline, *, new_only: bool = False) -> Report:
    """The report with the state of each failure and unknown, and what became of the findings that were."""
    now = _read(report)
    moved = Moved(report.moved, baseline.moved)
    (findings, had), (unknowns, were) = moved.entries(baseline.findings), moved.entries(baseline.unknowns)
    baseline = dataclasses.replace(baseline, findings=findings, unknowns=unknowns)
    alive = sorted((entry for entry in baseline.findings if not entry.fixed), key=lambda entry: bool(entry.waived))
    fixed = {_key(entry): entry for entry in baseline.findings if entry.fixed}
    pairs, new, left = paired(now.fails, alive, _exact(had))
    pairs += [(entry, fixed[_key(entry)]) for entry in new if _key(entry) in fixed]
    changes: dict[Key, Change] = {_key(entry): _change(entry, was, had.get(_key(was), "")) for entry, was in pairs}
    changes |= _unknowns(now.unknowns, alive, baseline, had | were)
    mark = _Marker(changes, baseline, {_place(entry) for entry in baseline.unknowns}, day_of(report))
    past = tuple(
        Past(each.entry, each.state, _also(each.note, had.get(_key(each.entry), ""))) for each in _past(report, left, now, moved)
    )
    counts: Counter[State] = Counter(each.state for each in past)
    counts.update(changes[_key(e)].state if _key(e) in changes else State.NEW for e in now.fails if not e.waived)
    counts[State.NEWLY_UNKNOWN] = sum(_key(e) not in changes or changes[_key(e)].fresh for e in now.unknowns)
    marked = report.replace(verdicts=_marked(report.verdicts, mark))
    comparison = Comparison(
        name=baseline.name,
        kind=baseline.kind,
        created_at=baseline.created_at,
        digest=baseline.digest,
        policy=baseline.policy,
        sources=tuple(sorted(baseline.sources)),
        new_only=new_only,
        counts={state: counts[state] for state in State},
        past=tuple(sorted(past, key=lambda each: (each.state, each.entry.rule, each.entry.resource, each.entry.fingerprint))),
        notes=tuple(_notes(report, baseline, new, counts, len({*had, *were}))),
    )
    return marked.replace(baseline=comparison)


@frozen
class _Now:
    """Failures and unknowns of a report."""

    fails: list[Entry]
    unknowns: list[Entry]
    blind: set[Place]
    """Failures of which facts are unknown: an earlier one may hide behind them."""


def _read(report: Report) -> _Now:
    """Read once: they may be many, and on disk."""
    now, day = _Now([], [], set()), day_of(report)
    for verdict in report.notable():
        entry = entry_of(verdict, day)
        (now.fails if verdict.status is Status.FAIL else now.unknowns).append(entry)
        if verdict.status is Status.FAIL and any(each.gap for each in verdict.evidence):
            now.blind.add(_place(entry))
    return now


def bare(report: Report) -> Report:
    """The report without what a comparison said of it."""
    verdicts = _marked(report.verdicts, lambda verdict: verdict.replace(change=None) if verdict.change else verdict)
    return report.replace(verdicts=verdicts, baseline=None)


def _key(entry: Entry) -> Key:
    return entry.source, entry.fingerprint


def _place(entry: Entry) -> Place:
    return entry.source, entry.rule, entry.resource


def _change(now: Entry, was: Entry, had: str) -> Change:
    """The state of a finding that the baseline knows, by another id (`had`) where it has moved."""
    if was.fixed:
        return Change(State.REOPENED, was.first_seen, _also(f"was fixed on {was.fixed}", had))
    if was.waived and not now.waived:
        return Change(State.REOPENED, was.first_seen, _also(f"was waived until {was.waived}", had))
    if now.severity.rank < was.severity.rank:
        return Change(State.WORSE, was.first_seen, _also(f"was {was.severity.value}", had))
    return Change(State.UNCHANGED, was.first_seen, _also("", had))


def _exact(had: Mapping[Key, str]) -> set[Key]:
    """Of what has moved that which had an id without numbers, so that it is certain which it was."""
    return {key for key, identity in had.items() if unnumbered(identity) == identity}


def _also(note: str, had: str) -> str:
    """The note, and by which id the baseline knows what has moved."""
    return "; ".join(filter(None, (note, f"was at {had}" if had else "")))


def _unknowns(now: Sequence[Entry], alive: Iterable[Entry], baseline: Baseline, had: Mapping[Key, str]) -> dict[Key, Change]:
    """The states of unknown verdicts that are not simply new; `had` are the ids by which the baseline knows what has moved."""
    listed: dict[tuple[str, str], set[str]] = defaultdict(set)
    for entry in baseline.unknowns:
        if entry.tag == LISTING:
            listed[entry.source, entry.rule] |= set(entry.type.split(", "))
    found = {
        _key(entry): Change(State.UNCHANGED)
        for entry in now
        if entry.tag == LISTING and set(entry.type.split(", ")) <= listed[entry.source, entry.rule]
    }
    single = [entry for entry in now if entry.tag != LISTING]
    pairs, new, _ = paired(single, (entry for entry in baseline.unknowns if entry.tag != LISTING), _exact(had))
    found |= {_key(entry): Change(State.UNCHANGED, note=_also("", had.get(_key(was), ""))) for entry, was in pairs}
    failed = {_place(entry): entry for entry in alive}
    for entry in new:
        if was := failed.get(_place(entry)):
            note = _also("was a finding, and cannot be seen now", had.get(_key(was), ""))
            found[_key(entry)] = Change(State.UNSEEN, was.first_seen, note)
    return found


class _Marker:
    """Puts its change on a verdict."""

    def __init__(self, changes: Mapping[Key, Change], baseline: Baseline, dark: set[Place], day: str) -> None:
        self._changes = changes
        self._baseline = baseline
        self._dark = dark
        self._day = day

    def __call__(self, verdict: Verdict) -> Verdict:
        if verdict.status not in (Status.FAIL, Status.UNKNOWN):
            return verdict if verdict.change is None else verdict.replace(change=None)
        known = self._changes.get((verdict.source, verdict.fingerprint))
        return verdict.replace(change=known or self._new(verdict))

    def _new(self, verdict: Verdict) -> Change:
        """The change of what the baseline does not have."""
        if verdict.source not in self._baseline.sources:
            note = f"the baseline never looked at {verdict.source}"
        elif verdict.rule not in self._baseline.rules:
            note = "the rule is new: the baseline did not evaluate it"
        elif (verdict.source, verdict.rule, verdict.subject) in self._dark:
            note = "was unknown in the baseline"
        else:
            note = ""
        if verdict.status is Status.UNKNOWN:
            return Change(State.NEWLY_UNKNOWN, "", note)
        return Change(State.NEW, self._day, note)


@frozen
class _Sight:
    """What a run saw, to tell what is mended from what is out of sight."""

    modes: Mapping[str, str]
    """Source → mode."""
    rules: frozenset[str]
    problems: bool
    rows: Mapping[tuple[str, str], list[Coverage]]
    """Source and native type → listings."""

    def absent(self, entry: Entry) -> tuple[State, str]:
        """The state of a finding of which the run has no verdict, should its resource be gone."""
        rows = self.rows.get((entry.source, entry.type), [])
        if self.modes[entry.source] != "live":
            # NOTE: a file says all that it has; of a network that exists already a plan lists its own part, and that completely
            late = next((row.gap for row in rows if row.gap and row.gap.reason is not Reason.NOT_OFFERED), None)
            if self.problems:
                return State.UNSEEN, "an input could not be read"
            return (State.UNSEEN, f"its listing is not complete: {late.text}") if late else (State.FIXED, MENDED)
        near = [row for row in rows if row.region in (entry.region, *EVERYWHERE) or f"/{row.region}/" in entry.resource]
        if not near:
            return State.UNJUDGED, f"{entry.type} was not listed there"
        gap = next((row.gap for row in near if row.gap), None)
        return (State.UNSEEN, f"its listing is not complete: {gap.text}") if gap else (State.FIXED, MENDED)


def _sight(report: Report) -> _Sight:
    """What the report's run saw."""
    rows: dict[tuple[str, str], list[Coverage]] = defaultdict(list)
    for row in report.coverage:
        rows[row.source, row.native_type].append(row)
    modes = {source.id: source.mode for source in report.sources}
    return _Sight(modes, frozenset(rule.id for rule in report.rules), bool(report.problems), rows)


def _past(report: Report, left: Sequence[Entry], now: _Now, moved: Moved) -> Iterator[Past]:
    """What became of findings that are none now."""
    sight = _sight(report)
    unknown, failing = {_place(entry) for entry in now.unknowns}, {_place(entry) for entry in now.fails}
    hidden: list[tuple[Entry, tuple[State, str]]] = []
    for entry in left:
        place = _place(entry)
        if entry.rule not in sight.rules:
            yield Past(entry, State.UNJUDGED, "its rule was not evaluated")
        elif entry.source not in sight.modes:
            yield Past(entry, State.UNJUDGED, f"nobody looked at {entry.source}")
        elif place in unknown:
            yield Past(entry, State.UNSEEN, "the verdict is unknown now")
        elif place in now.blind:
            yield Past(entry, State.UNSEEN, "facts of it are unknown now")
        elif place in failing:
            yield Past(entry, State.FIXED, "fails in another way")
        elif moved.let_go(entry):
            yield Past(entry, State.UNSEEN, LET_GO)
        else:
            hidden.append((entry, sight.absent(entry)))
    # NOTE: passes are read only where they matter, since there may be a million of them
    passing = _passing(report, {_place(entry) for entry, (state, _) in hidden if state is not State.FIXED})
    for entry, absent in hidden:
        yield Past(entry, *((State.FIXED, MENDED) if _place(entry) in passing else absent))


def _passing(report: Report, wanted: set[Place]) -> set[Place]:
    """Those of the places that were judged, and neither fail nor are unknown."""
    found: set[Place] = set()
    for verdict in report.verdicts if wanted else ():
        place = (verdict.source, verdict.rule, verdict.subject)
        if place in wanted:
            found.add(place)
            if len(found) == len(wanted):
                break
    return found


def _notes(report: Report, baseline: Baseline, new: Sequence[Entry], counts: Mapping[State, int], moved: int) -> Iterator[str]:
    """What the reader should know about the comparison."""
    here = {source.id for source in report.sources}
    if strange := sorted(here - baseline.sources):
        seen = few(sorted(baseline.sources)) or "nothing"
        yield (
            f"the baseline never looked at {few(strange)}, so all that is found there is new. It looked at {seen}. Two plans are "
            "compared where both have the same --name; a plan and a live account have different ids and cannot be compared"
        )
    added = sorted({entry.rule for entry in new if entry.source in baseline.sources and entry.rule not in baseline.rules})
    if added:
        yield f"new findings are of rules that the baseline never evaluated: {few(added)}"
    if moved:
        cure = "; write it again with this change, since no plan tells a move that is applied" if baseline.kind == "file" else ""
        yield f"{moved} {'entry' if moved == 1 else 'entries'} of the baseline {'has' if moved == 1 else 'have'} another address now, since the plan moves what {'it is' if moved == 1 else 'they are'} about{cure}"
    if baseline.kind == "file" and counts[State.FIXED]:
        stale = counts[State.FIXED]
        yield f"{stale} {'entry' if stale == 1 else 'entries'} of the baseline {'is' if stale == 1 else 'are'} stale, since fixed: write it again with `bartizan baseline write`"


def few(names: Sequence[str]) -> str:
    """The first names, and how many more."""
    return ", ".join(names[:FEW]) + (f" and {len(names) - FEW} more" if len(names) > FEW else "")


def _marked(verdicts: Sequence[Verdict], mark: Callable[[Verdict], Verdict]) -> Sequence[Verdict]:
    """The verdicts with their changes: made as they are read where they are on disk."""
    return _Marked(verdicts, verdicts, mark) if isinstance(verdicts, Tallied) else tuple(map(mark, verdicts))


class _Marked(Sequence[Verdict]):
    """Verdicts that are marked on the way out."""

    def __init__(self, verdicts: Sequence[Verdict], tallied: Tallied, mark: Callable[[Verdict], Verdict]) -> None:
        self._verdicts = verdicts
        self._tallied = tallied
        self._mark = mark

    def tally(self) -> Mapping[Status, int]:
        """See `scanner.model.Tallied`."""
        return self._tallied.tally()

    def opens(self) -> Mapping[Severity, int]:
        """See `scanner.model.Tallied`."""
        return self._tallied.opens()

    def notable(self) -> Iterator[Verdict]:
        """See `scanner.model.Tallied`."""
        return map(self._mark, self._tallied.notable())

    def __iter__(self) -> Iterator[Verdict]:
        return map(self._mark, self._verdicts)

    def __len__(self) -> int:
        return len(self._verdicts)

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | Sequence[Verdict]:
        return tuple(self)[index]
