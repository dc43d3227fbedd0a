"""Which policies of the organisation apply to an account: level by level, from the root to the account itself.

A member account may mostly not read them. Then they are not seen, and what is granted is judged without them.

Service control policies: https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_scps_evaluation.html
Resource control policies: https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_evaluation.html
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from scanner.derive.circumstances import can
from scanner.derive.effective import Found, Policy, Subject, Unseen
from scanner.derive.globs import FILL
from scanner.derive.operators import Context, negated
from scanner.derive.policy import EVERYTHING, Statement
from scanner.derive.three import Truth, all_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

ORGANISATION, POLICY = "AWS::Organizations::Organization", "AWS::Organizations::Policy"
Sort = Literal["service_control", "resource_control"]
FACTS = ("organisation_in_use", "organisation_id", "management_account", "ancestors")
READS: Mapping[str, tuple[str, ...]] = {ORGANISATION: FACTS, POLICY: ("statements", "policy_type", "targets")}
"""What a derivation reads that asks for `levels`."""
MEMBERS: Mapping[str, tuple[str, ...]] = {ORGANISATION: ("organisation_accounts",)}
"""What a derivation reads that asks who is `inside`."""
GUARDED: Mapping[str, tuple[str, ...]] = {
    "cloudtrail": ("cloudtrail:stoplogging", "cloudtrail:deletetrail"),
    "guardduty": ("guardduty:deletedetector", "guardduty:disassociatefrommasteraccount", "guardduty:updatedetector"),
    "kms": ("kms:schedulekeydeletion", "kms:disablekey"),
}
"""Service → actions of which an organisation takes one, at least, away from its accounts."""
THINGS = {"cloudtrail": "trail", "guardduty": "detector", "kms": "key"}


@frozen
class Levels:
    """The policies of one sort that apply to an account."""

    seen: bool
    """False where they could not be read; then `levels` is empty."""
    levels: tuple[tuple[Found, ...], ...] = ()
    gap: Gap | None = None
    """Why they were not seen."""


def levels(scope: str, sort: Sort, world: World) -> Levels:
    """The policies of a sort that apply to an account."""
    return world.memo(f"organisation.{sort} {scope}", lambda: _levels(scope, sort, world))


def organisation(scope: str, world: World) -> Resource | None:
    """The account's view of its organisation."""
    found: dict[str, Resource] = world.memo(
        "organisation.accounts", lambda: {a.scope: a for a in world.all("account") if a.native_type == ORGANISATION}
    )
    return found.get(scope)


def organisation_id(scope: str, world: World) -> str | None:
    """The organisation that an account is in, empty for none; None where that is not known."""
    known = identifier(scope, world)
    return known if isinstance(known, str) else None


def identifier(scope: str, world: World) -> str | Gap:
    """As `organisation_id`, with why it is not known."""
    mine = organisation(scope, world)
    if mine is None:
        gap = world.listing(ORGANISATION, scope)
        return gap or Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "no organisation was seen")
    known = world.fact(mine, "organisation_id")
    return known if isinstance(known, Gap) else str(known)


def fellows(scope: str, other: str, world: World) -> Truth:
    """Two accounts are of one organisation."""
    mine, theirs = identifier(scope, world), identifier(other, world)
    if "" in (mine, theirs):
        return False
    gap = next((i for i in (mine, theirs) if isinstance(i, Gap)), None)
    return gap or mine == theirs


def inside(scope: str, world: World) -> frozenset[str] | Gap:
    """The accounts of an account's organisation, none where nobody asked; the gap of the call that failed."""
    mine = organisation(scope, world)
    known = world.listing(ORGANISATION, scope) if mine is None else world.fact(mine, "organisation_accounts")
    if isinstance(known, Gap) and known.reason is not Reason.NOT_OFFERED:
        return known
    return frozenset(map(str, known)) if isinstance(known, list) else frozenset()


def _levels(scope: str, sort: Sort, world: World) -> Levels:
    mine = organisation(scope, world)
    if mine is None:
        gap = world.listing(ORGANISATION, scope)
        return Levels(seen=False, gap=gap or Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "no organisation was seen"))
    facts: dict[str, Any] = {name: world.fact(mine, name) for name in ("organisation_in_use", "management_account")}
    if facts["organisation_in_use"] is False or facts["management_account"] == scope:
        return Levels(seen=True)  # NOTE: they never apply to the account that manages the organisation
    gap = next((v for v in facts.values() if isinstance(v, Gap)), None) or world.listing(POLICY, scope)
    return Levels(seen=False, gap=gap) if gap is not None else _along(mine, sort, world)


def _along(mine: Resource, sort: Sort, world: World) -> Levels:
    policies = [
        p for p in world.all("permission_set", mine.scope) if p.native_type == POLICY and world.fact(p, "policy_type") == sort
    ]
    if not policies:
        return Levels(seen=True)  # NOTE: one that allows everything is attached where a sort is enabled, so this one is not
    above = world.fact(mine, "ancestors")
    if isinstance(above, Gap):
        return Levels(seen=False, gap=above)
    at: dict[str, list[Found]] = {}
    for policy in policies:
        targets, statements = world.fact(policy, "targets"), world.fact(policy, "statements")
        if isinstance(targets, Gap):
            return Levels(seen=False, gap=targets)
        found = Unseen(statements) if isinstance(statements, Gap) else Policy(statements)
        for target in targets:
            at.setdefault(str(target), []).append(found)
    return Levels(seen=True, levels=tuple(tuple(at.get(str(entity), ())) for entity in above))


def resource_denials(scope: str, world: World) -> list[Statement]:
    """What resource control policies deny on the resources of an account; nothing where they were not seen."""
    found = levels(scope, "resource_control", world).levels
    policies = [p for level in found for p in level if isinstance(p, Policy)]
    return [s for p in policies for s in p.statements if s["effect"] == "Deny"]


def guarded_services(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Services of which a service control policy takes some destructive action away from everyone in the account."""
    found = levels(account.scope, "service_control", world)
    if not found.seen:
        return {"guarded_services": found.gap or []}
    anyone = Subject(
        account=account.scope,
        policies=(Policy([EVERYTHING]),),
        levels=found.levels,
    )
    # NOTE: a policy may spare those who run the organisation; so it is asked of somebody whom no policy names
    name = f"arn:aws:iam::{account.scope}:role/{FILL}"
    somebody = Context({"aws:principalarn": (name,), "aws:principalaccount": (account.scope,)}, ("aws:principaltag/",))
    known: list[str] = []
    gap: Gap | None = None
    for service, actions in sorted(GUARDED.items()):
        target = f"arn:aws:{service}:{FILL}:{account.scope}:{THINGS[service]}/{FILL}"
        open_: Truth = all_of(can(anyone, action, [target], somebody) for action in actions)
        guarded = negated(open_)
        if isinstance(guarded, Gap):
            gap = gap or guarded
        elif guarded:
            known.append(service)
    return {"guarded_services": gap if gap is not None else known}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "account", ("guarded_services",), guarded_services, needs=FACTS, reads={POLICY: READS[POLICY]}, native_types=(ORGANISATION,)
    ),
)
