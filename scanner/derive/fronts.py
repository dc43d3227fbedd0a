"""What stands in front of nodes: load balancers by what they forward to, and what leads to those from outside of their network.

Global Accelerator, CloudFront's VPC origins and the VPC links of API Gateway reach load balancers and nodes that do not face the
internet. What they let through is not followed: where one leads there, nobody can say that there is no way.
https://docs.aws.amazon.com/global-accelerator/latest/dg/about-endpoints.html
https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html
https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-private.html
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass, field

from scanner.derive.addresses import Blocks
from scanner.derive.names import planned
from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

BALANCER = "AWS::ElasticLoadBalancingV2::LoadBalancer"
LISTENER = "AWS::ElasticLoadBalancingV2::Listener"
TARGETS = "AWS::ElasticLoadBalancingV2::TargetGroup"
CLASSIC = "AWS::ElasticLoadBalancing::LoadBalancer"
LEADS = (
    "AWS::GlobalAccelerator::Listener",
    "AWS::GlobalAccelerator::CustomRoutingListener",
    "AWS::CloudFront::VpcOrigin",
    "AWS::ApiGateway::VpcLink",
    "AWS::ApiGatewayV2::VpcLink",
)
ADDRESS = ":elastic-ip/"


@dataclass(slots=True)
class Fronts:
    """Load balancers by what they forward to, and what leads to them."""

    groups: dict[str, list[tuple[Resource, int]]] = field(default_factory=dict)
    """Target (a node's id, `network address`, a load balancer's id) → its target groups and ports there."""
    elsewhere: dict[str, list[Resource]] = field(default_factory=dict)
    """Address that is not in the network of its target group (but in a peered one) → such groups."""
    listeners: dict[str, list[Resource]] = field(default_factory=dict)
    """Target group → listeners that forward to it."""
    of: dict[str, list[Resource]] = field(default_factory=dict)
    """Load balancer → its listeners."""
    classic: dict[str, list[Resource]] = field(default_factory=dict)
    """Node → classic load balancers that it is registered with."""
    led: dict[str, Resource] = field(default_factory=dict)
    """Load balancer, node or subnet → what leads there from the internet."""
    addressed: dict[str, Resource] = field(default_factory=dict)
    """Scope → what leads to public addresses, of which it is not known whose they are."""
    entered: dict[str, list[Resource]] = field(default_factory=dict)
    """Network → links that stand in it and lead to whatever lets them in."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Scope → why some target or listener is unknown, or what something leads to."""


def _fronts(world: World) -> Fronts:
    found = Fronts()
    read = {TARGETS: _targets, LISTENER: _listener, CLASSIC: _classic, **dict.fromkeys(LEADS, _lead)}
    for endpoint in world.all("endpoint"):
        if endpoint.native_type not in read:
            continue
        gap = read[endpoint.native_type](found, endpoint, world)
        if gap is not None:
            found.gaps.setdefault(endpoint.scope, gap)
    return found


def _targets(found: Fronts, group: Resource, world: World) -> Gap | None:
    kind, network, targets = (world.fact(group, f) for f in ("target_type", "network_id", "targets"))
    for target in group.facts.get("targets") or []:
        identity = str(target["id"])
        named = kind != "ip" or identity.startswith("plan/")
        for name in (identity,) if named else places(str(network), identity):
            found.groups.setdefault(name, []).append((group, int(target["port"])))
        if not named and not _within(identity, str(network), world):
            found.elsewhere.setdefault(identity, []).append(group)
    return _first(kind, network if kind == "ip" else None, targets)


def _listener(found: Fronts, listener: Resource, world: World) -> Gap | None:
    groups, balancer = world.fact(listener, "target_group_ids"), world.fact(listener, "balancer_id")
    found.of.setdefault(str(balancer), []).append(listener)
    for group in listener.facts.get("target_group_ids") or []:
        found.listeners.setdefault(str(group), []).append(listener)
    return _first(groups, balancer)


def _classic(found: Fronts, balancer: Resource, world: World) -> Gap | None:
    for name in dict.fromkeys(str(t["id"]) for t in balancer.facts.get("targets") or []):
        found.classic.setdefault(name, []).append(balancer)
    return _first(world.fact(balancer, "targets"), world.fact(balancer, "listeners"))


def _lead(found: Fronts, lead: Resource, world: World) -> Gap | None:
    enabled, ends, subnets = (world.fact(lead, f) for f in ("enabled", "leads_to", "subnet_ids"))
    if enabled is False:
        return None
    for end in map(str, lead.facts.get("leads_to") or []):
        if ADDRESS in end or end.startswith("plan/aws_eip."):
            found.addressed.setdefault(lead.scope, lead)
        else:
            found.led.setdefault(end, lead)
    gap = _first(ends)
    for subnet in (world.get("subnet", str(s)) for s in lead.facts.get("subnet_ids") or []):
        network = None if subnet is None else world.fact(subnet, "network_id")
        if isinstance(network, str):
            known = found.entered.setdefault(network, [])
            known += [lead] if lead not in known else []
    # NOTE: only links stand in subnets; of one whose subnets were not seen nobody knows the network
    return gap or (_first(subnets) if lead.native_type == LEADS[-1] else None)


def _first(*values: object) -> Gap | None:
    return next((v for v in values if isinstance(v, Gap)), None)


def places(network: str, address: str) -> tuple[str, ...]:
    """Names of an address in a network: by itself, and by the prefix that a machine may hand on to its pods.

    https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-prefix-eni.html
    """
    try:
        own = ipaddress.ip_address(address)
    except ValueError:
        return (f"{network} {address}",)
    block = ipaddress.ip_network(f"{address}/{28 if own.version == 4 else 80}", strict=False)  # noqa: PLR2004
    return (f"{network} {address}", f"{network} {block}")


def _within(address: str, network_id: str, world: World) -> bool:
    """The address is in the network, as far as that is known."""
    network = world.get("network", network_id)
    cidrs = None if network is None else world.fact(network, "cidrs")
    return not isinstance(cidrs, list) or not is_address(address) or Blocks.of(*cidrs).holds(Blocks.of(address))


def is_address(text: str) -> bool:
    """The text is an address or a block of them; those of a plan are not known yet."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def fronts(world: World) -> Fronts:
    """The index, made once a world."""
    return world.memo("ways.fronts", lambda: _fronts(world))


def leading(lead: Resource, to: Resource) -> Gap:
    """Why it is not known what gets to something that a lead leads to."""
    return Gap(Reason.NOT_OFFERED, "", "Look at what may come that way.", f"{lead.name} ({lead.native_type}) leads to {to.name}")


def unseen_fronts(node: Resource, world: World) -> Iterator[Gap]:
    """Why something in front of a node may not have been seen."""
    yield from (g for n in (TARGETS, LISTENER, CLASSIC) if (g := world.listing(n, node.scope, node.region)) is not None)
    if planned(node):
        return  # NOTE: what is not in the plan cannot name what the plan makes
    for gap in (world.listing(native, node.scope, node.region) for native in LEADS):
        # NOTE: where the service does not know the question there is no such thing
        if gap is not None and gap.reason is not Reason.SERVICE_OFF:
            yield gap
