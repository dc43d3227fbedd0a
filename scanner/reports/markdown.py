"""A summary for people who review a change: the comment on a pull request, or a step's summary, never longer than it may be.

The first line is a marker by which a comment is found again and replaced. Data stands in code, where it is neither markup nor HTML
nor a mention of somebody; prose of ours is escaped all the same, since a JSON report may have been edited.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from scanner.model import Extent, Report, Rule, Severity, Status, Verdict
from scanner.reports import sarif_places, views
from scanner.reports import text as words

MARKER = "<!-- bartizan:summary:v1 -->"
COMMENT = 64 << 10
"""Bytes of a pull request's comment; GitHub counts 65,536 characters, which are never fewer bytes.
https://github.com/orgs/community/discussions/27190"""
SUMMARY = 1024 << 10
"""Bytes of a step's summary: a longer one is not shown at all.
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits"""
LEAST = 4 << 10
"""What the heading and the counts may take; no limit is lower."""
MOST = 20
"""Findings that are shown."""
EACH = 5
"""Findings of one group, so that others are seen too."""
FEW = 10
"""Blind spots, notes and listings that are shown."""
LONG = 300
"""Characters of one piece of data."""
BACKTICKS = re.compile(r"`+")
ACTIVE = re.compile(r"[\\`*_{}\[\]<>|~&$!^=]")
"""What Markdown reads inside a line. https://spec.commonmark.org/0.31.2/#backslash-escapes"""
LINKING = re.compile(r"[@#]|[!$~%&]\w|://|www\.|\bGH-\d|:[\w+-]+:", re.IGNORECASE)
"""What a service makes a mention, a reference, a link or a picture of, although no markup says so: escapes do not help.
https://docs.gitlab.com/user/markdown/#gitlab-specific-references"""


def render(report: Report, out: TextIO, *, limit: int = COMMENT) -> None:
    """Write the summary in at most `limit` bytes (`COMMENT` or `SUMMARY`; never fewer than `LEAST`)."""
    limit = max(limit, LEAST)
    head = _block([MARKER, *_heading(report), "", *_counts(report)])
    groups, total = _shown(report)
    noun = "new finding" if report.baseline else "open finding"
    # NOTE: in the order of what must not be missing; findings come last since they may be many, and stand in between
    rest = {
        "unknown": _block(_unknown(report)),
        "coverage": _block(_coverage(report)),
        "notes": _block(_notes(report)),
        "since": _block(_since(report)),
    }
    kept: dict[str, str] = {}
    room = limit - len(_cut(total, total, limit, noun).encode()) - len(head.encode())
    for name, block in rest.items():
        if len(block.encode()) <= room:
            kept[name] = block
            room -= len(block.encode())
    rules = {rule.id: rule for rule in report.rules}
    found, written = [], 0
    for group in groups:
        block = _block(_group(group, rules.get(group.rule)))
        if len(block.encode()) > room:
            break
        found.append(block)
        room -= len(block.encode())
        written += len(group.verdicts)
    whole = len(kept) == len(rest) and len(found) == len(groups)
    said = _more(written, total, noun) if whole else _cut(written, total, limit, noun)
    parts = (head, kept.get("unknown", ""), kept.get("notes", ""), *found, said, kept.get("since", ""), kept.get("coverage", ""))
    out.write("".join(parts).rstrip("\n") + "\n")


def code(text: str) -> str:
    """Data as a code span: nothing in it is read, as long as the fence is longer than any within."""
    shown = words.visible(words.shortened(text, LONG)) or " "
    fence = "`" * (max(map(len, BACKTICKS.findall(shown)), default=0) + 1)
    pad = " " if shown.strip("`") != shown or (shown.strip() != shown and shown.strip()) else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def prose(text: str) -> str:
    """A sentence of ours: escaped, or as a code span where that would not do."""
    shown = words.visible(words.shortened(text, LONG))
    return code(shown) if LINKING.search(shown) else ACTIVE.sub(r"\\\g<0>", shown)


def _block(lines: Iterable[str]) -> str:
    """Lines and an empty one, or nothing."""
    text = "\n".join(lines)
    return f"{text}\n\n" if text else ""


def _heading(report: Report) -> Iterator[str]:
    """The gate's answer."""
    answer = prose(report.exit_reason) or ("gate passed" if report.exit_code == 0 else "gate failed")
    yield f"## Bartizan: {answer} (exit {report.exit_code})"


def _counts(report: Report) -> Iterator[str]:
    """Findings by severity."""
    opened = report.opens()
    waived = Counter(verdict.severity for verdict in report.notable() if verdict.waiver)
    yield f"| | {' | '.join(Severity)} |"
    yield f"|---|{'---:|' * len(Severity)}"
    yield f"| open | {' | '.join(str(opened.get(each, 0)) for each in Severity)} |"
    yield f"| waived | {' | '.join(str(waived[each]) for each in Severity)} |"
    if baseline := report.baseline:
        known = views.known_findings(report)
        yield f"| of the open ones new | {' | '.join(str(opened.get(each, 0) - known[each]) for each in Severity)} |"
        yield f"\nSince {code(baseline.name)} of {prose(baseline.created_at)}: **{views.compared(report)}**."


def _unknown(report: Report) -> Iterator[str]:
    """What was not seen, and how to see it."""
    unknown = report.count(Status.UNKNOWN)
    if not unknown:
        return
    spots = views.blind_spots(report, fresh=bool(report.baseline))
    yield "> [!WARNING]"
    newly = views.newly_unknown(report)
    yield f"> {words.many(unknown, 'verdict is', 'verdicts are')} unknown{newly}: what was not seen is not a pass.{chr(10) + '>' if spots else ''}"
    for spot in spots[:FEW]:
        reason = spot.reason.value.replace("_", " ") if spot.reason else "unknown"
        call = f" {code(spot.call)}" if spot.call else ""
        cures = "".join(f" Cure: {code(cure)}" for cure in spot.remedies[:1])
        yield f"> - **{reason}**{call} ({words.many(spot.verdicts, 'verdict')}).{cures}"
    if len(spots) > FEW:
        yield f"> - and {len(spots) - FEW} more"


def _notes(report: Report) -> Iterator[str]:
    """What went wrong on the way, and waivers that do not do what their author thinks."""
    notes = [f"- baseline: {prose(note)}" for note in report.baseline.notes] if report.baseline else []
    notes += [f"- problem: {code(problem)}" for problem in report.problems[:FEW]]
    if len(report.problems) > FEW:
        notes.append(f"- and {words.many(len(report.problems) - FEW, 'more problem')}")
    waivers = views.troubled_waivers(report)
    for waiver, said in waivers[:FEW]:
        place = f" ({code(words.place(waiver.where))})" if waiver.where.file else ""
        notes.append(f"- waiver of {code(waiver.rule or '?')} on {code(waiver.resource or '?')}: {prose(said)}{place}")
    if len(waivers) > FEW:
        notes.append(f"- and {words.many(len(waivers) - FEW, 'more waiver')}")
    if notes:
        yield "### Notes\n"
        yield from notes


def _shown(report: Report) -> tuple[Sequence[views.Group], int]:
    """The groups that are shown, of each the first few findings, and how many findings there are."""
    shown: list[views.Group] = []
    room = MOST
    for group in views.open_findings(report, EACH, fresh=True):
        if room <= 0:
            break
        shown.append(views.Group(group.rule, group.severity, group.native_type, group.ai, group.verdicts[:room], group.count))
        room -= len(shown[-1].verdicts)
    return shown, sum(report.opens().values()) - views.known_findings(report).total()


def _group(group: views.Group, rule: Rule | None) -> Iterator[str]:
    """Findings that share their reason and their fix."""
    title = f" {prose(rule.title)}" if rule else ""
    factory = ", in the AI factory" if group.ai else ""
    yield f"### {group.severity.value}{factory}: {code(group.rule)}{title}\n"
    if rule and rule.description:
        yield f"{prose(words.sentence(rule.description))}\n"
    yield from map(_finding, group.verdicts)
    if group.count > len(group.verdicts):
        yield f"- and {group.count - len(group.verdicts)} more"
    filed = any(sarif_places.place_of(verdict).file for verdict in group.verdicts)
    for by, fix in views.fixes(rule, group.native_type, filed=filed)[:1]:
        yield f"\nFix ({prose(by)}):\n"
        yield from _fenced(fix)


def _finding(verdict: Verdict) -> str:
    """One finding, where it is and what it is."""
    where = sarif_places.place_of(verdict)
    place = f"{code(words.place(where))} " if where.file else ""
    role = f" (AI factory: {prose(verdict.ai_role)})" if verdict.ai_role else ""
    more = f" through {code(words.through(where))}" if where.via else ""
    note = f" ({code(where.note)})" if where.note else ""
    since = views.told(verdict)
    note += f" [{prose(since)}]" if since else ""
    return f"- {place}{code(verdict.subject)}{role}{more}{note}: {code(words.specifics(verdict))}"


def _fenced(text: str) -> Iterator[str]:
    """A block of code that nothing in it can end."""
    fence = "`" * max([3, *(len(each) + 1 for each in BACKTICKS.findall(text))])
    yield fence
    yield from (words.visible(line) for line in text.rstrip().split("\n"))
    yield fence


def _more(written: int, total: int, noun: str) -> str:
    """How many findings there are beyond those shown."""
    if written == total:
        return ""
    return f"**{total - written} of {words.many(total, noun)} are not shown here**; the JSON and SARIF reports have them.\n\n"


def _cut(written: int, total: int, limit: int, noun: str) -> str:
    """That the limit left something out."""
    return f"**Cut to fit {limit} bytes: {written} of {words.many(total, noun)} are shown**; the JSON and SARIF reports have everything.\n\n"


def _since(report: Report) -> Iterator[str]:
    """What became of the findings of the baseline, folded."""
    if not report.baseline:
        return
    for state, said in views.PAST.items():
        past = report.baseline.of(state)
        if past:
            yield f"<details><summary>{words.many(len(past), 'finding')} of the baseline: {said}</summary>\n"
            yield from (f"- {code(each.entry.rule)} {code(each.entry.resource)}: {code(each.note)}" for each in past[:FEW])
            if len(past) > FEW:
                yield f"- and {len(past) - FEW} more"
            yield "\n</details>"


def _coverage(report: Report) -> Iterator[str]:
    """Counts with their denominators, folded."""
    counts = views.summary(report)
    judged = f"{words.many(counts['rules'], 'rule')}, {words.many(counts['resources'], 'resource')}"
    yield f"<details><summary>Coverage: {judged}, {words.many(counts['verdicts'], 'verdict')}</summary>\n"
    yield "| fail | of these waived | unknown | pass | not applicable |"
    yield "|---:|---:|---:|---:|---:|"
    yield f"| {' | '.join(str(counts[name]) for name in ('fail', 'waived', 'unknown', 'pass', 'not_applicable'))} |\n"
    yield f"- listings complete: {counts['listings_complete']} of {counts['listings']}"
    missing = [row for row in report.coverage if row.extent is not Extent.COMPLETE]
    for row in missing[:FEW]:
        where = "/".join(filter(None, (row.scope, row.region)))
        gap = f" {code(row.gap.text)}" if row.gap else ""
        yield f"  - {code(row.native_type)} in {code(where)}: {row.extent.value}, {words.many(row.count, 'resource')} seen.{gap}"
    if len(missing) > FEW:
        yield f"  - and {len(missing) - FEW} more"
    yield f"- calls: {counts['calls']}, of which failed: {counts['failed_calls']}"
    yield f"- snapshot {code(report.snapshot_digest)}, rules {code(report.policy_digest)}, judged at {code(report.generated_at)}\n"
    yield "</details>"
