from __future__ import annotations

import io
import re
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Detail, Report, Severity, Status, Where
from scanner.reports import github
from scanner.reports.text import visible
from tests.scanner.reports import golden as made

ANY = st.text(st.characters(exclude_categories=()))
Command = tuple[str, dict[str, str], str]


def lines(report: Report, **options: str) -> list[str]:
    out = io.StringIO()
    github.render(report, out, **options)
    return out.getvalue().split("\n")[:-1]


def command(line: str) -> Command | None:
    """As the runner reads it (https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)."""
    if not line.lstrip().startswith("::"):
        return None
    head, data = line.lstrip()[2:].split("::", 1)
    name, _, rest = head.partition(" ")
    properties = dict(each.split("=", 1) for each in rest.split(",") if each)
    for escape, char in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        properties = {key: value.replace(escape, char) for key, value in properties.items()}
        data = data.replace(escape, char) if escape not in ("%3A", "%2C") else data
    return name, properties, data


def commands(report: Report, **options: str) -> list[Command]:
    return [found for line in lines(report, **options) if (found := command(line))]


def test_beside_the_line(golden: Report) -> None:
    assert commands(golden, root="deploy")[0] == (
        "error",
        {"file": "deploy/k8s/trainer.yaml", "line": "14", "col": "13", "title": "workload.privileged [critical]"},
        (
            "apps/v1/Deployment 'llm-pretrain' of the AI factory (training): container 'worker' is privileged "
            "(privileged: expected false, found worker)\n"
            "Fix (manifest): securityContext:\n  privileged: false\n  allowPrivilegeEscalation: false"
        ),
    )


def test_what_is_in_no_file_stands_at_the_run(golden: Report) -> None:
    live = next(v for v in golden.verdicts if v.open and v.subject == f"{made.KEY}000000000000")
    (found, *_) = commands(golden.replace(verdicts=(live,)))
    assert found[:2] == ("error", {"title": "encryption.cmk_rotation [high]"})


def test_open_findings_alone_and_their_types(golden: Report) -> None:
    types = {
        Severity.CRITICAL: "error",
        Severity.HIGH: "error",
        Severity.MEDIUM: "warning",
        Severity.LOW: "notice",
        Severity.INFO: "notice",
    }
    golden = golden.replace(waivers=(), problems=())
    one = golden.verdicts[0]
    for severity, kind in types.items():
        (found,) = commands(golden.replace(verdicts=(one.replace(severity=severity),)))
        assert found[0] == kind
    assert commands(golden.replace(verdicts=tuple(v for v in golden.verdicts if v.waiver))) == []


@pytest.mark.parametrize("each", [9, 10, 11, 40])
def test_never_more_than_are_shown_and_what_is_left_out_is_said(golden: Report, each: int) -> None:
    golden = golden.replace(waivers=(), problems=())
    one = golden.verdicts[0]
    blind = next(v for v in golden.verdicts if v.status is Status.UNKNOWN)
    findings = [one.replace(severity=s) for s in (Severity.HIGH, Severity.MEDIUM, Severity.LOW) for _ in range(each)]
    for verdicts in (findings, [*findings, blind]):
        found = commands(golden.replace(verdicts=tuple(verdicts)))
        counts = Counter(name for name, _, _ in found)
        assert max(counts.values()) <= 10
        assert counts.total() <= 50
        shown = sum(properties["title"].startswith("workload.") for _, properties, _ in found)
        said = [data for _, properties, data in found if properties["title"] == "Bartizan: more findings"]
        assert bool(said) is (shown < 3 * each)
        assert all(f"Only {shown} of {3 * each} findings" in text for text in said)
        assert f"{3 * each} open" in lines(golden.replace(verdicts=tuple(verdicts)))[-1]
    most = min(each, 10)
    assert shown == 3 * most - (each > 9) - (each > 9)  # a warning for the unknown, a notice for those left out


def test_what_was_not_seen_is_a_warning_with_its_cure(golden: Report) -> None:
    (found,) = [each for each in commands(golden) if each[1]["title"] == "Bartizan: not everything was seen"]
    assert found[0] == "warning"
    assert found[2].split("\n")[:2] == [
        "3 verdicts of 34 are unknown: what was not seen is not a pass.",
        "Cure: Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit",
    ]


def test_what_was_not_read_is_a_warning(golden: Report) -> None:
    """A gate that is red for a broken file says which, where people look."""
    problems = tuple(f"deploy/{n}.yaml:3: not YAML" for n in range(12))
    (found,) = commands(golden.replace(verdicts=(), waivers=(), problems=problems))
    assert found[:2] == ("warning", {"title": "Bartizan: not everything was read"})
    assert found[2].split("\n") == [*problems[:10], "and 2 more; the other reports have all"]


@pytest.mark.parametrize("char", ["x", "\U0001f4a3"])
def test_a_message_is_not_cut_without_a_word(golden: Report, char: str) -> None:
    """The runner drops what is beyond 4,096 UTF-16 units: https://github.com/actions/runner/blob/main/src/Runner.Worker/ExecutionContext.cs"""
    one = golden.verdicts[0]
    long = tuple(Detail(f"f{n}", char * 900, None, None) for n in range(5))
    rule = next(r for r in golden.rules if r.id == one.rule)
    cover = replace(rule.covers[one.native_type], fix={"manifest": f"{char * 1500}\n" * 4})
    rule = replace(rule, covers={one.native_type: cover})
    (found,) = commands(golden.replace(verdicts=(one.replace(details=long),), rules=(rule,), waivers=(), problems=()))
    assert len(found[2].encode("utf-16-le")) // 2 <= 4096
    assert found[2].endswith("... (the other reports have all)")


def test_beside_the_working_folder(golden: Report) -> None:
    one = golden.verdicts[0].replace(where=Where("../deploy/p.yaml", 3), details=())
    for root, file in (("ci", "deploy/p.yaml"), ("ci/gate", "ci/deploy/p.yaml"), ("", "deploy/p.yaml")):
        (found,) = commands(golden.replace(verdicts=(one,), waivers=(), problems=()), root=root)
        assert found[1]["file"] == file


def test_the_answer_comes_last(golden: Report) -> None:
    assert lines(golden)[-1] == (
        "bartizan: 26 open, 1 waived, 3 unknown, 2 pass, 2 not applicable; 19 annotated; "
        "gate failed: 16 findings at or above high (--fail-on high) (exit 1)"
    )


@given(ANY, ANY)
def test_no_text_can_forge_a_command(name: str, message: str) -> None:
    one = made.report().verdicts[0]
    verdict = one.replace(
        name=name, subject=name, message=message, where=Where(name, 1), ai_role=name, details=(Detail(name, message, name, name),)
    )
    report = made.report().replace(verdicts=(verdict,), waivers=(), problems=(), exit_reason=message)
    text = lines(report)
    assert len(text) == 2
    found = command(text[0])
    assert found
    assert found[0] == "error"
    assert found[1].keys() <= {"file", "line", "title"}
    assert found[1].get("file", "") == visible("/".join(p for p in name.split("/") if p not in ("", ".", "..")))
    assert len(found[2].split("\n")) == 4
    assert not re.match(r"\s*::", text[1])
    assert "##vso[" not in "".join(text)
