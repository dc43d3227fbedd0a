"""What a bucket refuses of uploads: keys that its policy does not name, and keys of the caller (SSE-C)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.globs import any_covers
from scanner.derive.policy import everyone
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

BUCKET = "AWS::S3::Bucket"
PUT = "s3:putobject"
KEY = "s3:x-amz-server-side-encryption-aws-kms-key-id"
CALLERS_KEY = "s3:x-amz-server-side-encryption-customer-algorithm"
"""https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html#amazons3-policy-keys"""
SSE_C = "SSE-C"
LIKENESS = ("stringequals", "stringequalsignorecase", "stringlike", "arnequals", "arnlike")

Condition = Mapping[str, Any]
Statement = Mapping[str, Any]


def uploads(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the policy, and the bucket itself, refuse."""
    statements = world.fact(bucket, "policy_statements")
    blocked = world.fact(bucket, "aws.blocked_encryption")
    denied: Truth = statements if isinstance(statements, Gap) else _denied(statements, CALLERS_KEY, _named)
    return {
        "upload_key_enforced": statements if isinstance(statements, Gap) else _denied(statements, KEY, _another),
        "customer_keys_refused": any_of((blocked if isinstance(blocked, Gap) else SSE_C in blocked, denied)),
    }


def _denied(statements: Iterable[Statement], key: str, struck: Any) -> Truth:
    """A Deny strikes every upload that `struck` says; a gap where one may, for some callers or under other conditions."""
    return any_of(_strikes(s, key, struck) for s in statements if _speaks(s, key))


def _speaks(statement: Statement, key: str) -> bool:
    names = [c["key"] for c in statement["conditions"]]
    return statement["effect"] == "Deny" and key in names and _puts(statement)


def _puts(statement: Statement) -> bool:
    if statement["not_actions"]:
        return not any_covers([a.lower() for a in statement["not_actions"]], PUT)
    return any_covers([a.lower() for a in statement["actions"]], PUT)


def _strikes(deny: Statement, key: str, struck: Any) -> Truth:
    own = [c for c in deny["conditions"] if c["key"] == key]
    if any(struck(c) for c in own) and len(own) == len([c for c in own if struck(c) or _guard(c)]):
        narrowed = len(own) < len(deny["conditions"]) or not everyone(deny) or deny["not_principals"] or not _all_objects(deny)
        if not narrowed:
            return True
        said = f"a Deny on {key} is for some callers, objects or requests only"
        return Gap(Reason.UNPARSABLE, "", "Judge the policy by hand.", said)
    return False


def _all_objects(deny: Statement) -> bool:
    """A policy names its own bucket only, so a pattern that ends in `*` right after it, or after its slash, is all objects."""
    return any(r == "*" or r.partition("/")[2] == "*" or ("/" not in r and r.endswith("*")) for r in deny["resources"])


def _another(condition: Condition) -> bool:
    """The upload names a key that is none of some keys written out. Where no key is named, the default encryption is used.

    `IfExists`, or a guard with `Null`, spares uploads that name none; without either they are denied as well.
    """
    operator = Operator.parse(condition["operator"])
    values = [str(v) for v in condition["values"]]
    other = operator.negated and operator.base in LIKENESS and not operator.quantifier
    return other and bool(values) and not any(set(v) & {"*", "?", "$"} for v in values)


def _named(condition: Condition) -> bool:
    """The upload says that it brings a key."""
    operator = condition["operator"].lower().removesuffix("ifexists")
    values = [str(v).lower() for v in condition["values"]]
    if operator == "null":
        return values == ["false"]
    return operator in ("stringequals", "stringequalsignorecase", "stringlike") and bool({"aes256", "*"} & set(values))


def _guard(condition: Condition) -> bool:
    """The upload names something at all: a condition that leaves others alone."""
    return bool(condition["operator"].lower() == "null" and [str(v).lower() for v in condition["values"]] == ["false"])


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        ("upload_key_enforced", "customer_keys_refused"),
        uploads,
        needs=("policy_statements", "aws.blocked_encryption"),
        native_types=(BUCKET,),
    ),
)
