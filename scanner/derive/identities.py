"""What identities may do, over all their policies and their boundary; what managed policies grant; who may assume a role.

These are questions about whole policies (does one allow everything?), which statements are read for. What one request comes to is for
`effective.py`, over the same policies (`principals.py`).

Boundaries: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from scanner.derive.names import SCAN_ACCOUNT, account_of, planned
from scanner.derive.organisation import MEMBERS, inside
from scanner.derive.permissions import data_wildcards, grants_admin, pass_role_any, uses_negation
from scanner.derive.policy import EVERYTHING, Statement, public, strangers, unclear
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.trust import trust_oidc
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

Answer = TypeVar("Answer")

ROLE, USER, POLICY = "AWS::IAM::Role", "AWS::IAM::User", "AWS::IAM::ManagedPolicy"
ADMINISTRATOR = ":iam::aws:policy/AdministratorAccess"
"""End of the id of the one policy of AWS's own that allows everything:
https://docs.aws.amazon.com/aws-managed-policy/latest/reference/AdministratorAccess.html"""
OF_AWS = ":iam::aws:policy/"
EXTERNAL_ID = frozenset({"sts:externalid"})
"""A secret shared with the third party: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html"""
TRUST = ("trust_public", "trust_foreign", "trust_foreign_settled", "trust_unplaced", "trust_foreign_resolved", "trust_oidc")
FACTS = ("grants_admin", "pass_role_any", "uses_negation", "data_wildcards")


def policy_facts(policy: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a managed policy grants."""
    statements = world.fact(policy, "statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    return {
        "grants_admin": grants_admin(statements),
        "pass_role_any": pass_role_any(statements),
        "uses_negation": uses_negation(statements),
        "data_wildcards": data_wildcards(statements),
    }


def identity_facts(identity: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What an identity is granted, over its policies, as far as its boundary lets it.

    A Deny in one policy takes back what another allows, as far as both were seen.
    """
    sets = _together(_sets(identity, world))
    boundary = _boundary(identity, world)
    admin = any_of(_admin(s) for s in sets)
    if identity.partial and isinstance(admin, Gap):
        admin = False  # NOTE: it only settles by which rule it fails; what it has elsewhere is not judged
    services = _services(sets)
    return {
        "grants_admin": admin if boundary is None else all_of((admin, _admin(boundary))),
        "pass_role_any": all_of((any_of(_passes(s) for s in sets), True if boundary is None else _passes(boundary))),
        "uses_negation": any_of(_judged(s, uses_negation) for s in sets),
        "data_wildcards": services if boundary is None else _bounded(services, boundary),
    }


Found = list[Statement] | str | Gap
"""Statements, the id of a policy of AWS's own that was not seen, or why another was not."""


def _together(sets: Iterable[Found]) -> list[Found]:
    """Each policy with what the others deny."""
    found = list(sets)
    denied = [s for known in found if isinstance(known, list) for s in known if s["effect"] == "Deny"]
    return [[*(s for s in f if s["effect"] == "Allow"), *denied] if isinstance(f, list) else f for f in found]


def _sets(identity: Resource, world: World) -> Iterator[Found]:
    inline = world.fact(identity, "inline_policies")
    if isinstance(inline, Gap):
        yield inline
    else:
        yield from (list(p["statements"]) for p in inline)
    attached = world.fact(identity, "attached_policies")
    for policy_id in identity.facts.get("attached_policies") or []:
        yield managed(str(policy_id), identity, world)
    if isinstance(attached, Gap):
        yield attached


def managed(policy_id: str, identity: Resource, world: World) -> Found:
    """A managed policy that an identity has."""
    policy = world.get("permission_set", policy_id)
    if policy is not None:
        statements = world.fact(policy, "statements")
        return statements if isinstance(statements, Gap) else list(statements)
    if policy_id.endswith(ADMINISTRATOR):
        return [EVERYTHING]
    if OF_AWS in policy_id:
        return policy_id
    return missing(policy_id, identity, world)


def missing(policy_id: str, identity: Resource, world: World) -> Gap:
    """Why a managed policy was not seen."""
    gap = None if planned(identity) else world.listing(POLICY, identity.scope)
    return gap or Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, f"the policy {policy_id} was not seen")


def _judged(found: Found, use: Callable[[Iterable[Statement]], Answer | Gap]) -> Answer | Gap:
    if isinstance(found, str):
        return Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, f"the policy {found} was not seen")
    return found if isinstance(found, Gap) else use(found)


def _admin(found: Found) -> Truth:
    # NOTE: of AWS's own policies only AdministratorAccess allows everything, so any other is settled unseen
    return False if isinstance(found, str) else _judged(found, grants_admin)


def _passes(found: Found) -> Truth:
    return _judged(found, pass_role_any)


def _services(sets: Iterable[Found]) -> list[str] | Gap:
    known: set[str] = set()
    gap: Gap | None = None
    for found in sets:
        services = _judged(found, data_wildcards)
        if isinstance(services, Gap):
            gap = gap or services
        else:
            known.update(services)
    return sorted(known) if known or gap is None else gap


def _boundary(identity: Resource, world: World) -> Found | None:
    boundary = world.fact(identity, "boundary")
    if isinstance(boundary, Gap):
        return boundary
    return managed(str(boundary), identity, world) if boundary else None


def _bounded(services: list[str] | Gap, boundary: Found) -> list[str] | Gap:
    if services == []:
        return []
    limit = _judged(boundary, data_wildcards)
    if isinstance(services, Gap) or isinstance(limit, Gap):
        return limit if isinstance(limit, Gap) else services
    return sorted(set(services) & set(limit))


def trust_facts(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who may assume a role."""
    statements: Any = world.fact(role, "trust_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(TRUST, statements)
    answer = public(statements, "sts")
    return {
        "trust_public": unclear(statements) if answer == "conditional" else answer,
        **_foreign(statements, role, world),
        "trust_oidc": trust_oidc(statements),
    }


def _foreign(statements: list[Statement], role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Accounts from outside the organisation, and those of which it is not known where they belong."""
    own = account_of(role)
    certain, doubtful = strangers(statements, own, "sts", secret=EXTERNAL_ID)
    if not own and certain | doubtful:
        gap = Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "which account owns the policy is not known")
        return dict.fromkeys(("trust_foreign", "trust_foreign_settled", "trust_unplaced", "trust_foreign_resolved"), gap)
    members = inside(own, world)
    known = frozenset() if isinstance(members, Gap) else members
    hidden = members if isinstance(members, Gap) and certain else None
    return {
        "trust_foreign": [] if hidden else sorted(certain - known),
        "trust_foreign_settled": unclear(statements) if doubtful - certain - known else True,
        "trust_unplaced": sorted(certain) if hidden else [],
        "trust_foreign_resolved": hidden or True,
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("permission_set", FACTS, policy_facts, needs=("statements",), native_types=(POLICY,)),
    Derivation(
        "identity",
        FACTS,
        identity_facts,
        needs=("inline_policies", "attached_policies", "boundary"),
        reads={POLICY: ("statements",)},
        native_types=(ROLE, USER),
    ),
    Derivation("identity", TRUST, trust_facts, needs=("trust_statements",), reads=MEMBERS, native_types=(ROLE,)),
)
