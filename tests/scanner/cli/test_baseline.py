"""New findings only, through the command: two plans, a file beside the code, and everything that may be wrong with it."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from scanner.cli import run

ESTATE = "fixtures/estates/ai_factory"
GROUP = "aws_security_group.open"
ONLY = ("--rule", "network.*_ports_open", "--allow-unknown", "all")


@pytest.fixture
def here(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "estate").symlink_to(root / ESTATE)
    return tmp_path


@pytest.fixture
def document(root) -> Any:
    return json.loads((root / ESTATE / "plan.json").read_text(encoding="utf-8"))


def said(capsys, *argv):
    code = run(list(argv))
    captured = capsys.readouterr()
    return code, " ".join(captured.out.split()), captured.err


def put(name: str, document: Any) -> str:
    Path(name).write_text(json.dumps(document), encoding="utf-8")
    return name


def scan(capsys, plan: str, *more: str, rules=ONLY):
    return said(capsys, "scan", "plan", plan, "--name", "net", *rules, "-o", "json=out.json", "-o", "terminal", "--quiet", *more)


def found() -> dict[str, Any]:
    return json.loads(Path("out.json").read_text(encoding="utf-8"))


def states(rule: str = "network.admin_ports_open") -> dict[str, str]:
    return {v["resource"]["id"]: v["change"]["state"] for v in found()["verdicts"] if v["rule"] == rule and "change" in v}


def instances(document: Any, *addresses: str, names: Sequence[str] = ()) -> Any:
    """The plan with copies of the open group at these addresses in place of it."""
    made = copy.deepcopy(document)
    changes = made["resource_changes"]
    (group,) = [c for c in changes if c["address"] == GROUP]
    changes.remove(group)
    for number, address in enumerate(addresses):
        one = copy.deepcopy(group)
        one["address"] = address
        if names:
            one["change"]["after"]["name"] = names[number]
        changes.append(one)
    return made


@pytest.fixture
def base(here, document, capsys) -> Path:
    assert scan(capsys, put("base.plan.json", document))[0] == 1
    return Path("out.json").rename("base.json")


def test_unchanged_plan_passes_whatever_its_order_and_layout(here, base, document, capsys):
    random.Random(7).shuffle(document["resource_changes"])
    Path("other.json").write_text("\n\n" + json.dumps(document, indent=8), encoding="utf-8")
    code, out, _ = scan(capsys, "other.json", "--baseline", "base.json", "--new-only")
    assert (code, out) == (0, "passed: no new finding, 2 known at or above high (exit 0)")
    assert found()["baseline"]["counts"]["fixed"] == 0


def test_one_more_in_another_module_fails_alone(here, base, document, capsys):
    plan = instances(document, GROUP, f"module.copy.{GROUP}")
    code, out, _ = scan(capsys, put("pr.json", plan), "--baseline", "base.json", "--new-only")
    assert (code, out) == (1, "failed: 2 new findings (2 critical) at or above high, 2 known (exit 1)")
    assert states() == {f"plan/{GROUP}": "unchanged", f"plan/module.copy.{GROUP}": "new"}
    assert scan(capsys, "pr.json", "--baseline", "base.json")[1].endswith("(2 new, 2 known) (exit 1)")


def test_count_shifts_and_keys_stay(here, document, capsys):
    was = instances(document, f"{GROUP}[0]", f"{GROUP}[1]", f'module.a["x"].{GROUP}')
    scan(capsys, put("base.plan.json", was))
    Path("out.json").rename("base.json")
    now = instances(document, f"{GROUP}[1]", f"{GROUP}[2]", f'module.a["y"].{GROUP}')
    assert scan(capsys, put("pr.json", now), "--baseline", "base.json", "--new-only")[0] == 1
    assert {n for n, s in states().items() if s == "new"} == {f'plan/module.a["y"].{GROUP}'}


def test_names_tell_a_new_instance_from_a_shifted_one(here, document, capsys):
    scan(capsys, put("base.plan.json", instances(document, f"{GROUP}[0]", f"{GROUP}[1]", names=("a", "b"))))
    Path("out.json").rename("base.json")
    now = instances(document, f"{GROUP}[0]", f"{GROUP}[1]", names=("b", "c"))  # a was removed, c is new
    assert scan(capsys, put("pr.json", now), "--baseline", "base.json", "--new-only")[0] == 1
    assert states() == {f"plan/{GROUP}[0]": "unchanged", f"plan/{GROUP}[1]": "new"}


def test_fixed_is_shown(here, base, document, capsys):
    plan = instances(document)
    code, out, _ = said(
        capsys,
        "scan",
        "plan",
        put("pr.json", plan),
        "--name",
        "net",
        *ONLY,
        "--baseline",
        "base.json",
        "--new-only",
        "--fail-on",
        "info",
    )
    assert code == 0
    assert "FIXED" in out
    assert f"network.admin_ports_open plan/{GROUP} (passes now, or is gone)" in out


def test_snapshot_is_judged_with_the_same_rules(here, document, capsys):
    scan(capsys, put("base.plan.json", document), "--snapshot", "base.snapshot", rules=())
    code, out, _ = scan(capsys, "base.plan.json", "--baseline", "base.snapshot", "--new-only", rules=())
    assert code == 0, out
    report = found()
    assert report["baseline"]["kind"] == "snapshot"
    assert report["baseline"]["counts"]["new"] == report["baseline"]["counts"]["newly_unknown"] == 0
    assert said(capsys, "evaluate", "base.snapshot", "--baseline", "base.snapshot", "--new-only", "-q")[0] == 0
    assert said(capsys, "report", "base.snapshot", "--baseline", "out.json", "--new-only", "-q")[0] == 0


def test_report_compares_anew(here, base, document, capsys):
    scan(capsys, put("pr.json", instances(document, GROUP, f"{GROUP}2")))
    assert said(capsys, "report", "out.json", "-q")[1] == "failed: 4 critical at or above high (exit 1)"
    code, out, _ = said(capsys, "report", "out.json", "--baseline", "base.json", "--new-only", "-q", "--allow-unknown", "all")
    assert (code, out) == (1, "failed: 2 new findings (2 critical) at or above high, 2 known (exit 1)")
    said(capsys, "report", "out.json", "--baseline", "base.json", "--new-only", "-q", "-o", "json=with.json")
    assert said(capsys, "report", "with.json", "-q")[1] == out
    assert said(capsys, "report", "with.json", "-q", "--no-baseline")[1] == "failed: 4 critical at or above high (exit 1)"


BROKEN = [
    ("none.json", None, "cannot be read: No such file or directory"),
    ("empty.json", "", "is neither a snapshot nor JSON"),
    ("cut.json", '{"schema_version": "1.0"', "is neither a snapshot nor JSON"),
    ("other.json", "{}", "is no Bartizan report, snapshot or baseline file"),
    ("list.json", "[]", "is no Bartizan report, snapshot or baseline file"),
    ("sarif.json", '{"runs": []}', "is no Bartizan report, snapshot or baseline file"),
    ("version.json", '{"version": 9, "entries": []}', "is a baseline of version 9"),
    ("half.json", '{"schema_version": "1.0"}', "is not a valid report"),
    ("bytes.json", b"\xff\xfe", "is neither a snapshot nor JSON"),
    ("fake.json", b"SQLite format 3\x00", "snapshot"),
    ("folder", "folder", "cannot be read: Is a directory"),
]


@pytest.mark.parametrize(("name", "content", "message"), BROKEN)
@pytest.mark.parametrize("only", [["--new-only"], []])
def test_a_baseline_that_is_missing_or_broken_is_never_an_empty_one(here, capsys, name, content, message, only):
    if content == "folder":
        Path(name).mkdir()
    elif content is not None:
        Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    code, _, err = scan(capsys, "estate/plan.json", "--baseline", name, *only)
    assert code == 2
    assert name in err
    assert message in err
    assert not Path("out.json").exists()


def test_a_report_that_judged_nothing_is_no_baseline(here, base, capsys):
    report = json.loads(base.read_text(encoding="utf-8"))
    for key in report["summary"]:
        report["summary"][key] = 0 if key != "open_by_severity" else dict.fromkeys(report["summary"][key], 0)
    put("nothing.json", {**report, "verdicts": [], "rules": [], "coverage": [], "failed_calls": []})
    code, _, err = scan(capsys, "estate/plan.json", "--baseline", "nothing.json", "--new-only")
    assert (code, "judged nothing" in err) == (2, True)


def test_new_only_asks_since_when(here, capsys):
    code, _, err = scan(capsys, "estate/plan.json", "--new-only")
    assert code == 2
    assert "--new-only needs --baseline" in err
    assert scan(capsys, "estate/plan.json", "--no-baseline", "--new-only")[0] == 2


def test_another_plan_is_no_baseline(here, base, capsys):
    code, out, _ = said(
        capsys, "scan", "plan", "estate/plan.json", "--name", "other", *ONLY, "--baseline", "base.json", "--new-only"
    )
    assert code == 1
    assert "the baseline never looked at plan:other" in out
    assert "--name" in out


# ---- the file


def write(capsys, *more: str):
    return said(capsys, "baseline", "write", *more)


CONFIG = "version: 1\nrules: {rule: ['network.*_ports_open']}\nallow_unknown: []\n"


@pytest.fixture
def configured(here, document, capsys) -> Path:
    """A folder with a configuration that selects rules, a report by it and a baseline file of that."""
    Path("bartizan.yaml").write_text(CONFIG, encoding="utf-8")
    scan(capsys, put("base.plan.json", document), rules=("--allow-unknown", "all"))
    code, out, err = write(capsys, "out.json", "--partial")
    assert code == 0, err
    assert "findings" in out
    return here


def test_a_file_gates_as_the_report_does(configured, document, capsys):
    Path("bartizan.yaml").write_text(CONFIG + "baseline: .bartizan/baseline.json\nnew_only: true\n", encoding="utf-8")
    assert scan(capsys, "base.plan.json", rules=())[:2] == (0, "passed: no new finding, 2 known at or above high (exit 0)")
    put("pr.json", instances(document, GROUP, f"{GROUP}2"))
    code, out, _ = scan(capsys, "pr.json", rules=())
    assert (code, out) == (1, "failed: 2 new findings (2 critical) at or above high, 2 known (exit 1)")
    assert scan(capsys, "pr.json", "--no-baseline", rules=())[1].startswith("failed: 4 critical at or above high")


def test_a_configured_file_that_is_missing_stops_the_scan_and_says_how_to_begin(here, capsys):
    Path("bartizan.yaml").write_text("baseline: .bartizan/baseline.json\n", encoding="utf-8")
    code, _, err = scan(capsys, "estate/plan.json")
    assert code == 2
    assert "bartizan baseline write" in err
    assert "--no-baseline" in err
    assert scan(capsys, "estate/plan.json", "--no-baseline")[0] == 1


def test_writing_again_changes_nothing_and_one_finding_one_line(configured, document, capsys):
    file = Path(".bartizan/baseline.json")
    before = file.read_text(encoding="utf-8")
    scan(capsys, "base.plan.json", rules=("--allow-unknown", "all"))
    assert "nothing changed" in write(capsys, "out.json", "--partial")[1]
    assert file.read_text(encoding="utf-8") == before
    scan(capsys, put("pr.json", instances(document, GROUP, f"{GROUP}2")), rules=("--allow-unknown", "all"))
    assert "2 new, 0 fixed" in write(capsys, "out.json", "--partial")[1]
    old, new = ([line.rstrip(",") for line in text.splitlines()] for text in (before, file.read_text(encoding="utf-8")))
    more = [json.loads(line) for line in new if line not in old and line.startswith('{"rule"')]
    assert [e["resource"] for e in more] == [f"plan/{GROUP}2"] * 2
    assert [line for line in new if line in old and line.startswith('{"rule"')] == [e for e in old if e.startswith('{"rule"')]


def test_phase_76_a_filtered_or_incomplete_scan_cannot_replace_it(configured, document, capsys):
    # https://github.com/vercel-labs/phase/issues/76
    file = Path(".bartizan/baseline.json")
    before = json.loads(file.read_text(encoding="utf-8"))
    scan(capsys, "base.plan.json", rules=("--rule", "network.admin_ports_open", "--allow-unknown", "all"))
    code, _, err = write(capsys, "out.json")
    assert code == 2
    assert "rules were not evaluated" in err
    assert "--partial" in err
    assert json.loads(file.read_text(encoding="utf-8")) == before
    assert write(capsys, "out.json", "--partial")[0] == 0
    assert json.loads(file.read_text(encoding="utf-8"))["entries"] == before["entries"]


def test_a_report_at_the_place_of_the_file_is_not_overwritten(here, base, capsys):
    code, _, err = write(capsys, "base.json", "-o", "base.json", "--partial")
    assert code == 2
    assert "no baseline file" in err
    assert json.loads(base.read_text(encoding="utf-8"))["schema_version"] == "1.0"


def test_a_broken_file_is_not_overwritten(configured, capsys):
    file = Path(".bartizan/baseline.json")
    file.write_text("<<<<<<< HEAD\n", encoding="utf-8")
    code, _, err = write(capsys, "out.json", "--partial")
    assert (code, "is neither" in err) == (2, True)
    assert file.read_text(encoding="utf-8") == "<<<<<<< HEAD\n"


def test_a_snapshot_can_be_written(here, capsys):
    scan(capsys, "estate/plan.json", "--snapshot", "s", rules=())
    assert write(capsys, "s", "--partial", "-o", "b.json")[0] == 0
    assert scan(capsys, "estate/plan.json", "--baseline", "b.json", "--new-only", rules=())[0] == 0
