"""A saved JSON report, asked again: another bar, baseline, list of allowed unknowns or other waivers, and nothing judged anew.

What was judged is the report's: rules, parameters, severities, zones. So is what stands in comments and annotations: which findings
those mark is known from the report alone. Other waivers are matched again, all by today's date: one that has expired since accepts
nothing any more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from scanner.assess import NO_INLINE, ONLY, Terms
from scanner.baseline import compare
from scanner.config import Config
from scanner.gate import gate
from scanner.model import BartizanError, Report, Rule, Status, Verdict, Waiver, WaiverState, frozen
from scanner.moved import followed, left
from scanner.verdicts import order
from scanner.waivers import Limits, Waivers, checked, distinct, ignored, measured, settled

STALE = "what is waived has changed, and with it what is new: give --baseline PREVIOUS again, or --no-baseline"
LIMITLESS = 1_000_000
"""Days away that an expiry may be, where the waivers were held to their limit when the report was made."""
Key = tuple[str, str, str, str, str, int]


@frozen
class Asked:
    """With what a report is asked again."""

    terms: Terms
    limits: Limits
    """By what waivers are judged."""
    own: Sequence[Waiver] | None = None
    """Those of a configuration that takes the place of the report's; None where the report's files count on."""


def again(report: Report, asked: Asked) -> Report:
    """The report with its waivers, its comparison and the gate's answer as `asked` has them.

    Raises BartizanError where it has a comparison that cannot be kept.
    """
    terms = asked.terms
    files, inline = _files(report, asked), _inline(report, asked)
    every = distinct((*files, *inline))
    found = _waived(report, every[: len(files)], every[len(files) :])
    if terms.baseline:
        found = compare(found, terms.baseline, new_only=terms.new_only)
    elif found.baseline:
        if _marks(found) != _marks(report):
            raise BartizanError(STALE)
        found = found.replace(baseline=replace(found.baseline, new_only=found.baseline.new_only or terms.new_only))
    found = found.replace(problems=tuple(dict.fromkeys((*found.problems, *terms.problems))))
    code, reason = gate(found, terms.fail_on, terms.allowed, waivers_unreadable=terms.waivers_unreadable)
    return found.replace(exit_code=code, exit_reason=reason)


def refuse_other(report: Report, config: Config, every: Collection[str], name: str) -> None:
    """Raises BartizanError where the configuration says that it should have been judged differently: nobody must think that it was."""
    known = {*every, *(rule.id for rule in report.rules)}
    params, severities = config.params(report.rules, known), config.severities(known)
    own = {rule.id: severities.get(rule.id, rule.severity) for rule in report.rules}
    other = {f"params.{rule}" for rule, values in params.items() if values != report.params.get(rule, values)}
    other |= {f"severities.{v.rule}" for v in report.verdicts if v.severity is not own.get(v.rule, v.severity)}
    if other:
        raise BartizanError(
            f"{name}: was not judged as {config.path or 'the defaults'} says ({', '.join(sorted(other)[:5])}). Judge its snapshot "
            "(`bartizan evaluate`), or give the --config that it was judged with."
        )


def not_evaluated(report: Report, rules: Sequence[Rule], name: str) -> None:
    """Raises BartizanError where the configuration chooses rules that the report has not: it must not look as if they passed."""
    missing = sorted({rule.id for rule in rules} - {rule.id for rule in report.rules})
    if missing:
        raise BartizanError(
            f"{name}: {len(missing)} rules that the configuration chooses were not evaluated ({', '.join(missing[:3])} …). Judge its "
            "snapshot: `bartizan evaluate`."
        )


def _files(report: Report, asked: Asked) -> tuple[Waiver, ...]:
    """The waivers of files: what is read now takes the place of what the report has from the same file."""
    fresh = {waiver.where.file for waiver in asked.terms.waivers}
    kept = asked.own
    if kept is None:
        mine = (w for w in report.waivers if not w.inline and w.where.file not in fresh)
        kept = [_today(waiver, asked.limits) for waiver in mine]
    return (*(ignored(kept, ONLY) if asked.terms.only_these else kept), *asked.terms.waivers)


def _inline(report: Report, asked: Asked) -> tuple[Waiver, ...]:
    """The waivers that stand in what was judged."""
    found = [_today(waiver, asked.limits) for waiver in report.waivers if waiver.inline]
    if asked.terms.only_these:
        return ignored(found, ONLY)
    return tuple(found) if asked.terms.inline else ignored(found, NO_INLINE)


def _today(waiver: Waiver, limits: Limits) -> Waiver:
    """The waiver with its state of today, before any finding is known."""
    if waiver.state not in (WaiverState.USED, WaiverState.UNUSED):
        return replace(waiver, matches=0)
    return checked(replace(waiver, matches=0, problem=""), limits)


def _key(waiver: Waiver) -> Key:
    """What tells a waiver from others."""
    return waiver.rule, waiver.resource, waiver.expires, waiver.reason, waiver.where.file, waiver.where.line


def _waived(report: Report, files: Sequence[Waiver], inline: Sequence[Waiver]) -> Report:
    """The report with these waivers applied."""
    files = followed(files, report.moved)
    matcher = Waivers(files)
    live = {_key(waiver) for waiver in inline if waiver.state is WaiverState.UNUSED}
    before = {_key(waiver): waiver.matches for waiver in report.waivers}

    def marked(verdict: Verdict) -> Verdict:
        if verdict.status is not Status.FAIL:
            return verdict
        was = verdict.waiver
        by_file = matcher.apply(verdict.replace(waiver=None))
        return verdict if by_file.waiver is None and was is not None and was.inline and _key(was) in live else by_file

    verdicts = sorted(map(marked, report.verdicts), key=lambda v: order(v) if v.status in (Status.FAIL, Status.UNKNOWN) else "3")
    matches = Counter({len(files) + n: before[_key(waiver)] for n, waiver in enumerate(inline) if _key(waiver) in live})
    matches.update(matcher.matches)
    things = {(v.kind, v.native_type, v.subject, v.name): None for v in report.verdicts if v.level == "resource"}
    found = measured(settled((*files, *inline), matches), report.rules, things)
    return report.replace(verdicts=tuple(verdicts), waivers=left(found, report.moved))


def _marks(report: Report) -> set[tuple[str, str]]:
    """The findings that are waived."""
    return {(v.source, v.fingerprint) for v in report.verdicts if v.waiver is not None}
