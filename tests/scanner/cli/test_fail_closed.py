"""Whatever is broken, missing or empty: never a pass, always its own exit status, and a message that says what to do.

| exit | when |
|---|---|
| 2 | usage or bad input: it was not read, so nothing was judged |
| 3 | nothing was judged: no resource is of a type that a rule speaks about, or no rule is left |
| 4 | judged, but not all of it: a part could not be read, or the waivers, or something that should have been seen was not |
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from scanner.cli import run
from scanner.gate import ALLOWED, parse_allowed
from scanner.model import BartizanError, Reason
from tests.scanner.builders import key, write_snapshot

ESTATE = "fixtures/estates/ai_factory"
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: i}]}\n"
WILLING = ("--fail-on", "none", "--allow-unknown", "all")
"""The most permissive gate there is: what does not pass here passes nowhere."""


class Case(NamedTuple):
    """One thing that is wrong."""

    argv: str
    code: int
    words: str
    """Of the message: what is wrong, or what to do."""
    files: dict[str, str | bytes] = {}  # noqa: RUF012 - never changed
    """Written before."""
    make: Callable[[Path], object] | None = None


def newer(here: Path) -> None:
    write_snapshot(here / "s", [key()])
    with sqlite3.connect(here / "s") as db:
        db.execute("UPDATE meta SET value='99' WHERE key='schema'")


def whole(here: Path) -> None:
    write_snapshot(here / "s", [key()])


def edited(here: Path) -> None:
    whole(here)
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(["evaluate", "s", "--rule", "encryption.cmk_rotation", "-q", "-o", "json=r.json"]) == 0
    report = json.loads((here / "r.json").read_text())
    (here / "r.json").write_text(json.dumps({**report, "problems": ["m.yaml: not read"]}))


def cut(here: Path) -> None:
    path = write_snapshot(here / "s", [key()])
    path.write_bytes(path.read_bytes()[:5000])


def interrupted(here: Path) -> None:
    write_snapshot(here / "s", [key()])
    with sqlite3.connect(here / "s") as db:
        db.execute("UPDATE meta SET value='collecting' WHERE key='state'")
        db.execute("DELETE FROM meta WHERE key='digest'")


def with_sources(here: Path) -> None:
    shutil.copytree(here / "estate" / "terraform", here / "tf")
    with (here / "tf" / "main.tf").open("a") as out:
        out.write('\nresource "aws_vpc" "cut" {\n  cidr_block = \n')


DESTROY = json.dumps(
    {
        "format_version": "1.2",
        "resource_changes": [
            {
                "address": "aws_kms_key.k", "mode": "managed", "type": "aws_kms_key", "name": "k", "provider_name": "p/aws",
                "change": {"actions": ["delete"], "before": {}, "after": None},
            }
        ],
        "configuration": {"root_module": {}},
    }
)  # fmt: skip
FOREIGN = DESTROY.replace('["delete"]', '["create"]').replace("aws_kms_key", "google_x").replace('"after": null', '"after": {}')
PLAN = "scan plan estate/plan.json"
PODS = "scan manifests pod.yaml"
CASES = {
    # plans
    "plan that is no JSON": Case("scan plan p.json", 2, "p.json:1:1: not JSON", {"p.json": "x"}),
    "plan that is cut": Case("scan plan p.json", 2, "cut short", {"p.json": '{"format_version": "1.2", "resource_changes": ['}),
    "empty plan file": Case("scan plan p.json", 2, "terraform show -json", {"p.json": ""}),
    "empty standard input": Case("scan plan -", 2, "terraform show -json"),
    "log instead of a plan": Case("scan plan p.json", 2, "log of `terraform plan -json`", {"p.json": '{"@level":"info"}\n{"@level":"info"}\n'}),
    "binary plan": Case("scan plan p.json", 2, "terraform show -json", {"p.json": b"PK\x03\x04"}),
    "plan of a newer format": Case("scan plan p.json", 2, "9.0", {"p.json": '{"format_version": "9.0", "resource_changes": []}'}),
    "plan that is not there": Case("scan plan none.json", 2, "none.json: cannot be read"),
    "plan without changes": Case("scan plan p.json", 3, "nothing to judge", {"p.json": '{"format_version": "1.2", "resource_changes": []}'}),
    "plan that only destroys": Case("scan plan p.json", 3, "only destroys or forgets (aws_kms_key)", {"p.json": DESTROY}),
    "plan of types that nobody knows": Case("scan plan p.json", 3, "no resource of a known type; seen: google_x (1)", {"p.json": FOREIGN}),
    "source that does not parse": Case(f"{PLAN} --source tf", 4, "main.tf:", make=with_sources),
    "source of something else": Case(f"{PLAN} --source other", 2, "declares nothing of what the plan has", {"other/x.tf": "locals {}\n"}),
    "source that is not there": Case(f"{PLAN} --source none", 2, "no such file or folder"),
    # manifests
    "manifest that is no YAML": Case("scan manifests m.yaml", 2, "m.yaml:1: not YAML", {"m.yaml": "a: ["}),
    "one manifest of two that is no YAML": Case("scan manifests pod.yaml m.yaml", 4, "m.yaml:1: not YAML", {"m.yaml": "a: ["}),
    "manifest that is a template": Case("scan manifests m.yaml", 2, "helm template", {"m.yaml": "{{ if .Values.x }}\na: b\n{{ end }}\n"}),
    "manifests without an object": Case("scan manifests m.yaml", 3, "no Kubernetes object that a rule reads", {"m.yaml": "a: 1\n"}),
    "manifests of types that nobody knows": Case("scan manifests m.yaml", 3, "x/v1/Y (1)", {"m.yaml": "apiVersion: x/v1\nkind: Y\nmetadata: {name: z}\n"}),
    "empty folder": Case("scan manifests empty", 3, "0 file(s)", {"empty/.keep": ""}),
    "empty standard input of manifests": Case("scan manifests -", 3, "Name files or folders"),
    "folder without manifests beside one that has some": Case(f"{PODS} empty", 4, "empty: holds nothing to read", {"empty/README.md": "x"}),
    "empty standard input beside a manifest": Case(f"{PODS} -", 4, "stdin: holds nothing to read"),
    "pattern that no shell expanded": Case("scan manifests *.yml", 2, "*.yml: no such file or folder"),
    "values without a chart": Case(f"{PODS} --values none.yaml", 2, "--values none.yaml: no Helm chart is rendered here"),
    "values that nothing is rendered with": Case(f"{PODS} --no-render --values v", 2, "--values and --no-render do not go together"),
    "manifests that are not there": Case("scan manifests none", 2, "none: no such file or folder"),
    # rules
    "rule that does not exist": Case(f"{PODS} --rule workload.privilegd", 2, "Did you mean workload.privileged"),
    "selection that leaves no rule": Case(f"{PODS} --rule workload.* --domain encryption", 3, "No rule is left after --rule"),
    "control that no rule answers": Case(f"{PODS} --framework pci_dss_4:2.2.6 --framework pci_dss_4:99", 2, "pci_dss_4:99: no rule answers"),
    "pattern of frameworks without the control": Case(f"{PODS} --framework pci*:99", 2, "no rule answers that control"),
    "rules of which none speaks about what there is": Case(f"{PODS} --rule encryption.cmk_rotation", 3, "nothing was judged"),
    "own rule that does not parse": Case(f"{PODS} --rules own", 2, "own.rego", {"own/mine/own.rego": "package policies.mine.own\nfail {"}),
    "folder of rules that is not there": Case(f"{PODS} --rules none", 2, "not a folder"),
    # configuration
    "configuration that is no YAML": Case(PODS, 2, "bartizan.yaml:1: is not YAML", {"bartizan.yaml": "a: ["}),
    "configuration with a misspelt key": Case(PODS, 2, "bartizan.yaml:1: the file", {"bartizan.yaml": "failon: low\n"}),
    "configuration of a later form": Case(PODS, 2, "bartizan.yaml:1: version", {"bartizan.yaml": "version: 2\n"}),
    "configuration that is not text": Case(PODS, 2, "is not UTF-8 text", {"bartizan.yaml": b"\xff"}),
    "configuration that is not there": Case(f"{PODS} --config none.yaml", 2, "none.yaml: cannot be read"),
    "configuration that is a folder": Case(f"{PODS} --config empty", 2, "empty: cannot be read", {"empty/.keep": ""}),
    "unknown setting of waivers": Case(PODS, 2, "bartizan.yaml:1: waiver_policy", {"bartizan.yaml": "waiver_policy: {max_day: 1}\n"}),
    "configuration that says a thing twice": Case(PODS, 2, "bartizan.yaml:2: is not YAML: the key 'fail_on' stands twice", {"bartizan.yaml": "fail_on: low\nfail_on: none\n"}),
    "configuration of two documents": Case(PODS, 2, "found another document", {"bartizan.yaml": "fail_on: low\n---\nfail_on: none\n"}),
    "configuration of no account": Case("scan", 2, "bartizan.yaml:1: scopes.0.aws.accounts", {"bartizan.yaml": "scopes: [{aws: {role: r, accounts: []}}]\n"}),
    "how calls are made, and none are": Case("scan --deadline 5", 2, "--deadline is for live accounts and clusters", {"bartizan.yaml": "scopes: [{manifests: {paths: [pod.yaml]}}]\n"}),
    "how calls are made, of a file": Case(f"{PODS} --deadline 5", 2, "No such option '--deadline'"),
    "list of nothing": Case("scan aws --accounts ,", 2, "Invalid value for '--accounts': names nothing"),
    "external id of no role": Case("scan aws --external-id x", 2, "--external-id needs --role"),
    "nothing to scan": Case("scan", 2, "Nothing to scan: name a source"),
    # waivers
    "waivers that are not there": Case(f"{PODS} --waivers none.yaml", 4, "--waivers none.yaml: cannot be read"),
    "waivers that are no YAML": Case(f"{PODS} --waivers w.yaml", 4, "--waivers w.yaml:1: is not YAML", {"w.yaml": "waivers: ["}),
    "waivers that are no list": Case(f"{PODS} --waivers w.yaml", 4, "w.yaml:1: waivers is not a list", {"w.yaml": "waivers: {a: b}"}),
    "waivers of the base that are not there": Case(f"{PODS} --waivers-from none.yaml", 4, "--waivers-from none.yaml: cannot be read"),
    "waivers of the base that are a folder": Case(f"{PODS} --waivers-from empty", 4, "empty: cannot be read", {"empty/.keep": ""}),
    "two kinds of waivers at once": Case(f"{PODS} --waivers a --waivers-from b", 2, "do not go together"),
    # snapshots and reports
    "snapshot of a newer format": Case("evaluate s", 2, "schema version 99, this bartizan reads up to 1. Install the release", make=newer),
    "snapshot that is cut": Case("evaluate s", 2, "s: ", make=cut),
    "snapshot that is none": Case("evaluate pod.yaml", 2, "is not a snapshot"),
    "snapshot that is not there": Case("evaluate none", 2, "cannot read the snapshot"),
    "snapshot of an interrupted collection": Case("evaluate s", 4, "Continue it with --resume", make=interrupted),
    "snapshot that exists already": Case(f"{PODS} --snapshot pod.yaml", 2, "exists already"),
    "report that is no JSON": Case("report r.json", 2, "r.json: is not JSON", {"r.json": "x"}),
    "report of a newer form": Case("report r.json", 2, "is a report of version 9", {"r.json": '{"schema_version": "9"}'}),
    "baseline that is not there": Case(f"{PODS} --baseline none.json", 2, "none.json"),
    "new findings since nothing": Case(f"{PODS} --new-only", 2, "--new-only needs --baseline"),
    "report that says passed though an input was not read": Case("report r.json", 2, "r.json: was cut or edited: /gate says 0", make=edited),
    # outputs
    "output over the snapshot": Case(f"{PODS} --snapshot s -o json=s", 2, "-o json=s: would overwrite what is read"),
    "output over the plan": Case("scan plan p.json -o json=./p.json", 2, "-o json=p.json: would overwrite", {"p.json": DESTROY}),
    "output over a manifest": Case(f"{PODS} -o json=pod.yaml", 2, "-o json=pod.yaml: would overwrite"),
    "output over the waivers": Case(f"{PODS} --waivers w.yaml -o json=w.yaml", 2, "would overwrite", {"w.yaml": "waivers: []"}),
    "output over the evaluated snapshot": Case("evaluate s -o json=s", 2, "-o json=s: would overwrite", make=whole),
    "output into a folder that is not there": Case(f"{PODS} -o json=none/r.json", 2, "there is no folder none"),
    "output that is a folder": Case(f"{PODS} -o json=empty", 2, "it is a folder", {"empty/.keep": ""}),
    "output of an unknown format": Case(f"{PODS} -o pdf=r.pdf", 2, "there is no report format 'pdf'"),
    "output onto a full disk": Case(f"{PODS} -o json=/dev/full", 2, "/dev/full cannot be written: No space left"),
    # the gate's own words
    "unknown reason": Case(f"{PODS} --allow-unknown maybe", 2, "maybe: is none of denied"),
    "unknown severity": Case(f"{PODS} --fail-on often", 2, "often"),
}  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "estate").symlink_to(root / ESTATE)
    (tmp_path / "pod.yaml").write_text(POD)
    return tmp_path


def prepared(here, case):
    for name, content in case.files.items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    if case.make:
        case.make(here)
    argv = case.argv.split()
    judging = argv[0] != "report" and len(argv) > 1
    given = [flag for flag in WILLING[::2] if flag in argv]
    willing = [word for pair in zip(WILLING[::2], WILLING[1::2], strict=True) if pair[0] not in given for word in pair]
    return [*argv, *(willing if judging else [])]


@pytest.mark.parametrize("name", CASES)
def test_never_a_pass(here, capsys, monkeypatch, name):
    case = CASES[name]
    argv = prepared(here, case)
    (here / ".nothing").write_text("")
    with (here / ".nothing").open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        code = run(argv)
    captured = capsys.readouterr()
    assert code == case.code
    assert case.words in " ".join((captured.out + captured.err).split())
    if case.code in (2, 3) and captured.out:
        assert "passed" not in captured.out


REAL = (
    "plan that is cut",
    "empty standard input",
    "one manifest of two that is no YAML",
    "selection that leaves no rule",
    "waivers that are not there",
    "snapshot of a newer format",
    "output onto a full disk",
)


@pytest.mark.parametrize("name", REAL)
def test_a_shell_sees_the_same(here, root, name):
    case = CASES[name]
    done = command(root, *prepared(here, case), stdin=subprocess.DEVNULL)
    assert done.returncode == case.code
    assert case.words in " ".join((done.stdout + done.stderr).split())


def command(root, *argv, **more):
    environment = {**os.environ, "PYTHONPATH": str(root)}
    given = {"capture_output": True, **more} if "stdout" not in more else {"stderr": subprocess.PIPE, **more}
    return subprocess.run([sys.executable, "-m", "scanner", *argv], check=False, env=environment, text=True, **given)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["scan", "manifests", ""], "error: an empty word"),
        (["scan", "manifests", "pod.yaml", ""], "an empty word, perhaps of a variable that is not set"),
        (["scan", "plan", "estate/plan.json", "--source", ""], "--source: an empty word"),
        (["scan", "k8s", "--context", ""], "--context: an empty word"),
        (["scan", "aws", "--accounts="], "--accounts: an empty word"),
        (["scan", "manifests", "pod.yaml", "--fail-on", ""], "--fail-on: an empty word"),
    ],
)
def test_a_variable_that_is_not_set_is_not_a_wider_scan(here, capsys, argv, words):
    """`scan manifests "$DIR"` read the working folder, `scan k8s --context "$CLUSTER"` the cluster that happened to be current."""
    assert run(argv) == 2
    assert words in capsys.readouterr().err.replace("Error: ", "error: ")


def test_a_variable_of_the_environment_reaches_the_source_or_is_refused(here, capsys, monkeypatch):
    monkeypatch.setenv("BARTIZAN_SCAN_FAIL_ON", "critical")
    assert run(PODS.split()) == 2
    assert "BARTIZAN_SCAN_FAIL_ON does not reach `scan manifests`" in capsys.readouterr().err
    monkeypatch.delenv("BARTIZAN_SCAN_FAIL_ON")
    monkeypatch.setenv("BARTIZAN_OPA_TOKEN", "x")  # it stands there for the runs with --engine opa
    assert run([*PODS.split(), *WILLING]) == 0
    monkeypatch.setenv("BARTIZAN_SCAN_MANIFESTS_ALLOW_UNKNOWN", "none")
    assert run([*PODS.split(), "--fail-on", "none"]) == 4


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["rules", "test", "estate", "none"], 3, "No _test.rego file in estate, none"),
        (["rules", "show", "workload.*"], 2, "show one"),
        (["permissions", "aws", "--rule", "x.y"], 2, "matches nothing"),
    ],
)
def test_other_commands(here, capsys, argv, code, words):
    assert run(argv) == code
    assert words in capsys.readouterr().err


def test_exit_zero_says_so(here, capsys):
    (here / "m.yaml").write_text("a: [")
    assert run(["scan", "manifests", "pod.yaml", "m.yaml", *WILLING, "--exit-zero", "-q"]) == 0
    captured = capsys.readouterr()
    assert "(exit 4)" in captured.out
    assert "--exit-zero: the exit status is 0, whatever the gate says (4)" in captured.err
    assert run(["scan", "manifests", "m.yaml", *WILLING, "--exit-zero"]) == 2  # what was not judged has no gate


def test_reports_and_baselines_come_through_pipes(here, root):
    """`--baseline <(git show main:bartizan.json)`: looking whether it is a snapshot must not swallow its beginning."""
    assert run([*PODS.split(), "-q", "--fail-on", "low", "-o", "json=r.json"]) == 1
    line = "{0} scan manifests pod.yaml -q --fail-on low --baseline <(cat r.json) --new-only && {0} report <(cat r.json) -q --fail-on none --allow-unknown all"
    environment = {**os.environ, "PYTHONPATH": str(root)}
    shell = ["bash", "-c", line.format(f"{sys.executable} -m scanner")]
    done = subprocess.run(shell, check=False, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_standard_output_that_cannot_be_written(here, root):
    with Path("/dev/full").open("w") as full:
        done = command(root, *PODS.split(), "-o", "json", *WILLING, stdout=full)
    assert done.returncode == 2
    assert "standard output cannot be written" in done.stderr


def test_output_into_a_folder_without_permission(here, capsys, monkeypatch):
    monkeypatch.setattr("os.access", lambda *_, **__: False)  # NOTE: to root every folder is open
    assert run([*PODS.split(), "-o", "json=r.json", *WILLING]) == 2
    assert "r.json cannot be written: no permission" in capsys.readouterr().err


def test_failed_reports_leave_what_was_there(here):
    """A gate that could not write must not leave half a report, nor a report of the last run as if it were this one's."""
    (here / "r.json").write_text("before")
    assert run([*PODS.split(), "-o", "json=r.json", "-o", "sarif=none/x", *WILLING]) == 2
    assert (here / "r.json").read_text() == "before"


def test_collecting_what_is_broken_is_incomplete(here, capsys):
    (here / "m.yaml").write_text("a: [")
    assert run(["collect", "manifests", "pod.yaml", "m.yaml", "--snapshot", "s"]) == 4
    assert "m.yaml:1: not YAML" in capsys.readouterr().err


# ---- unknown after apply: an unknown of its own kind, with its own switch


@pytest.mark.parametrize(
    ("switch", "code", "words"),
    [
        ((), 0, "passed"),
        (("--allow-unknown", "all"), 0, "passed"),
        (("--allow-unknown", "known_after_apply"), 0, "passed"),
        (("--allow-unknown", "none"), 4, "4 known_after_apply"),
        (("--allow-unknown", "-known_after_apply"), 4, "4 known_after_apply"),
        (("--allow-unknown", "not_offered,sensitive"), 4, "4 known_after_apply"),
    ],
)
def test_known_after_apply_has_its_own_switch(here, capsys, switch, code, words):
    argv = [*PLAN.split(), "--rule", "encryption.*", "--fail-on", "none", *switch]
    assert run([*argv, "-o", "json=r.json", "-o", "terminal"]) == code
    assert words in " ".join(capsys.readouterr().out.split())
    late = [v for v in json.loads((here / "r.json").read_text())["verdicts"] if v["status"] == "unknown"]
    assert {gap["reason"] for v in late for gap in v["gaps"]} == {"known_after_apply"}


def test_default_and_its_changes():
    assert {reason.value for reason in ALLOWED} == {"known_after_apply", "not_offered", "region_off", "service_off", "sensitive"}
    assert parse_allowed(None) == ALLOWED
    assert parse_allowed("-known_after_apply") == ALLOWED - {Reason.KNOWN_AFTER_APPLY}
    assert parse_allowed("+denied, -sensitive") == (ALLOWED | {Reason.DENIED}) - {Reason.SENSITIVE}
    assert parse_allowed("denied,timeout") == {Reason.DENIED, Reason.TIMEOUT}
    assert parse_allowed("none") == parse_allowed("") == frozenset()
    assert parse_allowed("all") == frozenset(Reason)
    for text in ("denied,-sensitive", "+all", "-none", "known", "-"):
        with pytest.raises(BartizanError):
            parse_allowed(text)


def test_default_is_documented(root, capsys):
    run(["scan", "plan", "--help"])
    for text in (capsys.readouterr().out, (root / "README.md").read_text(encoding="utf-8")):
        assert all(reason.value in " ".join(text.split()) for reason in ALLOWED)
