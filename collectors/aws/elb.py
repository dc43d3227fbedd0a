"""Elastic Load Balancing (v2): listeners of application, network and gateway load balancers.

What a listener accepts is computed from the ciphers and protocols of its policy, as the service describes them, never from the
policy's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Batch, Call, Const, Field, Row, Side, Table

PROTOCOLS = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_Listener.html"
SCHEME = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html"
REDIRECT = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_RedirectActionConfig.html"

VERSIONS = {"SSLv3": "ssl3", "TLSv1": "1.0", "TLSv1.1": "1.1", "TLSv1.2": "1.2", "TLSv1.3": "1.3"}

# Forward secrecy (ECDHE, DHE) and authenticated encryption, in OpenSSL's names; TLS 1.3 has no other: RFC 8446, appendix B.4
STRONG = re.compile(r"^(TLS_|(EC)?DHE-.*(GCM|CCM|CHACHA20))")

REDACT = ("ClientSecret",)
CLIENT_ERROR = 400


def protocol(value: str) -> str:
    """The protocol in lower case."""
    return value.lower()


def speaks_tls(value: str) -> bool:
    """The listener ends TLS. QUIC is always TLS 1.3 (RFC 9001); TCP may carry it through, but that is not seen here."""
    return value in ("HTTPS", "TLS", "QUIC")


def versions(value: str, policies: list[Mapping[str, Any]]) -> list[str]:
    """TLS versions that the listener's policy accepts. A policy that the service does not describe is IndexError."""
    if value == "QUIC":
        return ["1.3"]
    return sorted(VERSIONS[p] for p in policies[0]["SslProtocols"]) if speaks_tls(value) else []


def policy_name(value: str, policy: str | None) -> str:
    """The name of the policy of a listener that ends TLS; empty for others."""
    return policy or "" if speaks_tls(value) else ""


def weak_ciphers(value: str, policies: list[Mapping[str, Any]]) -> list[str]:
    """Ciphers of the listener's policy without forward secrecy or without authenticated encryption."""
    if not speaks_tls(value) or value == "QUIC":
        return []
    return sorted(c["Name"] for c in policies[0]["Ciphers"] if not STRONG.match(c["Name"]))


def is_http(row: Row) -> bool:
    """Only HTTP listeners redirect."""
    return bool(row["item"].get("Protocol") == "HTTP")


def redirects(value: str, rules: list[Mapping[str, Any]] | None) -> bool:
    """Every rule, the default one among them, redirects to HTTPS or answers with an error, and one at least redirects."""
    if value != "HTTP":
        return False
    if not rules:
        msg = "an HTTP listener without a default rule"
        raise ValueError(msg)
    actions = [a for rule in rules for a in rule["Actions"]]
    to_tls = [_to_tls(a) for a in actions]
    return any(to_tls) and all(good or _refuses(a) for good, a in zip(to_tls, actions, strict=True))


def _to_tls(action: Mapping[str, Any]) -> bool:
    # NOTE: `#{protocol}`, also the default, keeps the protocol that the client came with
    return action["Type"] == "redirect" and (action.get("RedirectConfig") or {}).get("Protocol") == "HTTPS"


def _refuses(action: Mapping[str, Any]) -> bool:
    return action["Type"] == "fixed-response" and int((action.get("FixedResponseConfig") or {})["StatusCode"]) >= CLIENT_ERROR


def internet_facing(kind: str, scheme: str | None) -> bool:
    """Whether its address is public, which is the default. A gateway load balancer has no scheme: only its endpoints lead to it."""
    return kind != "gateway" and scheme in ("internet-facing", None)


def name(parent: str, port: int | None) -> str:
    """`balancer:port`."""
    return f"{parent}:{port}" if port else parent


def both_tags(parent: Any, own: Any) -> dict[str, str]:
    """Tags of the load balancer, and over them the listener's."""
    return {**tag_list(parent), **tag_list(own)}


def _action(operation: str) -> tuple[str]:
    return (f"elasticloadbalancing:{operation}",)


def _tags(path: str) -> Batch:
    call = Call("elbv2", "describe_tags", take="TagDescriptions", actions=_action("DescribeTags"))
    return Batch(call, parameter="ResourceArns", on=path, key="ResourceArn", size=20)


LISTENERS = Table(
    kind="endpoint",
    native_type="AWS::ElasticLoadBalancingV2::Listener",
    list=Call("elbv2", "describe_load_balancers", take="LoadBalancers", actions=_action("DescribeLoadBalancers")),
    each=Call(
        "elbv2",
        "describe_listeners",
        args={"LoadBalancerArn": "parent.LoadBalancerArn"},
        take="Listeners",
        means={"LoadBalancerNotFound": None},  # gone since
        actions=_action("DescribeListeners"),
    ),
    id=Field("item.ListenerArn"),
    name=Field(("parent.LoadBalancerName", "item.Port"), name),
    tags=Field(("balancer_tags.Tags", "listener_tags.Tags"), both_tags, absent={}),
    detail={
        "rules": Call(
            "elbv2",
            "describe_rules",
            args={"ListenerArn": "item.ListenerArn"},
            take="Rules",
            when=is_http,
            needs=("item",),
            actions=_action("DescribeRules"),
        ),
        "policy": Side(
            Call("elbv2", "describe_ssl_policies", take="SslPolicies", actions=_action("DescribeSSLPolicies")),
            on="item.SslPolicy",
            key="Name",
        ),
        "balancer_tags": _tags("parent.LoadBalancerArn"),
        "listener_tags": _tags("item.ListenerArn"),
    },
    facts={
        "endpoint_type": Const("listener"),
        "protocol": Field("item.Protocol", protocol, source=PROTOCOLS),
        "port": Field("item.Port"),
        "internet_facing": Field(("parent.Type", "parent.Scheme"), internet_facing, source=SCHEME),
        "tls": Field("item.Protocol", speaks_tls, source=PROTOCOLS),
        "tls_versions": Field(("item.Protocol", "policy"), versions),
        "tls_policy": Field(("item.Protocol", "item.SslPolicy"), policy_name),
        "tls_weak_ciphers": Field(("item.Protocol", "policy"), weak_ciphers),
        "redirects_to_tls": Field(("item.Protocol", "rules"), redirects, source=REDIRECT),
        "firewall_ids": arn.many("security-group", "parent.SecurityGroups"),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (LISTENERS,)
