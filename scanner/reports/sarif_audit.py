"""What the audit profile of SARIF holds beyond open findings: all kinds of verdict, suppressions, notifications, taxonomies."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sarif import log as sarif
from scanner.model import JSON, Call, Gap, Past, Reason, Report, Status, Verdict, Waiver, WaiverState
from scanner.reports import sarif_places, sarif_rules, views
from scanner.reports import text as words
from scanner.reports.json_report import plain

KINDS = {Status.FAIL: "fail", Status.PASS: "pass", Status.UNKNOWN: "open", Status.NOT_APPLICABLE: "notApplicable"}
"""https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html, 3.27.9."""

NOTHING_SEEN = 3
"""The exit code of a run that collected or evaluated nothing."""


def _kind(id_: str, name: str, short: str, level: str) -> sarif.Rule:
    """The descriptor of a kind of notification."""
    return sarif.Rule(id_, name, short, short, short, level=level)


CALL_DENIED = _kind("BARTIZAN-CALL-DENIED", "CallDenied", "A call was refused for lack of a permission.", "error")
CALL_FAILED = _kind("BARTIZAN-CALL-FAILED", "CallFailed", "A call gave no answer.", "error")
NOT_LISTED = _kind("BARTIZAN-NOT-LISTED", "NotListed", "A listing did not complete, so resources may be missing.", "error")
PROBLEM = _kind("BARTIZAN-PROBLEM", "Problem", "Something went wrong on the way.", "warning")
WAIVER_EXPIRED = _kind("BARTIZAN-WAIVER-EXPIRED", "WaiverExpired", "A waiver is past its date and accepts nothing.", "warning")
WAIVER_MALFORMED = _kind("BARTIZAN-WAIVER-MALFORMED", "WaiverMalformed", "A waiver cannot be read and accepts nothing.", "error")
WAIVER_UNUSED = _kind("BARTIZAN-WAIVER-UNUSED", "WaiverUnused", "No finding matches a waiver.", "note")
WAIVER_BROAD = _kind("BARTIZAN-WAIVER-BROAD", "WaiverOverBroad", "A waiver matches most of what its rules speak about.", "warning")
WAIVER_IGNORED = _kind("BARTIZAN-WAIVER-IGNORED", "WaiverIgnored", "A waiver stands where none counts.", "note")
WAIVER_MOVED = _kind("BARTIZAN-WAIVER-MOVED", "WaiverMoved", "A waiver names an address that a plan moves.", "warning")
ALL_WAIVERS = (WAIVER_EXPIRED, WAIVER_MALFORMED, WAIVER_UNUSED, WAIVER_BROAD, WAIVER_IGNORED, WAIVER_MOVED)
ALL = (CALL_DENIED, CALL_FAILED, NOT_LISTED, PROBLEM, *ALL_WAIVERS)

WAIVERS = {
    WaiverState.EXPIRED: WAIVER_EXPIRED,
    WaiverState.MALFORMED: WAIVER_MALFORMED,
    WaiverState.UNUSED: WAIVER_UNUSED,
    WaiverState.IGNORED: WAIVER_IGNORED,
    WaiverState.USED: WAIVER_MOVED,
}


def extended(run: sarif.Run, report: Report, taxonomies: Sequence[sarif.Taxonomy], root: str = "") -> sarif.Run:
    """The run with its notifications, its taxonomies and what was looked at."""
    execution = (*_calls(report), *_listings(report), *_problems(report))
    more: dict[str, JSON] = {
        "bartizan/engine": report.engine,
        "bartizan/parameters": plain(report.params),
        "bartizan/sources": [
            {"id": each.id, "mode": each.mode, "scope": each.scope, "identity": each.identity, "collectedAt": each.collected_at}
            for each in report.sources
        ],
    }
    return dataclasses.replace(
        run,
        notifications=ALL,
        execution=execution,
        configuration=tuple(waivers(report, root)),
        taxonomies=tuple(taxonomies),
        successful=report.exit_code != NOTHING_SEEN,
        properties={**run.properties, **more},
    )


def _calls(report: Report) -> Iterator[sarif.Notification]:
    """One notification a failed call, with the permission it lacks and the first rule it blinds."""
    known: dict[str, tuple[Gap, str]] = {}
    for gap, rule in _gaps(report):
        known.setdefault(_wire(gap.call), (gap, rule))
    for call in report.failed_calls:
        yield _call(call, *known.get(_wire(f"{call.service}:{call.operation}"), (None, "")))


def _gaps(report: Report) -> Iterator[tuple[Gap, str]]:
    """Every gap, with the rule it blinds; those of verdicts first."""
    yield from ((gap, verdict.rule) for verdict in report.verdicts for gap in verdict.gaps)
    yield from ((row.gap, "") for row in report.coverage if row.gap)


def _wire(call: str) -> str:
    """`kms:GetKeyRotationStatus` and `kms:get_key_rotation_status` are the same call."""
    return call.replace("_", "").casefold()


def _call(call: Call, gap: Gap | None, rule: str) -> sarif.Notification:
    """A failed call."""
    named = gap.call if gap else f"{call.service}:{call.operation}"
    denied = call.reason is Reason.DENIED
    where = "/".join(filter(None, (call.scope, call.region)))
    reason = call.reason.value if call.reason else "failed"
    said = f"{named} in {where}: {reason}{f' ({call.detail})' if call.detail else ''}"
    text = f"{words.ended(said)} {words.ended(gap.remedy)}" if gap and gap.remedy else words.ended(said)
    properties = {"bartizan/requiredPermission": named} if denied else {}
    return sarif.Notification(
        id=(CALL_DENIED if denied else CALL_FAILED).id,
        level="error",
        message=_plain(text),
        rule=rule,
        place=sarif.Place("", logical=(sarif.Logical(words.visible(call.scope), where, "namespace"),)),
        properties={**properties, "bartizan/call": call.id, "bartizan/retries": call.retries},
    )


def _listings(report: Report) -> Iterator[sarif.Notification]:
    """Listings that did not complete."""
    for row in report.coverage:
        if row.gap:
            where = "/".join(filter(None, (row.scope, row.region)))
            said = f"{row.native_type} in {where}: the listing is {row.extent.value}, {words.many(row.count, 'resource')} seen; {row.gap.text}"
            yield sarif.Notification(NOT_LISTED.id, "error", _plain(words.ended(said)))


def _problems(report: Report) -> Iterator[sarif.Notification]:
    """What went wrong on the way."""
    yield from (sarif.Notification(PROBLEM.id, "warning", _plain(words.ended(text))) for text in report.problems)


def waivers(report: Report, root: str = "") -> Iterator[sarif.Notification]:
    """Waivers that do not do what their author thinks."""
    for waiver, said in views.troubled_waivers(report):
        broad = waiver.problem and waiver.state in (WaiverState.USED, WaiverState.UNUSED)
        kind = WAIVER_BROAD if broad else WAIVERS[waiver.state]
        text = f"The waiver of {views.waiver_name(waiver)} is {said}"
        yield sarif.Notification(kind.id, kind.level, _plain(words.ended(text)), waiver.rule, _waiver_place(waiver, root))


def _plain(text: str) -> str:
    """A message in which no data can make a link."""
    return words.visible(text).replace("](", "] (")


def _waiver_place(waiver: Waiver, root: str) -> sarif.Place | None:
    """Where a waiver was read."""
    where = waiver.where
    return sarif.Place(sarif_places.file_uri(where.file, root), max(where.line, 1), max(where.column, 1)) if where.file else None


class Results:
    """Verdicts of one report as SARIF results."""

    def __init__(self, report: Report, taxonomies: Sequence[sarif.Taxonomy], guid: Callable[..., str], root: str) -> None:
        self._taxonomies = taxonomies
        self._guid = guid
        self._root = root
        self._rules = {rule.id: rule for rule in report.rules}
        self._taxa: dict[tuple[str, str], tuple[sarif.Object, ...]] = {}

    def result(self, verdict: Verdict, message: str, fingerprints: Mapping[str, str], baseline: str = "") -> sarif.Result:
        """One verdict of any kind."""
        return sarif.Result(
            rule=verdict.rule,
            message=message,
            place=sarif_places.place(verdict, self._root),
            level=sarif_rules.LEVELS[verdict.severity][0],
            kind=KINDS[verdict.status],
            fingerprints=fingerprints,
            guid=self._guid("result", verdict.fingerprint, verdict.rule, verdict.native_type, verdict.subject, verdict.region),
            suppressions=(self._suppression(verdict, verdict.waiver),) if verdict.waiver else (),
            taxa=self._references(verdict),
            properties=_properties(verdict),
            related=sarif_places.related(verdict, self._root),
            baseline=baseline,
        )

    def _references(self, verdict: Verdict) -> tuple[sarif.Object, ...]:
        """Controls and requirements that the verdict speaks to; the same for all of one rule and type."""
        key = (verdict.rule, verdict.native_type)
        if key not in self._taxa:
            ids = {**verdict.controls, sarif_rules.CATALOG: verdict.catalog}
            self._taxa[key] = tuple(sarif_rules.references(self._taxonomies, ids))
        return self._taxa[key]

    def _suppression(self, verdict: Verdict, waiver: Waiver) -> sarif.Suppression:
        """The waiver: in the source where it stands in what is judged, or in the resource's own file."""
        ours = waiver.inline or (bool(waiver.where.file) and waiver.where.file == sarif_places.place_of(verdict).file)
        return sarif.Suppression(
            kind="inSource" if ours else "external",
            justification=words.visible(waiver.reason),
            guid=self._guid("waiver", waiver.rule, waiver.resource, waiver.expires),
            place=_waiver_place(waiver, self._root),
            properties=sarif.filled(
                **{
                    "bartizan/rule": waiver.rule,
                    "bartizan/resource": waiver.resource,
                    "bartizan/expires": waiver.expires,
                    "bartizan/approvedBy": waiver.owner,
                    "bartizan/ticket": waiver.ticket,
                }
            ),
        )


def absent(past: Past) -> sarif.Result:
    """A finding of the baseline that is fixed. Its kind is no `fail`, since not everybody reads `baselineState`."""
    entry = past.entry
    parts = ("baseline", entry.source, entry.type, entry.resource)
    said = f"Fixed since the baseline: {entry.type} '{entry.resource}' {past.note}"
    return sarif.Result(
        rule=entry.rule,
        message=_plain(words.ended(said)),
        place=sarif.Place(
            "/".join(map(sarif_places.path, parts)),
            logical=(sarif.Logical(words.visible(entry.resource), entry.resource, "resource"),),
        ),
        kind="informational",
        fingerprints={"bartizanFindingId/v1": entry.fingerprint},
        baseline="absent",
        properties={"bartizan/severity": entry.severity.value, **sarif.filled(**{"bartizan/firstSeen": entry.first_seen})},
    )


def _properties(verdict: Verdict) -> sarif.Object:
    """What SARIF has no member for."""
    change = verdict.change
    return {
        "bartizan/status": verdict.status.value,
        "bartizan/severity": verdict.severity.value,
        **sarif.filled(
            **{
                "bartizan/level": verdict.level,
                "bartizan/provider": verdict.provider,
                "bartizan/scope": verdict.scope,
                "bartizan/region": verdict.region,
                "bartizan/resourceType": verdict.native_type,
                "bartizan/aiRole": verdict.ai_role,
                "bartizan/change": change.state.value if change else "",
                "bartizan/changeNote": change.note if change else "",
                "bartizan/firstSeen": change.first_seen if change else "",
                "bartizan/details": [
                    {"fact": each.fact, "message": each.message, "expected": plain(each.expected), "actual": plain(each.actual)}
                    for each in verdict.details
                ],
                "bartizan/gaps": [_gap(each) for each in verdict.gaps],
                "bartizan/evidence": list(_evidence(verdict)),
            }
        ),
    }


def _evidence(verdict: Verdict) -> Iterable[sarif.Object]:
    """The facts that decided, each with its origin or its gap."""
    for each in verdict.evidence:
        seen: dict[str, JSON] = {"gap": _gap(each.gap)} if each.gap else {"value": plain(each.value)}
        origin = {"call": each.origin.call, "pointer": each.origin.pointer} if each.origin else {}
        yield {"fact": each.fact, **seen, **origin}


def _gap(gap: Gap) -> sarif.Object:
    """A gap."""
    return sarif.filled(reason=gap.reason.value, call=gap.call, remedy=gap.remedy, detail=gap.detail)
