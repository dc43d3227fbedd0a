"""Virtual private clouds: networks, subnets, routes, gateways, filters and endpoints.

Resources shared from another account (RAM) get ids of the asking account, as all references to them do.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn, rules
from collectors.policy import statements
from collectors.table import MISSING, Call, Const, Field, Side, Table

ENDPOINT_POLICY = "https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html"
CREATE_ENDPOINT = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CreateVpcEndpoint.html"
GATEWAY_ENDPOINT = "https://docs.aws.amazon.com/vpc/latest/privatelink/gateway-endpoints.html"
TABLE = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_RouteTable.html"
SUBNET = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Subnet.html"
ENCRYPTION = "https://docs.aws.amazon.com/vpc/latest/userguide/vpc-encryption-controls.html"
PREFIX_LIST = "https://docs.aws.amazon.com/vpc/latest/userguide/managed-prefix-lists.html"
ROUTES = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Route.html"

# https://docs.aws.amazon.com/vpc/latest/privatelink/vpc-endpoints-access.html#default-endpoint-policy
FULL_ACCESS: list[dict[str, Any]] = statements(
    {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}]}
)

# GatewayId holds several kinds of thing, told apart by prefix
GATEWAYS = {
    "igw-": ("internet-gateway", "internet_gateway"),
    "vgw-": ("vpn-gateway", "other"),
    "vpce-": ("vpc-endpoint", "endpoint"),
    "eigw-": ("egress-only-internet-gateway", "egress_only_gateway"),
}
TARGETS = (  # attribute of a route, resource in its ARN, target type; an instance is named beside its interface
    ("NatGatewayId", "natgateway", "nat"),
    ("VpcPeeringConnectionId", "vpc-peering-connection", "peering"),
    ("TransitGatewayId", "transit-gateway", "transit"),
    ("CoreNetworkArn", "", "transit"),
    ("EgressOnlyInternetGatewayId", "egress-only-internet-gateway", "egress_only_gateway"),
    ("NetworkInterfaceId", "network-interface", "interface"),
    ("InstanceId", "instance", "interface"),
    ("LocalGatewayId", "local-gateway", "other"),
    ("CarrierGatewayId", "carrier-gateway", "other"),
    ("OdbNetworkArn", "", "other"),
)

GONE_CONTROLS = ("deleting", "deleted", "monitor-failed")
"""States of a control that does nothing; one of which `enforce` failed or is under way still watches."""

THIRD_PARTY = ".vpce."
SERVICE = re.compile(r"^(?:cn\.)?com\.amazonaws\.(?!vpce\.)(?:[a-z]{2,}(?:-[a-z]+)+-\d+\.)?(.+)$")
SERVICE_OTHER = re.compile(r"^aws\.([a-z0-9-]+)\.[a-z]{2,}(?:-[a-z]+)+-\d+(\..+)?$")


def flow_logs(logs: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Flow logs of a network; one whose delivery fails records nothing, so it is not active."""
    found = [
        {
            "traffic": {"ALL": "all", "ACCEPT": "accept", "REJECT": "reject"}[log["TrafficType"]],
            "active": log["FlowLogStatus"] == "ACTIVE" and log.get("DeliverLogsStatus") != "FAILED",
        }
        for log in logs
    ]
    return sorted(found, key=lambda log: (log["traffic"], not log["active"]))


def cidrs(v4: list[Mapping[str, Any]] | None, v6: list[Mapping[str, Any]] | None, primary: str | None) -> list[str]:
    """Address blocks of a network that are in force, IPv6 included."""
    found = {b["CidrBlock"] for b in v4 or [] if _live(b, "CidrBlockState")}
    found |= {b["Ipv6CidrBlock"] for b in v6 or [] if _live(b, "Ipv6CidrBlockState")}
    return sorted(found | ({primary} if primary else set()))


def _live(block: Mapping[str, Any], state: str) -> bool:
    return bool((block.get(state) or {}).get("State", "associated") == "associated")


def main_table(associations: list[Mapping[str, Any]]) -> bool:
    """The table rules subnets that have no other."""
    return any(bool(a.get("Main")) for a in associations)


def associated(partition: str, region: str, account: str, associations: list[Mapping[str, Any]] | None) -> list[str]:
    """Subnets that are associated with a table or an ACL by name."""
    live = [a for a in associations or [] if _live(a, "AssociationState")]
    return arn.arns("ec2", "subnet", partition, region, account, [a.get("SubnetId") for a in live])


def routes(partition: str, region: str, account: str, found: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """Routes by destination (CIDR, IPv6 CIDR or prefix list). A black hole is not active."""
    made = []
    for route in found or []:
        destination = route.get("DestinationCidrBlock") or route.get("DestinationIpv6CidrBlock") or route["DestinationPrefixListId"]
        target, kind = _target(partition, region, account, route)
        made.append({"destination": destination, "target": target, "target_type": kind, "active": route.get("State") == "active"})
    return sorted(made, key=lambda r: (r["destination"], r["target_type"], r["target"]))


def _target(partition: str, region: str, account: str, route: Mapping[str, Any]) -> tuple[str, str]:
    gateway = route.get("GatewayId")
    if gateway == "local":
        return "local", "local"
    for prefix, (resource, kind) in GATEWAYS.items():
        if gateway and gateway.startswith(prefix):
            return arn.arn("ec2", resource, partition, region, account, gateway), kind
    for attribute, resource, kind in TARGETS:
        if value := route.get(attribute):
            return arn.arn("ec2", resource, partition, region, account, value), kind
    return gateway or "", "other"


def attached(partition: str, region: str, account: str, attachments: list[Mapping[str, Any]] | None) -> list[str]:
    """Networks that a gateway is attached to; while it attaches or detaches, packets may flow."""
    live = [a for a in attachments or [] if a.get("State") != "detached"]
    return arn.arns("ec2", "vpc", partition, region, account, [a.get("VpcId") for a in live])


def short_service(name: str) -> str:
    """`s3` for `com.amazonaws.us-east-1.s3`; services of others (`com.amazonaws.vpce.…`) keep their name."""
    if match := SERVICE.match(name):
        return match[1]
    if match := SERVICE_OTHER.match(name):
        return match[1] + (match[2] or "")
    return name


def endpoint_type(value: str) -> str:
    """`gateway`, `interface`, or `other` (load balancer, resource, service network)."""
    return {"Gateway": "gateway", "Interface": "interface"}.get(value, "other")


def private_dns(identity: str, kind: str | None, enabled: bool | None) -> Any:  # noqa: FBT001 - the answer's own type
    """Whether the usual name resolves to the endpoint; a gateway endpoint has no name (`identity` says that it was read)."""
    if identity and kind in ("Gateway", None):
        return False
    return MISSING if enabled is None else enabled


def policy_supported(name: str, supported: bool | None) -> Any:  # noqa: FBT001 - the answer's own type
    """Whether the service takes an endpoint policy; services of others than AWS never do."""
    if supported is None:
        return False if THIRD_PARTY in name else MISSING
    return supported


def subnet_cidrs(v4: str | None, v6: list[Mapping[str, Any]] | None) -> list[str]:
    """Address blocks of a subnet that are in force; one for IPv6 only has no other."""
    return cidrs(None, v6, v4)


def encryption_mode(identity: str, controls: list[Mapping[str, Any]]) -> str:
    """What the control of encryption in a network does; one that does not stand (yet) does nothing (`identity`: the network was read)."""
    modes = {c["Mode"] for c in controls if identity and c.get("State") not in GONE_CONTROLS}
    live = {c["Mode"] for c in controls if c.get("State") == "available"}
    if "enforce" in live:
        return "enforce"
    return "monitor" if modes else "none"


def encryption_exclusions(controls: list[Mapping[str, Any]]) -> list[str]:
    """What the controls let through in clear text, by the names of the service."""
    found = {
        name
        for control in controls
        for name, exclusion in (control.get("ResourceExclusions") or {}).items()
        if exclusion.get("State") in ("enabled", "enabling", "disabling")
    }
    return sorted(found)


NETWORKS = Table(
    kind="network",
    native_type="AWS::EC2::VPC",
    list=Call("ec2", "describe_vpcs", take="Vpcs"),
    id=arn.one("vpc", "item.VpcId"),
    name=arn.named("item.VpcId"),
    tags=arn.tags(),
    detail={
        "flows": Side(Call("ec2", "describe_flow_logs", take="FlowLogs"), on="item.VpcId", key="ResourceId"),
        "controls": Side(
            Call("ec2", "describe_vpc_encryption_controls", take="VpcEncryptionControls", token=("NextToken", "NextToken")),
            on="item.VpcId",
            key="VpcId",
        ),
    },
    facts={
        "cidrs": Field(("item.CidrBlockAssociationSet", "item.Ipv6CidrBlockAssociationSet", "item.CidrBlock"), cidrs),
        "is_default": Field("item.IsDefault"),
        "flow_logs": Field("flows", flow_logs),
        "encryption_mode": Field(("item.VpcId", "controls"), encryption_mode, source=ENCRYPTION),
        "encryption_exclusions": Field("controls", encryption_exclusions, source=ENCRYPTION),
    },
)

SUBNETS = Table(
    kind="subnet",
    native_type="AWS::EC2::Subnet",
    list=Call("ec2", "describe_subnets", take="Subnets"),
    id=arn.one("subnet", "item.SubnetId"),
    name=arn.named("item.SubnetId"),
    tags=arn.tags(),
    facts={
        "network_id": arn.one("vpc", "item.VpcId"),
        "public_ip_on_launch": Field("item.MapPublicIpOnLaunch"),
        "ipv6_on_launch": Field("item.AssignIpv6AddressOnCreation"),
        "zone_name": Field("item.AvailabilityZone"),
        "cidrs": Field(("item.CidrBlock", "item.Ipv6CidrBlockAssociationSet"), subnet_cidrs, absent=[], source=SUBNET),
    },
)

ROUTE_TABLES = Table(
    kind="route_table",
    native_type="AWS::EC2::RouteTable",
    list=Call("ec2", "describe_route_tables", take="RouteTables"),
    id=arn.one("route-table", "item.RouteTableId"),
    name=arn.named("item.RouteTableId"),
    tags=arn.tags(),
    facts={
        "network_id": arn.one("vpc", "item.VpcId"),
        "main": Field("item.Associations", main_table, absent=False, source=TABLE),
        "subnet_ids": Field((*arn.PLACE, "item.Associations"), associated),
        "routes": Field((*arn.PLACE, "item.Routes"), routes, source=ROUTES),
    },
)

GATEWAY = Table(
    kind="gateway",
    native_type="AWS::EC2::InternetGateway",
    list=Call("ec2", "describe_internet_gateways", take="InternetGateways"),
    id=arn.one("internet-gateway", "item.InternetGatewayId"),
    name=arn.named("item.InternetGatewayId"),
    tags=arn.tags(),
    facts={
        "gateway_type": Const("internet"),
        "network_ids": Field((*arn.PLACE, "item.Attachments"), attached),
    },
)

ACLS = Table(
    kind="firewall",
    native_type="AWS::EC2::NetworkAcl",
    list=Call("ec2", "describe_network_acls", take="NetworkAcls"),
    id=arn.one("network-acl", "item.NetworkAclId"),
    name=arn.named("item.NetworkAclId"),
    tags=arn.tags(),
    facts={
        "firewall_type": Const("acl"),
        "network_id": arn.one("vpc", "item.VpcId"),
        "is_default": Field("item.IsDefault"),
        "subnet_ids": Field((*arn.PLACE, "item.Associations"), associated),
        "ingress": Field("item.Entries", rules.ingress_of_acl),
        "egress": Field("item.Entries", rules.egress_of_acl),
    },
)

GROUPS = Table(
    kind="firewall",
    native_type="AWS::EC2::SecurityGroup",
    list=Call("ec2", "describe_security_groups", take="SecurityGroups"),
    id=arn.one("security-group", "item.GroupId"),
    name=Field("item.GroupName"),
    tags=arn.tags(),
    facts={
        "firewall_type": Const("security_group"),
        "network_id": arn.one("vpc", "item.VpcId"),
        # the name is reserved: https://docs.aws.amazon.com/vpc/latest/userguide/default-security-group.html
        "is_default": Field("item.GroupName", lambda name: name == "default"),
        "ingress": Field((*arn.PLACE, "item.GroupId", "item.IpPermissions"), rules.group_rules),
        "egress": Field((*arn.PLACE, "item.GroupId", "item.IpPermissionsEgress"), rules.group_rules),
    },
)

ENDPOINTS = Table(
    kind="private_endpoint",
    native_type="AWS::EC2::VPCEndpoint",
    list=Call("ec2", "describe_vpc_endpoints", take="VpcEndpoints"),
    id=arn.one("vpc-endpoint", "item.VpcEndpointId"),
    name=arn.named("item.VpcEndpointId"),
    tags=arn.tags(),
    detail={
        "service": Side(
            Call("ec2", "describe_vpc_endpoint_services", take="ServiceDetails"), on="item.ServiceName", key="ServiceName"
        ),
    },
    facts={
        "service": Field("item.ServiceName", short_service),
        "endpoint_type": Field("item.VpcEndpointType", endpoint_type, absent="gateway", source=CREATE_ENDPOINT),
        "network_id": arn.one("vpc", "item.VpcId"),
        "route_table_ids": arn.many("route-table", "item.RouteTableIds"),
        "private_dns": Field(
            ("item.VpcEndpointId", "item.VpcEndpointType", "item.PrivateDnsEnabled"), private_dns, source=GATEWAY_ENDPOINT
        ),
        "state": Field("item.State", str.lower),
        "policy_statements": Field("item.PolicyDocument", statements, absent=FULL_ACCESS, source=ENDPOINT_POLICY),
        "policy_supported": Field(
            ("item.ServiceName", "service[0].VpcEndpointPolicySupported"), policy_supported, source=ENDPOINT_POLICY
        ),
    },
)

PREFIX_LISTS = Table(
    kind="firewall",
    native_type="AWS::EC2::PrefixList",
    list=Call("ec2", "describe_managed_prefix_lists", take="PrefixLists"),
    # NOTE: by its id alone: the ARN of a list of AWS names the owner, while those who refer to it write their own account
    id=arn.one("prefix-list", "item.PrefixListId"),
    name=Field("item.PrefixListName"),
    tags=arn.tags(),
    detail={
        "entries": Call("ec2", "get_managed_prefix_list_entries", args={"PrefixListId": "item.PrefixListId"}, take="Entries"),
    },
    facts={
        "firewall_type": Const("prefix_list"),
        "cidrs": Field("entries[].Cidr", sorted, absent=[], source=PREFIX_LIST),
    },
)

TABLES: tuple[Table, ...] = (NETWORKS, SUBNETS, ROUTE_TABLES, GATEWAY, ACLS, GROUPS, ENDPOINTS, PREFIX_LISTS)
