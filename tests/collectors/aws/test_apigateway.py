"""REST, HTTP and WebSocket APIs: who is asked."""

from __future__ import annotations

import json

import pytest

from collectors.aws import apigateway
from collectors.table import MISSING
from tests.collectors.aws.answers import given


def test_methods_that_ask_nobody():
    resources = [
        {"path": "/", "resourceMethods": {}},
        {
            "path": "/v1",
            "resourceMethods": {
                "GET": {"authorizationType": "NONE", "apiKeyRequired": False},
                "POST": {"authorizationType": "AWS_IAM"},
                "PUT": {"authorizationType": "NONE", "apiKeyRequired": True},
                "OPTIONS": {"authorizationType": "NONE"},
            },
        },
        {"path": "/v2", "resourceMethods": {"ANY": {}}},
    ]
    assert apigateway.open_methods(resources) == ["ANY /v2", "GET /v1"]
    assert apigateway.open_methods(None) == []


def test_routes_that_ask_nobody():
    routes = [{"RouteKey": "GET /", "AuthorizationType": "JWT"}, {"RouteKey": "$default"}, {"RouteKey": "OPTIONS /{any+}"}]
    assert apigateway.open_routes("HTTP", routes) == ["$default"]
    assert apigateway.open_routes("WEBSOCKET", [{"RouteKey": "$connect"}, {"RouteKey": "$default"}]) == ["$connect"]
    assert apigateway.open_routes("WEBSOCKET", [{"RouteKey": "$connect", "AuthorizationType": "CUSTOM"}, {"RouteKey": "say"}]) == []


def test_a_policy_whose_quotes_are_escaped_twice():
    # the service answers so: https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-resource-policies-create-attach.html
    document = json.dumps({"Statement": [{"Effect": "Deny", "Principal": "*", "Action": "execute-api:Invoke", "Resource": "*"}]})
    plain = apigateway.resource_policy(document)
    assert plain[0]["effect"] == "Deny"
    assert apigateway.resource_policy(document.replace('"', '\\"')) == plain
    with pytest.raises(ValueError, match="Expecting"):
        apigateway.resource_policy("{nonsense")


def test_every_stage_needs_its_firewall():
    assert apigateway.stage_acl([{"webAclArn": "a"}, {"webAclArn": "b"}]) == "a"
    assert apigateway.stage_acl([{"webAclArn": "a"}, {}]) == ""
    assert apigateway.stage_acl([]) is MISSING


def test_where_it_answers():
    assert apigateway.public_endpoint(["PRIVATE"]) is False
    assert apigateway.public_endpoint(["REGIONAL"]) is True
    assert apigateway.public_endpoint(["EDGE"]) is True


def test_a_rest_api(boto, look):
    client = boto("apigateway")
    api = client.create_rest_api(name="embed", endpointConfiguration={"types": ["REGIONAL"]}, tags={"team": "search"})["id"]
    root = client.get_resources(restApiId=api)["items"][0]["id"]
    client.put_method(restApiId=api, resourceId=root, httpMethod="POST", authorizationType="NONE")
    client.put_integration(
        restApiId=api, resourceId=root, httpMethod="POST", type="HTTP", uri="http://x", integrationHttpMethod="POST"
    )
    client.create_deployment(restApiId=api, stageName="prod")
    seen = look(apigateway.REST_APIS)
    assert seen.failed() == []
    found = seen.named("embed")
    assert (found.id, found.tags) == (f"arn:aws:apigateway:us-east-1::/restapis/{api}", {"team": "search"})
    assert found.facts == {
        "endpoint_type": "api",
        "authentication_known": True,
        "internet_facing": True,
        "open_rules": ["POST /"],
        "policy_statements": [],
        "web_acl": "",
    }


def test_an_http_api(boto, look):
    client = boto("apigatewayv2")
    api = client.create_api(Name="rerank", ProtocolType="HTTP")["ApiId"]
    client.create_route(ApiId=api, RouteKey="GET /", AuthorizationType="AWS_IAM")
    client.create_route(ApiId=api, RouteKey="POST /")
    seen = look(apigateway.HTTP_APIS)
    assert seen.failed() == []
    found = seen.named("rerank")
    assert found.id == f"arn:aws:apigateway:us-east-1::/apis/{api}"
    assert found.facts == {
        "endpoint_type": "api",
        "authentication_known": True,
        "internet_facing": True,
        "open_rules": ["POST /"],
        "policy_statements": [],
    }


def test_refused_methods_are_no_methods():
    answers = {
        "apigateway:get_rest_apis": {"items": [{"id": "a", "name": "a"}]},
        "apigateway:get_resources": "AccessDeniedException",
        "apigateway:get_stages": {"item": []},
    }
    (found,) = given(apigateway.REST_APIS, answers=answers).resources
    assert found.gaps["open_rules"].reason == "denied"
    assert "open_rules" not in found.facts
