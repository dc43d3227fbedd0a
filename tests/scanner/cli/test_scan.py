"""Whole scans through the command: configuration, several sources, waivers, formats, engines."""

from __future__ import annotations

import json

import pytest

from scanner.cli import run

ESTATE = "fixtures/estates/ai_factory"


@pytest.fixture
def here(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "estate").symlink_to(root / ESTATE)
    return tmp_path


def said(capsys, *argv):
    code = run(list(argv))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


CONFIG = """
version: 1
scopes:
  - plan: {file: estate/plan.json, name: pilot}
  - manifests: {paths: [estate/manifests]}
rules: {domain: [encryption, workload]}
severities: {workload.read_only_root: critical}
params: {encryption.cmk_rotation: {max_days: 1}}
outputs: [json=out.json]
fail_on: critical
zones: [{name: lab, role: training, namespaces: [research]}]
"""


def test_configuration_drives_a_bare_scan(here, capsys):
    (here / "bartizan.yaml").write_text(CONFIG)
    code, out, err = said(capsys, "scan")
    assert code == 1, err
    report = json.loads((here / "out.json").read_text())
    assert {s["id"] for s in report["sources"]} == {"plan:pilot", "manifests"}
    assert {r["id"].split(".")[0] for r in report["rules"]} == {"encryption", "workload"}
    assert {v["severity"] for v in report["verdicts"] if v["rule"] == "workload.read_only_root"} == {"critical"}
    assert report["params"]["encryption.cmk_rotation"] == {"max_days": 1}
    assert "CRITICAL" in out


def test_flags_replace_the_configuration(here, capsys):
    (here / "bartizan.yaml").write_text(CONFIG)
    code, _, _ = said(capsys, "scan", "--domain", "transit", "-o", "json=other.json", "--fail-on", "none", "--allow-unknown", "all")
    assert code == 0
    assert not (here / "out.json").exists()
    assert {r["id"].split(".")[0] for r in json.loads((here / "other.json").read_text())["rules"]} == {"transit"}


def test_waived_finding_stays_visible_and_does_not_fail(here, capsys):
    only = ["scan", "manifests", "estate/manifests", "--rule", "ai.ray_token_auth", "-o", "json=r.json", "-o", "terminal"]
    assert said(capsys, *only)[0] == 1
    failing = [v for v in json.loads((here / "r.json").read_text())["verdicts"] if v["status"] == "fail"]
    entries = "".join(
        f'  - {{rule: ai.ray_token_auth, resource: "{v["resource"]["id"]}", reason: lab, owner: ml, expires: 2099-01-01}}\n'
        for v in failing
    )
    (here / "waivers.yaml").write_text(
        "waiver_policy: {max_days: 36500}\nwaivers:\n"
        + entries
        + '  - {rule: ai.*, resource: "x", reason: r, owner: o, expires: 2020-01-01}\n'
    )
    code, out, _ = said(capsys, *only, "--waivers", "waivers.yaml")
    assert code == 0
    assert "waived: lab (ml, until 2099-01-01)" in " ".join(out.split())
    assert "expired on 2020-01-01" in out
    assert [v["waiver"]["owner"] for v in json.loads((here / "r.json").read_text())["verdicts"] if v["status"] == "fail"] == [
        "ml"
    ] * len(failing)


def test_one_source_that_cannot_be_read_does_not_hide_the_other(here, capsys):
    (here / "bartizan.yaml").write_text("scopes: [{plan: {file: none.json}}, {manifests: {paths: [estate/manifests]}}]")
    code, out, _ = said(capsys, "scan", "--fail-on", "none", "--allow-unknown", "all")
    assert code == 4
    assert "none.json" in out
    assert "incomplete: 1 input" in out


def test_two_plans_of_one_name_are_refused_by_name(here, capsys):
    (here / "bartizan.yaml").write_text("scopes: [{plan: {file: estate/plan.json}}, {plan: {file: estate/plan.json}}]")
    code, out, _ = said(capsys, "scan", "--fail-on", "none", "--allow-unknown", "all")
    assert code == 4
    assert "--name" in out


def test_opa_and_regorus_write_the_same_report(here, capsys, opa_binary, monkeypatch):
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")
    for engine in ("regorus", "opa"):
        said(capsys, "scan", "manifests", "estate/manifests", "--engine", engine, "-o", f"json={engine}.json", "--snapshot", engine)
    one, two = (json.loads((here / f"{e}.json").read_text()) for e in ("regorus", "opa"))
    assert one["verdicts"] == two["verdicts"]
    assert [r["tool"]["engine"].split()[0] for r in (one, two)] == ["regorus", "opa"]


def test_snapshot_judged_later_says_the_same(here, capsys):
    said(capsys, "scan", "plan", "estate/plan.json", "--snapshot", "s", "-o", "json=a.json")
    said(capsys, "evaluate", "s", "-o", "json=b.json")
    one, two = (json.loads((here / f"{n}.json").read_text()) for n in "ab")
    assert one["verdicts"] == two["verdicts"]
    assert (one["snapshot"], one["policies"]) == (two["snapshot"], two["policies"])


def test_demand_follows_the_rules(here, capsys):
    said(capsys, "collect", "manifests", "estate/manifests", "--rule", "transit.k8s_ingress_tls", "--snapshot", "s")
    said(capsys, "snapshot", "export", "s", "--to", "s.jsonl")
    rows = [json.loads(line) for line in (here / "s.jsonl").read_text().splitlines()]
    assert {r["resource"]["native_type"] for r in rows if "resource" in r} == {"networking.k8s.io/v1/Ingress"}
