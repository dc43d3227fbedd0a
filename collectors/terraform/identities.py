"""Which attributes name which resources, in the AWS provider: the vocabulary in which references are resolved.

Argument and attribute references: https://github.com/hashicorp/terraform-provider-aws/tree/main/website/docs/r
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KEYS = ("aws_kms_key", "aws_kms_external_key", "aws_kms_replica_key", "aws_kms_replica_external_key")
VPCS = ("aws_vpc", "aws_default_vpc")
SUBNETS = ("aws_subnet", "aws_default_subnet")
GROUPS = ("aws_security_group", "aws_default_security_group")
TABLES = ("aws_route_table", "aws_default_route_table")
ACLS = ("aws_network_acl", "aws_default_network_acl")
BALANCERS = ("aws_lb", "aws_alb")
BUCKETS = ("aws_s3_bucket",)
ROLES = ("aws_iam_role",)
USERS = ("aws_iam_user",)
POLICIES = ("aws_iam_policy",)
NODES = ("aws_instance", "aws_spot_instance_request")

_ARN = ("arn", "id")
_KMS = ("arn", "id", "key_id")

IDENTITIES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(KEYS, _KMS),
    **dict.fromkeys(VPCS, _ARN),
    **dict.fromkeys(SUBNETS, _ARN),
    **dict.fromkeys(GROUPS, _ARN),
    **dict.fromkeys(TABLES, _ARN),
    **dict.fromkeys(ACLS, _ARN),
    **dict.fromkeys(BALANCERS, _ARN),
    **dict.fromkeys(BUCKETS, ("id", "bucket", "arn")),
    **dict.fromkeys(ROLES, ("name", "id", "arn")),
    **dict.fromkeys(USERS, ("name", "id", "arn")),
    **dict.fromkeys(POLICIES, _ARN),
    "aws_iam_group": ("name", "id", "arn"),
    "aws_iam_instance_profile": ("name", "id", "arn"),
    "aws_instance": _ARN,
    "aws_spot_instance_request": ("spot_instance_id",),
    "aws_network_interface": _ARN,
    "aws_ebs_volume": _ARN,
    "aws_ebs_snapshot": _ARN,
    "aws_ebs_snapshot_copy": _ARN,
    "aws_internet_gateway": _ARN,
    "aws_egress_only_internet_gateway": ("id",),
    "aws_nat_gateway": ("id",),
    "aws_vpn_gateway": _ARN,
    "aws_vpc_peering_connection": ("id",),
    "aws_vpc_peering_connection_accepter": ("id",),
    "aws_ec2_transit_gateway": _ARN,
    "aws_ec2_local_gateway": ("id",),
    "aws_vpc_endpoint": _ARN,
    "aws_dx_connection": _ARN,
    "aws_dx_lag": _ARN,
    "aws_ec2_managed_prefix_list": _ARN,
    "aws_eip": ("id", "allocation_id"),
    "aws_lb_listener": _ARN,
    "aws_alb_listener": _ARN,
    "aws_sagemaker_endpoint_configuration": ("name", "id", "arn"),
}
"""Resource type → its attributes that identify it, in a reference or by value."""


@dataclass(frozen=True, slots=True)
class Reference:
    """An attribute that names another resource."""

    to: tuple[str, ...]
    """Types it may name."""
    by: tuple[str, ...] = ()
    """Attributes of those types that name them here, besides their identities."""


_KEY = Reference(KEYS)
_VPC = Reference(VPCS)
_SUBNET = Reference(SUBNETS)
_GROUP = Reference(GROUPS)
_TABLE = Reference(TABLES)
_BUCKET = Reference(BUCKETS)
_ROLE = Reference(ROLES)
_USER = Reference(USERS)
_NODE = Reference(NODES, by=("id",))
_LINK = Reference(("aws_dx_connection", "aws_dx_lag"))

REFERENCES: Mapping[str, Reference] = {
    "kms_key_id": _KEY,
    "kms_master_key_id": _KEY,
    "kms_key_arn": _KEY,
    "key_arn": _KEY,
    "target_key_id": _KEY,
    "vpc_id": _VPC,
    "subnet_id": _SUBNET,
    "subnet_ids": _SUBNET,
    "subnets": _SUBNET,
    "security_groups": _GROUP,
    "security_group_id": _GROUP,
    "security_group_ids": _GROUP,
    "vpc_security_group_ids": _GROUP,
    "source_security_group_id": _GROUP,
    "referenced_security_group_id": _GROUP,
    "route_table_id": _TABLE,
    "route_table_ids": _TABLE,
    "network_acl_id": Reference(ACLS),
    "gateway_id": Reference(("aws_internet_gateway", "aws_vpn_gateway", "aws_vpc_endpoint")),
    "internet_gateway_id": Reference(("aws_internet_gateway",)),
    "egress_only_gateway_id": Reference(("aws_egress_only_internet_gateway",)),
    "nat_gateway_id": Reference(("aws_nat_gateway",)),
    "vpc_peering_connection_id": Reference(("aws_vpc_peering_connection", "aws_vpc_peering_connection_accepter")),
    "transit_gateway_id": Reference(("aws_ec2_transit_gateway",)),
    "vpc_endpoint_id": Reference(("aws_vpc_endpoint",)),
    "network_interface_id": Reference(("aws_network_interface",)),
    "instance_id": _NODE,
    "instance": _NODE,
    "volume_id": Reference(("aws_ebs_volume",)),
    "snapshot_id": Reference(("aws_ebs_snapshot", "aws_ebs_snapshot_copy")),
    "bucket": _BUCKET,
    "s3_bucket_name": _BUCKET,
    "target_bucket": _BUCKET,
    "role": _ROLE,
    "roles": _ROLE,
    "user": _USER,
    "users": _USER,
    "group": Reference(("aws_iam_group",)),
    "groups": Reference(("aws_iam_group",)),
    "policy_arn": Reference(POLICIES),
    "managed_policy_arns": Reference(POLICIES),
    "permissions_boundary": Reference(POLICIES),
    "iam_instance_profile": Reference(("aws_iam_instance_profile",)),
    "load_balancer_arn": Reference(BALANCERS),
    "connection_id": _LINK,
    "lag_id": Reference(("aws_dx_lag",)),
    "default_network_acl_id": Reference(VPCS, by=("default_network_acl_id",)),
    "default_route_table_id": Reference(VPCS, by=("default_route_table_id", "main_route_table_id")),
}
"""Attribute name → what it names, in every resource type that is not told apart below."""

LISTS = frozenset(
    (
        "subnet_ids", "subnets", "security_groups", "security_group_ids", "vpc_security_group_ids", "route_table_ids", "roles", "users",
        "groups", "managed_policy_arns",
    )
)  # fmt: skip
"""Those of them that are lists or sets."""

TYPED: Mapping[tuple[str, str], Reference | None] = {
    ("aws_kms_key_policy", "key_id"): _KEY,
    ("aws_kms_replica_key", "primary_key_arn"): _KEY,
    ("aws_s3_bucket", "bucket"): None,
    ("aws_s3_bucket_inventory", "bucket"): _BUCKET,
    ("aws_eip_association", "allocation_id"): Reference(("aws_eip",)),
    ("aws_dx_connection_association", "connection_id"): Reference(("aws_dx_connection",)),
    ("aws_iam_virtual_mfa_device", "user_name"): _USER,
    ("aws_lb_listener_rule", "listener_arn"): Reference(("aws_lb_listener", "aws_alb_listener")),
    ("aws_alb_listener_rule", "listener_arn"): Reference(("aws_lb_listener", "aws_alb_listener")),
    ("aws_sagemaker_endpoint", "endpoint_config_name"): Reference(("aws_sagemaker_endpoint_configuration",)),
}
"""(resource type, attribute) → what it names there; None where the attribute is the resource's own."""

FORWARD: Mapping[str, str] = {
    "aws_kms_alias": "target_key_id",
    "data.aws_kms_key": "key_id",
    "data.aws_vpc": "id",
    "data.aws_subnet": "id",
    "data.aws_security_group": "id",
    "data.aws_route_table": "route_table_id",
    "data.aws_s3_bucket": "bucket",
    "data.aws_iam_role": "name",
    "data.aws_iam_user": "user_name",
    "data.aws_iam_policy": "arn",
    "data.aws_internet_gateway": "internet_gateway_id",
    "data.aws_lb": "arn",
}
"""Objects that stand for another one: the attribute that says which."""

DEFAULTS: Mapping[str, tuple[str, str]] = {
    "default_security_group_id": ("aws_default_security_group", "vpc_id"),
    "default_network_acl_id": ("aws_default_network_acl", "default_network_acl_id"),
    "default_route_table_id": ("aws_default_route_table", "default_route_table_id"),
    "main_route_table_id": ("aws_default_route_table", "default_route_table_id"),
}
"""Attribute of a VPC → the resource type that stands for it in a plan, and the attribute of that type which names the VPC."""


def named(kind: str, attribute: str) -> Reference | None:
    """What an attribute of a resource type names; None where it names nothing."""
    if (kind, attribute) in TYPED:
        return TYPED[kind, attribute]
    return REFERENCES.get(attribute)
