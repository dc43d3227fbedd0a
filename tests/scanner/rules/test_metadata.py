"""METADATA is read strictly: whatever is wrong is named with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import BartizanError, Severity
from scanner.rules.metadata import read_rule
from tests.scanner.builders import rule_text

FILE = Path("mine/own.rego")


def test_reads_a_rule():
    rule = read_rule(FILE, rule_text())
    assert (rule.id, rule.severity, rule.kind, rule.scope_on, rule.fail_on) == (
        "mine.own",
        Severity.HIGH,
        "key",
        ("manager",),
        ("rotation_enabled",),
    )
    assert rule.sets == {"scope", "fail"}


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("severity: high", "severty: high", 5, "unknown key 'severty'"),
        ("severity: high", "severity: urgent", 5, "none of critical"),
        ("#   kind: key\n", "", 4, "lacks 'kind'"),
        ("title: Keys rotate", "title: [a]", 2, "'title' is not a text"),
        ("scope_on: [manager]", "scope_on: manager", 7, "not a list"),
        ("fail_on: [rotation_enabled]", "fail_on: [1]", 8, "quote numbers"),
        ("AWS::KMS::Key: {}", "AWS::KMS::Key: {catalogue: []}", 10, "unknown key 'catalogue'"),
        ("AWS::KMS::Key: {}", "AWS::KMS::Key: {fix: {bash: x}}", 10, "unknown key 'bash'"),
        ("title: Keys rotate", "title: : :", 2, "not YAML"),
        ("package policies.mine.own", "package policies.mine.other", 11, "should be policies.mine.own"),
        ("package policies.mine.own", "", 1, "no package"),
        ("# METADATA", "# NOTHING", 1, "no METADATA"),
        ("fail contains", "deny contains", 1, "no `fail contains"),
    ],
)
def test_names_file_and_line(old, new, line, words):
    text = rule_text()
    assert old in text
    with pytest.raises(BartizanError, match=words) as caught:
        read_rule(FILE, text.replace(old, new))
    assert str(caught.value).startswith(f"mine/own.rego:{line}:")


@given(st.text(max_size=400), st.integers(0, 400))
def test_any_text_is_a_rule_or_a_named_error(noise, at):
    text = rule_text()
    text = text[: at % len(text)] + noise + text[at % len(text) :]
    try:
        read_rule(FILE, text)
    except BartizanError as error:
        assert str(error).startswith("mine/own.rego:")  # noqa: PT017 - either outcome is honest
