"""A saved JSON report asked again: what `evaluate` would say of its snapshot with the same options, or an error."""

from __future__ import annotations

import contextlib
import datetime
import json
import shutil
from pathlib import Path

import pytest

from scanner import assess
from scanner.cli import run
from tests.scanner.builders import DENIED, key, write_snapshot

RULE = "encryption.cmk_rotation"
ONLY = ("--rule", "encryption.*")
DAY = datetime.datetime.now(datetime.UTC).date()
UNTIL = (DAY + datetime.timedelta(days=30)).isoformat()
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: {name} # bartizan:waive workload.privileged until={until} reason=r owner=o
spec:
  containers:
  - {{name: a, image: i, securityContext: {{privileged: true}}}}
"""


def waivers(*resources: str, until: str = UNTIL) -> str:
    entries = (f"  - {{rule: {RULE}, resource: {each!r}, reason: r, owner: o, expires: {until}}}\n" for each in resources)
    return f"waivers:{' []' if not resources else ''}\n{''.join(entries)}"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Snapshots, their reports and configurations, made once."""
    tmp_path = tmp_path_factory.mktemp("made")
    keys = [key(), key("bad", rotation_enabled=False), key("worse", rotation_enabled=False), key("mine", rotation_enabled=False)]
    write_snapshot(tmp_path / "s", [*keys, key("blind", rotation_enabled=None, gaps={"rotation_enabled": DENIED})])
    write_snapshot(tmp_path / "old", [key("bad", rotation_enabled=False)])
    files = {
        "bartizan.yaml": "severities: {encryption.cmk_usable: info}\n" + waivers("mine"),
        "w.yaml": waivers("bad", "wor*"),
        "none.yaml": waivers(),
        "critical.yaml": "fail_on: critical\nallow_unknown: ['+denied']\nseverities: {encryption.cmk_usable: info}\n"
        + waivers("bad"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with contextlib.chdir(tmp_path):
        assert run(["evaluate", "s", *ONLY, "-q", "-o", "json=r.json"]) == 1
        assert run(["evaluate", "old", *ONLY, "-q", "-o", "json=old.json"]) == 1
    return tmp_path


@pytest.fixture
def here(made, tmp_path, monkeypatch):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(name: str) -> dict:
    found = json.loads(Path(name).read_text(encoding="utf-8"))
    return {k: v for k, v in found.items() if k != "generated_at"}


@pytest.mark.parametrize(
    "options",
    [
        "--fail-on critical",
        "--fail-on none --allow-unknown none",
        "--fail-on none --allow-unknown +denied",
        "--baseline old.json",
        "--baseline old.json --new-only",
        "--baseline old --new-only --fail-on medium",
        "--waivers w.yaml",
        "--waivers w.yaml --fail-on none --allow-unknown all",
        "--waivers w.yaml --baseline old.json --new-only",
        "--waivers missing.yaml",
        "--waivers-from w.yaml",
        "--waivers-from none.yaml",
        "--waivers-from missing.yaml",
        "--no-inline-waivers --fail-on low",
        "--config critical.yaml",
        "--config critical.yaml --waivers w.yaml --fail-on high",
        "--no-baseline",
        "--exit-zero",
    ],
)
def test_it_says_what_evaluate_would(here, options):
    given = options.split()
    code = run(["evaluate", "s", *ONLY, *given, "-o", "json=a.json"])
    assert run(["report", "r.json", *given, "-o", "json=b.json"]) == code
    assert told("b.json") == told("a.json")


def test_comments_are_kept_or_ruled_out(here):
    (here / "pods.yaml").write_text(POD.format(name="a", until=UNTIL))
    pods = ["scan", "manifests", "pods.yaml", "--rule", "workload.privileged", "-q"]
    assert run([*pods, "-o", "json=pods.json"]) == 0
    assert run(["report", "pods.json", "--fail-on", "low", "-o", "json=again.json"]) == 0
    assert told("again.json")["waivers"] == told("pods.json")["waivers"]
    for options in (["--no-inline-waivers"], ["--waivers-from", "none.yaml"]):
        assert run([*pods, *options, "-o", "json=a.json"]) == 1
        assert run(["report", "pods.json", *options, "-o", "json=b.json"]) == 1
        assert told("b.json")["verdicts"] == told("a.json")["verdicts"]
        assert told("b.json")["waivers"] == told("a.json")["waivers"]
    policy = "waiver_policy: {max_days: 7}\n"
    (here / "strict.yaml").write_text(policy)
    assert run(["report", "pods.json", "--config", "strict.yaml", "-q"]) == 1


def test_a_waiver_that_has_expired_since_accepts_nothing(here, monkeypatch, capsys):
    assert run(["report", "r.json", "--waivers", "w.yaml", "-o", "json=w.json"]) == 4
    late = assess.utc_now() + datetime.timedelta(days=31)
    monkeypatch.setattr(assess, "utc_now", lambda: late)
    assert run(["report", "w.json", "-q"]) == 4  # as it was judged
    capsys.readouterr()
    assert run(["report", "w.json", "--fail-on", "high", "-o", "json=late.json", "-o", "terminal"]) == 1
    assert "is expired on" in " ".join(capsys.readouterr().out.split())
    assert {w["state"] for w in told("late.json")["waivers"]} == {"expired"}


def test_what_is_new_changes_with_what_is_waived(here, capsys):
    """A finding that was waived and is no more is reopened; the report alone does not know it, so it asks for the baseline."""
    run(["report", "r.json", "--waivers", "w.yaml", "-o", "json=known.json"])
    assert run(["report", "known.json", "--baseline", "known.json", "--new-only", "-o", "json=c.json"]) == 0
    assert run(["report", "c.json", "--fail-on", "low", "-q"]) == 0
    assert run(["report", "c.json", "--waivers-from", "none.yaml", "-q"]) == 2
    assert "give --baseline PREVIOUS again, or --no-baseline" in capsys.readouterr().err
    assert run(["report", "c.json", "--waivers-from", "none.yaml", "--baseline", "known.json", "--new-only", "-q"]) == 1
    assert run(["report", "c.json", "--waivers-from", "none.yaml", "--no-baseline", "-q"]) == 1


def test_only_what_is_new_of_a_comparison_that_it_has(here):
    assert run(["evaluate", "s", *ONLY, "--baseline", "s", "-o", "json=c.json", "-q"]) == 1
    assert run(["report", "c.json", "--new-only", "-q"]) == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--rule encryption.*", "--rule: a JSON report is judged already"),
        ("--rules .", "--rules: a JSON report is judged already"),
        ("--framework pci_dss_4", "--framework: a JSON report is judged already"),
        ("--severity high", "--severity: a JSON report is judged already"),
        ("--engine opa", "--engine: nothing is judged of a JSON report, unless --baseline is a snapshot"),
        ("--workers 2", "--workers: nothing is judged of a JSON report"),
        ("--workers 2 --baseline old.json", "--workers: nothing is judged of a JSON report"),
        ("--new-only", "--new-only needs --baseline"),
        ("--config other.yaml", "was not judged as other.yaml says (severities.encryption.cmk_rotation)"),
        ("--config params.yaml", "was not judged as params.yaml says (params.encryption.cmk_rotation)"),
        ("--config rules.yaml", "rules that the configuration chooses were not evaluated (transit."),
        ("--config gone.yaml", "gone.yaml: cannot be read"),
        ("-o json=r.json -o sarif=r.json", "two reports would be written to r.json"),
    ],
)
def test_what_has_no_meaning_is_refused(here, capsys, options, words):
    same = "severities: {encryption.cmk_usable: info}\n"
    (here / "other.yaml").write_text("severities: {encryption.cmk_usable: info, encryption.cmk_rotation: low}\n")
    (here / "params.yaml").write_text(same + "params: {encryption.cmk_rotation: {max_days: 30}}\n")
    (here / "rules.yaml").write_text(same + "rules: {domain: [encryption, transit]}\n")
    capsys.readouterr()
    assert run(["report", "r.json", *options.split()]) == 2
    captured = capsys.readouterr()
    assert words in " ".join(captured.err.split())
    assert captured.out == ""


@pytest.mark.parametrize(
    "change",
    [
        lambda r: r["problems"].append("x: not read"),
        lambda r: r["verdicts"].pop(),
        lambda r: r["summary"].update(fail=0),
        lambda r: r.update(schema_version="1.1"),
        lambda r: r.pop("gate"),
    ],
)
def test_a_report_that_was_edited_passes_nothing(here, change, capsys):
    run(["report", "r.json", "--fail-on", "none", "--allow-unknown", "all", "-o", "json=p.json"])
    report = json.loads(Path("p.json").read_text(encoding="utf-8"))
    assert report["gate"]["exit_code"] == 0
    change(report)
    Path("p.json").write_text(json.dumps(report), encoding="utf-8")
    assert run(["report", "p.json"]) == 2
    assert "p.json: " in capsys.readouterr().err
