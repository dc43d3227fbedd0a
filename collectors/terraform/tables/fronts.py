"""Front doors: load balancers, their target groups, and APIs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import classic, elb, leads
from collectors.aws.apigateway import AUTHORIZATION, ENDPOINTS, ROUTE, open_methods, open_routes, public_endpoint
from collectors.aws.interfaces import TRANSPORT
from collectors.aws.tls import DEFAULT, versions
from collectors.policy import statements
from collectors.table import MISSING, Const, Fact, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import CREATED, PLACE, TAGS, PlanField, canonical, docs, flat, many, one, only_new

BALANCER = docs("aws_lb")
CLASSIC = docs("aws_elb")
GROUP = docs("aws_lb_target_group")
ASSOCIATION = docs("aws_wafv2_web_acl_association")

RULE = ("priority", "action", "condition")
MUTUAL = "item.mutual_authentication[0].mode"
UNASKED = (
    "item.default_action[].authenticate_oidc[].on_unauthenticated_request",
    "item.default_action[].authenticate_cognito[].on_unauthenticated_request",
)
ACTIONS = pick("item.default_action[]", "type")
RULES = pick("rules[]", *RULE)
FORWARDS = ("item.default_action[].target_group_arn", "item.default_action[].forward[].target_group[].arn")
FORWARDS_OF_RULES = ("rules[].action[].target_group_arn", "rules[].action[].forward[].target_group[].arn")


# listeners


def rules_of(default: Any, rules: Any, *unasked: Any) -> list[Mapping[str, Any]]:
    """The rules of a listener in the words of the API, the default one last. One `allow` counts for all its authentication."""
    lets = "allow" in flat(*unasked)
    found: list[Mapping[str, Any]] = [
        {
            "Priority": str(rule.get("priority") or "next"),
            "Conditions": [{"Field": _field(c)} for c in rule.get("condition") or []],
            "Actions": [_action(a, lets=False) for a in rule.get("action") or []],
        }
        for rule in rules or []
    ]
    return [*found, {"Priority": "default", "Actions": [_action(a, lets=lets) for a in default or []]}]


def _field(condition: Mapping[str, Any]) -> str:
    return next((name.replace("_", "-") for name in sorted(condition) if condition[name]), "")


def _action(action: Mapping[str, Any], *, lets: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"Type": action["type"]}
    for kind, config in (("oidc", "AuthenticateOidcConfig"), ("cognito", "AuthenticateCognitoConfig")):
        own = flat([b.get("on_unauthenticated_request") for b in action.get(f"authenticate_{kind}") or []])
        found[config] = {"OnUnauthenticatedRequest": "allow" if lets or "allow" in own else "authenticate"}
    return found


def open_rules(protocol: str | None, mutual: str | None, *found: Any) -> list[str]:
    """See `collectors.aws.elb.open_rules`."""
    return elb.open_rules(protocol or "", mutual, rules_of(*found))


def authentication_known(protocol: str | None, mutual: str | None, *found: Any) -> Any:
    """See `collectors.aws.elb.authentication_known`."""
    return elb.authentication_known(protocol or "", mutual, rules_of(*found))


def asks(kind: str) -> dict[str, Field]:
    """Facts of listeners about what they forward to, and whom they ask."""
    paths = ("item.protocol", MUTUAL, ACTIONS, RULES, *UNASKED)
    return {
        "balancer_id": one("loadbalancer", "item.load_balancer_arn", service="elasticloadbalancing"),
        "balancer_type": Field("balancer.load_balancer_type", absent="application", source=BALANCER),
        "target_group_ids": many("targetgroup", *FORWARDS, *FORWARDS_OF_RULES, service="elasticloadbalancing", source=docs(kind)),
        "open_rules": Field(paths, open_rules, absent=[], source=docs(kind)),
        "authentication_known": Field(paths, authentication_known, absent=True, source=docs(kind)),
    }


# load balancers and target groups


def groups(partition: str, region: str | None, account: str | None, found: Any, kind: str | None) -> Any:
    """Security groups; an application load balancer always has one."""
    made = sorted({canonical("ec2", "security-group", partition, region, account, v) for v in flat(found)})
    return made or (MISSING if kind in (None, "application") else [])


def internet_facing(internal: bool | None, kind: str | None) -> bool:  # noqa: FBT001 - a value of the row
    """Its address is public, which is the default; a gateway load balancer is reached through its endpoints only."""
    return kind != "gateway" and not internal


def web_acl(created: bool, kind: str | None, found: str | None) -> Any:  # noqa: FBT001 - a value of the row
    """The web application firewall. Only application load balancers can have one."""
    if kind not in (None, "application"):
        return MISSING
    return found or only_new(created, "")


def targets(
    partition: str,
    region: str | None,
    account: str | None,
    created: bool,  # noqa: FBT001 - a value of the row
    port: int | None,
    kind: str | None,
    found: Any,
) -> Any:
    """What the plan registers; with the group's port where none is given."""
    made = []
    for attachment in found or []:
        target = str(attachment["target_id"])
        name = canonical("ec2", "instance", partition, region, account, target) if kind in (None, "instance") else target
        made.append({"id": name, "port": int(attachment.get("port") or port or 0)})
    return sorted(made, key=lambda t: (str(t["id"]), int(t["port"]))) or only_new(created, [])


def preserves_client(protocol: str | None, kind: str | None, said: Any) -> bool:
    """Targets see the client's address: see `collectors.aws.interfaces.preserves_client`."""
    if protocol not in TRANSPORT:
        return False
    if said not in (None, ""):
        return str(said).lower() == "true"
    return kind in (None, "instance") or protocol in ("UDP", "TCP_UDP", "GENEVE")


def _balancer(kind: str) -> PlanTable:
    return PlanTable(
        "endpoint",
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        kind,
        {
            "endpoint_type": Const("load_balancer"),
            "balancer_type": Field("item.load_balancer_type", absent="application", source=BALANCER),
            "internet_facing": Field(("item.internal", "item.load_balancer_type"), internet_facing, absent=True, source=BALANCER),
            "dual_stack": Field("item.ip_address_type", elb.dual_stack, absent=False, source=BALANCER),
            "subnet_ids": Field(
                (*PLACE, "item.subnets", "item.subnet_mapping[].subnet_id"),
                lambda p, r, a, *found: sorted({canonical("ec2", "subnet", p, r, a, v) for v in flat(*found)}) or MISSING,
                absent=MISSING,
            ),
            "firewall_ids": Field((*PLACE, "item.security_groups", "item.load_balancer_type"), groups, absent=[], source=BALANCER),
            "web_acl": Field((CREATED, "item.load_balancer_type", "acl.web_acl_arn"), web_acl, absent="", source=ASSOCIATION),
        },
        {"acl": Join("aws_wafv2_web_acl_association", on="resource_arn", to="arn")},
        tags=TAGS,
    )


def _group(kind: str) -> PlanTable:
    attachment = kind.replace("target_group", "target_group_attachment")
    return PlanTable(
        "endpoint",
        "AWS::ElasticLoadBalancingV2::TargetGroup",
        kind,
        {
            "endpoint_type": Const("target_group"),
            "protocol": Field("item.protocol", str.lower, absent="", source=GROUP),
            "port": Field("item.port", absent=0, source=GROUP),
            "target_type": Field("item.target_type", absent="instance", source=GROUP),
            "network_id": one("vpc", "item.vpc_id", absent="", source=GROUP),
            "targets": Field(
                (*PLACE, CREATED, "item.port", "item.target_type", pick("attached[]", "target_id", "port")),
                targets,
                absent=[],
                source=GROUP,
            ),
            "preserves_client": Field(
                ("item.protocol", "item.target_type", "item.preserve_client_ip"), preserves_client, absent=False, source=GROUP
            ),
        },
        {"attached": Join(attachment, on="target_group_arn", to="arn", many=True)},
        tags=TAGS,
    )


# classic load balancers


def listened(found: Any) -> list[dict[str, Any]]:
    """The listeners in the words of the API."""
    return [
        {
            "Listener": {
                "Protocol": str(each["lb_protocol"]).upper(), "LoadBalancerPort": each["lb_port"],
                "InstanceProtocol": each["instance_protocol"], "InstancePort": each["instance_port"],
            },
        }
        for each in found or []
    ]  # fmt: skip


def classic_versions(found: Any, *policies: Any) -> Any:
    """TLS versions, where nobody chooses a policy; what is in one of one's own is not read."""
    if found is None:
        return MISSING  # NOTE: a balancer that the plan does not hold
    if not classic.speaks_tls(listened(found)):
        return []
    return MISSING if flat(*policies) else sorted(versions(DEFAULT))


def classic_targets(
    partition: str,
    region: str | None,
    account: str | None,
    created: bool,  # noqa: FBT001 - a value of the row
    found: Any,
    *nodes: Any,
) -> Any:
    """Registered nodes, with every port that some listener forwards to."""
    ids = sorted({canonical("ec2", "instance", partition, region, account, v) for v in flat(*nodes)})
    ports = sorted({int(each["instance_port"]) for each in found or []})
    return [{"id": name, "port": port} for name in ids for port in ports] if ids else only_new(created, [])


_LISTENERS = pick("item.listener[]", "lb_port", "lb_protocol", "instance_port", "instance_protocol")
CLASSIC_BALANCERS = PlanTable(
    "endpoint",
    "AWS::ElasticLoadBalancing::LoadBalancer",
    "aws_elb",
    {
        "endpoint_type": Const("load_balancer"),
        "balancer_type": Const("classic"),
        "protocol": Field(_LISTENERS, lambda found: classic.protocol(listened(found))),
        "listeners": Field(_LISTENERS, lambda found: classic.listeners(listened(found))),
        "internet_facing": Field("item.internal", lambda internal: not internal, absent=True, source=CLASSIC),
        "dual_stack": Const(value=False),
        "subnet_ids": Field(
            (*PLACE, "item.subnets"),
            lambda p, r, a, found: sorted({canonical("ec2", "subnet", p, r, a, v) for v in flat(found)}) or MISSING,
            absent=MISSING,
        ),
        "firewall_ids": Field(
            (*PLACE, "item.security_groups"), lambda p, r, a, found: groups(p, r, a, found, None), absent=MISSING
        ),
        "targets": PlanField(
            (*PLACE, CREATED, _LISTENERS, "item.instances", "attached[].instance"),
            classic_targets,
            absent=[],
            source=CLASSIC,
            strict=(_LISTENERS,),
        ),
        "tls": Field(_LISTENERS, lambda found: classic.speaks_tls(listened(found))),
        "tls_versions": PlanField(
            (_LISTENERS, "negotiated[].lb_port", "policed[].load_balancer_port"),
            classic_versions,
            absent=[],
            source=classic.POLICIES,
            strict=(_LISTENERS,),
        ),
        "redirects_to_tls": Const(value=False),
        "web_acl": Const(""),
    },
    {
        "attached": Join("aws_elb_attachment", on="elb", many=True),
        "negotiated": Join("aws_lb_ssl_negotiation_policy", on="load_balancer", many=True),
        "policed": Join("aws_load_balancer_listener_policy", on="load_balancer_name", many=True),
    },
    tags=TAGS,
)


# what leads to load balancers and nodes from outside of their network


def _lead(native_type: str, kind: str, ends: Fact, name: Field, facts: Mapping[str, Fact], **joins: Join) -> PlanTable:
    return PlanTable(
        "endpoint",
        native_type,
        kind,
        {"endpoint_type": Const("lead"), "enabled": Const(value=True), "leads_to": ends, **facts},
        joins,
        name=name,
        tags=TAGS,
    )


def led_to(partition: str, account: str | None, region: str | None, found: Any) -> list[str]:
    """Ids of endpoints; one that is neither of the plan nor an ARN stays as it is written where its place is not known."""
    known = region is not None and account is not None
    return sorted(
        {
            leads.named(partition, str(region), str(account), end) if known and not end.startswith("plan/") else end
            for end in flat(found)
        }
    )


def _accelerated(native_type: str, stem: str) -> PlanTable:
    """Groups of endpoints of accelerators of one of two kinds; `stem` stands in the names of the types."""
    kind = f"aws_globalaccelerator_{stem}endpoint_group"
    accelerator = f"aws_globalaccelerator_{stem}accelerator"
    return _lead(
        native_type,
        kind,
        Field(
            ("context.partition", "context.account", "item.endpoint_group_region", "item.endpoint_configuration[].endpoint_id"),
            led_to,
            absent=[],
            source=docs(kind),
        ),
        Field("accelerator.name"),
        {"enabled": Field("accelerator.enabled", absent=True, source=docs(accelerator))},
        listener=Join(f"aws_globalaccelerator_{stem}listener", on="arn", to="listener_arn", many=True),
        accelerator=Join(accelerator, on="id", to="listener[].accelerator_arn"),
    )


def _ends(kind: str, path: str) -> Field:
    return many("instance", path, source=docs(kind))


LINK_2 = docs("aws_apigatewayv2_vpc_link")
LEADS = (
    _accelerated("AWS::GlobalAccelerator::Listener", ""),
    _accelerated("AWS::GlobalAccelerator::CustomRoutingListener", "custom_routing_"),
    _lead(
        "AWS::CloudFront::VpcOrigin",
        "aws_cloudfront_vpc_origin",
        _ends("aws_cloudfront_vpc_origin", "item.vpc_origin_endpoint_config[].arn"),
        Field("item.vpc_origin_endpoint_config[0].name"),
        {},
    ),
    _lead(
        "AWS::ApiGateway::VpcLink",
        "aws_api_gateway_vpc_link",
        _ends("aws_api_gateway_vpc_link", "item.target_arns"),
        Field("item.name"),
        {},
    ),
    _lead(
        "AWS::ApiGatewayV2::VpcLink",
        "aws_apigatewayv2_vpc_link",
        Const([]),
        Field("item.name"),
        {
            "subnet_ids": many("subnet", "item.subnet_ids", source=LINK_2),
            "firewall_ids": many("security-group", "item.security_group_ids", source=LINK_2),
        },
    ),
)


# APIs


def methods(paths: Any, found: Any) -> list[str]:
    """Methods that ask nobody who they are. A path is known by its last part, or not at all."""
    known = {f"plan/{r['address']}": f"/{r.get('path_part')}" for r in paths or []}
    return open_methods(
        [
            {
                "path": known.get(str(m.get("resource_id")), "/"),
                "resourceMethods": {
                    m["http_method"]: {"authorizationType": m["authorization"], "apiKeyRequired": m.get("api_key_required")}
                },
            }
            for m in found or []
        ]
    )


def from_definition(body: Any, *found: Any) -> Any:
    """An API that is written as an OpenAPI definition has methods that are not read."""
    return MISSING if body else methods(*found)


def routes(protocol: str | None, body: Any, found: Any) -> Any:
    """Routes that ask nobody who they are. Of an API that the plan does not hold its routes say of which protocol it is."""
    if body:
        return MISSING
    if not protocol:
        protocol = "HTTP" if any(" " in r["route_key"] for r in found or []) else "WEBSOCKET"
    return open_routes(
        protocol,
        [
            {
                "RouteKey": r["route_key"],
                "AuthorizationType": r.get("authorization_type") or "NONE",
                "ApiKeyRequired": r.get("api_key_required"),
            }
            for r in found or []
        ],
    )


def stage_acl(stages: Any, acls: Any) -> Any:
    """The web application firewall of all stages; none where a stage has none."""
    if not stages:
        return MISSING
    held = {a.get("resource_arn"): a.get("web_acl_arn") or "" for a in acls or []}
    return min(str(held.get(f"plan/{s['address']}") or s.get("web_acl_arn") or "") for s in stages)


REST_APIS = PlanTable(
    "endpoint",
    "AWS::ApiGateway::RestApi",
    "aws_api_gateway_rest_api",
    {
        "endpoint_type": Const("api"),
        "authentication_known": Const(value=True),
        "internet_facing": Field("item.endpoint_configuration[0].types", public_endpoint, absent=True, source=ENDPOINTS),
        "open_rules": Field(
            (
                "item.body", pick("paths[]", "address", "path_part"),
                pick("methods[]", "resource_id", "http_method", "authorization", "api_key_required"),
            ),
            from_definition, absent=[], source=AUTHORIZATION,
        ),
        "policy_statements": Field(("own.policy", "item.policy"), lambda *found: statements(next(iter(flat(*found)), None)), absent=[], source=AUTHORIZATION),
        "web_acl": Field((pick("stages[]", "address", "web_acl_arn"), pick("acls[]", "resource_arn", "web_acl_arn")), stage_acl),
    },
    {
        "paths": Join("aws_api_gateway_resource", on="rest_api_id", many=True),
        "methods": Join("aws_api_gateway_method", on="rest_api_id", many=True),
        "own": Join("aws_api_gateway_rest_api_policy", on="rest_api_id"),
        "stages": Join("aws_api_gateway_stage", on="rest_api_id", many=True),
        "acls": Join("aws_wafv2_web_acl_association", on="resource_arn", to="stages[].address", many=True),
    },
    tags=TAGS,
)  # fmt: skip

HTTP_APIS = PlanTable(
    "endpoint",
    "AWS::ApiGatewayV2::Api",
    "aws_apigatewayv2_api",
    {
        "endpoint_type": Const("api"),
        "authentication_known": Const(value=True),
        "internet_facing": Const(value=True),
        "open_rules": Field(
            ("item.protocol_type", "item.body", pick("routes[]", "route_key", "authorization_type", "api_key_required")),
            routes, absent=[], source=ROUTE,
        ),
        "policy_statements": Const([]),
    },
    {"routes": Join("aws_apigatewayv2_route", on="api_id", many=True)},
    tags=TAGS,
)  # fmt: skip

TABLES: tuple[PlanTable, ...] = (
    _balancer("aws_lb"),
    _balancer("aws_alb"),
    _group("aws_lb_target_group"),
    _group("aws_alb_target_group"),
    CLASSIC_BALANCERS,
    *LEADS,
    REST_APIS,
    HTTP_APIS,
)
