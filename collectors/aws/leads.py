"""What leads from the internet to load balancers and nodes that are not facing it.

Global Accelerator, CloudFront's VPC origins, and the VPC links of API Gateway. Whether something answers in front of a link (an API, a
distribution) is not asked: that there is one is enough for nobody to say that there is no way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Row, Table

ENDPOINT = "https://docs.aws.amazon.com/global-accelerator/latest/api/API_EndpointDescription.html"
ORIGIN = "https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_VpcOriginSummary.html"
LINK = "https://docs.aws.amazon.com/apigateway/latest/api/API_VpcLink.html"
LINK_2 = "https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/vpclinks.html"
AT = "'us-west-2'"
"""Where Global Accelerator answers for the whole account: https://docs.aws.amazon.com/general/latest/gr/global_accelerator.html"""
RESOURCES = {"i-": "instance", "eipalloc-": "elastic-ip", "subnet-": "subnet"}


def public_cloud(row: Row) -> bool:
    """Global Accelerator is in the partition `aws` alone."""
    return bool(row["context"].get("partition") == "aws")


def led_to(partition: str, account: str, groups: Iterable[Mapping[str, Any]]) -> list[str]:
    """Load balancers, nodes, addresses and subnets that groups of endpoints lead to. Another kind of id is ValueError."""
    return sorted(
        {
            named(partition, str(group["EndpointGroupRegion"]), account, str(end["EndpointId"]))
            for group in groups
            for end in group.get("EndpointDescriptions") or []
        }
    )


def named(partition: str, region: str, account: str, end: str) -> str:
    """The id of an endpoint. ValueError for a kind that is not known."""
    if end.startswith("arn:"):
        return end
    for start, resource in RESOURCES.items():
        if end.startswith(start):
            return str(arn.arn("ec2", resource, partition, region, account, end))
    msg = f"an endpoint of an unknown kind: {end}"
    raise ValueError(msg)


def _accelerated(native_type: str, stem: str) -> Table:
    """Listeners of accelerators of one of two kinds; `stem` stands in the names of the calls."""
    return Table(
        kind="endpoint",
        native_type=native_type,
        list=Call("globalaccelerator", f"list_{stem}accelerators", take="Accelerators", region=AT, when=public_cloud),
        each=Call(
            "globalaccelerator",
            f"list_{stem}listeners",
            args={"AcceleratorArn": "parent.AcceleratorArn"},
            take="Listeners",
            region=AT,
            means={"AcceleratorNotFoundException": None},  # gone since
        ),
        per="account",
        id=Field("item.ListenerArn"),
        name=Field("parent.Name"),
        detail={
            "groups": Call(
                "globalaccelerator",
                f"list_{stem}endpoint_groups",
                args={"ListenerArn": "item.ListenerArn"},
                take="EndpointGroups",
                region=AT,
                means={"ListenerNotFoundException": []},  # gone since
            ),
        },
        facts={
            "endpoint_type": Const("lead"),
            "enabled": Field("parent.Enabled"),
            "leads_to": Field((arn.PARTITION, arn.ACCOUNT, "groups"), led_to, source=ENDPOINT),
        },
    )


ACCELERATED = _accelerated("AWS::GlobalAccelerator::Listener", "")
CUSTOM_ROUTED = _accelerated("AWS::GlobalAccelerator::CustomRoutingListener", "custom_routing_")

ORIGINS = Table(
    kind="endpoint",
    native_type="AWS::CloudFront::VpcOrigin",
    list=Call("cloudfront", "list_vpc_origins", take="VpcOriginList.Items", token=("Marker", "VpcOriginList.NextMarker")),
    per="account",
    id=Field("item.Arn"),
    name=Field("item.Name"),
    facts={
        "endpoint_type": Const("lead"),
        "enabled": Const(value=True),
        "leads_to": Field("item.OriginEndpointArn", lambda end: [end], source=ORIGIN),
    },
)

LINKS = Table(
    kind="endpoint",
    native_type="AWS::ApiGateway::VpcLink",
    list=Call("apigateway", "get_vpc_links", take="items", actions=("apigateway:GET",)),
    id=Field((arn.PARTITION, arn.REGION, "item.id"), lambda partition, region, own: f"arn:{partition}:apigateway:{region}::/vpclinks/{own}"),
    name=Field("item.name"),
    tags=Field("item.tags", tag_list, absent={}),
    facts={
        "endpoint_type": Const("lead"),
        "enabled": Field("item.status", lambda status: status != "FAILED", absent=True, source=LINK),
        "leads_to": Field("item.targetArns", sorted, source=LINK),
    },
)  # fmt: skip

LINKS_2 = Table(
    kind="endpoint",
    native_type="AWS::ApiGatewayV2::VpcLink",
    list=Call("apigatewayv2", "get_vpc_links", take="Items", token=("NextToken", "NextToken"), actions=("apigateway:GET",)),
    id=Field((arn.PARTITION, arn.REGION, "item.VpcLinkId"), lambda partition, region, own: f"arn:{partition}:apigateway:{region}::/vpclinks/{own}"),
    name=Field("item.Name"),
    tags=Field("item.Tags", tag_list, absent={}),
    facts={
        "endpoint_type": Const("lead"),
        "enabled": Field("item.VpcLinkStatus", lambda status: status != "FAILED", absent=True, source=LINK_2),
        # NOTE: what it leads to each API says for itself: to whatever lets its subnets and groups in
        "leads_to": Const([]),
        "subnet_ids": arn.many("subnet", "item.SubnetIds"),
        "firewall_ids": arn.many("security-group", "item.SecurityGroupIds"),
    },
)  # fmt: skip

TABLES: tuple[Table, ...] = (ACCELERATED, CUSTOM_ROUTED, ORIGINS, LINKS, LINKS_2)
