from __future__ import annotations

import csv
import io
import json
import re
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Detail, Evidence, Report, Status, Verdict, Where
from scanner.reports import csv_report
from scanner.reports.text import visible
from tests.conftest import ROOT
from tests.scanner.reports import golden as made

BEGINS = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20]")


def text(report: Report) -> str:
    out = io.StringIO()
    csv_report.render(report, out)
    return out.getvalue()


def rows(report: Report) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text(report).removeprefix("\ufeff"), newline=""), strict=True)]


def of(report: Report, subject: str) -> dict[str, str]:
    return next(row for row in rows(report) if row["resource_id"] == subject)


def test_rfc_4180_with_a_byte_order_mark(golden: Report) -> None:
    found = text(golden)
    assert found.encode().startswith(b'\xef\xbb\xbf"snapshot",')
    assert found.endswith("\r\n")
    assert "\n" not in found.replace("\r\n", "")
    assert len({line.count('","') for line in found.split("\r\n")[:1]}) == 1
    assert all(re.fullmatch(r'"(?:[^"]|"")*"(?:,"(?:[^"]|"")*")*', line) for line in found[1:].split("\r\n")[:-1])
    assert {len(row) for row in csv.reader(io.StringIO(found, newline=""))} == {len(csv_report.COLUMNS)}


def test_a_row_a_verdict_and_control(golden: Report) -> None:
    found = [row for row in rows(golden) if row["level"] != "waiver"]
    expected = []
    for verdict in golden.verdicts:
        pairs = [(name, each) for name in sorted(verdict.controls) for each in verdict.controls[name]] or [("", "")]
        expected += [(verdict.fingerprint, name, each) for name, each in pairs]
    assert [(row["finding_id"], row["framework"], row["control_id"]) for row in found] == expected
    assert {row["control"] for row in found} >= {"nist_800_53_r5/SC-28(3)", "cis_aws_3.0.0/3.6", ""}
    assert len(expected) > len(golden.verdicts)


def test_a_finding(golden: Report) -> None:
    row = of(golden, "k8s/gpu-prod/Deployment.apps/training/llm-pretrain")
    assert row == {
        "snapshot": golden.snapshot_digest,
        "generated_at": "2026-11-30T08:03:10Z",
        "status": "fail",
        "waived": "no",
        "severity": "critical",
        "rule": "workload.privileged",
        "title": "Containers are not privileged",
        "requirements": "K8S-WL-001",
        "framework": "cis_k8s_1.12",
        "control_id": "5.2.2",
        "control": "cis_k8s_1.12/5.2.2",
        "provider": "kubernetes",
        "scope": "gpu-prod",
        "region": "",
        "level": "resource",
        "resource_type": "apps/v1/Deployment",
        "resource_id": "k8s/gpu-prod/Deployment.apps/training/llm-pretrain",
        "resource_name": "llm-pretrain",
        "ai_role": "training",
        "message": "container 'worker' is privileged (privileged: expected false, found worker)",
        "evidence_json": '[{"fact":"privileged","value":["worker"]}]',
        "unknown_reason": "",
        "unknown_cure": "",
        "file": "k8s/trainer.yaml",
        "line": "14",
        "waiver_reason": "",
        "waiver_owner": "",
        "waiver_expires": "",
        "waiver_ticket": "",
        "fix": "manifest: securityContext: privileged: false allowPrivilegeEscalation: false",
        "source": "manifests",
        "finding_id": next(v.fingerprint for v in golden.verdicts if v.where.file == "k8s/trainer.yaml"),
    }


def test_waived_and_unknown(golden: Report) -> None:
    waived = of(golden, f"{made.KEY}legacy")
    assert (waived["status"], waived["waived"]) == ("fail", "yes")
    assert (waived["waiver_owner"], waived["waiver_expires"]) == ("storage-team@example.org", "2026-12-31")
    assert (waived["waiver_reason"], waived["waiver_ticket"]) == ("Retired in Q1, no new data", "SEC-412")
    blind = of(golden, f"{made.KEY}hidden")
    assert (blind["status"], blind["unknown_reason"]) == ("unknown", "denied")
    assert blind["unknown_cure"] == "Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit"
    assert json.loads(blind["evidence_json"]) == [
        {"fact": "rotation_enabled", "gap": "denied", "call": "c-18", "pointer": "rotation.KeyRotationEnabled"}
    ]


def test_long_cells_are_cut_to_what_a_spreadsheet_holds(golden: Report) -> None:
    evidence = (Evidence("x", "y" * 40_000), Evidence("z", 1))
    one = golden.verdicts[0].replace(evidence=evidence, message="m" * 40_000, details=())
    row = rows(golden.replace(verdicts=(one,)))[0]
    cut = {"fact": "x", "cut": '"' + "y" * 159 + "... (39842 characters more)"}
    assert json.loads(row["evidence_json"]) == [cut, {"fact": "z", "value": 1}]
    row = rows(golden.replace(verdicts=(one.replace(evidence=evidence * 300),)))[0]
    assert json.loads(row["evidence_json"]).keys() == {"cut"}
    assert row["message"].endswith("... (8000 characters more)")
    assert max(map(len, row.values())) <= 32_767


def test_it_streams(golden: Report) -> None:
    class Endless(tuple[Verdict, ...]):
        __slots__ = ()

        def __iter__(self) -> Iterator[Verdict]:
            return (golden.verdicts[n % len(golden.verdicts)] for n in range(20_000))

    class Nowhere(io.StringIO):
        def write(self, text: str) -> int:
            return len(text)

    csv_report.render(golden, Nowhere())  # what is loaded once does not count
    tracemalloc.start()
    try:
        csv_report.render(golden.replace(verdicts=Endless()), Nowhere())
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_columns_are_documented() -> None:
    document = (ROOT / "scanner" / "reports" / "README.md").read_text(encoding="utf-8")
    for name, said in csv_report.COLUMNS.items():
        assert f"| `{name}` | {said} |" in document.splitlines()


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("a;=1", "a;'=1"),
        ("a; -b", "a;' -b"),
        ("a-b=c", "a-b=c"),
        ("", ""),
        ("arn:aws:s3:::b", "arn:aws:s3:::b"),
    ],
)
def test_no_cell_is_a_formula(data: str, shown: str) -> None:
    assert csv_report.cell(data) == shown


@given(
    st.text(st.characters(exclude_categories=()))
    | st.sampled_from(["=", "\t=", ";=x", '";=x', '",=x', ';"=x', "; ' =x", "\r=", "\n+", '"', "'"])
)
def test_no_name_can_break_out_or_compute(name: str) -> None:
    one = made.report().verdicts[0]
    for status in Status:
        verdict = one.replace(
            status=status, subject=name, name=name, message=name, scope=name, region=name, ai_role=name, where=Where(name, 1),
            details=(Detail(name, name, name, name),), evidence=(Evidence(name, name),), controls={name: (name,)},
        )  # fmt: skip
        report = made.report().replace(verdicts=(verdict,), waivers=())
        found = text(report)
        assert len(found.split("\r\n")) == 3
        assert not [cell for row in csv.reader(io.StringIO(found, newline="")) for cell in row if BEGINS.match(cell)]
        # where a semicolon parts cells, quotes do not protect
        assert not [cell for row in csv.reader(io.StringIO(found, newline=""), delimiter=";") for cell in row if BEGINS.match(cell)]
        (row,) = rows(report)
        assert row["resource_name"].replace("'", "") == visible(name).replace("'", "")
