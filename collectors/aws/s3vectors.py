"""S3 Vectors: vector buckets and their indexes. They are no S3 buckets: neither S3's listings nor its public access blocks know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.policy import statements
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Row, Table

ENCRYPTION = "https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-data-encryption.html"
POLICY = "https://docs.aws.amazon.com/AmazonS3/latest/API/API_S3VectorBuckets_GetVectorBucketPolicy.html"

LIST = Call("s3vectors", "list_vector_buckets", take="vectorBuckets")


def vector_key(configuration: Mapping[str, Any]) -> str:
    """The key of a bucket or index; empty where S3 has its own. A sort of encryption that is not known is KeyError."""
    named = {"AES256": "", "aws:kms": configuration.get("kmsKeyArn") or ""}
    return str(named[configuration.get("sseType") or "AES256"])


def index_key(own: Mapping[str, Any] | None, of_bucket: Mapping[str, Any] | None) -> str:
    """An index has the encryption of its bucket, unless it was made with another one."""
    return vector_key(own if own and own.get("sseType") else of_bucket or {})


def follows_bucket(row: Row) -> bool:
    """The index names no encryption of its own."""
    index = row.get("index") or {}
    return not (index.get("encryptionConfiguration") or {}).get("sseType")


def _tags(path: str) -> Call:
    return Call("s3vectors", "list_tags_for_resource", args={"resourceArn": path}, take="tags")


BUCKETS = Table(
    kind="data_store",
    native_type="AWS::S3Vectors::VectorBucket",
    list=LIST,
    id=Field("item.vectorBucketArn"),
    name=Field("item.vectorBucketName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "bucket": Call("s3vectors", "get_vector_bucket", args={"vectorBucketName": "item.vectorBucketName"}, take="vectorBucket"),
        "policy": Call(
            "s3vectors",
            "get_vector_bucket_policy",
            args={"vectorBucketName": "item.vectorBucketName"},
            take="policy",
            means={"NotFoundException": None},
        ),
        "tags": _tags("item.vectorBucketArn"),
    },
    facts={
        "store_type": Const("vectors"),
        "encrypted": Const(value=True),  # always: ENCRYPTION
        "key_id": Field("bucket.encryptionConfiguration", vector_key, absent="", source=ENCRYPTION),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
    },
)

INDEXES = Table(
    kind="data_store",
    native_type="AWS::S3Vectors::Index",
    list=LIST,
    each=Call("s3vectors", "list_indexes", args={"vectorBucketName": "parent.vectorBucketName"}, take="indexes"),
    id=Field("item.indexArn"),
    name=Field(("item.vectorBucketName", "item.indexName"), lambda bucket, index: f"{bucket}/{index}"),
    detail={
        "index": Call("s3vectors", "get_index", args={"indexArn": "item.indexArn"}, take="index"),
        "bucket": Call(
            "s3vectors",
            "get_vector_bucket",
            args={"vectorBucketName": "parent.vectorBucketName"},
            take="vectorBucket",
            when=follows_bucket,
            needs=("index",),
        ),
    },
    facts={
        "store_type": Const("vectors"),
        "encrypted": Const(value=True),
        "key_id": Field(
            ("index.encryptionConfiguration", "bucket.encryptionConfiguration"), index_key, absent="", source=ENCRYPTION
        ),
    },
)

TABLES: tuple[Table, ...] = (BUCKETS, INDEXES)
