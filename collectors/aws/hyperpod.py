"""SageMaker HyperPod clusters. Their machines are in no listing of EC2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.sagemaker import GONE, REDACT, tags_of
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

CLUSTER = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateCluster.html"
GROUP = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterInstanceGroupSpecification.html"
VOLUME = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ClusterEbsVolumeConfig.html"
"""A root volume of which no configuration speaks has a key of AWS's own."""

Group = Mapping[str, Any]
Groups = Iterable[Group] | None


def exists(cluster: Mapping[str, Any]) -> bool:
    """The cluster is one that runs or can run."""
    return cluster.get("ClusterStatus") not in GONE


def sizes(groups: Groups, restricted: Groups) -> list[str]:
    """Sizes of all groups."""
    return sorted({size for group in _all(groups, restricted) for size in group_sizes(group)})


def group_sizes(group: Group) -> list[str]:
    """Sizes of a group: one, or those that it may take or has taken."""
    needs = group.get("InstanceRequirements") or {}
    named = [group.get("InstanceType"), *(d.get("InstanceType") for d in group.get("InstanceTypeDetails") or ())]
    wanted = [*(needs.get("CurrentInstanceTypes") or ()), *(needs.get("DesiredInstanceTypes") or ())]
    return sorted({size for size in (*named, *wanted) if size})


def machines(groups: Groups, restricted: Groups) -> int:
    """Machines there are or will be."""
    return sum(int(group.get("TargetCount") or group.get("CurrentCount") or 0) for group in _all(groups, restricted))


def instance_groups(
    partition: str, region: str, account: str, vpc: Mapping[str, Any] | None, groups: Groups, restricted: Groups
) -> list[dict[str, Any]]:
    """Groups with the subnets and security groups in force: their own network comes before the cluster's, both parts of it.

    https://github.com/aws-samples/data-perimeter-policy-examples/pull/39
    """
    place = (partition, region, account)

    def made(group: Group) -> dict[str, Any]:
        network = group.get("OverrideVpcConfig") or vpc or {}
        volumes = [c["EbsVolumeConfig"] for c in group.get("InstanceStorageConfigs") or () if c.get("EbsVolumeConfig")]
        root = next((v.get("VolumeKmsKeyId") for v in volumes if v.get("RootVolume")), None)
        beside = [v.get("VolumeKmsKeyId") for v in volumes if not v.get("RootVolume")]
        return {
            "name": group["InstanceGroupName"],
            "instance_types": group_sizes(group),
            "subnet_ids": arn.arns("ec2", "subnet", *place, network.get("Subnets")),
            "firewall_ids": arn.arns("ec2", "security-group", *place, network.get("SecurityGroupIds")),
            "root_key_id": arn.key_arn(*place, root),
            "volume_key_ids": [arn.key_arn(*place, key) for key in beside],
        }

    return sorted((made(g) for g in _all(groups, restricted)), key=lambda g: str(g["name"]))


def joined(name: str, groups: list[dict[str, Any]]) -> list[str]:
    """One list of all groups."""
    return sorted({value for group in groups for value in group[name]})


def roles(groups: Groups, restricted: Groups) -> list[str]:
    """Roles that the machines of all groups act as."""
    return sorted({role for group in _all(groups, restricted) if (role := group.get("ExecutionRole"))})


def scripts(groups: Groups) -> list[str]:
    """Where the scripts lie that machines run when they start."""
    return sorted({uri for g in groups or () if (uri := (g.get("LifeCycleConfig") or {}).get("SourceS3Uri"))})


def _all(groups: Groups, restricted: Groups) -> list[Group]:
    return [*(groups or ()), *(restricted or ())]


_GROUPS = ("cluster.InstanceGroups", "cluster.RestrictedInstanceGroups")
_PLACED = (*arn.PLACE, "cluster.VpcConfig", *_GROUPS)

CLUSTERS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::Cluster",
    list=Call("sagemaker", "list_clusters", take="ClusterSummaries"),
    keep=exists,
    id=Field("item.ClusterArn"),
    name=Field("item.ClusterName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "cluster": Call("sagemaker", "describe_cluster", args={"ClusterName": "item.ClusterArn"}),
        "tags": tags_of("item.ClusterArn"),
    },
    facts={
        "service_type": Const("cluster"),
        "identities": Field(("cluster.ClusterArn", *_GROUPS), lambda _, *found: roles(*found)),
        "encrypted": Field("cluster.ClusterArn", lambda _: True, source=VOLUME),
        "instance_types": Field(("cluster.ClusterArn", *_GROUPS), lambda _, *found: sizes(*found)),
        "node_count": Field(("cluster.ClusterArn", *_GROUPS), lambda _, *found: machines(*found)),
        "instance_groups": Field(("cluster.ClusterArn", *_PLACED), lambda _, *found: instance_groups(*found)),
        "subnet_ids": Field(("cluster.ClusterArn", *_PLACED), lambda _, *found: joined("subnet_ids", instance_groups(*found))),
        "firewall_ids": Field(("cluster.ClusterArn", *_PLACED), lambda _, *found: joined("firewall_ids", instance_groups(*found))),
        "script_uris": Field(("cluster.ClusterArn", _GROUPS[0]), lambda _, found: scripts(found)),
        # NOTE: an answer that leaves it out is one of an old cluster or of a stand-in; the default is of new clusters only
        "auto_recovery": Field("cluster.NodeRecovery", {"Automatic": True, "None": False}),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (CLUSTERS,)
