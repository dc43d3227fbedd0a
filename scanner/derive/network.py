"""Networks: who reaches whom by routes, gateways and endpoints, and where the accelerators are.

Routing: https://docs.aws.amazon.com/vpc/latest/userguide/VPC_Route_Tables.html
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive import placement
from scanner.derive.names import missed, planned, unseen
from scanner.derive.placement import NODE
from scanner.derive.templates import TEMPLATE
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

NETWORK, SUBNET, TABLE = "AWS::EC2::VPC", "AWS::EC2::Subnet", "AWS::EC2::RouteTable"
GATEWAY = "AWS::EC2::InternetGateway"
PREFIX_LIST = "AWS::EC2::PrefixList"
MANAGED = "com.amazonaws."
"""Start of the names of AWS's own prefix lists, which nobody else may use: https://docs.aws.amazon.com/vpc/latest/userguide/working-with-aws-managed-prefix-lists.html"""
GROUP, ACL = "AWS::EC2::SecurityGroup", "AWS::EC2::NetworkAcl"
HALF_V4, HALF_V6 = 2**31, 2**124
"""Half of all IPv4 addresses, and of 2000::/3, the global unicast space of IPv6 (RFC 4291)."""


def network_facts(network: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a network has nodes, accelerators and a door to the internet."""
    return {
        "internet_gateway": _gateway(network, world),
        "has_nodes": placement.answer(network, "nodes", world),
        "has_accelerators": placement.answer(network, "accelerators", world),
    }


def _gateway(network: Resource, world: World) -> Truth:
    attached, gaps = world.memo("network.gateways", lambda: _gateways(world))
    if network.id in attached:
        return True
    return gaps.get(network.scope) or world.listing(GATEWAY, network.scope, network.region) or False


def _gateways(world: World) -> tuple[set[str], dict[str, Gap]]:
    attached: set[str] = set()
    gaps: dict[str, Gap] = {}
    for gateway in world.all("gateway"):
        if gateway.native_type != GATEWAY:
            continue
        networks = world.fact(gateway, "network_ids")
        attached |= {str(n) for n in gateway.facts.get("network_ids") or []}
        if isinstance(networks, Gap):
            gaps.setdefault(gateway.scope, networks)
    return attached, gaps


@dataclass(slots=True)
class Tables:
    """Route tables by what they serve."""

    explicit: dict[str, str] = field(default_factory=dict)
    """Subnet → its table."""
    main: dict[str, str] = field(default_factory=dict)
    """Network → its main table."""
    internet: dict[str, Truth] = field(default_factory=dict)
    """Table → whether it routes to an internet gateway."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Scope → why some table's subnets or role are unknown."""


def tables(world: World) -> Tables:
    """The index, made once a world."""
    return world.memo("network.tables", lambda: _tables(world))


def _tables(world: World) -> Tables:
    found = Tables()
    for table in world.all("route_table"):
        if table.native_type != TABLE:
            continue
        subnets, main, network = (world.fact(table, f) for f in ("subnet_ids", "main", "network_id"))
        for subnet in table.facts.get("subnet_ids") or []:
            found.explicit[str(subnet)] = table.id
        if main is True and isinstance(network, str):
            found.main[network] = table.id
        unknown = next((g for g in (subnets, main, network if main is True else None) if isinstance(g, Gap)), None)
        if unknown is not None:
            found.gaps.setdefault(table.scope, unknown)
        routes = world.fact(table, "routes")
        known = table.facts.get("routes") or []
        reached = leads_out(known)
        found.internet[table.id] = routes if isinstance(routes, Gap) and reached is not True else reached
    return found


def leads_out(routes: Iterable[Mapping[str, Any]]) -> Truth:
    """Live routes to an internet gateway lead to half of the internet or more. Egress-only gateways let nobody in."""
    blocks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
    listed = ""
    for route in routes:
        if route["target_type"] != "internet_gateway" or route.get("active") is False:
            continue
        destination = str(route["destination"])
        try:
            blocks.append(ipaddress.ip_network(destination, strict=False))
        except ValueError:
            listed = destination
    v4 = sum(b.num_addresses for b in ipaddress.collapse_addresses(b for b in blocks if isinstance(b, ipaddress.IPv4Network)))
    v6 = sum(b.num_addresses for b in ipaddress.collapse_addresses(b for b in blocks if isinstance(b, ipaddress.IPv6Network)))
    if v4 >= HALF_V4 or v6 >= HALF_V6:
        return True
    if listed:
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Look the prefix list up.",
            f"what is in {listed}, which is routed to an internet gateway, was not read",
        )
    return False


def table_of(subnet: Resource, world: World) -> str | Gap:
    """The route table of a subnet: its own, else its network's main one; empty for the one that a new network gets unasked."""
    index = tables(world)
    if subnet.id in index.explicit:
        return index.explicit[subnet.id]
    gap = index.gaps.get(subnet.scope) or world.listing(TABLE, subnet.scope, subnet.region)
    network = world.fact(subnet, "network_id")
    if gap is not None or isinstance(network, Gap):
        return gap or network
    if str(network) in index.main:
        return index.main[str(network)]
    if world.get("network", str(network)) is None:
        return unseen(world, NETWORK, subnet, str(network))
    if planned(subnet):
        return ""  # NOTE: made with the network, it has the local route alone until someone adds to it
    return Gap(Reason.UNPARSABLE, "ec2:DescribeRouteTables", "", f"{network} has no main route table")


def subnet_facts(subnet: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a subnet's route table leads to the internet."""
    table = table_of(subnet, world)
    return {"internet_route": table if isinstance(table, Gap) else tables(world).internet.get(table, False)}


def subnet_accelerators(subnet: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a subnet holds an accelerator node."""
    return {"has_accelerators": placement.answer(subnet, "accelerators", world)}


def node_facts(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether some subnet of a node leads to the internet."""
    subnets = world.fact(node, "subnet_ids")
    if isinstance(subnets, Gap):
        return {"internet_route": subnets}
    return {"internet_route": any_of(_routed(node, str(s), world) for s in subnets)}


def _routed(node: Resource, subnet_id: str, world: World) -> Truth:
    subnet = world.get("subnet", subnet_id)
    if subnet is None:
        return unseen(world, SUBNET, node, subnet_id)
    truth = world.fact(subnet, "internet_route")
    return truth if isinstance(truth, Gap) else truth is True


def firewall_facts(firewall: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What stands behind a firewall: a security group is on nodes, an ACL on subnets."""
    if firewall.native_type == GROUP:
        return {
            "protects_accelerators": placement.answer(firewall, "accelerators", world),
            "efa": placement.answer(firewall, "efa", world),
        }
    if planned(firewall) and world.fact(firewall, "is_default") is True:
        return {"protects_accelerators": _left_over(firewall, world)}
    subnets = world.fact(firewall, "subnet_ids")
    if isinstance(subnets, Gap):
        return {"protects_accelerators": subnets}
    return {"protects_accelerators": any_of(holds_accelerators(firewall, str(s), world) for s in subnets)}


def _left_over(acl: Resource, world: World) -> Truth:
    """Whether some subnet of a planned network that no other ACL has holds an accelerator node: the default one has it."""
    own = world.fact(acl, "network_id")
    others = [a for a in world.all("firewall", acl.scope) if a.native_type == ACL and a.id != acl.id]
    taken = {str(s) for a in others for s in a.facts.get("subnet_ids") or []}
    late = next(
        (g for a in others if isinstance(g := world.fact(a, "subnet_ids"), Gap) and a.facts.get("is_default") is not True), None
    )
    left = (s for s in world.all("subnet", acl.scope) if s.id not in taken and s.facts.get("network_id") == own)
    found = any_of(placement.answer(s, "accelerators", world) for s in left)
    if isinstance(own, Gap) or found is not True:
        return own if isinstance(own, Gap) else found
    return late or True


def holds_accelerators(firewall: Resource, subnet_id: str, world: World) -> Truth:
    """Whether a subnet that `firewall` (or a table) names holds an accelerator node."""
    subnet = world.get("subnet", subnet_id)
    if subnet is None:
        return unseen(world, SUBNET, firewall, subnet_id)
    return placement.answer(subnet, "accelerators", world)


def firewall_cidrs(firewall: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The address blocks of a firewall's network."""
    network_id = world.fact(firewall, "network_id")
    if isinstance(network_id, Gap):
        return {"network_cidrs": network_id}
    network = world.get("network", str(network_id))
    return {"network_cidrs": unseen(world, NETWORK, firewall, str(network_id)) if network is None else world.fact(network, "cidrs")}


def firewall_sources(firewall: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What prefix lists let in, block by block, and whether all of them were seen."""
    entries = world.fact(firewall, "ingress")
    gap = entries if isinstance(entries, Gap) else None
    listed: list[JSON] = []
    for entry in firewall.facts.get("ingress") or []:
        if entry["source_type"] != "prefix_list":
            continue
        cidrs = _listed(firewall, str(entry["source"]), world)
        if isinstance(cidrs, Gap):
            gap = gap or cidrs
            continue
        listed += [{**entry, "source_type": "cidr", "source": cidr, "list": entry["source"]} for cidr in cidrs]
    return {"listed_ingress": listed, "ingress_resolved": gap or True}


def _listed(firewall: Resource, name: str, world: World) -> Iterable[str] | Gap:
    """The blocks in a prefix list. Those of a service of the provider are addresses of machines of its, not of everyone's."""
    found = world.get("firewall", name)
    if found is None:
        return unseen(world, PREFIX_LIST, firewall, name)
    if found.name.startswith(MANAGED):
        return ()
    cidrs = world.fact(found, "cidrs")
    return cidrs if isinstance(cidrs, Gap) else list(map(str, cidrs))


def ordered_ingress(firewall: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The entries, or why not all of them are known: one that is missing may deny (in an ACL), or allow, what others do not."""
    return {"ordered_ingress": world.fact(firewall, "ingress")}


def account_facts(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a region is in use: it has a node, a service for models, or a network that the provider did not make."""
    if planned(account):
        return {"in_use": True}  # a plan that sets it means to use the region
    used, gaps = world.memo("network.regions", lambda: _regions(world))
    if (account.scope, account.region) in used:
        return {"in_use": True}
    listings = (world.listing(native, account.scope, account.region) for native in (NETWORK, NODE, *SERVICES))
    return {"in_use": gaps.get((account.scope, account.region)) or next(missed(listings), None) or False}


def _regions(world: World) -> tuple[set[tuple[str, str]], dict[tuple[str, str], Gap]]:
    used = {(n.scope, n.region) for n in world.all("node") if n.native_type == NODE}
    used |= {(m.scope, m.region) for m in world.all("model_service") if m.native_type in SERVICES}
    gaps: dict[tuple[str, str], Gap] = {}
    for network in world.all("network"):
        default = world.fact(network, "is_default")
        if default is False:
            used.add((network.scope, network.region))
        elif isinstance(default, Gap):
            gaps.setdefault((network.scope, network.region), default)
    return used, gaps


REGIONAL = (
    "AWS::EC2::EBSEncryptionByDefault",
    "AWS::EC2::VPCBlockPublicAccessOptions",
    "AWS::Config::ConfigurationRecorder",
    "AWS::GuardDuty::Detector",
    "AWS::SecurityHub::Hub",
    "AWS::AccessAnalyzer::Analyzer",
)
"""Settings of an account that each region has for itself."""
SERVICES = (
    "AWS::Bedrock::Agent",
    "AWS::Bedrock::CustomModel",
    "AWS::Bedrock::DataSource",
    "AWS::Bedrock::Guardrail",
    "AWS::Bedrock::ImportedModel",
    "AWS::BedrockAgentCore::Runtime",
    "AWS::SageMaker::Cluster",
    "AWS::SageMaker::Domain",
    "AWS::SageMaker::Endpoint",
    "AWS::SageMaker::NotebookInstance",
    "AWS::SageMaker::TrainingJob",
)
"""What makes a region one of the factory's though it has no network of its own there."""
ROUTED = {TABLE: ("subnet_ids", "main", "network_id", "routes"), NETWORK: ()}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "network",
        ("internet_gateway", "has_nodes", "has_accelerators"),
        network_facts,
        reads={GATEWAY: ("network_ids",), **placement.READS},
        native_types=(NETWORK,),
    ),
    Derivation("subnet", ("internet_route",), subnet_facts, needs=("network_id",), reads=ROUTED, native_types=(SUBNET,)),
    Derivation("subnet", ("has_accelerators",), subnet_accelerators, reads=placement.READS, native_types=(SUBNET,)),
    Derivation(
        "node",
        ("internet_route",),
        node_facts,
        needs=("subnet_ids",),
        reads={SUBNET: ("internet_route",)},
        native_types=(NODE, TEMPLATE),
    ),
    Derivation(
        "firewall",
        ("protects_accelerators", "efa"),
        firewall_facts,
        reads={
            NODE: ("accelerator", "efa", "firewall_ids", "efa_firewall_ids"),
            TEMPLATE: ("efa", "efa_firewall_ids"),
            placement.CLUSTER: ("instance_groups",),
        },
        native_types=(GROUP,),
    ),
    Derivation(
        "firewall",
        ("protects_accelerators",),
        firewall_facts,
        needs=("subnet_ids", "is_default", "network_id"),
        reads={SUBNET: ("network_id",), **placement.READS},
        native_types=(ACL,),
    ),
    Derivation("firewall", ("ordered_ingress",), ordered_ingress, needs=("ingress",), native_types=(ACL, GROUP)),
    Derivation(
        "firewall",
        ("listed_ingress", "ingress_resolved"),
        firewall_sources,
        needs=("ingress",),
        reads={PREFIX_LIST: ("cidrs",)},
        native_types=(GROUP,),
    ),
    Derivation(
        "firewall", ("network_cidrs",), firewall_cidrs, needs=("network_id",), reads={NETWORK: ("cidrs",)}, native_types=(GROUP,)
    ),
    Derivation(
        "account",
        ("in_use",),
        account_facts,
        reads={NETWORK: ("is_default",), NODE: (), **dict.fromkeys(SERVICES, ())},
        native_types=REGIONAL,
    ),
)
