from __future__ import annotations

import json

import pytest

from collectors.aws import network
from collectors.table import MISSING

PLACE = ("aws", "r", "1")
EC2 = "arn:aws:ec2:us-east-1:123456789012:"


def ids(seen):
    return {r.native_type: r for r in seen.resources}


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        ({"TrafficType": "ALL", "FlowLogStatus": "ACTIVE", "DeliverLogsStatus": "SUCCESS"}, {"traffic": "all", "active": True}),
        ({"TrafficType": "REJECT", "FlowLogStatus": "ACTIVE"}, {"traffic": "reject", "active": True}),
        ({"TrafficType": "ALL", "FlowLogStatus": "ACTIVE", "DeliverLogsStatus": "FAILED"}, {"traffic": "all", "active": False}),
    ],
)
def test_flow_logs(log, expected):
    assert network.flow_logs([log]) == [expected]


def test_flow_logs_are_ordered():
    logs = [{"TrafficType": t, "FlowLogStatus": "ACTIVE"} for t in ("REJECT", "ALL", "ACCEPT")]
    assert [log["traffic"] for log in network.flow_logs(logs)] == ["accept", "all", "reject"]


def test_cidrs_in_force_only():
    v4 = [
        {"CidrBlock": "10.0.0.0/16", "CidrBlockState": {"State": "associated"}},
        {"CidrBlock": "100.64.0.0/16", "CidrBlockState": {"State": "disassociated"}},
    ]
    v6 = [{"Ipv6CidrBlock": "2600::/56", "Ipv6CidrBlockState": {"State": "associated"}}]
    assert network.cidrs(v4, v6, "10.0.0.0/16") == ["10.0.0.0/16", "2600::/56"]
    assert network.cidrs(None, None, "10.0.0.0/16") == ["10.0.0.0/16"]


@pytest.mark.parametrize(
    ("route", "target", "kind"),
    [
        ({"GatewayId": "local"}, "local", "local"),
        ({"GatewayId": "igw-1"}, "arn:aws:ec2:r:1:internet-gateway/igw-1", "internet_gateway"),
        ({"GatewayId": "vgw-1"}, "arn:aws:ec2:r:1:vpn-gateway/vgw-1", "other"),
        ({"GatewayId": "vpce-1"}, "arn:aws:ec2:r:1:vpc-endpoint/vpce-1", "endpoint"),
        ({"EgressOnlyInternetGatewayId": "eigw-1"}, "arn:aws:ec2:r:1:egress-only-internet-gateway/eigw-1", "egress_only_gateway"),
        ({"NatGatewayId": "nat-1"}, "arn:aws:ec2:r:1:natgateway/nat-1", "nat"),
        ({"VpcPeeringConnectionId": "pcx-1"}, "arn:aws:ec2:r:1:vpc-peering-connection/pcx-1", "peering"),
        ({"TransitGatewayId": "tgw-1"}, "arn:aws:ec2:r:1:transit-gateway/tgw-1", "transit"),
        ({"CoreNetworkArn": "arn:aws:networkmanager::1:core-network/c"}, "arn:aws:networkmanager::1:core-network/c", "transit"),
        ({"InstanceId": "i-1", "NetworkInterfaceId": "eni-1"}, "arn:aws:ec2:r:1:network-interface/eni-1", "interface"),
        ({"CarrierGatewayId": "cagw-1"}, "arn:aws:ec2:r:1:carrier-gateway/cagw-1", "other"),
        ({}, "", "other"),
    ],
)
def test_targets(route, target, kind):
    (found,) = network.routes(*PLACE, [{"DestinationCidrBlock": "0.0.0.0/0", "State": "active", **route}])
    assert found == {"destination": "0.0.0.0/0", "target": target, "target_type": kind, "active": True}


def test_destinations_and_black_holes():
    found = network.routes(
        *PLACE,
        [
            {"DestinationIpv6CidrBlock": "::/0", "GatewayId": "igw-1", "State": "blackhole"},
            {"DestinationPrefixListId": "pl-1", "GatewayId": "vpce-1", "State": "active"},
        ],
    )
    assert [(r["destination"], r["active"]) for r in found] == [("::/0", False), ("pl-1", True)]
    with pytest.raises(KeyError):
        network.routes(*PLACE, [{"GatewayId": "igw-1", "State": "active"}])


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("com.amazonaws.us-east-1.s3", "s3"),
        ("com.amazonaws.us-gov-west-1.ecr.api", "ecr.api"),
        ("cn.com.amazonaws.cn-north-1.ecr.dkr", "ecr.dkr"),
        ("com.amazonaws.us-east-1.sagemaker.runtime-fips", "sagemaker.runtime-fips"),
        ("com.amazonaws.s3-global.accesspoint", "s3-global.accesspoint"),
        ("aws.sagemaker.us-east-1.notebook", "sagemaker.notebook"),
        ("com.amazonaws.vpce.us-east-1.vpce-svc-1", "com.amazonaws.vpce.us-east-1.vpce-svc-1"),
    ],
)
def test_short_service(name, short):
    assert network.short_service(name) == short


def test_endpoints_read():
    assert [network.endpoint_type(t) for t in ("Gateway", "Interface", "GatewayLoadBalancer")] == ["gateway", "interface", "other"]
    assert network.private_dns("vpce-1", "Gateway", enabled=True) is False
    assert network.private_dns("vpce-1", None, None) is False
    assert network.private_dns("vpce-1", "Interface", None) is MISSING
    assert network.private_dns("vpce-1", "Interface", enabled=True) is True
    assert network.policy_supported("com.amazonaws.us-east-1.s3", supported=True) is True
    assert network.policy_supported("com.amazonaws.us-east-1.x", None) is MISSING
    assert network.policy_supported("com.amazonaws.vpce.us-east-1.vpce-svc-1", None) is False


def test_controls_of_encryption():
    def control(mode, state="available", **exclusions):
        return {"Mode": mode, "State": state, "ResourceExclusions": {k: {"State": v} for k, v in exclusions.items()}}

    assert network.encryption_mode("vpc-1", []) == "none"
    assert network.encryption_mode("vpc-1", [control("monitor")]) == "monitor"
    assert network.encryption_mode("vpc-1", [control("enforce")]) == "enforce"
    assert network.encryption_mode("vpc-1", [control("enforce", "enforce-in-progress")]) == "monitor"
    assert network.encryption_mode("vpc-1", [control("enforce", "enforce-failed")]) == "monitor"
    assert network.encryption_mode("vpc-1", [control("enforce", "deleting")]) == "none"
    some = control("enforce", VpcPeering="enabled", NatGateway="disabled", ElasticFileSystem="disabling")
    assert network.encryption_exclusions([some]) == ["ElasticFileSystem", "VpcPeering"]
    assert network.encryption_exclusions([{"Mode": "monitor"}]) == []


def test_prefix_lists(boto, look):
    ec2 = boto("ec2")
    entries = [{"Cidr": "203.0.113.0/24"}, {"Cidr": "10.0.0.0/8"}]
    made = ec2.create_managed_prefix_list(PrefixListName="office", AddressFamily="IPv4", MaxEntries=5, Entries=entries)
    found = look(network.PREFIX_LISTS).named("office")
    assert found.id == f"{EC2}prefix-list/{made['PrefixList']['PrefixListId']}"
    assert found.facts == {"firewall_type": "prefix_list", "cidrs": ["10.0.0.0/8", "203.0.113.0/24"]}


def test_attached_and_associated():
    assert network.attached(*PLACE, [{"VpcId": "vpc-1", "State": "available"}, {"VpcId": "vpc-2", "State": "detached"}]) == [
        "arn:aws:ec2:r:1:vpc/vpc-1"
    ]
    assert network.associated(*PLACE, [{"Main": True}, {"SubnetId": "s", "AssociationState": {"State": "disassociated"}}]) == []


def test_a_network(boto, look):
    ec2 = boto("ec2")
    vpc = ec2.create_vpc(
        CidrBlock="10.0.0.0/16", TagSpecifications=[{"ResourceType": "vpc", "Tags": [{"Key": "Name", "Value": "train"}]}]
    )
    vpc_id = vpc["Vpc"]["VpcId"]
    ec2.associate_vpc_cidr_block(VpcId=vpc_id, CidrBlock="100.64.0.0/16")
    boto("logs").create_log_group(logGroupName="flow")
    role = "arn:aws:iam::123456789012:role/flow"
    ec2.create_flow_logs(
        ResourceIds=[vpc_id], ResourceType="VPC", TrafficType="ALL", LogGroupName="flow", DeliverLogsPermissionArn=role
    )
    subnet = ec2.create_subnet(VpcId=vpc_id, CidrBlock="10.0.1.0/24", AvailabilityZone="us-east-1b")["Subnet"]["SubnetId"]
    ec2.modify_subnet_attribute(SubnetId=subnet, MapPublicIpOnLaunch={"Value": True})
    gateway = ec2.create_internet_gateway()["InternetGateway"]["InternetGatewayId"]
    ec2.attach_internet_gateway(InternetGatewayId=gateway, VpcId=vpc_id)
    table = ec2.create_route_table(VpcId=vpc_id)["RouteTable"]["RouteTableId"]
    ec2.associate_route_table(RouteTableId=table, SubnetId=subnet)
    ec2.create_route(RouteTableId=table, DestinationCidrBlock="0.0.0.0/0", GatewayId=gateway)
    group = ec2.create_security_group(GroupName="efa", Description="-", VpcId=vpc_id)["GroupId"]
    itself = {"IpProtocol": "-1", "UserIdGroupPairs": [{"GroupId": group}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[itself])
    ping = {"IpProtocol": "icmp", "FromPort": -1, "ToPort": -1, "IpRanges": [{"CidrIp": "10.0.0.0/8"}]}
    ssh = {"IpProtocol": "tcp", "FromPort": 22, "ToPort": 22, "Ipv6Ranges": [{"CidrIpv6": "::/0"}]}
    ec2.authorize_security_group_ingress(GroupId=group, IpPermissions=[ping, ssh])
    acl = ec2.create_network_acl(VpcId=vpc_id)["NetworkAcl"]["NetworkAclId"]
    ec2.create_network_acl_entry(
        NetworkAclId=acl,
        RuleNumber=100,
        Protocol="6",
        RuleAction="allow",
        Egress=False,
        CidrBlock="0.0.0.0/0",
        PortRange={"From": 22, "To": 22},
    )
    document = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::data/*"}]}
    ec2.create_vpc_endpoint(
        VpcId=vpc_id, ServiceName="com.amazonaws.us-east-1.s3", RouteTableIds=[table], PolicyDocument=json.dumps(document)
    )
    ec2.create_vpc_endpoint(
        VpcId=vpc_id,
        ServiceName="com.amazonaws.us-east-1.sts",
        VpcEndpointType="Interface",
        SubnetIds=[subnet],
        PrivateDnsEnabled=True,
    )

    seen = look(*network.TABLES)

    assert [text.split(" ")[0] for text in seen.failed()] == ["ec2:describe_vpc_encryption_controls"]  # not in moto
    assert {f for r in seen.resources for f in r.gaps} == {"encryption_mode", "encryption_exclusions"}
    found = seen.named("train")
    assert (found.id, found.tags) == (f"{EC2}vpc/{vpc_id}", {"Name": "train"})
    assert found.facts == {
        "cidrs": ["10.0.0.0/16", "100.64.0.0/16"],
        "is_default": False,
        "flow_logs": [{"traffic": "all", "active": True}],
    }
    assert seen.named(subnet).facts == {
        "network_id": found.id,
        "public_ip_on_launch": True,
        "ipv6_on_launch": False,
        "zone_name": "us-east-1b",
        "cidrs": ["10.0.1.0/24"],
    }
    assert seen.named(gateway).facts == {"gateway_type": "internet", "network_ids": [found.id]}
    endpoint = next(r for r in seen.resources if r.kind == "private_endpoint" and r.facts["service"] == "s3")
    routes = [
        {
            "destination": "0.0.0.0/0",
            "target": f"{EC2}internet-gateway/{gateway}",
            "target_type": "internet_gateway",
            "active": True,
        },
        {"destination": "10.0.0.0/16", "target": "local", "target_type": "local", "active": True},
    ]
    made = seen.named(table).facts
    assert [r for r in made["routes"] if r in routes] == routes
    assert (made["network_id"], made["main"], made["subnet_ids"]) == (found.id, False, [f"{EC2}subnet/{subnet}"])
    everywhere = {"protocol": "all", "from_port": 0, "to_port": 65535, "action": "allow", "priority": 0}
    assert seen.named("efa").facts == {
        "firewall_type": "security_group",
        "network_id": found.id,
        "is_default": False,
        "ingress": [
            everywhere | {"source": f"{EC2}security-group/{group}", "source_type": "self"},
            everywhere | {"protocol": "icmp", "from_port": -1, "to_port": -1, "source": "10.0.0.0/8", "source_type": "cidr"},
            everywhere | {"protocol": "tcp", "from_port": 22, "to_port": 22, "source": "::/0", "source_type": "cidr"},
        ],
        "egress": [everywhere | {"source": "0.0.0.0/0", "source_type": "cidr"}],
    }
    filters = seen.named(acl).facts
    assert (filters["firewall_type"], filters["network_id"], filters["is_default"], filters["subnet_ids"]) == (
        "acl",
        found.id,
        False,
        [],
    )
    assert filters["ingress"][0] == everywhere | {
        "protocol": "tcp",
        "from_port": 22,
        "to_port": 22,
        "source": "0.0.0.0/0",
        "source_type": "cidr",
        "priority": 100,
    }
    assert endpoint.facts == {
        "service": "s3",
        "endpoint_type": "gateway",
        "network_id": found.id,
        "route_table_ids": [f"{EC2}route-table/{table}"],
        "private_dns": False,
        "state": "available",
        "policy_statements": [
            {
                "effect": "Allow",
                "actions": ["s3:GetObject"],
                "not_actions": [],
                "resources": ["arn:aws:s3:::data/*"],
                "not_resources": [],
                "principals": ["*"],
                "not_principals": [],
                "conditions": [],
            }
        ],
        "policy_supported": True,
    }
    other = next(r for r in seen.resources if r.kind == "private_endpoint" and r.facts["service"] == "sts")
    assert (other.facts["endpoint_type"], other.facts["private_dns"], other.facts["route_table_ids"]) == ("interface", True, [])
