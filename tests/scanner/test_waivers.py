"""What waivers match, and which of them are over-broad."""

from __future__ import annotations

import datetime

import pytest

from scanner.model import Cover, Detail, Inline, Severity, Status, Verdict, Waiver, WaiverState, Where
from scanner.waivers import Limits, Waivers, distinct, ignored, measured, read_inline, read_waiver, settled
from tests.scanner.builders import a_rule

TODAY = datetime.date(2026, 6, 1)
RULES = [f"encryption.r{n}" for n in range(12)] + ["exposure.a", "exposure.b"]
LIMITS = Limits(TODAY, RULES)
ENTRY = {"rule": "encryption.r1", "resource": "x", "reason": "r", "owner": "o", "expires": "2026-06-01"}


def comment(first, last, rule="encryption.r1", file="main.tf", index=1):
    return Waiver(rule, f"{file}:{first}-{last}", "r", "o", "2026-06-01", "", Where(file, index, block=(first, last)), inline=True)


def failing(*places, own=None, rule="encryption.r1", subject="plan/aws_kms_key.k"):
    details = tuple(Detail("f", "m", where=place) for place in places)
    where = next((p for p in places if p), None) or own or Where()
    return Verdict(rule, Status.FAIL, Severity.HIGH, subject, "k", "key", "T", "aws", "1", "r", "m", details, where=where)


def at(line, file="main.tf", via=()):
    return Where(file, line, 1, via=via)


@pytest.mark.parametrize(
    ("places", "own", "waived"),
    [
        ((), at(10), True),
        ((at(12),), at(10), True),
        ((at(99),), at(10), True),  # NOTE: a part that is written as a resource of its own completes this one
        ((at(99),), at(98), False),
        ((at(12),), at(5), True),
        ((at(12), at(20)), at(5), True),
        ((at(12), at(21)), at(5), False),
        ((at(12), None), at(5), False),
        ((at(12, "other.tf"),), at(5), False),
        ((), at(10, "other.tf"), False),
        ((), at(3, "modules/m/main.tf", via=(at(15),)), True),
        ((), at(3, "modules/m/main.tf", via=(at(25),)), False),
        ((), Where("", 12), False),
    ],
)
def test_lines_of_a_comment(places, own, waived):
    live = Waivers([comment(10, 20)])
    assert live.apply(failing(*places, own=own), own).open is not waived
    assert live.matches.total() == waived


def test_two_comments_for_two_facts_of_one_finding():
    live = Waivers([comment(10, 12), comment(20, 22), comment(30, 32)])
    marked = live.apply(failing(at(21), at(11)), at(1))
    assert not marked.open
    assert marked.waiver.resource == "main.tf:20-22"
    assert dict(live.matches) == {0: 1, 1: 1}
    assert live.apply(failing(at(21), at(40)), at(1)).open


def test_a_comment_of_another_rule():
    assert Waivers([comment(1, 99, "encryption.r2")]).apply(failing(at(5)), at(5)).open


@pytest.mark.parametrize(
    ("subject", "waived"),
    [("k8s/c/Pod/d/x", True), ("k8s/c/Pod/d/x#head", True), ("k8s/c/Pod/d/xy", False), ("k8s/c/Pod/d/x/y", False)],
)
def test_annotation_is_for_its_object_and_the_pods_in_it(subject, waived):
    found = Inline("encryption.r1 until=2026-06-01 reason=r owner=o", Where(locator="l"), "k8s:c", "k8s/c/Pod/d/x")
    live = Waivers(read_inline(found, LIMITS))
    assert live.apply(failing(subject=subject), Where(locator="l")).open is not waived


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rule": "*"}, "is over-broad: it would waive every rule"),
        ({"rule": "?*.*"}, "is over-broad: it would waive every rule"),
        ({"rule": "encryption.*"}, "is over-broad: it would waive 12 of 14 rules"),
        ({"rule": "exposure.*"}, ""),
        ({"resource": "**"}, "is over-broad: it would waive every resource"),
        ({"expires": "2026-11-28"}, ""),
        ({"expires": "2026-11-29"}, "the last day that it may have is 2026-11-28 (180 days)"),
    ],
)
def test_too_much_is_refused(change, problem):
    found = read_waiver(ENTRY | change, Where("w.yaml", 3), LIMITS)
    assert found.state is (WaiverState.MALFORMED if problem else WaiverState.UNUSED)
    assert problem in found.problem


def test_a_duplicate_accepts_nothing_and_says_of_what():
    first, again, other = (
        read_waiver(ENTRY | change, Where("w.yaml", line), LIMITS)
        for line, change in ((3, {}), (9, {"reason": "x"}), (12, {"resource": "y"}))
    )
    expired = read_waiver(ENTRY | {"expires": "2026-05-31"}, Where("w.yaml", 1), LIMITS)
    found = distinct([expired, first, again, other, comment(1, 9), comment(1, 9, index=2), comment(2, 9)])
    assert [(w.state.value, w.problem) for w in found] == [
        ("expired", ""),
        ("unused", ""),
        ("malformed", "is a duplicate of the one at w.yaml:3"),
        ("unused", ""),
        ("unused", ""),
        ("malformed", "is a duplicate of the one at main.tf:1"),
        ("unused", ""),
    ]


def test_longest_life_is_a_setting():
    assert read_waiver(ENTRY | {"expires": "2026-06-08"}, Where(), Limits(TODAY, RULES, 7)).state is WaiverState.UNUSED
    assert read_waiver(ENTRY | {"expires": "2026-06-09"}, Where(), Limits(TODAY, RULES, 7)).state is WaiverState.MALFORMED


def resources(count, native="AWS::KMS::Key", kind="key", start="prod"):
    return [(kind, native, f"{start}-{n}", "") for n in range(count)]


@pytest.mark.parametrize(
    ("pattern", "rows", "problem"),
    [
        ("prod-*", resources(10), "matches 10 of the 10 resources that its rules speak about"),
        ("prod-*", resources(9), ""),
        ("prod-*", resources(10) + resources(10, start="lab"), ""),
        ("prod-*", resources(10) + resources(9, start="lab"), "matches 10 of the 19 resources that its rules speak about"),
        ("prod-*", resources(10, "AWS::S3::Bucket", "data_store"), ""),
        ("prod-*", resources(10) + resources(50, "AWS::S3::Bucket", "data_store", "lab"), "matches 10 of the 10 resources that its rules speak about"),
        ("prod-1", resources(10), ""),
    ],
)  # fmt: skip
def test_over_broad_by_what_there_is(pattern, rows, problem):
    rule = a_rule(id="encryption.r1", covers={"AWS::KMS::Key": Cover()})
    for state in (WaiverState.USED, WaiverState.UNUSED):
        waiver = Waiver("encryption.*", pattern, "r", "o", "2026-06-01", state=state)
        (found,) = measured([waiver], [rule], rows)
        assert (found.state, found.problem) == (state, problem)
    expired = Waiver("encryption.*", pattern, "r", "o", "2026-06-01", state=WaiverState.EXPIRED)
    assert measured([expired, comment(1, 2)], [rule], rows) == (expired, comment(1, 2))


def test_ignored_ones_accept_nothing():
    (found,) = ignored([comment(1, 99)], "not from here")
    live = Waivers([found])
    assert live.apply(failing(at(5)), at(5)).open
    assert settled(live.all, live.matches) == (found,)
    assert (found.state, found.problem) == (WaiverState.IGNORED, "not from here")
