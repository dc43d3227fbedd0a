"""Waivers through the command: in comments of plans' sources and of manifests, in files, and who may not waive."""

from __future__ import annotations

import datetime
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from scanner.cli import run
from scanner.model import Inline, Where
from scanner.snapshot import Snapshot

ESTATE = "fixtures/estates/ai_factory"
UNTIL = (datetime.datetime.now(datetime.UTC).date() + datetime.timedelta(days=30)).isoformat()
RULE = "encryption.template_volumes"
BLOCK = 'resource "aws_launch_template" "bad" {'
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: {name}{note}
spec:
  containers:
  - name: a
    image: i
    securityContext: {{privileged: true}}
"""


@pytest.fixture
def here(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(root / ESTATE / "terraform", tmp_path / "tf")
    shutil.copy(root / ESTATE / "plan.json", tmp_path / "plan.json")
    return tmp_path


def said(capsys, *argv):
    code = run([*argv, "-o", "json=r.json", "-o", "terminal"])
    captured = capsys.readouterr()
    return code, " ".join(captured.out.split()), captured.err


def report(here):
    return json.loads((here / "r.json").read_text())


def states(here):
    return [(w["rule"], w["resource"], w["state"], w["where"]["line"]) for w in report(here)["waivers"]]


def put(here, text, old=BLOCK, new="{text}\n{old}"):
    """Write a comment into the configuration; the 1-based line at which `old` stood."""
    path = here / "tf" / "main.tf"
    source = path.read_text()
    assert source.count(old) == 1
    path.write_text(source.replace(old, new.format(text=text, old=old)))
    return source[: source.index(old)].count("\n") + 1


PLAN = ("scan", "plan", "plan.json", "--source", "tf", "--rule", RULE)


@pytest.mark.parametrize(
    ("comment", "new"),
    [
        (f'# bartizan:waive {RULE} until={UNTIL} reason="to be replaced" owner=ml', "{text}\n{old}"),
        (f'// bartizan:waive {RULE} until={UNTIL} reason="to be replaced" owner=ml', "{old} {text}"),
        (f'/* bartizan:waive {RULE} until={UNTIL} reason="to be replaced" owner=ml */', "{old}\n  {text}"),
    ],
)
def test_comment_in_a_plans_source(here, capsys, comment, new):
    assert said(capsys, *PLAN)[0] == 1
    line = put(here, comment, new=new)
    code, out, _ = said(capsys, *PLAN)
    assert code == 0
    assert "waived: to be replaced (ml, until " in out
    ((rule, resource, state, at),) = states(here)
    assert (rule, state) == (RULE, "used")
    assert resource.startswith("tf/main.tf:")
    assert at in (line, line + 1)
    waived = [v for v in report(here)["verdicts"] if v["waiver"]]
    assert [v["resource"]["id"] for v in waived] == ["plan/aws_launch_template.bad"]


def test_comment_at_another_block_is_unused(here, capsys):
    put(here, f"# bartizan:waive {RULE} until={UNTIL} reason=r owner=o", old='resource "aws_vpc" "ai" {')
    code, out, _ = said(capsys, *PLAN)
    assert code == 1
    assert "is unused, no finding stands there and nowhere else" in out


def test_expired_and_malformed_comments_waive_nothing_and_are_told(here, capsys):
    put(here, f"# bartizan:waive {RULE} until=2026-01-01 reason=r owner=o\n# bartizan:waive {RULE} until={UNTIL} owner=o")
    code, out, _ = said(capsys, *PLAN)
    assert code == 1
    assert "is expired on 2026-01-01, accepts nothing any more [tf/main.tf:" in out
    assert "is malformed, accepts nothing: lacks 'reason' [tf/main.tf:" in out


def test_comments_of_manifests(here, capsys):
    waive = f"bartizan:waive workload.privileged until={UNTIL} reason=r owner=o"
    note = f"\n  annotations:\n    bartizan.io/waive.workload.privileged: until={UNTIL} reason=a owner=o"
    parts = [
        f"# {waive}\n" + POD.format(name="above", note=""),
        POD.format(name="noted", note=note),
        POD.format(name="open", note=""),
        POD.format(name="inner", note="").replace("- name: a", f"- name: a # {waive}"),
    ]
    (here / "pods.yaml").write_text("---\n".join(parts))
    code, _, _ = said(capsys, "scan", "manifests", "pods.yaml", "--rule", "workload.privileged")
    assert code == 1
    waived = {v["resource"]["name"]: bool(v["waiver"]) for v in report(here)["verdicts"]}
    assert waived == {"above": True, "noted": True, "open": False, "inner": True}
    assert {state for _, _, state, _ in states(here)} == {"used"}


def test_an_annotation_is_for_its_own_object_on_a_line_of_many(here, capsys):
    """`kubectl get -o json | jq -c` writes all objects on one line."""
    notes = {"bartizan.io/waive.workload.privileged": f"until={UNTIL} reason=r owner=o"}
    spec = {"containers": [{"name": "c", "image": "i", "securityContext": {"privileged": True}}]}
    items = [
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "annotations": more}, "spec": spec}
        for name, more in (("waived", notes), ("open", {}))
    ]
    (here / "pods.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert said(capsys, "scan", "manifests", "pods.json", "--rule", "workload.privileged")[0] == 1
    assert {v["resource"]["name"]: bool(v["waiver"]) for v in report(here)["verdicts"]} == {"waived": True, "open": False}


def test_an_annotation_is_for_its_own_file_where_an_object_stands_in_two(here, capsys):
    note = f"\n  annotations:\n    bartizan.io/waive.workload.privileged: until={UNTIL} reason=a owner=o"
    (here / "k8s").mkdir()
    (here / "k8s" / "a.yaml").write_text(POD.format(name="x", note=""))
    (here / "k8s" / "b.yaml").write_text(POD.format(name="x", note=note))
    assert said(capsys, "scan", "manifests", "k8s", "--rule", "workload.privileged")[0] == 1
    assert {Path(v["where"]["file"]).name: bool(v["waiver"]) for v in report(here)["verdicts"]} == {"a.yaml": False, "b.yaml": True}


def test_a_pull_request_cannot_exempt_itself(here, capsys):
    """Neither by a comment nor by its own `bartizan.yaml`: with `--waivers-from` the base branch's file says what is accepted."""
    put(here, f"# bartizan:waive {RULE} until={UNTIL} reason=r owner=o")
    entry = f'  - {{rule: {RULE}, resource: "plan/aws_launch_template.bad", reason: own, owner: o, expires: {UNTIL}}}\n'
    (here / "bartizan.yaml").write_text(f"waivers:\n{entry}")
    assert said(capsys, *PLAN)[0] == 0
    (here / "base.yaml").write_text("waivers: []\n")
    code, out, _ = said(capsys, *PLAN, "--waivers-from", "base.yaml")
    assert code == 1
    assert [state for _, _, state, _ in states(here)] == ["ignored", "ignored"]
    assert "is ignored, accepts nothing: only those of --waivers-from count" in out
    (here / "base.yaml").write_text(f"waivers:\n{entry}")
    assert said(capsys, *PLAN, "--waivers-from", "base.yaml")[0] == 0
    assert [(state, at) for _, _, state, at in states(here)] == [("ignored", 2), ("used", 2), ("ignored", 212)]


@pytest.mark.parametrize("how", ["flag", "setting"])
def test_inline_waivers_can_be_ruled_out(here, capsys, how):
    put(here, f"# bartizan:waive {RULE} until={UNTIL} reason=r owner=o")
    (here / "bartizan.yaml").write_text("waiver_policy: {inline: false}\n" if how == "setting" else "")
    code, out, _ = said(capsys, *PLAN, *(["--no-inline-waivers"] if how == "flag" else []))
    assert code == 1
    assert "ignored, accepts nothing: only those of files count" in out


def test_longest_life_is_a_setting(here, capsys):
    put(here, f"# bartizan:waive {RULE} until={UNTIL} reason=r owner=o")
    (here / "bartizan.yaml").write_text("waiver_policy: {max_days: 7}\n")
    code, out, _ = said(capsys, *PLAN)
    assert code == 1
    assert "(7 days)" in out


def test_what_no_rule_of_the_run_could_use_is_not_called_unused(here, capsys):
    (here / "bartizan.yaml").write_text(
        f"waivers:\n  - {{rule: workload.privileged, resource: x, reason: r, owner: o, expires: {UNTIL}}}\n"
    )
    _, out, _ = said(capsys, *PLAN)
    assert "waiver:" not in out
    assert [state for _, _, state, _ in states(here)] == ["unused"]


def test_report_of_a_report_says_the_same_of_waivers(here, capsys):
    put(here, f"# bartizan:waive {RULE} until={UNTIL} reason=r owner=o\n# bartizan:waive * until={UNTIL} reason=r owner=o")
    code, out, _ = said(capsys, *PLAN)
    again = run(["report", "r.json", "-o", "json=again.json", "-o", "terminal"])
    assert (again, " ".join(capsys.readouterr().out.split())) == (code, out)
    assert (here / "again.json").read_text() == (here / "r.json").read_text()


def test_snapshot_keeps_them_and_they_are_judged_anew(here, capsys):
    put(here, f'# bartizan:waive {RULE} until={UNTIL} reason="see ghp_{"a" * 36}" owner=o')
    said(capsys, *PLAN, "--snapshot", "s")
    assert b"ghp_aaaa" not in (here / "s").read_bytes()
    code, out, _ = said(capsys, "evaluate", "s", "--rule", RULE)
    assert code == 0
    assert "waived: see «redacted» (o, until" in out
    assert said(capsys, "evaluate", "s", "--rule", RULE, "--no-inline-waivers")[0] == 1
    assert run(["snapshot", "verify", "s"]) == 0
    assert run(["snapshot", "export", "s", "--to", "s.jsonl"]) == 0
    rows = [json.loads(line) for line in (here / "s.jsonl").read_text().splitlines()]
    assert [row["waiver"]["where"][0] for row in rows if "waiver" in row] == ["tf/main.tf"]


def test_snapshot_of_an_older_release_is_read(here, capsys):
    said(capsys, *PLAN, "--snapshot", "s")
    with sqlite3.connect(here / "s") as db:
        db.execute("DROP TABLE waiver")
    assert run(["snapshot", "verify", "s"]) == 0
    assert said(capsys, "evaluate", "s", "--rule", RULE)[0] == 1
    with Snapshot.create(here / "s", resume=True) as snapshot:
        snapshot.waivers([Inline("a.b", Where("x", 1, block=(1, 2)), "plan:x")])
        assert snapshot.inline() == (Inline("a.b", Where("x", 1, block=(1, 2)), "plan:x"),)
        snapshot.forget("plan:x")
        assert snapshot.inline() == ()
