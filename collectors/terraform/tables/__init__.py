"""All plan tables. Native types, kinds and facts are those of the live tables in `collectors/aws/`."""

from __future__ import annotations

from collectors.table import PlanTable
from collectors.terraform.tables import (
    access,
    bedrock,
    compute,
    connections,
    containers,
    databases,
    detection,
    fronts,
    guardrails,
    identity,
    keys,
    learning,
    network,
    pipelines,
    services,
    storage,
)

TABLES: tuple[PlanTable, ...] = (
    *keys.TABLES,
    *storage.TABLES,
    *network.TABLES,
    *compute.TABLES,
    *identity.TABLES,
    *services.TABLES,
    *databases.TABLES,
    *pipelines.TABLES,
    *containers.TABLES,
    *learning.TABLES,
    *bedrock.TABLES,
    *detection.TABLES,
    *access.TABLES,
    *guardrails.TABLES,
    *connections.TABLES,
    *fronts.TABLES,
)

GLOBAL = frozenset(
    (
        "AWS::IAM::User",
        "AWS::IAM::Role",
        "AWS::IAM::ManagedPolicy",
        "AWS::IAM::AccessKey",
        "AWS::IAM::ServiceSpecificCredential",
        "AWS::IAM::SSHPublicKey",
        "AWS::IAM::SigningCertificate",
        "AWS::Organizations::Policy",
        "AWS::S3::AccountPublicAccessBlock",
        "AWS::CloudFront::Distribution",
        "AWS::CloudFront::VpcOrigin",
        "AWS::GlobalAccelerator::CustomRoutingListener",
        "AWS::GlobalAccelerator::Listener",
        "AWS::CloudFront::VpcOrigin",
        "AWS::GlobalAccelerator::Listener",
        "AWS::GlobalAccelerator::CustomRoutingListener",
        "AWS::ECR::PublicRepository",
        "AWS::IAM::ServerCertificate",
    )
)
"""Native types that are in no region; live listings say `global` of them."""

WITHIN_NETWORKS = frozenset(
    (
        "AWS::EC2::Instance",
        "AWS::EC2::RouteTable",
        "AWS::EC2::InternetGateway",
        "AWS::EC2::VPCEndpoint",
        "AWS::ElasticLoadBalancing::LoadBalancer",
        "AWS::ElasticLoadBalancingV2::Listener",
        "AWS::ElasticLoadBalancingV2::LoadBalancer",
        "AWS::ElasticLoadBalancingV2::TargetGroup",
    )
)
"""Native types whose absence from a network, subnet or group says something about it."""
