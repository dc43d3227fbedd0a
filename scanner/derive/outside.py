"""Who from outside gets in by the policy of a resource: anyone, an account that is not the organisation's, a service for anyone.

What the organisation denies on its resources is counted where it was seen; where it was not, the policy is judged without it.
Services with such policies: https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.deputies import ASKING, services
from scanner.derive.names import account_of
from scanner.derive.organisation import ORGANISATION, READS, organisation, organisation_id, resource_denials
from scanner.derive.policy import Statement, everyone, public, strangers, unclear
from scanner.derive.resource_policies import SERVICES
from scanner.derive.storage import BUCKET
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

FACTS = ("outside_access", "outside_access_settled", "services_unscoped")
KINDS: Mapping[str, Mapping[str, str]] = {
    "data_store": {**SERVICES["data_store"], BUCKET: "s3"},
    "credential": SERVICES["credential"],
}
"""Kind → native type → IAM prefix of its service."""
BOUND = frozenset({"ecr", "kms", "s3", "secretsmanager", "sqs", "sts"})
"""Services that resource control policies reach."""


def outside_access(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who from outside gets in for certain; whether that is all; and services that act for anyone."""
    statements: Any = world.fact(resource, "policy_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(FACTS, statements)
    service = KINDS[resource.kind][resource.native_type]
    found: list[Statement] = [*statements, *(resource_denials(resource.scope, world) if service in BOUND else ())]
    entries: list[dict[str, JSON]] = []
    gaps: list[Gap] = []
    _anyone(resource, found, service, world, entries, gaps)
    others = _organisations(statements, organisation_id(account_of(resource), world))
    entries.extend({"access": "organisation", "principal": name} for name in others)
    odd = next((p for s in statements if s["effect"] == "Allow" for p in s["principals"] if p.startswith("CanonicalUser:")), None)
    if odd is not None:
        gaps.append(Gap(Reason.NOT_OFFERED, "", "Name the account by its number.", f"{odd[:40]} does not say which account it is"))
    asking = services(found, ASKING)
    loose = sorted(n for n, scoped in asking.items() if scoped is False)
    gap = next((v for v in asking.values() if isinstance(v, Gap)), None)
    return {
        "outside_access": entries,
        "outside_access_settled": gaps[0] if gaps else True,
        "services_unscoped": loose if loose or gap is None else gap,
    }


def _anyone(
    resource: Resource, found: list[Statement], service: str, world: World, entries: list[dict[str, JSON]], gaps: list[Gap]
) -> None:
    """Everyone, and accounts. A block on public policies takes all of a public policy back from outside the account.

    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-options
    """
    open_ = public(found, service)
    blocked = world.fact(resource, "policy_public_blocked") if resource.native_type == BUCKET else False
    if open_ == "yes" and blocked is True:
        return
    if open_ == "yes":
        if isinstance(blocked, Gap):
            gaps.append(blocked)
        else:
            entries.append({"access": "public", "principal": "*"})
    elif open_ == "conditional" and blocked is not True:
        gaps.append(unclear(found))
    own = account_of(resource)
    certain, doubtful = strangers(found, own, service)
    inside = _inside(own, world)
    certain, doubtful = certain - inside, doubtful - inside
    if not own and certain | doubtful:
        gaps.append(Gap(Reason.NOT_OFFERED, "", "Scan the account as well.", "which account owns the policy is not known"))
        return
    if open_ != "no" and blocked is not False and certain:
        # NOTE: where the block holds, and the policy should be public, these do not get in
        gaps.append(blocked if isinstance(blocked, Gap) else unclear(found))
        return
    entries += [{"access": "account", "principal": account} for account in sorted(certain)]
    if doubtful - certain:
        gaps.append(unclear(found))


def _inside(own: str, world: World) -> frozenset[str]:
    """The accounts of the organisation, as far as they were seen."""
    mine = organisation(own, world)
    known = world.fact(mine, "organisation_accounts") if mine is not None else []
    return frozenset(map(str, known)) if isinstance(known, list) else frozenset()


def _organisations(statements: Iterable[Statement], own: str | None) -> list[str]:
    """Other organisations that everyone of gets in; nothing where it is not known which is the account's own."""
    if own is None:
        return []
    return sorted(
        {
            str(value)
            for s in statements
            if s["effect"] == "Allow" and everyone(s) and len(s["conditions"]) == 1
            for c in s["conditions"]
            if c["key"] == "aws:principalorgid" and Operator.parse(str(c["operator"])).compares
            for value in c["values"]
            if str(value).startswith("o-")
            and value != own
            and not set(str(value)) & {"*", "?"}
            and not Operator.parse(str(c["operator"])).negated
        }
    )


DERIVATIONS: tuple[Derivation, ...] = tuple(
    Derivation(
        kind,
        FACTS,
        outside_access,
        needs=("policy_statements", *(("policy_public_blocked",) if BUCKET in types else ())),
        reads={**READS, ORGANISATION: (*READS[ORGANISATION], "organisation_accounts")},
        native_types=tuple(types),
    )
    for kind, types in KINDS.items()
)
