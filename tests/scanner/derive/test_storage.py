"""Blocks and policies of buckets, and volumes of accelerator nodes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import BUCKET, allow, deny, policy, when
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

BLOCK = "AWS::S3::AccountPublicAccessBlock"


def of(store: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([store, *others], gaps, DERIVATIONS).fact(store, fact)


def flagged(kind: str, name: str, value: object, **more: Any) -> Resource:
    """A bucket or an account with one flag, or a gap in its place."""
    fact = f"aws.{name}" if kind == "data_store" else name
    native = BLOCK if kind == "account" else "AWS::S3::Bucket"
    gaps = {fact: value} if isinstance(value, Gap) else {}
    return thing(kind, kind, native, gaps, **({} if gaps else {fact.replace(".", "__"): value}), **more)


@pytest.mark.parametrize(("bucket", "account"), [*itertools.product((True, False, DENIED), repeat=2)])
@pytest.mark.parametrize(
    ("flag", "fact"), [("restrict_public_buckets", "policy_public_blocked"), ("ignore_public_acls", "acl_public_blocked")]
)
def test_prowler_2647_either_block_is_enough(bucket: object, account: object, flag: str, fact: str) -> None:
    answer = of(flagged("data_store", flag, bucket), fact, flagged("account", flag, account))
    expected = True if True in (bucket, account) else DENIED if DENIED in (bucket, account) else False
    assert answer is expected


def test_without_the_account_only_the_buckets_own_block_settles_it() -> None:
    assert of(flagged("data_store", "restrict_public_buckets", True), "policy_public_blocked", gaps={BLOCK: DENIED}) is True
    assert of(flagged("data_store", "restrict_public_buckets", False), "policy_public_blocked", gaps={BLOCK: DENIED}) is DENIED
    mine = planned("data_store", "aws_s3_bucket.b", aws__restrict_public_buckets=False)
    assert of(mine, "policy_public_blocked").reason is Reason.NOT_OFFERED


def test_policy_facts() -> None:
    tls = deny(resource=[BUCKET, f"{BUCKET}/*"], **when(Bool={"aws:SecureTransport": "false"}))
    store = thing("data_store", "b", policy_statements=policy(allow(), tls))
    assert of(store, "policy_public") == "yes"
    assert of(store, "tls_only") is True
    assert of(store, "tls_min_version") == "any"
    assert of(store, "foreign_accounts") == []
    none = thing("data_store", "b", policy_statements=[])
    assert [of(none, f) for f in ("policy_public", "tls_only", "tls_min_version")] == ["no", False, "any"]


def test_prowler_458_a_denied_policy_is_not_private() -> None:
    store = thing("data_store", "b", gaps={"policy_statements": DENIED})
    assert {of(store, f) for f in ("policy_public", "foreign_accounts", "tls_only", "tls_min_version")} == {DENIED}


def volume(*nodes: Resource) -> Resource:
    return thing("data_store", "v", "AWS::EC2::Volume", attached_to=[n.id for n in nodes])


def test_attached_to_accelerator() -> None:
    gpu, cpu = thing("node", "gpu", accelerator=True), thing("node", "cpu", accelerator=False)
    dark = thing("node", "dark", gaps={"accelerator": DENIED})
    assert of(volume(cpu, gpu), "attached_to_accelerator", cpu, gpu) is True
    assert of(volume(dark, gpu), "attached_to_accelerator", dark, gpu) is True
    assert of(volume(cpu, dark), "attached_to_accelerator", cpu, dark) is DENIED
    assert of(volume(cpu), "attached_to_accelerator", cpu) is False
    assert of(volume(), "attached_to_accelerator") is False
    assert of(volume(gpu), "attached_to_accelerator", gaps={"AWS::EC2::Instance": DENIED}) is DENIED


POINT = "AWS::S3::AccessPoint"


def point(*, origin: str = "internet", own: bool = False) -> Resource:
    statements = policy(allow(action="s3:GetObject"))
    return thing(
        "data_store",
        "point",
        POINT,
        store_type="access_point",
        bucket="arn:aws:s3:::corpus",
        policy_statements=statements,
        acl_public=False,
        aws__network_origin=origin,
        aws__restrict_public_buckets=own,
        aws__ignore_public_acls=own,
    )


def test_an_access_point_is_shut_by_itself_its_bucket_its_account_or_its_network() -> None:
    bucket = thing("data_store", "corpus", id="arn:aws:s3:::corpus", aws__restrict_public_buckets=False)
    shut = bucket.replace(facts={"aws.restrict_public_buckets": True})
    account = flagged("account", "restrict_public_buckets", False)
    closed = flagged("account", "restrict_public_buckets", True)
    assert of(point(), "policy_public") == "yes"
    assert of(point(), "policy_public_blocked", bucket, account) is False
    assert of(point(own=True), "policy_public_blocked", bucket, account) is True
    assert of(point(), "policy_public_blocked", shut, account) is True
    assert of(point(), "policy_public_blocked", bucket, closed) is True
    assert of(point(origin="vpc"), "policy_public_blocked", bucket, account) is True
    # the bucket of another account was not seen
    assert of(point(), "policy_public_blocked", account).reason is Reason.NOT_OFFERED
