"""ElastiCache and MemoryDB."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.rds import encrypted
from collectors.table import Call, Const, Field, Table

GROUP = "https://docs.aws.amazon.com/AmazonElastiCache/latest/APIReference/API_ReplicationGroup.html"
MEMORYDB = "https://docs.aws.amazon.com/memorydb/latest/devguide/at-rest-encryption.html"

MEMCACHED = "memcached"


def exists(cache: Mapping[str, Any]) -> bool:
    """It is there to stay."""
    return str(cache.get("Status", "")).lower() not in ("deleting", "create-failed")


def key(partition: str, region: str, account: str, value: str | None, kind: str | None) -> str:
    """The key; `sse-elasticache` is one that the service owns."""
    return "" if kind == "sse-elasticache" else arn.key_arn(partition, region, account, value)


def required(enabled: bool | None, mode: str | None) -> bool:  # noqa: FBT001 - the answer's own type
    """Clients must speak TLS; while it is only preferred, clear text is still taken."""
    return bool(enabled) and mode != "preferred"


ELASTICACHE = Table(
    kind="data_store",
    native_type="AWS::ElastiCache::ReplicationGroup",
    list=Call("elasticache", "describe_replication_groups", take="ReplicationGroups"),
    keep=exists,
    id=Field("item.ARN"),
    name=Field("item.ReplicationGroupId"),
    tags=arn.tags("tags"),
    detail={"tags": Call("elasticache", "list_tags_for_resource", args={"ResourceName": "item.ARN"}, take="TagList")},
    facts={
        "store_type": Const("cache"),
        "engine": Field("item.Engine", str.lower, absent="redis", source=GROUP),
        "encrypted": Field(("item.AtRestEncryptionEnabled", "item.StorageEncryptionType"), encrypted, absent=False, source=GROUP),
        "key_id": Field((*arn.PLACE, "item.KmsKeyId", "item.StorageEncryptionType"), key, source=GROUP),
        "key_selectable": Field("item.Engine", lambda engine: engine.lower() != MEMCACHED, absent=True, source=GROUP),
        "tls_required": Field(
            ("item.TransitEncryptionEnabled", "item.TransitEncryptionMode"), required, absent=False, source=GROUP
        ),
    },
)

CLUSTERS = Table(
    kind="data_store",
    native_type="AWS::MemoryDB::Cluster",
    list=Call("memorydb", "describe_clusters", take="Clusters"),
    keep=exists,
    id=Field("item.ARN"),
    name=Field("item.Name"),
    tags=arn.tags("tags"),
    detail={"tags": Call("memorydb", "list_tags", args={"ResourceArn": "item.ARN"}, take="TagList")},
    facts={
        "store_type": Const("cache"),
        "engine": Field("item.Engine", str.lower, absent="redis", source=MEMORYDB),
        # always encrypted at rest, with a key that the service owns where none is named: MEMORYDB
        "encrypted": Field("item.Name", lambda _: True, source=MEMORYDB),
        "key_id": arn.key("item.KmsKeyId", source=MEMORYDB),
        "key_selectable": Const(value=True),
        "tls_required": Field("item.TLSEnabled"),
        "firewall_ids": arn.many("security-group", "item.SecurityGroups[].SecurityGroupId"),
    },
)

TABLES: tuple[Table, ...] = (ELASTICACHE, CLUSTERS)
