"""Lambda: functions, their web addresses and their policies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors import secrets
from collectors.policy import Statement, statements
from collectors.table import Call, Field, Table

URLS = "https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html"
POLICIES = "https://docs.aws.amazon.com/lambda/latest/dg/access-control-resource-based.html"
VARIABLES = "https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html"

AUTH = {"NONE": "none", "AWS_IAM": "identity"}
REDUCE = {"Variables": secrets.findings}

Url = Mapping[str, Any]


def url_auth(urls: Iterable[Url] | None) -> list[str]:
    """How callers of each web address prove who they are. KeyError for a way that is not known."""
    return sorted({AUTH[u["AuthType"]] for u in urls or []})


def elsewhere(function: str, urls: Iterable[Url] | None) -> list[str]:
    """Aliases of a function with a web address that asks nobody who they are: each has a policy of its own."""
    return sorted({u["FunctionArn"] for u in urls or [] if u.get("AuthType") == "NONE" and u["FunctionArn"] != function})


def policy(function: str, urls: Iterable[Url] | None, own: str | None, aliased: str | None) -> list[Statement]:
    """Statements of the function's policy and of the alias whose address is open.

    ValueError where several aliases are: the policy of one only was asked for.
    """
    if len(elsewhere(function, urls)) > 1:
        msg = "several aliases with open addresses"
        raise ValueError(msg)
    return [*statements(own), *statements(aliased)]


def environment_secrets(_: str, found: Any, error: Mapping[str, Any] | None) -> list[dict[str, str]]:
    """What stands in the variables. ValueError where Lambda could not decrypt them."""
    if error:
        msg = f"the variables could not be read: {error.get('ErrorCode')}"
        raise ValueError(msg)
    return secrets.listed(found)


FUNCTIONS = Table(
    kind="workload",
    native_type="AWS::Lambda::Function",
    list=Call("lambda", "list_functions", take="Functions", reduce=REDUCE),
    id=Field("item.FunctionArn"),
    name=Field("item.FunctionName"),
    tags=Field("tags", absent={}),
    detail={
        "tags": Call("lambda", "list_tags", args={"Resource": "item.FunctionArn"}, take="Tags"),
        "urls": Call(
            "lambda",
            "list_function_url_configs",
            args={"FunctionName": "item.FunctionName"},
            take="FunctionUrlConfigs",
            means={"ResourceNotFoundException": []},
        ),
        "policy": Call(
            "lambda",
            "get_policy",
            args={"FunctionName": "item.FunctionName"},
            take="Policy",
            means={"ResourceNotFoundException": None},
        ),
        "aliased": Call(
            "lambda",
            "get_policy",
            args={"FunctionName": "urls[?AuthType=='NONE'].FunctionArn | sort(@) | [-1]"},
            take="Policy",
            means={"ResourceNotFoundException": None},
            when=lambda row: bool(elsewhere(row["item"]["FunctionArn"], row.get("urls"))),
            needs=("urls",),
        ),
    },
    facts={
        "url_auth": Field("urls", url_auth, absent=[], source=URLS),
        "policy_statements": Field(("item.FunctionArn", "urls", "policy", "aliased"), policy, source=POLICIES),
        "environment_secrets": Field(
            ("item.FunctionName", "item.Environment.Variables", "item.Environment.Error"), environment_secrets, source=VARIABLES
        ),
    },
)

TABLES: tuple[Table, ...] = (FUNCTIONS,)
