"""Who manages the key that a resource names."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OTHER, OWN, allow, policy, when
from tests.scanner.derive.things import ACCOUNT, AFTER, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

CUSTOMER = thing("key", "c", manager="customer", aliases=["alias/data"])
PROVIDER = thing("key", "p", manager="provider", aliases=["alias/aws/ebs"])
UNREAD = thing("key", "u", gaps={"manager": DENIED, "aliases": DENIED})


def manager(store: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> object:
    world = MemoryWorld([store, *others], gaps, DERIVATIONS)
    return world.fact(store, "key_manager")


def bucket(key_id: Any, **more: Any) -> Resource:
    return thing("data_store", "b", encrypted=True, key_id=key_id, id="arn:aws:s3:::b", **more)


@pytest.mark.parametrize(
    ("key_id", "answer"),
    [
        (CUSTOMER.id, "customer"),
        (PROVIDER.id, "provider"),
        ("", "provider"),
        (f"arn:aws:kms:us-east-1:{ACCOUNT}:alias/aws/s3", "provider"),
        ("alias/aws/ebs", "provider"),
        (f"arn:aws:kms:us-east-1:{ACCOUNT}:alias/data", "customer"),
        ("alias/data", "customer"),
        (f"arn:aws:kms:us-east-1:{OTHER}:key/x", "customer"),
        (f"arn:aws:kms:us-east-1:{OTHER}:alias/theirs", "customer"),
    ],
)
def test_manager(key_id: str, answer: str) -> None:
    assert manager(bucket(key_id), CUSTOMER, PROVIDER) == answer


def test_nothing_is_encrypted() -> None:
    assert manager(thing("data_store", "v", "AWS::EC2::Volume", encrypted=False, key_id=CUSTOMER.id), CUSTOMER) == "none"


def test_gaps_travel() -> None:
    assert manager(thing("data_store", "v", "AWS::EC2::Volume", {"encrypted": DENIED}, key_id="")) is DENIED
    assert manager(thing("data_store", "v", "AWS::EC2::Volume", {"key_id": AFTER}, encrypted=True)) is AFTER
    assert manager(bucket(UNREAD.id), UNREAD) is DENIED


def test_a_key_that_was_not_listed_is_no_guess() -> None:
    gone = bucket(arn("key", "gone"))
    assert manager(gone, CUSTOMER, gaps={"AWS::KMS::Key": DENIED}) is DENIED
    answer = manager(gone, CUSTOMER)
    assert isinstance(answer, Gap)
    assert answer.reason is Reason.UNPARSABLE
    assert "key/gone" in answer.detail


def test_an_alias_of_another_region_is_another_alias() -> None:
    assert isinstance(manager(bucket(f"arn:aws:kms:eu-west-1:{ACCOUNT}:alias/data"), CUSTOMER), Gap)


def test_in_a_plan_a_literal_arn_says_nothing_about_its_manager() -> None:
    store = planned("data_store", "aws_s3_bucket.b", encrypted=True, key_id=arn("key", "elsewhere"))
    answer = manager(store)
    assert isinstance(answer, Gap)
    assert (answer.reason, answer.remedy) == (Reason.NOT_OFFERED, "Scan the account as well.")
    assert manager(store, thing("key", "elsewhere", manager="customer")) == "customer", "the account was scanned as well"


def test_in_a_plan_a_key_and_its_alias() -> None:
    key = planned("key", "aws_kms_key.k", manager="customer", aliases=["alias/data"])
    assert manager(planned("data_store", "aws_s3_bucket.b", encrypted=True, key_id=key.id), key) == "customer"
    assert manager(planned("data_store", "aws_s3_bucket.b", encrypted=True, key_id="alias/data"), key) == "customer"
    assert manager(planned("data_store", "aws_s3_bucket.b", encrypted=True, key_id=""), key) == "provider"


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({"capture_enabled": False, "capture_key_id": ""}, "none"),
        ({"capture_enabled": True, "capture_key_id": ""}, "provider"),
        ({"capture_enabled": True, "capture_key_id": CUSTOMER.id}, "customer"),
    ],
)
def test_capture(facts: dict[str, Any], answer: str) -> None:
    service = thing("model_service", "e", "AWS::SageMaker::EndpointConfig", **facts)
    assert MemoryWorld([service, CUSTOMER], None, DERIVATIONS).fact(service, "capture_key_manager") == answer


def test_used_by() -> None:
    volumes = [thing("data_store", f"v{n:02}", "AWS::EC2::Volume", encrypted=True, key_id=CUSTOMER.id) for n in range(25)]
    world = MemoryWorld([CUSTOMER, PROVIDER, bucket("alias/data"), *volumes], None, DERIVATIONS)
    users = world.fact(CUSTOMER, "used_by")
    assert len(users) == 20
    assert users == sorted(users)
    assert world.fact(PROVIDER, "used_by") == []


def test_used_by_nobody_is_said_only_where_all_could_be_seen() -> None:
    assert MemoryWorld([CUSTOMER], {"AWS::EKS::Cluster": DENIED}, DERIVATIONS).fact(CUSTOMER, "used_by") is DENIED
    blind = thing("data_store", "b", "AWS::S3::Bucket", {"key_id": DENIED}, encrypted=True)
    assert MemoryWorld([CUSTOMER, blind], None, DERIVATIONS).fact(CUSTOMER, "used_by") is DENIED
    assert MemoryWorld([CUSTOMER, blind, bucket(CUSTOMER.id)], None, DERIVATIONS).fact(CUSTOMER, "used_by") == ["arn:aws:s3:::b"]


def test_key_policy() -> None:
    def facts(*found: dict[str, Any]) -> tuple[object, object]:
        key = thing("key", "k", policy_statements=policy(*found))
        world = MemoryWorld([key], None, DERIVATIONS)
        return world.fact(key, "public"), world.fact(key, "foreign_accounts")

    own = {"AWS": f"arn:aws:iam::{OWN}:root"}
    assert facts(allow(own, "kms:*")) == ("no", [])
    assert facts(allow(own, "kms:*"), allow("*", "kms:Decrypt")) == ("yes", [])
    assert facts(allow({"AWS": OTHER}, "kms:Decrypt")) == ("no", [OTHER])
    public, foreign = facts(allow("*", "kms:Decrypt", **when(StringEquals={"aws:NewKeyOf2027": "x"})))
    assert isinstance(public, Gap)
    assert foreign == []


def test_a_planned_keys_owner_is_who_may_change_its_policy() -> None:
    def foreign(*found: dict[str, Any]) -> object:
        key = planned("key", "aws_kms_key.k", policy_statements=policy(*found))
        return MemoryWorld([key], None, DERIVATIONS).fact(key, "foreign_accounts")

    own = allow({"AWS": f"arn:aws:iam::{OWN}:root"}, "kms:*")
    assert foreign(own) == []
    assert foreign(own, allow({"AWS": OTHER}, "kms:Decrypt")) == [OTHER]
    assert isinstance(foreign(own, allow({"AWS": OTHER}, "kms:*")), Gap)
    assert isinstance(foreign(allow({"AWS": OTHER}, "kms:Decrypt")), Gap)


def test_grants_bypass_the_policy() -> None:
    own = allow({"AWS": f"arn:aws:iam::{ACCOUNT}:root"}, "kms:*")
    theirs = f"arn:aws:iam::{OTHER}:role/partner"

    def granted(key: Resource) -> Any:
        return MemoryWorld([key], None, DERIVATIONS).fact(key, "granted_accounts")

    many = [theirs, f"arn:aws:iam::{ACCOUNT}:role/ours", "dynamodb.us-east-1.amazonaws.com", "AROAEXAMPLE"]
    assert granted(thing("key", "k", grantees=many, policy_statements=policy(own))) == [OTHER]
    assert granted(thing("key", "k", grantees=[theirs], gaps={"policy_statements": DENIED})) == [OTHER]
    assert granted(thing("key", "k", gaps={"grantees": DENIED}, policy_statements=policy(own))) is DENIED
    assert granted(planned("key", "aws_kms_key.k", grantees=[theirs, "plan/aws_iam_role.r"], policy_statements=policy(own))) == [
        OTHER
    ]
    assert isinstance(granted(planned("key", "aws_kms_key.k", grantees=[theirs], policy_statements=[])), Gap)
    assert granted(planned("key", "aws_kms_key.k", grantees=["plan/aws_iam_role.r"], policy_statements=[])) == []


def test_indexes_are_made_once() -> None:
    volumes = [thing("data_store", f"v{n}", "AWS::EC2::Volume", encrypted=True, key_id="alias/data") for n in range(200)]
    keys = [thing("key", f"k{n}", manager="customer", aliases=[f"alias/k{n}"]) for n in range(200)]
    world = MemoryWorld([*volumes, *keys], None, DERIVATIONS)
    for resource in (*volumes, *keys):
        world.fact(resource, "key_manager" if resource.kind == "data_store" else "used_by")
    assert world.reads < 1500


def test_the_key_of_an_organisations_trail_is_the_customers_though_its_account_was_not_seen() -> None:
    key = "arn:aws:kms:us-east-1:222222222222:key/k"
    trail = thing("audit_log", "t", id="arn:aws:cloudtrail:us-east-1:222222222222:trail/org", encrypted=True, key_id=key)
    world = MemoryWorld([trail], {"AWS::KMS::Key": DENIED}, DERIVATIONS)
    assert world.fact(trail, "key_manager") == "customer"
    own = thing("audit_log", "t", encrypted=True, key_id=arn("key", "k"))
    assert MemoryWorld([own], {"AWS::KMS::Key": DENIED}, DERIVATIONS).fact(own, "key_manager") is DENIED
    bare = thing("audit_log", "t", id=trail.id, encrypted=True, key_id="")
    assert MemoryWorld([bare], {}, DERIVATIONS).fact(bare, "key_manager") == "provider"


def test_an_alias_of_the_providers_own_says_whose_key_it_is() -> None:
    """Only the provider can make `alias/aws/…`, whatever else an emulation says of the key."""
    key = thing("key", "e", manager="customer", aliases=["alias/aws/ebs"])
    assert manager(bucket(key.id), key) == "provider"
