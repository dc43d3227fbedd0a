"""Elastic Load Balancing (v2): listeners of application, network and gateway load balancers.

What a listener accepts is computed from the ciphers and protocols of its policy, as the service describes them, never from the
policy's name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn, tls
from collectors.project import tag_list
from collectors.table import MISSING, Batch, Call, Const, Field, Row, Side, Table

PROTOCOLS = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_Listener.html"
SCHEME = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_CreateLoadBalancer.html"
REDIRECT = "https://docs.aws.amazon.com/elasticloadbalancing/latest/APIReference/API_RedirectActionConfig.html"

MUTUAL = "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/mutual-authentication.html"
WAF = "https://docs.aws.amazon.com/waf/latest/APIReference/API_GetWebACLForResource.html"

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


def versions(value: str, policy: str | None, described: list[Mapping[str, Any]]) -> list[str]:
    """TLS versions that the listener's policy accepts, as the service describes it, else as it is documented; KeyError of neither."""
    if value == "QUIC":
        return ["1.3"]
    if not speaks_tls(value):
        return []
    return sorted(tls.SPELLED[p] for p in described[0]["SslProtocols"]) if described else tls.versions(str(policy))


def policy_name(value: str, policy: str | None) -> str:
    """The name of the policy of a listener that ends TLS; empty for others."""
    return policy or "" if speaks_tls(value) else ""


def weak_ciphers(value: str, policy: str | None, described: list[Mapping[str, Any]]) -> list[str]:
    """Ciphers of the listener's policy without forward secrecy or without authenticated encryption."""
    if not speaks_tls(value) or value == "QUIC":
        return []
    if not described:
        return tls.weak_ciphers(str(policy))
    return sorted(c["Name"] for c in described[0]["Ciphers"] if not STRONG.match(c["Name"]))


def has_rules(row: Row) -> bool:
    """Only listeners of application load balancers have rules; what others forward to stands in their default action."""
    return row["item"].get("Protocol") in ("HTTP", "HTTPS")


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


def target_groups(defaults: list[Mapping[str, Any]] | None, rules: list[Mapping[str, Any]] | None) -> list[str]:
    """Target groups that some rule, or the default action, forwards to."""
    actions = [*(defaults or []), *(a for rule in rules or [] for a in rule.get("Actions") or [])]
    return sorted({g for action in actions for g in _forwards(action)})


def _forwards(action: Mapping[str, Any]) -> list[str]:
    groups = [g.get("TargetGroupArn") for g in (action.get("ForwardConfig") or {}).get("TargetGroups") or []]
    return [g for g in (action.get("TargetGroupArn"), *groups) if g]


def open_rules(value: str, mutual: str | None, rules: list[Mapping[str, Any]] | None) -> list[str]:
    """Rules that forward callers whom nobody asked who they are. Where a client certificate is verified there is none."""
    if value not in ("HTTP", "HTTPS") or mutual == "verify":
        return []
    return [_shown(r) for r in _rules(rules) if _forwards_unasked(r) and not _by_header(r)]


def authentication_known(value: str, mutual: str | None, rules: list[Mapping[str, Any]] | None) -> Any:
    """No rule asks for a header and nothing else: whether that is a secret (of a CDN, a key) or a way to tell models apart is not seen."""
    if value not in ("HTTP", "HTTPS"):
        return MISSING  # NOTE: TCP and TLS are passed on as they come; whether the target asks is not seen
    if mutual == "verify":
        return True
    return MISSING if any(_forwards_unasked(r) and _by_header(r) for r in _rules(rules)) else True


def _rules(rules: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    if not rules:
        msg = "a listener without a default rule"
        raise ValueError(msg)
    return rules


def _forwards_unasked(rule: Mapping[str, Any]) -> bool:
    """It forwards, and no action before asks: one that lets through whom it could not identify does not ask."""
    actions = rule["Actions"]
    forward = any(a["Type"] == "forward" for a in actions)
    return forward and not any(_asks(a) for a in actions)


def _asks(action: Mapping[str, Any]) -> bool:
    if action["Type"] == "jwt-validation":
        return True
    for kind, config in (("authenticate-oidc", "AuthenticateOidcConfig"), ("authenticate-cognito", "AuthenticateCognitoConfig")):
        if action["Type"] == kind:
            return (action.get(config) or {}).get("OnUnauthenticatedRequest") != "allow"
    return False


def _by_header(rule: Mapping[str, Any]) -> bool:
    return any(c.get("Field") == "http-header" for c in rule.get("Conditions") or [])


def _shown(rule: Mapping[str, Any]) -> str:
    """`default`, or the priority with what the rule asks for."""
    if rule.get("Priority") == "default":
        return "default"
    fields = sorted({str(c.get("Field")) for c in rule.get("Conditions") or []})
    return f"{rule.get('Priority')} ({', '.join(fields)})"


def internet_facing(kind: str, scheme: str | None) -> bool:
    """Whether its address is public, which is the default. A gateway load balancer has no scheme: only its endpoints lead to it."""
    return kind != "gateway" and scheme in ("internet-facing", None)


def name(parent: str, port: int | None) -> str:
    """`balancer:port`."""
    return f"{parent}:{port}" if port else parent


def both_tags(parent: Any, own: Any) -> dict[str, str]:
    """Tags of the load balancer, and over them the listener's."""
    return {**tag_list(parent), **tag_list(own)}


def dual_stack(kind: str | None) -> bool:
    """Clients may come over IPv6."""
    return kind in ("dualstack", "dualstack-without-public-ipv4")


def web_acl(kind: str, scheme: str | None, found: str | None) -> Any:
    """The web application firewall. Only application load balancers can have one: whether something else guards others is not seen."""
    return found or "" if kind == "application" and internet_facing(kind, scheme) else MISSING


def wants_firewall(row: Row) -> bool:
    """Only application load balancers can have a web application firewall, and nobody asks for one that no stranger reaches."""
    kind, scheme = (row["item"].get(name) for name in ("Type", "Scheme"))
    return kind == "application" and internet_facing(kind, scheme)


def _tags(path: str) -> Batch:
    call = Call("elbv2", "describe_tags", take="TagDescriptions")
    return Batch(call, parameter="ResourceArns", on=path, key="ResourceArn", size=20)


LISTENERS = Table(
    kind="endpoint",
    native_type="AWS::ElasticLoadBalancingV2::Listener",
    list=Call("elbv2", "describe_load_balancers", take="LoadBalancers"),
    each=Call(
        "elbv2",
        "describe_listeners",
        args={"LoadBalancerArn": "parent.LoadBalancerArn"},
        take="Listeners",
        means={"LoadBalancerNotFound": None},  # gone since
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
            when=has_rules,
            needs=("item",),
        ),
        "policy": Side(
            Call("elbv2", "describe_ssl_policies", take="SslPolicies"),
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
        "tls_versions": Field(("item.Protocol", "item.SslPolicy", "policy"), versions),
        "tls_policy": Field(("item.Protocol", "item.SslPolicy"), policy_name),
        "tls_weak_ciphers": Field(("item.Protocol", "item.SslPolicy", "policy"), weak_ciphers),
        "redirects_to_tls": Field(("item.Protocol", "rules"), redirects, source=REDIRECT),
        "firewall_ids": arn.many("security-group", "parent.SecurityGroups"),
        "balancer_id": Field("parent.LoadBalancerArn"),
        "balancer_type": Field("parent.Type", absent="application", source=SCHEME),
        "target_group_ids": Field(("item.DefaultActions", "rules"), target_groups, absent=[], source=PROTOCOLS),
        "open_rules": Field(("item.Protocol", "item.MutualAuthentication.Mode", "rules"), open_rules, source=MUTUAL),
        "authentication_known": Field(
            ("item.Protocol", "item.MutualAuthentication.Mode", "rules"), authentication_known, source=MUTUAL
        ),
    },
    redact=REDACT,
)

BALANCERS = Table(
    kind="endpoint",
    native_type="AWS::ElasticLoadBalancingV2::LoadBalancer",
    list=Call("elbv2", "describe_load_balancers", take="LoadBalancers"),
    id=Field("item.LoadBalancerArn"),
    name=Field("item.LoadBalancerName"),
    tags=Field("tags.Tags", tag_list, absent={}),
    detail={
        "tags": _tags("item.LoadBalancerArn"),
        "acl": Call(
            "wafv2",
            "get_web_acl_for_resource",
            args={"ResourceArn": "item.LoadBalancerArn"},
            take="WebACL.ARN",
            when=wants_firewall,
            needs=("item",),
            means={"WAFNonexistentItemException": None},  # gone since
            actions=("wafv2:GetWebACLForResource", "elasticloadbalancing:DescribeWebACLAssociation"),
        ),
    },
    facts={
        "endpoint_type": Const("load_balancer"),
        "balancer_type": Field("item.Type", absent="application", source=SCHEME),
        "internet_facing": Field(("item.Type", "item.Scheme"), internet_facing, source=SCHEME),
        "dual_stack": Field("item.IpAddressType", dual_stack, absent=False, source=SCHEME),
        "network_id": arn.one("vpc", "item.VpcId"),
        "subnet_ids": arn.many("subnet", "item.AvailabilityZones[].SubnetId"),
        "firewall_ids": arn.many("security-group", "item.SecurityGroups"),
        "web_acl": Field(("item.Type", "item.Scheme", "acl"), web_acl, source=WAF),
    },
)

TABLES: tuple[Table, ...] = (LISTENERS, BALANCERS)
