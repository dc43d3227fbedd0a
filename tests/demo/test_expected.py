"""The demo AI factory end to end: what was planted is found, what is right passes, and what may not be seen is unknown."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from typing import Any

import pytest

from collectors.aws.demo import read_estate
from tests.conftest import ROOT

ESTATE = ROOT / "fixtures" / "estates" / "ai_factory"
EXPECTED = [e for file in sorted((ESTATE / "expected").glob("*.json")) for e in json.loads(file.read_text())["expect"]]
pytestmark = pytest.mark.xdist_group("demo")

STATUSES = ("fail", "pass", "unknown", "not_applicable")
PLANTED = [(e["resource"], status, requirement) for e in EXPECTED for status in STATUSES for requirement in e.get(status, [])]


@pytest.fixture(scope="module")
def scan(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict[str, Any]]:
    """Exit status and JSON report of one `bartizan scan demo`, as a stranger runs it."""
    out = tmp_path_factory.mktemp("demo") / "report.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "scanner", "scan", "demo", "-o", f"json={out}", "--quiet"]
    done = subprocess.run(command, cwd=out.parent, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert out.exists(), done.stdout + done.stderr
    return done.returncode, json.loads(out.read_text())


@pytest.fixture(scope="module")
def said(scan: tuple[int, dict[str, Any]]) -> dict[tuple[str, str], dict[str, str]]:
    """(resource, requirement) → rule → status."""
    found: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for verdict in scan[1]["verdicts"]:
        for requirement in verdict["catalog"]:
            found[verdict["resource"]["id"], requirement][verdict["rule"]] = verdict["status"]
    return found


@pytest.mark.parametrize(("resource", "status", "requirement"), PLANTED)
def test_planted(said: dict[tuple[str, str], dict[str, str]], resource: str, status: str, requirement: str) -> None:
    rules = said[resource, requirement]
    assert rules, f"{resource}: no rule answers {requirement}"
    if status == "pass":  # of several rules that answer a requirement, every one that speaks must agree
        assert set(rules.values()) <= {"pass", "not_applicable"}
    assert status in rules.values(), rules


def test_the_estate_plants_every_outcome() -> None:
    assert {status for _, status, _ in PLANTED} == set(STATUSES)
    assert len({resource for resource, _, _ in PLANTED}) == len(EXPECTED)


def test_only_what_is_refused_failed(scan: tuple[int, dict[str, Any]]) -> None:
    refused = [d["action"] for d in read_estate(ESTATE / "aws")["deny"]]
    failed = scan[1]["failed_calls"]
    assert {c["reason"] for c in failed} == {"denied"}
    assert sorted(c["detail"].rpartition(" ")[2] for c in failed) == sorted(refused)


def test_every_refusal_blinds_something_and_names_the_permission(scan: tuple[int, dict[str, Any]]) -> None:
    refused = {d["action"] for d in read_estate(ESTATE / "aws")["deny"]}
    gaps = [g for v in scan[1]["verdicts"] if v["status"] == "unknown" for g in v["gaps"] if g["reason"] == "denied"]
    assert {g["call"] for g in gaps} == refused
    assert all(g["call"] in g["remedy"] for g in gaps)


def test_the_plans_findings_stand_at_their_lines(scan: tuple[int, dict[str, Any]]) -> None:
    """At the block or within it, in the plan's own configuration."""
    text = (ESTATE / "terraform/main.tf").read_text().split("\n")
    found = [v for v in scan[1]["verdicts"] if v["status"] == "fail" and v["source"] == "plan:ai-factory"]
    assert found
    for verdict in found:
        kind, name = verdict["where"]["locator"].split(".")
        block = text.index(f'resource "{kind}" "{name}" {{') + 1
        where = verdict["where"]
        assert (where["file"], where["block"]["line"] >= block) == ("main.tf", True), verdict["resource"]["id"]
        assert text[where["line"] - 1][where["column"] - 1 : where["end_column"] - 1].strip(), verdict["resource"]["id"]
    assert any("http_tokens" in text[v["where"]["line"] - 1] for v in found)


def test_nothing_broke(scan: tuple[int, dict[str, Any]]) -> None:
    status, report = scan
    assert status == 1, "findings at or above the gate"
    assert report["problems"] == []
    assert {g["reason"] for v in report["verdicts"] for g in v["gaps"]} & {"bug", "unparsable", "timeout", "throttled"} == set()
    assert {s["mode"] for s in report["sources"]} == {"live", "manifest", "plan"}
