from __future__ import annotations

import io
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from scanner.model import Detail, Report, Status
from scanner.reports.page import Page
from scanner.reports.terminal import render
from tests.scanner.reports import golden as made

SGR = re.compile(r"\x1b\[[0-9;]*m")


def shown(report: Report, **options: Any) -> str:
    out = io.StringIO()
    render(report, out, **{"width": 80, **options})
    return out.getvalue()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def block(text: str, start: str) -> list[str]:
    lines = text.splitlines()
    at = lines.index(start)
    return lines[at : lines.index("", at)]


def test_a_block_reads_like_a_compilers(golden: Report) -> None:
    assert block(shown(golden), "workload.privileged [critical] Containers are not privileged") == [
        "workload.privileged [critical] Containers are not privileged",
        "  --> k8s/trainer.yaml:14:13",
        "      k8s/gpu-prod/Deployment.apps/training/llm-pretrain",
        "      apps/v1/Deployment llm-pretrain in kubernetes/gpu-prod",
        "      ** AI factory: training",
        "    | privileged = worker",
        "    |              ^^^^^^ container 'worker' is privileged (expected: false)",
        "  = why: A privileged container reaches every GPU, NIC and host device of the",
        "    node.",
        "  = fix: manifest: securityContext:",
        "           privileged: false",
        "           allowPrivilegeEscalation: false",
        "  = controls: cis_k8s_1.12 5.2.2; pss baseline",
    ]


@pytest.mark.parametrize("width", [40, 80, 140])
@pytest.mark.parametrize("verbose", [0, 1])
def test_lines_keep_to_the_width_and_words_stay_whole(golden: Report, width: int, verbose: int) -> None:
    for line in shown(golden, width=width, verbose=verbose).splitlines():
        words = re.sub(r"^ *([|=.~]|-->)? *", "", line)
        assert cell_len(line) <= width or " " not in words, line
        assert line == line.rstrip()


@pytest.mark.parametrize("width", [80, 140])
def test_every_id_can_be_searched_for(golden: Report, width: int) -> None:
    text = shown(golden, width=width, verbose=1)
    for verdict in golden.verdicts:
        if (
            verdict.level == "resource"
            and verdict.status is not Status.UNKNOWN
            and verdict.subject.isprintable()
            and " " not in verdict.subject
        ):
            assert verdict.subject in text or "##" in verdict.subject


def test_a_very_long_id_is_whole(golden: Report) -> None:
    long = "arn:aws:s3:::" + "x" * 500
    one = golden.replace(verdicts=(golden.verdicts[0].replace(subject=long),))
    assert long in shown(one).splitlines()[4]


def test_groups_are_cut_and_say_so(golden: Report) -> None:
    assert "  = and 1 more (see JSON)" in shown(golden).splitlines()
    assert "more (see JSON)" not in shown(golden, verbose=1)
    many = golden.replace(verdicts=tuple(v.replace(subject=f"{v.subject}{n}") for v in golden.verdicts[:1] for n in range(22)))
    text = shown(many)
    assert text.count("  --> ") == 5
    assert "  = and 17 more (see JSON)" in text.splitlines()


def test_severities_and_the_ai_factory_come_first(golden: Report) -> None:
    lines = shown(golden).splitlines()
    heads = [line.split()[0] for line in lines if re.match(r"(CRITICAL|HIGH|MEDIUM|LOW|INFO|WAIVED|UNKNOWN) ", line)]
    assert heads == ["CRITICAL", "HIGH", "MEDIUM", "LOW", "INFO", "WAIVED", "UNKNOWN"]
    for start, end in (("CRITICAL", "HIGH"), ("HIGH", "MEDIUM")):
        part = lines[
            next(n for n, x in enumerate(lines) if x.startswith(start)) : next(n for n, x in enumerate(lines) if x.startswith(end))
        ]
        arrows = [n for n, line in enumerate(part) if line.startswith("  -->")]
        marks = [any("** AI factory" in line for line in part[a : a + 4]) for a in arrows]
        assert marks == sorted(marks, reverse=True)
        assert True in marks
    assert lines[0] == "CRITICAL  9 findings, 1 in the AI factory"


def test_waivers_show(golden: Report) -> None:
    text = " ".join(shown(golden).split())
    assert (
        "~ waived: Retired in Q1, no new data (storage-team@example.org, until 2026-12-31, SEC-412) [bartizan-waivers.yaml:3:5]"
        in text
    )
    assert "waiver: encryption.* on */old is expired on 2026-06-30, accepts nothing any more" in text
    assert "waiver: no.such_rule on * is malformed, accepts nothing: no rule has this id" in text
    assert "waiver: workload.privileged on */debug is unused" in text


def test_unknowns_name_the_cure_and_what_they_blind(golden: Report) -> None:
    assert block(shown(golden), "denied  kms:GetKeyRotationStatus  (1 verdict on 1 subject)")[:5] == [
        "denied  kms:GetKeyRotationStatus  (1 verdict on 1 subject)",
        "  = in: 111122223333/us-east-1",
        "  = said: AccessDeniedException: not authorized",
        "  = cure: Grant kms:GetKeyRotationStatus to arn:aws:iam::111122223333:role/audit",
        "  = blinds: encryption.cmk_rotation",
    ]


def test_coverage_has_denominators_and_the_gate_speaks_last(golden: Report) -> None:
    lines = shown(golden, width=200).splitlines()
    counts = "27 fail (1 waived), 3 unknown, 2 pass, 2 not applicable"
    assert lines[-2] == f"5 rules \u00d7 28 resources: {counts}; listings complete 3 of 4; 120 calls, 2 failed"
    assert lines[-1] == "gate failed: 16 findings at or above high (--fail-on high) (exit 1)"


def test_quiet_is_one_line(golden: Report) -> None:
    assert shown(golden, quiet=True) == "gate failed: 16 findings at or above high (--fail-on high) (exit 1)\n"
    assert shown(golden.replace(exit_code=0, exit_reason=""), quiet=True) == "gate passed (exit 0)\n"
    assert shown(golden.replace(exit_code=4, exit_reason=""), quiet=True) == "gate failed (exit 4)\n"


def test_verbose_adds_passes_and_evidence(golden: Report) -> None:
    plain, verbose = shown(golden), shown(golden, verbose=1)
    passed = f"{made.KEY}good"
    assert passed not in plain
    assert passed in verbose
    assert "    . rotation_enabled: true  (c-17 rotation.KeyRotationEnabled)" in verbose.splitlines()
    assert "exempt: the GPU Operator loads the driver from here" in verbose


def test_color(golden: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)

    def escapes(out: io.StringIO, **options: Any) -> bool:
        render(golden, out, width=80, **options)
        assert SGR.sub("", out.getvalue()) == shown(golden, color=False)
        return "\x1b" in out.getvalue()

    assert not escapes(io.StringIO())
    assert escapes(Terminal())
    assert escapes(io.StringIO(), color=True)
    assert not escapes(Terminal(), color=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert escapes(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not escapes(Terminal())
    assert not escapes(io.StringIO())
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert not escapes(Terminal())


@pytest.mark.parametrize(("columns", "width"), [(None, 80), ("120", 120), ("0", 80), ("wide", 80), ("5", 40)])
def test_width_without_a_terminal(golden: Report, monkeypatch: pytest.MonkeyPatch, columns: str | None, width: int) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns:
        monkeypatch.setenv("COLUMNS", columns)
    assert shown(golden, width=None) == shown(golden, width=width)


def test_markup_in_data_is_data(golden: Report) -> None:
    assert "[bold red]markup[/] :boom:" in shown(golden, verbose=1)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_encoding_can_be_written(golden: Report, encoding: str) -> None:
    named = golden.replace(verdicts=(golden.verdicts[0].replace(name="Schlüssel-鍵"), *golden.verdicts[1:]))
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding)
    render(named, out, width=80, verbose=1)
    out.flush()
    text = raw.getvalue().decode(encoding)
    assert ("Schlüssel-鍵" in text) is (encoding == "utf-8")
    assert ("rules \u00d7 28" in text) is (encoding != "ascii")


def test_marks_stand_under_wide_characters(golden: Report) -> None:
    detail = Detail("owner", "nobody", "somebody", "鍵鍵")
    one = golden.replace(verdicts=(golden.verdicts[0].replace(details=(detail,)),))
    lines = shown(one).splitlines()
    at = lines.index("    | owner = 鍵鍵")
    assert lines[at + 1] == "    |         ^^^^ nobody (expected: somebody)"


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=())), st.text(st.characters(exclude_categories=())), st.integers(40, 150))
def test_no_text_can_forge_a_line(name: str, message: str, width: int) -> None:
    verdict = made.report().verdicts[0]
    hostile = verdict.replace(name=name, subject=f"id-{name}", message=message, details=(Detail(name, message, name, [message]),))
    text = shown(made.report().replace(verdicts=(hostile,), problems=(message,), exit_reason="done"), width=width)
    for line in text.splitlines():
        assert not re.match(r"\s*::", line)
        assert line.isprintable() or all(c.isprintable() or c.isspace() for c in line)
    assert text.splitlines()[-1] == "done (exit 1)"
    assert text.splitlines().count("done (exit 1)") == 1


def test_breaks_fall_between_words() -> None:
    out = io.StringIO()
    Page(out, 40, color=False).line("  = ", ("word " * 12 + "x" * 50 + " end", ""))
    assert out.getvalue().splitlines() == [
        "  = word word word word word word word",
        "    word word word word word",
        "    " + "x" * 50,
        "    end",
    ]
