"""Simple Storage Service: general purpose buckets, and the account's public access block.

Directory buckets (S3 Express) are another listing and are not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Row, Table

ENCRYPTION = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/default-bucket-encryption.html"
PUBLIC_BLOCK = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html"
VERSIONING = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketVersioning.html"
OBJECT_LOCK = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_ObjectLockRule.html"
LOGGING = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLogging.html"
POLICY = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketPolicy.html"

# https://docs.aws.amazon.com/AmazonS3/latest/userguide/acl-overview.html#specifying-grantee-predefined-groups
# AuthenticatedUsers is every account of the provider, not only the owner's.
PUBLIC_GROUPS = frozenset(
    ("http://acs.amazonaws.com/groups/global/AllUsers", "http://acs.amazonaws.com/groups/global/AuthenticatedUsers")
)

# NOTE: `location` leads, so that the interpreter asks for it first where the listing gave no region (S3-compatible stores)
HOME = "location || item.BucketRegion"
# https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetBucketLocation.html: null is us-east-1, EU is eu-west-1
LOCATION = "(LocationConstraint == 'EU' && 'eu-west-1') || LocationConstraint || 'us-east-1'"


def no_region(row: Row) -> bool:
    """The listing did not say where the bucket is."""
    return not row["item"].get("BucketRegion")


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


def _ask(operation: str, action: str, take: str = "", means: str = "") -> Call:
    """A question about one bucket, asked in the bucket's region; the error `means` is an answer."""
    nothing = {means: None} if means else {}
    return Call("s3", operation, args={"Bucket": "item.Name"}, take=take, means=nothing, actions=(f"s3:{action}",), region=HOME)


BUCKETS = Table(
    kind="data_store",
    native_type="AWS::S3::Bucket",
    # NOTE: the region of a bucket is told only to requests with a parameter:
    # https://docs.aws.amazon.com/AmazonS3/latest/API/API_Bucket.html
    list=Call("s3", "list_buckets", fixed={"MaxBuckets": 1000}, take="Buckets", actions=("s3:ListAllMyBuckets",)),
    per="account",
    id=Field((arn.PARTITION, "item.Name"), lambda partition, name: f"arn:{partition}:s3:::{name}"),
    region=Field(HOME),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "location": Call("s3", "get_bucket_location", args={"Bucket": "item.Name"}, take=LOCATION, when=no_region, needs=("item",)),
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
        ),
        "policy": _ask("get_bucket_policy", "GetBucketPolicy", "Policy", "NoSuchBucketPolicy"),
        "acl": _ask("get_bucket_acl", "GetBucketAcl"),
        "block": _ask(
            "get_public_access_block",
            "GetBucketPublicAccessBlock",
            "PublicAccessBlockConfiguration",
            "NoSuchPublicAccessBlockConfiguration",
        ),
        "logging": _ask("get_bucket_logging", "GetBucketLogging"),
        "tags": _ask("get_bucket_tagging", "GetBucketTagging", "TagSet", "NoSuchTagSet"),
    },
    facts={
        "store_type": Const("bucket"),
        # NOTE: S3 itself always answers with a rule; a store that says "not found" has no default encryption
        "encrypted": Field("encryption", lambda _: True, absent=False, source=ENCRYPTION),
        "key_id": Field((arn.PARTITION, HOME, arn.ACCOUNT, "encryption"), key_id, source=ENCRYPTION),
        "aws.algorithm": Field("encryption", algorithm, absent="none", source=ENCRYPTION),
        "aws.bucket_key": Field("encryption", bucket_key, absent=False, source=ENCRYPTION),
        "versioning": Field("versioning.Status", {"Enabled": "enabled", "Suspended": "suspended"}, absent="off", source=VERSIONING),
        "aws.mfa_delete": Field("versioning.MFADelete", {"Enabled": True, "Disabled": False}, absent=False, source=VERSIONING),
        "object_lock": Field("lock", lock_mode, absent="none", source=OBJECT_LOCK),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
        "acl_public": Field("acl.Grants", acl_public),
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

TABLES: tuple[Table, ...] = (BUCKETS, ACCOUNT_BLOCK)
