from __future__ import annotations

import io
import tempfile
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Detail, Report, Status
from scanner.reports import junit
from scanner.reports.text import visible
from tests.conftest import ROOT
from tests.scanner.reports import golden as made
from tests.scanner.reports.xsd import Schema

SCHEMA = Schema(ROOT / "fixtures" / "reports" / "junit-10.xsd")
ANY = st.text(st.characters(exclude_categories=()))


def text(report: Report) -> str:
    out = io.StringIO()
    junit.render(report, out)
    return out.getvalue()


def tree(report: Report) -> ET.Element:
    return ET.fromstring(text(report).encode())  # noqa: S314 - our own


def case(report: Report, subject: str) -> ET.Element:
    (found,) = (each for each in tree(report).iter("testcase") if each.get("name") == subject)
    return found


def test_jenkins_schema(golden: Report) -> None:
    for report in (golden, golden.replace(verdicts=()), golden.replace(verdicts=(), rules=())):
        assert SCHEMA.faults(tree(report)) == []


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        ("<testsuites skipped='1'/>", "/testsuites/@skipped: 1"),
        ("<testsuites><testcase name='x'/></testsuites>", "/testsuites/testcase: not allowed here"),
        ("<testsuites time='1s'/>", "/testsuites/@time: 1s"),
        ("<testsuites>x</testsuites>", "/testsuites: text 'x'"),
        ("<report/>", "/report: unknown"),
        ("<testsuite name='x' tests='1' failures='0'/>", "/testsuite/@errors: missing"),
        ("<testcase name='x'><failure kind='x'>y</failure></testcase>", "/testcase/failure/@kind: x"),
        ("<testcase name='x' time='0'><error type='x'>y</error></testcase>", None),
    ],
)
def test_the_check_can_fail(xml: str, said: str | None) -> None:
    assert SCHEMA.faults(ET.fromstring(xml)) == ([said] if said else [])  # noqa: S314 - our own


def test_a_suite_a_rule_and_its_counts(golden: Report) -> None:
    root = tree(golden)
    assert [suite.get("name", "").split()[0] for suite in root] == [*(rule.id for rule in golden.rules), junit.WAIVERS]
    for suite in root:
        counts = {name: int(suite.get(name, "")) for name in ("tests", "failures", "errors", "skipped")}
        tags = [child.tag for each in suite for child in each]
        assert counts["tests"] == len(suite)
        assert [counts["failures"], counts["errors"], counts["skipped"]] == [tags.count(t) for t in ("failure", "error", "skipped")]
        assert {each.get("classname") for each in suite} <= {suite.get("name", "").split()[0]}
        assert suite.get("timestamp") == "2026-11-30T08:03:10"
    for name in ("tests", "failures", "errors"):
        assert int(root.get(name, "")) == sum(int(suite.get(name, "")) for suite in root)


def test_a_failure_says_where_what_and_how_to_mend_it(golden: Report) -> None:
    (failure,) = case(golden, "k8s/gpu-prod/Deployment.apps/training/llm-pretrain")
    assert failure.tag == "failure"
    assert failure.attrib == {
        "type": "critical",
        "message": "container 'worker' is privileged (privileged: expected false, found worker)",
    }
    assert (failure.text or "").splitlines() == [
        "k8s/trainer.yaml:14:13",
        (
            "apps/v1/Deployment 'llm-pretrain' of the AI factory (training): container 'worker' is privileged "
            "(privileged: expected false, found worker)"
        ),
        "Fix (manifest):",
        "securityContext:",
        "  privileged: false",
        "  allowPrivilegeEscalation: false",
    ]


def test_unknown_is_an_error_and_waived_is_skipped(golden: Report) -> None:
    (error,) = case(golden, f"{made.KEY}hidden")
    assert (error.tag, error.get("type"), error.get("message")) == ("error", "denied", "rotation_enabled was not seen")
    assert "Grant kms:GetKeyRotationStatus" in (error.text or "")
    (waived,) = case(golden, f"{made.KEY}legacy")
    assert (waived.tag, waived.get("type")) == ("skipped", "waived")
    assert waived.get("message") == ("waived: Retired in Q1, no new data (storage-team@example.org, until 2026-12-31, SEC-412)")
    (absent,) = case(golden, f"{made.KEY}provider")
    assert (absent.tag, absent.get("type"), absent.get("message")) == ("skipped", "not_applicable", "manager is provider")
    assert len(case(golden, f"{made.KEY}good")) == 0


def test_listings_of_one_scope_are_told_apart(golden: Report) -> None:
    scoped = next(v for v in golden.verdicts if v.level == "scope")
    two = golden.replace(verdicts=(scoped, scoped.replace(region="us-west-2")), waivers=())
    names = [each.get("name") for each in tree(two).iter("testcase")]
    assert names == ["AWS::EC2::VPC in 111122223333/eu-west-1", "AWS::EC2::VPC in 111122223333/us-west-2"]


def test_many_cases_wait_packed_and_come_back_in_order(golden: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    many = golden.replace(verdicts=[v.replace(subject=f"{v.subject}-{n}") for n in range(40) for v in golden.verdicts])
    whole = text(many)
    rolled = []
    monkeypatch.setattr(junit, "PACK", 2000)
    monkeypatch.setattr(junit, "KEPT", 1000)
    rollover = tempfile.SpooledTemporaryFile.rollover
    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", lambda file: rolled.append(1) or rollover(file))
    assert text(many) == whole
    assert rolled == [1]


def test_a_verdict_of_a_rule_that_is_not_told_is_not_lost(golden: Report) -> None:
    root = tree(golden.replace(rules=(), waivers=()))
    assert sum(len(suite) for suite in root) == len(golden.verdicts)


@given(ANY, ANY)
def test_any_name_makes_xml_that_is_taken(name: str, message: str) -> None:
    for status in Status:
        verdict = (
            made.report()
            .verdicts[0]
            .replace(status=status, subject=name, name=name, message=message, details=(Detail(name, message, name, [message]),))
        )
        root = tree(made.report().replace(verdicts=(verdict,), rules=()))
        assert SCHEMA.faults(root) == []
        assert root[0][0].get("name") == visible(name)
