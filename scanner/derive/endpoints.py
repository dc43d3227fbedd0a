"""Private endpoints: which services a network reaches privately, and what an endpoint's policy lets through.

https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.conditions import ABOUT_RESOURCE, ACCOUNT_KEYS, ORGANISATION_KEYS, PATH_KEYS, Operator, reach
from scanner.derive.globs import everything
from scanner.derive.network import NETWORK, ROUTED, SUBNET, table_of
from scanner.derive.permissions import WHOLE_SERVICE, narrowed
from scanner.derive.policy import Statement, actions, everyone, resources, unclear
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

ENDPOINT = "AWS::EC2::VPCEndpoint"
GONE = ("deleting", "deleted", "rejected", "failed", "expired")
"""States of an endpoint that serves nobody; it is `pending` before it serves: https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_VpcEndpoint.html"""
FENCES = ABOUT_RESOURCE | ACCOUNT_KEYS | ORGANISATION_KEYS | PATH_KEYS
READS = {ENDPOINT: ("service", "endpoint_type", "network_id", "route_table_ids", "private_dns", "state")}


@dataclass(slots=True)
class Doors:
    """Private endpoints by what they serve."""

    services: dict[str, set[str]] = field(default_factory=dict)
    """Network → services reached."""
    s3_tables: set[str] = field(default_factory=set)
    """Route tables with a gateway endpoint of S3."""
    s3_networks: set[str] = field(default_factory=set)
    """Networks with an interface endpoint that answers for S3."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Scope → why some endpoint is not wholly known."""


def doors(world: World) -> Doors:
    """The index, made once a world."""
    return world.memo("endpoints.doors", lambda: _doors(world))


def _doors(world: World) -> Doors:
    found = Doors()
    for endpoint in world.all("private_endpoint"):
        state = world.fact(endpoint, "state")
        # NOTE: an endpoint of a plan has no state yet; it is counted as the one it will be
        unborn = isinstance(state, Gap) and state.reason in (Reason.KNOWN_AFTER_APPLY, Reason.NOT_OFFERED)
        if not unborn and not isinstance(state, Gap) and str(state).lower() in GONE:
            continue
        service, kind = world.fact(endpoint, "service"), world.fact(endpoint, "endpoint_type")
        network, dns, routes = (world.fact(endpoint, f) for f in ("network_id", "private_dns", "route_table_ids"))
        read = [
            service,
            kind,
            *((routes,) if kind == "gateway" else (dns,) if kind == "interface" else ()),
            *(() if unborn else (state,)),
        ]
        gap = next((g for g in read if isinstance(g, Gap)), None)
        if gap is None and isinstance(network, str) and (kind == "gateway" or dns is True):
            found.services.setdefault(network, set()).add(str(service))
            if service == "s3" and kind == "interface":
                found.s3_networks.add(network)
        if service == "s3" and kind == "gateway":
            found.s3_tables |= {str(t) for t in endpoint.facts.get("route_table_ids") or []}
        gap = gap or (network if isinstance(network, Gap) else None)
        if gap is not None:
            found.gaps.setdefault(endpoint.scope, gap)
    return found


def _missed(place: Resource, world: World) -> Gap | None:
    return doors(world).gaps.get(place.scope) or world.listing(ENDPOINT, place.scope, place.region)


def network_facts(network: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Provider services that a network reaches privately."""
    return {"private_services": _missed(network, world) or sorted(doors(world).services.get(network.id, ()))}


def subnet_facts(subnet: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """How a subnet reaches S3 privately."""
    table = table_of(subnet, world)
    gateway: Truth = table if isinstance(table, Gap) else table in doors(world).s3_tables or _missed(subnet, world) or False
    network = world.fact(subnet, "network_id")
    interface: Truth = (
        network if isinstance(network, Gap) else network in doors(world).s3_networks or _missed(subnet, world) or False
    )
    return {"s3_gateway": gateway, "s3_interface": interface}


def policy_open(statements: Iterable[Statement]) -> Truth:
    """Some Allow lets anyone do anything to anything, and no Deny draws a line around accounts or organisations."""
    found = list(statements)
    return not any(_perimeter(s) for s in found) and any_of(_open(found))


def _whole(statement: Statement) -> bool:
    """The statement speaks of everyone, of all that a service does, and of everything."""
    all_actions = any(everything(a) or a.endswith(":*") for a in actions(statement))
    return everyone(statement) and all_actions and any(everything(r) or WHOLE_SERVICE.match(r) for r in resources(statement))


def _perimeter(statement: Statement) -> bool:
    """A Deny of all that is outside given accounts or organisations."""
    fences = [c for c in statement["conditions"] if c["key"] in FENCES and _fence(c)]
    return statement["effect"] == "Deny" and _whole(statement) and bool(fences) and len(fences) == len(statement["conditions"])


def _fence(condition: Mapping[str, Any]) -> bool:
    """The Deny strikes whatever is not named; naming everything (`*`) strikes nothing."""
    return Operator.parse(condition["operator"]).negated and all(str(v).strip("*?") for v in condition["values"])


def _open(statements: list[Statement]) -> Iterator[Truth]:
    denied = any(s["effect"] == "Deny" and everyone(s) for s in statements)
    for allow in (s for s in statements if s["effect"] == "Allow" and _whole(s)):
        answers = {reach(allow["conditions"]), narrowed(allow["conditions"])}
        # NOTE: an Allow may be narrowed by who asks or by what is asked for; other Denies are not judged
        yield False if "closed" in answers else True if answers == {"open"} and not denied else unclear(statements)


def endpoint_facts(endpoint: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether an endpoint's policy is the open default."""
    statements = world.fact(endpoint, "policy_statements")
    return {"policy_open": statements if isinstance(statements, Gap) else policy_open(statements)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("network", ("private_services",), network_facts, reads=READS, native_types=(NETWORK,)),
    Derivation(
        "subnet",
        ("s3_gateway", "s3_interface"),
        subnet_facts,
        needs=("network_id",),
        reads={**READS, **ROUTED},
        native_types=(SUBNET,),
    ),
    Derivation("private_endpoint", ("policy_open",), endpoint_facts, needs=("policy_statements",), native_types=(ENDPOINT,)),
)
