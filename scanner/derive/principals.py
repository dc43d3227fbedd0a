"""Users and roles as `effective.py` judges them: all their policies, what limits them, and what their requests say about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scanner.derive.effective import Found, Policy, Subject, Unseen
from scanner.derive.identities import ROLE, USER, managed, missing
from scanner.derive.names import ARN, account_of
from scanner.derive.operators import Context, Values
from scanner.derive.organisation import levels, organisation_id
from scanner.derive.world import World
from scanner.model import Gap, Resource

NEEDS = ("inline_policies", "attached_policies", "boundary")
"""Facts of an identity that a subject is made of."""
DENYING = re.compile(r":iam::aws:policy/AWS(DenyAll|CompromisedKeyQuarantine\w*)$")
"""The policies of AWS's own that deny something: https://docs.aws.amazon.com/aws-managed-policy/latest/reference/policy-list.html"""
NOWHERE = "000000000000"
"""Stands for the account of a plan that does not tell it."""
IN_IAM = re.compile(r"^arn:[^:]*:iam::(\d{12}):")


def subject_of(identity: Resource, world: World) -> Subject:
    """An identity with its policies, those of its groups, its boundary, and those of the organisation as far as they were seen."""
    policies = tuple(_policies(identity, world))
    account = account_of(identity) or _account(policies)
    boundary = world.fact(identity, "boundary")
    limit = Unseen(boundary) if isinstance(boundary, Gap) else policy(str(boundary), identity, world) if boundary else None
    above = levels(account, "service_control", world)
    return Subject(arn_of(identity, account), account, policies, limit, above.levels)


def _policies(identity: Resource, world: World) -> Iterator[Found]:
    inline = world.fact(identity, "inline_policies")
    if isinstance(inline, Gap):
        yield Unseen(inline, may_deny=not identity.partial)
    else:
        yield from (Policy(p["statements"]) for p in inline)
    attached = world.fact(identity, "attached_policies")
    for policy_id in identity.facts.get("attached_policies") or []:
        yield policy(str(policy_id), identity, world)
    if isinstance(attached, Gap):
        yield Unseen(attached, may_deny=not identity.partial)


def policy(policy_id: str, identity: Resource, world: World) -> Found:
    """A managed policy, made ready once."""
    return world.memo(f"principals.policy {policy_id} {identity.scope}", lambda: _policy(policy_id, identity, world))


def _policy(policy_id: str, identity: Resource, world: World) -> Found:
    found = managed(policy_id, identity, world)
    if isinstance(found, list):
        return Policy(found)
    # NOTE: of AWS's own policies a few deny, and those are known by name
    of_aws = isinstance(found, str) and DENYING.search(policy_id) is None
    return Unseen(missing(policy_id, identity, world) if isinstance(found, str) else found, may_deny=not of_aws)


def _account(policies: Iterable[Found]) -> str:
    """The account that a plan's policies speak of."""
    named = (
        match[1]
        for p in policies
        if isinstance(p, Policy)
        for s in p.statements
        for r in (*s["resources"], *s["not_resources"])
        if (match := IN_IAM.match(r))
    )
    return next(named, NOWHERE)


def partition_of(identity: Resource) -> str:
    """`aws`, `aws-cn` and so on."""
    match = ARN.match(identity.id)
    return match["partition"] if match else "aws"


def arn_of(identity: Resource, account: str) -> str:
    """The ARN of an identity; of a plan's, the one that it will have without a path."""
    if ARN.match(identity.id):
        return identity.id
    return f"arn:aws:iam::{account}:{'user' if identity.native_type == USER else 'role'}/{identity.name}"


def context_of(identity: Resource, subject: Subject, world: World) -> Context:
    """What every request of an identity says about it, as far as it is known.

    Tags of a session may come on top of those of a role, so a role may have a tag that was not seen; a user has no others.
    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
    """
    known: dict[str, Values] = {
        "aws:principalarn": (subject.arn,),
        "aws:principalisawsservice": ("false",),
        "aws:principalservicename": (),
        "aws:sourceaccount": (),
        "aws:sourcearn": (),
    }
    if subject.account != NOWHERE:
        known |= {"aws:principalaccount": (subject.account,), "aws:resourceaccount": (subject.account,)}
    organised = organisation_id(subject.account, world)
    if organised is not None:
        known |= dict.fromkeys(("aws:principalorgid", "aws:resourceorgid"), (organised,) if organised else ())
    known |= {f"aws:principaltag/{key.lower()}": (value,) for key, value in identity.tags.items()}
    if identity.native_type == ROLE:
        return Context({**known, "aws:username": (), "aws:principaltype": ("AssumedRole",)})
    known |= {"aws:username": (identity.name,), "aws:principaltype": ("User",)}
    return Context(known, () if "tags" in identity.gaps else ("aws:principaltag/",))
