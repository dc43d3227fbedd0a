"""Pairs of networks, and of the doors in them, whose live half moto does not know or tells otherwise than AWS."""

from __future__ import annotations

from typing import Any

from tests.collectors.terraform.conftest import Maker
from tests.collectors.terraform.pairs import Pair, arn
from tests.collectors.terraform.twins import ACCOUNT

AT = "2026-09-01T08:00:00Z"

# ---- firewalls and tunnels

FIREWALL = arn("network-firewall", "firewall/heron")
DROP = arn("network-firewall", "stateful-rulegroup/heron")
DOMAINS = {"GeneratedRulesType": "ALLOWLIST", "TargetTypes": ["TLS_SNI"], "Targets": [".com", "files.example.com"]}


def _policy(name: str, **document: object) -> Pair:
    own = {"FirewallPolicyName": f"heron-{name}", "FirewallPolicyArn": arn("network-firewall", f"firewall-policy/heron-{name}")}
    return Pair(
        f"04-network aws_networkfirewall_firewall_policy.{ {'drop': 'good', 'pass': 'bad'}[name] }",
        own["FirewallPolicyArn"],
        {
            "network-firewall:list_firewall_policies": {
                "FirewallPolicies": [{"Name": own["FirewallPolicyName"], "Arn": own["FirewallPolicyArn"]}]
            },
            "network-firewall:describe_firewall_policy": {
                "UpdateToken": "t",
                "FirewallPolicyResponse": {**own, "FirewallPolicyId": "1", "Tags": []},
                "FirewallPolicy": document,
            },
        },
    )


def _allowed(make: Maker) -> None:
    listed = {"generated_rules_type": "ALLOWLIST", "target_types": ["TLS_SNI"], "targets": DOMAINS["Targets"]}
    group = [{"rules_source": [{"rules_source_list": [listed]}]}]
    make.add(
        "aws_networkfirewall_rule_group.allowed",
        sets={"name": "heron", "type": "STATEFUL", "capacity": 10},
        after={"rule_group": group},
        late=("arn", "id"),
    )


TUNNEL = {"IkeVersions": [{"Value": "ikev2"}]}

FIREWALLS = (
    Pair(
        "04-network aws_networkfirewall_firewall.edge",
        FIREWALL,
        {
            "network-firewall:list_firewalls": {"Firewalls": [{"FirewallName": "heron", "FirewallArn": FIREWALL}]},
            "network-firewall:describe_firewall": {
                "Firewall": {
                    "FirewallName": "heron",
                    "FirewallArn": FIREWALL,
                    "FirewallId": "1",
                    "FirewallPolicyArn": arn("network-firewall", "firewall-policy/heron-drop"),
                    "VpcId": "vpc-1",
                    "SubnetMappings": [{"SubnetId": "subnet-1"}],
                },
                "FirewallStatus": {
                    "Status": "READY",
                    "ConfigurationSyncStateSummary": "IN_SYNC",
                    "SyncStates": {"us-east-1a": {"Attachment": {"SubnetId": "subnet-1", "EndpointId": "vpce-1"}}},
                },
            },
        },
        ids={
            "plan/aws_vpc.training": arn("ec2", "vpc/vpc-1"),
            "plan/aws_networkfirewall_firewall_policy.good": arn("network-firewall", "firewall-policy/heron-drop"),
        },
    ),
    _policy(
        "drop",
        StatelessDefaultActions=["aws:forward_to_sfe"],
        StatelessFragmentDefaultActions=["aws:forward_to_sfe"],
        StatefulDefaultActions=["aws:drop_strict", "aws:alert_strict"],
        StatefulEngineOptions={"RuleOrder": "STRICT_ORDER"},
    ),
    _policy("pass", StatelessDefaultActions=["aws:pass"], StatelessFragmentDefaultActions=["aws:pass"]),
    Pair(
        "aws_networkfirewall_rule_group.allowed",
        DROP,
        {
            "network-firewall:list_rule_groups": {"RuleGroups": [{"Name": "heron", "Arn": DROP}]},
            "network-firewall:describe_rule_group": {
                "UpdateToken": "t",
                "RuleGroup": {"RulesSource": {"RulesSourceList": DOMAINS}},
                "RuleGroupResponse": {"RuleGroupArn": DROP, "RuleGroupName": "heron", "RuleGroupId": "1", "Type": "STATEFUL"},
            },
        },
        planned=_allowed,
    ),
    # moto forgets what is asked of tunnels
    Pair(
        "04-network aws_vpn_connection.good",
        arn("ec2", "vpn-connection/vpn-1"),
        {
            "ec2:describe_vpn_connections": {
                "VpnConnections": [
                    {
                        "VpnConnectionId": "vpn-1",
                        "State": "available",
                        "Type": "ipsec.1",
                        "Options": {
                            "StaticRoutesOnly": True,
                            "TunnelOptions": [
                                TUNNEL
                                | {
                                    "Phase1DHGroupNumbers": [{"Value": 20}],
                                    "Phase1EncryptionAlgorithms": [{"Value": "AES256-GCM-16"}],
                                    "Phase1IntegrityAlgorithms": [{"Value": "SHA2-384"}],
                                }
                                for _ in range(2)
                            ],
                        },
                    }
                ]
            }
        },
    ),
)


# ---- filters and transit

TRANSIT = {
    "plan/aws_ec2_transit_gateway.t": arn("ec2", "transit-gateway/tgw-1"),
    "plan/aws_vpc.a": arn("ec2", "vpc/vpc-a"),
    "plan/aws_vpc.b": arn("ec2", "vpc/vpc-b"),
}


def _transit(make: Maker) -> None:
    attachment, table = "aws_ec2_transit_gateway_vpc_attachment", "aws_ec2_transit_gateway_route_table"
    make.add("aws_ec2_transit_gateway.t", late=("id", "arn"))
    make.add(f"{table}.r", sets={"transit_gateway_id": ["aws_ec2_transit_gateway.t.id"]}, late=("id", "arn"))
    for name in "ab":
        make.add(f"aws_vpc.{name}", after={"cidr_block": "10.0.0.0/16"}, late=("id", "arn"))
        make.add(f"{attachment}.{name}", sets={"vpc_id": [f"aws_vpc.{name}.id"]}, late=("id",))
    own = {"transit_gateway_route_table_id": [f"{table}.r.id"]}
    first, second = ({**own, "transit_gateway_attachment_id": [f"{attachment}.{name}.id"]} for name in "ab")
    make.add(f"{table}_association.a", sets=first)
    make.add("aws_ec2_transit_gateway_route.b", sets=second, after={"destination_cidr_block": "10.1.0.0/16", "blackhole": False})
    make.add("aws_ec2_transit_gateway_route.hole", sets=own, after={"destination_cidr_block": "10.9.0.0/16", "blackhole": True})


def _attachment(name: str, **more: str) -> dict[str, str]:
    return {"TransitGatewayAttachmentId": f"tgw-attach-{name}", "ResourceId": f"vpc-{name}", "ResourceType": "vpc", **more}


def _controlled(make: Maker) -> None:
    make.add("aws_vpc.a", after={"cidr_block": "10.0.0.0/16"}, late=("id", "arn"))
    make.add(
        "aws_vpc_encryption_control.a",
        sets={"vpc_id": ["aws_vpc.a.id"]},
        after={"mode": "enforce", "nat_gateway_exclusion": "disable", "vpc_peering_exclusion": "enable"},
    )


def _entry(number: int, protocol: str, action: str, cidr: str, *, egress: bool = False, **more: Any) -> dict[str, Any]:
    return {"RuleNumber": number, "Protocol": protocol, "RuleAction": action, "CidrBlock": cidr, "Egress": egress, **more}


FILTERS = (
    # moto does not say what a static route leads to
    Pair(
        "aws_ec2_transit_gateway_route_table.r",
        arn("ec2", "transit-gateway-route-table/tgw-rtb-1"),
        {
            "ec2:describe_transit_gateway_route_tables": {
                "TransitGatewayRouteTables": [
                    {"TransitGatewayRouteTableId": "tgw-rtb-1", "TransitGatewayId": "tgw-1", "State": "available", "Tags": []}
                ]
            },
            "ec2:describe_transit_gateway_attachments": {
                "TransitGatewayAttachments": [
                    _attachment(name, TransitGatewayId="tgw-1", ResourceOwnerId=ACCOUNT, State="available") for name in "ab"
                ]
            },
            "ec2:get_transit_gateway_route_table_associations": {"Associations": [_attachment("a", State="associated")]},
            "ec2:get_transit_gateway_route_table_propagations": {"TransitGatewayRouteTablePropagations": []},
            "ec2:search_transit_gateway_routes": {
                "Routes": [
                    {
                        "DestinationCidrBlock": "10.1.0.0/16",
                        "Type": "static",
                        "State": "active",
                        "TransitGatewayAttachments": [_attachment("b")],
                    },
                    {"DestinationCidrBlock": "10.9.0.0/16", "Type": "static", "State": "blackhole"},
                ],
                "AdditionalRoutesAvailable": False,
            },
        },
        ids=TRANSIT,
        planned=_transit,
    ),
    # nor has it controls of encryption
    Pair(
        "aws_vpc.a",
        arn("ec2", "vpc/vpc-a"),
        {
            "ec2:describe_vpcs": {
                "Vpcs": [
                    {
                        "VpcId": "vpc-a",
                        "OwnerId": ACCOUNT,
                        "CidrBlock": "10.0.0.0/16",
                        "CidrBlockAssociationSet": [{"CidrBlock": "10.0.0.0/16", "CidrBlockState": {"State": "associated"}}],
                        "IsDefault": False,
                        "State": "available",
                    }
                ]
            },
            "ec2:describe_flow_logs": {"FlowLogs": []},
            "ec2:describe_vpc_encryption_controls": {
                "VpcEncryptionControls": [
                    {
                        "VpcId": "vpc-a",
                        "VpcEncryptionControlId": "vpcec-1",
                        "Mode": "enforce",
                        "State": "available",
                        "ResourceExclusions": {
                            "NatGateway": {"State": "disabled"},
                            "VpcPeering": {"State": "enabled"},
                        },
                    }
                ]
            },
        },
        planned=_controlled,
    ),
    # and its own ACLs lack the entries that end every ACL
    Pair(
        "04-network aws_network_acl.gpu",
        arn("ec2", "network-acl/acl-1"),
        {
            "ec2:describe_network_acls": {
                "NetworkAcls": [
                    {
                        "NetworkAclId": "acl-1",
                        "VpcId": "vpc-1",
                        "OwnerId": ACCOUNT,
                        "IsDefault": False,
                        "Associations": [],
                        "Entries": [
                            _entry(90, "6", "deny", "0.0.0.0/0", PortRange={"From": 22, "To": 22}),
                            _entry(100, "-1", "allow", "10.50.0.0/16"),
                            _entry(32767, "-1", "deny", "0.0.0.0/0"),
                            _entry(32767, "-1", "deny", "0.0.0.0/0", egress=True),
                        ],
                    }
                ]
            }
        },
        ids={"plan/aws_vpc.training": arn("ec2", "vpc/vpc-1")},
    ),
)

# ---- doors

CERTIFICATE = arn("acm", "certificate/1")
DISTRIBUTION = arn("cloudfront", "distribution/E1", "")
BEHAVIOUR = {"TargetOriginId": "o", "ViewerProtocolPolicy": "https-only"}
DISTRIBUTED = {
    "Id": "E1",
    "ARN": DISTRIBUTION,
    "Status": "Deployed",
    "DomainName": "d1.cloudfront.net",
    "Enabled": True,
    "Aliases": {"Quantity": 1, "Items": ["cdn.example.com"]},
    "Origins": {
        "Quantity": 1,
        "Items": [
            {
                "Id": "o",
                "DomainName": "origin.example.com",
                "CustomOriginConfig": {
                    "HTTPPort": 80,
                    "HTTPSPort": 443,
                    "OriginProtocolPolicy": "https-only",
                    "OriginSslProtocols": {"Quantity": 1, "Items": ["TLSv1.2"]},
                },
            }
        ],
    },
    "DefaultCacheBehavior": BEHAVIOUR,
    "CacheBehaviors": {"Quantity": 0},
    "ViewerCertificate": {
        "CloudFrontDefaultCertificate": False,
        "ACMCertificateArn": CERTIFICATE,
        "SSLSupportMethod": "sni-only",
        "MinimumProtocolVersion": "TLSv1.2_2021",
    },
}
LISTENER = f"arn:aws:globalaccelerator::{ACCOUNT}:accelerator/a/listener/l"
INNER = arn("elasticloadbalancing", "loadbalancer/app/inner/1")
ORIGIN = f"arn:aws:cloudfront::{ACCOUNT}:vpcorigin/vo_1"


def _accelerated(stem: str, *ends: str) -> Pair:
    kind = f"aws_globalaccelerator_{stem}"

    def planned(make: Maker) -> None:
        make.add("aws_lb.inner", after={"name": "inner"}, late=("id", "arn"))
        make.add(f"{kind}accelerator.a", sets={"name": "front", "enabled": False}, late=("id", "arn"))
        make.add(f"{kind}listener.l", sets={"accelerator_arn": [f"{kind}accelerator.a.id"]}, late=("id", "arn"))
        configured = [{"endpoint_id": end} for end in ends]
        make.add(
            f"{kind}endpoint_group.g",
            sets={"listener_arn": [f"{kind}listener.l.id"], "endpoint_group_region": "eu-west-1"},
            after={"endpoint_configuration": configured},
            late=("id", "arn"),
        )
        me = {"mode": "data", "type": "aws_caller_identity", "name": "me", "values": {"account_id": ACCOUNT}}
        make.document["prior_state"] = {"values": {"root_module": {"resources": [me]}}}

    call = f"globalaccelerator:list_{stem}"
    return Pair(
        f"{kind}endpoint_group.g",
        LISTENER,
        {
            f"{call}accelerators": {
                "Accelerators": [{"AcceleratorArn": LISTENER.partition("/listener")[0], "Name": "front", "Enabled": False}]
            },
            f"{call}listeners": {"Listeners": [{"ListenerArn": LISTENER}]},
            f"{call}endpoint_groups": {
                "EndpointGroups": [{"EndpointGroupRegion": "eu-west-1", "EndpointDescriptions": [{"EndpointId": e} for e in ends]}]
            },
        },
        planned=planned,
    )


def _origin(make: Maker) -> None:
    make.add("aws_lb.inner", after={"name": "inner"}, late=("id", "arn"))
    make.add("aws_cloudfront_vpc_origin.o", after={"vpc_origin_endpoint_config": [{"name": "inner"}]}, late=("id", "arn"))
    make.document["resource_changes"][-1]["change"]["after_unknown"]["vpc_origin_endpoint_config"] = [{"arn": True}]
    reference = {"references": ["aws_lb.inner.arn", "aws_lb.inner"]}
    make.module()["resources"][-1]["expressions"]["vpc_origin_endpoint_config"] = [{"arn": reference}]


def _link(make: Maker) -> None:
    make.add("aws_lb.inner", after={"name": "inner", "load_balancer_type": "network"}, late=("id", "arn"))
    make.add("aws_api_gateway_vpc_link.l", sets={"name": "inner", "target_arns": ["aws_lb.inner.arn"]}, late=("id", "arn"))


DOORS = (
    Pair(
        "09-edge aws_cloudfront_distribution.good",
        DISTRIBUTION,
        {
            "cloudfront:list_distributions": {"DistributionList": {"Items": [DISTRIBUTED], "IsTruncated": False}},
            "cloudfront:list_tags_for_resource": {"Tags": {"Items": []}},
        },
    ),
    # ACM renews what is validated and in use
    Pair(
        "09-edge aws_acm_certificate.good",
        CERTIFICATE,
        {
            "acm:list_certificates": {
                "CertificateSummaryList": [
                    {
                        "CertificateArn": CERTIFICATE,
                        "DomainName": "infer.example.com",
                        "Type": "AMAZON_ISSUED",
                        "InUse": True,
                        "RenewalEligibility": "ELIGIBLE",
                        "NotAfter": AT,
                    }
                ]
            },
            "acm:describe_certificate": {"Certificate": {"CertificateArn": CERTIFICATE, "RenewalEligibility": "ELIGIBLE"}},
        },
    ),
    _accelerated("", "i-1", "eipalloc-1", INNER),
    _accelerated("custom_routing_", "subnet-1"),
    Pair(
        "aws_cloudfront_vpc_origin.o",
        ORIGIN,
        {
            "cloudfront:list_vpc_origins": {
                "VpcOriginList": {
                    "Items": [{"Id": "vo_1", "Name": "inner", "Arn": ORIGIN, "OriginEndpointArn": INNER}],
                    "IsTruncated": False,
                }
            }
        },
        ids={"plan/aws_lb.inner": INNER},
        planned=_origin,
    ),
    Pair(
        "aws_api_gateway_vpc_link.l",
        "arn:aws:apigateway:us-east-1::/vpclinks/l",
        {"apigateway:get_vpc_links": {"items": [{"id": "l", "name": "inner", "targetArns": [INNER], "status": "AVAILABLE"}]}},
        ids={"plan/aws_lb.inner": INNER},
        planned=_link,
    ),
)

NETWORKS: tuple[Pair, ...] = (*FIREWALLS, *FILTERS, *DOORS)
