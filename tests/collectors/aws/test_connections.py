"""Peerings, transit gateways, VPN connections: against moto, and from given answers where moto has not enough."""

from __future__ import annotations

import json

import pytest

from collectors.aws import connections
from tests.collectors.aws.answers import given

EC2 = "arn:aws:ec2:us-east-1:123456789012:"
STRONG = {
    "IkeVersions": [{"Value": "ikev2"}],
    **{f"Phase{n}EncryptionAlgorithms": [{"Value": "AES256-GCM-16"}] for n in (1, 2)},
    **{f"Phase{n}IntegrityAlgorithms": [{"Value": "SHA2-384"}] for n in (1, 2)},
    **{f"Phase{n}DHGroupNumbers": [{"Value": 20}] for n in (1, 2)},
}
ANYTHING = {
    "ike_versions": ["ikev1", "ikev2"],
    "encryption": ["AES128", "AES128-GCM-16", "AES256", "AES256-GCM-16"],
    "integrity": ["SHA1", "SHA2-256", "SHA2-384", "SHA2-512"],
    "dh_groups": [2, 5, *range(14, 25)],
}


def test_what_is_not_limited_is_everything():
    # not confirmed on a live account: absent must be the worst, never a pass
    assert connections.tunnels(None) == [{"name": "1", **ANYTHING}, {"name": "2", **ANYTHING}]
    assert connections.tunnels([STRONG])[1] == {"name": "2", **ANYTHING}
    assert connections.tunnels([STRONG, {**STRONG, "IkeVersions": []}])[1]["ike_versions"] == ["ikev1", "ikev2"]


def test_one_open_phase_is_enough():
    halfway = {k: v for k, v in STRONG.items() if "Phase2" not in k}
    assert connections.tunnels([halfway])[0] == {"name": "1", **ANYTHING, "ike_versions": ["ikev2"]}


def test_a_vpn_connection_keeps_no_secret():
    answer = {
        "VpnConnectionId": "vpn-1",
        "State": "available",
        "CustomerGatewayConfiguration": "<vpn_connection><pre_shared_key>hush-1</pre_shared_key></vpn_connection>",
        "Options": {"TunnelOptions": [{**STRONG, "PreSharedKey": "hush-2"}, {**STRONG, "PreSharedKey": "hush-3"}]},
        "Tags": [{"Key": "Name", "Value": "lab"}],
    }
    gone = {"VpnConnectionId": "vpn-2", "State": "deleted"}
    seen = given(connections.VPN_CONNECTIONS, answers={"ec2:describe_vpn_connections": {"VpnConnections": [answer, gone]}})
    (found,) = seen.resources
    strong = {"ike_versions": ["ikev2"], "encryption": ["AES256-GCM-16"], "integrity": ["SHA2-384"], "dh_groups": [20]}
    assert (found.id, found.name) == (f"{EC2}vpn-connection/vpn-1", "lab")
    assert found.facts == {
        "link_type": "vpn",
        "state": "available",
        "tunnels": [{"name": "1", **strong}, {"name": "2", **strong}],
    }
    assert "hush" not in json.dumps([seen.answers, [r.facts for r in seen.resources]])


def test_a_peering(boto, look):
    ec2 = boto("ec2")
    here = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    there = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    made = ec2.create_vpc_peering_connection(VpcId=here, PeerVpcId=there)["VpcPeeringConnection"]["VpcPeeringConnectionId"]
    ec2.accept_vpc_peering_connection(VpcPeeringConnectionId=made)
    gone = ec2.create_vpc_peering_connection(VpcId=there, PeerVpcId=here)["VpcPeeringConnection"]["VpcPeeringConnectionId"]
    ec2.reject_vpc_peering_connection(VpcPeeringConnectionId=gone)
    seen = look(connections.PEERINGS)
    (found,) = seen.resources
    assert found.id == f"{EC2}vpc-peering-connection/{made}"
    assert found.facts == {
        "link_type": "peering",
        "state": "active",
        "requester_id": f"{EC2}vpc/{here}",
        "accepter_id": f"{EC2}vpc/{there}",
        "requester_cidrs": ["10.0.0.0/16"],
        "accepter_cidrs": ["10.1.0.0/16"],
    }
    assert found.gaps == {}


def test_the_other_side_may_be_elsewhere_and_hide_its_blocks():
    theirs = {"VpcId": "vpc-2", "OwnerId": "210987654321", "Region": "eu-west-1"}
    assert connections.peer("aws", "r", "1", theirs) == "arn:aws:ec2:eu-west-1:210987654321:vpc/vpc-2"
    assert connections.peer_cidrs("10.0.0.0/16", [{"CidrBlock": "100.64.0.0/16"}], [{"Ipv6CidrBlock": "2600::/56"}]) == [
        "10.0.0.0/16",
        "100.64.0.0/16",
        "2600::/56",
    ]
    with pytest.raises(ValueError, match="not shown"):
        connections.peer_cidrs(None, None, [])


def test_a_transit_gateway_and_its_tables(boto, look):
    ec2 = boto("ec2")
    options = {"AutoAcceptSharedAttachments": "enable"}
    gateway = ec2.create_transit_gateway(Description="core", Options=options)["TransitGateway"]
    vpcs, attachments = [], []
    for cidr in ("10.0.0.0/16", "10.1.0.0/16"):
        vpc = ec2.create_vpc(CidrBlock=cidr)["Vpc"]["VpcId"]
        subnet = ec2.create_subnet(VpcId=vpc, CidrBlock=cidr.replace("/16", "/24"))["Subnet"]["SubnetId"]
        made = ec2.create_transit_gateway_vpc_attachment(
            TransitGatewayId=gateway["TransitGatewayId"], VpcId=vpc, SubnetIds=[subnet]
        )
        vpcs.append(f"{EC2}vpc/{vpc}")
        attachments.append(made["TransitGatewayVpcAttachment"]["TransitGatewayAttachmentId"])
    table = ec2.create_transit_gateway_route_table(TransitGatewayId=gateway["TransitGatewayId"])["TransitGatewayRouteTable"]
    own = {"TransitGatewayRouteTableId": table["TransitGatewayRouteTableId"]}
    ec2.associate_transit_gateway_route_table(TransitGatewayAttachmentId=attachments[0], **own)
    ec2.enable_transit_gateway_route_table_propagation(TransitGatewayAttachmentId=attachments[1], **own)
    ec2.create_transit_gateway_route(DestinationCidrBlock="10.9.0.0/16", Blackhole=True, **own)
    seen = look(connections.TRANSIT_GATEWAYS, connections.TRANSIT_TABLES)
    assert seen.failed() == []
    assert seen.named(gateway["TransitGatewayArn"]).facts == {"gateway_type": "transit", "auto_accept": True}
    found = seen.named(table["TransitGatewayRouteTableId"])
    route = {"target": vpcs[1], "target_type": "vpc", "active": True}
    assert found.facts == {
        "gateway_id": gateway["TransitGatewayArn"],
        "associations": [vpcs[0]],
        "transit_routes": [
            {"destination": "", "route_type": "propagated", **route},
            {"destination": "10.9.0.0/16", "route_type": "static", "target": "", "target_type": "", "active": False},
        ],
    }
    assert found.gaps == {}


TABLE = {"TransitGatewayRouteTableId": "tgw-rtb-1", "TransitGatewayId": "tgw-1", "State": "available"}
END = {"TransitGatewayAttachmentId": "tgw-attach-1", "ResourceId": "vpc-9", "ResourceType": "vpc"}


def transit(**changed):
    return given(
        connections.TRANSIT_TABLES,
        answers={
            "ec2:describe_transit_gateway_route_tables": {"TransitGatewayRouteTables": [TABLE]},
            "ec2:describe_transit_gateway_attachments": {
                "TransitGatewayAttachments": [
                    {"TransitGatewayAttachmentId": "tgw-attach-1", "TransitGatewayId": "tgw-1", "ResourceOwnerId": "210987654321"}
                ]
            },
            "ec2:get_transit_gateway_route_table_associations": {"Associations": [{**END, "State": "associated"}]},
            "ec2:get_transit_gateway_route_table_propagations": {"TransitGatewayRouteTablePropagations": []},
            "ec2:search_transit_gateway_routes": {"Routes": [], "AdditionalRoutesAvailable": False},
            **changed,
        },
    ).resources[0]


def test_networks_of_other_accounts_are_theirs():
    assert transit().facts["associations"] == ["arn:aws:ec2:us-east-1:210987654321:vpc/vpc-9"]


def test_a_vpn_behind_a_route_is_named_by_its_attachment():
    route = {"DestinationCidrBlock": "10.0.0.0/8", "State": "active", "Type": "static"}
    far = {**route, "TransitGatewayAttachments": [{"TransitGatewayAttachmentId": "tgw-attach-2", "ResourceType": "vpn"}]}
    found = transit(**{"ec2:search_transit_gateway_routes": {"Routes": [far], "AdditionalRoutesAvailable": False}})
    assert found.facts["transit_routes"] == [
        {
            "destination": "10.0.0.0/8",
            "target": f"{EC2}transit-gateway-attachment/tgw-attach-2",
            "target_type": "vpn",
            "route_type": "static",
            "active": True,
        }
    ]


def test_an_active_route_leads_somewhere():
    # moto answers it without its attachment
    lost = {"DestinationCidrBlock": "0.0.0.0/0", "State": "active", "Type": "static"}
    found = transit(**{"ec2:search_transit_gateway_routes": {"Routes": [lost], "AdditionalRoutesAvailable": False}})
    assert found.gaps["transit_routes"].reason == "unparsable"


def test_an_answer_that_leaves_routes_out_is_not_all_routes():
    found = transit(**{"ec2:search_transit_gateway_routes": {"Routes": [], "AdditionalRoutesAvailable": True}})
    assert "transit_routes" not in found.facts
    assert found.gaps["transit_routes"].reason == "unparsable"


def test_what_propagates_may_not_be_refused_unseen():
    found = transit(**{"ec2:get_transit_gateway_route_table_propagations": "UnauthorizedOperation"})
    assert found.gaps["transit_routes"].reason == "denied"
