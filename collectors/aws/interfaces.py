"""Where load balancers forward to: target groups and what is registered in them.

The network interfaces of nodes come with the nodes themselves (`compute.py`): one answer has all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import MISSING, Batch, Call, Const, Field, Table

PRESERVED = (
    "https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html#client-ip-preservation"
)
TARGETS = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_TargetDescription.html"

TRANSPORT = ("TCP", "TLS", "UDP", "TCP_UDP", "QUIC", "TCP_QUIC", "GENEVE")
"""Protocols of target groups of network and gateway load balancers."""


def targets(partition: str, region: str, account: str, kind: str, found: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """Registered nodes by id, addresses and other targets as they are written, with the port. A function has no port."""
    made = []
    for description in found or []:
        target = description["Target"]
        name = arn.arn("ec2", "instance", partition, region, account, target["Id"]) if kind == "instance" else target["Id"]
        made.append({"id": name, "port": target.get("Port") or 0})
    return sorted(made, key=lambda t: (str(t["id"]), int(t["port"])))


def preserves_client(protocol: str | None, kind: str, attributes: list[Mapping[str, Any]] | None) -> Any:
    """Targets see the client's address: with network load balancers, unless it is turned off, or TCP goes to addresses."""
    if protocol not in TRANSPORT:
        return False
    said = next((a.get("Value") for a in attributes or [] if a.get("Key") == "preserve_client_ip.enabled"), None)
    if said is not None:
        return said == "true"
    if attributes is None:
        return MISSING
    return kind == "instance" or protocol in ("UDP", "TCP_UDP", "GENEVE")


def is_transport(row: Mapping[str, Any]) -> bool:
    """Application load balancers always come with their own address."""
    return row["item"].get("Protocol") in TRANSPORT


TARGET_GROUPS = Table(
    kind="endpoint",
    native_type="AWS::ElasticLoadBalancingV2::TargetGroup",
    list=Call("elbv2", "describe_target_groups", take="TargetGroups"),
    id=Field("item.TargetGroupArn"),
    name=Field("item.TargetGroupName"),
    tags=Field("tags.Tags", tag_list, absent={}),
    detail={
        "tags": Batch(
            Call("elbv2", "describe_tags", take="TagDescriptions"),
            parameter="ResourceArns",
            on="item.TargetGroupArn",
            key="ResourceArn",
            size=20,
        ),
        "health": Call(
            "elbv2",
            "describe_target_health",
            args={"TargetGroupArn": "item.TargetGroupArn"},
            take="TargetHealthDescriptions",
            means={"TargetGroupNotFound": None},  # gone since
        ),
        "attributes": Call(
            "elbv2",
            "describe_target_group_attributes",
            args={"TargetGroupArn": "item.TargetGroupArn"},
            take="Attributes",
            when=is_transport,
            needs=("item",),
        ),
    },
    facts={
        "endpoint_type": Const("target_group"),
        "protocol": Field("item.Protocol", str.lower, absent="", source=TARGETS),
        "port": Field("item.Port", absent=0, source=TARGETS),
        "target_type": Field("item.TargetType", absent="instance", source=TARGETS),
        "network_id": arn.one("vpc", "item.VpcId", absent=""),
        "balancer_ids": Field("item.LoadBalancerArns", sorted, absent=[], source=TARGETS),
        "targets": Field((*arn.PLACE, "item.TargetType", "health"), targets, source=TARGETS),
        "preserves_client": Field(("item.Protocol", "item.TargetType", "attributes"), preserves_client, source=PRESERVED),
    },
)

TABLES: tuple[Table, ...] = (TARGET_GROUPS,)
