"""Bad input of every kind: a message that names what is wrong and what to do, a status that is not 0, and nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from scanner.cli import run
from tests.scanner.builders import DENIED, FAIL, SCOPE, key, rule_text, write_snapshot

PLAN = "fixtures/estates/ai_factory/plan.json"
DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: c, image: i}]}}}\n"
)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.json").write_bytes((root / PLAN).read_bytes())


def said(capsys, *argv):
    code = run([str(a) for a in argv])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def bomb():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(["apiVersion: v1", "kind: ConfigMap", "metadata: {name: x}", *lines])


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (b"", 2, "empty"),
        (b'{"format_version": "1.2", "resource_changes": [', 2, "plan.json:1"),
        (b"\xff\xfe{}", 2, "UTF-8"),
        (b"PK\x03\x04 binary", 2, "terraform show -json"),
        (b'{"format_version": "9.0", "resource_changes": []}', 2, "9.0"),
        (b'{"format_version": "1.2", "resource_changes": []}', 3, "nothing to judge"),
        (b"[" * 100_000, 2, "deep"),
        (b'{"a": 1}', 2, "format_version"),
    ],
    ids=["empty", "truncated", "not utf-8", "binary plan", "unknown version", "no resource", "deep", "no plan"],
)
def test_plan(tmp_path, capsys, content, code, words):
    (tmp_path / "plan.json").write_bytes(content)
    got, out, err = said(capsys, "scan", "plan", "plan.json")
    assert (got, out) == (code, "")
    assert words in err
    assert "plan.json" in err


def test_huge_plan_is_refused_by_its_bound(capsys):
    code, _, err = said(capsys, "scan", "plan", "plan.json", "--max-bytes", "1000")
    assert code == 2
    assert "plan.json" in err
    assert "1,000" in err or "1000" in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a: [", "broken.yaml:"),
        (b"\xfea: 1", "utf-8"),
        (b"a: " + b"[" * 5_000, "depth"),
        (bomb().encode(), "alias"),
        (DEPLOYMENT.replace("web", "{{ .Values.name }}").encode(), "render"),
    ],
    ids=["no yaml", "not utf-8", "deep", "alias bomb", "helm template"],
)
def test_one_broken_manifest_is_told_and_the_rest_is_scanned(tmp_path, capsys, content, words):
    folder = tmp_path / "k8s"
    folder.mkdir()
    (folder / "good.yaml").write_text(DEPLOYMENT)
    (folder / "broken.yaml").write_bytes(content)
    code, out, _ = said(capsys, "scan", "manifests", "k8s", "--fail-on", "none", "-o", "json=r.json", "-o", "terminal")
    assert code == 4
    flat = " ".join(out.split())
    assert words in flat
    assert "broken.yaml" in flat
    report = json.loads((tmp_path / "r.json").read_text())
    assert {v["resource"]["name"] for v in report["verdicts"]} == {"web"}


def test_manifest_link_out_of_the_folder_is_not_followed(tmp_path, capsys):
    (tmp_path / "secret.yaml").write_text(DEPLOYMENT.replace("web", "outside"))
    folder = tmp_path / "k8s"
    folder.mkdir()
    (folder / "good.yaml").write_text(DEPLOYMENT)
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    code, out, _ = said(capsys, "scan", "manifests", "k8s", "--fail-on", "none", "-v")
    assert code == 4
    assert "link.yaml" in out
    assert "outside" not in out.replace("points outside", "").replace("leads outside", "").replace("is outside", "")


@pytest.mark.parametrize("content", ["", "a: 1\n", "apiVersion: v1\nkind: Nonsense\nmetadata: {name: x}\n"])
def test_nothing_recognised(tmp_path, capsys, content):
    (tmp_path / "m.yaml").write_text(content)
    code, out, err = said(capsys, "scan", "manifests", "m.yaml")
    assert (code, out) == (3, "")
    assert err.startswith("error:")


def test_missing_manifest_path(capsys):
    code, _, err = said(capsys, "scan", "manifests", "none")
    assert code == 2
    assert "none" in err


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["scan", "plan", "plan.json", "--rule", "encryption.cmk_rotaton"], 2, "Did you mean encryption.cmk_rotation"),
        (["scan", "plan", "plan.json", "--fail-on", "often"], 2, "often"),
        (["scan", "plan", "plan.json", "--allow-unknown", "maybe"], 2, "maybe: is none of denied"),
        (["scan", "plan", "plan.json", "-o", "pdf"], 2, "pdf"),
        (["scan", "plan", "plan.json", "-o", "json=/proc/nowhere/x.json"], 2, "/proc/nowhere"),
        (["scan", "plan", "plan.json", "--config", "none.yaml"], 2, "none.yaml"),
        (["scan", "plan", "plan.json", "--rules", "none"], 2, "not a folder"),
        (["scan", "plan", "plan.json", "--opa-url", "http://127.0.0.1:1"], 2, "--engine opa"),
        (["scan", "plan", "plan.json", "--engine", "opa", "--opa-url", "http://127.0.0.1:1"], 2, "does not answer"),
        (
            ["scan", "plan", "plan.json", "--engine", "opa", "--opa-url", "http://opa.example:1", "--opa-token", "x"],
            2,
            "without TLS",
        ),
        (["scan", "plan", "plan.json", "--resume"], 2, "--snapshot"),
        (["scan"], 2, "Nothing to scan"),
        (["scan", "plan"], 2, "FILE"),
        (["evaluate", "plan.json"], 2, "is not a snapshot"),
        (["evaluate", "none"], 2, "none"),
        (["report", "plan.json"], 2, "plan.json"),
        (["rules", "show", "x.y"], 2, "matches nothing"),
        (["nonsense"], 2, "nonsense"),
        (["scan", "--fail-on", "low", "plan", "plan.json"], 2, "--fail-on goes behind the source: scan plan"),
        (["collect", "--snapshot", "s", "plan", "plan.json"], 2, "--snapshot goes behind the source: collect plan"),
    ],
)
def test_usage(capsys, argv, code, words):
    got, out, err = said(capsys, *argv)
    assert (got, out) == (code, "")
    assert words in " ".join(err.split())


def test_reports_are_refused_before_the_work(tmp_path, capsys):
    """An unwritable output is told at once, not after an hour of collecting."""
    code, _, _ = said(capsys, "scan", "plan", "plan.json", "-o", "json=no/such/folder/r.json", "--snapshot", "s")
    assert code == 2
    assert not (tmp_path / "s").exists()


def test_custom_rule_that_does_not_parse(tmp_path, capsys):
    (tmp_path / "own" / "mine").mkdir(parents=True)
    (tmp_path / "own" / "mine" / "own.rego").write_text(rule_text(body=f"{SCOPE}\nfail contains x if {{"))
    code, out, err = said(capsys, "scan", "plan", "plan.json", "--rules", "own")
    assert (code, out) == (2, "")
    assert "own.rego" in err
    assert "does not parse" in err


def test_custom_rule_that_raises_is_a_visible_unknown(tmp_path, capsys):
    (tmp_path / "own" / "mine").mkdir(parents=True)
    body = f'{SCOPE}\n{FAIL}\nfail contains {{"id": k.id, "fact": "state", "message": "m"}} if {{ some k in input.resources.key; 1 / 0 == 1 }}'
    (tmp_path / "own" / "mine" / "own.rego").write_text(rule_text(body=body))
    code, out, _ = said(capsys, "scan", "plan", "plan.json", "--rules", "own", "--rule", "mine.own")
    assert code == 4
    assert "divide by zero" in out


def test_unreadable_waivers_are_exit_4_and_the_report_is_there(capsys):
    """kubescape/helm-charts#875: exceptions that could not be read were a warning."""
    code, out, _ = said(capsys, "scan", "plan", "plan.json", "--waivers", "none.yaml", "--fail-on", "none")
    assert code == 4
    assert "none.yaml" in out


@pytest.fixture
def snapshot(tmp_path):
    return write_snapshot(
        tmp_path / "s",
        [key(), key("bad", rotation_enabled=False), key("blind", rotation_enabled=None, gaps={"rotation_enabled": DENIED})],
    )


def test_broken_snapshot(snapshot, capsys):
    body = snapshot.read_bytes()
    snapshot.write_bytes(body[:5000])
    code, out, err = said(capsys, "evaluate", snapshot)
    assert (code, out) == (2, "")
    assert "s:" in err


def test_gate_and_its_switches(snapshot, capsys):
    only = ["--rule", "encryption.cmk_rotation"]
    assert said(capsys, "evaluate", snapshot, *only)[0] == 1
    assert said(capsys, "evaluate", snapshot, *only, "--fail-on", "critical")[0] == 0
    assert said(capsys, "evaluate", snapshot, *only, "--fail-on", "none")[0] == 4
    assert said(capsys, "evaluate", snapshot, *only, "--fail-on", "none", "--allow-unknown", "denied")[0] == 0
    assert said(capsys, "evaluate", snapshot, *only, "--exit-zero")[0] == 0


def test_report_of_a_json_report_is_the_same_report(snapshot, capsys, tmp_path):
    code, _, _ = said(capsys, "evaluate", snapshot, "-o", "json=a.json", "--rule", "encryption.*")
    again, _, _ = said(capsys, "report", "a.json", "-o", "json=b.json")
    assert code == again == 1
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def test_explain_says_where_facts_come_from(snapshot, capsys):
    code, out, _ = said(capsys, "explain", "blind", "--snapshot", snapshot)
    assert code == 0
    assert "rotation_enabled" in out
    assert "Allow kms:GetKeyRotationStatus" in out
    assert "unknown" in out
    assert said(capsys, "explain", "nothing", "--snapshot", snapshot)[0] == 2


def test_snapshot_commands(snapshot, capsys, tmp_path):
    assert said(capsys, "snapshot", "verify", snapshot)[0] == 0
    assert said(capsys, "snapshot", "export", snapshot, "--to", "s.jsonl")[0] == 0
    assert len((tmp_path / "s.jsonl").read_text().splitlines()) == 6


def test_no_credentials_and_no_answer(capsys, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    code, out, err = said(capsys, "scan", "aws", "--regions", "us-east-1")
    assert (code, out) == (3, "")
    assert "AWS_ENDPOINT_URL" in err
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    code, out, err = said(capsys, "scan", "aws")
    assert (code, out) == (3, "")
    assert "no credentials" in err
    code, out, err = said(capsys, "scan", "aws", "--profile", "nobody")
    assert (code, out) == (2, "")
    assert "nobody" in err


def test_unknown_region(capsys, monkeypatch, moto_server):
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_server)
    code, out, err = said(capsys, "scan", "aws", "--regions", "us-east-9")
    assert (code, out) == (2, "")
    assert "us-east-9: no such region" in err
    assert "us-east-1" in err


def command(root, *argv, **more):
    return subprocess.run(
        [sys.executable, "-m", "scanner", *argv],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
        **more,
    )


def test_closed_pipe_is_quiet(root, snapshot):
    shell = f"{sys.executable} -m scanner rules list | head -1; exit ${{PIPESTATUS[0]}}"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    done = subprocess.run(["bash", "-c", shell], capture_output=True, check=False, env=environment, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("rule")
    assert done.returncode in (0, 141)  # NOTE: never 1, which means findings


@pytest.mark.parametrize("argv", [["rules", "list"], ["explain", "bad", "--snapshot", "s"], ["permissions", "aws"]])
def test_reader_that_goes_away_is_no_finding(root, snapshot, argv):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "scanner", *argv],
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_bug_of_ours_is_70(root, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import scanner.cli.options as o\ndef choose(*a):\n    raise ZeroDivisionError\no.choose = choose\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "scanner", "rules", "list"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{root}"},
        text=True,
    )
    assert done.returncode == 70
    assert "This is a bug of bartizan" in done.stderr


def test_help_and_version_import_no_sdk(root):
    for flag in ("--help", "--version"):
        done = command(root, flag)
        assert done.returncode == 0
    probe = "import sys; from scanner.cli import run; run(['--help']); bad = {'boto3', 'botocore', 'kubernetes', 'regorus', 'yaml', 'jsonschema', 'rich', 'jmespath', 'requests'} & set(sys.modules); sys.exit(str(bad) if bad else 0)"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, check=False, env={**os.environ, "PYTHONPATH": str(root)}, text=True
    )
    assert done.returncode == 0, done.stderr
