"""Every format says the same numbers about the same report."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from scanner.model import Report, Status
from scanner.reports.formats import FORMATS


def of_terminal(text: str) -> dict[str, int]:
    line = re.sub(r"\s+", " ", text)
    found = re.search(r": (\d+) fail(?: \((\d+) waived\))?, (\d+) unknown, (\d+) pass, (\d+) not applicable;", line)
    assert found
    fail, waived, unknown, passed, absent = (int(n or 0) for n in found.groups())
    return {"fail": fail, "waived": waived, "unknown": unknown, "pass": passed, "not_applicable": absent}


def of_json(text: str) -> dict[str, int]:
    data = json.loads(text)
    counts = Counter(v["status"] for v in data["verdicts"])
    counts["waived"] = sum(v["waiver"] is not None for v in data["verdicts"])
    assert {name: data["summary"][name] for name in counts} == counts
    return counts


def of_sarif(text: str) -> dict[str, int]:
    (run,) = json.loads(text)["runs"]
    stated = run["properties"]["bartizan/coverage"]
    assert stated["open"] == len(run["results"])
    return {name: stated[name] for name in ("open", "fail", "waived", "unknown", "pass", "not_applicable")}


def of_audit(text: str) -> dict[str, int]:
    (run,) = json.loads(text)["runs"]
    counts = Counter(r["kind"] for r in run["results"])
    waived = sum("suppressions" in r for r in run["results"])
    stated = run["properties"]["bartizan/coverage"]
    found = {
        "fail": counts["fail"],
        "waived": waived,
        "unknown": counts["open"],
        "pass": counts["pass"],
        "not_applicable": counts["notApplicable"],
    }
    assert {name: stated[name] for name in found} == found
    return found


def of_junit(text: str) -> dict[str, int]:
    root = ET.fromstring(text.encode())  # noqa: S314 - our own
    cases = [*root.iter("testcase")]
    counts = Counter(child.get("type") if child.tag == "skipped" else child.tag for case in cases for child in case)
    assert [int(root.get(name, "")) for name in ("tests", "failures", "errors")] == [len(cases), counts["failure"], counts["error"]]
    return {
        "open": counts["failure"],
        "waived": counts["waived"],
        "unknown": counts["error"],
        "pass": sum(len(case) == 0 for case in cases),
        "not_applicable": counts["not_applicable"],
    }


def of_gitlab(text: str) -> dict[str, int]:
    return {"open": sum(each["check_name"] != "bartizan.waiver" for each in json.loads(text))}


def of_github(text: str) -> dict[str, int]:
    found = re.fullmatch(
        r"bartizan: (\d+) open, (\d+) waived, (\d+) unknown, (\d+) pass, (\d+) not applicable; .*", text.splitlines()[-1]
    )
    assert found
    return dict(zip(("open", "waived", "unknown", "pass", "not_applicable"), map(int, found.groups()), strict=True))


def of_markdown(text: str) -> dict[str, int]:
    rows = {line.split("|")[1].strip(): line for line in text.splitlines() if line.startswith("| ")}
    found = [int(n) for n in re.findall(r"\d+", text.partition("<details>")[2].partition("|\n\n")[0].splitlines()[-1])]
    waived = sum(map(int, re.findall(r"\d+", rows["waived"])))
    assert waived == found[1]
    counts = dict(zip(("fail", "waived", "unknown", "pass", "not_applicable"), found, strict=True))
    return {**counts, "open": sum(map(int, re.findall(r"\d+", rows["open"])))}


def of_csv(text: str) -> dict[str, int]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    names = ("status", "waived", "rule", "scope", "region", "resource_type", "resource_id", "finding_id")
    verdicts = {tuple(row[name] for name in names) for row in rows}
    counts = Counter(status for status, *_ in verdicts)
    return {**{each.value: counts[each.value] for each in Status}, "waived": sum(waived == "yes" for _, waived, *_ in verdicts)}


COUNTERS: dict[str, Callable[[str], dict[str, int]]] = {
    "terminal": of_terminal,
    "json": of_json,
    "sarif": of_sarif,
    "sarif-audit": of_audit,
    "junit": of_junit,
    "gitlab": of_gitlab,
    "github": of_github,
    "markdown": of_markdown,
    "csv": of_csv,
}


def expected(report: Report) -> dict[str, int]:
    statuses = {status.value: report.count(status) for status in Status}
    return {**statuses, "waived": report.waived, "open": sum(v.open for v in report.verdicts)}


def variants(report: Report) -> dict[str, Report]:
    return {
        "golden": report,
        "empty": report.replace(
            verdicts=(), rules=(), coverage=(), waivers=(), failed_calls=(), problems=(), sources=(), resources=0
        ),
        **{
            f"only {status.value}": report.replace(verdicts=tuple(v for v in report.verdicts if v.status is status))
            for status in Status
        },
    }


@pytest.mark.parametrize("name", FORMATS)
def test_counts(golden: Report, name: str) -> None:
    for variant, report in variants(golden).items():
        out = io.StringIO()
        options: dict[str, Any] = {"width": 80}
        FORMATS[name].render(report, out, options)
        counted, true = COUNTERS[name](out.getvalue()), expected(report)
        assert {each: true[each] for each in counted} == counted, variant
        assert counted


def test_golden_has_everything(golden: Report) -> None:
    # the agreement is only worth something if no count is zero
    assert min(expected(golden).values()) > 0
    assert {v.level for v in golden.verdicts} == {"resource", "scope"}
    assert {v.waiver.state for v in golden.verdicts if v.waiver} == {golden.waivers[0].state}
