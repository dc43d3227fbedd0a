"""What a report says of a baseline, state by state; and what the gate makes of it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.baseline import MENDED, Baseline, bare, compare, of_report
from scanner.gate import ALLOWED, gate
from scanner.model import (
    Coverage,
    Evidence,
    Extent,
    Gap,
    Reason,
    Report,
    Severity,
    Source,
    State,
    Status,
    Verdict,
    Waiver,
    fingerprint,
)
from scanner.verdicts import Verdicts, pack
from tests.scanner.builders import a_rule

RULE, OTHER = "encryption.x", "encryption.y"
LIVE, PLAN = "aws:1", "plan:net"
DENIED = Gap(Reason.DENIED, "kms:GetKeyRotationStatus", "Allow it.")
LATER = Gap(Reason.KNOWN_AFTER_APPLY, "a.b", "Scan later.")
WAIVER = Waiver(RULE, "*", "lab", "ml", "2026-12-31")


def verdict(subject: str = "k", status: Status = Status.FAIL, rule: str = RULE, tag: str = "", **more: object) -> Verdict:
    source = PLAN if subject.startswith("plan/") else LIVE
    values: dict[str, object] = {
        "rule": rule, "status": status, "severity": Severity.HIGH, "subject": subject, "name": subject, "kind": "key",
        "native_type": "AWS::KMS::Key", "provider": "aws", "scope": source.partition(":")[2], "region": "us-east-1", "message": "off",
        "fingerprint": fingerprint(rule, subject, tag), "source": source, "tag": tag,
        "gaps": (DENIED,) if status is Status.UNKNOWN else (),
    }  # fmt: skip
    return Verdict(**{**values, **more})  # type: ignore[arg-type]


def listed(source: str = LIVE, gap: Gap | None = None, region: str = "us-east-1") -> Coverage:
    extent = Extent.PARTIAL if gap else Extent.COMPLETE
    return Coverage("AWS::KMS::Key", "key", source.partition(":")[2], region, extent, gap, 1, source)


def report(*verdicts: Verdict, rules: Iterable[str] = (RULE, OTHER), **more: object) -> Report:
    values: dict[str, object] = {
        "tool_version": "0", "generated_at": "2026-11-30T08:00:00Z", "snapshot_digest": "d", "policy_digest": "p", "engine": "e",
        "sources": (Source(LIVE, "live", "aws", "1", "", "2026-11-29T08:00:00Z"), Source(PLAN, "plan", "aws", "net")),
        "rules": tuple(a_rule(id=rule) for rule in rules), "verdicts": verdicts, "coverage": (listed(), listed(PLAN, region="")),
    }  # fmt: skip
    return Report(**{**values, **more})  # type: ignore[arg-type]


def compared(now: Report, was: Report, *, new_only: bool = True) -> Report:
    return compare(now, of_report(was, "base.json"), new_only=new_only)


def states(found: Report) -> dict[str, str]:
    return {f"{v.rule} {v.subject} {v.tag}".rstrip(): v.change.state.value for v in found.verdicts if v.change}


def past(found: Report) -> dict[str, tuple[str, str]]:
    assert found.baseline
    return {each.entry.resource: (each.state.value, each.note) for each in found.baseline.past}


def counts(found: Report) -> dict[str, int]:
    assert found.baseline
    return {state.value: count for state, count in found.baseline.counts.items() if count}


def test_new_and_unchanged() -> None:
    found = compared(report(verdict("a"), verdict("b")), report(verdict("a")))
    assert states(found) == {f"{RULE} a": "unchanged", f"{RULE} b": "new"}
    assert [v.change.first_seen for v in found.verdicts if v.change] == ["2026-11-29", "2026-11-29"]
    assert counts(found) == {"new": 1, "unchanged": 1}
    assert past(found) == {}


def test_severity_that_rose_is_worse_and_one_that_fell_is_known() -> None:
    low = report(verdict("a", severity=Severity.LOW), verdict("b", severity=Severity.CRITICAL))
    found = compared(report(verdict("a"), verdict("b")), low)
    assert states(found) == {f"{RULE} a": "worse", f"{RULE} b": "unchanged"}
    assert found.verdicts[0].change
    assert found.verdicts[0].change.note == "was low"


def test_waived_before_and_open_now_is_reopened() -> None:
    found = compared(report(verdict("a"), verdict("b", waiver=WAIVER)), report(verdict("a", waiver=WAIVER), verdict("b")))
    assert states(found) == {f"{RULE} a": "reopened", f"{RULE} b": "unchanged"}
    assert counts(found) == {"reopened": 1}  # what is waived now does not count


def test_fixed_before_and_open_now_is_reopened() -> None:
    first = report(verdict("a"))
    second = compared(report(verdict("a", Status.PASS)), first)
    assert past(second) == {"a": ("fixed", MENDED)}
    third = compared(report(verdict("a")), second)
    assert states(third) == {f"{RULE} a": "reopened"}
    assert third.verdicts[0].change
    assert third.verdicts[0].change.note == "was fixed on 2026-11-29"


def test_passed_before_and_fails_now_is_new() -> None:
    assert states(compared(report(verdict("a")), report(verdict("a", Status.PASS)))) == {f"{RULE} a": "new"}


@pytest.mark.parametrize("status", [Status.PASS, Status.NOT_APPLICABLE])
def test_what_is_judged_and_does_not_fail_is_fixed(status: Status) -> None:
    found = compared(report(verdict("a", status)), report(verdict("a")))
    assert past(found) == {"a": ("fixed", MENDED)}


def test_fail_that_became_unknown_is_unseen_and_not_fixed() -> None:
    found = compared(report(verdict("a", Status.UNKNOWN)), report(verdict("a")))
    assert states(found) == {f"{RULE} a": "unseen"}
    assert past(found) == {"a": ("unseen", "the verdict is unknown now")}
    assert counts(found) == {"newly_unknown": 1, "unseen": 1}


@pytest.mark.parametrize("status", [Status.PASS, Status.NOT_APPLICABLE])
def test_pass_that_became_unknown_is_newly_unknown(status: Status) -> None:
    found = compared(report(verdict("a", Status.UNKNOWN)), report(verdict("a", status)))
    assert states(found) == {f"{RULE} a": "newly_unknown"}


def test_known_unknown_is_unchanged_and_a_fail_after_it_is_new() -> None:
    before = report(verdict("a", Status.UNKNOWN), verdict("b", Status.UNKNOWN))
    found = compared(report(verdict("a", Status.UNKNOWN), verdict("b")), before)
    assert states(found) == {f"{RULE} a": "unchanged", f"{RULE} b": "new"}
    assert [v.change.note for v in found.verdicts if v.change] == ["", "was unknown in the baseline"]


def test_unseen_is_remembered_through_the_next_comparison() -> None:
    second = compared(report(verdict("a", Status.UNKNOWN)), report(verdict("a"), sources=report().sources))
    assert states(compared(report(verdict("a")), second)) == {f"{RULE} a": "unchanged"}


def test_number_that_another_took_is_one_finding_and_no_memory() -> None:
    # a was removed and b took its number: the entry of a is past, under the fingerprint that b has now
    was = report(verdict("plan/a.x[0]", name="p"), verdict("plan/a.x[1]", name="q"))
    second = compared(report(verdict("plan/a.x[0]", name="q")), was)
    assert [(e.resource, e.name, e.fixed) for e in of_report(second, "").findings] == [("plan/a.x[0]", "q", "")]


def test_unseen_again_does_not_gate_again() -> None:
    second = compared(report(verdict("a", Status.UNKNOWN)), report(verdict("a")))
    assert states(compared(report(verdict("a", Status.UNKNOWN)), second)) == {f"{RULE} a": "unchanged"}


def test_gone_from_a_complete_listing_is_fixed() -> None:
    found = compared(report(), report(verdict("a"), verdict("plan/a.x")))
    assert past(found) == {"a": ("fixed", MENDED), "plan/a.x": ("fixed", MENDED)}


def test_gone_from_a_listing_that_is_not_complete_is_unseen() -> None:
    found = compared(report(coverage=(listed(gap=DENIED), listed(PLAN, LATER, ""))), report(verdict("a"), verdict("plan/a.x")))
    assert {name: state for name, (state, _) in past(found).items()} == {"a": "unseen", "plan/a.x": "unseen"}


def test_what_passes_is_fixed_whatever_its_listing_lacks() -> None:
    partial = {"coverage": (listed(gap=DENIED),)}
    assert past(compared(report(verdict("a", Status.PASS), **partial), report(verdict("a")))) == {"a": ("fixed", MENDED)}


def test_gone_from_a_plan_is_fixed_although_the_network_has_more() -> None:
    # of a network that exists already a plan lists its own part, and that completely
    part = Gap(Reason.NOT_OFFERED, "aws_subnet.a", "Scan the account.")
    assert past(compared(report(coverage=(listed(PLAN, part, ""),)), report(verdict("plan/a.x"))))["plan/a.x"][0] == "fixed"


def test_gone_with_a_file_that_could_not_be_read_is_unseen() -> None:
    found = compared(report(problems=("deploy.yaml: is not YAML",)), report(verdict("plan/a.x")))
    assert past(found) == {"plan/a.x": ("unseen", "an input could not be read")}


def test_what_nobody_looked_at_is_not_fixed() -> None:
    was = report(verdict("a"), verdict("b", rule=OTHER), verdict("plan/a.x"), verdict("c", region="eu-west-1"))
    found = compared(report(rules=[RULE], sources=report().sources[:1]), was)
    assert past(found) == {
        "a": ("fixed", MENDED),
        "b": ("unjudged", "its rule was not evaluated"),
        "c": ("unjudged", "AWS::KMS::Key was not listed there"),
        "plan/a.x": ("unjudged", "nobody looked at plan:net"),
    }


def test_global_listings_hold_for_all_regions() -> None:
    found = compared(report(coverage=(listed(region="global"),)), report(verdict("a", region="eu-west-1")))
    assert past(found)["a"][0] == "fixed"


def test_one_of_two_ways_to_fail_is_fixed_unless_a_fact_is_unknown() -> None:
    was = report(verdict("a", tag="off"), verdict("a", tag="age"))
    assert past(compared(report(verdict("a", tag="off")), was)) == {"a": ("fixed", "fails in another way")}
    blind = verdict("a", tag="off", evidence=(Evidence("last_rotated", None, None, DENIED),))
    assert past(compared(report(blind), was)) == {"a": ("unseen", "facts of it are unknown now")}


def test_findings_of_a_new_rule_are_new_and_say_so() -> None:
    found = compared(report(verdict("a"), verdict("a", rule=OTHER)), report(verdict("a"), rules=[RULE]))
    assert states(found) == {f"{RULE} a": "unchanged", f"{OTHER} a": "new"}
    assert found.baseline
    assert found.baseline.notes == (f"new findings are of rules that the baseline never evaluated: {OTHER}",)
    assert found.verdicts[1].change
    assert found.verdicts[1].change.note == "the rule is new: the baseline did not evaluate it"


def test_plan_and_account_are_not_compared_and_it_is_said() -> None:
    found = compared(report(verdict("plan/a.x")), report(verdict("a"), sources=report().sources[:1]))
    assert states(found) == {f"{RULE} plan/a.x": "new"}
    assert found.baseline
    assert "never looked at plan:net" in found.baseline.notes[0]
    assert "have different ids" in found.baseline.notes[0]


def test_listing_that_fails_for_fewer_types_is_known_for_more_newly_unknown() -> None:
    def failed(types: str) -> Report:
        one = verdict("1", Status.UNKNOWN, level="scope", native_type=types)
        return report(one.replace(fingerprint=fingerprint(RULE, "1", f"listing:{types}")))

    assert states(compared(failed("A"), failed("A, B"))) == {f"{RULE} 1": "unchanged"}
    assert states(compared(failed("A, B"), failed("A"))) == {f"{RULE} 1": "newly_unknown"}


def test_two_instances_of_a_module_and_a_shift() -> None:
    was = report(*(verdict(f'plan/module.m["{m}"].a.x[{n}]', name="") for m in "pq" for n in (0, 1)))
    now = report(*(verdict(f'plan/module.m["{m}"].a.x[{n}]', name="") for m in "pqr" for n in (1, 2)))
    found = compared(now, was)
    assert {name for name, state in states(found).items() if state == "new"} == {
        f'{RULE} plan/module.m["r"].a.x[1]',
        f'{RULE} plan/module.m["r"].a.x[2]',
    }
    assert counts(found) == {"new": 2, "unchanged": 4}


def test_first_day_travels() -> None:
    later = {"sources": (Source(LIVE, "live", "aws", "1", "", "2026-12-24T00:00:00Z"),)}
    second = compared(report(verdict("a"), **later), report(verdict("a")))
    third = compared(report(verdict("a"), **later), second)
    assert third.verdicts[0].change
    assert third.verdicts[0].change.first_seen == "2026-11-29"


def test_verdicts_on_disk_are_marked_as_those_in_memory() -> None:
    verdicts = [verdict("a"), verdict("b", severity=Severity.CRITICAL), verdict("c", Status.UNKNOWN)]
    disk = Verdicts()
    disk.add(0, pack(verdicts))
    was = report(verdict("a"))
    found, plain = compared(report(verdicts=disk), was), compared(report(*disk), was)
    assert tuple(found.verdicts) == tuple(plain.verdicts)
    assert list(found.notable()) == list(plain.notable())
    assert (found.opens(), found.count(Status.FAIL), len(found.verdicts)) == (disk.opens(), 2, 3)
    assert found.verdicts[0].change
    assert tuple(bare(found).verdicts) == tuple(disk)


SUBJECTS = st.sampled_from(["a", "b", "plan/a.x", "plan/a.x[0]", "plan/a.x[1]", 'plan/a.x["k"]'])
VERDICTS = st.lists(
    st.tuples(SUBJECTS, st.sampled_from(Status), st.sampled_from([RULE, OTHER]), st.sampled_from(Severity), st.booleans()),
    unique_by=lambda each: (each[0], each[2]),
).map(
    lambda found: [
        verdict(subject, status, rule, severity=severity, waiver=WAIVER if waived and status is Status.FAIL else None)
        for subject, status, rule, severity, waived in found
    ]
)


@given(VERDICTS, VERDICTS)
def test_nothing_new_hides_and_nothing_vanishes(now: list[Verdict], was: list[Verdict]) -> None:
    found = compared(report(*now), report(*was))
    assert found.baseline
    fails = [v for v in was if v.status is Status.FAIL]
    known = [v for v in found.verdicts if v.status is Status.FAIL and v.change and v.change.state is not State.NEW]
    assert len(known) + len(found.baseline.past) == len(fails)
    for each in found.verdicts:
        assert (each.change is None) == (each.status in (Status.PASS, Status.NOT_APPLICABLE))
        before = next((v for v in was if (v.rule, v.subject) == (each.rule, each.subject)), None)
        if each.open and "[" not in each.subject and not each.subject.endswith("a.x"):
            assert each.fresh == (
                before is None
                or before.status is not Status.FAIL
                or before.waiver is not None
                or before.severity.rank > each.severity.rank
            )
    unseen = {(v.rule, v.subject) for v in now if v.status is Status.UNKNOWN}
    assert not {(p.entry.rule, p.entry.resource) for p in found.baseline.of(State.FIXED)} & unseen


@given(VERDICTS)
def test_compared_with_itself_nothing_is_new(now: list[Verdict]) -> None:
    found = compared(report(*now), report(*reversed(now)))
    assert found.baseline
    assert {v.change.state for v in found.verdicts if v.change} <= {State.UNCHANGED}
    assert found.baseline.past == ()
    assert gate(found, Severity.INFO, ALLOWED)[0] == (0 if now else 3)


def asked(found: Report, fail_on: Severity | None = Severity.HIGH) -> tuple[int, str]:
    return gate(found, fail_on, ALLOWED)


def test_gate_counts_new_ones_alone_and_says_how_many_are_known() -> None:
    was = report(*(verdict(f"k{n}") for n in range(12)))
    now = report(
        *was.verdicts, verdict("x", severity=Severity.CRITICAL), verdict("y"), verdict("z"), verdict("l", severity=Severity.LOW)
    )
    assert asked(compared(now, was)) == (1, "failed: 3 new findings (1 critical, 2 high) at or above high, 12 known")
    assert asked(compared(was, was)) == (0, "passed: no new finding, 12 known at or above high")
    assert asked(compared(now, was, new_only=False)) == (1, "failed: 1 critical, 14 high at or above high (3 new, 12 known)")
    assert asked(now) == (1, "failed: 1 critical, 14 high at or above high")


def test_gate_takes_worse_and_reopened_for_new() -> None:
    was = report(verdict("a", severity=Severity.LOW), verdict("b", waiver=WAIVER))
    assert asked(compared(report(verdict("a"), verdict("b")), was))[0] == 1


def test_gate_stops_at_what_is_newly_unknown_alone() -> None:
    was = report(verdict("a", Status.UNKNOWN), verdict("f"))
    assert asked(compared(was, was))[0] == 0
    assert asked(was)[0] == 1
    assert asked(report(verdict("a", Status.UNKNOWN)))[0] == 4
    found = compared(report(*was.verdicts, verdict("b", Status.UNKNOWN)), was)
    assert asked(found) == (4, "incomplete: verdicts newly unknown (1 denied); cure them, or allow them with --allow-unknown")
    assert asked(compared(report(verdict("f", Status.UNKNOWN)), was))[0] == 4
    late = verdict("b", Status.UNKNOWN, gaps=(LATER,))
    assert asked(compared(report(*was.verdicts, late), was))[0] == 0


def test_gate_stays_closed_for_what_was_not_read_or_judged() -> None:
    was = report(verdict("a"))
    assert asked(compared(report(verdict("a"), problems=("x.yaml: is not YAML",)), was))[0] == 4
    assert asked(compared(report(), was))[0] == 3
    assert asked(compared(report(verdict("a"), rules=[]), was))[0] == 3
    assert gate(compared(was, was), Severity.HIGH, ALLOWED, waivers_unreadable=True)[0] == 4


def test_an_empty_baseline_makes_all_new() -> None:
    empty = Baseline("b", "file", "", "", "", frozenset({LIVE}), frozenset({RULE}), ())
    assert states(compare(report(verdict("a")), empty)) == {f"{RULE} a": "new"}
