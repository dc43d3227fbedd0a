"""JUnit's XML, which every build service shows: a suite a rule, a test case a verdict.

A failure is an open finding, an error is an unknown (not seen is not passed), and what is waived or not applicable is skipped. The
shape is that of Jenkins' `junit-10.xsd`, whose counts stand before the cases: those wait, packed, in a temporary file.
"""

from __future__ import annotations

import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import TextIO
from xml.sax.saxutils import escape, quoteattr

from scanner.model import Past, Report, Rule, State, Status, Verdict, Waiver
from scanner.reports import sarif_places, views
from scanner.reports import text as words

PACK = 1 << 15
"""Characters of one suite that are kept before they are packed."""
KEPT = 1 << 20
"""Packed bytes that are kept in memory; a scan of 200,000 resources makes a million cases."""

WAIVERS = "bartizan.waivers"
"""The suite of waivers that accept nothing or too much; it is there where there are any."""

Outcome = str
"""`failures`, `errors`, `skipped`, or empty for a pass: the attribute that counts it."""


def render(report: Report, out: TextIO) -> None:
    """Write the suites, in the order of the rules."""
    rules = {rule.id: rule for rule in report.rules}
    new_only = bool(report.baseline and report.baseline.new_only)
    with tempfile.SpooledTemporaryFile(KEPT) as file:
        suites = {rule: Suite(file) for rule in rules}
        for verdict in report.verdicts:
            if verdict.rule not in suites:
                suites[verdict.rule] = Suite(file)
            suites[verdict.rule].add(*_case(verdict, rules.get(verdict.rule), new_only=new_only))
        for past in report.baseline.of(State.FIXED) if report.baseline else ():
            if past.entry.rule in suites:
                suites[past.entry.rule].add("", _fixed(past))
        if troubled := views.troubled_waivers(report):
            suites[WAIVERS] = Suite(file)
            for waiver, said in troubled:
                suites[WAIVERS].add("skipped", _waiver(waiver, said))
        total: Counter[str] = Counter()
        for suite in suites.values():
            total.update(suite.counts)
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        # NOTE: the schema knows no `skipped` here
        out.write(f"<testsuites{_attributes(name='bartizan', **_counts(total, 'tests', 'failures', 'errors'))}>\n")
        for name, suite in suites.items():
            _suite(out, report, f"{name} {rules[name].title}" if name in rules else name, suite)
        out.write("</testsuites>\n")


class Suite:
    """The cases of one rule, packed into a file that all share."""

    def __init__(self, file: tempfile.SpooledTemporaryFile[bytes]) -> None:
        self.counts: Counter[str] = Counter()
        self._file = file
        self._blocks: list[tuple[int, int]] = []
        self._waiting: list[str] = []
        self._size = 0

    def add(self, outcome: Outcome, text: str) -> None:
        """One more case."""
        self.counts.update({"tests": 1} | ({outcome: 1} if outcome else {}))
        self._waiting.append(text)
        self._size += len(text)
        if self._size > PACK:
            self._blocks.append((self._file.tell(), self._file.write(zlib.compress("".join(self._waiting).encode(), 1))))
            self._waiting, self._size = [], 0

    def cases(self) -> Iterator[str]:
        """All cases in order, a block at a time; nothing can be added after."""
        for at, size in self._blocks:
            self._file.seek(at)
            yield zlib.decompress(self._file.read(size)).decode()
        yield from self._waiting


def _suite(out: TextIO, report: Report, name: str, suite: Suite) -> None:
    """One suite. Nothing was timed."""
    counts = _counts(suite.counts, "tests", "failures", "errors", "skipped")
    stamp = report.generated_at.removesuffix("Z")
    out.write(f"  <testsuite{_attributes(name=name, **counts, time='0', timestamp=stamp)}>\n")
    out.writelines(suite.cases())
    out.write("  </testsuite>\n")


def _counts(counts: Counter[str], *names: str) -> dict[str, str]:
    """Counts as attributes."""
    return {name: str(counts[name]) for name in names}


def _fixed(past: Past) -> str:
    """A finding of the baseline that is fixed: a case that passes, under a name of its own."""
    entry = past.entry
    attributes = _attributes(classname=entry.rule, name=f"fixed since the baseline: {entry.resource}", time="0")
    said = escape(words.visible(f"{past.note}; first seen {entry.first_seen or 'before'}"))
    return f"    <testcase{attributes}><system-out>{said}</system-out></testcase>\n"


def _waiver(waiver: Waiver, said: str) -> str:
    """A waiver that does not do what its author thinks: shown, and no failure of what is judged."""
    place = words.place(waiver.where)
    attributes = _attributes(classname=WAIVERS, name=f"{views.waiver_name(waiver)}{f' [{place}]' if place else ''}", time="0")
    return f"    <testcase{attributes}>{_element('skipped', 'waiver', f'the waiver is {said}', [])}</testcase>\n"


def _case(verdict: Verdict, rule: Rule | None, *, new_only: bool) -> tuple[Outcome, str]:
    """One verdict. What the baseline knows is skipped where only new findings count: a build service fails what has a failure."""
    # NOTE: the listings of one scope that failed differ by their region alone
    scoped = f"{verdict.native_type} {words.subject(verdict)}"
    name = verdict.subject if verdict.level == "resource" else scoped
    start = f"    <testcase{_attributes(classname=verdict.rule, name=name, time='0')}"
    if verdict.status is Status.PASS:
        return "", f"{start}/>\n"
    since = views.told(verdict)
    if verdict.open and new_only and not verdict.fresh:
        element = _element("skipped", "known", f"{since}: {words.specifics(verdict)}", [])
        return "skipped", f"{start}>{element}</testcase>\n"
    if verdict.open:
        element = _element("failure", verdict.severity.value, words.specifics(verdict), _failure(verdict, rule))
        return "failures", f"{start}>{element}</testcase>\n"
    if verdict.status is Status.UNKNOWN:
        reason = verdict.gaps[0].reason.value if verdict.gaps else "unknown"
        element = _element(
            "error",
            reason,
            verdict.message or words.WORDS[verdict.status],
            [*([f"Since the baseline: {since}."] if since else []), *(gap.text for gap in verdict.gaps)],
        )
        return "errors", f"{start}>{element}</testcase>\n"
    if waiver := verdict.waiver:
        said = ", ".join(filter(None, (waiver.owner, f"until {waiver.expires}", waiver.ticket)))
        element = _element("skipped", "waived", f"waived: {waiver.reason} ({said})", [words.specifics(verdict)])
    else:
        element = _element("skipped", "not_applicable", verdict.message or words.WORDS[verdict.status], [])
    return "skipped", f"{start}>{element}</testcase>\n"


def _failure(verdict: Verdict, rule: Rule | None) -> Iterator[str]:
    """Where it is, what it is, and how to mend it."""
    where = sarif_places.place_of(verdict)
    if where.file:
        yield words.place(where)
    if where.via:
        yield f"through {words.through(where)}"
    if where.note:
        yield f"({where.note})"
    yield words.said(verdict)
    if since := views.told(verdict):
        yield f"Since the baseline: {since}."
    for by, fix in views.fixes(rule, verdict.native_type, filed=bool(where.file))[:1]:
        yield f"Fix ({by}):"
        yield from fix.splitlines()


def _element(tag: str, kind: str, message: str, lines: Iterator[str] | list[str]) -> str:
    """What stands in a case that did not pass."""
    body = "\n".join(escape(words.visible(line)) for line in lines)
    start = f"<{tag}{_attributes(type=kind, message=message)}"
    return f"{start}>{body}</{tag}>" if body else f"{start}/>"


def _attributes(**values: str) -> str:
    """Attributes: `visible` leaves no character that XML 1.0 has not, and no line break that it would make a blank."""
    return "".join(f" {name}={quoteattr(words.visible(value))}" for name, value in values.items())
