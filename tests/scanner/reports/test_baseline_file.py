"""The baseline file: it reads back, its changes are small, and what was edited is refused."""

from __future__ import annotations

import dataclasses
import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scanner import shape
from scanner.baseline import Baseline, compare, of_report
from scanner.model import BartizanError, Entry, Report, Severity, State, Status, fingerprint
from scanner.reports import baseline_file
from tests.scanner.reports import golden as made
from tests.scanner.test_baseline import LIVE, RULE, report, states, verdict

WORDS = st.text(st.characters(exclude_categories=()), max_size=8)


def written(baseline: Baseline) -> str:
    out = io.StringIO()
    baseline_file.render(baseline, "bartizan 0", out)
    return out.getvalue()


def read(text: str) -> Baseline:
    return baseline_file.parse(json.loads(text), text, "it")


def kept(found: Report) -> Baseline:
    return read(written(of_report(found, "")))


ENTRY = st.builds(
    lambda rule, resource, severity, tag, rest: Entry(
        fingerprint(rule, resource, tag), rule, resource, severity, rest[0], rest[1], rest[2], rest[3], rest[4], tag, rest[5], rest[6]
    ),
    WORDS, WORDS, st.sampled_from(Severity), WORDS, st.tuples(*[WORDS] * 7),
)  # fmt: skip
SETS = st.lists(ENTRY, max_size=3).map(tuple)


@given(
    st.builds(Baseline, WORDS, st.just("file"), WORDS, WORDS, st.just(""), st.frozensets(WORDS), st.frozensets(WORDS), SETS, SETS)
)
def test_what_is_written_reads_back_equal(baseline: Baseline) -> None:
    text = written(baseline)
    text.encode()
    assert baseline_file.same(read(text), baseline)
    Draft202012Validator(baseline_file.schema()).validate(json.loads(text))
    assert written(dataclasses.replace(read(text), digest=baseline.digest)) == text


def test_entries_that_differ_in_one_thing_have_one_order() -> None:
    a, b = (Entry(fingerprint("r", "x"), "r", "x", severity) for severity in (Severity.LOW, Severity.HIGH))
    one, two = (Baseline("", "file", "", "", "", frozenset(), frozenset(), each) for each in ((a, b), (b, a)))
    assert written(one) == written(two)
    assert baseline_file.same(one, two)


def test_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(baseline_file.schema())
    shape.compiled(baseline_file.schema())


def test_a_line_an_entry_and_no_line_moves() -> None:
    one, two = report(verdict("a"), verdict("c")), report(verdict("c"), verdict("b"), verdict("a"))
    before, after = (written(of_report(each, "")).splitlines() for each in (one, two))
    more = set(after) - set(before)
    assert [json.loads(line.rstrip(","))["resource"] for line in more] == ["b"]
    assert [line for line in after if line in before] == before


def test_what_matters_of_the_golden_report_is_in_it() -> None:
    found = kept(made.report())
    assert len(found.findings) == made.report().count(Status.FAIL)
    assert len(found.unknowns) == made.report().count(Status.UNKNOWN)
    assert [e.waived for e in found.findings if e.waived] == ["2026-12-31"]
    assert "\x1b" not in written(of_report(made.report(), ""))


def test_a_file_compares_as_the_report_it_was_made_of() -> None:
    was = report(verdict("a"), verdict("b", Status.UNKNOWN), verdict("c", tag="t"))
    now = report(verdict("a"), verdict("b", Status.UNKNOWN), verdict("c", tag="u"), verdict("d", Status.UNKNOWN))
    one, two = compare(now, of_report(was, "")), compare(now, kept(was))
    assert one.verdicts == two.verdicts
    assert one.baseline
    assert two.baseline
    assert one.baseline.past == two.baseline.past


def test_stale_entries_are_said() -> None:
    found = compare(report(verdict("a")), kept(report(verdict("a"), verdict("b"))))
    assert found.baseline
    assert found.baseline.notes == ("1 entry of the baseline is stale, since fixed: write it again with `bartizan baseline write`",)


def merged(now: Report, old: Baseline, *, whole: bool = True) -> Baseline:
    return baseline_file.merged(compare(now, old), old, whole=whole)


def test_checkov_6858_old_entries_are_not_lost() -> None:
    # --baseline with --create-baseline loses the old entries: https://github.com/bridgecrewio/checkov/issues/6858
    old = kept(report(verdict("a"), verdict("b", rule="encryption.y"), verdict("plan/a.x")))
    found = merged(report(verdict("c"), rules=[RULE], sources=report().sources[:1]), old, whole=False)
    assert {(e.resource, e.rule, bool(e.fixed)) for e in found.findings} == {
        ("a", RULE, True),
        ("b", "encryption.y", False),
        ("c", RULE, False),
        ("plan/a.x", RULE, False),
    }
    assert found.rules == {RULE, "encryption.y"}
    assert found.sources == {LIVE, "plan:net"}


def later(day: str, *verdicts: Any) -> Report:
    return report(*verdicts, sources=tuple(dataclasses.replace(s, collected_at=f"{day}T00:00:00Z") for s in report().sources))


def test_first_seen_stays_and_fixed_is_remembered_for_a_while() -> None:
    old = kept(report(verdict("a"), verdict("b")))
    second = merged(later("2027-01-01", verdict("a"), verdict("c")), old)
    days = {e.resource: (e.first_seen, e.fixed) for e in second.findings}
    assert days == {"a": ("2026-11-29", ""), "b": ("2026-11-29", "2027-01-01"), "c": ("2027-01-01", "")}
    assert states(compare(later("2027-02-01", verdict("b")), second)) == {f"{RULE} b": "reopened"}
    third = merged(later("2027-06-01", verdict("a"), verdict("c")), second)
    assert {e.resource: e.fixed for e in third.findings}["b"] == "2027-01-01"
    last = merged(later("2027-07-30", verdict("a"), verdict("c")), third)
    assert {e.resource for e in last.findings} == {"a", "c"}


def test_reopened_is_one_entry_again() -> None:
    second = merged(later("2027-01-01"), kept(report(verdict("b"))))
    third = merged(later("2027-02-01", verdict("b")), second)
    assert [(e.resource, e.fixed) for e in third.findings] == [("b", "")]


def test_what_cannot_be_seen_stays() -> None:
    old = kept(report(verdict("a")))
    found = merged(report(verdict("a", Status.UNKNOWN)), old)
    assert [(e.resource, e.fixed) for e in found.findings] == [("a", "")]


def test_unknowns_of_what_was_not_judged_stay_known() -> None:
    old = kept(
        report(verdict("a", Status.UNKNOWN, rule="encryption.y"), verdict("plan/a.x", Status.UNKNOWN), verdict("b", Status.UNKNOWN))
    )
    found = merged(report(verdict("b"), rules=[RULE], sources=report().sources[:1]), old, whole=False)
    assert {e.resource for e in found.unknowns} == {"a", "plan/a.x"}


def test_rules_that_are_no_more_go_with_a_whole_scan() -> None:
    old = kept(report(verdict("a", rule="encryption.y")))
    now = report(verdict("k"), rules=[RULE])
    assert {e.resource for e in merged(now, old).findings} == {"k"}
    assert {e.resource for e in merged(now, old, whole=False).findings} == {"a", "k"}


def test_the_same_again_is_the_same() -> None:
    old = kept(report(verdict("a"), verdict("b", Status.UNKNOWN)))
    assert baseline_file.same(merged(later("2027-01-01", verdict("b", Status.UNKNOWN), verdict("a")), old), old)


def broken(**changes: Any) -> str:
    return json.dumps({**json.loads(written(of_report(report(verdict("a")), ""))), **changes})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (broken(version=2), "it: is a baseline of version 2; this bartizan reads 1"),
        (broken(entries=[{}]), "it: is not a valid baseline: /entries/0"),
        (broken(entries={}), "it: is not a valid baseline: /entries"),
        (broken(extra=1), "it: is not a valid baseline"),
        (written(of_report(report(verdict("a")), "")).replace('"resource":"a"', '"resource":"b"'), "it: was edited: the fingerprint of /entries/0"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(BartizanError) as error:
        read(text)
    assert str(error.value).startswith(said)
    assert error.value.code == 2


def test_why_a_report_is_no_whole_look() -> None:
    old = kept(report(verdict("plan/a.x")))
    assert baseline_file.lacking(report(verdict("a")), [RULE], old) == []
    now = report(verdict("a", Status.UNKNOWN), rules=[RULE], sources=report().sources[:1], problems=("x: broken",))
    assert baseline_file.lacking(now, [RULE, "encryption.y"], old) == [
        "1 of 2 rules were not evaluated (encryption.y)",
        "it did not look at plan:net, of which the old file has entries",
        "1 verdict is unknown for want of a right, of time, or by a fault of ours",
        "an input could not be read: x: broken",
    ]


def test_states_of_a_file_are_those_of_past_findings() -> None:
    found = compare(report(), kept(report(verdict("a"))))
    assert found.baseline
    assert [p.state for p in found.baseline.past] == [State.FIXED]
