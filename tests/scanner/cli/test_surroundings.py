"""The command where the machine is hostile: no terminal, no home, no room, no folder, another encoding."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import pytest

from scanner.cli import run
from scanner.model import Status
from scanner.reports.json_reader import load as load_report
from scanner.snapshot import Snapshot

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: i, securityContext: {privileged: true}}]}\n"


@pytest.fixture
def pod(tmp_path):
    path = tmp_path / "pod.yaml"
    path.write_text(POD)
    return path


def command(root, *argv, within="{command}", env=None):
    """Run it in a shell line, with nothing of this process's environment."""
    line = within.format(command=f"exec {shlex.join([sys.executable, '-m', 'scanner', *map(str, argv)])}")
    given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(root), **(env or {})}
    return subprocess.run(["/bin/sh", "-c", line], env=given, capture_output=True, timeout=60, check=False)


SCAN = ("scan", "manifests", "{pod}", "--rule", "workload.privileged")


def scan_of(pod):
    return [part.format(pod=pod) for part in SCAN]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(root, pod, tmp_path, closed):
    path = tmp_path / "s"
    done = command(root, *scan_of(pod), "--snapshot", path, within="{command} " + closed)
    assert done.returncode == 1, done.stderr
    with Snapshot.open(path) as snapshot:
        assert snapshot.verify() == []


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"HOME": "/nonexistent"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"NO_COLOR": "1"},
    ],
)
def test_environments(root, pod, env):
    done = command(root, *scan_of(pod), env=env)
    assert done.returncode == 1, done.stderr
    assert b"workload.privileged" in done.stdout


def test_no_room_for_temporary_files(pod, monkeypatch, capsys):
    import tempfile

    def full(**_):
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", full)
    assert run(scan_of(pod)) == 2
    assert "Set TMPDIR" in capsys.readouterr().err


def test_working_folder_that_is_gone(root, tmp_path, pod):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = command(root, *scan_of(pod), "--snapshot", "s", within=f"cd {gone}; rmdir {gone}; {{command}}")
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_bug_shows_no_secret_and_no_escape(root):
    code = "import sys; from scanner.cli import _bug\ntry: raise ValueError('\\x1b]0;x\\x07 hf_' + 'a1B2' * 9)\nexcept ValueError: _bug(*sys.exc_info())"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(root)}, capture_output=True, timeout=30, check=False)
    assert done.returncode == 70
    assert b"\x1b" not in done.stderr
    assert b"a1B2a1B2" not in done.stderr
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec {sys.executable} -c "$0" 2>&- >&-', code], env={"PYTHONPATH": str(root)}, timeout=30, check=False
    )
    assert done.returncode == 70


def test_error_shows_no_secret(capsys, pod):
    assert run([*scan_of(pod), "--engine", "opa", "--opa-url", "http://me:hunter22@127.0.0.1:1"]) == 2
    assert "hunter22" not in capsys.readouterr().err


def test_problem_of_a_collection_is_safe_to_print(tmp_path, capsys):
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "a.yaml").write_text(POD)
    (folder / "b\x1b[31m.yaml").write_text("a: [")
    assert run(["collect", "manifests", str(folder), "--snapshot", str(tmp_path / "s")]) == 4
    captured = capsys.readouterr()
    assert "problem: " in captured.err
    assert "\x1b" not in captured.err + captured.out


def test_files_are_read_again_when_a_collection_goes_on(tmp_path, pod, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bartizan.yaml").write_text(
        "scopes: [{manifests: {paths: [pod.yaml]}}, {plan: {file: plan.json}}]\nrules: {domain: [workload]}"
    )
    argv = ["scan", "--snapshot", "s", "--fail-on", "none", "-o", "json=r.json"]
    assert run(argv) == 4
    assert "plan.json" in capsys.readouterr().out
    pod.write_text(POD.replace("name: p", "name: q"))
    (tmp_path / "bartizan.yaml").write_text("scopes: [{manifests: {paths: [pod.yaml]}}]\nrules: {domain: [workload]}")
    assert run([*argv, "--resume"]) == 4  # nobody tried the plan again, so nobody says that it is well
    names = {v.name for v in load_report(tmp_path / "r.json").verdicts if v.status is Status.FAIL}
    assert names
    assert not {n for n in names if n.startswith("p")}
