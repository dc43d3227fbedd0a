"""Which parts of a search store answer on the internet, and whether its policies let everyone in.

Policies of OpenSearch Serverless name collections by pattern. Where several network policies fit, the public one wins:
https://docs.aws.amazon.com/opensearch-service/latest/developerguide/serverless-network.html#serverless-network-precedence
A data access policy grants to the principals that it names and to nobody else; one that names none fits no request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from scanner.derive.globs import covers, everything, overlaps
from scanner.derive.names import SCAN_ACCOUNT, planned
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

DOMAIN = "AWS::OpenSearchService::Domain"
COLLECTION = "AWS::OpenSearchServerless::Collection"
NETWORK = "AWS::OpenSearchServerless::SecurityPolicy"
ACCESS = "AWS::OpenSearchServerless::AccessPolicy"
RULES = "aws.policy_rules"
PARTS = ("collection", "dashboard")

FOREIGN = re.compile(r"^arn:[^:]*:(?:iam|sts)::([^:]*):")


def domain_parts(domain: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """A domain answers on the internet unless it stands in a network; its dashboards answer where it does."""
    facing = world.fact(domain, "internet_facing")
    return {"internet_parts": facing if isinstance(facing, Gap) else ["domain"] if facing else []}


def collection_facts(collection: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the policies of the account say of one collection."""
    found, gap = _matching(collection, world, NETWORK, lambda rule: rule["public"] and rule["resource_type"] in PARTS)
    public = sorted({str(rule["resource_type"]) for rule in found})
    granted, ungranted = _matching(collection, world, ACCESS, lambda rule: any(everyone(p) for p in rule["principals"]))
    return {
        # NOTE: one that is seen is enough for a failure; that there is none takes all policies
        "internet_parts": public or gap or [],
        "policy_public": "yes" if granted else ungranted or "no",
    }


def everyone(principal: str) -> bool:
    """The principal of a data access policy is anyone at all, or someone in any account."""
    match = FOREIGN.match(principal)
    return everything(principal) or bool(match and "*" in match[1])


def applies(rule: Mapping[str, Any], name: str) -> bool:
    """The rule speaks of the collection, or of indexes in it."""
    if rule["resource_type"] == "index":
        return any(overlaps(pattern, f"index/{name}/*") for pattern in rule["resources"])
    return any(covers(pattern, f"collection/{name}") for pattern in rule["resources"])


def _matching(
    collection: Resource, world: World, native_type: str, wanted: Callable[[Mapping[str, Any]], bool]
) -> tuple[list[Mapping[str, Any]], Gap | None]:
    """Rules that speak of a collection and are wanted, and why there may be others."""
    found: list[Mapping[str, Any]] = []
    gap = Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "other policies of the account may apply") if planned(collection) else None
    gap = gap or world.listing(native_type, collection.scope, collection.region)
    for policy in _policies(collection, world, native_type):
        rules = world.fact(policy, RULES)
        if isinstance(rules, list):
            found += [r for r in rules if isinstance(r, dict) and wanted(r) and applies(r, collection.name)]
        elif isinstance(rules, Gap):
            gap = gap or rules
    return found, gap


def _policies(collection: Resource, world: World, native_type: str) -> Iterator[Resource]:
    index = world.memo("search.policies", lambda: _index(world))
    yield from index.get((native_type, collection.scope, collection.region), ())


def _index(world: World) -> dict[tuple[str, str, str], list[Resource]]:
    found: dict[tuple[str, str, str], list[Resource]] = {}
    for setting in world.all("account"):
        if setting.native_type in (NETWORK, ACCESS):
            found.setdefault((setting.native_type, setting.scope, setting.region), []).append(setting)
    return found


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("data_store", ("internet_parts",), domain_parts, needs=("internet_facing",), native_types=(DOMAIN,)),
    Derivation(
        "data_store",
        ("internet_parts", "policy_public"),
        collection_facts,
        reads={NETWORK: (RULES,), ACCESS: (RULES,)},
        native_types=(COLLECTION,),
    ),
)
