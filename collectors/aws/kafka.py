"""Managed Streaming for Apache Kafka."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

ENCRYPTION = "https://docs.aws.amazon.com/msk/latest/developerguide/msk-encryption.html"
AUTHENTICATION = "https://docs.aws.amazon.com/msk/1.0/apireference/clusters-clusterarn.html"
PUBLIC = "https://docs.aws.amazon.com/msk/latest/developerguide/public-access.html"
SERVERLESS = "https://docs.aws.amazon.com/msk/latest/developerguide/serverless.html"


def exists(cluster: Mapping[str, Any]) -> bool:
    """It is there to stay."""
    return cluster.get("State") != "DELETING"


def serverless(kind: str) -> bool:
    """Brokers are the provider's, with TLS and IAM always."""
    return {"SERVERLESS": True, "PROVISIONED": False}[kind]


def internet_facing(kind: str, access: str | None) -> bool:
    """Brokers have public addresses; they have none unless told so."""
    return not serverless(kind) and (access or "DISABLED") != "DISABLED"


def anonymous(kind: str, ways: Mapping[str, Any] | None) -> bool:
    """Clients need not prove who they are: it says so, or nothing asks them."""
    if serverless(kind):
        return False
    ways = ways or {}
    sasl = ways.get("Sasl") or {}
    asked = [sasl.get("Iam"), sasl.get("Scram"), ways.get("Tls")]
    return _on(ways.get("Unauthenticated")) or not any(_on(way) for way in asked)


def _on(way: Mapping[str, Any] | None) -> bool:
    """A way to authenticate is on; mutual TLS is by its authorities, where the answer has no flag."""
    found = way or {}
    return bool(found.get("Enabled", found.get("CertificateAuthorityArnList")))


def clients(kind: str, said: str | None) -> bool:
    """Clients must speak TLS. TypeError where a cluster with brokers does not say: the documents disagree on the default."""
    if serverless(kind):
        return True
    return {"TLS": True, "TLS_PLAINTEXT": False, "PLAINTEXT": False}[str(said)]


def between(kind: str, said: bool | None) -> bool:  # noqa: FBT001 - the answer's own type
    """Brokers speak TLS with each other, as they do unless told otherwise."""
    return serverless(kind) or said is not False


_TRANSIT = "item.Provisioned.EncryptionInfo.EncryptionInTransit"

CLUSTERS = Table(
    kind="data_store",
    native_type="AWS::MSK::Cluster",
    list=Call("kafka", "list_clusters_v2", take="ClusterInfoList"),
    keep=exists,
    id=Field("item.ClusterArn"),
    name=Field("item.ClusterName"),
    tags=Field("item.Tags", tag_list, absent={}),
    facts={
        "store_type": Const("stream"),
        "engine": Const("kafka"),
        "serverless": Field("item.ClusterType", serverless),
        "encrypted": Field("item.ClusterName", lambda _: True, source=ENCRYPTION),
        "key_id": arn.key("item.Provisioned.EncryptionInfo.EncryptionAtRest.DataVolumeKMSKeyId", source=ENCRYPTION),
        "key_selectable": Field("item.ClusterType", lambda kind: not serverless(kind), source=SERVERLESS),
        "internet_facing": Field(
            ("item.ClusterType", "item.Provisioned.BrokerNodeGroupInfo.ConnectivityInfo.PublicAccess.Type"),
            internet_facing,
            source=PUBLIC,
        ),
        "anonymous_access": Field(("item.ClusterType", "item.Provisioned.ClientAuthentication"), anonymous, source=AUTHENTICATION),
        "tls_required": Field(("item.ClusterType", f"{_TRANSIT}.ClientBroker"), clients, source=ENCRYPTION),
        "internal_tls": Field(("item.ClusterType", f"{_TRANSIT}.InCluster"), between, source=ENCRYPTION),
        "subnet_ids": arn.many(
            "subnet", "item.Provisioned.BrokerNodeGroupInfo.ClientSubnets", "item.Serverless.VpcConfigs[].SubnetIds[]"
        ),
        "firewall_ids": arn.many(
            "security-group",
            "item.Provisioned.BrokerNodeGroupInfo.SecurityGroups",
            "item.Serverless.VpcConfigs[].SecurityGroupIds[]",
        ),
    },
)

TABLES: tuple[Table, ...] = (CLUSTERS,)
