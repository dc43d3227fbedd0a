"""Buckets and volumes: what a policy and a public-access block come to together, and which nodes use a volume."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scanner.derive.names import SCAN_ACCOUNT, account_of, planned, unseen
from scanner.derive.policy import foreign_accounts, public, tls_min_version, tls_only, unclear
from scanner.derive.three import Truth, any_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

BUCKET = "AWS::S3::Bucket"
POINT = "AWS::S3::AccessPoint"
BLOCK = "AWS::S3::AccountPublicAccessBlock"
VOLUME = "AWS::EC2::Volume"
NODE = "AWS::EC2::Instance"
POLICY_FACTS = ("policy_public", "foreign_accounts", "tls_only", "tls_min_version")


def policy_facts(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a bucket's policy says."""
    statements = world.fact(bucket, "policy_statements")
    if isinstance(statements, Gap):
        return dict.fromkeys(POLICY_FACTS, statements)
    answer = public(statements, "s3")
    return {
        "policy_public": unclear(statements) if answer == "conditional" else answer,
        "foreign_accounts": foreign_accounts(statements, account_of(bucket), "s3"),
        "tls_only": tls_only(statements),
        "tls_min_version": tls_min_version(statements),
    }


def blocks(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a block, of the bucket or of its account, takes back what a policy or an ACL gives to everyone.

    `BlockPublicPolicy` and `BlockPublicAcls` stop new grants only, so they prove nothing about those that are there:
    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html
    """
    return {
        "policy_public_blocked": any_of((*_flags(bucket, "restrict_public_buckets", world), *_behind(bucket, world))),
        "acl_public_blocked": any_of(_flags(bucket, "ignore_public_acls", world)),
    }


def _behind(point: Resource, world: World) -> Iterator[Truth]:
    """What else shuts an access point: its bucket's own block, or that it takes requests from one network only.

    https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-points-bpa-settings.html
    """
    if point.native_type != POINT:
        return
    origin = world.fact(point, "aws.network_origin")
    yield origin if isinstance(origin, Gap) else origin == "vpc"
    name = world.fact(point, "bucket")
    if isinstance(name, Gap):
        yield name
        return
    bucket = world.get("data_store", str(name))
    yield unseen(world, BUCKET, point, str(name)) if bucket is None else is_true(world.fact(bucket, "aws.restrict_public_buckets"))


def _flags(bucket: Resource, name: str, world: World) -> tuple[Truth, Truth]:
    own = world.fact(bucket, f"aws.{name}")
    accounts = world.memo("storage.blocks", lambda: {a.scope: a for a in world.all("account") if a.native_type == BLOCK})
    account = accounts.get(bucket.scope)
    if account is not None:
        return is_true(own), is_true(world.fact(account, name))
    if planned(bucket):
        return is_true(own), Gap(
            Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "the plan does not say whether the account blocks public access"
        )
    return is_true(own), unseen(world, BLOCK, bucket, "the account's public access block")


def attached_to_accelerator(volume: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether some node that a volume is attached to has accelerators."""
    nodes = world.fact(volume, "attached_to")
    return {
        "attached_to_accelerator": nodes if isinstance(nodes, Gap) else any_of(_accelerated(volume, str(n), world) for n in nodes)
    }


def _accelerated(volume: Resource, node_id: str, world: World) -> Truth:
    node = world.get("node", node_id)
    return unseen(world, NODE, volume, node_id) if node is None else is_true(world.fact(node, "accelerator"))


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("data_store", POLICY_FACTS, policy_facts, needs=("policy_statements",), native_types=(BUCKET, POINT)),
    Derivation(
        "data_store",
        ("policy_public_blocked", "acl_public_blocked"),
        blocks,
        needs=("aws.restrict_public_buckets", "aws.ignore_public_acls"),
        reads={BLOCK: ("restrict_public_buckets", "ignore_public_acls")},
        native_types=(BUCKET,),
    ),
    Derivation(
        "data_store",
        ("policy_public_blocked", "acl_public_blocked"),
        blocks,
        needs=("aws.restrict_public_buckets", "aws.ignore_public_acls", "aws.network_origin", "bucket"),
        reads={BLOCK: ("restrict_public_buckets", "ignore_public_acls"), BUCKET: ("aws.restrict_public_buckets",)},
        native_types=(POINT,),
    ),
    Derivation(
        "data_store",
        ("attached_to_accelerator",),
        attached_to_accelerator,
        needs=("attached_to",),
        reads={NODE: ("accelerator",)},
        native_types=(VOLUME,),
    ),
)
