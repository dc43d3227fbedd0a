"""Which finding is which, when the numbers of `count` shift and nothing else tells instances apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.matching import paired, unnumbered
from scanner.model import Entry, Severity, fingerprint

RULE = "encryption.x"


def entry(address: str, name: str = "", tag: str = "", source: str = "plan:net", rule: str = RULE) -> Entry:
    resource = f"plan/{address}"
    return Entry(fingerprint(rule, resource, tag), rule, resource, Severity.HIGH, source=source, name=name, tag=tag)


def told(now: list[Entry], was: list[Entry]) -> tuple[set[tuple[str, str]], set[str], set[str]]:
    pairs, new, gone = paired(now, was)
    short = str.removeprefix
    return (
        {(short(a.resource, "plan/"), short(b.resource, "plan/")) for a, b in pairs},
        {short(e.resource, "plan/") for e in new},
        {short(e.resource, "plan/") for e in gone},
    )


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        ("plan/aws_kms_key.a[3]", "plan/aws_kms_key.a"),
        ("plan/module.m[0].aws_kms_key.a[12]", "plan/module.m.aws_kms_key.a"),
        ('plan/module.m["eu"].aws_kms_key.a[0]', 'plan/module.m["eu"].aws_kms_key.a'),
        ('plan/aws_kms_key.a["x[0]"]', 'plan/aws_kms_key.a["x[0]"]'),
        ('plan/aws_kms_key.a["q\\"[0]"]', 'plan/aws_kms_key.a["q\\"[0]"]'),
        ("plan/aws_instance.a/ebs_block_device[1]", "plan/aws_instance.a/ebs_block_device"),
        ("k8s/c/Pod/ns/a[0]", "k8s/c/Pod/ns/a[0]"),
        ("arn:aws:s3:::a[0]", "arn:aws:s3:::a[0]"),
    ],
)
def test_numbers_go_and_keys_stay(resource: str, expected: str) -> None:
    assert unnumbered(resource) == expected


def test_two_instances_of_a_module_are_two_things() -> None:
    # a baseline by resource name and check alone masks the second one
    was = [entry("module.a.aws_s3_bucket.x")]
    assert told([*was, entry("module.b.aws_s3_bucket.x")], was)[1] == {"module.b.aws_s3_bucket.x"}
    keyed = [entry('module.a["eu"].aws_s3_bucket.x')]
    assert told([*keyed, entry('module.a["us"].aws_s3_bucket.x')], keyed)[1] == {'module.a["us"].aws_s3_bucket.x'}
    assert told([entry('module.a["us"].aws_s3_bucket.x')], keyed)[1:] == (
        {'module.a["us"].aws_s3_bucket.x'},
        {'module.a["eu"].aws_s3_bucket.x'},
    )


def test_a_shift_opens_and_closes_nothing() -> None:
    # an element was put before the others
    assert told([entry("a.x[1]"), entry("a.x[2]")], [entry("a.x[0]"), entry("a.x[1]")]) == (
        {("a.x[1]", "a.x[1]"), ("a.x[2]", "a.x[0]")},
        set(),
        set(),
    )


def test_one_more_is_one_more() -> None:
    was = [entry("a.x[0]")]
    pairs, new, gone = told([entry("a.x[0]"), entry("a.x[1]")], was)
    assert (pairs, new, gone) == ({("a.x[0]", "a.x[0]")}, {"a.x[1]"}, set())


def test_count_comes_and_goes() -> None:
    assert told([entry("a.x[0]")], [entry("a.x")]) == ({("a.x[0]", "a.x")}, set(), set())
    assert told([entry("a.x")], [entry("a.x[0]")]) == ({("a.x", "a.x[0]")}, set(), set())
    assert told([entry("a.x[0]", name="logs")], [entry("a.x")]) == ({("a.x[0]", "a.x")}, set(), set())


def test_a_name_says_who_moved_where() -> None:
    # the first of three was removed: what was b and c is now 0 and 1, and c is bad for the first time
    was = [entry("a.x[0]", "a"), entry("a.x[1]", "b")]
    now = [entry("a.x[0]", "b"), entry("a.x[1]", "c")]
    assert told(now, was) == ({("a.x[0]", "a.x[1]")}, {"a.x[1]"}, {"a.x[0]"})


def test_another_name_at_the_same_number_is_another_thing() -> None:
    assert told([entry("a.x[0]", "b")], [entry("a.x[0]", "a")]) == (set(), {"a.x[0]"}, {"a.x[0]"})


def test_one_name_for_all_goes_by_number() -> None:
    was = [entry("a.x[0]", "w"), entry("a.x[2]", "w")]
    assert told([entry("a.x[0]", "w"), entry("a.x[1]", "w"), entry("a.x[2]", "w")], was)[1] == {"a.x[1]"}


def test_tag_rule_and_source_tell_apart() -> None:
    was = [entry("a.x[0]", tag="t")]
    assert told([entry("a.x[1]", tag="u")], was)[1] == {"a.x[1]"}
    assert told([entry("a.x[1]", tag="t", source="plan:other")], was)[1] == {"a.x[1]"}
    assert told([entry("a.x[1]", tag="t", rule="encryption.y")], was)[1] == {"a.x[1]"}


def test_a_tag_may_hold_addresses_that_shift() -> None:
    was = [entry("a.x[0]", tag="tcp plan/g.o[0] plan/a.x[0]")]
    assert told([entry("a.x[1]", tag="tcp plan/g.o[1] plan/a.x[1]")], was)[1] == set()


ADDRESSES = st.sampled_from(["a.x", *(f"a.x[{n}]" for n in range(5)), 'a.x["k"]', "module.m[0].a.x", "module.m[1].a.x"])
ENTRIES = st.lists(st.builds(entry, ADDRESSES, st.sampled_from(["", "", "p", "q"])), max_size=8)


@given(ENTRIES, ENTRIES)
def test_everything_is_somewhere_once(now: list[Entry], was: list[Entry]) -> None:
    pairs, new, gone = paired(now, was)
    assert sorted(map(id, [*(a for a, _ in pairs), *new])) == sorted(map(id, now))
    assert sorted(map(id, [*(b for _, b in pairs), *gone])) == sorted(map(id, was))
    for one, other in pairs:
        assert unnumbered(one.resource) == unnumbered(other.resource)
        assert not (one.name and other.name and one.name != other.name)


@given(ENTRIES)
def test_the_same_again_is_all_known(now: list[Entry]) -> None:
    pairs, new, gone = paired(now, list(reversed(now)))
    assert (new, gone) == ([], [])
    assert all((a.fingerprint, a.name) == (b.fingerprint, b.name) for a, b in pairs)


@given(st.sets(st.integers(0, 30)), st.sets(st.integers(0, 30)))
def test_without_names_numbers_count(now: set[int], was: set[int]) -> None:
    _, new, gone = paired([entry(f"a.x[{n}]") for n in now], [entry(f"a.x[{n}]") for n in was])
    assert len(new) == max(0, len(now) - len(was))
    assert len(gone) == max(0, len(was) - len(now))
