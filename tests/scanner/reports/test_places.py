"""A place in source text in every report that shows places: the region, the block around it, what leads there, and what is not sure."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sarif import ingestion
from scanner.model import Report, Verdict, Where
from scanner.reports import github, json_report, junit, markdown, sarif_report, terminal
from tests.conftest import ROOT
from tests.scanner.reports import golden as made

SCHEMA = Draft202012Validator(json.loads((ROOT / "sarif" / "sarif-2.1.0.json").read_text(encoding="utf-8")))
WHERE = Where(
    "keys/main.tf", 5, 3, 'module.team["a"].aws_kms_key.ckpt', 5, 36, (4, 6),
    (
        Where("main.tf", 1, 1, 'module.team["a"]', 1, 14, (1, 6)),
        Where("main.tf", 3, 3, "module.team, argument rotate", 3, 17, (1, 6)),
    ),
    "which of the 2 `x` blocks is meant is not certain",
)  # fmt: skip


def placed(report: Report, where: Where) -> Report:
    """A report of one open finding, which stands there."""
    first: Verdict = next(v for v in report.verdicts if v.open and v.details)
    details = tuple(replace(d, where=where) for d in first.details)
    return report.replace(verdicts=(first.replace(where=where, details=details),), waivers=())


def text(render: Any, report: Report, **options: Any) -> str:
    out = io.StringIO()
    render(report, out, **options)
    return out.getvalue()


def test_sarif(golden: Report) -> None:
    log = json.loads(text(sarif_report.render, placed(golden, WHERE), root="infra"))
    SCHEMA.validate(log)
    assert ingestion.violations(log) == []
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "infra/keys/main.tf", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 5, "startColumn": 3, "endLine": 5, "endColumn": 36},
        "contextRegion": {"startLine": 4, "endLine": 6},
    }
    assert [
        (
            each["id"],
            each["message"]["text"],
            each["physicalLocation"]["artifactLocation"]["uri"],
            each["physicalLocation"]["region"],
        )
        for each in result["relatedLocations"]
    ] == [
        (1, 'module.team["a"].', "infra/main.tf", {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 14}),
        (2, "module.team, argument rotate.", "infra/main.tf", {"startLine": 3, "startColumn": 3, "endLine": 3, "endColumn": 17}),
    ]
    said = result["message"]["text"]
    assert said.endswith(
        " Place: which of the 2 `x` blocks is meant is not certain. Reached through [module.team](1), [module.team, argument rotate](2)."
    )


def test_a_region_that_is_its_block_has_no_context(golden: Report) -> None:
    """A context that is the region itself is refused (SARIF1008)."""
    log = json.loads(text(sarif_report.render, placed(golden, Where("a.tf", 4, 1, "", 4, 9, (4, 4)))))
    assert "contextRegion" not in log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]


NUMBERS = st.integers(0, 9)
STEPS = st.builds(Where, st.sampled_from(["", "..", "a.tf"]), NUMBERS, NUMBERS, st.text(max_size=8), NUMBERS, NUMBERS)
PLACES = st.builds(
    Where, st.sampled_from(["", "..", "a.tf"]), NUMBERS, NUMBERS, st.text(max_size=8), NUMBERS, NUMBERS,
    st.tuples(NUMBERS, NUMBERS), st.lists(STEPS, max_size=2).map(tuple), st.text(max_size=8),
)  # fmt: skip


@given(PLACES, st.booleans())
def test_whatever_a_place_says_the_log_is_valid(where: Where, audit: bool) -> None:  # noqa: FBT001
    log = json.loads(text(sarif_report.render, placed(made.report(), where), audit=audit))
    SCHEMA.validate(log)
    assert ingestion.violations(log) == []
    for result in log["runs"][0]["results"]:
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = location["physicalLocation"]
            region = physical["region"]
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
            context = physical.get("contextRegion")
            assert context is None or context["startLine"] <= region["startLine"] <= region["endLine"] <= context["endLine"]


def test_terminal(golden: Report) -> None:
    lines = text(terminal.render, placed(golden, WHERE), width=200, color=False).splitlines()
    at = next(n for n, line in enumerate(lines) if "keys/main.tf:5:3" in line)
    assert lines[at + 2 : at + 4] == [
        '      through module.team["a"] (main.tf:1:1), module.team, argument rotate (main.tf:3:3)',
        "      (which of the 2 `x` blocks is meant is not certain)",
    ]


def test_markdown(golden: Report) -> None:
    line = next(line for line in text(markdown.render, placed(golden, WHERE)).splitlines() if "keys/main.tf" in line)
    assert line.startswith("- `keys/main.tf:5:3` ")
    assert (
        ' through `module.team["a"] (main.tf:1:1), module.team, argument rotate (main.tf:3:3)`'
        " (``which of the 2 `x` blocks is meant is not certain``): "
    ) in line


def test_junit(golden: Report) -> None:
    assert (
        'keys/main.tf:5:3\nthrough module.team["a"] (main.tf:1:1), module.team, argument rotate (main.tf:3:3)\n'
        "(which of the 2 `x` blocks is meant is not certain)\n"
    ) in text(junit.render, placed(golden, WHERE))


def test_github(golden: Report) -> None:
    assert "file=keys/main.tf,line=5,col=3,endLine=5,endColumn=36," in text(github.render, placed(golden, WHERE)).splitlines()[0]


@pytest.mark.parametrize("where", [WHERE, Where("plan.json", locator="aws_kms_key.a", note="x"), Where("a.yaml", 3, 1)])
def test_json_reads_back(golden: Report, where: Where) -> None:
    data = json.loads(text(json_report.render, placed(golden, where)))
    assert json_report.schema()["$defs"]["where"]["additionalProperties"] is False
    (verdict,) = data["verdicts"]
    assert ("via" in verdict["where"], "note" in verdict["where"]) == (bool(where.via), bool(where.note))
