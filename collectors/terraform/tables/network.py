"""Networks, subnets, routes, gateways, filters and endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws.network import ENDPOINT_POLICY, FULL_ACCESS, GATEWAY_ENDPOINT, endpoint_type, policy_supported, short_service
from collectors.policy import statements
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables import filters
from collectors.terraform.tables.shared import (
    CREATED,
    PLACE,
    TAGS,
    PlanField,
    canonical,
    docs,
    flat,
    many,
    names,
    one,
    only_new,
    title,
)

VPC = docs("aws_vpc")
SUBNET = docs("aws_subnet")
ENDPOINT = docs("aws_vpc_endpoint")
ENCRYPTION = "https://github.com/hashicorp/terraform-provider-aws/blob/main/website/docs/r/vpc_encryption_control.html.markdown"
EXCLUSIONS = {
    "internet_gateway_exclusion": "InternetGateway",
    "egress_only_internet_gateway_exclusion": "EgressOnlyInternetGateway",
    "nat_gateway_exclusion": "NatGateway",
    "virtual_private_gateway_exclusion": "VirtualPrivateGateway",
    "vpc_peering_exclusion": "VpcPeering",
    "lambda_exclusion": "Lambda",
    "vpc_lattice_exclusion": "VpcLattice",
    "elastic_file_system_exclusion": "ElasticFileSystem",
}
LOCAL_ROUTE = "https://docs.aws.amazon.com/vpc/latest/userguide/RouteTables.html#route-table-routes"

ROUTE = (
    "cidr_block", "ipv6_cidr_block", "destination_prefix_list_id", "gateway_id", "nat_gateway_id", "vpc_peering_connection_id",
    "transit_gateway_id", "core_network_arn", "egress_only_gateway_id", "network_interface_id", "local_gateway_id",
    "carrier_gateway_id", "vpc_endpoint_id",
)  # fmt: skip
_OWN_ROUTE = (*(n for n in ROUTE if "cidr" not in n), "destination_cidr_block", "destination_ipv6_cidr_block")

TARGETS = (  # attribute of a route, resource in its ARN, target type
    ("nat_gateway_id", "natgateway", "nat"),
    ("vpc_peering_connection_id", "vpc-peering-connection", "peering"),
    ("transit_gateway_id", "transit-gateway", "transit"),
    ("core_network_arn", "", "transit"),
    ("egress_only_gateway_id", "egress-only-internet-gateway", "egress_only_gateway"),
    ("vpc_endpoint_id", "vpc-endpoint", "endpoint"),
    ("network_interface_id", "network-interface", "interface"),
    ("local_gateway_id", "local-gateway", "other"),
    ("carrier_gateway_id", "carrier-gateway", "other"),
)
GATEWAYS = (  # start of a gateway's id, resource in its ARN, target type
    ("plan/", "aws_internet_gateway", "internet_gateway"),
    ("plan/", "aws_vpc_endpoint", "endpoint"),
    ("plan/", "aws_vpn_gateway", "other"),
    ("igw-", "internet-gateway", "internet_gateway"),
    ("vgw-", "vpn-gateway", "other"),
    ("vpce-", "vpc-endpoint", "endpoint"),
    ("eigw-", "egress-only-internet-gateway", "egress_only_gateway"),
)


def flow_logs(created: bool, logs: list[Mapping[str, Any]] | None) -> Any:  # noqa: FBT001 - a value of the row
    """Flow logs of a network: as planned they are active."""
    if not logs:
        return only_new(created, [])
    found = [
        {"traffic": {"ALL": "all", "ACCEPT": "accept", "REJECT": "reject"}[log["traffic_type"]], "active": True} for log in logs
    ]
    return sorted(found, key=lambda log: str(log["traffic"]))


def encryption_mode(created: bool, mode: str | None) -> Any:  # noqa: FBT001 - a value of the row
    """What the control of encryption in a network will do."""
    return mode or only_new(created, "none")


def encryption_exclusions(created: bool, control: Mapping[str, Any] | None) -> Any:  # noqa: FBT001 - a value of the row
    """What the control lets through in clear text, by the names of the service."""
    if not control or not control.get("mode"):
        return only_new(created, [])
    return sorted(name for attribute, name in EXCLUSIONS.items() if control.get(attribute) == "enable")


def subnet_cidrs(*found: Any) -> Any:
    """Address blocks; a subnet always has one."""
    return names(flat(*found)) or MISSING


def cidrs(primary: str | None, six: str | None, more: Any, more_six: Any) -> list[str]:
    """Address blocks."""
    return names(flat(primary, six, more, more_six))


def subnet_ids(partition: str, region: str | None, account: str | None, created: bool, found: Any) -> Any:  # noqa: FBT001
    """Subnets associated by name."""
    ids = sorted({canonical("ec2", "subnet", partition, region, account, v) for v in flat(found)})
    return ids or only_new(created, [])


def routes(
    partition: str, region: str | None, account: str | None, inline: Any, own: Any, cidr: str | None
) -> list[dict[str, Any]]:
    """Routes of the table, the network's local one included where its addresses are known."""
    found = {}
    if cidr:
        found[cidr] = {"destination": cidr, "target": "local", "target_type": "local", "active": True}
    for route in [*(inline or []), *(own or [])]:
        ends = (
            "destination_cidr_block",
            "destination_ipv6_cidr_block",
            "cidr_block",
            "ipv6_cidr_block",
            "destination_prefix_list_id",
        )
        destination = next((v for n in ends if (v := route.get(n))), None)
        if destination is None:
            continue  # NOTE: it is not known yet, or a secret: a gap says so, and the others are shown
        target, kind = _target(partition, region, account, route)
        found[destination] = {"destination": destination, "target": target, "target_type": kind, "active": True}
    return sorted(found.values(), key=lambda r: (r["destination"], r["target_type"], r["target"]))


def _target(partition: str, region: str | None, account: str | None, route: Mapping[str, Any]) -> tuple[str, str]:
    gateway = str(route.get("gateway_id") or "")
    if gateway == "local":
        return "local", "local"
    for start, resource, kind in GATEWAYS if gateway else ():
        if start == "plan/" and gateway.startswith(start) and f".{resource}." in f".{gateway[5:]}":
            return gateway, kind
        if gateway.startswith(start) and start != "plan/":
            return canonical("ec2", resource, partition, region, account, gateway), kind
    for attribute, resource, kind in TARGETS:
        if value := route.get(attribute):
            return canonical("ec2", resource, partition, region, account, value), kind
    if gateway:
        return gateway, "other"
    msg = "a route without a target"
    raise ValueError(msg)


def endpoint_policy(own: str | None, inline: str | None, kind: str | None) -> Any:
    """The endpoint policy; full access where nobody sets one and the type of endpoint takes one."""
    if own or inline:
        return statements(own or inline)
    return FULL_ACCESS if kind in (None, "Gateway", "Interface") else MISSING


def supported(name: str, kind: str | None, own: str | None, inline: str | None) -> Any:
    """The service takes an endpoint policy: gateway endpoints always do, and one that is given a policy must."""
    return True if own or inline or kind in (None, "Gateway") else policy_supported(name, supported=None)


def _network(kind: str, *, default: bool) -> PlanTable:
    return PlanTable(
        "network",
        "AWS::EC2::VPC",
        kind,
        {
            "cidrs": Field(
                ("item.cidr_block", "item.ipv6_cidr_block", "blocks[].cidr_block", "blocks6[].ipv6_cidr_block"),
                cidrs,
                absent=[],
                source=VPC,
            ),
            "is_default": Const(default),
            "flow_logs": Field((CREATED, pick("flows[]", "traffic_type")), flow_logs),
            "encryption_mode": Field((CREATED, "control.mode"), encryption_mode, absent="none", source=ENCRYPTION),
            "encryption_exclusions": Field(
                (CREATED, pick("control", "mode", *EXCLUSIONS)), encryption_exclusions, absent=[], source=ENCRYPTION
            ),
        },
        {
            "flows": Join("aws_flow_log", on="vpc_id", many=True),
            "control": Join("aws_vpc_encryption_control", on="vpc_id"),
            "blocks": Join("aws_vpc_ipv4_cidr_block_association", on="vpc_id", many=True),
            "blocks6": Join("aws_vpc_ipv6_cidr_block_association", on="vpc_id", many=True),
        },
        name=title(),
        tags=TAGS,
        elsewhere={"flow_logs": MISSING},
    )


def _subnet(kind: str, *, public: bool) -> PlanTable:
    return PlanTable(
        "subnet",
        "AWS::EC2::Subnet",
        kind,
        {
            "network_id": one("vpc", "item.vpc_id"),
            "public_ip_on_launch": Field("item.map_public_ip_on_launch", absent=public, source=SUBNET),
            "ipv6_on_launch": Field("item.assign_ipv6_address_on_creation", absent=False, source=SUBNET),
            "zone_name": Field("item.availability_zone"),
            "cidrs": Field(("item.cidr_block", "item.ipv6_cidr_block"), subnet_cidrs, absent=[], source=SUBNET),
        },
        name=title(),
        tags=TAGS,
    )


def _route_table(kind: str, main: Any) -> PlanTable:
    network = ("item.vpc_id",) if kind == "aws_route_table" else ("item.vpc_id", "item.default_route_table_id")
    return PlanTable(
        "route_table",
        "AWS::EC2::RouteTable",
        kind,
        {
            "network_id": one("vpc", *network),
            "main": main,
            "subnet_ids": Field((*PLACE, CREATED, "subnets[].subnet_id"), subnet_ids),
            "routes": Field(
                (*PLACE, pick("item.route[]", *ROUTE), pick("own[]", *_OWN_ROUTE), "maybe_vpc.cidr_block"), routes,
                absent=[], source=LOCAL_ROUTE,
            ),
        },
        {
            "subnets": Join("aws_route_table_association", on="route_table_id", many=True),
            "own": Join("aws_route", on="route_table_id", many=True),
            "maybe_vpc": Join("aws_vpc", on="id", to=network[-1].removeprefix("item.")),
            "main": Join("aws_main_route_table_association", on="route_table_id"),
        },
        name=title(),
        tags=TAGS,
    )  # fmt: skip


GATEWAY = PlanTable(
    "gateway",
    "AWS::EC2::InternetGateway",
    "aws_internet_gateway",
    {
        "gateway_type": Const("internet"),
        "network_ids": many("vpc", "item.vpc_id", "attached[].vpc_id", source=docs("aws_internet_gateway")),
    },
    {"attached": Join("aws_internet_gateway_attachment", on="internet_gateway_id", many=True)},
    name=title(),
    tags=TAGS,
)

ENDPOINTS = PlanTable(
    "private_endpoint",
    "AWS::EC2::VPCEndpoint",
    "aws_vpc_endpoint",
    {
        "service": Field("item.service_name", short_service),
        "endpoint_type": Field("item.vpc_endpoint_type", endpoint_type, absent="gateway", source=ENDPOINT),
        "network_id": one("vpc", "item.vpc_id"),
        "route_table_ids": many("route-table", "item.route_table_ids", "tables[].route_table_id", source=ENDPOINT),
        "private_dns": Field("item.private_dns_enabled", absent=False, source=GATEWAY_ENDPOINT),
        "state": Field("item.state", str.lower),
        "policy_statements": Field(
            ("policy.policy", "item.policy", "item.vpc_endpoint_type"), endpoint_policy, absent=FULL_ACCESS, source=ENDPOINT_POLICY
        ),
        "policy_supported": PlanField(
            ("item.service_name", "item.vpc_endpoint_type", "policy.policy", "item.policy"),
            supported,
            absent=False,
            source=ENDPOINT_POLICY,
            strict=("item.service_name",),
        ),
    },
    {
        "tables": Join("aws_vpc_endpoint_route_table_association", on="vpc_endpoint_id", many=True),
        "policy": Join("aws_vpc_endpoint_policy", on="vpc_endpoint_id"),
    },
    name=title("item.service_name"),
    tags=TAGS,
    elsewhere={"endpoint_type": "interface"},  # NOTE: where a policy is taken, it is judged alike for both types
)

_MAIN = Field("main.route_table_id", lambda _: True, absent=False, source=docs("aws_main_route_table_association"))

TABLES: tuple[PlanTable, ...] = (
    _network("aws_vpc", default=False),
    _network("aws_default_vpc", default=True),
    _subnet("aws_subnet", public=False),
    _subnet("aws_default_subnet", public=True),
    _route_table("aws_route_table", _MAIN),
    _route_table("aws_default_route_table", Const(value=True)),
    GATEWAY,
    ENDPOINTS,
    *filters.TABLES,
)
