"""Every format says which waivers accept nothing, or too much; and an accepted risk is a state of its own in all of them."""

from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from scanner.model import Report, Status, Waiver, WaiverState, Where
from scanner.reports import views
from scanner.reports.formats import FORMATS
from tests.scanner.reports import golden as made

RULE = "workload.privileged"
INLINE = Where("k8s/trainer.yaml", 11, 5, block=(12, 20))
TROUBLED = {
    "malformed": Waiver(RULE, "*/a", "", "o", "", "", Where("waivers.yaml", 3), WaiverState.MALFORMED, problem="lacks 'reason'"),
    "expired": Waiver(RULE, "*/b", "r", "o", "2026-01-31", "", Where("waivers.yaml", 5), WaiverState.EXPIRED),
    "over-broad": Waiver(
        RULE, "*", "r", "o", "2027-01-31", "", Where("waivers.yaml", 7), WaiverState.USED, 3, "matches 9 of the 9 resources"
    ),
    "broad and unused": Waiver(
        RULE, "k8s*", "r", "o", "2027-01-31", "", Where("waivers.yaml", 8), WaiverState.UNUSED, 0, "matches 8 of the 9 resources"
    ),
    "unused": Waiver(RULE, "k8s/trainer.yaml:12-20", "r", "o", "2027-01-31", "", INLINE, WaiverState.UNUSED, inline=True),
    "ignored": Waiver(RULE, "*/d", "r", "o", "2027-01-31", "", Where("x.yaml", 9), WaiverState.IGNORED, problem="not from here"),
}
SAID = {
    "malformed": "malformed, accepts nothing: lacks 'reason'",
    "expired": "expired on 2026-01-31, accepts nothing any more",
    "over-broad": "over-broad: it matches 9 of the 9 resources",
    "broad and unused": "over-broad: it matches 8 of the 9 resources",
    "unused": "unused, no finding stands there and nowhere else",
    "ignored": "ignored, accepts nothing: not from here",
}
FINE = Waiver(RULE, "*/c", "r", "o", "2027-01-31", "", Where("waivers.yaml", 2), WaiverState.USED, 1)
FOREIGN = Waiver("exposure.other", "*/c", "r", "o", "2027-01-31", "", Where("waivers.yaml", 1), WaiverState.UNUSED)


def rendered(report: Report, name: str) -> str:
    out = io.StringIO()
    options: dict[str, Any] = {"width": 4_000}
    FORMATS[name].render(report, out, options)
    return out.getvalue()


@pytest.mark.parametrize("name", [each for each in FORMATS if each != "json"])
def test_every_trouble_is_told_with_its_place(golden: Report, name: str) -> None:
    report = golden.replace(waivers=(FINE, FOREIGN, *TROUBLED.values()))
    text = rendered(report, name).replace("\\'", "'").replace("&apos;", "'").replace("%25", "%")
    for trouble, said in SAID.items():
        assert said in text, trouble
        where = TROUBLED[trouble].where
        assert where.file in text, trouble
        assert str(where.line) in text, trouble
    assert rendered(golden.replace(waivers=(FINE, FOREIGN)), name) == rendered(golden.replace(waivers=()), name)


def test_json_has_all_of_them(golden: Report) -> None:
    data = json.loads(rendered(golden.replace(waivers=(FINE, FOREIGN, *TROUBLED.values())), "json"))
    told = [(each["state"], each["problem"], each["inline"], each["where"]["line"]) for each in data["waivers"]]
    assert told == [
        ("used", "", False, 2),
        ("unused", "", False, 1),
        ("malformed", "lacks 'reason'", False, 3),
        ("expired", "", False, 5),
        ("used", "matches 9 of the 9 resources", False, 7),
        ("unused", "matches 8 of the 9 resources", False, 8),
        ("unused", "", True, 11),
        ("ignored", "not from here", False, 9),
    ]


def test_order() -> None:
    report = made.report().replace(waivers=(*reversed(TROUBLED.values()), FINE, FOREIGN))
    assert [said for _, said in views.troubled_waivers(report)] == list(SAID.values())


def accepted(golden: Report) -> Report:
    """One finding, in a manifest, that a comment accepts."""
    waiver = Waiver(RULE, "k8s/trainer.yaml:12-20", "driver", "ml", "2027-01-31", "T-1", INLINE, WaiverState.USED, 1, inline=True)
    one = next(v for v in golden.verdicts if v.rule == RULE and v.where.file)
    return golden.replace(verdicts=(one.replace(waiver=waiver),), waivers=(waiver,))


def test_accepted_in_source_is_a_suppression_in_source_with_its_place(golden: Report) -> None:
    (run,) = json.loads(rendered(accepted(golden), "sarif-audit"))["runs"]
    (result,) = run["results"]
    (suppression,) = result["suppressions"]
    assert (suppression["kind"], suppression["justification"]) == ("inSource", "driver")
    place = suppression["location"]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("k8s/trainer.yaml", 11)
    (upload,) = json.loads(rendered(accepted(golden), "sarif"))["runs"]
    assert upload["results"] == []


def test_accepted_is_no_failure_anywhere(golden: Report) -> None:
    report = accepted(golden)
    assert report.count(Status.FAIL) == report.waived == 1
    assert json.loads(rendered(report, "gitlab")) == []
    assert not any(line.startswith("::error") for line in rendered(report, "github").splitlines())
    (case,) = ET.fromstring(rendered(report, "junit").encode()).iter("testcase")  # noqa: S314 - our own
    assert [(child.tag, child.get("type"), child.get("message")) for child in case] == [
        ("skipped", "waived", "waived: driver (ml, until 2027-01-31, T-1)")
    ]
    table = csv.DictReader(io.StringIO(rendered(report, "csv").removeprefix("\ufeff"), newline=""))
    assert {(row["status"], row["waived"], row["waiver_ticket"]) for row in table} == {("fail", "yes", "T-1")}
    assert "waived: driver (ml, until 2027-01-31, T-1) [k8s/trainer.yaml:11:5]" in rendered(report, "terminal")
    assert "| waived | 1 |" in rendered(report, "markdown")


@pytest.mark.parametrize("text", ["\n::error::x", "##[command]x", "<b>&\"'", "=1+1", "\x1b[31m", "](javascript:x)", "\u202ex"])
def test_hostile_words_of_a_waiver(golden: Report, text: str) -> None:
    waiver = Waiver(text, text, text, text, text, text, Where("x.yaml", 1), WaiverState.MALFORMED, problem=text, inline=True)
    report = golden.replace(waivers=(waiver,), verdicts=())
    for name in FORMATS:
        shown = rendered(report, name)
        assert "\x1b[31m" not in shown, name
        assert "\u202e" not in shown, name
        assert not any(line.startswith("::error") for line in shown.splitlines()), name
    ET.fromstring(rendered(report, "junit").encode())  # noqa: S314 - our own
    table = csv.DictReader(io.StringIO(rendered(report, "csv").removeprefix("\ufeff"), newline=""))
    assert not any(cell.startswith("=") for row in table for cell in row.values())
