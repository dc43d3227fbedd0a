"""Who may do what in EKS clusters: access entries, pod identities, node groups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.compute import ACCELERATORS, TYPES, accelerator
from collectors.table import MISSING, Batch, Call, Const, Field, Table

ENTRIES = "https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html"
POD_IDENTITY = "https://docs.aws.amazon.com/eks/latest/APIReference/API_PodIdentityAssociation.html"
REMOTE_ACCESS = "https://docs.aws.amazon.com/eks/latest/APIReference/API_RemoteAccessConfig.html"
ACCELERATED = re.compile(r"_(GPU|NVIDIA|NEURON)(_|$)")
"""Images that EKS makes for accelerators: https://docs.aws.amazon.com/eks/latest/APIReference/API_Nodegroup.html, `amiType`."""

GONE = {"ResourceNotFoundException": None}
"""The cluster went since it was listed."""
CLUSTERS = Call("eks", "list_clusters", take="clusters")


def access_policies(found: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Access policies of an entry, each with where it holds; every namespace is the whole cluster."""
    made = []
    for entry in found:
        scope = entry["accessScope"]
        namespaces = sorted(scope.get("namespaces") or [])
        made.append(
            {
                "policy": entry["policyArn"].rpartition("/")[2],
                "cluster_wide": {"cluster": True, "namespace": False}[scope["type"]] or "*" in namespaces,
                "namespaces": namespaces,
            }
        )
    return sorted(made, key=lambda p: (str(p["policy"]), not p["cluster_wide"]))


def entry_id(partition: str, region: str, account: str, cluster: str, principal: str) -> str:
    """The id of an access entry: its cluster and whom it speaks of. Its own ends in a number that only a call of its own tells."""
    owner, _, name = principal.partition(":iam::")[2].partition(":")
    kind, _, rest = name.partition("/")
    return f"arn:{partition}:eks:{region}:{account}:access-entry/{cluster}/{kind}/{owner}/{rest}"


def subjects(namespace: str, account: str) -> list[dict[str, Any]]:
    """The service account that an association is for."""
    return [{"kind": "ServiceAccount", "name": account, "namespace": namespace, "system": False}]


def of_group(image: str | None, name: str | None, *devices: Any) -> Any:
    """The nodes of a group have accelerators: by their image, else by the first of their sizes."""
    if image and ACCELERATED.search(image):
        return True
    return accelerator(name, *devices) if name else MISSING


def reached_from(key: str | None, groups: list[str] | None) -> bool:
    """Whether anybody reaches the nodes' SSH: a key pair without a group opens the port to the internet."""
    return bool(key) and not groups


ACCESS_ENTRIES = Table(
    kind="grant",
    native_type="AWS::EKS::AccessEntry",
    list=CLUSTERS,
    each=Call(
        "eks",
        "list_access_entries",
        args={"clusterName": "parent"},
        take="accessEntries",
        # InvalidRequestException: the cluster has no entries, its `aws-auth` ConfigMap says who gets in (`authentication_mode`)
        means={**GONE, "InvalidRequestException": None},
    ),
    id=Field((*arn.PLACE, "parent", "item"), entry_id),
    name=Field(("parent", "item"), lambda cluster, principal: f"{cluster}/{principal.rpartition('/')[2]}"),
    detail={
        "policies": Call(
            "eks",
            "list_associated_access_policies",
            args={"clusterName": "parent", "principalArn": "item"},
            take="associatedAccessPolicies",
        ),
    },
    facts={
        "cluster_id": arn.one("cluster", "parent", service="eks"),
        "principal": Field("item"),
        "access_policies": Field("policies", access_policies, absent=[], source=ENTRIES),
    },
)

POD_IDENTITIES = Table(
    kind="grant",
    native_type="AWS::EKS::PodIdentityAssociation",
    list=CLUSTERS,
    each=Call("eks", "list_pod_identity_associations", args={"clusterName": "parent"}, take="associations", means=GONE),
    id=Field("item.associationArn"),
    name=Field(
        ("item.clusterName", "item.namespace", "item.serviceAccount"),
        lambda cluster, namespace, account: f"{cluster}/{namespace}/{account}",
    ),
    tags=arn.tags("association.tags"),
    detail={
        "association": Call(
            "eks",
            "describe_pod_identity_association",
            args={"clusterName": "item.clusterName", "associationId": "item.associationId"},
            take="association",
        ),
    },
    facts={
        "cluster_id": arn.one("cluster", "item.clusterName", service="eks"),
        "namespace": Field("item.namespace"),
        "cluster_wide": Const(value=False),
        "subjects": Field(("item.namespace", "item.serviceAccount"), subjects),
        "identity": Field("association.roleArn"),
        "target_identity": Field("association.targetRoleArn", absent="", source=POD_IDENTITY),
        "session_tags": Field("association.disableSessionTags", {True: False, False: True}, absent=True, source=POD_IDENTITY),
    },
)

NODE_GROUPS = Table(
    kind="node",
    native_type="AWS::EKS::Nodegroup",
    list=CLUSTERS,
    each=Call("eks", "list_nodegroups", args={"clusterName": "parent"}, take="nodegroups", means=GONE),
    id=Field("group.nodegroupArn"),
    name=Field(("parent", "item"), lambda cluster, group: f"{cluster}/{group}"),
    tags=arn.tags("group.tags"),
    detail={
        "group": Call("eks", "describe_nodegroup", args={"clusterName": "parent", "nodegroupName": "item"}, take="nodegroup"),
        "type": Batch(
            TYPES,
            parameter="InstanceTypes",
            on="group.instanceTypes[0]",
            key="InstanceType",
        ),
    },
    facts={
        "instance_type": Field("group.instanceTypes[0]"),
        "accelerator": Field(
            ("group.amiType", *ACCELERATORS),
            of_group,
        ),
        "subnet_ids": arn.many("subnet", "group.subnets"),
        "identity": Field("group.nodeRole"),
        "container_host": Const(value=True),
        "ssh_key": Field("group.remoteAccess.ec2SshKey", absent="", source=REMOTE_ACCESS),
        "ssh_open": Field(
            ("group.remoteAccess.ec2SshKey", "group.remoteAccess.sourceSecurityGroups"),
            reached_from,
            absent=False,
            source=REMOTE_ACCESS,
        ),
    },
)

TABLES: tuple[Table, ...] = (ACCESS_ENTRIES, POD_IDENTITIES, NODE_GROUPS)
