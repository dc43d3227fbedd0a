"""What a plan moves to another address is the same thing there: for a baseline, for waivers, for who compares two reports."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scanner.baseline import LET_GO, MENDED, Baseline, compare, of_report
from scanner.matching import LISTING
from scanner.model import BartizanError, Entry, Report, Severity, Source, State, Status, Verdict, Waiver, WaiverState, fingerprint
from scanner.moved import ADDRESS, Moved, followed, left, needed, tracked
from scanner.reports import baseline_file, json_report
from scanner.snapshot import Snapshot
from scanner.waivers import Waivers, settled
from tests.scanner.builders import a_rule

PLAN = "plan:net"
RULE = "encryption.x"
KEY = "aws_kms_key.k"


def verdict(address: str, status: Status = Status.FAIL, tag: str = "", **more: object) -> Verdict:
    subject = f"plan/{address}"
    values: dict[str, object] = {
        "rule": RULE, "status": status, "severity": Severity.HIGH, "subject": subject, "name": "", "kind": "key",
        "native_type": "AWS::KMS::Key", "provider": "aws", "scope": "net", "region": "", "message": "off",
        "fingerprint": fingerprint(RULE, subject, tag), "source": PLAN, "tag": tag,
    }  # fmt: skip
    return Verdict(**{**values, **more})  # type: ignore[arg-type]


def report(*verdicts: Verdict, moved: Mapping[str, str] | None = None, waivers: tuple[Waiver, ...] = ()) -> Report:
    return Report(
        "0", "2026-11-30T08:00:00Z", "d", "p", "e", (Source(PLAN, "plan", "aws", "net"),), (a_rule(id=RULE),), verdicts, (),
        waivers, moved=ids(moved or {}),
    )  # fmt: skip


def ids(moved: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return {PLAN: {f"plan/{old}": new and f"plan/{new}" for old, new in moved.items()}} if moved else {}


def against(now: Report, was: Report) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """(address and tag → state and note, the same of past findings)."""
    found = compare(now, of_report(was, "b"))
    assert found.baseline
    here = {
        f"{v.subject.removeprefix('plan/')} {v.tag}".strip(): (v.change.state.value, v.change.note)
        for v in found.verdicts
        if v.change is not None
    }
    return here, {p.entry.resource.removeprefix("plan/"): (p.state.value, p.note) for p in found.baseline.past}


SHAPES = {
    "rename": {"aws_kms_key.a": "aws_kms_key.b"},
    "into a module": {"aws_kms_key.a": "module.m.aws_kms_key.a"},
    "out of a module": {"module.m[0].aws_kms_key.a": "aws_kms_key.a"},
    "into another instance": {'module.m["eu"].aws_kms_key.a': 'module.m["us"].aws_kms_key.a'},
    "count to for_each": {"aws_kms_key.a[0]": 'aws_kms_key.a["x"]', "aws_kms_key.a[1]": 'aws_kms_key.a["y"]'},
    "for_each to count": {'aws_kms_key.a["x"]': "aws_kms_key.a[1]", 'aws_kms_key.a["y"]': "aws_kms_key.a[0]"},
    "count that comes": {"aws_kms_key.a": "aws_kms_key.a[0]"},
    "count that goes": {"aws_kms_key.a[0]": "aws_kms_key.a"},
    "a whole module": {f"module.a.aws_kms_key.{k}": f"module.b.module.c[2].aws_kms_key.{k}" for k in "xyz"},
    "a swap": {"aws_kms_key.a": "aws_kms_key.b", "aws_kms_key.b": "aws_kms_key.a"},
    "a row": {"aws_kms_key.a": "aws_kms_key.b", "aws_kms_key.b": "aws_kms_key.c", "aws_kms_key.c": "aws_kms_key.d"},
    "another type": {"aws_alb.a": "aws_lb.a"},
    "odd keys": {'aws_kms_key.a["x.y[0] \\"q\\" plan/aws_kms_key.z"]': 'module.m["größe / 模型"].aws_kms_key.a["${z}"]'},
}


@pytest.mark.parametrize("moved", SHAPES.values(), ids=SHAPES)
def test_a_finding_is_the_same_at_its_new_address(moved: Mapping[str, str]) -> None:
    was = report(*map(verdict, moved))
    here, past = against(report(*map(verdict, moved.values()), moved=moved), was)
    assert here == {new: ("unchanged", f"was at plan/{old}") for old, new in moved.items()}
    assert past == {}


@pytest.mark.parametrize("moved", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("suffix", ["/root_block_device", '/ebs_block_device["/dev/sdb"]', "/ebs_block_device[2]"])
def test_a_block_within_goes_along(moved: Mapping[str, str], suffix: str) -> None:
    was = report(*(verdict(old + suffix) for old in moved))
    here, past = against(report(*(verdict(new + suffix) for new in moved.values()), moved=moved), was)
    assert set(here) == {new + suffix for new in moved.values()}
    assert {state for state, _ in here.values()} == {"unchanged"}
    assert past == {}


def test_pulumi_61_the_new_address_alone_is_not_enough() -> None:
    """https://github.com/pulumi/pulumi-terraform-module/issues/61: changes matched by their new address naively."""
    moved = {"aws_kms_key.a": "aws_kms_key.b"}
    here, past = against(report(verdict("aws_kms_key.b"), verdict("aws_kms_key.a"), moved=moved), report(verdict("aws_kms_key.a")))
    assert here == {"aws_kms_key.b": ("unchanged", "was at plan/aws_kms_key.a"), "aws_kms_key.a": ("new", "")}
    assert past == {}


def test_checkov_7647_what_takes_an_address_over_is_not_what_was_known_there() -> None:
    """https://github.com/bridgecrewio/checkov/issues/7647: another resource of the same address is absorbed by the baseline.

    Here the known one is mended at its new address, and what is new at the old one is bad.
    """
    moved = {"aws_kms_key.a": "aws_kms_key.b"}
    now = report(verdict("aws_kms_key.b", Status.PASS), verdict("aws_kms_key.a"), moved=moved)
    here, past = against(now, report(verdict("aws_kms_key.a")))
    assert here == {"aws_kms_key.a": ("new", "")}
    assert past == {"aws_kms_key.b": ("fixed", f"{MENDED}; was at plan/aws_kms_key.a")}


def test_what_count_adds_beside_what_moved_is_new() -> None:
    moved = {"aws_kms_key.a": "aws_kms_key.a[0]"}
    now = report(verdict("aws_kms_key.a[0]", Status.PASS), verdict("aws_kms_key.a[1]"), moved=moved)
    here, past = against(now, report(verdict("aws_kms_key.a")))
    assert here == {"aws_kms_key.a[1]": ("new", "")}
    assert past == {"aws_kms_key.a[0]": ("fixed", f"{MENDED}; was at plan/aws_kms_key.a")}


def test_numbers_of_a_block_that_is_renamed_still_shift() -> None:
    # the file of a baseline is older than the removal of the first of three
    moved = {"aws_kms_key.a[0]": "aws_kms_key.b[0]", "aws_kms_key.a[1]": "aws_kms_key.b[1]"}
    here, _ = against(report(verdict("aws_kms_key.b[0]"), moved=moved), report(verdict("aws_kms_key.a[1]")))
    assert here == {"aws_kms_key.b[0]": ("unchanged", "was at plan/aws_kms_key.a[1]")}


def test_one_mended_and_one_broken_are_told_apart_where_terraform_says_which_is_which() -> None:
    moved = {"aws_kms_key.a[0]": 'aws_kms_key.a["x"]', "aws_kms_key.a[1]": 'aws_kms_key.a["y"]'}
    now = report(verdict('aws_kms_key.a["x"]', Status.PASS), verdict('aws_kms_key.a["y"]'), moved=moved)
    here, past = against(now, report(verdict("aws_kms_key.a[0]"), verdict("aws_kms_key.a[1]", Status.PASS)))
    assert here == {'aws_kms_key.a["y"]': ("new", "")}
    assert {address: state for address, (state, _) in past.items()} == {'aws_kms_key.a["x"]': "fixed"}


def test_worse_reopened_and_unknown_follow_too() -> None:
    moved = {f"aws_kms_key.{k}": f"module.m.aws_kms_key.{k}" for k in "abcde"}
    waived = Waiver(RULE, "*", "lab", "ml", "2026-12-31")
    was = report(
        verdict("aws_kms_key.a", severity=Severity.LOW),
        verdict("aws_kms_key.b", waiver=waived),
        verdict("aws_kms_key.c"),
        verdict("aws_kms_key.d", Status.UNKNOWN),
        verdict("aws_kms_key.e", Status.UNKNOWN),
    )
    now = [verdict(f"module.m.aws_kms_key.{k}", Status.UNKNOWN if k in "cd" else Status.FAIL) for k in "abcde"]
    here, past = against(report(*now, moved=moved), was)
    at = "was at plan/aws_kms_key"
    assert here == {
        "module.m.aws_kms_key.a": ("worse", f"was low; {at}.a"),
        "module.m.aws_kms_key.b": ("reopened", f"was waived until 2026-12-31; {at}.b"),
        "module.m.aws_kms_key.c": ("unseen", f"was a finding, and cannot be seen now; {at}.c"),
        "module.m.aws_kms_key.d": ("unchanged", f"{at}.d"),
        "module.m.aws_kms_key.e": ("new", "was unknown in the baseline"),
    }
    assert past == {"module.m.aws_kms_key.c": ("unseen", f"the verdict is unknown now; {at}.c")}


def test_what_is_fixed_is_reopened_at_its_new_address() -> None:
    fixed = Entry(
        fingerprint(RULE, "plan/aws_kms_key.a"), RULE, "plan/aws_kms_key.a", Severity.HIGH, source=PLAN, fixed="2026-10-01"
    )
    baseline = Baseline("b", "file", "", "", "", frozenset({PLAN}), frozenset({RULE}), (fixed,))
    found = compare(report(verdict("aws_kms_key.b"), moved={"aws_kms_key.a": "aws_kms_key.b"}), baseline)
    assert found.verdicts[0].change
    assert found.verdicts[0].change.state is State.REOPENED
    assert found.verdicts[0].change.note == "was fixed on 2026-10-01; was at plan/aws_kms_key.a"


def test_tags_hold_addresses_too() -> None:
    moved = {"aws_route_table.r": "module.net.aws_route_table.r", "aws_nat_gateway.n[0]": 'aws_nat_gateway.n["a"]'}
    tag = "tcp plan/{} {}, plan/{} x"
    old = tag.format("aws_route_table.r", "aws_nat_gateway.n[0]", "aws_eip.stays")
    new = tag.format("module.net.aws_route_table.r", 'aws_nat_gateway.n["a"]', "aws_eip.stays")
    here, past = against(report(verdict("aws_lb.l", tag=new), moved=moved), report(verdict("aws_lb.l", tag=old)))
    assert (here, past) == ({f"aws_lb.l {new}": ("unchanged", "")}, {})


@pytest.mark.parametrize(
    "tag",
    [
        "aws_kms_key.ab",
        "other.aws_kms_key.a",
        'x["aws_kms_key.a"]',
        "aws_kms_key.a-b",
        "module.m.aws_kms_key.a",
        'aws_kms_key.a["k"]',
    ],
)
def test_an_address_is_read_whole(tag: str) -> None:
    now = report(verdict("aws_lb.l", tag=tag), moved={"aws_kms_key.a": "aws_kms_key.z"})
    assert against(now, report(verdict("aws_lb.l", tag=tag)))[0] == {f"aws_lb.l {tag}": ("unchanged", "")}


def test_moves_of_another_plan_are_none_of_this() -> None:
    now = report(verdict("aws_kms_key.a")).replace(moved={"plan:other": {"plan/aws_kms_key.a": "plan/aws_kms_key.b"}})
    assert against(now, report(verdict("aws_kms_key.a")))[0] == {"aws_kms_key.a": ("unchanged", "")}


def test_the_unknown_of_a_listing_stays() -> None:
    entry = Entry("f", RULE, "plan/aws_kms_key.a", Severity.HIGH, source=PLAN, tag=LISTING)
    assert Moved(ids({"aws_kms_key.a": "aws_kms_key.b"}), {}).entry(entry) is entry


def test_what_terraform_lets_go_of_is_not_mended() -> None:
    # a removed block with destroy = false: the thing stays as it is, and no plan shows it any more
    was = report(verdict("aws_kms_key.a"), verdict("aws_instance.a/root_block_device"), verdict("aws_kms_key.gone"))
    here, past = against(report(moved={"aws_kms_key.a": "", "aws_instance.a": ""}), was)
    assert here == {}
    assert past == {
        "aws_kms_key.a": ("unseen", LET_GO),
        "aws_instance.a/root_block_device": ("unseen", LET_GO),
        "aws_kms_key.gone": ("fixed", MENDED),
    }


def test_a_baseline_by_new_addresses_holds_until_apply_and_after_it() -> None:
    moved = {"aws_kms_key.a": "aws_kms_key.b"}
    was = report(verdict("aws_kms_key.b"), verdict("aws_kms_key.a"), moved=moved)  # another one takes the old address
    pending, _ = against(report(verdict("aws_kms_key.b"), verdict("aws_kms_key.a"), moved=moved), was)
    assert pending == {"aws_kms_key.b": ("unchanged", ""), "aws_kms_key.a": ("unchanged", "")}
    applied, _ = against(report(verdict("aws_kms_key.b"), verdict("aws_kms_key.a")), was)
    assert applied == pending
    elsewhere = report(verdict("aws_kms_key.c"), verdict("aws_kms_key.a"), moved={"aws_kms_key.a": "aws_kms_key.c"})
    assert against(elsewhere, was)[0] == {
        "aws_kms_key.c": ("unchanged", "was at plan/aws_kms_key.b"),
        "aws_kms_key.a": ("unchanged", ""),
    }
    onwards = report(verdict("aws_kms_key.c"), verdict("aws_kms_key.a"), moved={"aws_kms_key.b": "aws_kms_key.c"})
    assert against(onwards, was)[0] == {
        "aws_kms_key.c": ("unchanged", "was at plan/aws_kms_key.b"),
        "aws_kms_key.a": ("unchanged", ""),
    }


def test_one_move_of_a_baseline_that_is_taken_back() -> None:
    was = report(
        verdict("aws_kms_key.b"),
        verdict("aws_kms_key.d"),
        moved={"aws_kms_key.a": "aws_kms_key.b", "aws_kms_key.c": "aws_kms_key.d"},
    )
    now = report(verdict("aws_kms_key.b"), verdict("aws_kms_key.c"), moved={"aws_kms_key.a": "aws_kms_key.b"})
    assert against(now, was) == (
        {"aws_kms_key.b": ("unchanged", ""), "aws_kms_key.c": ("unchanged", "was at plan/aws_kms_key.d")},
        {},
    )


def test_later_baselines_have_the_new_addresses() -> None:
    moved = {"aws_kms_key.a": "aws_kms_key.b", "aws_kms_key.c": "aws_kms_key.d"}
    first = report(verdict("aws_kms_key.a"), verdict("aws_kms_key.c"))
    second = compare(report(verdict("aws_kms_key.b"), verdict("aws_kms_key.d", Status.UNKNOWN), moved=moved), of_report(first, "b"))
    assert {e.resource for e in of_report(second, "b").findings} == {"plan/aws_kms_key.b", "plan/aws_kms_key.d"}
    third, _ = against(report(verdict("aws_kms_key.b"), verdict("aws_kms_key.d")), second)
    assert third == {"aws_kms_key.b": ("unchanged", ""), "aws_kms_key.d": ("unchanged", "")}


def test_notes_tell_of_moves_and_of_files_that_will_not_hold() -> None:
    was, now = report(verdict("aws_kms_key.a")), report(verdict("aws_kms_key.b"), moved={"aws_kms_key.a": "aws_kms_key.b"})
    for kind, more in (("report", ""), ("file", "; write it again with this change, since no plan tells a move that is applied")):
        found = compare(now, of_report(was, "b", kind)).baseline
        assert found
        assert found.notes == (f"1 entry of the baseline has another address now, since the plan moves what it is about{more}",)


# ---- any permutation

ADDRESSES = [
    "aws_kms_key.a", "aws_kms_key.b", "aws_kms_key.c[0]", "aws_kms_key.c[1]", "aws_kms_key.c[2]", 'aws_kms_key.d["x"]', 'aws_kms_key.d["y"]',
    "module.m.aws_kms_key.a", "module.n[0].aws_kms_key.a", "module.n[1].aws_kms_key.a", 'module.o["k"].aws_kms_key.a[0]',
]  # fmt: skip
FREE = [f"module.new.{address}" for address in ADDRESSES] + [f'aws_kms_key.new["{n}"]' for n in range(4)]
SUFFIXES = ["", "/root_block_device", '/ebs_block_device["/dev/sdb"]']


@st.composite
def estates(draw: st.DrawFn) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
    """(findings as address, suffix and address in their tag; moves)."""
    olds = draw(st.lists(st.sampled_from(ADDRESSES), min_size=1, unique=True))
    free = [address for address in ADDRESSES if address not in olds]
    news = draw(st.permutations([*olds, *free, *FREE]))[: len(olds)]
    findings = draw(
        st.lists(st.tuples(st.sampled_from(olds), st.sampled_from(SUFFIXES), st.sampled_from([*olds, ""])), min_size=1, unique=True)
    )
    return findings, {old: new for old, new in zip(olds, news, strict=True) if old != new}


def of(findings: list[tuple[str, str, str]], moved: Mapping[str, str], *, tell: bool = True) -> Report:
    there = [(moved.get(a, a) + suffix, f"from plan/{moved.get(b, b)}" if b else "") for a, suffix, b in findings]
    return report(*(verdict(address, tag=tag) for address, tag in there), moved=moved if tell else None)


def known(found: tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]], count: int) -> bool:
    here, past = found
    return len(here) == count and {state for state, _ in here.values()} == {"unchanged"} and not past


@given(estates())
def test_no_permutation_of_moves_makes_anything_new_or_fixed(estate: tuple[list[tuple[str, str, str]], dict[str, str]]) -> None:
    findings, moved = estate
    now, was = of(findings, moved), of(findings, {})
    assert known(against(now, was), len(findings))
    assert known(against(now, now), len(findings))
    assert known(against(of(findings, moved, tell=False), now), len(findings))  # applied
    prints = tracked(now.moved)
    assert {prints(v) for v in now.verdicts} == {v.fingerprint for v in was.verdicts}


@given(estates(), st.permutations([f"aws_kms_key.later{n}" for n in range(len(ADDRESSES))]))
def test_moves_upon_moves(estate: tuple[list[tuple[str, str, str]], dict[str, str]], later: list[str]) -> None:
    findings, moved = estate
    was = of(findings, moved)
    assume(moved.keys() - set(moved.values()))  # what only changes places cannot be told from what changes them again
    everything = [moved.get(a, a) for a in dict.fromkeys(a for f in findings for a in (f[0], f[2]) if a)]
    again = dict(zip(everything, later, strict=False))
    applied = [(moved.get(a, a), suffix, moved.get(b, b)) for a, suffix, b in findings]
    assert known(against(of(applied, again), was), len(findings))
    elsewhere = {**moved, **dict(zip(moved, later, strict=False))}
    assert known(against(of(findings, elsewhere), was), len(findings))


@given(estates())
def test_the_needed_moves_are_all_that_a_baseline_needs(estate: tuple[list[tuple[str, str, str]], dict[str, str]]) -> None:
    findings, moved = estate
    was = of(findings, moved)
    entries = of_report(was, "b").findings
    few = Moved(ids(moved), needed(was.moved, entries))
    assert [few.entry(e) for e in entries] == [Moved(ids(moved), was.moved).entry(e) for e in entries]


@given(st.text(alphabet='plan/module.a_-[0]"\\ xé', max_size=60))
def test_any_text_is_read(text: str) -> None:
    for found in ADDRESS.finditer(text):
        assert re.fullmatch(r'(plan/)?[^\s"]+(\["(.|\n)*"\].*)?', found[0])
    entry = Entry("f", RULE, text, Severity.HIGH, source=PLAN, tag=text)
    assert Moved(ids({"no.such": "thing.here"}), {}).entry(entry) is entry


# ---- for who compares two reports


def test_ruff_7159_a_move_is_no_fixed_and_new_problem_for_gitlab() -> None:
    """https://github.com/astral-sh/ruff/pull/7203: whatever moves is told as fixed and as new."""
    known_as = tracked(ids({"aws_kms_key.a": "aws_kms_key.b"}))
    assert known_as(verdict("aws_kms_key.b")) == verdict("aws_kms_key.a").fingerprint
    assert known_as(verdict("aws_kms_key.c")) == verdict("aws_kms_key.c").fingerprint
    fresh = known_as(verdict("aws_kms_key.a"))
    assert fresh not in {verdict(f"aws_kms_key.{k}").fingerprint for k in "abc"}


# ---- waivers


def waiver(resource: str, **more: object) -> Waiver:
    return Waiver(RULE, resource, "r", "o", "2099-01-01", **more)  # type: ignore[arg-type]


def waived(waivers: list[Waiver], moved: Mapping[str, str], *addresses: str) -> tuple[set[str], tuple[Waiver, ...]]:
    """(addresses of findings that are waived, the waivers with what became of them)."""
    live = Waivers(followed(waivers, ids(moved)))
    marked = [live.apply(verdict(address)) for address in addresses]
    return {v.subject.removeprefix("plan/") for v in marked if not v.open}, left(settled(live.all, live.matches), ids(moved))


@pytest.mark.parametrize("resource", ["plan/aws_kms_key.a", "aws_kms_key.a"])
def test_a_waiver_of_one_thing_goes_with_it(resource: str) -> None:
    """And is not for what takes its place: a waiver never comes to cover something else."""
    names, (found,) = waived([waiver(resource)], {"aws_kms_key.a": "aws_kms_key.b"}, "aws_kms_key.a", "aws_kms_key.b")
    assert names == {"aws_kms_key.b"}
    assert (found.state, found.matches, found.moved, found.resource) == (WaiverState.USED, 1, "plan/aws_kms_key.b", resource)


def test_a_waiver_of_a_block_within_goes_along() -> None:
    moved = {"aws_instance.a": 'module.m["x"].aws_instance.a'}
    names, _ = waived([waiver("plan/aws_instance.a/root_block_device")], moved, 'module.m["x"].aws_instance.a/root_block_device')
    assert names == {'module.m["x"].aws_instance.a/root_block_device'}


def test_a_pattern_is_for_a_place() -> None:
    """What leaves the place leaves the waiver, which is told with the new address."""
    moved = {"module.lab.aws_kms_key.a": "module.prod.aws_kms_key.a"}
    names, (found,) = waived([waiver("plan/module.lab.*")], moved, "module.prod.aws_kms_key.a")
    assert names == set()
    assert (found.state, found.moved) == (WaiverState.UNUSED, "plan/module.prod.aws_kms_key.a")
    into = {new: old for old, new in moved.items()}
    names, (found,) = waived([waiver("plan/module.lab.*")], into, "module.lab.aws_kms_key.a")
    assert names == {"module.lab.aws_kms_key.a"}
    assert (found.state, found.moved) == (WaiverState.USED, "")


def test_a_waiver_by_the_new_address_counts_already() -> None:
    names, found = waived(
        [waiver("plan/aws_kms_key.b"), waiver("plan/aws_kms_key.a")], {"aws_kms_key.a": "aws_kms_key.b"}, "aws_kms_key.b"
    )
    assert names == {"aws_kms_key.b"}
    assert [(w.state, w.moved) for w in found] == [(WaiverState.USED, ""), (WaiverState.USED, "plan/aws_kms_key.b")]


def test_what_is_let_go_takes_no_waiver_along() -> None:
    names, (found,) = waived([waiver("plan/aws_kms_key.a")], {"aws_kms_key.a": ""}, "aws_kms_key.b")
    assert names == set()
    assert (found.state, found.moved) == (WaiverState.UNUSED, "")


def test_comments_stand_where_they_stand() -> None:
    (found,) = followed([waiver("plan/aws_kms_key.a", inline=True)], ids({"aws_kms_key.a": "aws_kms_key.b"}))
    assert found.moved == ""


# ---- kept


def test_reports_and_files_keep_moves(tmp_path: Path) -> None:
    moved = {**SHAPES["odd keys"], "aws_kms_key.gone": ""}
    (old, new), *_ = moved.items()
    first = report(verdict(new), moved=moved, waivers=(waiver(f"plan/{old}", moved=f"plan/{new}", state=WaiverState.USED),))
    with (tmp_path / "r.json").open("w", encoding="utf-8") as out:
        json_report.render(first, out)
    assert json_report.load(tmp_path / "r.json") == first
    baseline = of_report(first, "b", "file")
    text = io.StringIO()
    baseline_file.render(baseline, "bartizan 0", text)
    read = baseline_file.parse(json.loads(text.getvalue()), text.getvalue(), "b")
    assert (read.findings, read.moved) == (baseline.findings, ids(SHAPES["odd keys"]))


def test_reports_without_moves_say_nothing_of_them(tmp_path: Path) -> None:
    text = io.StringIO()
    json_report.render(report(verdict("aws_kms_key.a")), text)
    assert '"moved"' not in text.getvalue()


def test_a_file_keeps_the_moves_that_its_entries_need() -> None:
    moved = {f"module.a.aws_kms_key.k{n}": f"module.b.aws_kms_key.k{n}" for n in range(300)}
    assert of_report(report(verdict("module.b.aws_kms_key.k7"), moved=moved), "b").moved == ids(
        {"module.a.aws_kms_key.k7": "module.b.aws_kms_key.k7"}
    )


def test_snapshots_keep_moves_until_a_source_is_read_again(tmp_path: Path) -> None:
    moves = ids({"aws_kms_key.a": "aws_kms_key.b", "aws_kms_key.c": ""})
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.source(Source(PLAN, "plan", "aws", "net"))
        plain = snapshot.digest()
        snapshot.moved(PLAN, moves[PLAN])
        snapshot.moved("plan:other", {})
        assert snapshot.finish() != plain
    with Snapshot.open(tmp_path / "s") as snapshot:
        assert snapshot.moves() == moves
        assert snapshot.verify() == []
        out = io.StringIO()
        snapshot.export(out)
        assert json.loads(out.getvalue().splitlines()[2])["moved"] == {"source": PLAN, "ids": moves[PLAN]}
    with Snapshot.create(tmp_path / "s", resume=True) as snapshot:
        snapshot.forget(PLAN)
        assert snapshot.moves() == {}


def test_a_damaged_row_is_told(tmp_path: Path) -> None:
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.finish()
    with contextlib.closing(sqlite3.connect(tmp_path / "s", isolation_level=None)) as db:
        db.execute("INSERT INTO meta VALUES('moved:plan:net', '[1]')")
    with Snapshot.open(tmp_path / "s") as snapshot, pytest.raises(BartizanError, match="the snapshot is damaged"):
        snapshot.moves()
