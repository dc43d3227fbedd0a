"""Simple Storage Service: general purpose buckets, access points, and the account's public access block.

Directory buckets (S3 Express) are another listing and are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Const, Field, Row, Table

ENCRYPTION = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/default-bucket-encryption.html"
PUBLIC_BLOCK = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html"
VERSIONING = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html"
OBJECT_LOCK = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_ObjectLockRule.html"
LOGGING = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLogging.html"
POLICY = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicy.html"
REPLICATION = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/replication-config-for-kms-objects.html"
INVENTORY = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_InventoryConfiguration.html"
BLOCKED = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_BlockedEncryptionTypes.html"
ACCESS_POINT = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_GetAccessPoint.html"
ACCESS_POINT_POLICY = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_control_GetAccessPointPolicy.html"

# https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#specifying-grantee-predefined-groups
# AuthenticatedUsers is every account of the provider, not only the owner's.
PUBLIC_GROUPS = frozenset(
    ("http://acs.amazonaws.com/groups/global/AllUsers", "http://acs.amazonaws.com/groups/global/AuthenticatedUsers")
)


def versioned(row: Row) -> bool:
    """Locks and replication are of versioned buckets only (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html).

    A bucket whose versioning is unknown is asked as well.
    """
    return "versioning" not in row or (row["versioning"] or {}).get("Status") == "Enabled"


def heeds_acls(row: Row) -> bool:
    """The bucket's own block does not say that public ACLs are ignored."""
    return not flag((row.get("block") or {}).get("IgnorePublicAcls") or False)


def default_of(rules: list[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The default encryption of a bucket's rules; SSE-S3 where a rule names none."""
    found = next((r["ApplyServerSideEncryptionByDefault"] for r in rules if r.get("ApplyServerSideEncryptionByDefault")), None)
    return found or {"SSEAlgorithm": "AES256"}


def algorithm(rules: list[Mapping[str, Any]]) -> str:
    """`AES256`, `aws:kms` or `aws:kms:dsse`."""
    return str(default_of(rules)["SSEAlgorithm"])


def takes_key(algorithm: str) -> bool:
    """Only the KMS algorithms encrypt with a named key."""
    return algorithm.startswith("aws:kms")


def key_id(partition: str, region: str | None, account: str, rules: list[Mapping[str, Any]] | None) -> str:
    """The key named by the default encryption; `aws:kms` without one is the provider's `aws/s3`, and other algorithms use none."""
    default = default_of(rules or [])
    return arn.key_arn(partition, region, account, default.get("KMSMasterKeyID")) if takes_key(default["SSEAlgorithm"]) else ""


def bucket_key(rules: list[Mapping[str, Any]]) -> bool:
    """Some rule turns the Bucket Key on."""
    return any(bool(r.get("BucketKeyEnabled")) for r in rules)


def lock_mode(lock: Mapping[str, Any]) -> str:
    """The default retention mode; an enabled lock without a rule protects nothing by itself."""
    mode = ((lock.get("Rule") or {}).get("DefaultRetention") or {}).get("Mode")
    return {"COMPLIANCE": "compliance", "GOVERNANCE": "governance", None: "none"}[mode]


def acl_public(grants: list[Mapping[str, Any]]) -> bool:
    """Some grant is to everyone, or to every account of the provider."""
    return any((g.get("Grantee") or {}).get("URI") in PUBLIC_GROUPS for g in grants)


def flag(value: Any) -> bool:
    """A flag of the public access block: a boolean, whatever the wire made of it."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}[str(value).lower()]


def blocked_encryption(rules: list[Mapping[str, Any]]) -> list[str]:
    """Ways of encryption that uploads may not use. `NONE` says that none is blocked."""
    types = {t for r in rules for t in (r.get("BlockedEncryptionTypes") or {}).get("EncryptionType") or []}
    return sorted(types - {"NONE"})


def copying(rules: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rules of replication that are on."""
    return [r for r in rules if r["Status"] == "Enabled"]


def replicated(rules: Sequence[Mapping[str, Any]]) -> bool:
    """Some rule copies objects."""
    return bool(copying(rules))


def replica_keys(rules: Sequence[Mapping[str, Any]]) -> bool:
    """Every rule that is on copies objects under KMS keys, and names the key of the copies. Without either such objects stay behind."""
    on = copying(rules)
    return bool(on) and all(_under_key(r) for r in on)


def _under_key(rule: Mapping[str, Any]) -> bool:
    chosen = ((rule.get("SourceSelectionCriteria") or {}).get("SseKmsEncryptedObjects") or {}).get("Status")
    return chosen == "Enabled" and bool((rule["Destination"].get("EncryptionConfiguration") or {}).get("ReplicaKmsKeyID"))


def inventory(name: str, configurations: Sequence[Mapping[str, Any]] | None) -> str:
    """The best of the lists that are delivered to another bucket. An ETag is no hash of content where an object came in parts."""
    best = "none"
    for each in configurations or []:
        if not each["IsEnabled"] or each["Destination"]["S3BucketDestination"]["Bucket"].rpartition(":")[2] == name:
            continue
        told = set(each.get("OptionalFields") or [])
        found = "checksum" if "ChecksumAlgorithm" in told else "etag" if told >= {"ETag", "EncryptionStatus"} else "plain"
        best = max(best, found, key=INVENTORIES.index)
    return best


INVENTORIES = ("none", "plain", "etag", "checksum")


def _ask(
    operation: str,
    action: str,
    take: str = "",
    means: str = "",
    when: Callable[[Row], bool] | None = None,
    needs: tuple[str, ...] = (),
) -> Call:
    """A question about one bucket; the error `means` is an answer."""
    nothing = {means: None} if means else {}
    args = {"Bucket": "item.Name"}
    return Call("s3", operation, args=args, take=take, means=nothing, actions=(f"s3:{action}",), when=when, needs=needs)


BUCKETS = Table(
    kind="data_store",
    native_type="AWS::S3::Bucket",
    # NOTE: a region's buckets, asked in that region: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html
    list=Call(
        "s3",
        "list_buckets",
        args={"BucketRegion": arn.REGION},
        fixed={"MaxBuckets": 1000},
        take="Buckets",
        actions=("s3:ListAllMyBuckets",),
    ),
    id=Field((arn.PARTITION, "item.Name"), lambda partition, name: f"arn:{partition}:s3:::{name}"),
    tags=arn.TAGGED,
    detail={
        "encryption": _ask(
            "get_bucket_encryption",
            "GetEncryptionConfiguration",
            "ServerSideEncryptionConfiguration.Rules",
            "ServerSideEncryptionConfigurationNotFoundError",
        ),
        "versioning": _ask("get_bucket_versioning", "GetBucketVersioning"),
        "lock": _ask(
            "get_object_lock_configuration",
            "GetBucketObjectLockConfiguration",
            "ObjectLockConfiguration",
            "ObjectLockConfigurationNotFoundError",
            when=versioned,
            needs=("versioning",),
        ),
        "policy": _ask("get_bucket_policy", "GetBucketPolicy", "Policy", "NoSuchBucketPolicy"),
        "block": _ask(
            "get_public_access_block",
            "GetBucketPublicAccessBlock",
            "PublicAccessBlockConfiguration",
            "NoSuchPublicAccessBlockConfiguration",
        ),
        # NOTE: what an ACL says of the public counts for nothing in a bucket that ignores it
        "acl": _ask("get_bucket_acl", "GetBucketAcl", when=heeds_acls, needs=("block",)),
        "logging": _ask("get_bucket_logging", "GetBucketLogging"),
        "replication": _ask(
            "get_bucket_replication",
            "GetReplicationConfiguration",
            "ReplicationConfiguration.Rules",
            "ReplicationConfigurationNotFoundError",
            when=versioned,
            needs=("versioning",),
        ),
        "inventory": Call(
            "s3",
            "list_bucket_inventory_configurations",
            args={"Bucket": "item.Name"},
            take="InventoryConfigurationList",
            token=("ContinuationToken", "NextContinuationToken"),
            actions=("s3:GetInventoryConfiguration",),
        ),
        "tags": arn.tagged("s3", "item.Name", lambda name: name.rpartition(":")[2]),
    },
    facts={
        "store_type": Const("bucket"),
        # NOTE: S3 itself always answers with a rule; a store that says "not found" has no default encryption
        "encrypted": Field("encryption", lambda _: True, absent=False, source=ENCRYPTION),
        "key_id": Field((*arn.PLACE, "encryption"), key_id, source=ENCRYPTION),
        "aws.algorithm": Field("encryption", algorithm, absent="none", source=ENCRYPTION),
        "aws.bucket_key": Field("encryption", bucket_key, absent=False, source=ENCRYPTION),
        "aws.blocked_encryption": Field("encryption", blocked_encryption, absent=[], source=BLOCKED),
        "versioning": Field("versioning.Status", {"Enabled": "enabled", "Suspended": "suspended"}, absent="off", source=VERSIONING),
        "aws.mfa_delete": Field("versioning.MFADelete", {"Enabled": True, "Disabled": False}, absent=False, source=VERSIONING),
        "object_lock": Field("lock", lock_mode, absent="none", source=OBJECT_LOCK),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
        "acl_public": Field("acl.Grants", acl_public),
        "replicated": Field("replication", replicated, absent=False, source=REPLICATION),
        "replica_keys": Field("replication", replica_keys, absent=False, source=REPLICATION),
        "inventory": Field(("item.Name", "inventory"), inventory, source=INVENTORY),
        "access_logged": Field("logging.LoggingEnabled.TargetBucket", bool, absent=False, source=LOGGING),
        "aws.block_public_acls": Field("block.BlockPublicAcls", flag, absent=False, source=PUBLIC_BLOCK),
        "aws.ignore_public_acls": Field("block.IgnorePublicAcls", flag, absent=False, source=PUBLIC_BLOCK),
        "aws.block_public_policy": Field("block.BlockPublicPolicy", flag, absent=False, source=PUBLIC_BLOCK),
        "aws.restrict_public_buckets": Field("block.RestrictPublicBuckets", flag, absent=False, source=PUBLIC_BLOCK),
    },
)

ACCOUNT_BLOCK = Table(
    kind="account",
    native_type="AWS::S3::AccountPublicAccessBlock",
    list=Call(
        "s3control",
        "get_public_access_block",
        args={"AccountId": arn.ACCOUNT},
        take="PublicAccessBlockConfiguration",
        means={"NoSuchPublicAccessBlockConfiguration": {"PublicAccessBlockConfiguration": {}}},
        actions=("s3:GetAccountPublicAccessBlock",),
    ),
    per="account",
    id=Field((arn.PARTITION, arn.ACCOUNT), lambda partition, account: f"arn:{partition}:s3::{account}:account-public-access-block"),
    name=Field(arn.ACCOUNT),
    facts={
        "block_public_acls": Field("item.BlockPublicAcls", flag, absent=False, source=PUBLIC_BLOCK),
        "ignore_public_acls": Field("item.IgnorePublicAcls", flag, absent=False, source=PUBLIC_BLOCK),
        "block_public_policy": Field("item.BlockPublicPolicy", flag, absent=False, source=PUBLIC_BLOCK),
        "restrict_public_buckets": Field("item.RestrictPublicBuckets", flag, absent=False, source=PUBLIC_BLOCK),
    },
)

# NOTE: neither kind of answer tells tags, and no rule needs those of an access point
ACCESS_POINTS = Table(
    kind="data_store",
    native_type="AWS::S3::AccessPoint",
    list=Call(
        "s3control",
        "list_access_points",
        args={"AccountId": arn.ACCOUNT},
        take="AccessPointList",
        token=("NextToken", "NextToken"),
        actions=("s3:ListAccessPoints",),
    ),
    id=Field("item.AccessPointArn"),
    name=Field("item.Name"),
    detail={
        "point": Call("s3control", "get_access_point", args={"AccountId": arn.ACCOUNT, "Name": "item.Name"}),
        "policy": Call(
            "s3control",
            "get_access_point_policy",
            args={"AccountId": arn.ACCOUNT, "Name": "item.Name"},
            take="Policy",
            means={"NoSuchAccessPointPolicy": None},
        ),
    },
    facts={
        "store_type": Const("access_point"),
        "bucket": Field((arn.PARTITION, "item.Bucket"), lambda partition, bucket: f"arn:{partition}:s3:::{bucket}"),
        "aws.network_origin": Field("item.NetworkOrigin", {"Internet": "internet", "VPC": "vpc"}, source=ACCESS_POINT),
        "policy_statements": Field("policy", statements, absent=[], source=ACCESS_POINT_POLICY),
        # access points have no ACL
        "acl_public": Const(value=False),
        "aws.ignore_public_acls": Field(
            "point.PublicAccessBlockConfiguration.IgnorePublicAcls", flag, absent=False, source=ACCESS_POINT
        ),
        "aws.restrict_public_buckets": Field(
            "point.PublicAccessBlockConfiguration.RestrictPublicBuckets", flag, absent=False, source=ACCESS_POINT
        ),
    },
)

TABLES: tuple[Table, ...] = (BUCKETS, ACCESS_POINTS, ACCOUNT_BLOCK)
