"""Buckets and the account's public access block."""

from __future__ import annotations

from typing import Any

from collectors.aws.s3 import ENCRYPTION, OBJECT_LOCK, PUBLIC_GROUPS, takes_key
from collectors.table import Const, Field, Join, PlanTable
from collectors.terraform.tables.shared import PLACE, TAGS, docs, flat, key_id, policy

BUCKET = docs("aws_s3_bucket")
VERSIONING = docs("aws_s3_bucket_versioning")
ACL = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl"
LOCK_VERSIONS = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-configure.html"
ACCOUNT_BLOCK = docs("aws_s3_account_public_access_block")

CANNED = {
    "public-read": True,
    "public-read-write": True,
    "authenticated-read": True,
    "private": False,
    "aws-exec-read": False,
    "bucket-owner-read": False,
    "bucket-owner-full-control": False,
    "log-delivery-write": False,
    "": False,
}
"""Canned ACL → it lets everyone, or every account, in."""
MODES = {"COMPLIANCE": "compliance", "GOVERNANCE": "governance"}

_RULE = "sse.rule[].apply_server_side_encryption_by_default[]"
_INLINE = "item.server_side_encryption_configuration[].rule[].apply_server_side_encryption_by_default[]"


def algorithm(own: Any, inline: Any) -> str:
    """Default encryption algorithm."""
    return str(next(iter(flat(own, inline)), "AES256"))


def bucket_key(partition: str, region: str | None, account: str | None, own: Any, named: Any, own_inline: Any, inline: Any) -> str:
    """The key of the default encryption: of its own resource where there is one, else of the bucket's own block."""
    return key_id(partition, region, account, named if flat(own) else inline) if takes_key(algorithm(own, own_inline)) else ""


def mfa_delete(own: Any, inline: Any) -> bool:
    """Versions are deleted only with a second factor."""
    return "Enabled" in flat(own) or True in (inline or [])


def versioning(status: Any, inline: Any, locked: bool | None) -> str:  # noqa: FBT001 - a value of the row
    """Whether old versions are kept; Object Lock turns versioning on."""
    if own := flat(status):
        return {"Enabled": "enabled", "Suspended": "suspended", "Disabled": "off"}[own[0]]
    if True in (inline or []) or locked:
        return "enabled"
    return "off"


def lock_mode(own: Any, inline: Any) -> str:
    """Default retention mode."""
    found = flat(own, inline)
    return MODES[found[0]] if found else "none"


def acl_public(canned: Any, own: Any, inline: Any, grants: Any) -> bool:
    """The ACL lets everyone, or every account, in. An ACL resource replaces what the bucket itself had."""
    if canned or own:
        return bool(canned and CANNED[canned]) or any(uri in PUBLIC_GROUPS for uri in flat(own))
    return CANNED[inline or ""] or any(uri in PUBLIC_GROUPS for uri in flat(grants))


def logged(own: Any, inline: Any) -> bool:
    """Access is logged."""
    return bool(flat(own, inline))


BUCKETS = PlanTable(
    "data_store",
    "AWS::S3::Bucket",
    "aws_s3_bucket",
    {
        "store_type": Const("bucket"),
        # every object is encrypted, by SSE-S3 where nothing else is configured: ENCRYPTION
        "encrypted": Const(value=True),
        "key_id": Field(
            (
                *PLACE, f"{_RULE}.sse_algorithm", f"{_RULE}.kms_master_key_id", f"{_INLINE}.sse_algorithm",
                f"{_INLINE}.kms_master_key_id",
            ),
            bucket_key, absent="", source=ENCRYPTION,
        ),
        "aws.algorithm": Field((f"{_RULE}.sse_algorithm", f"{_INLINE}.sse_algorithm"), algorithm, absent="AES256", source=ENCRYPTION),
        "aws.bucket_key": Field(
            ("sse.rule[].bucket_key_enabled", "item.server_side_encryption_configuration[].rule[].bucket_key_enabled"),
            lambda own, inline: bool(flat(own, inline)), absent=False, source=ENCRYPTION,
        ),
        "versioning": Field(
            ("versioning.versioning_configuration[].status", "item.versioning[].enabled", "item.object_lock_enabled"),
            versioning, absent="off", source=LOCK_VERSIONS,
        ),
        "aws.mfa_delete": Field(
            ("versioning.versioning_configuration[].mfa_delete", "item.versioning[].mfa_delete"), mfa_delete, absent=False,
            source=VERSIONING,
        ),
        "object_lock": Field(
            ("lock.rule[].default_retention[].mode", "item.object_lock_configuration[].rule[].default_retention[].mode"),
            lock_mode, absent="none", source=OBJECT_LOCK,
        ),
        "policy_statements": Field(("policy.policy", "item.policy"), policy, absent=[], source=BUCKET),
        "acl_public": Field(
            ("acl.acl", "acl.access_control_policy[].grant[].grantee[].uri", "item.acl", "item.grant[].uri"), acl_public,
            absent=False, source=ACL,
        ),
        "access_logged": Field(("logging.target_bucket", "item.logging[].target_bucket"), logged, absent=False, source=BUCKET),
        # NOTE: no default: S3 turns the block on for new buckets, but older ones, and S3-compatible stores, have none
        "aws.block_public_acls": Field("block.block_public_acls"),
        "aws.ignore_public_acls": Field("block.ignore_public_acls"),
        "aws.block_public_policy": Field("block.block_public_policy"),
        "aws.restrict_public_buckets": Field("block.restrict_public_buckets"),
    },
    {
        "sse": Join("aws_s3_bucket_server_side_encryption_configuration", on="bucket"),
        "versioning": Join("aws_s3_bucket_versioning", on="bucket"),
        "lock": Join("aws_s3_bucket_object_lock_configuration", on="bucket"),
        "policy": Join("aws_s3_bucket_policy", on="bucket"),
        "acl": Join("aws_s3_bucket_acl", on="bucket"),
        "logging": Join("aws_s3_bucket_logging", on="bucket"),
        "block": Join("aws_s3_bucket_public_access_block", on="bucket"),
    },
    name=Field("item.bucket"),
    tags=TAGS,
)  # fmt: skip

BLOCK = PlanTable(
    "account",
    "AWS::S3::AccountPublicAccessBlock",
    "aws_s3_account_public_access_block",
    {
        name: Field(f"item.{name}", absent=False, source=ACCOUNT_BLOCK)
        for name in ("block_public_acls", "ignore_public_acls", "block_public_policy", "restrict_public_buckets")
    },
    name=Field("item.account_id"),
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (BUCKETS, BLOCK)
