"""Who from outside gets in by the policy of a resource: anyone, an account that is not the organisation's, a service for anyone.

What the organisation denies on its resources is counted where it was seen; where it was not, the policy is judged without it.
Services with such policies: https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.deputies import ASKING, services
from scanner.derive.names import account_of
from scanner.derive.organisation import MEMBERS, ORGANISATION, READS, identifier, inside, resource_denials
from scanner.derive.policy import Statement, everyone, public, strangers, unclear
from scanner.derive.resource_policies import SERVICES
from scanner.derive.storage import BUCKET
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

FACTS = ("outside_access", "outside_access_settled", "outside_access_resolved", "services_unscoped")
KINDS: Mapping[str, Mapping[str, str]] = {
    "data_store": {**SERVICES["data_store"], BUCKET: "s3"},
    "credential": SERVICES["credential"],
}
"""Kind → native type → IAM prefix of its service."""
NAME = re.compile(r"^o-[a-z0-9]+$")
"""Of an organisation: https://docs.aws.amazon.com/organizations/latest/APIReference/API_Organization.html"""
BOUND = frozenset({"dynamodb", "ecr", "s3", "secretsmanager", "sqs"})
"""Services of `KINDS` that resource control policies reach; more follow, so whether they reach another is not known.
https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html#rcp-supported-services"""


def outside_access(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who from outside gets in for certain; whether that is all; and services that act for anyone."""
    statements: Any = world.fact(resource, "policy_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    service = KINDS[resource.kind][resource.native_type]
    found: list[Statement] = [*statements, *resource_denials(resource.scope, world)]
    entries, gaps, placed = _anyone(resource, found, service, world)
    if service not in BOUND and entries != (bare := _anyone(resource, statements, service, world))[0]:
        said = f"whether policies of the organisation reach the resources of {service} is not known"
        return dict.fromkeys(FACTS, Gap(Reason.NOT_OFFERED, "", "Judge it by hand.", said)) | {
            "outside_access_resolved": bare[2] or True
        }
    mine = identifier(account_of(resource), world)
    others, unsure = _organisations(found, service)
    strange = [name for name in others if name != mine]
    if isinstance(mine, Gap) and mine.reason is not Reason.NOT_OFFERED and strange:
        placed = placed or mine
        entries.extend({"access": "unplaced", "principal": name} for name in strange)
    elif not isinstance(mine, Gap):
        entries.extend({"access": "organisation", "principal": name} for name in strange)
        gaps += [unsure] if unsure is not None else []
    odd = next((p for s in statements if s["effect"] == "Allow" for p in s["principals"] if p.startswith("CanonicalUser:")), None)
    if odd is not None:
        gaps.append(Gap(Reason.NOT_OFFERED, "", "Name the account by its number.", f"{odd[:40]} does not say which account it is"))
    asking = services(found, ASKING)
    loose = sorted(n for n, scoped in asking.items() if scoped is False)
    gap = next((v for v in asking.values() if isinstance(v, Gap)), None)
    return {
        "outside_access": entries,
        "outside_access_settled": gaps[0] if gaps else True,
        "outside_access_resolved": placed or True,
        "services_unscoped": loose if loose or gap is None else gap,
    }


def _anyone(
    resource: Resource, found: list[Statement], service: str, world: World
) -> tuple[list[dict[str, JSON]], list[Gap], Gap | None]:
    """Everyone, and accounts; what is not clear; and why it is not known which accounts are the organisation's own. A block on public policies takes all of a public policy back from outside the account.

    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-options
    """
    entries: list[dict[str, JSON]] = []
    gaps: list[Gap] = []
    open_ = public(found, service)
    blocked = world.fact(resource, "policy_public_blocked") if resource.native_type == BUCKET else False
    if open_ == "yes" and blocked is True:
        return entries, gaps, None
    if open_ == "yes":
        if isinstance(blocked, Gap):
            gaps.append(blocked)
        else:
            entries.append({"access": "public", "principal": "*"})
    elif open_ == "conditional" and blocked is not True:
        gaps.append(unclear(found))
    own = account_of(resource)
    certain, doubtful = strangers(found, own, service)
    members = inside(own, world)
    known = frozenset() if isinstance(members, Gap) else members
    certain, doubtful = certain - known, doubtful - known
    if not own and certain | doubtful:
        gaps.append(Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "which account owns the policy is not known"))
        return entries, gaps, None
    if open_ != "no" and blocked is not False and certain:
        # NOTE: where the block holds, and the policy should be public, these do not get in
        gaps.append(blocked if isinstance(blocked, Gap) else unclear(found))
        return entries, gaps, None
    unplaced = members if isinstance(members, Gap) and certain else None
    sort = "account" if unplaced is None else "unplaced"
    entries += [{"access": sort, "principal": account} for account in sorted(certain)]
    if doubtful - certain:
        gaps.append(unclear(found))
    return entries, gaps, unplaced


def _organisations(found: Iterable[Statement], service: str) -> tuple[list[str], Gap | None]:
    """Organisations of which everyone gets in; and what is not clear."""
    every = list(found)
    known: set[str] = set()
    gap: Gap | None = None
    for allow in (s for s in every if s["effect"] == "Allow" and everyone(s)):
        for condition in (c for c in allow["conditions"] if c["key"] == "aws:principalorgid"):
            how = Operator.parse(str(condition["operator"]))
            for name in condition["values"] if how.compares and not how.negated else ():
                bare = {**allow, "conditions": [c for c in allow["conditions"] if c is not condition]}
                denies = [s for s in every if s["effect"] == "Deny" and not any(name in c["values"] for c in s["conditions"])]
                open_ = public([bare, *denies], service) if NAME.match(str(name)) else "no"
                if open_ == "yes":
                    known.add(str(name))
                elif open_ == "conditional":
                    gap = gap or unclear(every)
    return sorted(known), gap


DERIVATIONS: tuple[Derivation, ...] = tuple(
    Derivation(
        kind,
        FACTS,
        outside_access,
        needs=("policy_statements", *(("policy_public_blocked",) if BUCKET in types else ())),
        reads={**READS, ORGANISATION: (*READS[ORGANISATION], *MEMBERS[ORGANISATION])},
        native_types=tuple(types),
    )
    for kind, types in KINDS.items()
)
