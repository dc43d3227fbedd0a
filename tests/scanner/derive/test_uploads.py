"""What a bucket refuses of uploads."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason
from tests.scanner.derive.statements import BUCKET, allow, deny, policy, when
from tests.scanner.derive.things import thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

KEY = "arn:aws:kms:us-east-1:111111111111:key/1234"
NAMES_KEY = "s3:x-amz-server-side-encryption-aws-kms-key-id"
BRINGS_KEY = "s3:x-amz-server-side-encryption-customer-algorithm"
OBJECTS = f"{BUCKET}/*"


def of(fact: str, *statements: dict[str, Any], blocked: list[str] | Gap | None = None) -> Any:
    gaps = {"aws.blocked_encryption": blocked} if isinstance(blocked, Gap) else {}
    known = {} if gaps else {"aws__blocked_encryption": blocked or []}
    store = thing("data_store", "b", gaps=gaps, policy_statements=policy(*statements), **known)
    return MemoryWorld([store], {}, DERIVATIONS).fact(store, fact)


def put(**more: Any) -> dict[str, Any]:
    return deny(action="s3:PutObject", resource=OBJECTS, **more)


@pytest.mark.parametrize(
    ("statement", "enforced"),
    [
        (put(**when(StringNotEqualsIfExists={NAMES_KEY: KEY})), True),
        # without IfExists uploads that leave the key to the bucket are refused as well: a nuisance, not a hole
        (put(**when(StringNotEquals={NAMES_KEY: KEY})), True),
        (put(**when(ArnNotEqualsIfExists={NAMES_KEY: [KEY, KEY + "5"]})), True),
        (put(**when(StringNotEquals={NAMES_KEY: KEY}, Null={NAMES_KEY: "false"})), True),
        (deny(action="s3:*", resource=[BUCKET, OBJECTS], **when(StringNotEqualsIfExists={NAMES_KEY: KEY})), True),
        (put(**when(StringNotLikeIfExists={NAMES_KEY: "arn:aws:kms:*:111111111111:key/*"})), False),
        (put(**when(StringEquals={NAMES_KEY: KEY})), False),
        (put(**when(Null={NAMES_KEY: "true"})), False),
        (put(**when(StringNotEquals={"s3:x-amz-server-side-encryption": "aws:kms"})), False),
        (deny(action="s3:GetObject", resource=OBJECTS, **when(StringNotEquals={NAMES_KEY: KEY})), False),
        (allow(action="s3:PutObject", resource=OBJECTS, **when(StringNotEquals={NAMES_KEY: KEY})), False),
    ],
)
def test_upload_key(statement: dict[str, Any], enforced: bool) -> None:  # noqa: FBT001 - a parameter of the test
    assert of("upload_key_enforced", statement) is enforced


@pytest.mark.parametrize(
    "statement",
    [
        put(principal={"AWS": "arn:aws:iam::111111111111:role/writer"}, **when(StringNotEqualsIfExists={NAMES_KEY: KEY})),
        put(**when(StringNotEqualsIfExists={NAMES_KEY: KEY, "aws:PrincipalArn": "arn:aws:iam::111111111111:role/admin"})),
        deny(action="s3:PutObject", resource=f"{BUCKET}/golden/*", **when(StringNotEqualsIfExists={NAMES_KEY: KEY})),
    ],
)
def test_a_deny_for_some_is_unknown(statement: dict[str, Any]) -> None:
    answer = of("upload_key_enforced", statement)
    assert isinstance(answer, Gap)
    assert answer.reason is Reason.UNPARSABLE
    assert of("upload_key_enforced", statement, put(**when(StringNotEqualsIfExists={NAMES_KEY: KEY}))) is True


def test_keys_of_callers() -> None:
    denied = put(**when(Null={BRINGS_KEY: "false"}))
    assert of("customer_keys_refused", denied) is True
    assert of("customer_keys_refused", put(**when(StringLike={BRINGS_KEY: "*"}))) is True
    assert of("customer_keys_refused", put(**when(Null={BRINGS_KEY: "true"}))) is False
    assert of("customer_keys_refused", blocked=["SSE-C"]) is True
    assert of("customer_keys_refused") is False
    assert of("customer_keys_refused", denied, blocked=DENIED) is True
    assert of("customer_keys_refused", blocked=DENIED) is DENIED


def test_a_policy_that_may_not_be_read_enforces_nothing() -> None:
    store = thing("data_store", "b", gaps={"policy_statements": DENIED}, aws__blocked_encryption=["SSE-C"])
    world = MemoryWorld([store], {}, DERIVATIONS)
    assert world.fact(store, "upload_key_enforced") is DENIED
    assert world.fact(store, "customer_keys_refused") is True
