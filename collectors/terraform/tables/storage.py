"""Buckets, access points and the account's public access block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import s3
from collectors.aws.s3 import ENCRYPTION, OBJECT_LOCK, PUBLIC_GROUPS, takes_key
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import PLACE, TAGS, docs, flat, key_id, policy

BUCKET = docs("aws_s3_bucket")
VERSIONING = docs("aws_s3_bucket_versioning")
ACL = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#canned-acl"
LOCK_VERSIONS = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-configure.html"
ACCOUNT_BLOCK = docs("aws_s3_account_public_access_block")
ACCESS_POINT = docs("aws_s3_access_point")
REPLICATION = docs("aws_s3_bucket_replication_configuration")
LISTS = docs("aws_s3_bucket_inventory")

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


def blocked(types: Any) -> Any:
    """Ways of encryption that uploads may not use; where nobody says it, S3 decides, by the bucket's age."""
    found = flat(types)
    return sorted(set(found) - {"NONE"}) if found else MISSING


def _rules(own: Any, inline: Any) -> list[dict[str, Any]]:
    """Rules of replication in the words of the API; inline ones are written in two ways."""
    return [
        {
            "Status": rule["status"],
            "Destination": {"EncryptionConfiguration": {"ReplicaKmsKeyID": _replica_key(rule)}},
            "SourceSelectionCriteria": {"SseKmsEncryptedObjects": {"Status": _chosen(rule)}},
        }
        for rule in flat(own) or flat(inline)
    ]


def _replica_key(rule: Mapping[str, Any]) -> str | None:
    for destination in rule.get("destination") or []:
        for configuration in destination.get("encryption_configuration") or []:
            return str(configuration.get("replica_kms_key_id") or "")
        return str(destination.get("replica_kms_key_id") or "")
    return None


def _chosen(rule: Mapping[str, Any]) -> str:
    entries = [e for c in rule.get("source_selection_criteria") or [] for e in c.get("sse_kms_encrypted_objects") or []]
    return "Enabled" if any(e.get("status") == "Enabled" or e.get("enabled") is True for e in entries) else "Disabled"


def replicated(own: Any, inline: Any) -> bool:
    """Some rule copies objects."""
    return s3.replicated([{"Status": status} for status in flat(own) or flat(inline)])


def replica_keys(own: Any, inline: Any) -> bool:
    """Copies are made of objects under keys, and have a key."""
    return s3.replica_keys(_rules(own, inline))


def inventory(own: str, name: str | None, lists: Any) -> str:
    """The best of the lists that are delivered to another bucket."""
    told = [
        {
            "IsEnabled": each.get("enabled") is not False,
            "OptionalFields": each.get("optional_fields") or [],
            "Destination": {"S3BucketDestination": {"Bucket": _destination(each, own, name)}},
        }
        for each in lists or []
    ]
    return s3.inventory(own, told)


def _destination(each: Mapping[str, Any], own: str, name: str | None) -> str:
    inner = [b for d in each.get("destination") or [] for b in d.get("bucket") or []]
    found = str(next((b.get("bucket_arn") for b in inner), "") or "")
    return own if name and found.rpartition(":")[2] == name else found


_RULE_PARTS = ("status", "destination", "source_selection_criteria")
_RULES = (pick("replication.rule[]", *_RULE_PARTS), pick("item.replication_configuration[].rules[]", *_RULE_PARTS))

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
        # NOTE: no default: S3 decides, by the bucket's age
        "aws.blocked_encryption": Field("sse.rule[].blocked_encryption_types", blocked),
        "replicated": Field(
            ("replication.rule[].status", "item.replication_configuration[].rules[].status"), replicated, absent=False,
            source=REPLICATION,
        ),
        "replica_keys": Field(_RULES, replica_keys, absent=False, source=REPLICATION),
        "inventory": Field(
            ("context.id", "item.bucket", pick("lists[]", "enabled", "optional_fields", "destination")), inventory, absent="none",
            source=LISTS,
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
        "replication": Join("aws_s3_bucket_replication_configuration", on="bucket"),
        "lists": Join("aws_s3_bucket_inventory", on="bucket", many=True),
    },
    name=Field("item.bucket"),
    tags=TAGS,
    elsewhere={"inventory": MISSING},
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


def behind(partition: str, bucket: str) -> str:
    """The bucket behind an access point."""
    return bucket if bucket.startswith(("plan/", "arn:")) else f"arn:{partition}:s3:::{bucket}"


def switch(found: Any) -> bool:
    """A flag of the block, which is on where nothing else is said."""
    return False not in (found or [])


ACCESS_POINTS = PlanTable(
    "data_store",
    "AWS::S3::AccessPoint",
    "aws_s3_access_point",
    {
        "store_type": Const("access_point"),
        "bucket": Field(("context.partition", "item.bucket"), behind),
        "aws.network_origin": Field(
            "item.vpc_configuration[].vpc_id", lambda found: "vpc" if found else "internet", absent="internet", source=ACCESS_POINT
        ),
        "policy_statements": Field(("policy.policy", "item.policy"), policy, absent=[], source=ACCESS_POINT),
        "acl_public": Const(value=False),
        "aws.ignore_public_acls": Field(
            "item.public_access_block_configuration[].ignore_public_acls", switch, absent=True, source=ACCESS_POINT
        ),
        "aws.restrict_public_buckets": Field(
            "item.public_access_block_configuration[].restrict_public_buckets", switch, absent=True, source=ACCESS_POINT
        ),
    },
    {"policy": Join("aws_s3control_access_point_policy", on="access_point_arn")},
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (BUCKETS, ACCESS_POINTS, BLOCK)
