"""Elastic Load Balancing, the first generation: classic load balancers. Their listeners stand in the same answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.tls import SPELLED
from collectors.project import tag_list
from collectors.table import Batch, Call, Const, Field, Row, Table

BALANCER = "https://docs.aws.amazon.com/elasticloadbalancing/2012-06-01/APIReference/API_LoadBalancerDescription.html"
SIX = "https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-internet-facing-load-balancers.html"
POLICIES = "https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/elb-ssl-security-policy.html"
TLS = ("HTTPS", "SSL")
NEGOTIATION, PROTOCOL = "SSLNegotiationPolicyType", "Protocol-"

Listener = Mapping[str, Any]


def listeners(found: Iterable[Listener] | None) -> list[dict[str, Any]]:
    """Ports and protocols on both sides. Where nothing is said of the side of the targets it is as the clients' side."""
    made = [_listener(d["Listener"]) for d in found or []]
    return sorted(made, key=lambda each: int(each["port"]))


def _listener(said: Listener) -> dict[str, Any]:
    front = str(said["Protocol"]).lower()
    return {
        "port": said["LoadBalancerPort"],
        "protocol": front,
        "target_port": said["InstancePort"],
        "target_protocol": str(said.get("InstanceProtocol") or _behind(front)).lower(),
    }


def _behind(front: str) -> str:
    """Layer 7 goes to HTTP, layer 4 to TCP."""
    return "http" if front in ("http", "https") else "tcp"


def protocol(found: Iterable[Listener] | None) -> str:
    """`http` where some listener answers in clear text, else `tcp` where some passes on what comes, else `tls`."""
    spoken = {each["protocol"] for each in listeners(found)}
    return next((p for p in ("http", "tcp") if p in spoken), "tls" if spoken else "")


def speaks_tls(found: Iterable[Listener] | None) -> bool:
    """Some listener ends TLS."""
    return any(d["Listener"]["Protocol"] in TLS for d in found or [])


def ends_tls(row: Row) -> bool:
    """Only listeners that end TLS have policies of it."""
    return speaks_tls(row["item"].get("ListenerDescriptions"))


def tls_versions(found: Iterable[Listener] | None, policies: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """TLS versions of all listeners that end TLS, by their policies. One without a policy that is described is ValueError."""
    described = {p["PolicyName"]: p for p in policies or [] if p.get("PolicyTypeName") == NEGOTIATION}
    versions: set[str] = set()
    for listener in (d for d in found or [] if d["Listener"]["Protocol"] in TLS):
        own = [described[name] for name in listener.get("PolicyNames") or [] if name in described]
        if not own:
            msg = f"the policy of port {listener['Listener']['LoadBalancerPort']} is not described"
            raise ValueError(msg)
        versions |= {SPELLED[name] for policy in own for name in _accepted(policy)}
    return sorted(versions)


def _accepted(policy: Mapping[str, Any]) -> Iterator[str]:
    for attribute in policy.get("PolicyAttributeDescriptions") or []:
        name = str(attribute.get("AttributeName"))
        if name.startswith(PROTOCOL) and str(attribute.get("AttributeValue")).lower() == "true":
            yield name.removeprefix(PROTOCOL)


def targets(
    partition: str, region: str, account: str, found: Iterable[Listener] | None, nodes: Iterable[Mapping[str, Any]] | None
) -> list[dict[str, Any]]:
    """Registered nodes, with every port that some listener forwards to."""
    ports = sorted({int(each["target_port"]) for each in listeners(found)})
    ids = sorted(arn.arn("ec2", "instance", partition, region, account, node["InstanceId"]) for node in nodes or [])
    return [{"id": name, "port": port} for name in ids for port in ports]


_LISTENERS = "item.ListenerDescriptions"
BALANCERS = Table(
    kind="endpoint",
    native_type="AWS::ElasticLoadBalancing::LoadBalancer",
    list=Call("elb", "describe_load_balancers", take="LoadBalancerDescriptions"),
    id=arn.one("loadbalancer", "item.LoadBalancerName", service="elasticloadbalancing"),
    name=Field("item.LoadBalancerName"),
    tags=Field("tags.Tags", tag_list, absent={}),
    detail={
        "tags": Batch(
            Call("elb", "describe_tags", take="TagDescriptions"),
            parameter="LoadBalancerNames",
            on="item.LoadBalancerName",
            key="LoadBalancerName",
            size=20,
        ),
        "policies": Call(
            "elb",
            "describe_load_balancer_policies",
            args={"LoadBalancerName": "item.LoadBalancerName"},
            take="PolicyDescriptions",
            when=ends_tls,
            needs=("item",),
            means={"LoadBalancerNotFound": None},  # gone since
        ),
    },
    facts={
        "endpoint_type": Const("load_balancer"),
        "balancer_type": Const("classic"),
        "protocol": Field(_LISTENERS, protocol, absent="", source=BALANCER),
        "listeners": Field(_LISTENERS, listeners, absent=[], source=BALANCER),
        "internet_facing": Field("item.Scheme", {"internet-facing": True, "internal": False}, absent=True, source=BALANCER),
        "dual_stack": Const(value=False),  # in a network it has no IPv6: SIX
        "network_id": arn.one("vpc", "item.VPCId"),
        "subnet_ids": arn.many("subnet", "item.Subnets"),
        "firewall_ids": arn.many("security-group", "item.SecurityGroups"),
        "targets": Field((*arn.PLACE, _LISTENERS, "item.Instances"), targets, source=BALANCER),
        "tls": Field(_LISTENERS, speaks_tls, absent=False, source=BALANCER),
        "tls_versions": Field((_LISTENERS, "policies"), tls_versions, absent=[], source=POLICIES),
        # NOTE: this generation cannot redirect, nor stand behind a web application firewall
        "redirects_to_tls": Const(value=False),
        "web_acl": Const(""),
    },
)

TABLES: tuple[Table, ...] = (BALANCERS,)
