from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sarif import ingestion
from scanner.model import BartizanError, Detail, Gap, Report, Severity, Status, Where
from scanner.reports import sarif_places, sarif_report, sarif_rules
from tests.conftest import ROOT
from tests.scanner.reports import golden as made

SCHEMA = Draft202012Validator(json.loads((ROOT / "sarif" / "sarif-2.1.0.json").read_text(encoding="utf-8")))
Log = dict[str, Any]


def log(report: Report, **options: Any) -> Log:
    out = io.StringIO()
    sarif_report.render(report, out, **options)
    found: Log = json.loads(out.getvalue())
    return found


def run(report: Report, **options: Any) -> Log:
    (found,) = log(report, **options)["runs"]
    return dict(found)


def by_subject(found: Log) -> dict[str, Log]:
    return {r["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]: r for r in found["results"]}


PROFILES = [{"audit": False}, {"audit": True}]
VARIANTS = [{}, {"root": "deploy/prod", "repository": "https://example.org/r", "revision": "5b1f0c7", "branch": "main"}]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("options", VARIANTS)
def test_official_schema_and_our_contract(golden: Report, profile: Log, options: Log) -> None:
    for report in (golden, golden.replace(verdicts=()), golden.replace(verdicts=(), rules=(), sources=(), coverage=(), waivers=())):
        found = log(report, **profile, **options)
        SCHEMA.validate(found)
        assert ingestion.violations(found) == []


def told(multitool: Path, path: Path, out: Path) -> Iterator[str]:
    """Errors and warnings of Microsoft's validator, one a line. It exits with 0 whatever it finds."""
    command = [
        multitool,
        "validate",
        path,
        "--rule-kind",
        "Sarif;Ghas",
        "--level",
        "Error;Warning",
        "-o",
        out,
        "--log",
        "ForceOverwrite",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=120, env={"DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"})
    (checked,) = json.loads(out.read_text(encoding="utf-8-sig"))["runs"]
    assert checked["invocations"][0]["executionSuccessful"]
    for result in checked["results"]:
        yield f"{result['ruleId']} {result['message'].get('id', '')}"


@pytest.mark.parametrize("profile", PROFILES)
def test_microsofts_validator(golden: Report, profile: Log, multitool: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.sarif"
    path.write_text(json.dumps(log(golden, **profile)), encoding="utf-8")
    # NOTE: it would like an `informationUri`; a home page is the project's to choose, not the reporter's to make up
    assert set(told(multitool, path, tmp_path / "out.sarif")) == {"SARIF2005 Warning_ProvideToolnformationUri"}


def test_microsofts_validator_can_fail(golden: Report, multitool: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.sarif"
    broken = log(golden)
    broken["runs"][0]["results"][0]["ruleIndex"] = 99
    path.write_text(json.dumps(broken), encoding="utf-8")
    assert [each for each in told(multitool, path, tmp_path / "out.sarif") if each.startswith("SARIF1009")]


def test_upload_holds_open_findings_and_their_rules_alone(golden: Report) -> None:
    found = run(golden)
    assert len(found["results"]) == sum(v.open for v in golden.verdicts)
    assert {r["id"] for r in found["tool"]["driver"]["rules"]} == {v.rule for v in golden.verdicts if v.open}
    for result in found["results"]:
        assert not {"kind", "suppressions", "taxa"} & result.keys()
        assert result["level"] in {"error", "warning", "note"}
    assert made.ACCEPTED.reason not in json.dumps(found)


def test_upload_is_sorted_by_danger(golden: Report) -> None:
    backwards = golden.replace(verdicts=tuple(reversed(golden.verdicts)))
    severity = {rule.id: rule.severity.rank for rule in golden.rules}
    ranks = [severity[r["ruleId"]] for r in run(backwards)["results"]]
    assert ranks == sorted(ranks)
    assert "AI factory" in run(backwards)["results"][0]["message"]["text"]


def test_a_clean_run_is_an_empty_list(golden: Report) -> None:
    found = run(golden.replace(verdicts=tuple(v for v in golden.verdicts if not v.open)))
    assert found["results"] == []
    assert found["tool"]["driver"]["rules"] == []


def test_upload_is_capped_and_says_so(golden: Report) -> None:
    low = next(v for v in golden.verdicts if v.severity is Severity.LOW and v.open)
    high = next(v for v in golden.verdicts if v.severity is Severity.HIGH and v.open)
    many = [low.replace(subject=f"{low.subject}{n}", fingerprint=f"{n:064x}") for n in range(5_010)]
    found = run(golden.replace(verdicts=(*many, high)))
    assert len(found["results"]) == 5_000
    assert found["results"][0]["ruleId"] == high.rule
    (note,) = found["invocations"][0]["toolExecutionNotifications"]
    assert note["message"]["text"] == (
        "Only the 5000 most dangerous of 5011 findings are in this file; the other 11 are in the JSON report."
    )
    assert ingestion.violations(log(golden.replace(verdicts=(*many, high)))) == []


def test_upload_says_what_was_not_seen(golden: Report) -> None:
    (note,) = run(golden)["invocations"][0]["toolExecutionNotifications"]
    assert note["descriptor"]["id"] == "BARTIZAN-INCOMPLETE"
    assert note["message"]["text"] == "3 verdicts of 34 are unknown: what was not seen is not a pass."
    seen = golden.replace(verdicts=tuple(v for v in golden.verdicts if v.status is not Status.UNKNOWN))
    assert "toolExecutionNotifications" not in run(seen)["invocations"][0]


def test_files_and_pseudo_paths(golden: Report) -> None:
    found = by_subject(run(golden))
    manifest = found["k8s/gpu-prod/Deployment.apps/training/llm-pretrain"]
    place = manifest["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "k8s/trainer.yaml"
    assert place["region"] == {"startLine": 14, "startColumn": 13, "endLine": 14, "endColumn": 14}
    # the upload computes it from the source line
    assert manifest["partialFingerprints"].keys() == {"bartizanFindingId/v1"}

    key = found[f"{made.KEY}000000000000"]
    place = key["locations"][0]["physicalLocation"]
    arn = "arn%3Aaws%3Akms%3Aus-east-1%3A111122223333%3Akey/1f0c9a52-3b1e-4a8e-9c53-000000000000"
    assert place["artifactLocation"]["uri"] == f"cloud/aws/111122223333/us-east-1/AWS%3A%3AKMS%3A%3AKey/{arn}"
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}
    verdict = next(v for v in golden.verdicts if v.subject == f"{made.KEY}000000000000")
    assert key["partialFingerprints"] == {
        "bartizanFindingId/v1": verdict.fingerprint,
        "primaryLocationLineHash": f"{verdict.fingerprint[:16]}:1",
    }


def test_a_file_without_a_line_is_its_first(golden: Report) -> None:
    bare = golden.verdicts[0].replace(where=Where("a b/./../c.tf"), details=())
    place = run(golden.replace(verdicts=(bare,)), root="/deploy/")["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "deploy/a%20b/c.tf"
    assert place["region"] == {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1}


NAMES = st.text(max_size=12) | st.sampled_from([".", "..", "_", "_.", "", "/", "//", "a//b", "a/./b", "../..", "%2e", "a:b", "::"])


@given(NAMES, NAMES)
def test_one_path_a_resource(one: str, other: str) -> None:
    first, second = (sarif_places.path(text) for text in (one, other))
    assert (first == second) is (one == other)
    assert all(part not in {"", ".", ".."} for part in unquote(first).split("/"))
    assert not re.search(r"[^A-Za-z0-9\-._~@+=,%/]", first)


@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())))
def test_any_name_makes_a_log_that_is_taken(name: str, region: str) -> None:
    verdict = (
        made.report()
        .verdicts[-1]
        .replace(
            status=Status.FAIL,
            subject=f"x{name}",
            name=name,
            region=region,
            message=name,
            details=(Detail(name, name, [name], name),),
        )
    )
    report = made.report().replace(verdicts=(verdict,), problems=(f"p{name}",), exit_reason=name)
    for profile in PROFILES:
        found = log(report, **profile)
        json.dumps(found, ensure_ascii=False).encode()
        text = found["runs"][0]["results"][0]["message"]["text"]
        assert "](" not in text
        assert "\x1b" not in text


def test_audit_holds_every_verdict_and_rule(golden: Report) -> None:
    found = run(golden, audit=True)
    kinds = {"fail": "fail", "pass": "pass", "unknown": "open", "not_applicable": "notApplicable"}
    assert [r["kind"] for r in found["results"]] == [kinds[v.status.value] for v in golden.verdicts]
    assert [r["id"] for r in found["tool"]["driver"]["rules"]] == [rule.id for rule in golden.rules]
    assert all((r["level"] == "none") is (r["kind"] != "fail") for r in found["results"])
    guids = [r["guid"] for r in found["results"]]
    assert len(set(guids)) == len(guids)


def test_audit_suppresses_what_a_waiver_accepts(golden: Report) -> None:
    (waived,) = [r for r in run(golden, audit=True)["results"] if "suppressions" in r]
    assert waived["kind"] == "fail"
    assert waived["level"] == "error"
    (suppression,) = waived["suppressions"]
    assert suppression["status"] == "accepted"
    assert suppression["kind"] == "external"
    assert suppression["justification"] == "Retired in Q1, no new data"
    assert suppression["properties"]["bartizan/expires"] == "2026-12-31"
    assert suppression["location"]["physicalLocation"]["region"]["startLine"] == 3

    inline = next(v for v in golden.verdicts if v.where.file == "k8s/trainer.yaml").replace(
        waiver=made.Waiver("r", "*", "why", "me", "2027-01-01", where=Where("k8s/trainer.yaml", 12))
    )
    (result,) = run(golden.replace(verdicts=(inline,)), audit=True)["results"]
    assert result["suppressions"][0]["kind"] == "inSource"


def test_audit_names_the_missing_permission(golden: Report) -> None:
    notes = run(golden, audit=True)["invocations"][0]["toolExecutionNotifications"]
    (denied,) = [n for n in notes if n["descriptor"]["id"] == "BARTIZAN-CALL-DENIED"]
    assert denied["properties"]["bartizan/requiredPermission"] == "kms:GetKeyRotationStatus"
    assert denied["associatedRule"]["id"] == "encryption.cmk_rotation"
    assert denied["message"]["text"] == (
        "kms:GetKeyRotationStatus in 111122223333/us-east-1: denied (AccessDeniedException: not authorized). "
        "Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit."
    )
    assert [n["descriptor"]["id"] for n in notes] == [
        "BARTIZAN-CALL-DENIED", "BARTIZAN-CALL-FAILED", "BARTIZAN-NOT-LISTED", "BARTIZAN-PROBLEM",
    ]  # fmt: skip


def test_audit_reports_waivers_that_accept_nothing(golden: Report) -> None:
    notes = run(golden, audit=True)["invocations"][0]["toolConfigurationNotifications"]
    assert [n["descriptor"]["id"] for n in notes] == [
        "BARTIZAN-WAIVER-MALFORMED",
        "BARTIZAN-WAIVER-EXPIRED",
        "BARTIZAN-WAIVER-UNUSED",
    ]
    assert notes[1]["locations"][0]["physicalLocation"]["region"]["startLine"] == 9


def test_audit_unknowns_say_why(golden: Report) -> None:
    opened = [r for r in run(golden, audit=True)["results"] if r["kind"] == "open"]
    assert [r["properties"]["bartizan/gaps"][0]["reason"] for r in opened] == ["denied", "known_after_apply", "throttled"]
    assert "Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit" in opened[0]["message"]["text"]


def test_audit_counts_and_digests(golden: Report) -> None:
    found = run(golden, audit=True)
    assert found["properties"]["bartizan/snapshotSha256"] == golden.snapshot_digest
    assert found["properties"]["bartizan/policyBundleSha256"] == golden.policy_digest
    assert found["properties"]["bartizan/coverage"]["unknown"] == golden.count(Status.UNKNOWN)
    invocation = found["invocations"][0]
    assert invocation["executionSuccessful"] is True
    assert (invocation["exitCode"], invocation["exitCodeDescription"]) == (1, golden.exit_reason)
    assert run(golden.replace(exit_code=3), audit=True)["invocations"][0]["executionSuccessful"] is False


def test_taxa_are_the_verdicts_controls(golden: Report) -> None:
    found = run(golden, audit=True)
    for verdict, result in zip(golden.verdicts, found["results"], strict=True):
        ids: dict[str, list[str]] = {}
        for taxon in result.get("taxa", ()):
            catalogue = found["taxonomies"][taxon["toolComponent"]["index"]]
            assert catalogue["taxa"][taxon["index"]]["id"] == taxon["id"]
            ids.setdefault(catalogue["name"], []).append(taxon["id"])
        catalog = {"bartizan_catalog": [*verdict.catalog]} if verdict.catalog else {}
        assert ids == {**{name: [*each] for name, each in verdict.controls.items()}, **catalog}


def test_categories(golden: Report) -> None:
    def category(*sources: Any) -> str:
        return str(run(golden.replace(sources=sources))["automationDetails"]["id"])

    live, plan, *_ = golden.sources
    assert category(live) == "bartizan/live/aws-111122223333/2026-11-30T08:03:10Z"
    assert category(live, plan) == "bartizan/mixed/2026-11-30T08:03:10Z"
    assert category() == "bartizan/mixed/2026-11-30T08:03:10Z"
    assert run(golden, category="x/y")["automationDetails"]["id"] == "x/y/2026-11-30T08:03:10Z"
    same = run(golden.replace(generated_at="2026-12-01T00:00:00Z"))["automationDetails"]
    assert same["correlationGuid"] == run(golden)["automationDetails"]["correlationGuid"]
    assert same["guid"] != run(golden)["automationDetails"]["guid"]


def test_severity_is_the_judged_one(golden: Report) -> None:
    raised = golden.replace(verdicts=tuple(v.replace(severity=Severity.CRITICAL) for v in golden.verdicts))
    for rule in run(raised)["tool"]["driver"]["rules"]:
        assert rule["properties"]["security-severity"] == "9.5"
        assert rule["defaultConfiguration"]["level"] == "error"
    info = next(r for r in run(golden)["tool"]["driver"]["rules"] if r["id"] == "workload.tags")
    assert "security-severity" not in info["properties"]


def test_tags_give_each_framework_its_turn() -> None:
    rule = made.BY_ID["encryption.cmk_rotation"]
    crowded = made.Rule(
        **{**{n: getattr(rule, n) for n in rule.__slots__}, "controls": {"a": tuple("12345678"), "b": ("x", "y"), "c": ()}}
    )
    assert sarif_rules.tags(crowded, Severity.HIGH) == (
        "security", "severity/high", "data", "a/1", "b/x", "cis_aws_3.0.0/3.6", "a/2", "b/y", "a/3", "a/4",
    )  # fmt: skip


def test_long_texts_are_cut_to_what_is_shown(golden: Report) -> None:
    rule = golden.rules[0]
    wordy = made.Rule(**{**{n: getattr(rule, n) for n in rule.__slots__}, "title": "t" * 3000, "description": "d" * 3000})
    verdict = next(v for v in golden.verdicts if v.rule == rule.id)
    gaps = tuple(Gap(g) for g in made.Reason)
    found = log(golden.replace(rules=(wordy,), verdicts=(verdict.replace(details=verdict.details * 9, gaps=gaps),)))
    assert ingestion.violations(found) == []
    assert "; and 15 more." in found["runs"][0]["results"][0]["message"]["text"]


def test_a_breach_of_the_contract_is_our_bug_and_nothing_is_written(golden: Report) -> None:
    for profile in PROFILES:
        out = io.StringIO()
        with pytest.raises(
            BartizanError, match=r"our bug: the SARIF log would be refused: /runs/0/results/0/ruleIndex: -1"
        ) as caught:
            sarif_report.render(golden.replace(rules=()), out, **profile)
        assert caught.value.code == 70
        assert out.getvalue() == ""


def test_audit_may_hold_more_than_a_service_takes(golden: Report) -> None:
    passed = next(v for v in golden.verdicts if v.status is Status.PASS)
    many = golden.replace(verdicts=(passed,) * 25_001, rules=golden.rules[:2])
    assert len(run(many, audit=True)["results"]) == 25_001
