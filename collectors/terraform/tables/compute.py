"""Instances, their volumes and snapshots, and the region's encryption default."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors import secrets
from collectors.aws.compute import CONTAINER_FAMILIES, CONTAINER_TAGS, EBS_ENCRYPTION, SNAPSHOT_SHARING
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.accelerators import accelerated, fabric_encrypted
from collectors.terraform.tables.shared import CREATED, PLACE, TAGS, PlanField, canonical, docs, flat, key_id, many, only_new, title

INSTANCE = docs("aws_instance")
VOLUME = docs("aws_ebs_volume")
ATTACHMENT = docs("aws_volume_attachment")
ADDRESSES = "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/using-instance-addressing.html"
ENI = docs("aws_network_interface")

ASSIGNED = "assigned"
"""An address that the instance will get, and that is not known yet."""
_SIX = ("assign_ipv6_address_on_creation",)
EFA = ("efa", "efa-only")
HASHED = re.compile(r"[0-9a-f]{40}$")


def efa(types: Any, more: Any, template: Any) -> Any:
    """Some interface is an Elastic Fabric Adapter. A launch template may add some."""
    found = flat(types, more)
    return True if any(t in EFA for t in found) else MISSING if template else False


def public_addresses(  # noqa: PLR0913, PLR0917 - an address comes from many places
    now: str | None,
    asked: bool | None,  # noqa: FBT001
    subnet: Mapping[str, Any] | None,
    static: Any,
    associated: Any,
    six: Any,
    six_asked: Any,
    template: Any,
) -> Any:
    """Public IPv4 and IPv6 addresses: known ones, else `assigned` where there will be one."""
    found = set(flat(now, six))
    place = subnet or {}
    if not found:
        undecided = asked is None and (template or place.get("unseen") or not subnet)
        if undecided and not (static or associated):
            return MISSING
        if asked or (asked is None and place.get("map_public_ip_on_launch")) or flat(six_asked) or place.get(_SIX[0]):
            found.add(ASSIGNED)
    if static or associated:
        found |= set(flat([s.get("public_ip") for s in [*(static or []), *(associated or [])]])) or {ASSIGNED}
    return sorted(found)


def interfaces(  # noqa: PLR0913, PLR0917 - an interface is told in many places
    partition: str,
    region: str | None,
    account: str | None,
    own: str,
    place: str | None,
    groups_of_it: Any,
    private: str | None,
    others: Any,
    template: Any,
    *addressed: Any,
) -> Any:
    """The first interface, which the instance itself describes. Where some are resources of their own, what they get is not told."""
    if others or not place or not flat(groups_of_it):
        return MISSING
    now, *rest = addressed
    subnet = rest[1]
    four = public_addresses(now, rest[0], _no_six(subnet), rest[2], rest[3], None, None, template)
    six = sorted(flat(rest[4])) or ([ASSIGNED] if flat(rest[5]) or (subnet or {}).get(_SIX[0]) else [])
    if four is MISSING or (not six and not subnet and template):
        return MISSING
    return [
        {
            "id": own,
            "subnet_id": canonical("ec2", "subnet", partition, region, account, place),
            "firewall_ids": sorted({canonical("ec2", "security-group", partition, region, account, v) for v in flat(groups_of_it)}),
            "public_addresses": four,
            "ipv6_addresses": six,
            "private_addresses": flat(private),
        }
    ]


def interfaces_of(*found: Any) -> Any:
    """See `interfaces`; attachments are interfaces of their own as well."""
    *known, links = found
    return MISSING if links else interfaces(*known)


def _no_six(subnet: Mapping[str, Any] | None) -> Any:
    return None if subnet is None else {k: v for k, v in subnet.items() if k not in _SIX}


def subnets(partition: str, region: str | None, account: str | None, *found: Any) -> Any:
    """Subnets of all interfaces; an instance is always in one."""
    ids = sorted({canonical("ec2", "subnet", partition, region, account, v) for v in flat(*found)})
    return ids or MISSING


def groups(partition: str, region: str | None, account: str | None, *found: Any) -> Any:
    """Security groups of all interfaces; an instance always has one."""
    ids = sorted({canonical("ec2", "security-group", partition, region, account, v) for v in flat(*found)})
    return ids or MISSING


def efa_groups(partition: str, region: str | None, account: str | None, own: Any, more: Any, template: Any) -> Any:
    """Security groups of the interfaces with EFA. A launch template may add some."""
    adapters = [i for i in flat(own, more) if i.get("interface_type") in EFA]
    found = flat([i.get("security_groups") for i in adapters])
    ids = sorted({canonical("ec2", "security-group", partition, region, account, v) for v in found})
    return ids or (MISSING if template or adapters else [])


def unless_template(value: str | None, template: Any) -> Any:
    """A text; none where neither the instance nor a launch template can have set it."""
    return value or (MISSING if template else "")


def profile(partition: str, account: str | None, value: str | None, template: Any) -> Any:
    """The instance profile."""
    if not value or value.startswith(("plan/", "arn:")) or not account:
        return unless_template(value, template)
    return f"arn:{partition}:iam::{account}:instance-profile/{value}"


def user_data_secrets(plain: str | None, packed: str | None, template: Any) -> Any:
    """Secrets in the user data. Old providers keep a hash of it in the plan, of which nothing can be told."""
    if packed:
        return secrets.user_data(packed)
    if plain:
        return MISSING if HASHED.match(plain) else secrets.plain_user_data(plain)
    return MISSING if template else []


def container_host(tags: Any, more: Any) -> bool:
    """The tags of an orchestrator of containers are on it."""
    return any(CONTAINER_TAGS.match(str(t)) for layer in (tags, more) if isinstance(layer, Mapping) for t in layer)


def volume_ids(
    partition: str, region: str | None, account: str | None, own: str, roots: Any, _: Any, extra: Any, attached: Any
) -> list[str]:
    """Volumes: inline ones by the block that makes them, others by their resource."""
    found = {f"{own}/root_block_device" for _ in roots or []}
    for block in extra or []:
        other = block.get("volume_id") or ""
        found.add(other if other.startswith("plan/") else f'{own}/ebs_block_device["{block["device_name"]}"]')
    return sorted(found | {canonical("ec2", "volume", partition, region, account, v) for v in flat(attached)})


def volume_key(partition: str, region: str | None, account: str | None, encrypted: bool | None, *keys: Any) -> Any:  # noqa: FBT001
    """The key named; none where the volume is not encrypted. An encrypted one without a named key takes the account's default."""
    if flat(*keys):
        return key_id(partition, region, account, *keys)
    return "" if encrypted is False else MISSING


def snapshot_key(partition: str, region: str | None, account: str | None, own: bool | None, volume: bool | None, *keys: Any) -> Any:  # noqa: FBT001
    """The key of a snapshot: the one of its volume."""
    return volume_key(partition, region, account, volume if own is None else own, *keys)


def attached_to(partition: str, region: str | None, account: str | None, created: bool, found: Any) -> Any:  # noqa: FBT001
    """Instances that a volume is attached to."""
    ids = sorted({canonical("ec2", "instance", partition, region, account, v) for v in flat(found)})
    return ids or only_new(created, [])


def first(*values: Any) -> Any:
    """The first value there is."""
    return next((v for v in values if v is not None), MISSING)


_META = "item.metadata_options[]"


def bare_metal(instance_type: str) -> bool:
    """A whole machine: https://docs.aws.amazon.com/ec2/latest/instancetypes/instance-type-names.html."""
    return instance_type.partition(".")[2].startswith("metal")


def _first_of(values: list[Any], names: Mapping[Any, Any]) -> Any:
    return names[values[0]] if values else MISSING


def _meta(name: str, names: Mapping[Any, Any]) -> Field:
    return Field(f"{_META}.{name}", lambda found: _first_of(found, names))


_TEMPLATE = "item.launch_template"
# NOTE: attributes that are known wherever the block itself is; an image may bring volumes that no block shows
_ROOT = pick("item.root_block_device[]", "delete_on_termination")
_EXTRA = pick("item.ebs_block_device[]", "device_name")

_ADAPTER = ("interface_type", "security_groups")

NODES = PlanTable(
    "node",
    "AWS::EC2::Instance",
    "aws_instance",
    {
        "instance_type": Field("item.instance_type"),
        "accelerator": Field("item.instance_type", accelerated),
        "fabric_encrypted": Field("item.instance_type", fabric_encrypted),
        "efa": Field(("interfaces[].interface_type", "attached[].interface_type", _TEMPLATE), efa, absent=False, source=ENI),
        "public_addresses": Field(
            (
                "item.public_ip", "item.associate_public_ip_address", pick("maybe_subnet", "map_public_ip_on_launch", *_SIX, "unseen"), pick("static[]", "public_ip"),
                pick("associated[]", "public_ip"), "item.ipv6_addresses", "item.ipv6_address_count", _TEMPLATE,
            ),
            public_addresses, absent=[], source=ADDRESSES,
        ),
        "interfaces": PlanField(
            (
                *PLACE, "context.id", "item.subnet_id", "item.vpc_security_group_ids", "item.private_ip", "item.network_interface[].device_index",
                _TEMPLATE, "item.public_ip", "item.associate_public_ip_address", pick("maybe_subnet", "map_public_ip_on_launch", *_SIX, "unseen"),
                pick("static[]", "public_ip"), pick("associated[]", "public_ip"), "item.ipv6_addresses", "item.ipv6_address_count", "links[].device_index",
            ),
            interfaces_of, absent=[], source=ADDRESSES, strict=("item.subnet_id", "item.vpc_security_group_ids"),
        ),
        "subnet_ids": Field((*PLACE, "item.subnet_id", "interfaces[].subnet_id", "attached[].subnet_id"), subnets),
        "network_id": Field((*PLACE, "subnet.vpc_id"), lambda *found: canonical("ec2", "vpc", *found)),
        "firewall_ids": Field(
            (*PLACE, "item.vpc_security_group_ids", "interfaces[].security_groups", "attached[].security_groups"), groups
        ),
        "efa_firewall_ids": Field(
            (*PLACE, pick("interfaces[]", *_ADAPTER), pick("attached[]", *_ADAPTER), _TEMPLATE), efa_groups, absent=[], source=ENI
        ),
        # NOTE: no defaults here: where the block is missing, the account's defaults, the image or a launch template decide
        "metadata_enabled": _meta("http_endpoint", {"enabled": True, "disabled": False}),
        "metadata_token_required": _meta("http_tokens", {"required": True, "optional": False}),
        "metadata_hop_limit": Field(f"{_META}.http_put_response_hop_limit", lambda found: found[0] if found else MISSING),
        "ssh_key": Field(("item.key_name", _TEMPLATE), unless_template, absent="", source=INSTANCE),
        "volume_ids": PlanField(
            (*PLACE, "context.id", _ROOT, _EXTRA, pick("item.ebs_block_device[]", "device_name", "volume_id"), "volumes[].volume_id"),
            volume_ids, absent=[], source=INSTANCE, strict=(_ROOT, _EXTRA),
        ),
        "identity": Field(("context.partition", "context.account", "item.iam_instance_profile", _TEMPLATE), profile, absent="", source=INSTANCE),
        "state": Field("item.instance_state"),
        "balanced_by": many("targetgroup", "balanced[].target_group_arn", "also_balanced[].target_group_arn", "registered[].elb", service="elasticloadbalancing", source=INSTANCE),
        "user_data_secrets": Field(("item.user_data", "item.user_data_base64", _TEMPLATE), user_data_secrets, absent=[], source=INSTANCE),
        # NOTE: no default here: where it is not set, a launch template or the network decides
        "tenancy": Field("item.tenancy"),
        "bare_metal": Field("item.instance_type", bare_metal),
        "container_host": Field(("item.tags_all", "item.tags"), container_host, absent=False, source=CONTAINER_FAMILIES),
    },
    {
        "subnet": Join("aws_subnet", on="id", to="subnet_id"),
        "maybe_subnet": Join("aws_subnet", on="id", to="subnet_id"),
        "static": Join("aws_eip", on="instance", many=True),
        "associated": Join("aws_eip_association", on="instance_id", many=True),
        "interfaces": Join("aws_network_interface", on="id", to="item.network_interface[].network_interface_id", many=True),
        "links": Join("aws_network_interface_attachment", on="instance_id", many=True),
        "attached": Join("aws_network_interface", on="id", to="links[].network_interface_id", many=True),
        "volumes": Join("aws_volume_attachment", on="instance_id", many=True),
        "balanced": Join("aws_lb_target_group_attachment", on="target_id", many=True),
        "also_balanced": Join("aws_alb_target_group_attachment", on="target_id", many=True),
        "registered": Join("aws_elb_attachment", on="instance", many=True),
    },
    name=title(),
    tags=TAGS,
)  # fmt: skip


def _volume_key() -> Field:
    paths = (*PLACE, "item.encrypted", "item.kms_key_id")
    return PlanField(paths, volume_key, absent="", source=EBS_ENCRYPTION, strict=("item.encrypted",))


def _own(volume: Mapping[str, Any]) -> bool:
    """The block makes the volume; the state shows volumes of other resources in it as well."""
    other = volume.get("volume_id")
    return not (isinstance(other, str) and other.startswith("plan/"))


def _inline(block: str) -> PlanTable:
    return PlanTable(
        "data_store",
        "AWS::EC2::Volume",
        "aws_instance",
        {
            "store_type": Const("volume"),
            "encrypted": Field("item.encrypted"),
            "key_id": _volume_key(),
            "attached_to": Field("context.id", lambda own: [own]),
        },
        each=f"item.{block}",
        name=Field("item.device_name"),
        tags=Field(("item.tags_all", "item.tags"), lambda *layers: next((x for x in layers if x), {}), absent={}),
        keep=_own,
    )


VOLUMES = PlanTable(
    "data_store",
    "AWS::EC2::Volume",
    "aws_ebs_volume",
    {
        "store_type": Const("volume"),
        "encrypted": Field("item.encrypted"),
        "key_id": _volume_key(),
        "attached_to": Field((*PLACE, CREATED, "attached[].instance_id"), attached_to, source=ATTACHMENT),
    },
    {"attached": Join("aws_volume_attachment", on="volume_id", many=True)},
    name=title(),
    tags=TAGS,
)


# NOTE: a snapshot is encrypted as its volume is: https://docs.aws.amazon.com/ebs/latest/userguide/how-ebs-encryption-works.html
SNAPSHOTS = PlanTable(
    "data_store",
    "AWS::EC2::Snapshot",
    "aws_ebs_snapshot",
    {
        "store_type": Const("snapshot"),
        "encrypted": PlanField(
            ("item.encrypted", "maybe_volume.encrypted"), first, absent=False, source=EBS_ENCRYPTION, strict=("maybe_volume.encrypted",)
        ),
        "key_id": PlanField(
            (*PLACE, "item.encrypted", "maybe_volume.encrypted", "item.kms_key_id", "maybe_volume.kms_key_id"),
            snapshot_key, absent="", source=EBS_ENCRYPTION, strict=("maybe_volume.encrypted",),
        ),
        # NOTE: the provider shares snapshots with named accounts only, and a new one is private
        "shared_publicly": Field(CREATED, lambda created: only_new(created, default=False), source=SNAPSHOT_SHARING),
    },
    {"maybe_volume": Join("aws_ebs_volume", on="id", to="volume_id")},
    name=title(),
    tags=TAGS,
)  # fmt: skip

COPIES = PlanTable(
    "data_store",
    "AWS::EC2::Snapshot",
    "aws_ebs_snapshot_copy",
    {
        "store_type": Const("snapshot"),
        "encrypted": Field("item.encrypted"),
        "key_id": Field((*PLACE, "item.encrypted", "item.kms_key_id"), volume_key),
        "shared_publicly": Field(CREATED, lambda created: only_new(created, default=False), source=SNAPSHOT_SHARING),
    },
    name=title(),
    tags=TAGS,
)

ENCRYPTION_DEFAULT = PlanTable(
    "account",
    "AWS::EC2::EBSEncryptionByDefault",
    "aws_ebs_encryption_by_default",
    {
        "encrypted": Field("item.enabled", absent=True, source=docs("aws_ebs_encryption_by_default")),
        # NOTE: no default: another key may be set in the account already
        "key_id": Field((*PLACE, "key.key_arn"), lambda *found: key_id(*found) or MISSING),
    },
    {"key": Join("aws_ebs_default_kms_key", on="")},
    name=Field("context.region"),
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (
    NODES, _inline("root_block_device"), _inline("ebs_block_device"), VOLUMES, SNAPSHOTS, COPIES, ENCRYPTION_DEFAULT,
)  # fmt: skip
