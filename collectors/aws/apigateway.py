"""API Gateway: custom domain names; REST, HTTP and WebSocket APIs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import Statement, statements
from collectors.project import tag_list
from collectors.table import MISSING, Call, Const, Field, Table

REDACT = ("variables",)
"""Variables of a stage may hold anything."""
SECURITY = "https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-custom-domain-tls-version.html"

ENHANCED = re.compile(r"^SecurityPolicy_TLS1([23])_(?:1_([23])_)?")
"""`SecurityPolicy_TLS13_1_2_2021_06` accepts 1.2 to 1.3; one without a second number (`SecurityPolicy_TLS13_2025_EDGE`) starts at the first."""
OLDEST = "TLS_1_0"
LEGACY = {OLDEST: ["1.0", "1.1", "1.2", "1.3"], "TLS_1_2": ["1.2", "1.3"]}


def tls_versions(policy: str) -> list[str]:
    """TLS versions that a security policy accepts, by the family that its name states. ValueError for one that states none."""
    if policy in LEGACY:
        return LEGACY[policy]
    match = ENHANCED.match(policy)
    if not match:
        msg = f"not a known security policy: {policy}"
        raise ValueError(msg)
    return ["1.2", "1.3"] if (match[2] or match[1]) == "2" else ["1.3"]


def security_policy(policy: str | None, types: list[str] | None) -> Any:
    """The security policy; where none is named an edge-optimised domain takes TLS 1.0. Of others nothing is documented."""
    return policy or (OLDEST if "EDGE" in (types or ["EDGE"]) else MISSING)


def domain_versions(policy: str | None, types: list[str] | None) -> Any:
    """TLS versions that a domain name accepts."""
    found = security_policy(policy, types)
    return found if found is MISSING else tls_versions(found)


def domain_arn(partition: str, region: str, own: str | None, name: str) -> str:
    """The ARN of a domain name; public ones are named without the account."""
    return own or f"arn:{partition}:apigateway:{region}::/domainnames/{name}"


_POLICY = ("item.securityPolicy", "item.endpointConfiguration.types")

# NOTE: this listing has the domain names of REST, HTTP and WebSocket APIs alike, so the second version of the API is not asked
DOMAINS = Table(
    kind="endpoint",
    native_type="AWS::ApiGateway::DomainName",
    list=Call("apigateway", "get_domain_names", take="items", actions=("apigateway:GET",)),
    id=Field((arn.PARTITION, arn.REGION, "item.domainNameArn", "item.domainName"), domain_arn),
    name=Field("item.domainName"),
    tags=Field("item.tags", tag_list, absent={}),
    facts={
        "endpoint_type": Const("domain"),
        "tls": Const(value=True),
        "tls_policy": Field(_POLICY, security_policy, absent=OLDEST, source=SECURITY),
        "tls_versions": Field(_POLICY, domain_versions, absent=LEGACY[OLDEST], source=SECURITY),
    },
    redact=("certificateBody", "certificatePrivateKey"),
)

AUTHORIZATION = "https://docs.aws.amazon.com/apigateway/latest/api/API_Method.html"
ROUTE = "https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-routes.html"
ENDPOINTS = "https://docs.aws.amazon.com/apigateway/latest/api/API_EndpointConfiguration.html"
WEB_ACL = "https://docs.aws.amazon.com/apigateway/latest/api/API_Stage.html"


def public_endpoint(types: list[str] | None) -> bool:
    """It answers outside of private networks; an API is edge-optimised unless somebody says otherwise."""
    return types != ["PRIVATE"]


def open_methods(resources: list[Mapping[str, Any]] | None) -> list[str]:
    """Methods that ask nobody who they are, nor for a key. OPTIONS is for browsers, which ask before they know who the user is."""
    return sorted(
        f"{verb} {resource['path']}"
        for resource in resources or []
        for verb, method in (resource.get("resourceMethods") or {}).items()
        if verb != "OPTIONS" and method.get("authorizationType", "NONE") == "NONE" and not method.get("apiKeyRequired")
    )


def open_routes(protocol: str, routes: list[Mapping[str, Any]] | None) -> list[str]:
    """Routes that ask nobody who they are. A WebSocket asks when it is opened (`$connect`), and never again."""
    return sorted(
        route["RouteKey"]
        for route in routes or []
        if route.get("AuthorizationType", "NONE") == "NONE"
        and not route.get("ApiKeyRequired")
        and not route["RouteKey"].startswith("OPTIONS ")
        and (protocol != "WEBSOCKET" or route["RouteKey"] == "$connect")
    )


def resource_policy(document: str) -> list[Statement]:
    """The resource policy, which this service answers as JSON text whose quotes are escaped once more."""
    return statements(json.loads(f'"{document}"') if document.lstrip().startswith('{\\"') else document)


def stage_acl(stages: list[Mapping[str, Any]]) -> Any:
    """The web application firewall: of all stages, or empty. Without a stage nobody can call the API."""
    found = [stage.get("webAclArn") or "" for stage in stages]
    return min(found) if found else MISSING


def _api_arn(kind: str) -> Callable[..., str]:
    return lambda partition, region, name: f"arn:{partition}:apigateway:{region}::/{kind}/{name}"


REST_APIS = Table(
    kind="endpoint",
    native_type="AWS::ApiGateway::RestApi",
    list=Call("apigateway", "get_rest_apis", take="items", actions=("apigateway:GET",)),
    id=Field((arn.PARTITION, arn.REGION, "item.id"), _api_arn("restapis")),
    name=Field("item.name"),
    tags=Field("item.tags", tag_list, absent={}),
    detail={
        "resources": Call(
            "apigateway",
            "get_resources",
            args={"restApiId": "item.id"},
            fixed={"embed": ["methods"]},
            take="items",
            actions=("apigateway:GET",),
        ),
        "stages": Call("apigateway", "get_stages", args={"restApiId": "item.id"}, take="item", actions=("apigateway:GET",)),
    },
    facts={
        "endpoint_type": Const("api"),
        "internet_facing": Field("item.endpointConfiguration.types", public_endpoint, absent=True, source=ENDPOINTS),
        "authentication_known": Const(value=True),
        "open_rules": Field("resources", open_methods, absent=[], source=AUTHORIZATION),
        "policy_statements": Field("item.policy", resource_policy, absent=[], source=AUTHORIZATION),
        "web_acl": Field("stages", stage_acl, source=WEB_ACL),
    },
    redact=REDACT,
)

HTTP_APIS = Table(
    kind="endpoint",
    native_type="AWS::ApiGatewayV2::Api",
    list=Call("apigatewayv2", "get_apis", take="Items", actions=("apigateway:GET",)),
    id=Field((arn.PARTITION, arn.REGION, "item.ApiId"), _api_arn("apis")),
    name=Field("item.Name"),
    tags=Field("item.Tags", tag_list, absent={}),
    detail={
        "routes": Call("apigatewayv2", "get_routes", args={"ApiId": "item.ApiId"}, take="Items", actions=("apigateway:GET",)),
    },
    facts={
        "endpoint_type": Const("api"),
        # NOTE: these APIs have no private form and no resource policy
        "internet_facing": Const(value=True),
        "authentication_known": Const(value=True),
        "open_rules": Field(("item.ProtocolType", "routes"), open_routes, absent=[], source=ROUTE),
        "policy_statements": Const([]),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (DOMAINS, REST_APIS, HTTP_APIS)
