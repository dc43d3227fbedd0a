"""What joins networks with each other and with the outside: peerings, transit gateways, VPN connections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import Call, Const, Field, Side, Table

PEERING = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_VpcPeeringConnectionVpcInfo.html"
TRANSIT = "https://docs.aws.amazon.com/vpc/latest/tgw/tgw-route-tables.html"
SEARCH = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_SearchTransitGatewayRoutes.html"
VPN = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_VpnTunnelOptionsSpecification.html"

REDACT = ("PreSharedKey", "CustomerGatewayConfiguration")
"""The configuration for the customer's device is XML with both keys in it."""

GONE_PEERINGS = ("deleted", "deleting", "rejected", "failed", "expired")
GONE = ("deleted", "deleting")

# What a tunnel accepts where nothing is chosen: everything that is offered
# https://docs.aws.amazon.com/vpn/latest/s2svpn/VPNTunnels.html
IKE = ("ikev1", "ikev2")
ENCRYPTION = ("AES128", "AES128-GCM-16", "AES256", "AES256-GCM-16")
INTEGRITY = ("SHA1", "SHA2-256", "SHA2-384", "SHA2-512")
GROUPS_1 = (2, *range(14, 25))
GROUPS_2 = (2, 5, *range(14, 25))
TUNNELS = 2


def stands(peering: Mapping[str, Any]) -> bool:
    """The peering carries traffic, or may once it is accepted."""
    return (peering.get("Status") or {}).get("Code") not in GONE_PEERINGS


def lives(item: Mapping[str, Any]) -> bool:
    """The gateway, table or connection is not on its way out."""
    return item.get("State") not in GONE


def peer(partition: str, region: str, account: str, side: Mapping[str, Any]) -> str:
    """The network of one side, which may be another account's or region's."""
    found: str = arn.arn("ec2", "vpc", partition, side.get("Region") or region, side.get("OwnerId") or account, side["VpcId"])
    return found


def peer_cidrs(primary: str | None, v4: list[Mapping[str, Any]] | None, v6: list[Mapping[str, Any]] | None) -> list[str]:
    """Address blocks of one side, secondary ones included. One that shows none is ValueError: a network always has some."""
    found = {b["CidrBlock"] for b in v4 or []} | {b["Ipv6CidrBlock"] for b in v6 or []} | ({primary} if primary else set())
    if not found:
        msg = "the address blocks of this side are not shown"
        raise ValueError(msg)
    return sorted(found)


def attached(
    partition: str, region: str, account: str, attachments: list[Mapping[str, Any]], found: list[Mapping[str, Any]] | None
) -> list[str]:
    """What routes by a table."""
    owners = _owners(attachments)
    live = [a for a in found or [] if a.get("State") in ("associating", "associated")]
    return sorted({_target(partition, region, account, owners, a) for a in live})


def transit_routes(
    partition: str, region: str, account: str, attachments: list[Mapping[str, Any]], pages: list[Mapping[str, Any]],
    propagated: list[Mapping[str, Any]] | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """Static routes, and what propagates its blocks. An answer that leaves routes out is ValueError."""
    if pages[-1].get("more") and not pages[-1].get("next"):
        msg = "there are more static routes than the answer holds"
        raise ValueError(msg)
    owners = _owners(attachments)
    made = list(_static(partition, region, account, owners, [r for page in pages for r in page.get("routes") or []]))
    made += [
        _route("", _target(partition, region, account, owners, source), source["ResourceType"], "propagated")
        for source in propagated or []
        if source.get("State") in ("enabling", "enabled")
    ]
    return sorted(made, key=lambda r: (r["route_type"], r["destination"], r["target"]))


def _static(
    partition: str, region: str, account: str, owners: Mapping[str, str], routes: list[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    for route in routes:
        if route.get("Type") == "propagated":
            continue
        destination = route.get("DestinationCidrBlock") or route["PrefixListId"]
        ends = route.get("TransitGatewayAttachments") or []
        live = route.get("State") in ("active", "pending")
        if not ends and live:
            msg = f"an active route to {destination} that leads nowhere"
            raise ValueError(msg)
        if not ends:  # a black hole
            yield _route(destination, "", "", "static", active=live)
        for end in ends:
            yield _route(
                destination, _target(partition, region, account, owners, end), end.get("ResourceType") or "", "static", active=live
            )


def _route(destination: str, target: str, kind: str, origin: str, *, active: bool = True) -> dict[str, Any]:
    return {"destination": destination, "target": target, "target_type": kind, "route_type": origin, "active": active}


def _owners(attachments: list[Mapping[str, Any]]) -> dict[str, str]:
    return {a["TransitGatewayAttachmentId"]: a.get("ResourceOwnerId") or "" for a in attachments}


def _target(partition: str, region: str, account: str, owners: Mapping[str, str], end: Mapping[str, Any]) -> str:
    """A network by its own id, anything else by that of its attachment."""
    attachment = end["TransitGatewayAttachmentId"]
    if end.get("ResourceType") == "vpc" and end.get("ResourceId"):
        owner = owners.get(attachment) or account
        return str(arn.arn("ec2", "vpc", partition, region, owner, end["ResourceId"]))
    return str(arn.arn("ec2", "transit-gateway-attachment", partition, region, account, attachment))


def tunnels(options: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """What each tunnel accepts in both phases. A connection has two; one that is not shown has the defaults."""
    shown = [*(options or [])]
    shown += [{}] * (TUNNELS - len(shown))
    return [tunnel(str(number), _values(shown[number - 1])) for number in range(1, len(shown) + 1)]


def tunnel(name: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A tunnel from what is chosen for it; what is not chosen is everything that is offered. Numbers are compared as numbers."""

    def either(option: str, *defaults: tuple[Any, ...]) -> set[Any]:
        return {v for phase, default in enumerate(defaults, 1) for v in (chosen.get(f"phase{phase}_{option}") or default)}

    return {
        "name": name,
        "ike_versions": sorted(chosen.get("ike_versions") or IKE),
        "encryption": sorted(either("encryption", ENCRYPTION, ENCRYPTION)),
        "integrity": sorted(either("integrity", INTEGRITY, INTEGRITY)),
        "dh_groups": sorted(int(g) for g in either("dh_groups", GROUPS_1, GROUPS_2)),
    }


_OPTIONS = {
    "ike_versions": "IkeVersions",
    **{
        f"phase{n}_{ours}": f"Phase{n}{theirs}"
        for n in (1, 2)
        for ours, theirs in (
            ("encryption", "EncryptionAlgorithms"),
            ("integrity", "IntegrityAlgorithms"),
            ("dh_groups", "DHGroupNumbers"),
        )
    },
}


def _values(option: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {ours: [v["Value"] for v in option.get(theirs) or []] for ours, theirs in _OPTIONS.items()}


PEERINGS = Table(
    kind="link",
    native_type="AWS::EC2::VPCPeeringConnection",
    list=Call("ec2", "describe_vpc_peering_connections", take="VpcPeeringConnections"),
    keep=stands,
    id=arn.one("vpc-peering-connection", "item.VpcPeeringConnectionId"),
    name=arn.named("item.VpcPeeringConnectionId"),
    tags=arn.tags(),
    facts={
        "link_type": Const("peering"),
        "state": Field("item.Status.Code"),
        "requester_id": Field((*arn.PLACE, "item.RequesterVpcInfo"), peer),
        "accepter_id": Field((*arn.PLACE, "item.AccepterVpcInfo"), peer),
        "requester_cidrs": Field(
            tuple(f"item.RequesterVpcInfo.{n}" for n in ("CidrBlock", "CidrBlockSet", "Ipv6CidrBlockSet")),
            peer_cidrs,
            source=PEERING,
        ),
        "accepter_cidrs": Field(
            tuple(f"item.AccepterVpcInfo.{n}" for n in ("CidrBlock", "CidrBlockSet", "Ipv6CidrBlockSet")),
            peer_cidrs,
            source=PEERING,
        ),
    },
)

TRANSIT_GATEWAYS = Table(
    kind="gateway",
    native_type="AWS::EC2::TransitGateway",
    list=Call("ec2", "describe_transit_gateways", take="TransitGateways"),
    keep=lives,
    id=Field("item.TransitGatewayArn"),
    name=arn.named("item.TransitGatewayId"),
    tags=arn.tags(),
    facts={
        "gateway_type": Const("transit"),
        "auto_accept": Field("item.Options.AutoAcceptSharedAttachments", {"enable": True, "disable": False}),
    },
)

TRANSIT_TABLES = Table(
    kind="route_table",
    native_type="AWS::EC2::TransitGatewayRouteTable",
    list=Call("ec2", "describe_transit_gateway_route_tables", take="TransitGatewayRouteTables"),
    keep=lives,
    id=arn.one("transit-gateway-route-table", "item.TransitGatewayRouteTableId"),
    name=arn.named("item.TransitGatewayRouteTableId"),
    tags=arn.tags(),
    detail={
        "attachments": Side(
            Call("ec2", "describe_transit_gateway_attachments", take="TransitGatewayAttachments"),
            on="item.TransitGatewayId",
            key="TransitGatewayId",
        ),
        "associated": Call(
            "ec2",
            "get_transit_gateway_route_table_associations",
            args={"TransitGatewayRouteTableId": "item.TransitGatewayRouteTableId"},
            take="Associations",
        ),
        "propagated": Call(
            "ec2",
            "get_transit_gateway_route_table_propagations",
            args={"TransitGatewayRouteTableId": "item.TransitGatewayRouteTableId"},
            take="TransitGatewayRouteTablePropagations",
        ),
        "static": Call(
            "ec2",
            "search_transit_gateway_routes",
            args={"TransitGatewayRouteTableId": "item.TransitGatewayRouteTableId"},
            fixed={"Filters": [{"Name": "type", "Values": ["static"]}]},
            # every page as one element, so that the last one can say that it is not the last
            take="[{routes: Routes, more: AdditionalRoutesAvailable, next: NextToken}]",
        ),
    },
    facts={
        "gateway_id": arn.one("transit-gateway", "item.TransitGatewayId"),
        "associations": Field((*arn.PLACE, "attachments", "associated"), attached, source=TRANSIT),
        "transit_routes": Field((*arn.PLACE, "attachments", "static", "propagated"), transit_routes, source=SEARCH),
    },
)

VPN_CONNECTIONS = Table(
    kind="link",
    native_type="AWS::EC2::VPNConnection",
    list=Call("ec2", "describe_vpn_connections", take="VpnConnections"),
    keep=lives,
    id=arn.one("vpn-connection", "item.VpnConnectionId"),
    name=arn.named("item.VpnConnectionId"),
    tags=arn.tags(),
    facts={
        "link_type": Const("vpn"),
        "state": Field("item.State"),
        "tunnels": Field("item.Options.TunnelOptions", tunnels, absent=tunnels([]), source=VPN),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (PEERINGS, TRANSIT_GATEWAYS, TRANSIT_TABLES, VPN_CONNECTIONS)
