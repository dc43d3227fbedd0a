"""What a principal may do: all its policies together, its boundary, the organisation's policies and the policy of what is asked for.

One request at a time, three-valued: a policy that was not seen, or a key of the request that is not known, makes the answer a gap where
it could change it. A Deny anywhere takes back what is allowed elsewhere.

Evaluation: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-basics.html
Boundaries and resource policies: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-eval-logic
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from scanner.derive.operators import Context, compiled, met, negated, pattern
from scanner.derive.policy import Statement
from scanner.derive.three import Truth, all_of, any_of
from scanner.model import Gap, frozen

ASSUMED = re.compile(r"^arn:(?P<partition>[^:]*):sts::(?P<account>\d+):assumed-role/(?P<name>[^/]+)/")
ROOT = re.compile(r"^(?:arn:[^:]*:iam::)?(?P<account>\d{12})(?::root)?$")


class Policy:
    """Statements, indexed by the actions that they are asked about. What is kept is about the policy, so one may serve many principals."""

    __slots__ = ("_about", "_services", "statements")

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.statements = tuple(statements)
        self._about: dict[str, tuple[Statement, ...]] = {}
        self._services = _services(self.statements)

    @property
    def services(self) -> frozenset[str] | None:
        """Services (lower-case) that its statements speak of; None where some may speak of any."""
        return self._services

    def about(self, action: str) -> tuple[Statement, ...]:
        """Statements that speak of an action (lower-case)."""
        if self._services is not None and action.partition(":")[0] not in self._services:
            return ()
        if action not in self._about:
            self._about[action] = tuple(s for s in self.statements if speaks(s, action))
        return self._about[action]


def _services(statements: Iterable[Statement]) -> frozenset[str] | None:
    """Services that statements speak of; None where some may speak of any."""
    found: set[str] = set()
    for statement in statements:
        for action in ("*",) if statement["not_actions"] else statement["actions"]:
            service, colon, _ = str(action).lower().partition(":")
            if not colon or set(service) & {"*", "?"}:
                return None
            found.add(service)
    return frozenset(found)


def speaks(statement: Statement, action: str) -> bool:
    """The statement is about an action (lower-case, without wildcards)."""
    names = statement["not_actions"] or statement["actions"]
    named = any(compiled(((str(n).lower(), True),)).fullmatch(action) for n in names)
    return named != bool(statement["not_actions"])


@frozen
class Unseen:
    """A policy that was not seen, and whether it may deny anything."""

    gap: Gap
    may_deny: bool = True


Found = Policy | Unseen


@frozen
class Request:
    """Who asks for it is the `Subject`."""

    action: str
    """Lower-case, without wildcards."""
    resource: str
    context: Context = field(default_factory=Context)


@frozen
class Subject:
    """A user or role with what limits it."""

    arn: str = ""
    """Where it is known who it is; resource policies name it."""
    account: str = ""
    policies: tuple[Found, ...] = ()
    boundary: Found | None = None
    levels: tuple[tuple[Found, ...], ...] = ()
    """Service control policies, level by level from the root to the account: each level has to allow. Empty where none apply."""
    resource_levels: tuple[tuple[Found, ...], ...] = ()
    """Resource control policies, likewise."""


def unlimited(subject: Subject) -> bool:
    """Nothing that was seen takes back what a policy of the subject allows."""
    limits = subject.boundary is not None or subject.levels or subject.resource_levels
    seen = (s for p in subject.policies if isinstance(p, Policy) for s in p.statements)
    return not limits and all(s["effect"] == "Allow" for s in seen)


def boundless(subject: Subject) -> bool:
    """The subject certainly may do everything everywhere: what is asked first, since the answer is the same to any request."""
    return (
        unlimited(subject)
        and all(isinstance(p, Policy) or not p.may_deny for p in subject.policies)
        and any(
            "*" in s["actions"] and "*" in s["resources"] and not (s["conditions"] or s["not_actions"] or s["not_resources"])
            for p in subject.policies
            if isinstance(p, Policy)
            for s in p.statements
        )
    )


Sharing = Literal["either", "both", "theirs"]
"""What the policies of subject and resource have to say: in one account either may allow it; across accounts both have to; the trust
policy of a role, and the policy of a key, decide by themselves and may leave it to the account's own policies."""


def allowed(subject: Subject, request: Request, resource_policy: Found | None = None, sharing: Sharing = "either") -> Truth:
    """The request is granted. `resource_policy` is the policy of the resource, where it has one."""
    every = [*subject.policies, *_flat(subject.levels), *_flat(subject.resource_levels)]
    denied = any_of(
        (
            *(_says(p, "Deny", request) for p in (*every, *([subject.boundary] if subject.boundary is not None else []))),
            False if resource_policy is None else _says(resource_policy, "Deny", request, subject),
        )
    )
    if denied is True:
        return False
    limits = (any_of(_says(p, "Allow", request) for p in level) for level in (*subject.levels, *subject.resource_levels))
    return all_of((negated(denied), *limits, _granted(subject, request, resource_policy, sharing)))


def _granted(subject: Subject, request: Request, resource_policy: Found | None, sharing: Sharing) -> Truth:
    own = any_of(_says(p, "Allow", request) for p in subject.policies)
    boundary = True if subject.boundary is None else _says(subject.boundary, "Allow", request)
    by_identity = all_of((own, boundary))
    if resource_policy is None:
        return by_identity if sharing == "either" else False
    if sharing != "either":
        by_identity = all_of((by_identity, _says(resource_policy, "Allow", request, subject)))
    if sharing == "both" or by_identity is True:
        return by_identity
    # NOTE: naming the account hands the decision to its own policies; naming the caller decides it
    by_resource = _says(resource_policy, "Allow", request, subject, named=True)
    # NOTE: a boundary limits what a resource policy gives a role, but not what it gives a user
    bounded = by_resource if ":user/" in subject.arn else all_of((by_resource, boundary))
    return any_of((by_identity, bounded))


def _flat(levels: Iterable[Iterable[Found]]) -> list[Found]:
    return [p for level in levels for p in level]


def _says(found: Found, effect: str, request: Request, subject: Subject | None = None, *, named: bool = False) -> Truth:
    """Some statement of this effect speaks of the request (and of the subject, in the policy of a resource)."""
    if isinstance(found, Unseen):
        return found.gap if effect == "Allow" or found.may_deny else False
    return any_of(_applies(s, request, subject, named=named) for s in found.about(request.action) if s["effect"] == effect)


def _applies(statement: Statement, request: Request, subject: Subject | None, *, named: bool) -> Truth:
    who: Truth = True if subject is None else _names(statement, subject, named=named)
    if who is False:
        return False
    where = on(statement, request.resource, request.context)
    if where is False:
        return False
    return all_of((who, where, met(statement["conditions"], request.context)))


def on(statement: Statement, resource: str, context: Context) -> Truth:
    """The statement speaks of a resource. One that names none (a trust policy) speaks of what it belongs to."""
    if statement["not_resources"]:
        return negated(_any_resource(statement["not_resources"], resource, context))
    return True if not statement["resources"] else _any_resource(statement["resources"], resource, context)


def _any_resource(patterns: Iterable[str], resource: str, context: Context) -> Truth:
    return any_of(_matches(str(p), resource, context) for p in patterns)


def _matches(wanted: str, resource: str, context: Context) -> Truth:
    found = pattern(wanted, context)
    return (found or False) if found is None or isinstance(found, Gap) else found.fullmatch(resource) is not None


def names(statements: Iterable[Statement]) -> tuple[frozenset[str], bool]:
    """Whom the Allows of a resource's policy name, as `callers` calls them; and whether they speak of whole accounts or of everyone."""
    found: set[str] = set()
    wide = False
    for allow in (s for s in statements if s["effect"] == "Allow"):
        wide = wide or bool(allow["not_principals"])
        for kind, _, name in (str(p).partition(":") for p in allow["principals"]):
            session = ASSUMED.match(name)
            wide = wide or kind == "*" or (kind == "AWS" and (name == "*" or ROOT.match(name) is not None))
            if kind == "AWS":
                found.add(f"{session['account']} {session['name']}" if session else name)
    return frozenset(found), wide


def callers(subject: Subject) -> tuple[str, ...]:
    """What the policies of resources may call a subject: its ARN, or a session of it."""
    session = f"{subject.account} {subject.arn.rpartition('/')[2]}" if ":role/" in subject.arn else ""
    return tuple(name for name in (subject.arn, session) if name)


def _names(statement: Statement, subject: Subject, *, named: bool) -> Truth:
    """The statement of a resource's policy speaks of the subject; with `named`, by more than its account."""
    if statement["not_principals"]:
        return not any(_is(str(p), subject) for p in statement["not_principals"])
    deny = statement["effect"] == "Deny"
    return any(
        p == "*" or _is(str(p), subject) or ((deny or not named) and _is_account(str(p), subject)) for p in statement["principals"]
    )


def _is(principal: str, subject: Subject) -> bool:
    """The subject itself, or a session of it."""
    kind, _, name = principal.partition(":")
    if kind != "AWS" or not subject.arn:
        return False
    session = ASSUMED.match(name)
    same = session is not None and session["account"] == subject.account and ":role/" in subject.arn
    return name == subject.arn or (same and session is not None and subject.arn.rpartition("/")[2] == session["name"])


def _is_account(principal: str, subject: Subject) -> bool:
    """The subject's account, or (`AWS:*`, which nobody writes) any."""
    kind, _, name = principal.partition(":")
    match = ROOT.match(name) if kind == "AWS" else None
    return name == "*" or bool(match and subject.account and match["account"] == subject.account)
