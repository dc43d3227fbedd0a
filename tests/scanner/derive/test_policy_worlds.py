"""The judge of policies against a brute-force evaluator: every request that an outsider can make, in a small world."""

from __future__ import annotations

import fnmatch
import ipaddress
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.derive.policy import Statement, public
from tests.scanner.derive.statements import BUCKET, OWN, policy

EVIL = ("888888888888", "999999999999")
PARTNER = "777777777777"
"""An account that authors name, so no outsider."""
ACTIONS = ("s3:getobject", "s3:getobjectacl", "s3:setobject", "s3:putobject", "s3:deletebucket")
RESOURCES = (BUCKET, f"{BUCKET}/a")
Context = Mapping[str, str]


def outsiders() -> Iterator[Context]:
    """Contexts of every request: anonymous, or of an account in no organisation or in its own; from anywhere, or by a foreign endpoint."""
    callers: list[dict[str, str]] = [{}]
    for account in EVIL:
        signed = {"aws:principalaccount": account, "aws:principalarn": f"arn:aws:iam::{account}:role/r"}
        callers += [signed, signed | {"aws:principalorgid": f"o-{account}"}]
    ways = [{"aws:sourceip": ip} for ip in ("8.8.8.8", "198.51.100.7")] + [{"aws:sourcevpce": "vpce-evil"}]
    for caller, way, tls, prefix in itertools.product(callers, ways, ("true", "false"), (None, "a", "b", "c")):
        yield caller | way | {"aws:securetransport": tls} | ({} if prefix is None else {"s3:prefix": prefix})


CONTEXTS = tuple(outsiders())


def holds(condition: Mapping[str, Any], context: Context) -> bool:
    """As AWS documents the operators, written anew."""
    quantifier, _, name = condition["operator"].lower().rpartition(":")
    optional = name.endswith("ifexists")
    name = name.removesuffix("ifexists")
    value = context.get(condition["key"])
    if name == "null":
        return any((value is None) == (v == "true") for v in condition["values"])
    negated = "not" in name
    if value is None:
        return optional or quantifier == "forallvalues" or (negated and quantifier != "foranyvalue")
    alike = any(_like(name.replace("not", ""), str(v), value) for v in condition["values"])
    return alike != negated


def _like(name: str, wanted: str, value: str) -> bool:
    if name == "ipaddress":
        return ipaddress.ip_address(value) in ipaddress.ip_network(wanted)
    if name in ("stringlike", "arnlike", "arnequals"):
        return fnmatch.fnmatchcase(value, wanted)
    return wanted.lower() == value.lower() if name == "bool" else wanted == value


def speaks(statement: Statement, action: str, resource: str) -> bool:
    names = [a.lower() for a in statement["actions"]]
    excepted = [a.lower() for a in statement["not_actions"]]
    acts = (
        not any(fnmatch.fnmatchcase(action, e) for e in excepted)
        if excepted
        else any(fnmatch.fnmatchcase(action, n) for n in names)
    )
    return acts and any(fnmatch.fnmatchcase(resource, r) for r in statement["resources"])


def let_in(statements: list[Statement]) -> bool:
    """Some outsider may do something."""
    said = [(s, {q for q in itertools.product(ACTIONS, RESOURCES) if speaks(s, *q)}) for s in statements if "*" in s["principals"]]
    for context in CONTEXTS:
        met = [(s["effect"], asked) for s, asked in said if all(holds(c, context) for c in s["conditions"])]
        allowed = set().union(*(asked for effect, asked in met if effect == "Allow"))
        denied = set().union(*(asked for effect, asked in met if effect == "Deny"))
        if allowed - denied:
            return True
    return False


VALUES = {
    "aws:principalaccount": (OWN, PARTNER, "*"),
    "aws:principalorgid": ("o-ours", "*"),
    "aws:principalarn": (f"arn:aws:iam::{OWN}:role/*", "arn:aws:iam::*:role/r"),
    "aws:sourcevpce": ("vpce-ours", "vpce-*"),
    "s3:prefix": ("a", "b"),
}
STRINGS = st.sampled_from(sorted(VALUES)).flatmap(
    lambda key: st.builds(
        lambda operator, quantifier, optional, values: {
            "operator": f"{quantifier}{operator}{optional}",
            "key": key,
            "values": values,
        },
        st.sampled_from(("StringEquals", "StringLike", "StringNotEquals", "StringNotLike")),
        st.sampled_from(("", "", "", "ForAnyValue:", "ForAllValues:")),
        st.sampled_from(("", "", "IfExists")),
        st.lists(st.sampled_from(VALUES[key]), min_size=1, max_size=2, unique=True),
    )
)
ADDRESSES = st.builds(
    lambda operator, optional, values: {"operator": f"{operator}{optional}", "key": "aws:sourceip", "values": values},
    st.sampled_from(("IpAddress", "NotIpAddress")),
    st.sampled_from(("", "IfExists")),
    st.lists(
        st.sampled_from(("203.0.113.0/24", "10.0.0.0/8", "0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1")),
        min_size=1,
        max_size=2,
        unique=True,
    ),
)
FLAGS = st.builds(
    lambda operator, value: {"operator": operator, "key": "aws:securetransport", "values": [value]},
    st.sampled_from(("Bool", "BoolIfExists")),
    st.sampled_from(("true", "false")),
)
NULLS = st.builds(
    lambda key, value: {"operator": "Null", "key": key, "values": [value]},
    st.sampled_from((*sorted(VALUES), "aws:sourceip", "aws:securetransport")),
    st.sampled_from(("true", "false")),
)
CONDITIONS = st.lists(st.one_of(STRINGS, ADDRESSES, FLAGS, NULLS), max_size=2)


@st.composite
def a_statement(draw: st.DrawFn) -> dict[str, Any]:
    negative = draw(st.booleans()) and draw(st.booleans())
    names = draw(
        st.lists(st.sampled_from(("*", "s3:*", "s3:Get*", "s3:GetObject", "s3:PutObject", "s3:?etObject")), min_size=1, max_size=2)
    )
    return {
        "effect": draw(st.sampled_from(("Allow", "Deny"))),
        "actions": [] if negative else names,
        "not_actions": names if negative else [],
        "resources": draw(st.lists(st.sampled_from(("*", BUCKET, f"{BUCKET}/*", f"{BUCKET}*")), min_size=1, max_size=2)),
        "not_resources": [],
        "principals": draw(st.sampled_from((["*"], ["*"], [f"AWS:{OWN}"]))),
        "not_principals": [],
        "conditions": draw(CONDITIONS),
    }


@settings(max_examples=400)
@given(st.lists(a_statement(), min_size=1, max_size=3))
def test_the_judge_never_contradicts_the_evaluator(statements: list[dict[str, Any]]) -> None:
    answer = public(statements, "s3")
    if answer != "conditional":
        assert (answer == "yes") == let_in(statements), answer


def test_the_evaluator_can_tell() -> None:
    assert let_in(policy({"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": f"{BUCKET}/*"}))
    assert not let_in(policy({"Effect": "Allow", "Principal": {"AWS": OWN}, "Action": "s3:*", "Resource": "*"}))


@given(st.lists(a_statement(), min_size=1, max_size=3), a_statement())
def test_one_more_deny_lets_nobody_in(statements: list[dict[str, Any]], deny: dict[str, Any]) -> None:
    if public(statements, "s3") == "no":
        assert public([*statements, deny | {"effect": "Deny"}], "s3") == "no"
