"""A judge of resource policies: who gets in. Statements are normalised, as `collectors/policy.py` makes them.

Outsiders are nobody in particular, so this asks what all of them meet or one can meet (`conditions.py`); what a known principal may do is
asked one request at a time (`effective.py`, `operators.py`). Operators are taken apart in one place, `conditions.Operator`.

Every answer is three-valued. A Deny that strikes every outsider neutralises an Allow; one that an outsider escapes changes
nothing; one that is not understood makes the answer unclear. What organisation policies add is not seen here.

Evaluation: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from scanner.derive.conditions import ACCOUNT_KEYS, ARN_KEYS, Operator, Reach, holds, limits_accounts, reach, topic
from scanner.derive.globs import any_covers, covers, everything, overlaps
from scanner.model import Gap, Reason

Statement = Mapping[str, Any]
Public = Literal["yes", "no", "conditional"]

EVERYTHING: Statement = {
    "effect": "Allow",
    "actions": ["*"],
    "not_actions": [],
    "resources": ["*"],
    "not_resources": [],
    "principals": [],
    "not_principals": [],
    "conditions": [],
}

PRINCIPAL = re.compile(r"^AWS:(?:arn:[^:]*:(?:iam|sts)::)?(\d{12})(?::|$)")
"""An account of its own, or anything in one. Unique ids of deleted principals (`AROA…`) name nobody."""


def everyone(statement: Statement) -> bool:
    """The statement speaks of every caller: `*`, or everyone but a few (`NotPrincipal`)."""
    named = any(p == "*" or (p.startswith("AWS:") and "*" in p) for p in statement["principals"])
    excepted = statement["not_principals"]
    return named or (bool(excepted) and "*" not in excepted)


def public(statements: Iterable[Statement], service: str) -> Public:
    """Whether anyone at all gets in: `conditional` where that hangs on a condition that is not understood.

    `service` is the IAM prefix of what has the policy (`s3`): there `*` and `s3:*` are the same actions.
    """
    found = list(statements)
    answer: Public = "no"
    for allow in (s for s in found if s["effect"] == "Allow" and everyone(s) and _allows_something(s, service)):
        met = _meet(reach(allow["conditions"]), _spared(allow, found, service))
        if met == "open":
            return "yes"
        if met == "unclear":
            answer = "conditional"
    return answer


def foreign_accounts(statements: Iterable[Statement], own: str, service: str, *, secret: Collection[str] = ()) -> list[str] | Gap:
    """Accounts other than `own` that get in without a narrowing condition.

    `secret` names condition keys that narrow as well (`sts:externalid`). A gap where that hangs on what is not understood, or
    where accounts are named but `own` is not known.
    """
    found = list(statements)
    certain, doubtful = strangers(found, own, service, secret=secret)
    if not own and certain | doubtful:
        return Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "which account owns the policy is not known")
    if certain:
        return sorted(certain)
    return unclear(found) if doubtful else []


def strangers(
    statements: Sequence[Statement], own: str, service: str, *, secret: Collection[str] = ()
) -> tuple[frozenset[str], frozenset[str]]:
    """As `foreign_accounts`: those that get in for certain, and those of which it is not clear."""
    certain: set[str] = set()
    doubtful: set[str] = set()
    for allow in (s for s in statements if s["effect"] == "Allow" and _allows_something(s, service)):
        rest = [c for c in allow["conditions"] if c["key"] not in ACCOUNT_KEYS | ARN_KEYS]
        narrowed = reach(rest, secret=secret)
        for account in _accounts(allow) - {own}:
            met = _meet(narrowed, _spared(allow, statements, service, account))
            (certain if met == "open" else doubtful if met == "unclear" else set()).add(account)
    return frozenset(certain), frozenset(doubtful)


def unclear(statements: Iterable[Statement]) -> Gap:
    """The gap of an answer that hangs on conditions that are not understood."""
    each = [(s, c) for s in statements for c in s["conditions"]]
    odd = [c for s, c in each if (holds(c) if s["effect"] == "Deny" else reach([c])) == "unclear"] or [c for _, c in each]
    names = sorted({f"{c['operator']} {c['key']}" for c in odd})
    said = f"who meets its conditions is not clear: {', '.join(names)}"
    return Gap(Reason.UNPARSABLE, "", "Judge the policy by hand.", said[:300])


def _accounts(allow: Statement) -> frozenset[str]:
    named = frozenset(match[1] for p in allow["principals"] if (match := PRINCIPAL.match(p)))
    limit = limits_accounts(allow["conditions"])
    if everyone(allow):
        return limit or frozenset()
    return named if limit is None else named & limit


def _allows_something(statement: Statement, service: str) -> bool:
    spared = any(everything(a) or covers(a.lower(), f"{service}:*") for a in statement["not_actions"])
    return not spared and "*" not in statement["not_resources"]


def _meet(one: Reach, other: Reach) -> Reach:
    return next((r for r in ("closed", "unclear") if r in (one, other)), "open")


def _spared(allow: Statement, statements: Sequence[Statement], service: str, account: str = "") -> Reach:
    """`open` where no Deny takes all of an Allow back from outsiders (or from `account`)."""
    denies = [(d, _struck(d, allow, account)) for d in statements if d["effect"] == "Deny" and _strikes(d, account)]
    names = [f"{service}:*" if everything(action) else action for action in actions(allow)]
    pairs = [(action, resource) for action in names for wide in resources(allow) for resource in _parts(wide, statements)]
    certain = [d for d, struck in denies if struck == "closed"]
    if all(any(_takes(d, *pair) for d in certain) for pair in pairs):
        return "closed"
    if all(any(_may_take(d, *pair) for d, struck in denies if struck != "open") for pair in pairs):
        return "unclear"
    # NOTE: a Deny that an outsider escapes by one value and another Deny that takes the other value leave nothing
    escapes: dict[str, set[str]] = {}
    for condition in (c for d, struck in denies if struck == "open" for c in d["conditions"]):
        escapes.setdefault(topic(condition), set()).add(f"{condition['operator']} {condition['key']} {condition['values']}")
    return "unclear" if any(len(ways) > 1 for ways in escapes.values()) else "open"


def _parts(resource: str, statements: Iterable[Statement]) -> list[str]:
    """The bucket and its objects, where a pattern holds both of the one bucket that the policy names; else the pattern."""
    named = {
        r.partition("/")[0].rstrip("*") for s in statements for r in (*s["resources"], *s["not_resources"]) if r.startswith("arn:")
    }
    name = min((n for n in named if not set(n) & {"*", "?"}), default="")
    both = [name, f"{name}/*"]
    return both if name and all(covers(resource, part) for part in both) else [resource]


def _strikes(deny: Statement, account: str) -> bool:
    whole = {m[1] for p in deny["principals"] if p.endswith((":root", account)) and (m := PRINCIPAL.match(p))} if account else set()
    return everyone(deny) or account in whole


def _struck(deny: Statement, allow: Statement, account: str) -> Reach:
    """`closed` where the Deny's conditions strike every outsider, `open` where one escapes."""
    each = [_escaped(c, allow, account) for c in deny["conditions"]]
    return next((r for r in ("open", "unclear") if r in each), "closed")


def _escaped(condition: Mapping[str, Any], allow: Statement, account: str) -> Reach:
    """As `holds`; but an Allow that asks something of the same key may leave no way to escape."""
    answer = holds(condition, account)
    shared = [c for c in allow["conditions"] if topic(c) == topic(condition)]
    opposite = condition["operator"] == "Bool" and all(
        c["operator"] == "Bool" and len(c["values"]) == 1 and c["values"] != condition["values"] for c in shared
    )
    return "unclear" if answer == "open" and shared and not opposite else answer


def _takes(deny: Statement, action: str, resource: str) -> bool:
    """The Deny covers an action on a resource wholly."""
    return _within(deny["actions"], deny["not_actions"], action, fold=True) and _within(
        deny["resources"] or ["*"], deny["not_resources"], resource
    )


def takes(deny: Statement, allow: Statement) -> bool:
    """The Deny covers all that an Allow speaks of."""
    return all(_takes(deny, action, resource) for action in actions(allow) for resource in resources(allow))


def _may_take(deny: Statement, action: str, resource: str) -> bool:
    """The Deny might cover it wholly: as `_takes`, but a negation that leaves some out counts too."""
    return bool(deny["not_actions"] or _within(deny["actions"], [], action, fold=True)) and bool(
        deny["not_resources"] or _within(deny["resources"] or ["*"], [], resource)
    )


def _within(wide: Iterable[str], excepted: Collection[str], narrow: str, *, fold: bool = False) -> bool:
    if fold:
        wide, excepted, narrow = [w.lower() for w in wide], [e.lower() for e in excepted], narrow.lower()
    if excepted:
        return not any(overlaps(e, narrow) for e in excepted)
    return any_covers(wide, narrow)


def actions(statement: Statement) -> list[str]:
    """Action patterns of a statement; every action where it names exceptions."""
    return ["*"] if statement["not_actions"] else list(statement["actions"])


def resources(statement: Statement) -> list[str]:
    """Resource patterns of a statement; everything where it names exceptions, or (a trust policy) nothing."""
    return ["*"] if statement["not_resources"] or not statement["resources"] else list(statement["resources"])


def _denials(statements: Iterable[Statement], key: str) -> Iterator[tuple[Statement, Mapping[str, Any]]]:
    """Denies of everyone that have one condition alone, and that on `key`."""
    for statement in statements:
        if statement["effect"] == "Deny" and "*" in statement["principals"] and len(statement["conditions"]) == 1:
            condition = statement["conditions"][0]
            if condition["key"] == key:
                yield statement, condition


def _whole_bucket(denies: Iterable[Statement]) -> bool:
    """Together the statements deny every S3 action on the bucket and on its objects."""
    bucket = objects = False
    for deny in denies:
        if not _within(deny["actions"], deny["not_actions"], "s3:*", fold=True):
            continue
        for resource in deny["resources"]:
            name, slash, rest = resource.partition("/")
            bucket = bucket or not slash
            objects = objects or (slash == "/" and rest == "*") or (not slash and name.endswith("*"))
    return bucket and objects


def tls_only(statements: Iterable[Statement]) -> bool:
    """A bucket policy denies everyone every request without TLS, on the bucket and on its objects.

    A policy may only name its own bucket (S3 refuses it otherwise), so resource names need not be compared.
    """
    return _whole_bucket(
        deny
        for deny, condition in _denials(statements, "aws:securetransport")
        if _strikes_clear_text(Operator.parse(condition["operator"]), {str(v).lower() for v in condition["values"]})
    )


def _strikes_clear_text(operator: Operator, values: set[str]) -> bool:
    """The condition holds of every request without TLS; the key is in all requests."""
    if operator.base not in ("bool", "stringequals", "stringequalsignorecase", "stringlike"):
        return False
    return "false" not in values if operator.negated else "false" in values


def tls_min_version(statements: Iterable[Statement]) -> str:
    """Lowest TLS version that a bucket policy admits, `any` where it sets none."""
    found = list(_denials(statements, "s3:tlsversion"))
    floors = sorted({floor for _, condition in found for floor in _floors(condition)}, reverse=True)
    for floor in floors:
        if _whole_bucket(deny for deny, condition in found if any(f >= floor for f in _floors(condition))):
            return f"{floor:.1f}"
    return "any"


def _floors(condition: Mapping[str, Any]) -> list[float]:
    if Operator.parse(condition["operator"]).base != "numericlessthan":
        return []
    try:
        return [float(v) for v in condition["values"]]
    except ValueError:
        return []
