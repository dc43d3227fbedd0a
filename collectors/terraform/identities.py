"""Which attributes name which resources, in the AWS provider: the vocabulary in which references are resolved.

Argument and attribute references: https://github.com/hashicorp/terraform-provider-aws/tree/main/website/docs/r
"""

from __future__ import annotations

from collections.abc import Mapping

from scanner.model import frozen

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
    "aws_elb": ("name", *_ARN),
    "aws_lb_listener": _ARN,
    "aws_lb_target_group": _ARN,
    "aws_alb_target_group": _ARN,
    "aws_ec2_transit_gateway_vpc_attachment": ("id",),
    "aws_ec2_transit_gateway_route_table": _ARN,
    "aws_networkfirewall_firewall_policy": _ARN,
    "aws_wafv2_web_acl": _ARN,
    "aws_api_gateway_rest_api": ("id", "arn"),
    "aws_api_gateway_resource": ("id",),
    "aws_api_gateway_stage": ("id", "arn"),
    "aws_apigatewayv2_api": ("id", "arn"),
    "aws_alb_listener": _ARN,
    **dict.fromkeys(("aws_globalaccelerator_accelerator", "aws_globalaccelerator_custom_routing_accelerator"), _ARN),
    **dict.fromkeys(("aws_globalaccelerator_listener", "aws_globalaccelerator_custom_routing_listener"), _ARN),
    "aws_sagemaker_endpoint_configuration": ("name", "id", "arn"),
    "aws_ecr_repository": ("name", "id", "arn"),
    "aws_lambda_function": ("function_name", "id", "arn"),
    "aws_ami": _ARN,
    "aws_ami_copy": _ARN,
    "aws_ami_from_instance": _ARN,
    "aws_sagemaker_model": ("name", "id", "arn"),
    "aws_sqs_queue": ("url", "id", "arn"),
    "aws_sns_topic": _ARN,
    "aws_opensearch_domain": ("domain_name", "id", "arn"),
    "aws_secretsmanager_secret": _ARN,
    "aws_s3vectors_vector_bucket": ("vector_bucket_name", "vector_bucket_arn"),
    "aws_fsx_lustre_file_system": _ARN,
    "aws_efs_file_system": _ARN,
    "aws_db_parameter_group": ("name", "id", "arn"),
    "aws_rds_cluster_parameter_group": ("name", "id", "arn"),
    "aws_rds_cluster": ("cluster_identifier", "id", "arn"),
    "aws_db_subnet_group": ("name", "id", "arn"),
    "aws_dynamodb_table": ("name", "id", "arn"),
    "aws_backup_vault": ("name", "id", "arn"),
    "aws_s3_access_point": _ARN,
    "aws_bedrock_guardrail": ("guardrail_id", "guardrail_arn", "id"),
    "aws_config_configuration_recorder": ("name", "id"),
    "aws_guardduty_detector": _ARN,
    "aws_organizations_policy": _ARN,
    "aws_eks_cluster": ("name", "id", "arn"),
}
"""Resource type → its attributes that identify it, in a reference or by value."""


@frozen
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
_CLUSTER = Reference(("aws_eks_cluster",))
_LINK = Reference(("aws_dx_connection", "aws_dx_lag"))

REFERENCES: Mapping[str, Reference] = {
    "kms_key_id": _KEY,
    "kms_master_key_id": _KEY,
    "kms_key_arn": _KEY,
    "key_arn": _KEY,
    "encryption_at_rest_kms_key_arn": _KEY,
    "custom_model_kms_key_id": _KEY,
    "customer_encryption_key_arn": _KEY,
    "replica_kms_key_id": _KEY,
    "sse_aws_kms_key_id": _KEY,
    "aws_kms_key_id": _KEY,
    "target_key_id": _KEY,
    "policy_id": Reference(("aws_organizations_policy",)),
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
    "target_group_arn": Reference(("aws_lb_target_group", "aws_alb_target_group")),
    "transit_gateway_attachment_id": Reference(("aws_ec2_transit_gateway_vpc_attachment",)),
    "transit_gateway_route_table_id": Reference(("aws_ec2_transit_gateway_route_table",)),
    "firewall_policy_arn": Reference(("aws_networkfirewall_firewall_policy",)),
    "web_acl_arn": Reference(("aws_wafv2_web_acl",)),
    "rest_api_id": Reference(("aws_api_gateway_rest_api",)),
    "api_id": Reference(("aws_apigatewayv2_api",)),
    "peer_vpc_id": _VPC,
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
    "access_point_arn": Reference(("aws_s3_access_point",)),
    "detector_id": Reference(("aws_guardduty_detector",)),
    "guardrail_identifier": Reference(("aws_bedrock_guardrail",)),
    "default_network_acl_id": Reference(VPCS, by=("default_network_acl_id",)),
    "default_route_table_id": Reference(VPCS, by=("default_route_table_id", "main_route_table_id")),
}
"""Attribute name → what it names, in every resource type that is not told apart below."""

LISTS = frozenset(
    (
        "subnet_ids", "subnets", "security_groups", "security_group_ids", "vpc_security_group_ids", "route_table_ids", "roles", "users",
        "groups", "managed_policy_arns", "instances", "target_arns",
    )
)  # fmt: skip
"""Those of them that are lists or sets."""

TYPED: Mapping[tuple[str, str], Reference | None] = {
    ("aws_ami_launch_permission", "group"): None,
    ("aws_ami_launch_permission", "image_id"): Reference(("aws_ami", "aws_ami_copy", "aws_ami_from_instance")),
    ("aws_ecr_repository", "kms_key"): _KEY,
    ("aws_ecr_repository_policy", "repository"): Reference(("aws_ecr_repository",)),
    ("aws_ecs_task_definition", "file_system_id"): Reference(("aws_efs_file_system",)),
    ("aws_lambda_function_url", "function_name"): Reference(("aws_lambda_function",)),
    ("aws_lambda_permission", "function_name"): Reference(("aws_lambda_function",)),
    ("aws_kms_grant", "grantee_principal"): Reference((*ROLES, *USERS)),
    ("aws_kms_grant", "key_id"): _KEY,
    ("aws_kms_key_policy", "key_id"): _KEY,
    ("aws_kms_replica_key", "primary_key_arn"): _KEY,
    ("aws_s3_bucket", "bucket"): None,
    ("aws_s3_bucket_inventory", "bucket"): _BUCKET,
    ("aws_s3_bucket_inventory", "bucket_arn"): _BUCKET,
    ("aws_bedrockagent_data_source", "bucket_arn"): _BUCKET,
    ("aws_config_configuration_recorder_status", "name"): Reference(("aws_config_configuration_recorder",)),
    ("aws_eip_association", "allocation_id"): Reference(("aws_eip",)),
    ("aws_eks_access_policy_association", "cluster_name"): _CLUSTER,
    ("aws_eks_access_policy_association", "principal_arn"): Reference((*ROLES, *USERS)),
    ("aws_eks_cluster", "node_role_arn"): _ROLE,
    ("aws_eks_node_group", "cluster_name"): _CLUSTER,
    ("aws_eks_node_group", "node_role_arn"): _ROLE,
    ("aws_eks_pod_identity_association", "cluster_name"): _CLUSTER,
    ("aws_eks_pod_identity_association", "role_arn"): _ROLE,
    ("aws_iam_service_specific_credential", "user_name"): _USER,
    ("aws_iam_signing_certificate", "user_name"): _USER,
    ("aws_iam_user_ssh_key", "username"): _USER,
    ("aws_dx_connection_association", "connection_id"): Reference(("aws_dx_connection",)),
    ("aws_iam_virtual_mfa_device", "user_name"): _USER,
    ("aws_api_gateway_method", "resource_id"): Reference(("aws_api_gateway_resource",)),
    ("aws_wafv2_web_acl_association", "resource_arn"): Reference((*BALANCERS, "aws_api_gateway_stage")),
    ("aws_elb", "instances"): _NODE,
    ("aws_elb_attachment", "elb"): Reference(("aws_elb",)),
    ("aws_lb_ssl_negotiation_policy", "load_balancer"): Reference(("aws_elb",)),
    ("aws_load_balancer_listener_policy", "load_balancer_name"): Reference(("aws_elb",)),
    ("aws_globalaccelerator_endpoint_group", "endpoint_id"): Reference(
        (*BALANCERS, *NODES, "aws_eip"), by=("id", "arn", "allocation_id")
    ),
    ("aws_globalaccelerator_custom_routing_endpoint_group", "endpoint_id"): _SUBNET,
    ("aws_globalaccelerator_endpoint_group", "listener_arn"): Reference(("aws_globalaccelerator_listener",)),
    ("aws_globalaccelerator_listener", "accelerator_arn"): Reference(("aws_globalaccelerator_accelerator",)),
    ("aws_globalaccelerator_custom_routing_endpoint_group", "listener_arn"): Reference(
        ("aws_globalaccelerator_custom_routing_listener",)
    ),
    ("aws_globalaccelerator_custom_routing_listener", "accelerator_arn"): Reference(
        ("aws_globalaccelerator_custom_routing_accelerator",)
    ),
    ("aws_cloudfront_vpc_origin", "arn"): Reference((*BALANCERS, *NODES), by=("arn",)),
    ("aws_api_gateway_vpc_link", "target_arns"): Reference(BALANCERS),
    ("aws_lb_target_group_attachment", "target_id"): Reference(NODES, by=("id", "private_ip")),
    ("aws_alb_target_group_attachment", "target_id"): Reference(NODES, by=("id", "private_ip")),
    ("aws_lb_listener_rule", "listener_arn"): Reference(("aws_lb_listener", "aws_alb_listener")),
    ("aws_alb_listener_rule", "listener_arn"): Reference(("aws_lb_listener", "aws_alb_listener")),
    ("aws_bedrockagent_agent", "agent_resource_role_arn"): _ROLE,
    ("aws_bedrockagentcore_agent_runtime", "role_arn"): _ROLE,
    ("aws_sagemaker_domain", "execution_role"): _ROLE,
    ("aws_sagemaker_model", "execution_role_arn"): _ROLE,
    ("aws_sagemaker_notebook_instance", "role_arn"): _ROLE,
    ("aws_sagemaker_endpoint", "endpoint_config_name"): Reference(("aws_sagemaker_endpoint_configuration",)),
    ("aws_sagemaker_endpoint_configuration", "model_name"): Reference(("aws_sagemaker_model",)),
    ("aws_sagemaker_endpoint_configuration", "destination_s3_uri"): _BUCKET,
    ("aws_sagemaker_endpoint_configuration", "s3_output_path"): _BUCKET,
    ("aws_sagemaker_endpoint_configuration", "s3_failure_path"): _BUCKET,
    ("aws_sagemaker_model", "model_data_url"): _BUCKET,
    ("aws_sagemaker_model", "s3_uri"): _BUCKET,
    ("aws_sagemaker_domain", "s3_kms_key_id"): _KEY,
    ("aws_sqs_queue_policy", "queue_url"): Reference(("aws_sqs_queue",)),
    ("aws_sns_topic_policy", "arn"): Reference(("aws_sns_topic",)),
    ("aws_opensearch_domain_policy", "domain_name"): Reference(("aws_opensearch_domain",)),
    ("aws_secretsmanager_secret_policy", "secret_arn"): Reference(("aws_secretsmanager_secret",)),
    ("aws_secretsmanager_secret_rotation", "secret_id"): Reference(("aws_secretsmanager_secret",)),
    ("aws_s3vectors_vector_bucket_policy", "vector_bucket_arn"): Reference(("aws_s3vectors_vector_bucket",)),
    ("aws_s3vectors_index", "vector_bucket_name"): Reference(("aws_s3vectors_vector_bucket",)),
    ("aws_fsx_data_repository_association", "file_system_id"): Reference(("aws_fsx_lustre_file_system",)),
    ("aws_fsx_data_repository_association", "data_repository_path"): _BUCKET,
    ("aws_fsx_lustre_file_system", "import_path"): _BUCKET,
    ("aws_fsx_lustre_file_system", "export_path"): _BUCKET,
    ("aws_efs_file_system_policy", "file_system_id"): Reference(("aws_efs_file_system",)),
    ("aws_efs_backup_policy", "file_system_id"): Reference(("aws_efs_file_system",)),
    ("aws_db_instance", "parameter_group_name"): Reference(("aws_db_parameter_group",)),
    ("aws_db_instance", "db_subnet_group_name"): Reference(("aws_db_subnet_group",)),
    ("aws_rds_cluster", "db_cluster_parameter_group_name"): Reference(("aws_rds_cluster_parameter_group",)),
    ("aws_rds_cluster_instance", "cluster_identifier"): Reference(("aws_rds_cluster",)),
    ("aws_rds_cluster_instance", "db_subnet_group_name"): Reference(("aws_db_subnet_group",)),
    ("aws_dynamodb_resource_policy", "resource_arn"): Reference(("aws_dynamodb_table",)),
    ("aws_backup_vault_lock_configuration", "backup_vault_name"): Reference(("aws_backup_vault",)),
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
