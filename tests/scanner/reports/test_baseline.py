"""The golden report compared with an earlier one, in every format: the states are there, and every contract is kept."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sarif import ingestion
from scanner.baseline import compare, of_report
from scanner.model import Report, Severity, State, Status
from scanner.reports import json_reader, json_report, sarif_report
from scanner.reports.formats import FORMATS
from tests.scanner.reports import golden as made
from tests.scanner.reports.test_agreement import COUNTERS, expected
from tests.scanner.reports.test_junit import SCHEMA as XSD
from tests.scanner.reports.test_sarif_report import SCHEMA, told

KEY = "encryption.cmk_rotation"
OLD = "credentials.access_key_age"
"""A rule that the earlier report did not evaluate."""
GONE = f"{made.KEY}gone"


def earlier() -> Report:
    """The golden report as it may have been: without some findings, one less severe, one waived, one that is gone, one that is blind."""
    now = made.report()
    found = []
    for verdict in now.verdicts:
        if verdict.name in ("checkpoints-0", "checkpoints-1") or verdict.rule in ("logging.flow_logs", OLD):
            continue  # new, or newly unknown
        if verdict.name == "checkpoints-2":
            verdict = verdict.replace(severity=Severity.LOW)  # noqa: PLW2901 - a changed copy
        if verdict.name == "checkpoints-3":
            verdict = verdict.replace(waiver=made.ACCEPTED)  # noqa: PLW2901
        if verdict.subject == f"{made.KEY}hidden":
            verdict = verdict.replace(status=Status.FAIL, gaps=())  # noqa: PLW2901
        found.append(verdict)
    gone = made.verdict(KEY, Status.FAIL, GONE, "AWS::KMS::Key", "automatic rotation is off")
    rules = tuple(rule for rule in now.rules if rule.id != OLD)
    return now.replace(
        verdicts=(*found, gone), rules=rules, generated_at="2026-11-01T08:00:00Z", snapshot_digest="0" * 64, problems=()
    )


@pytest.fixture(params=[True, False], ids=["new-only", "all"])
def since(request: pytest.FixtureRequest) -> Report:
    return compare(made.report(), of_report(earlier(), "base\x1b[31m.json"), new_only=request.param)


def rendered(report: Report, name: str, **options: Any) -> str:
    out = io.StringIO()
    FORMATS[name].render(report, out, {"width": 100, **options})
    return out.getvalue()


def test_the_report_has_every_state(since: Report) -> None:
    assert since.baseline
    assert {v.change.state for v in since.verdicts if v.change} == {
        State.NEW, State.WORSE, State.REOPENED, State.UNCHANGED, State.NEWLY_UNKNOWN, State.UNSEEN,
    }  # fmt: skip
    assert {p.state for p in since.baseline.past} == {State.FIXED, State.UNSEEN}


@pytest.mark.parametrize("name", [n for n in FORMATS if n not in ("junit", "sarif-audit")])
def test_counts_agree_as_without_a_baseline(since: Report, name: str) -> None:
    counted, true = COUNTERS[name](rendered(since, name)), expected(since)
    assert counted == {each: true[each] for each in counted}


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_hostile_gets_through(since: Report, name: str) -> None:
    text = rendered(since, name).removeprefix("\ufeff")
    text = text.replace("\r\n", "\n") if name == "csv" else text
    for char in "\x1b\x07\x08\x0b\x0c\r\x7f\x9b\u200b\u202e\u2066\ufeff":
        assert char not in text
    text.encode()
    assert "##vso[" not in text or name in ("json", "sarif", "sarif-audit", "gitlab")


@pytest.mark.parametrize("name", FORMATS)
def test_equal_reports_give_equal_bytes(since: Report, name: str) -> None:
    assert since.baseline
    again = compare(made.report(), of_report(earlier(), since.baseline.name), new_only=since.baseline.new_only)
    assert rendered(again, name) == rendered(since, name)


def test_json_keeps_to_its_schema_and_reads_back(since: Report) -> None:
    data = json.loads(rendered(since, "json"))
    Draft202012Validator(json_report.schema()).validate(data)
    assert json_reader.parse(data, "it") == since
    states = Counter(v["change"]["state"] for v in data["verdicts"] if "change" in v and v["waiver"] is None)
    counts = data["baseline"]["counts"]
    assert {s: counts[s] for s in ("new", "worse", "reopened")} == {s: states[s] for s in ("new", "worse", "reopened")}
    assert counts["fixed"] == sum(p["state"] == "fixed" for p in data["past"]) == 1


def test_json_that_lost_its_past_is_refused(since: Report) -> None:
    data = json.loads(rendered(since, "json"))
    del data["past"]
    with pytest.raises(json_reader.BartizanError, match="was cut or edited"):
        json_reader.parse(data, "it")


def run(report: Report, **options: Any) -> dict[str, Any]:
    out = io.StringIO()
    sarif_report.render(report, out, **options)
    (found,) = json.loads(out.getvalue())["runs"]
    return dict(found)


@pytest.mark.parametrize("profile", [{"audit": False}, {"audit": True}])
def test_sarif_keeps_to_the_standard_and_the_contract(since: Report, profile: dict[str, bool]) -> None:
    out = io.StringIO()
    sarif_report.render(since, out, **profile)
    log = json.loads(out.getvalue())
    SCHEMA.validate(log)
    assert ingestion.violations(log, capped=not profile["audit"]) == []


@pytest.mark.parametrize("profile", [{"audit": False}, {"audit": True}])
def test_microsofts_validator(since: Report, profile: dict[str, bool], multitool: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.sarif"
    with path.open("w", encoding="utf-8") as out:
        sarif_report.render(since, out, **profile)
    assert set(told(multitool, path, tmp_path / "out.sarif")) == {"SARIF2005 Warning_ProvideToolnformationUri"}


def test_alint_93_no_alert_flaps(since: Report) -> None:
    # results that a baseline knows and an upload leaves out are closed, and opened again: https://github.com/asamarts/alint/pull/93
    with_, without = run(since)["results"], run(made.report())["results"]
    assert len(with_) == len(without)
    identity = [
        {(r["ruleId"], json.dumps(r["partialFingerprints"]), r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for r in rs}
        for rs in (with_, without)
    ]  # fmt: skip
    assert identity[0] == identity[1]


def test_sarif_states(since: Report) -> None:
    upload, audit = run(since), run(since, audit=True)
    states = Counter(r["baselineState"] for r in upload["results"])
    assert states.keys() == {"new", "updated", "unchanged"}
    assert states["updated"] == 1  # worse
    assert "baselineState" not in json.dumps(run(made.report(), audit=True))
    (gone,) = [r for r in audit["results"] if r.get("baselineState") == "absent"]
    assert (gone["kind"], gone["level"], gone["ruleId"]) == ("informational", "none", KEY)
    assert gone["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == GONE
    passed = [r for r in audit["results"] if r["kind"] in ("pass", "notApplicable")]
    assert passed
    assert not [r for r in passed if "baselineState" in r]


def test_sarif_names_the_run_of_the_earlier_report(since: Report) -> None:
    assert run(since)["baselineGuid"] == run(earlier())["automationDetails"]["guid"]
    assert run(since, category="pr")["baselineGuid"] == run(earlier(), category="pr")["automationDetails"]["guid"]


def test_sarif_cut_keeps_what_is_new(since: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    assert since.baseline
    monkeypatch.setattr(sarif_report, "SHOWN", since.baseline.fresh)
    assert {r["baselineState"] for r in run(since)["results"]} <= {"new", "updated"}


def test_terminal_folds_what_is_known(since: Report) -> None:
    short, whole = rendered(since, "terminal"), rendered(since, "terminal", verbose=1)
    for text in (short, whole):
        assert "++ since the baseline: new" in text
        assert "++ since the baseline: worse: was low" in text
        assert "++ since the baseline: reopened: was waived until 2026-12-31" in text
        assert f"{KEY}  {GONE} (passes now, or is gone)" in " ".join(text.replace(f"{KEY}  ", f"{KEY}\x00").split()).replace(
            "\x00", "  "
        )
        assert f"baseline: new findings are of rules that the baseline never evaluated: {OLD}" in text
        assert "6 new (1 worse, 1 reopened), 20 known, 1 fixed, 2 newly unknown, 1 known but not seen now (since" in " ".join(
            text.split()
        )
    assert "KNOWN  20 findings of the baseline: 9 critical, 4 high, 7 info (-v shows them)" in short
    assert "llm-pretrain" not in short
    assert "llm-pretrain" in whole
    assert "++ since the baseline: known since 2026-11-30" in whole


def test_junit(since: Report) -> None:
    assert since.baseline
    root = ET.fromstring(rendered(since, "junit"))  # noqa: S314 - our own
    kinds = Counter(child.get("type") for case in root.iter("testcase") for child in case if child.tag == "skipped")
    failures = len([*root.iter("failure")])
    known = since.baseline.counts[State.UNCHANGED]
    if since.baseline.new_only:
        assert (kinds["known"], failures) == (known, since.baseline.fresh)
    else:
        assert (kinds["known"], failures) == (0, since.baseline.fresh + known)
    fixed = [case.get("name") for case in root.iter("testcase") if case.find("system-out") is not None]
    assert fixed == [f"fixed since the baseline: {GONE}"]


def test_junit_keeps_to_its_schema(since: Report) -> None:
    assert XSD.faults(ET.fromstring(rendered(since, "junit"))) == []  # noqa: S314 - our own


def test_csv(since: Report) -> None:
    rows = [*csv.DictReader(io.StringIO(rendered(since, "csv").removeprefix("\ufeff"), newline=""))]
    states = {(row["resource_id"], row["change"]) for row in rows}
    assert (GONE, "fixed") in states
    assert (f"{made.KEY}000000000002", "worse") in states
    assert {row["status"] for row in rows if row["level"] == "baseline"} == {""}
    assert "change" not in rendered(made.report(), "csv").splitlines()[0]


def test_markdown(since: Report) -> None:
    text = rendered(since, "markdown")
    assert "| of the open ones new | 0 | 4 | 1 | 1 | 0 |" in text
    assert "**6 new (1 worse, 1 reopened), 20 known, 1 fixed" in text
    assert "llm-pretrain" not in text
    assert f"- `{KEY}` `{GONE}`: `passes now, or is gone`" in text
    assert "3 verdicts are unknown, 2 newly" in text
    assert len(rendered(since, "markdown", limit=4096).encode()) <= 4096


def test_github_annotates_new_ones_alone_with_new_only(since: Report) -> None:
    assert since.baseline
    text = rendered(since, "github")
    titles = [line.partition("title=")[2].partition("::")[0] for line in text.splitlines() if "[" in line.partition("::")[2]]
    known = [title for title in titles if title.endswith(" unchanged")]
    assert bool(known) != since.baseline.new_only
    assert "title=encryption.cmk_rotation [high] worse::" in text
    assert "since the baseline: 6 new" in text.splitlines()[-1]
    assert "Only" not in text or not since.baseline.new_only


def test_github_takes_new_ones_first() -> None:
    report = compare(made.report(), of_report(earlier(), "base.json"))
    first = rendered(report, "github").splitlines()[0]
    assert " unchanged::" not in first


def test_gitlab_has_all_since_it_compares_itself(since: Report) -> None:
    found = json.loads(rendered(since, "gitlab"))
    plain = json.loads(rendered(made.report(), "gitlab"))
    keys = ("fingerprint", "severity", "location", "check_name")
    assert [[f[k] for k in keys] for f in found] == [[f[k] for k in keys] for f in plain]
    assert sum("[known" in f["description"] for f in found) == 20
