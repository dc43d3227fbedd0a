"""Functions."""

from __future__ import annotations

import json

import pytest

from collectors.aws import functions
from tests.collectors.aws.answers import given
from tests.collectors.aws.conftest import ACCOUNT

ARN = f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:chat"


def policy(principal="*", **conditions):
    statement = {"Effect": "Allow", "Principal": principal, "Action": "lambda:InvokeFunctionUrl", "Resource": ARN}
    return json.dumps({"Version": "2012-10-17", "Statement": [statement | ({"Condition": conditions} if conditions else {})]})


def url(auth, arn=ARN):
    return {"FunctionUrl": "https://x.on.aws/", "FunctionArn": arn, "CreationTime": "t", "LastModifiedTime": "t", "AuthType": auth}


def answers(**more):
    given_ = {
        "list_functions": {"Functions": [{"FunctionArn": ARN, "FunctionName": "chat"}]},
        "list_tags": {"Tags": {"Zone": "inference"}},
        "list_function_url_configs": {"FunctionUrlConfigs": []},
        "get_policy": "ResourceNotFoundException",
    }
    return {f"lambda:{name}": answer for name, answer in (given_ | more).items()}


def test_a_function_without_address_and_policy():
    seen = given(functions.FUNCTIONS, answers=answers())
    (found,) = seen.resources
    assert (found.id, found.name, found.tags, found.gaps) == (ARN, "chat", {"Zone": "inference"}, {})
    assert dict(found.facts) == {"url_auth": [], "policy_statements": [], "environment_secrets": []}


def test_variables_are_searched_and_never_kept():
    function = {
        "FunctionArn": ARN,
        "FunctionName": "chat",
        "Environment": {"Variables": {"MODEL_API_KEY": "plain-literal-value", "LOG_LEVEL": "info"}},
    }
    seen = given(functions.FUNCTIONS, answers=answers(list_functions={"Functions": [function]}))
    (found,) = seen.resources
    assert [(s["kind"], s["location"]) for s in found.facts["environment_secrets"]] == [("credential", "MODEL_API_KEY")]
    assert "plain-literal-value" not in json.dumps(seen.answers) + repr(seen.resources)


def test_variables_that_lambda_could_not_decrypt_are_unknown():
    broken = {"FunctionArn": ARN, "FunctionName": "chat", "Environment": {"Error": {"ErrorCode": "AccessDenied", "Message": "kms"}}}
    (found,) = given(functions.FUNCTIONS, answers=answers(list_functions={"Functions": [broken]})).resources
    assert "environment_secrets" not in found.facts
    assert "AccessDenied" in found.gaps["environment_secrets"].detail


def test_the_policy_of_an_alias_with_an_open_address():
    alias = f"{ARN}:live"
    seen = given(
        functions.FUNCTIONS,
        answers=answers(
            list_function_url_configs={"FunctionUrlConfigs": [url("AWS_IAM"), url("NONE", alias)]},
            **{f"get_policy:{alias}": {"Policy": policy(StringEquals={"lambda:FunctionUrlAuthType": "NONE"})}},
        ),
    )
    (found,) = seen.resources
    assert found.facts["url_auth"] == ["identity", "none"]
    (statement,) = found.facts["policy_statements"]
    assert statement["conditions"] == [{"operator": "StringEquals", "key": "lambda:functionurlauthtype", "values": ["NONE"]}]


def test_several_aliases_with_open_addresses_are_unknown():
    urls = [url("NONE", f"{ARN}:a"), url("NONE", f"{ARN}:b")]
    assert functions.elsewhere(ARN, urls) == [f"{ARN}:a", f"{ARN}:b"]
    with pytest.raises(ValueError, match="several aliases"):
        functions.policy(ARN, urls, None, None)


def test_an_authentication_that_is_not_known_is_no_answer():
    with pytest.raises(KeyError):
        functions.url_auth([url("OIDC")])


def test_a_refused_look_at_addresses_blinds_the_policy_too():
    (found,) = given(functions.FUNCTIONS, answers=answers(list_function_url_configs="AccessDeniedException")).resources
    assert {n: g.reason for n, g in found.gaps.items()} == {"url_auth": "denied", "policy_statements": "denied"}


def test_functions_of_moto(boto, look):
    role = boto("iam").create_role(RoleName="f", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    client = boto("lambda")
    made = {"Runtime": "python3.12", "Handler": "a.b", "Role": role, "Code": {"ZipFile": b"code"}}
    client.create_function(FunctionName="open", Environment={"Variables": {"DB_PASSWORD": "Tr1ton-2024!"}}, **made)
    client.add_permission(FunctionName="open", StatementId="all", Action="lambda:InvokeFunction", Principal="*")
    seen = look(functions.FUNCTIONS)
    found = seen.named("open")
    assert [s["kind"] for s in found.facts["environment_secrets"]] == ["password"]
    assert "Tr1ton" not in json.dumps(seen.answers)
    assert found.gaps.keys() == {"url_auth", "policy_statements"}, "moto knows no addresses"
