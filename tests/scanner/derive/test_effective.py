"""The judge of requests against a brute-force evaluator, written anew: every request of a small world, with every key known."""

from __future__ import annotations

import fnmatch
import ipaddress
import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scanner.derive.effective import Policy, Request, Subject, Unseen, allowed, boundless
from scanner.derive.operators import Context
from scanner.model import Gap
from tests.scanner.derive.statements import OTHER, OWN, allow, deny, grant, policy, when
from tests.scanner.derive.worlds import DENIED

ME = f"arn:aws:iam::{OWN}:role/trainer"
USER = f"arn:aws:iam::{OWN}:user/ada"
RESOURCES = ("arn:aws:s3:::corpus", "arn:aws:s3:::corpus/a", "arn:aws:s3:::other/trainer")
ACTIONS = ("s3:getobject", "s3:putobject")
WORLD: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "aws:username": ((), ("trainer",), ("b",)),
    "s3:prefix": ((), ("a",), ("ab",)),
    "aws:tagkeys": ((), ("a",), ("a", "b"), ("c",)),
    "aws:sourceip": (("10.0.0.1",), ("192.0.2.1",)),
    "aws:multifactorauthage": ((), ("5",), ("3600",)),
    "aws:currenttime": (("2026-01-01T00:00:00Z",), ("2027-06-01T00:00:00Z",)),
    "aws:securetransport": (("true",), ("false",)),
    "aws:sourcearn": ((), ("arn:aws:sns:us-east-1:111111111111:topic",), ("arn:aws:sns:us-east-1:222222222222:a:b",)),
}


def like(name: str, wanted: str, value: str) -> bool:
    if name == "stringlike":
        return fnmatch.fnmatchcase(value, wanted)
    if name in ("arnlike", "arnequals"):
        w, v = wanted.split(":", 5), value.split(":", 5)
        return len(v) == len(w) and all(fnmatch.fnmatchcase(a, b) for a, b in zip(v, w, strict=True))
    if name == "ipaddress":
        return ipaddress.ip_address(value) in ipaddress.ip_network(wanted)
    if name in ("bool", "stringequalsignorecase"):
        return value.lower() == wanted.lower()
    if name.startswith(("numeric", "date")):
        one, other = (
            (float(value), float(wanted))
            if name.startswith("n")
            else (datetime.fromisoformat(value), datetime.fromisoformat(wanted))
        )
        return {
            "equals": one == other,
            "lessthan": one < other,
            "lessthanequals": one <= other,
            "greaterthan": one > other,
            "greaterthanequals": one >= other,
        }[name.removeprefix("numeric").removeprefix("date")]
    return value == wanted


def holds(condition: Mapping[str, Any], context: Mapping[str, Sequence[str]]) -> bool:
    quantifier, _, name = condition["operator"].lower().rpartition(":")
    optional = name.endswith("ifexists")
    name = name.removesuffix("ifexists")
    values = context.get(condition["key"], ())
    if name == "null":
        return any((not values) == (v == "true") for v in condition["values"])
    negative = "not" in name
    name = name.replace("not", "")
    if not values:
        return optional or quantifier == "forallvalues" or (negative and quantifier != "foranyvalue")
    each = [any(like(name, w, v) for w in filled(condition["values"], context)) != negative for v in values]
    return any(each) if quantifier == "foranyvalue" else all(each)


def filled(wanted: Sequence[str], context: Mapping[str, Sequence[str]]) -> list[str]:
    found = []
    for text in wanted:
        if "${aws:username}" in text:
            if len(context.get("aws:username", ())) == 1:
                found.append(text.replace("${aws:username}", context["aws:username"][0]))
        else:
            found.append(text)
    return found


def speaks(statement: Mapping[str, Any], action: str, resource: str, context: Mapping[str, Sequence[str]]) -> bool:
    acts = statement["not_actions"] or statement["actions"]
    acts_fit = any(fnmatch.fnmatchcase(action, a.lower()) for a in acts) != bool(statement["not_actions"])
    things = filled(statement["not_resources"] or statement["resources"], context)
    fit = any(fnmatch.fnmatchcase(resource, r) for r in things) != bool(statement["not_resources"])
    return acts_fit and fit and all(holds(c, context) for c in statement["conditions"])


def named(statement: Mapping[str, Any], who: str, *, directly: bool) -> bool:
    if statement["not_principals"]:
        return f"AWS:{who}" not in statement["not_principals"]
    wide = () if directly else (f"AWS:{OWN}", f"AWS:arn:aws:iam::{OWN}:root")
    return bool({"*", f"AWS:{who}", *wide} & set(statement["principals"]))


def brute(
    who: str,
    sets: Sequence[Sequence[Any]],
    boundary: Sequence[Any] | None,
    levels: Sequence[Sequence[Any]],
    resource_policy: Sequence[Any],
    request: tuple[str, str, Mapping[str, Sequence[str]]],
) -> bool:
    def some(statements: Sequence[Any], effect: str) -> bool:
        return any(s["effect"] == effect and speaks(s, *request) for s in statements)

    for statements in (*sets, boundary or [], *levels):
        if some(statements, "Deny"):
            return False
    if some([s for s in resource_policy if named(s, who, directly=False)], "Deny"):
        return False
    if not all(some(level, "Allow") for level in levels):
        return False
    within = boundary is None or some(boundary, "Allow")
    by_identity = any(some(s, "Allow") for s in sets) and within
    direct = some([s for s in resource_policy if named(s, who, directly=True)], "Allow")
    return by_identity or (direct and (within or ":user/" in who))


def _condition(
    operators: Sequence[str], key: str, values: Sequence[str], quantifiers: Sequence[str] = ("",)
) -> st.SearchStrategy[Any]:
    return st.builds(
        lambda o, q, i, v: {"operator": f"{q}{o}{i}", "key": key, "values": v},
        st.sampled_from(operators),
        st.sampled_from(quantifiers),
        st.sampled_from(("", "", "IfExists")),
        st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True),
    )


STRINGS = ("StringEquals", "StringNotEquals", "StringLike", "StringNotLike", "StringEqualsIgnoreCase", "StringNotEqualsIgnoreCase")
ORDERS = ("Equals", "NotEquals", "LessThan", "LessThanEquals", "GreaterThan", "GreaterThanEquals")
CONDITIONS = st.lists(
    st.one_of(
        _condition(STRINGS, "s3:prefix", ("a", "A", "a*", "?b", "${aws:username}")),
        _condition(STRINGS, "aws:tagkeys", ("a", "b", "*"), ("ForAllValues:", "ForAnyValue:")),
        _condition(("IpAddress", "NotIpAddress"), "aws:sourceip", ("10.0.0.0/8", "0.0.0.0/0")),
        _condition([f"Numeric{o}" for o in ORDERS], "aws:multifactorauthage", ("5", "60")),
        _condition([f"Date{o}" for o in ORDERS], "aws:currenttime", ("2026-01-01T00:00:00Z", "2026-12-01T00:00:00Z")),
        _condition(("Bool",), "aws:securetransport", ("true", "false")),
        _condition(
            ("ArnLike", "ArnEquals", "ArnNotLike", "ArnNotEquals"),
            "aws:sourcearn",
            ("arn:aws:sns:*:111111111111:*", "arn:aws:*:*:*:*:b"),
        ),
        st.builds(
            lambda key, value: {"operator": "Null", "key": key, "values": [value]},
            st.sampled_from(sorted(WORLD)),
            st.sampled_from(("true", "false")),
        ),
    ),
    min_size=1,
    max_size=2,
).flatmap(lambda found: st.sampled_from((found, found, [])))


@st.composite
def a_statement(draw: st.DrawFn, *, principals: bool = False) -> dict[str, Any]:
    acts = draw(st.lists(st.sampled_from(("*", "s3:*", "s3:Get*", "S3:PutObject")), min_size=1, max_size=2))
    things = draw(
        st.lists(
            st.sampled_from(("*", "arn:aws:s3:::corpus*", RESOURCES[1], "arn:aws:s3:::*/${aws:username}")), min_size=1, max_size=2
        )
    )
    no_action, no_resource = draw(st.integers(0, 5)) == 0, draw(st.integers(0, 5)) == 0
    who = draw(st.sampled_from((["*"], [f"AWS:{ME}"], [f"AWS:{USER}"], [f"AWS:{OWN}"], [f"AWS:{OTHER}"]))) if principals else []
    besides = [f"AWS:{ME}"] if principals and draw(st.integers(0, 7)) == 0 else []
    return {
        "effect": draw(st.sampled_from(("Allow", "Allow", "Deny"))),
        "actions": [] if no_action else acts,
        "not_actions": acts if no_action else [],
        "resources": [] if no_resource else things,
        "not_resources": things if no_resource else [],
        "principals": [] if besides else who,
        "not_principals": besides,
        "conditions": draw(CONDITIONS),
    }


SETS = st.lists(a_statement(), max_size=2)
CONTEXTS = st.fixed_dictionaries({key: st.sampled_from(values) for key, values in WORLD.items()})


@settings(max_examples=500, deadline=None)
@given(
    st.sampled_from((ME, USER)),
    st.lists(SETS, min_size=1, max_size=2),
    st.one_of(st.none(), SETS),
    st.lists(SETS, max_size=2),
    st.lists(a_statement(principals=True), max_size=2),
    st.sampled_from(ACTIONS),
    st.sampled_from(RESOURCES),
    CONTEXTS,
    st.sets(st.sampled_from(sorted(WORLD)), min_size=1),
)
def test_the_judge_says_what_the_evaluator_says(who, sets, boundary, levels, resource_policy, action, resource, context, hidden):  # noqa: PLR0913, PLR0917
    subject = Subject(
        who,
        OWN,
        tuple(map(Policy, sets)),
        None if boundary is None else Policy(boundary),
        tuple((Policy(level),) for level in levels),
    )
    theirs = Policy(resource_policy) if resource_policy else None
    truth = allowed(subject, Request(action, resource, Context(context)), theirs)
    assert truth is brute(who, sets, boundary, levels, resource_policy, (action, resource, context)), "every key is known"
    known = {k: v for k, v in context.items() if k not in hidden}
    partly = allowed(subject, Request(action, resource, Context(known)), theirs)
    assert isinstance(partly, Gap) or partly is truth, "less that is known never makes another answer"
    for key in hidden:  # an answer that is certain holds whatever the key is
        if not isinstance(partly, Gap):
            for value in WORLD[key]:
                assert brute(who, sets, boundary, levels, resource_policy, (action, resource, {**context, key: value})) is partly


@given(st.lists(SETS, min_size=1, max_size=2), SETS, CONTEXTS, st.sampled_from(ACTIONS), st.sampled_from(RESOURCES))
def test_a_policy_that_was_not_seen_settles_nothing(sets, gone, context, action, resource):
    request = Request(action, resource, Context(context))
    whole = allowed(Subject(ME, OWN, (*map(Policy, sets), Policy(gone))), request)
    partly = allowed(Subject(ME, OWN, (*map(Policy, sets), Unseen(DENIED))), request)
    assert partly is DENIED or partly is whole


def ask(*sets: Any, boundary: Any = None, levels: Any = (), theirs: Any = None, who: str = ME, **context: Any) -> Any:
    subject = Subject(who, OWN, tuple(map(Policy, sets)), Policy(boundary) if boundary is not None else None, levels)
    known = {k.replace("__", ":"): v for k, v in context.items()}
    return allowed(subject, Request("s3:getobject", RESOURCES[1], Context(known)), Policy(theirs) if theirs is not None else None)


def test_a_deny_takes_back_what_another_policy_allows():
    reads, refuses = policy(grant("s3:Get*")), policy(grant("s3:*", effect="Deny"))
    assert ask(reads) is True
    assert ask(reads, refuses) is False
    assert ask(policy()) is False


def test_boundaries_and_organisations_intersect():
    reads = policy(grant("s3:*"))
    assert ask(reads, boundary=policy(grant("ec2:*"))) is False
    assert ask(reads, boundary=policy(grant("s3:GetObject"))) is True
    every, some = (Policy(policy(grant())),), (Policy(policy(grant("ec2:*"))),)
    assert ask(reads, levels=(every, every)) is True
    assert ask(reads, levels=(every, some)) is False
    assert ask(reads, levels=(every, (*every, Policy(policy(grant("s3:*", effect="Deny")))))) is False
    assert ask(reads, levels=((),)) is False, "a level without a policy allows nothing"


def test_resource_policies_join_in():
    theirs = policy(allow({"AWS": ME}))
    assert ask(policy(), theirs=theirs) is True
    assert ask(policy(), theirs=policy(allow({"AWS": OWN}))) is False, "the account decides by its own policies"
    assert ask(policy(), theirs=policy(allow())) is True
    assert ask(policy(grant("s3:*")), theirs=policy(deny())) is False
    assert ask(policy(grant("s3:*")), theirs=policy(deny({"AWS": OTHER}))) is True
    narrow = policy(grant("ec2:*"))
    assert ask(policy(), boundary=narrow, theirs=theirs) is False
    assert ask(policy(), boundary=narrow, theirs=policy(allow({"AWS": USER})), who=USER) is True
    session = policy(allow({"AWS": f"arn:aws:sts::{OWN}:assumed-role/trainer/x"}))
    assert ask(policy(), theirs=session) is True


def test_another_account_has_to_allow_as_well():
    subject = Subject(ME, OWN, (Policy(policy(grant("s3:*"))),))
    request = Request("s3:getobject", RESOURCES[1])
    assert allowed(subject, request, None, "both") is False
    assert allowed(subject, request, Policy(policy(allow({"AWS": OWN}))), "both") is True
    assert allowed(Subject(ME, OWN), request, Policy(policy(allow({"AWS": ME}))), "both") is False


def test_a_role_decides_who_may_take_it():
    mine, request = Policy(policy(grant("*"))), Request("sts:assumerole", f"arn:aws:iam::{OWN}:role/admin")
    able, unable = Subject(ME, OWN, (mine,)), Subject(ME, OWN)
    for trusted, answers in (({"AWS": ME}, (True, True)), ({"AWS": OWN}, (True, False)), ({"AWS": OTHER}, (False, False))):
        trust = Policy(policy(allow(trusted, "sts:AssumeRole")))
        assert tuple(allowed(s, request, trust, "theirs") for s in (able, unable)) == answers


def test_keys_that_are_not_known_are_named():
    gap = ask(policy(grant("s3:*", **when(StringEquals={"aws:ResourceTag/a": "b"}))))
    assert "aws:resourcetag/a" in gap.detail
    assert ask(policy(grant("s3:*", **when(StringEquals={"aws:ResourceTag/a": "b"}))), **{"aws:resourcetag/a": ("b",)}) is True
    assert isinstance(ask(policy(grant("s3:*", **when(StringBetween={"s3:prefix": "b"}))), s3__prefix=("a",)), Gap)


def test_every_request_is_in_the_world():
    assert all(isinstance(v, tuple) for v in itertools.chain.from_iterable(WORLD.values()))


@given(st.lists(SETS, min_size=1, max_size=3), CONTEXTS, st.sampled_from(ACTIONS), st.sampled_from(RESOURCES), st.booleans())
def test_who_is_boundless_may_do_anything(sets, context, action, resource, full):
    sets = [*sets, policy(grant())] if full else sets
    subject = Subject(arn=ME, account=OWN, policies=tuple(map(Policy, sets)))
    if boundless(subject):
        assert allowed(subject, Request(action, resource, Context(dict(context)))) is True
        assert allowed(subject, Request("iam:createrole", "arn:aws:iam::111111111111:role/x")) is True


def test_what_bounds():
    full = Policy(policy(grant()))
    assert boundless(Subject(policies=(full,)))
    harmless = Subject(policies=(Unseen(DENIED, may_deny=False), full))
    assert boundless(harmless)
    assert allowed(harmless, Request("iam:createrole", "arn:aws:iam::111111111111:role/x")) is True
    for bounded in (
        Subject(),
        Subject(policies=(Policy(policy(grant("s3:*"))),)),
        Subject(policies=(Policy(policy(grant(resource=RESOURCES[0]))),)),
        Subject(policies=(Policy(policy(grant(**when(Bool={"aws:MultiFactorAuthPresent": "true"})))),)),
        Subject(policies=(Policy(policy({"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"})),)),
        Subject(policies=(full, Policy(policy(grant("s3:*", effect="Deny"))))),
        Subject(policies=(full, Unseen(DENIED))),
        Subject(policies=(full,), boundary=full),
        Subject(policies=(full,), levels=((full,),)),
        Subject(policies=(full,), resource_levels=((full,),)),
    ):
        assert not boundless(bounded), bounded
