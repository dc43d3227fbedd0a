"""Elastic Compute Cloud: instances, their volumes and snapshots, and the region's encryption default."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors import secrets
from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Batch, Call, Const, Field, Side, Table

METADATA = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-options.html"
TENANCY = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Placement.html"
EBS_DEFAULT = "https://docs.aws.amazon.com/ebs/latest/userguide/encryption-by-default.html"
EBS_ENCRYPTION = "https://docs.aws.amazon.com/ebs/latest/userguide/how-ebs-encryption-works.html"
FABRIC = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/data-protection.html#encryption-transit"
SNAPSHOT_SHARING = "https://docs.aws.amazon.com/ebs/latest/userguide/ebs-modifying-snapshot-permissions.html"

USER_DATA = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html"

REDACT = ("UserData",)

# What EKS, ECS, Batch and their controllers put on the machines they run:
# https://docs.aws.amazon.com/eks/latest/userguide/eks-using-tags.html
# https://docs.aws.amazon.com/AmazonECS/latest/developerguide/asg-capacity-providers.html
# https://docs.aws.amazon.com/batch/latest/userguide/using-tags.html
CONTAINER_TAGS = re.compile(r"^(kubernetes\.io/cluster/|eks:|aws:eks:|karpenter\.sh/|aws:ecs:|AmazonECSManaged$|AWSBatch)")
CONTAINER_FAMILIES = "https://docs.aws.amazon.com/eks/latest/userguide/eks-using-tags.html"

TYPES = Call("ec2", "describe_instance_types", take="InstanceTypes", means={"InvalidInstanceType": None})
"""NOTE: EC2 answers nothing at all where one type of the list does not exist in the region."""

GONE = ("shutting-down", "terminated")
"""Instances that AWS still lists for an hour."""


def exists(instance: Mapping[str, Any]) -> bool:
    """The instance is not on its way out: its volumes and interfaces are no longer in the answer then."""
    return (instance.get("State") or {}).get("Name") not in GONE


def usable(volume: Mapping[str, Any]) -> bool:
    """The volume is not on its way out."""
    return volume.get("State") not in ("deleting", "deleted")


ACCELERATORS = (
    "type.InstanceType",
    "type.GpuInfo.Gpus",
    "type.NeuronInfo.NeuronDevices",
    "type.InferenceAcceleratorInfo.Accelerators",
    "type.MediaAcceleratorInfo.Accelerators",
    "type.FpgaInfo.Fpgas",
)
"""Paths of a size's name and its devices, in a row whose part `type` is `TYPES`."""


def accelerator(name: str, *devices: Any) -> bool:
    """Some accelerator is listed for the instance type (`name` says that the type itself was found)."""
    return bool(name) and any(devices)


def efa(interfaces: list[Mapping[str, Any]]) -> bool:
    """Some interface is an Elastic Fabric Adapter."""
    return any(i.get("InterfaceType") in ("efa", "efa-only") for i in interfaces)


def container_host(identity: str, tags: Any) -> bool:
    """The tags of an orchestrator of containers are on it (`identity` says that the instance was read)."""
    return bool(identity) and any(CONTAINER_TAGS.match(name) for name in tag_list(tags))


def public_addresses(interfaces: list[Mapping[str, Any]] | None, own: str | None, own6: str | None) -> list[str]:
    """Public IPv4 addresses and global IPv6 addresses of all interfaces, secondary ones included."""
    found = {own, own6}
    for interface in interfaces or []:
        found.add((interface.get("Association") or {}).get("PublicIp"))
        found |= {(p.get("Association") or {}).get("PublicIp") for p in interface.get("PrivateIpAddresses") or []}
        found |= {p["Ipv6Address"] for p in interface.get("Ipv6Addresses") or []}
    return sorted(a for a in found if a and (":" not in a or ipaddress.ip_address(a).is_global))


def interfaces(partition: str, region: str, account: str, found: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """All interfaces of an instance, secondary addresses included; p5 has up to 32."""
    made = []
    for interface in sorted(found or [], key=_order):
        private = interface.get("PrivateIpAddresses") or []
        public = {(p.get("Association") or {}).get("PublicIp") for p in (interface, *private)}
        made.append(
            {
                "id": arn.arn("ec2", "network-interface", partition, region, account, interface["NetworkInterfaceId"]),
                "subnet_id": arn.arn("ec2", "subnet", partition, region, account, interface["SubnetId"]),
                "firewall_ids": arn.arns(
                    "ec2", "security-group", partition, region, account, [g["GroupId"] for g in interface.get("Groups") or []]
                ),
                "public_addresses": sorted(a for a in public if a),
                "ipv6_addresses": sorted(a for a in _six(interface) if ipaddress.ip_interface(a).is_global),
                "private_addresses": sorted(
                    {a for p in (interface, *private) if (a := p.get("PrivateIpAddress"))}
                    # prefixes are handed on to pods, which load balancers forward to
                    | {p["Ipv4Prefix"] for p in interface.get("Ipv4Prefixes") or []}
                ),
            }
        )
    return made


def _order(interface: Mapping[str, Any]) -> tuple[int, int, str]:
    """The first interface of an instance comes first: load balancers forward to it."""
    attachment = interface.get("Attachment") or {}
    return attachment.get("NetworkCardIndex") or 0, attachment.get("DeviceIndex") or 0, interface["NetworkInterfaceId"]


def _six(interface: Mapping[str, Any]) -> Iterator[str]:
    """Addresses, and prefixes that are handed on to pods."""
    yield from (a["Ipv6Address"] for a in interface.get("Ipv6Addresses") or [])
    yield from (p["Ipv6Prefix"] for p in interface.get("Ipv6Prefixes") or [])


def shared_with_all(permissions: list[Mapping[str, Any]]) -> bool:
    """The group `all` may make volumes of it."""
    return any(p.get("Group") == "all" for p in permissions)


INSTANCES = Table(
    kind="node",
    native_type="AWS::EC2::Instance",
    list=Call("ec2", "describe_instances", take="Reservations[].Instances[]"),
    keep=exists,
    id=arn.one("instance", "item.InstanceId"),
    name=arn.named("item.InstanceId"),
    tags=arn.tags(),
    detail={
        "type": Batch(
            TYPES,
            parameter="InstanceTypes",
            on="item.InstanceType",
            key="InstanceType",
        ),
        "user_data": Call(
            "ec2",
            "describe_instance_attribute",
            args={"InstanceId": "item.InstanceId"},
            fixed={"Attribute": "userData"},
            take="UserData",
            reduce=secrets.REDUCE,
        ),
    },
    facts={
        "instance_type": Field("item.InstanceType"),
        "accelerator": Field(ACCELERATORS, accelerator),
        "efa": Field("item.NetworkInterfaces", efa),
        "fabric_encrypted": Field("type.NetworkInfo.EncryptionInTransitSupported", source=FABRIC),
        "public_addresses": Field(
            ("item.NetworkInterfaces", "item.PublicIpAddress", "item.Ipv6Address"), public_addresses, absent=[]
        ),
        "interfaces": Field((*arn.PLACE, "item.NetworkInterfaces"), interfaces),
        "subnet_ids": arn.many("subnet", "item.SubnetId", "item.NetworkInterfaces[].SubnetId"),
        "network_id": arn.one("vpc", "item.VpcId"),
        "firewall_ids": arn.many("security-group", "item.SecurityGroups[].GroupId", "item.NetworkInterfaces[].Groups[].GroupId"),
        "efa_firewall_ids": arn.many(
            "security-group", "item.NetworkInterfaces[?InterfaceType=='efa' || InterfaceType=='efa-only'].Groups[].GroupId"
        ),
        "metadata_enabled": Field(
            "item.MetadataOptions.HttpEndpoint", {"enabled": True, "disabled": False}, absent=True, source=METADATA
        ),
        "metadata_token_required": Field(
            "item.MetadataOptions.HttpTokens", {"required": True, "optional": False}, absent=False, source=METADATA
        ),
        # NOTE: no default here: it is 1 or 2, by account and image, and the answer always has it
        "metadata_hop_limit": Field("item.MetadataOptions.HttpPutResponseHopLimit"),
        "ssh_key": Field(
            "item.KeyName", absent="", source="https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Instance.html"
        ),
        "volume_ids": arn.many("volume", "item.BlockDeviceMappings[].Ebs.VolumeId"),
        "identity": Field(
            "item.IamInstanceProfile.Arn",
            absent="",
            source="https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_Instance.html",
        ),
        "state": Field("item.State.Name"),
        "tenancy": Field("item.Placement.Tenancy", absent="default", source=TENANCY),
        "bare_metal": Field("type.BareMetal"),
        "container_host": Field(("item.InstanceId", "item.Tags"), container_host, source=CONTAINER_FAMILIES),
        "user_data_secrets": Field("user_data", secrets.listed, absent=[], source=USER_DATA),
    },
    redact=REDACT,
)

VOLUMES = Table(
    kind="data_store",
    native_type="AWS::EC2::Volume",
    list=Call("ec2", "describe_volumes", take="Volumes"),
    keep=usable,
    id=arn.one("volume", "item.VolumeId"),
    name=arn.named("item.VolumeId"),
    tags=arn.tags(),
    facts={
        "store_type": Const("volume"),
        "encrypted": Field("item.Encrypted"),
        "key_id": arn.key("item.KmsKeyId", source=EBS_ENCRYPTION),
        "attached_to": arn.many("instance", "item.Attachments[].InstanceId"),
    },
)

SNAPSHOTS = Table(
    kind="data_store",
    native_type="AWS::EC2::Snapshot",
    list=Call("ec2", "describe_snapshots", fixed={"OwnerIds": ["self"]}, take="Snapshots"),
    id=arn.one("snapshot", "item.SnapshotId"),
    name=arn.named("item.SnapshotId"),
    tags=arn.tags(),
    detail={
        # NOTE: one listing shows those that everyone may use, so that only they are asked about one by one
        "public": Side(
            Call("ec2", "describe_snapshots", fixed={"OwnerIds": ["self"], "RestorableByUserIds": ["all"]}, take="Snapshots"),
            on="item.SnapshotId",
            key="SnapshotId",
        ),
        "permission": Call(
            "ec2",
            "describe_snapshot_attribute",
            args={"SnapshotId": "item.SnapshotId"},
            fixed={"Attribute": "createVolumePermission"},
            take="CreateVolumePermissions",
            when=lambda row: bool(row["public"]),
            needs=("public",),
        ),
    },
    facts={
        "store_type": Const("snapshot"),
        "encrypted": Field("item.Encrypted"),
        "key_id": arn.key("item.KmsKeyId", source=EBS_ENCRYPTION),
        "shared_publicly": Field("permission", shared_with_all, absent=False, source=SNAPSHOT_SHARING),
    },
)

ENCRYPTION_DEFAULT = Table(
    kind="account",
    native_type="AWS::EC2::EBSEncryptionByDefault",
    list=Call("ec2", "get_ebs_encryption_by_default"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:ec2:{region}:{account}:ebs-encryption-by-default"),
    name=Field(arn.REGION),
    detail={"key": Call("ec2", "get_ebs_default_kms_key_id")},
    facts={
        "encrypted": Field("item.EbsEncryptionByDefault"),
        "key_id": arn.key("key.KmsKeyId", source=EBS_DEFAULT),
    },
)

TABLES: tuple[Table, ...] = (INSTANCES, VOLUMES, SNAPSHOTS, ENCRYPTION_DEFAULT)
