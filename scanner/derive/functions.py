"""Conditions of a function's policy that its own web addresses settle.

A statement may hold only for web addresses that ask nobody who they are. Whether there is one, the function tells:
https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.model import Gap

URLS = "url_auth"
"""The fact that says how callers of the addresses prove who they are."""
AUTH, VIA = "lambda:functionurlauthtype", "lambda:invokedviafunctionurl"
WAYS = {"NONE": "none", "AWS_IAM": "identity"}

Statement = Mapping[str, Any]


def settled(statements: Iterable[Statement], ways: list[str] | Gap) -> list[Statement] | Gap:
    """Statements without those conditions: Allows that hold of no address are left out, and so are those that need another one."""
    found = list(statements)
    if not any(c["key"] in (AUTH, VIA) for s in found if s["effect"] == "Allow" for c in s["conditions"]):
        return found
    if isinstance(ways, Gap):
        return ways
    made = []
    for statement in found:
        if statement["effect"] != "Allow":
            made.append(statement)
        elif not any(c["key"] == VIA for c in statement["conditions"]):
            # NOTE: what is allowed through an address only also takes `lambda:InvokeFunctionUrl`, which another statement allows
            made += _alone(statement, ways)
    return made


def _alone(statement: Statement, ways: list[str]) -> list[Statement]:
    rest = []
    for condition in statement["conditions"]:
        if condition["key"] != AUTH or condition["operator"].lower() not in (
            "stringequals",
            "stringequalsignorecase",
            "stringlike",
        ):
            rest.append(condition)  # a negation is not understood, and stays so
        elif not any(WAYS.get(str(v).upper()) in ways for v in condition["values"]):
            return []
    return [{**statement, "conditions": rest}]
