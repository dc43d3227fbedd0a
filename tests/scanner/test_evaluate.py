"""Evaluation: in this process and in many, with either engine, with rules that break, and always the same verdicts."""

from __future__ import annotations

import datetime
import json
import os
import pickle
from dataclasses import replace

import pytest

from scanner import evaluate as evaluation
from scanner.assess import Terms, assess
from scanner.config import Config
from scanner.evaluate import Plan, evaluate
from scanner.gate import gate
from scanner.model import BartizanError, Coverage, Extent, Gap, Reason, Severity, Status, Waiver
from scanner.rules.library import load, policies
from scanner.rules.metadata import read_rule
from scanner.verdicts import Verdicts, order
from tests.scanner.builders import DENIED, FAIL, NOW, SCOPE, key, rule_text, write_snapshot

AT = datetime.datetime(2026, 6, 1, tzinfo=datetime.UTC)


def own_rule(tmp_path, name="own", **more):
    return read_rule(tmp_path / "mine" / f"{name}.rego", rule_text(name, **more))


def plan_for(path, *rules, **more):
    return Plan(snapshot=path, rules=rules, modules={}, params={}, **more)


def estate(tmp_path, number=40):
    keys = [
        key(
            f"k{n:05}",
            rotation_enabled=n % 3 != 0,
            gaps={"rotation_enabled": DENIED} if n % 7 == 0 else {},
            manager="provider" if n % 5 == 0 else "customer",
        )
        for n in range(number)
    ]
    return write_snapshot(tmp_path / "s", keys)


def told(evaluated):
    return [(v.subject, v.status.value, v.message, v.fingerprint) for v in evaluated.verdicts]


def test_every_resource_gets_a_verdict(tmp_path):
    found = evaluate(plan_for(estate(tmp_path), own_rule(tmp_path)))
    assert len(found.verdicts) == found.resources == 40
    tally = found.verdicts.tally()
    assert tally == {s: sum(v.status is s for v in found.verdicts) for s in tally}
    assert set(tally) == set(Status)


def test_chunks_and_processes_change_nothing(tmp_path, monkeypatch):
    plan = plan_for(estate(tmp_path, 300), own_rule(tmp_path))
    whole = told(evaluate(plan))
    monkeypatch.setattr(evaluation, "CHUNK", 17)
    assert told(evaluate(plan)) == whole
    assert told(evaluate(replace(plan, isolated=True, workers=2))) == whole


@pytest.mark.parametrize("name", ["multiprocessing", "signal", "types"])
def test_workers_take_no_module_from_the_working_folder(tmp_path, monkeypatch, name):
    """`python -c`, by which they are started, looks there first: a repository could run code in the job that scans it."""
    plan = plan_for(estate(tmp_path), own_rule(tmp_path))
    whole = told(evaluate(plan))
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / f"{name}.py").write_text("open('planted', 'w').close()\nraise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path / "repository")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert told(evaluate(replace(plan, isolated=True, workers=2))) == whole
    assert not (tmp_path / "repository" / "planted").exists()
    assert "PYTHONSAFEPATH" not in os.environ


def test_opa_says_the_same(tmp_path, opa_binary, monkeypatch):
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")
    plan = plan_for(estate(tmp_path), own_rule(tmp_path))
    assert told(evaluate(replace(plan, engine="opa"))) == told(evaluate(plan))


BROKEN = f'{SCOPE}\nfail contains {{"id": k.id, "fact": "x", "message": "m"}} if {{ some k in input.resources.key; 1 / 0 == 1 }}'


@pytest.mark.parametrize("engine", ["regorus", "opa"])
def test_rule_that_raises_is_unknown_and_the_others_go_on(tmp_path, engine, opa_binary, monkeypatch):
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")
    good, bad = own_rule(tmp_path), own_rule(tmp_path, "bad", body=BROKEN)
    found = evaluate(plan_for(estate(tmp_path), good, bad, engine=engine))
    of_bad = [v for v in found.verdicts if v.rule == bad.id]
    assert len(of_bad) == 40
    assert {(v.status, v.gaps[0].reason) for v in of_bad} == {(Status.UNKNOWN, Reason.BUG)}
    assert "divide by zero" in of_bad[0].gaps[0].detail
    assert {v.status for v in found.verdicts if v.rule == good.id} == set(Status)


ENDLESS = f'{SCOPE}\n{FAIL}\nfail contains {{"id": "k", "fact": "x", "message": "m"}} if {{ count([1 | some a in numbers.range(1, 30000); some b in numbers.range(1, 30000); a + b == 1]) > 0 }}'


def test_rule_that_runs_away_is_stopped_by_name(tmp_path):
    good, bad = own_rule(tmp_path), own_rule(tmp_path, "endless", body=ENDLESS)
    found = evaluate(plan_for(estate(tmp_path), good, bad, isolated=True, workers=1, rule_seconds=1.0))
    of_bad = [v for v in found.verdicts if v.rule == bad.id]
    assert len(of_bad) == 40
    assert {v.status for v in of_bad} == {Status.UNKNOWN}
    assert "took longer than 1 s" in of_bad[0].gaps[0].detail
    assert {v.status for v in found.verdicts if v.rule == good.id} == set(Status)


@pytest.mark.parametrize("body", ["scope contains x if {", f"{SCOPE}\n{FAIL}\na if b\nb if a"])
def test_rule_that_does_not_parse_or_recurses(tmp_path, body):
    body = body if "fail contains" in body else f"{body}\nfail contains 1 if false"
    rule = own_rule(tmp_path, body=body)
    try:
        found = evaluate(plan_for(estate(tmp_path), rule))
    except BartizanError as error:
        assert "own.rego" in str(error)  # noqa: PT017 - either outcome is honest
        assert "parse" in str(error)  # noqa: PT017
    else:
        assert Status.PASS in found.verdicts.tally()


@pytest.mark.parametrize("engine", ["regorus", "opa"])
@pytest.mark.parametrize("name", ["fail", "safe", "exempt", "scope"])
def test_rule_that_names_nobody_is_a_bug(tmp_path, name, engine, opa_binary, monkeypatch):
    """A failure under the resource's name in place of its id would be nobody's, and the resource would pass."""
    monkeypatch.setenv("PATH", str(opa_binary.parent), prepend=":")
    more = '{"id": "elsewhere", "fact": "x", "message": "m", "reason": "r"}' if name in ("fail", "exempt") else '"elsewhere"'
    rule = own_rule(tmp_path, body=f"{SCOPE}\n{FAIL}\n{name} contains {more} if true")
    found = list(evaluate(plan_for(estate(tmp_path), rule, engine=engine)).verdicts)
    assert {(v.status, v.gaps[0].reason) for v in found} == {(Status.UNKNOWN, Reason.BUG)}
    assert "elsewhere" in found[0].message


HOSTILE = {"digits": 10**500, "depth": json.loads("[" * 200 + "]" * 200)}


@pytest.mark.parametrize("what", HOSTILE)
@pytest.mark.parametrize("isolated", [False, True])
def test_resource_that_the_engine_cannot_read_blinds_no_other(tmp_path, what, isolated):
    keys = [key(f"k{n}", rotation_enabled=n != 3) for n in range(9)]
    keys[5] = keys[5].replace(tags={"x": HOSTILE[what]})
    found = evaluate(plan_for(write_snapshot(tmp_path / "s", keys), own_rule(tmp_path), isolated=isolated, workers=1))
    by = {v.subject: v for v in found.verdicts}
    assert {s: v.status for s, v in by.items()} == {
        f"k{n}": Status.UNKNOWN if n == 5 else Status.FAIL if n == 3 else Status.PASS for n in range(9)
    }
    assert by["k5"].gaps[0].reason is Reason.BUG


@pytest.mark.parametrize("scope", ["", "elsewhere"])
def test_resources_of_a_scope_that_no_source_has_are_judged(tmp_path, scope, monkeypatch):
    monkeypatch.setattr(evaluation, "CHUNK", 2)
    keys = [key(n, scope=scope) for n in ("", "a", "b", "c")] + [key(f"m{n}") for n in range(3)]
    found = evaluate(plan_for(write_snapshot(tmp_path / "s", keys), own_rule(tmp_path)))
    assert sorted(v.subject for v in found.verdicts) == ["", "a", "b", "c", "m0", "m1", "m2"]


@pytest.mark.parametrize("element", ["1", '{"fact": "x"}', '{"id": 7}'])
def test_wrong_shapes_in_a_set_are_bugs_of_the_rule(tmp_path, element):
    rule = own_rule(tmp_path, body=f'{SCOPE}\nfail contains {element} if {{ some k in input.resources.key; k.id != "" }}')
    assert {v.gaps[0].reason for v in evaluate(plan_for(estate(tmp_path), rule)).verdicts} == {Reason.BUG}


def test_order_is_by_danger(tmp_path):
    loud, quiet = own_rule(tmp_path, "loud", severity="critical"), own_rule(tmp_path, "quiet", severity="low")
    verdicts = list(evaluate(plan_for(estate(tmp_path), quiet, loud)).verdicts)
    kinds = [(v.status, v.severity) for v in verdicts if v.status in (Status.FAIL, Status.UNKNOWN)]
    assert kinds == sorted(kinds, key=lambda k: (k[0] is Status.UNKNOWN, k[1].rank))
    assert [v.status for v in verdicts[len(kinds) :]].count(Status.FAIL) == 0
    assert [order(v) for v in verdicts[: len(kinds)]] == sorted(order(v) for v in verdicts[: len(kinds)])


def test_waivers_mark_in_every_process(tmp_path):
    waiver = Waiver("mine.*", "k000?6", "r", "o", "2099-01-01")
    for isolated in (False, True):
        found = evaluate(
            plan_for(estate(tmp_path) if not isolated else tmp_path / "s", own_rule(tmp_path), waivers=(waiver,), isolated=isolated)
        )
        marked = [v.subject for v in found.verdicts if v.waiver]
        assert marked == ["k00006", "k00036"]
        assert found.waived == {0: 2}


def test_severity_of_the_configuration(tmp_path):
    found = evaluate(plan_for(estate(tmp_path), own_rule(tmp_path), severities={"mine.own": Severity.LOW}))
    assert {v.severity for v in found.verdicts} == {Severity.LOW}


def test_same_snapshot_and_rules_give_the_same_report(tmp_path):
    path = estate(tmp_path)
    library = load()
    rules = [r for r in library.rules.values() if r.kind == "key"]
    one, two = (assess(path, library, rules, Config(), Terms(), now=AT) for _ in range(2))
    assert pickle.dumps(list(one.verdicts)) == pickle.dumps(list(two.verdicts))
    assert (one.snapshot_digest, one.policy_digest) == (two.snapshot_digest, two.policy_digest)
    assert one.replace(verdicts=()) == two.replace(verdicts=())


@pytest.mark.parametrize(
    ("resources", "rows", "terms", "code", "words"),
    [
        ([key()], None, {}, 0, "passed"),
        ([key(rotation_enabled=False)], None, {}, 1, "1 high"),
        ([key(rotation_enabled=False)], None, {"fail_on": Severity.CRITICAL}, 0, "passed"),
        ([key(rotation_enabled=False)], None, {"fail_on": None}, 0, "none"),
        ([], None, {}, 3, "nothing was judged"),
        ([key(rotation_enabled=None)], None, {}, 0, "passed"),
        ([key(rotation_enabled=None)], None, {"allowed": frozenset()}, 4, "1 not_offered"),
        ([key(rotation_enabled=None, gaps={"rotation_enabled": DENIED})], None, {}, 4, "1 denied"),
        ([key(rotation_enabled=None, gaps={"rotation_enabled": DENIED})], None, {"allowed": frozenset(Reason)}, 0, "passed"),
        (
            [],
            [Coverage("AWS::KMS::Key", "key", "1", "r", Extent.ABSENT, Gap(Reason.DENIED, "kms:ListKeys", "x"), 0, "aws:1")],
            {},
            4,
            "denied",
        ),
        ([key()], None, {"problems": ("a.yaml:1: broken",)}, 4, "1 input"),
        ([key()], None, {"waivers_unreadable": True}, 4, "waivers"),
    ],
)
def test_gate(tmp_path, resources, rows, terms, code, words):
    path = write_snapshot(tmp_path / "s", resources, rows)
    library = load()
    report = assess(path, library, [library.rules["encryption.cmk_rotation"]], Config(), Terms(**terms), now=AT)
    assert (report.exit_code, words in report.exit_reason) == (code, True), report.exit_reason


def test_unknown_that_does_not_say_why_is_a_bug_to_the_gate(tmp_path):
    path = write_snapshot(tmp_path / "s", [], [Coverage("AWS::KMS::Key", "key", "1", "r", Extent.PARTIAL, None, 0, "aws:1")])
    library = load()
    report = assess(path, library, [library.rules["encryption.cmk_rotation"]], Config(), Terms(), now=AT)
    assert report.exit_code == 4
    assert "1 bug" in report.exit_reason
    silent = [v.replace(gaps=()) for v in report.verdicts]
    assert gate(report.replace(verdicts=silent), Severity.HIGH, frozenset())[0] == 4


def test_ids_that_are_no_failure_of_a_type_the_rule_covers_are_not_judged(tmp_path):
    other = key("other").replace(native_type="gcp/Key")
    found = evaluate(plan_for(write_snapshot(tmp_path / "s", [other]), own_rule(tmp_path)))
    assert (found.resources, len(found.verdicts)) == (0, 0)


def test_many_verdicts_are_ordered_from_disk():
    verdicts = Verdicts()
    assert list(verdicts) == []
    assert len(verdicts) == 0


def test_now_is_the_time_of_the_look(tmp_path):
    body = f'{SCOPE}\nfail contains {{"id": k.id, "fact": "state", "message": input.now}} if {{ some k in input.resources.key; k.id in scope }}'
    found = evaluate(plan_for(write_snapshot(tmp_path / "s", [key()]), own_rule(tmp_path, body=body)))
    assert [v.message for v in found.verdicts] == [NOW]
    assert policies().is_dir()
