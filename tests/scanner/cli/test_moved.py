"""Moves, through the command: a plan before and a plan that moves, in every report; files of waivers and of a baseline."""

from __future__ import annotations

import copy
import csv
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from scanner.cli import run

ESTATE = "fixtures/estates/ai_factory/plan.json"
SHAPES = "fixtures/plans/shapes"
GROUP = "aws_security_group.open"
RULE = "network.admin_ports_open"
ONLY = ("--rule", RULE, "--allow-unknown", "all", "--quiet")
NAMED = ("--name", "net")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def document(root) -> Any:
    return json.loads((root / ESTATE).read_text(encoding="utf-8"))


def said(capsys, *argv: str):
    code = run(list(argv))
    captured = capsys.readouterr()
    return code, " ".join(captured.out.split()), captured.err


def plan(name: str, document: Any, addresses: Mapping[str, str | None]) -> str:
    """A plan with the open group at these addresses, each with its previous one."""
    made = copy.deepcopy(document)
    changes = made["resource_changes"]
    (group,) = [c for c in changes if c["address"] == GROUP]
    changes.remove(group)
    for address, before in addresses.items():
        changes.append({**copy.deepcopy(group), "address": address, **({"previous_address": before} if before else {})})
    Path(name).write_text(json.dumps(made), encoding="utf-8")
    return name


def report(name: str = "out.json") -> dict[str, Any]:
    return json.loads(Path(name).read_text(encoding="utf-8"))


def states(name: str = "out.json") -> dict[str, tuple[str, str]]:
    verdicts = report(name)["verdicts"]
    return {
        v["resource"]["id"]: (v["change"]["state"], v["change"]["note"]) for v in verdicts if v["rule"] == RULE and "change" in v
    }


CASES = [
    ({GROUP: None}, {f"{GROUP}_renamed": GROUP}),
    ({GROUP: None}, {f"module.net.{GROUP}": GROUP}),
    ({f'module.net["a"].{GROUP}': None}, {f'module.net["b"].{GROUP}': f'module.net["a"].{GROUP}'}),
    ({f"{GROUP}[0]": None, f"{GROUP}[1]": None}, {f'{GROUP}["x"]': f"{GROUP}[0]", f'{GROUP}["y"]': f"{GROUP}[1]"}),
    ({GROUP: None, "aws_security_group.b": None}, {GROUP: "aws_security_group.b", "aws_security_group.b": GROUP}),
    ({GROUP: None}, {f"{GROUP}[0]": GROUP}),
]


@pytest.mark.parametrize(("before", "after"), CASES)
def test_a_refactoring_is_nothing_new(here, document, capsys, before, after):
    assert said(capsys, "scan", "plan", plan("a.json", document, before), *NAMED, *ONLY, "-o", "json=base.json")[0] == 1
    argv = ("scan", "plan", plan("b.json", document, after), *NAMED, *ONLY, "-o", "json=out.json", "-o", "terminal", "--new-only")
    code, out, _ = said(capsys, *argv, "--baseline", "base.json")
    assert (code, out) == (0, f"passed: no new finding, {len(after)} known at or above high (exit 0)")
    assert states() == {f"plan/{new}": ("unchanged", f"was at plan/{old}") for new, old in after.items()}
    assert report()["baseline"]["counts"]["fixed"] == 0
    # its own report, a snapshot of the plan before, and what is rendered again say the same
    assert said(capsys, *argv, "--baseline", "out.json")[0] == 0
    said(capsys, "scan", "plan", "a.json", *NAMED, *ONLY, "--snapshot", "base.snapshot", "-o", "json=again.json")
    assert said(capsys, *argv, "--baseline", "base.snapshot")[0] == 0
    assert said(capsys, "report", "out.json", "--baseline", "base.json", "--new-only", "-q", "-o", "json=rendered.json")[0] == 0
    assert states("rendered.json") == states()
    # and the plan after apply, which tells no move any more, is what was known
    applied = plan("c.json", document, dict.fromkeys(after))
    assert said(capsys, "scan", "plan", applied, *NAMED, *ONLY, "--new-only", "--baseline", "out.json")[0] == 0


def test_what_comes_into_being_at_the_old_address_is_new(here, document, capsys):
    said(capsys, "scan", "plan", plan("a.json", document, {GROUP: None}), *NAMED, *ONLY, "-o", "json=base.json")
    now = plan("b.json", document, {"aws_security_group.b": GROUP, GROUP: None})
    code, out, _ = said(
        capsys, "scan", "plan", now, *NAMED, *ONLY, "-o", "json=out.json", "-o", "terminal", "--new-only", "--baseline", "base.json"
    )
    assert (code, out) == (1, "failed: 1 new finding (1 critical) at or above high, 1 known (exit 1)")
    assert states() == {f"plan/{GROUP}": ("new", ""), "plan/aws_security_group.b": ("unchanged", f"was at plan/{GROUP}")}


def test_every_report_says_where_it_was(here, document, capsys):
    formats = ("gitlab", "junit", "markdown", "csv", "sarif", "sarif-audit", "json")
    said(capsys, "scan", "plan", plan("a.plan.json", document, {GROUP: None}), *NAMED, *ONLY, *(f"-o{f}=a.{f}" for f in formats))
    now = plan("b.plan.json", document, {f"module.net.{GROUP}": GROUP})
    rest = (*NAMED, *ONLY[:-1], *(f"-o{f}=b.{f}" for f in formats), "--baseline", "a.json")
    code, out, _ = said(capsys, "scan", "plan", now, *rest, "-o", "terminal", "-v")
    assert code == 1  # NOTE: known findings fail too without --new-only
    was, moved = f"was at plan/{GROUP}", f"plan/module.net.{GROUP}"
    assert was in out
    assert "1 entry of the baseline has another address now" in out
    (known,), (new,) = (report(f"{n}.gitlab") for n in "ab")
    assert known["fingerprint"] == new["fingerprint"]
    assert was in new["description"]
    assert was in Path("b.junit").read_text(encoding="utf-8")
    (row,) = [r for r in csv.DictReader(Path("b.csv").read_text(encoding="utf-8-sig").splitlines()) if r["resource_id"] == moved][
        :1
    ]
    assert (row["change"], row["change_note"]) == ("unchanged", was)
    assert "1 entry of the baseline has another address now" in Path("b.markdown").read_text(encoding="utf-8")
    for name in ("sarif", "sarif-audit"):
        results = [r for r in report(f"b.{name}")["runs"][0]["results"] if r["ruleId"] == RULE and r.get("kind", "fail") == "fail"]
        assert [r["baselineState"] for r in results] == ["unchanged"]
    assert not [r for r in report("b.sarif-audit")["runs"][0]["results"] if r.get("baselineState") in ("absent", "new")]


@pytest.mark.parametrize("shape", ["moved", "moved-into-module"])
def test_plans_of_terraform(here, root, capsys, shape):
    after = json.loads((root / SHAPES / shape / "plan.json").read_text(encoding="utf-8"))
    after["resource_changes"][0]["change"]["after"]["enable_key_rotation"] = False
    before = copy.deepcopy(after)
    (change,) = before["resource_changes"]
    change["address"] = change.pop("previous_address")
    for field in ("module_address", "index"):
        change.pop(field, None)
    for name, each in (("a.json", before), ("b.json", after)):
        Path(name).write_text(json.dumps(each), encoding="utf-8")
    common = (*NAMED, "--quiet", "--allow-unknown", "all", "--fail-on", "info")
    said(capsys, "scan", "plan", "a.json", *common, "-o", "json=base.json")
    code, _, _ = said(capsys, "scan", "plan", "b.json", *common, "-o", "json=out.json", "--baseline", "base.json", "--new-only")
    assert code == 0
    counts = report()["baseline"]["counts"]
    assert counts["unchanged"] > 0
    assert counts["new"] == counts["fixed"] == counts["newly_unknown"] == counts["unseen"] == 0


def test_a_forgotten_resource_is_not_mended(here, root, capsys):
    after = json.loads((root / SHAPES / "forget" / "plan.json").read_text(encoding="utf-8"))
    before = copy.deepcopy(after)
    for change in before["resource_changes"]:
        change["change"]["after"] = {**change["change"]["before"], "enable_key_rotation": False}
        change["change"] |= {"actions": ["update"], "after_unknown": {}, "after_sensitive": {}}
    for name, each in (("a.json", before), ("b.json", after)):
        Path(name).write_text(json.dumps(each), encoding="utf-8")
    common = (*NAMED, "--quiet", "--allow-unknown", "all", "--rule", "encryption.cmk_rotation")
    said(capsys, "scan", "plan", "a.json", *common, "-o", "json=base.json")
    said(capsys, "scan", "plan", "b.json", *common, "-o", "json=out.json", "--baseline", "base.json")
    (past,) = [p for p in report()["past"] if p["resource"] == "plan/aws_kms_key.left"]
    assert (past["state"], "lets go of it" in past["note"]) == ("unseen", True)


# ---- a baseline file

CONFIG = f"version: 1\nrules: {{rule: [{RULE}]}}\n"


def test_a_file_that_is_written_with_the_change_holds_before_and_after_apply(here, document, capsys):
    Path("bartizan.yaml").write_text(CONFIG, encoding="utf-8")
    quiet = (*NAMED, "--quiet", "--allow-unknown", "all")
    said(capsys, "scan", "plan", plan("a.json", document, {GROUP: None}), *quiet, "-o", "json=a.out.json")
    assert said(capsys, "baseline", "write", "a.out.json")[0] == 0
    file = Path(".bartizan/baseline.json")
    old = file.read_text(encoding="utf-8")
    now, applied = (plan(n, document, {"aws_security_group.b": before}) for n, before in (("b.json", GROUP), ("c.json", None)))
    use = ("--baseline", str(file), "--new-only", "-o", "terminal")
    code, out, _ = said(capsys, "scan", "plan", now, *quiet[:2], "--allow-unknown", "all", *use, "-o", "json=b.out.json")
    assert code == 0
    assert "write it again with this change" in out
    assert said(capsys, "scan", "plan", applied, *quiet, *use)[0] == 1  # NOTE: the note has said so
    code, out, _ = said(capsys, "baseline", "write", "b.out.json")
    assert (code, "0 new, 0 fixed" in out) == (0, True)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["moved"] == [{"source": "plan:net", "was": f"plan/{GROUP}", "now": "plan/aws_security_group.b"}]
    assert [e["resource"] for e in written["entries"]] == ["plan/aws_security_group.b"]
    assert [e["first_seen"] for e in written["entries"]] == [e["first_seen"] for e in json.loads(old)["entries"]]
    for each in (now, applied):
        assert said(capsys, "scan", "plan", each, *quiet, *use)[0] == 0
    said(capsys, "scan", "plan", applied, *quiet, "-o", "json=c.out.json")
    assert said(capsys, "baseline", "write", "c.out.json")[0] == 0
    assert "moved" not in json.loads(file.read_text(encoding="utf-8"))


# ---- waivers

WAIVER = "waivers:\n  - {{rule: {rule}, resource: '{resource}', reason: known, owner: ops, expires: {until}}}\n"


def waive(resource: str, until: str) -> None:
    Path("bartizan.yaml").write_text("version: 1\n" + WAIVER.format(rule=RULE, resource=resource, until=until), encoding="utf-8")


@pytest.fixture
def until() -> str:
    from datetime import UTC, datetime, timedelta

    return str((datetime.now(UTC) + timedelta(days=30)).date())


def test_a_waiver_of_the_old_address_counts_and_is_told(here, document, capsys, until):
    """The base's waivers alone may count in a pull request, so that which moves something cannot amend them."""
    waive(f"plan/{GROUP}", until)
    now = plan("b.json", document, {"aws_security_group.b": GROUP})
    code, out, _ = said(
        capsys, "scan", "plan", now, *NAMED, *ONLY[:-1], "-o", "json=out.json", "-o", "terminal", "-o", "sarif-audit=out.sarif"
    )
    assert code == 0
    assert f"{RULE} on plan/{GROUP} is for what is plan/aws_security_group.b now: write that" in out
    (found,) = report()["waivers"]
    assert (found["state"], found["moved"]) == ("used", "plan/aws_security_group.b")
    told = [n["descriptor"]["id"] for n in report("out.sarif")["runs"][0]["invocations"][0]["toolConfigurationNotifications"]]
    assert told == ["BARTIZAN-WAIVER-MOVED"]
    assert said(capsys, "report", "out.json", "-q")[0] == 0
    assert said(capsys, "report", "out.json", "-q", "--waivers-from", "bartizan.yaml")[0] == 0


def test_it_is_not_for_what_takes_the_place(here, document, capsys, until):
    waive(f"plan/{GROUP}", until)
    now = plan("b.json", document, {"aws_security_group.b": GROUP, GROUP: None})
    assert said(capsys, "scan", "plan", now, *NAMED, *ONLY, "-o", "json=out.json")[0] == 1
    waived = {
        v["resource"]["id"]: v["waiver"] is not None for v in report()["verdicts"] if v["rule"] == RULE and v["status"] == "fail"
    }
    assert waived == {"plan/aws_security_group.b": True, f"plan/{GROUP}": False}


def test_a_pattern_that_meant_it_is_told(here, document, capsys, until):
    waive("plan/module.lab.*", until)
    now = plan("b.json", document, {f"module.prod.{GROUP}": f"module.lab.{GROUP}"})
    code, out, _ = said(capsys, "scan", "plan", now, *NAMED, *ONLY[:-1], "-o", "terminal")
    assert code == 1
    assert f"unused, no finding matches it; what it names is plan/module.prod.{GROUP} now" in out
