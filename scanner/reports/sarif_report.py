"""SARIF 2.1.0 in two profiles, since code scanning ignores kinds and suppressions and would show passes and waivers as alerts.

`sarif` holds the open findings alone, most dangerous first: upload it. `sarif-audit` holds every verdict, waiver and gap: keep it.
Both are checked against the contract of `sarif/ingestion.py` before a byte is written.
"""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from sarif import ingestion
from sarif import log as sarif
from scanner.model import BartizanError, Comparison, Report, Severity, State, Status, Verdict
from scanner.reports import sarif_audit, sarif_places, sarif_rules, views
from scanner.reports import text as words
from scanner.reports.json_report import dumps_strict

SHOWN = 5_000
"""Results of a run that GitHub shows; more are dropped, not by severity, so we choose ourselves.
https://docs.github.com/en/code-security/code-scanning/troubleshooting-sarif-uploads/results-exceed-limit"""

OUR_BUG = 70

BASELINE_STATES = {
    State.NEW: "new",
    State.REOPENED: "new",
    State.WORSE: "updated",
    State.UNCHANGED: "unchanged",
    State.NEWLY_UNKNOWN: "new",
    State.UNSEEN: "updated",
}
"""Of results that are there; what is fixed is `absent`, and in the audit log alone."""

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:bartizan:sarif")

CAPPED = sarif.Rule(
    "BARTIZAN-CAPPED",
    "ResultsCapped",
    "Not all findings are in this file.",
    "There are more than a service shows.",
    "Read the JSON report.",
)
INCOMPLETE = sarif.Rule(
    "BARTIZAN-INCOMPLETE",
    "Incomplete",
    "Not everything was seen.",
    "What was not seen is neither a finding nor a pass.",
    "Read the terminal's or the JSON report: it says what is missing and how to cure it.",
)


def render(  # noqa: PLR0913 - the options of the command, by name
    report: Report,
    out: TextIO,
    *,
    audit: bool = False,
    category: str = "",
    root: str = "",
    repository: str = "",
    revision: str = "",
    branch: str = "",
) -> None:
    """Write the log.

    `category` tells runs apart that must not close each other's alerts (`bartizan/<mode>/<scope>` where it is empty); `root` is the
    working folder's path in the repository; `repository`, `revision` and `branch` say what the paths belong to.
    """
    run, results = (audit_run if audit else upload_run)(report, category or category_of(report), root)
    run = dataclasses.replace(run, repository=repository, revision=revision, branch=branch)
    if report.baseline:
        run = dataclasses.replace(run, baseline=baseline_guid(report.baseline, run.category))
    log: sarif.Object = {"$schema": sarif.SCHEMA_URI, "version": sarif.VERSION, "runs": [run.json()]}
    if faults := ingestion.violations(log, sarif.results(run, results()), capped=not audit):
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise BartizanError(f"our bug: the SARIF log would be refused: {words.visible(faults[0])}{more}", code=OUR_BUG)
    sarif.write(run, results(), out, dumps_strict)


def guid(*parts: str) -> str:
    """A guid that is the same for the same parts, so that equal reports give equal bytes."""
    return str(uuid.uuid5(NAMESPACE, "\0".join(parts).encode("utf-8", "backslashreplace").decode()))


def baseline_guid(baseline: Comparison, category: str) -> str:
    """The guid of the run that was compared with: of an earlier report's own log, where that had the same category."""
    return guid(category, baseline.created_at, baseline.digest, baseline.policy)


def category_of(report: Report) -> str:
    """`bartizan/<mode>/<scope>`, as far as the report has one of each."""
    modes = sorted({source.mode for source in report.sources})
    scopes = sorted({(source.provider, source.scope) for source in report.sources})
    mode = modes[0] if len(modes) == 1 else "mixed"
    scope = [f"{provider}-{scope}" for provider, scope in scopes] if len(scopes) == 1 else []
    return "/".join(map(sarif_places.part, ("bartizan", mode, *scope)))


def base_run(report: Report, category: str, rules: Iterable[sarif.Rule]) -> sarif.Run:
    """What both profiles say about the run."""
    started = min((each.collected_at for each in report.sources if each.collected_at), default="")
    return sarif.Run(
        name="bartizan",
        full_name="Bartizan, security scanner for AI factories",
        version=report.tool_version,
        category=category,
        time=report.generated_at,
        guid=guid(category, report.generated_at, report.snapshot_digest, report.policy_digest),
        correlation=guid(category),
        rules=tuple(rules),
        started=started if started <= report.generated_at else "",
        exit_code=report.exit_code,
        exit_text=words.visible(report.exit_reason),
        properties={
            "bartizan/coverage": views.summary(report),
            "bartizan/snapshotSha256": report.snapshot_digest,
            "bartizan/policyBundleSha256": report.policy_digest,
        },
    )


Results = Callable[[], Iterable[sarif.Result]]
"""Called anew for each pass: an audit log's results are checked, then written, and never all held in memory."""


def upload_run(report: Report, category: str, root: str) -> tuple[sarif.Run, Results]:
    """The profile for code scanning: open findings, and the rules they break."""
    # NOTE: known findings are here too, or their alerts would be closed, and opened again without a baseline; if cut, then they first
    found = sorted(
        (each for each in report.notable() if each.open), key=lambda each: (not each.fresh, each.severity.rank, not each.ai_role)
    )
    shown = found[:SHOWN]
    severity = sarif_rules.severities(report)
    broken = {verdict.rule for verdict in shown}
    rules = [sarif_rules.descriptor(rule, severity[rule.id]) for rule in report.rules if rule.id in broken]
    run = base_run(report, category, rules)
    notes = []
    if unknown := report.count(Status.UNKNOWN):
        said = f"{words.many(unknown, 'verdict')} of {len(report.verdicts)} are unknown: what was not seen is not a pass."
        notes.append(sarif.Notification(INCOMPLETE.id, "warning", said))
    if dropped := len(found) - len(shown):
        said = f"Only the {len(shown)} most dangerous of {len(found)} findings are in this file; the other {dropped} are in the JSON report."
        notes.append(sarif.Notification(CAPPED.id, "warning", said))
    if notes:
        run = dataclasses.replace(run, notifications=(INCOMPLETE, CAPPED), execution=tuple(notes))
    if waivers := tuple(sarif_audit.waivers(report, root)):
        run = dataclasses.replace(run, notifications=(*run.notifications, *sarif_audit.ALL_WAIVERS), configuration=waivers)
    return run, lambda: (_upload_result(verdict, root) for verdict in shown)


def _upload_result(verdict: Verdict, root: str) -> sarif.Result:
    """An open finding."""
    return sarif.Result(
        rule=verdict.rule,
        message=message(verdict),
        place=sarif_places.place(verdict, root),
        level=sarif_rules.LEVELS[verdict.severity][0],
        fingerprints=fingerprints(verdict),
        related=sarif_places.related(verdict, root),
        baseline=baseline_state(verdict),
    )


def baseline_state(verdict: Verdict) -> str:
    """SARIF's word for what became of a verdict; of passes nothing is said."""
    return BASELINE_STATES[verdict.change.state] if verdict.change else ""


def fingerprints(verdict: Verdict) -> dict[str, str]:
    """By what a result is known again.

    `primaryLocationLineHash` is set for resources that are in no file: for the others the upload computes it from the source line
    (and logs a warning for each that differs). https://github.com/github/codeql-action/blob/main/src/fingerprints.ts
    """
    found = {"bartizanFindingId/v1": verdict.fingerprint}
    if not sarif_places.place_of(verdict).file:
        found["primaryLocationLineHash"] = f"{verdict.fingerprint[:16]}:1"
    return found


def message(verdict: Verdict) -> str:
    """One plain sentence with the specifics: `AWS::KMS::Key 'ckpt': automatic rotation is off (…).`."""
    # NOTE: `[text](target)` is a link in a SARIF message (3.11.6); in ours it can only come from a hostile name.
    note = sarif_places.place_of(verdict).note
    said = words.ended(words.said(verdict)) + (f" Place: {note}." if note else "")
    return words.visible(words.ended(said)).replace("](", "] (") + sarif_places.links(verdict)


def audit_run(report: Report, category: str, root: str) -> tuple[sarif.Run, Results]:
    """The profile for auditors: every rule, verdict, waiver and gap."""
    severity: dict[str, Severity] = sarif_rules.severities(report)
    taxonomies = sarif_rules.taxonomies(report.rules, lambda name: guid("taxonomy", name))
    rules = [
        sarif_rules.descriptor(
            rule, severity[rule.id], sarif_rules.references(taxonomies, sarif_rules.controls(rule)), complete=True
        )
        for rule in report.rules
    ]
    run = sarif_audit.extended(base_run(report, category, rules), report, taxonomies, root)
    writer = sarif_audit.Results(report, taxonomies, guid, root)

    def results() -> Iterator[sarif.Result]:
        """Every verdict, then what is fixed."""
        for verdict in report.verdicts:
            yield writer.result(verdict, message(verdict), fingerprints(verdict), baseline_state(verdict))
        yield from map(sarif_audit.absent, report.baseline.of(State.FIXED) if report.baseline else ())

    return run, results
