"""Redshift clusters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import Call, Const, Field, Side, Table

CLUSTER = "https://docs.aws.amazon.com/redshift/latest/APIReference/API_Cluster.html"


def exists(cluster: Mapping[str, Any]) -> bool:
    """It is there to stay."""
    return cluster.get("ClusterStatus") not in ("deleting", "final-snapshot")


def cluster_arn(partition: str, region: str, account: str, name: str) -> str:
    """The ARN of a cluster, which has colons only."""
    return f"arn:{partition}:redshift:{region}:{account}:cluster:{name}"


CLUSTERS = Table(
    kind="data_store",
    native_type="AWS::Redshift::Cluster",
    list=Call("redshift", "describe_clusters", take="Clusters"),
    keep=exists,
    id=Field((*arn.PLACE, "item.ClusterIdentifier"), cluster_arn),
    name=Field("item.ClusterIdentifier"),
    tags=arn.tags(),
    detail={
        "groups": Side(
            Call("redshift", "describe_cluster_subnet_groups", take="ClusterSubnetGroups"),
            on="item.ClusterSubnetGroupName",
            key="ClusterSubnetGroupName",
        )
    },
    facts={
        "store_type": Const("database"),
        "engine": Const("redshift"),
        "encrypted": Field("item.Encrypted", absent=False, source=CLUSTER),
        "key_id": arn.key("item.KmsKeyId", source=CLUSTER),
        "key_selectable": Const(value=True),
        "internet_facing": Field("item.PubliclyAccessible", absent=False, source=CLUSTER),
        "firewall_ids": arn.many("security-group", "item.VpcSecurityGroups[].VpcSecurityGroupId"),
        "network_id": arn.one("vpc", "item.VpcId", absent=""),
        "subnet_ids": arn.many("subnet", "groups[].Subnets[].SubnetIdentifier"),
        "port": Field("item.Endpoint.Port"),
    },
    redact=("ClusterPublicKey",),
)

TABLES: tuple[Table, ...] = (CLUSTERS,)
