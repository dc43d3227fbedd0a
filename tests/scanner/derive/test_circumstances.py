"""What a principal can bring about: which requests stand for all that policies tell apart, and single operators."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.circumstances import can, regions
from scanner.derive.effective import Policy, Subject
from scanner.derive.globs import FILL, witness
from scanner.derive.operators import Context, holds, moment, pattern
from scanner.model import Gap
from tests.scanner.derive.statements import OWN, grant, policy, when

ROLE = f"arn:aws:iam::{OWN}:role/"


def may(*found: dict[str, Any], target: str = f"{ROLE}?*", boundary: list[Any] | None = None, **known: tuple[str, ...]) -> Any:
    subject = Subject(f"{ROLE}r", OWN, (Policy(policy(*found)),), Policy(policy(*boundary)) if boundary is not None else None)
    return can(subject, "iam:passrole", [target], Context({k.replace("__", ":"): v for k, v in known.items()}))


@pytest.mark.parametrize(
    ("patterns", "text"),
    [
        (("a*", "*b"), "ab"),
        (("a?c", "*"), f"a{FILL}c"),
        (("role/*", "*/x?"), f"role/x{FILL}"),
        (("**a*", "*b**"), "ab"),
        (("a", "b"), None),
        (("a*b", "*c"), None),
        (("x",), "x"),
    ],
)
def test_witness(patterns: tuple[str, ...], text: str | None) -> None:
    assert witness(*patterns) == text


def test_one_resource_stands_for_all_that_a_pattern_leaves_open() -> None:
    everything, sm, stop = grant("iam:*"), grant("iam:PassRole", f"{ROLE}sm-*"), grant("iam:*", f"{ROLE}sm-*", "Deny")
    assert may(everything) is True
    assert may(everything, stop) is True, "others are left"
    assert may(sm, stop) is False
    assert may(sm, grant("iam:*", f"{ROLE}sm-admin", "Deny")) is True
    assert may(sm, target=f"{ROLE}{FILL}") is False, "not any role whatever"
    assert may(everything, boundary=[grant("iam:*", f"{ROLE}app-*")]) is True
    assert may(sm, boundary=[grant("iam:*", f"{ROLE}app-*")]) is False
    assert may(grant("iam:PassRole", f"{ROLE}${{aws:username}}-*"), aws__username=("ada",)) is True
    assert may(grant("iam:PassRole", f"{ROLE}${{aws:username}}-*"), aws__username=()) is False
    assert isinstance(may(grant("iam:PassRole", f"{ROLE}${{aws:userid}}-*")), Gap)
    assert may(grant("iam:PassRole", "arn:aws:*:*:222222222222:*")) is False, "a star reaches over colons, a name has none"


def test_a_caller_arranges_his_own_circumstances() -> None:
    far = when(IpAddress={"aws:SourceIp": "192.0.2.0/24"}, StringEquals={"aws:RequestedRegion": "us-east-1"})
    assert may(grant("iam:PassRole", **far)) is True
    assert may(grant("iam:PassRole", **when(StringEquals={"aws:RequestedRegion": "eu-west-1"}))) is False, (
        "IAM is asked in one region"
    )
    old = when(NumericLessThan={"aws:MultiFactorAuthAge": "60"})
    assert may(grant("iam:PassRole", **old)) is True
    tagged = when(ForAllValues__StringEquals={"aws:TagKeys": ["team"]}, StringLike={"aws:RequestTag/team": "ml-*"})
    assert may(grant("iam:PassRole", **tagged)) is True
    stuck = grant("iam:*", effect="Deny", **when(StringNotEquals={"aws:SourceVpc": "vpc-1"}))
    both = when(StringEquals={"aws:SourceVpc": "vpc-2"})
    assert may(grant("iam:PassRole", **both), stuck) is False, "no one network is both"
    assert isinstance(may(grant("iam:PassRole", **when(DateLessThan={"aws:CurrentTime": "2030-01-01T00:00:00Z"}))), Gap)


def test_too_many_circumstances_are_unknown_not_false() -> None:
    names = [f"aws:RequestTag/{n}" for n in range(8)]
    refused = grant("iam:*", effect="Deny")
    many = [grant("iam:PassRole", **when(StringEquals={n: ["a", "b", "c"]})) for n in names]
    assert isinstance(may(*many, refused), Gap)


def test_regions_that_policies_name() -> None:
    subject = Subject(policies=(Policy(policy(grant("lambda:*", ["arn:aws:lambda:eu-west-1:1:function:*", "*"]))),))
    assert regions(subject, "lambda:createfunction") == ["eu-west-1", FILL]


def asked(operator: str, values: Any, *found: str, known: bool = True) -> Any:
    condition = {"operator": operator, "key": "k", "values": values if isinstance(values, list) else [values]}
    return holds(condition, Context({"k": found} if known else {}))


@pytest.mark.parametrize(
    ("operator", "wanted", "found", "answer"),
    [
        ("BinaryEquals", "QmluYXJ5", ("QmluYXJ5",), True),
        ("BinaryEquals", "QmluYXJ5", ("other",), False),
        ("DateGreaterThan", "2026-01-01", ("2026-06-01T00:00:00Z",), True),
        ("DateLessThan", "1767225600", ("2025-06-01T00:00:00Z",), True),
        ("NumericLessThanEquals", "10", ("10",), True),
        ("IpAddress", "2001:db8::/32", ("192.0.2.1",), False),
        ("NotIpAddress", "192.0.2.0/24", ("192.0.2.1",), False),
        ("Null", "true", (), True),
        ("Null", "false", (), False),
        ("StringLike", "a${*}", ("a*",), True),
        ("StringLike", "a${*}", ("ab",), False),
        ("StringEquals", "${aws:none, 'fallback'}", ("fallback",), True),
        ("ForAllValues:StringEquals", ["a", "b"], ("a", "b"), True),
        ("ForAllValues:StringEquals", ["a"], (), True),
        ("ForAnyValue:StringEquals", ["a"], ("b", "a"), True),
        ("ForAnyValue:StringNotEquals", ["a"], (), False),
        ("StringNotEquals", "a", (), True),
        ("StringEqualsIfExists", "a", (), True),
        ("ArnLike", "arn:aws:iam::*:role/*", ("arn:aws:iam::1:role/a/b",), True),
        ("ArnLike", "arn:aws:*:*:1:role/a", ("arn:aws:iam:us:east:1:role/a",), False),
        ("ArnLike", "*", ("arn:aws:iam::1:role/a",), True),
        ("ArnEquals", "arn:aws:iam::${aws:account}:role/*", ("arn:aws:iam::1:role/a",), True),
        ("ArnNotLike", "arn:aws:iam::2:*", ("arn:aws:iam::1:role/a",), True),
    ],
)
def test_operators(operator: str, wanted: Any, found: tuple[str, ...], answer: bool) -> None:  # noqa: FBT001 - the answer
    context = Context({"k": found, "aws:none": (), "aws:account": ("1",)})
    condition = {"operator": operator, "key": "k", "values": wanted if isinstance(wanted, list) else [wanted]}
    assert holds(condition, context) is answer


def test_what_cannot_be_read_is_unknown() -> None:
    assert isinstance(asked("StringEquals", "a", known=False), Gap)
    assert isinstance(asked("StringEquals", "a", "a", "b"), Gap), "several values need a set operator"
    assert isinstance(asked("NumericEquals", "ten", "10"), Gap)
    assert isinstance(asked("ArnLike", "arn:aws:*:role/*", "arn:aws:iam::1:role/a"), Gap), "no ARN"
    assert isinstance(asked("IpAddress", "nowhere", "192.0.2.1"), Gap)
    assert isinstance(asked("DateEquals", "yesterday", "2026-01-01"), Gap)
    assert isinstance(asked("Sometimes", "a", "a"), Gap)
    assert isinstance(asked("ForNoValue:StringEquals", "a", "a"), Gap)
    assert isinstance(asked("StringEquals", "${aws:userid}", "a"), Gap)
    assert pattern("${aws:tagkeys}", Context({"aws:tagkeys": ("a", "b")})) is None
    assert moment("2026-01-01") == moment("2026-01-01T00:00:00Z") == 1767225600
