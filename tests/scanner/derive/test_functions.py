"""Who may call a function."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.resource_policies import DERIVATIONS
from scanner.model import Gap
from tests.scanner.derive.things import ACCOUNT, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

LAMBDA = "AWS::Lambda::Function"


def open_to(*statements: Any, urls: Any = ()) -> Any:
    gaps = {"url_auth": urls} if isinstance(urls, Gap) else {}
    facts = {} if gaps else {"url_auth": list(urls)}
    function = thing(
        "workload",
        "f",
        LAMBDA,
        gaps,
        policy_statements=list(statements),
        id=f"arn:aws:lambda:us-east-1:{ACCOUNT}:function:f",
        **facts,
    )
    return MemoryWorld([function], None, DERIVATIONS).fact(function, "policy_public")


def anyone(action: str, **condition: tuple[str, str]) -> Any:
    conditions = [{"operator": op, "key": key, "values": [value]} for op, (key, value) in condition.items()]
    return {
        "effect": "Allow",
        "actions": [action],
        "not_actions": [],
        "resources": ["*"],
        "not_resources": [],
        "principals": ["*"],
        "not_principals": [],
        "conditions": conditions,
    }


URL = "lambda:InvokeFunctionUrl"
NONE = anyone(URL, StringEquals=("lambda:functionurlauthtype", "NONE"))
SIGNED = anyone(URL, StringEquals=("lambda:functionurlauthtype", "AWS_IAM"))
VIA = anyone("lambda:InvokeFunction", Bool=("lambda:invokedviafunctionurl", "true"))


@pytest.mark.parametrize(
    ("statements", "urls", "answer"),
    [
        ([], [], "no"),
        ([NONE], ["none"], "yes"),
        ([NONE, VIA], ["none"], "yes"),
        # both are needed: an address without authentication, and a policy that lets everyone call it
        ([], ["none"], "no"),
        ([NONE], [], "no"),
        ([NONE], ["identity"], "no"),
        # any account of AWS may sign
        ([SIGNED], ["identity"], "yes"),
        ([SIGNED], ["none"], "no"),
        ([VIA], ["none"], "no"),
        ([anyone("lambda:InvokeFunction")], [], "yes"),
        ([anyone("lambda:InvokeFunction", StringEquals=("aws:sourceaccount", ACCOUNT))], [], "no"),
        ([anyone("lambda:InvokeFunction", StringEquals=("aws:principalorgid", "o-1"))], [], "no"),
    ],
)
def test_public(statements: Any, urls: Any, answer: str) -> None:
    assert open_to(*statements, urls=urls) == answer


def test_an_unknown_address_matters_only_where_the_policy_asks_for_it() -> None:
    assert open_to(NONE, urls=DENIED) is DENIED
    assert open_to(anyone("lambda:InvokeFunction"), urls=DENIED) == "yes"
    assert open_to(urls=DENIED) == "no"


def test_a_negation_is_not_understood() -> None:
    assert isinstance(open_to(anyone(URL, StringNotEquals=("lambda:functionurlauthtype", "AWS_IAM")), urls=["none"]), Gap)
