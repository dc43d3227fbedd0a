"""Launch templates, by their latest and their default version, and the account's own machine images.

What a template leaves out is decided at launch: by the account's defaults, then by the image. Both are asked for where they decide.
https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/configuring-instance-metadata-options.html#instance-metadata-options-order-of-precedence
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors import secrets
from collectors.aws import arn
from collectors.aws.compute import ACCELERATORS, CONTAINER_FAMILIES, CONTAINER_TAGS, METADATA, TYPES, efa
from collectors.project import tag_list
from collectors.table import MISSING, Batch, Call, Const, Field, Side, Table

TEMPLATE = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_ResponseLaunchTemplateData.html"
VOLUMES = "https://docs.aws.amazon.com/ebs/latest/userguide/encryption-by-default.html"
IMAGES = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/sharingamis-intro.html"
INTERFACES = "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_LaunchTemplateInstanceNetworkInterfaceSpecification.html"

DATA = "item.LaunchTemplateData"
OPTIONS = f"{DATA}.MetadataOptions"
ROOTS = frozenset(("/dev/xvda", "/dev/sda1"))
"""What root volumes are called: https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/device_naming.html"""
UNSEEN_ROOT = {"the root volume": {"Ebs": {"SnapshotId": "of an image that was not seen"}}}
SETTLED = ("HttpTokens", "HttpPutResponseHopLimit", "HttpEndpoint")

Given = Mapping[str, Any] | None


def identity(partition: str, region: str, account: str, template: str, number: int, default: bool) -> str:  # noqa: FBT001
    """The ARN; a latest version that is not the default one has its number behind it."""
    made = arn.arn("ec2", "launch-template", partition, region, account, template)
    return f"{made}" if default else f"{made}:{number}"


def leaves_out(row: Mapping[str, Any]) -> bool:
    """The template does not say all of how instance metadata are served."""
    options = row["item"]["LaunchTemplateData"].get("MetadataOptions") or {}
    return any(options.get(name) is None for name in SETTLED)


def image_known(row: Mapping[str, Any]) -> bool:
    """The image is named by its id. It may bring volumes that no mapping names, so it decides whatever the template says."""
    return str(row["item"]["LaunchTemplateData"].get("ImageId", "")).startswith("ami-")


def volumes_left(mappings: Iterable[Mapping[str, Any]] | None) -> bool:
    """Some volume is encrypted or not as the image or the account has it."""
    found = [m["Ebs"] for m in mappings or [] if m.get("Ebs")]
    return not found or any(e.get("Encrypted") is None for e in found)


def image(found: Iterable[Mapping[str, Any]] | None) -> Given:
    """The image that was asked for; None where it is gone or not to be seen."""
    return next(iter(found or []), None)


def metadata_enabled(_: str, own: str | None, account: Given) -> bool:
    """The metadata service answers, by template or account; it does where nobody says otherwise."""
    return {"enabled": True, "disabled": False}[own or (account or {}).get("HttpEndpoint") or "enabled"]


def metadata_token_required(_: str, own: str | None, account: Given, found: Iterable[Mapping[str, Any]] | None) -> Any:
    """IMDSv2 only: by template, account, or image."""
    told = own or (account or {}).get("HttpTokens")
    if told:
        return {"required": True, "optional": False}[told]
    seen = image(found)
    return MISSING if seen is None else seen.get("ImdsSupport") == "v2.0"


def metadata_hop_limit(_: str, own: int | None, account: Given, found: Iterable[Mapping[str, Any]] | None) -> Any:
    """Hops: by template, account, or image, for which it is 2 with IMDSv2 and 1 without."""
    told = own or (account or {}).get("HttpPutResponseHopLimit")
    if told:
        return told
    seen = image(found)
    return MISSING if seen is None else 2 if seen.get("ImdsSupport") == "v2.0" else 1


def accelerator(requirements: Given, name: str | None, *devices: Any) -> Any:
    """The size has an accelerator, or sizes are chosen that do."""
    if name:
        return any(devices)
    count = (requirements or {}).get("AcceleratorCount") or {}
    return True if (count.get("Min") or 0) > 0 else False if count.get("Max") == 0 else MISSING


def public_addresses(_: str, found: Iterable[Mapping[str, Any]] | None) -> Any:
    """`assigned` where it asks for a public address. Where it says nothing, or names an interface that exists, others decide."""
    asked = [i.get("AssociatePublicIpAddress") for i in found or [] if not i.get("DeviceIndex") and not i.get("NetworkCardIndex")]
    return ["assigned"] if any(asked) else [] if False in asked else MISSING


def subnet_ids(partition: str, region: str, account: str, found: Iterable[Mapping[str, Any]] | None) -> Any:
    """Where its nodes start; most often a group of nodes says so, not the template."""
    return arn.arns("ec2", "subnet", partition, region, account, [i.get("SubnetId") for i in found or []]) or MISSING


def container_host(name: str, tags: Any, specifications: Iterable[Mapping[str, Any]] | None) -> Any:
    """An orchestrator of containers made the template or tags what it starts. What else it is used for, a template does not tell."""
    found = [*tag_list(tags), *(t for s in specifications or [] for t in tag_list(s.get("Tags")))]
    return True if bool(name) and any(CONTAINER_TAGS.match(tag) for tag in found) else MISSING


def device_volumes(
    partition: str,
    region: str,
    account: str,
    mappings: Iterable[Mapping[str, Any]] | None,
    found: Iterable[Mapping[str, Any]] | None,
) -> Any:
    """Volumes of the template and of its image: by whose word each is encrypted or not."""
    own = {m["DeviceName"]: m for m in mappings or []}
    seen = image(found)
    if seen is None and volumes_left(own.values()):
        return MISSING
    if seen is None and not own.keys() & ROOTS:
        own |= UNSEEN_ROOT
    brought = {m["DeviceName"]: m for m in (seen or {}).get("BlockDeviceMappings") or []}
    made = []
    for device in sorted(own.keys() | brought.keys()):
        mapping = own.get(device, brought.get(device, {}))
        if "NoDevice" in mapping or not (mapping.get("Ebs") or (brought.get(device) or {}).get("Ebs")):
            continue
        ebs, under = (own.get(device) or {}).get("Ebs") or {}, (brought.get(device) or {}).get("Ebs") or {}
        key_id = arn.key_arn(partition, region, account, ebs.get("KmsKeyId"))
        made.append({"device": device, "encryption": _by(ebs, under), "key_id": key_id})
    return made


def _by(ebs: Mapping[str, Any], under: Mapping[str, Any]) -> str:
    """`on`, `off`, or who decides: the account by its default, unless the snapshot of the image is encrypted already.

    A snapshot that the template names by itself may be encrypted too: so it says nothing of the account.
    """
    said = ebs.get("Encrypted")
    if said is not None:
        return "on" if said else "off"
    return (
        "image" if under.get("Encrypted") or (ebs.get("SnapshotId") and ebs["SnapshotId"] != under.get("SnapshotId")) else "account"
    )


TEMPLATES = Table(
    kind="node",
    native_type="AWS::EC2::LaunchTemplate",
    # NOTE: without a template's id this is one listing of all of them
    list=Call(
        "ec2",
        "describe_launch_template_versions",
        fixed={"Versions": ["$Latest", "$Default"]},
        take="LaunchTemplateVersions",
        reduce=secrets.REDUCE,
    ),
    id=Field((*arn.PLACE, "item.LaunchTemplateId", "item.VersionNumber", "item.DefaultVersion"), identity),
    name=Field("item.LaunchTemplateName"),
    tags=Field("templates[].Tags[]", tag_list, absent={}),
    detail={
        "templates": Side(
            Call("ec2", "describe_launch_templates", take="LaunchTemplates"), on="item.LaunchTemplateId", key="LaunchTemplateId"
        ),
        "type": Batch(
            TYPES,
            parameter="InstanceTypes",
            on=f"{DATA}.InstanceType",
            key="InstanceType",
        ),
        "defaults": Call("ec2", "get_instance_metadata_defaults", take="AccountLevel", when=leaves_out),
        "image": Call(
            "ec2",
            "describe_images",
            args={"ImageIds": f"[{DATA}.ImageId]"},
            take="Images",
            means={"InvalidAMIID.NotFound": [], "InvalidAMIID.Unavailable": []},
            when=image_known,
            needs=("item",),
        ),
    },
    facts={
        "instance_type": Field(f"{DATA}.InstanceType"),
        "accelerator": Field(
            (f"{DATA}.InstanceRequirements", *ACCELERATORS),
            accelerator,
        ),
        "metadata_enabled": Field(
            ("item.LaunchTemplateId", f"{OPTIONS}.HttpEndpoint", "defaults"), metadata_enabled, source=METADATA
        ),
        "metadata_token_required": Field(
            ("item.LaunchTemplateId", f"{OPTIONS}.HttpTokens", "defaults", "image"), metadata_token_required, source=METADATA
        ),
        "metadata_hop_limit": Field(
            ("item.LaunchTemplateId", f"{OPTIONS}.HttpPutResponseHopLimit", "defaults", "image"),
            metadata_hop_limit,
            source=METADATA,
        ),
        "public_addresses": Field(("item.LaunchTemplateId", f"{DATA}.NetworkInterfaces"), public_addresses, source=INTERFACES),
        "subnet_ids": Field((*arn.PLACE, f"{DATA}.NetworkInterfaces"), subnet_ids),
        "efa": Field(f"{DATA}.NetworkInterfaces", efa, absent=False, source=INTERFACES),
        "efa_firewall_ids": arn.many(
            "security-group", f"{DATA}.NetworkInterfaces[?InterfaceType=='efa' || InterfaceType=='efa-only'].Groups[]"
        ),
        "ssh_key": Field(f"{DATA}.KeyName", absent="", source=TEMPLATE),
        "container_host": Field(
            ("item.LaunchTemplateId", "templates[].Tags[]", f"{DATA}.TagSpecifications"), container_host, source=CONTAINER_FAMILIES
        ),
        "user_data_secrets": Field(f"{DATA}.UserData", secrets.listed, absent=[], source=TEMPLATE),
        "device_volumes": Field((*arn.PLACE, f"{DATA}.BlockDeviceMappings", "image"), device_volumes, source=VOLUMES),
    },
)

OWN_IMAGES = Table(
    kind="data_store",
    native_type="AWS::EC2::Image",
    list=Call("ec2", "describe_images", fixed={"Owners": ["self"]}, take="Images"),
    id=Field(
        (arn.PARTITION, arn.REGION, "item.ImageId"), lambda partition, region, own: f"arn:{partition}:ec2:{region}::image/{own}"
    ),
    name=Field(("item.Tags", "item.Name", "item.ImageId"), lambda tags, *names: arn.label(tags, next(filter(None, names)))),
    tags=arn.tags(),
    facts={
        "store_type": Const("image"),
        # NOTE: no default: every answer has it
        "shared_publicly": Field("item.Public", source=IMAGES),
    },
)

TABLES: tuple[Table, ...] = (TEMPLATES, OWN_IMAGES)
