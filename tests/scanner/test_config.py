"""bartizan.yaml: bounds, schema, lines; and waivers, which never hide."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.config import load_config, parse
from scanner.model import BartizanError, Severity, Status, Verdict, Waiver, WaiverState
from scanner.waivers import Limits, Waivers, settled
from tests.scanner.builders import a_rule

FILE = Path("bartizan.yaml")
TODAY = datetime.date(2026, 6, 1)
WAIVER = {"rule": "encryption.x", "resource": "arn:*:key/1", "reason": "r", "owner": "o", "expires": "2026-06-01"}


def text_of(waiver):
    return "waivers:\n  - {" + ", ".join(f'{k}: "{v}"' for k, v in waiver.items()) + "}\n"


def waivers(*entries):
    body = "".join(text_of(w).removeprefix("waivers:\n") for w in entries)
    return parse(FILE, "waivers:\n" + body).waivers(Limits(TODAY, ["encryption.x"]))


def failing(subject="arn:aws:kms:::key/1", rule="encryption.x"):
    return Verdict(rule, Status.FAIL, Severity.HIGH, subject, "n", "key", "T", "aws", "1", "r", "m")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: [", 1, "not YAML"),
        ("- a", 1, "not a mapping"),
        ("\nfail_on: sometimes", 2, "fail_on"),
        ("fail_on: high\nfailon: high", 1, "failon"),
        ("scopes:\n  - aws: {region: x}", 2, "region"),
        ("a: &x 1\nb: *x", 2, "aliases"),
        ("fail_on: none\nwaivers: []\nfail_on: high", 3, "'fail_on' stands twice"),
        ("waivers: [{rule: a, rule: b}]", 1, "'rule' stands twice"),
        ("waivers: {}", 1, "not a list"),
        ("tenants: {}", 1, "tenants"),
        ("tenants:\n  namespaces: [a]", 2, "tenants.namespaces"),
        ("tenants:\n  labels: [a]\n  namespace: {a: b}", 1, "namespace"),
        ("tenants:\n  namespaces:\n    a: 1", 3, "tenants.namespaces.a"),
    ],
)
def test_names_file_and_line(text, line, words):
    with pytest.raises(BartizanError, match=words) as caught:
        parse(FILE, text)
    assert str(caught.value).startswith(f"bartizan.yaml:{line}:")


def test_what_derivations_are_told():
    assert parse(FILE, "").settings() == {"zones": [], "tenants": {}}
    told = parse(FILE, "tenants: {labels: [team], namespaces: {'a-*': a, infra: ''}}\nzones: [{name: lab}]").settings()
    assert told == {"zones": [{"name": "lab"}], "tenants": {"labels": ["team"], "namespaces": {"a-*": "a", "infra": ""}}}


def test_alias_bomb_is_refused_at_once():
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
    with pytest.raises(BartizanError, match="aliases"):
        parse(FILE, bomb)


@given(st.text())
def test_any_text_is_a_configuration_or_a_named_error(text):
    try:
        parse(FILE, text)
    except BartizanError as error:
        assert str(error).startswith("bartizan.yaml:")  # noqa: PT017 - either outcome is honest


def test_missing_or_unreadable(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert load_config(None).data == {}
    with pytest.raises(BartizanError, match="cannot be read"):
        load_config(Path("other.yaml"))
    Path("bartizan.yaml").write_bytes(b"\xff")
    with pytest.raises(BartizanError, match="UTF-8"):
        load_config(None)


def test_params_and_severities():
    rule = a_rule(params={"max_days": 365, "names": ["a"]})
    config = parse(FILE, "params: {encryption.x: {max_days: 90}}\nseverities: {encryption.x: low}")
    assert config.params([rule], [rule.id]) == {rule.id: {"max_days": 90, "names": ["a"]}}
    assert config.severities([rule.id]) == {rule.id: Severity.LOW}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("params: {encryption.y: {}}", "no rule. Did you mean 'encryption.x'"),
        ("params: {encryption.x: {max_dys: 1}}", "no parameter 'max_dys'. Did you mean 'max_days'"),
        ("params: {encryption.x: {max_days: many}}", "like its default 365"),
        ("severities: {encryption.y: low}", "no rule"),
        ("severities: {1: low}", "no rule"),
        ("params: {encryption.x: {1: 1}}", "no parameter 1"),
        ("params: {encryption.x: {max_days: true}}", "like its default 365"),
        ("params: {encryption.x: {max_days: .nan}}", "like its default 365"),
        ("params: {encryption.x: {max_days: .inf}}", "like its default 365"),
        ("params: {encryption.x: {names: [1]}}", "like its default"),
        ("params: {encryption.x: {names: a}}", "like its default"),
        ("params: {encryption.x: {whole: 1}}", "like its default true"),
    ],
)
def test_wrong_names_in_params(text, words):
    rule = a_rule(params={"max_days": 365, "names": ["a"], "whole": True})
    config = parse(FILE, text)
    with pytest.raises(BartizanError, match=words):
        (config.params([rule], [rule.id]), config.severities([rule.id]))


def test_waiver_marks_and_counts_and_its_last_day_counts():
    live = Waivers(waivers(WAIVER))
    marked = live.apply(failing())
    assert marked.status is Status.FAIL
    assert not marked.open
    assert live.apply(failing("arn:aws:kms:::key/2")).open
    (after,) = settled(live.all, live.matches)
    assert (after.state, after.matches, after.where.line) == (WaiverState.USED, 1, 2)


@pytest.mark.parametrize(
    ("change", "state", "problem"),
    [
        ({"expires": "2026-05-31"}, WaiverState.EXPIRED, ""),
        ({"expires": "soon"}, WaiverState.MALFORMED, "no date"),
        ({"reason": ""}, WaiverState.MALFORMED, "lacks 'reason'"),
        ({"until": "2027-01-01"}, WaiverState.MALFORMED, "unknown key 'until'"),
        ({"rule": "encryption.y"}, WaiverState.MALFORMED, "matches none"),
        ({"resource": "*"}, WaiverState.MALFORMED, "every resource"),
    ],
)
def test_broken_waiver_hides_nothing(change, state, problem):
    live = Waivers(waivers({**WAIVER, **change}))
    assert live.all[0].state is state
    assert problem in live.all[0].problem
    assert live.apply(failing()).open


@pytest.mark.parametrize(
    ("subject", "name", "pattern", "waived"),
    [
        ("arn:aws:s3:::site", "site", "site", True),
        ("arn:aws:ec2:r:1:instance/i-9", "site", "site", False),  # a Name tag: whoever may tag gives it
        ("arn:aws:ec2:r:1:instance/i-9", "", "site", False),
        ('plan/aws_s3_bucket.b["x"]', "b", 'plan/aws_s3_bucket.b["x"]', True),
        ("plan/aws_s3_bucket.bx", "b", 'plan/aws_s3_bucket.b["x"]', False),
        ("plan/aws_s3_bucket.b[1]", "b", "plan/aws_s3_bucket.b[?]", True),
        ("arn:aws:s3:::site\nx", "x", "*:site", False),
        ("arn:aws:s3:::mysite", "mysite", "site", False),
    ],
)
def test_whom_a_waiver_is_for(subject, name, pattern, waived):
    waiver = Waiver("encryption.x", pattern, "r", "o", "2099-01-01")
    assert Waivers([waiver]).apply(failing(subject).replace(name=name)).open is not waived


def test_unused_waiver_is_reported():
    live = Waivers(waivers(WAIVER))
    assert settled(live.all, live.matches)[0].state is WaiverState.UNUSED


def test_only_failures_are_waived():
    unknown = failing().replace(status=Status.UNKNOWN)
    assert Waivers(waivers(WAIVER)).apply(unknown) is unknown
