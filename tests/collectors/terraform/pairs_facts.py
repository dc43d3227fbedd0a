"""Pairs of types that the recorded twins have, for facts that moto does not tell, or tells otherwise than AWS."""

from __future__ import annotations

import json

from tests.collectors.terraform.pairs import Pair, arn, role

AT = "2026-09-01T08:00:00Z"
KEY = arn("kms", "key/11111111-1111-4111-8111-111111111111")
CLUSTER = arn("eks", "cluster/tern-good")
NOTEBOOK = arn("sagemaker", "notebook-instance/petrel-bad")
SECRETS = {"resources": ["secrets"], "provider": {"keyArn": KEY}}
ORGANISATION = {"aws:PrincipalOrgID": "o-a1b2c3d4e5", "aws:ResourceOrgID": "o-a1b2c3d4e5"}
STATEMENT = {
    "Effect": "Allow",
    "Principal": "*",
    "Action": "s3:*",
    "Resource": "*",
    "Condition": {"StringEquals": ORGANISATION},
}

FACTS: tuple[Pair, ...] = (
    Pair(
        "03-nodes aws_ebs_encryption_by_default.on",
        arn("ec2", "ebs-encryption-by-default"),
        {
            "ec2:get_ebs_encryption_by_default": {"EbsEncryptionByDefault": True},
            "ec2:get_ebs_default_kms_key_id": {"KmsKeyId": KEY},
        },
        ids={"plan/aws_kms_key.ebs": KEY},
    ),
    Pair(
        "03-nodes aws_launch_template.good",
        arn("ec2", "launch-template/lt-1"),
        {
            "ec2:describe_launch_template_versions": {
                "LaunchTemplateVersions": [
                    {
                        "LaunchTemplateId": "lt-1",
                        "LaunchTemplateName": "heron-good",
                        "VersionNumber": 1,
                        "DefaultVersion": True,
                        "LaunchTemplateData": {
                            "InstanceType": "p5.48xlarge",
                            "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1},
                            "Placement": {"Tenancy": "dedicated"},
                            "BlockDeviceMappings": [
                                {"DeviceName": "/dev/xvda", "Ebs": {"Encrypted": True, "KmsKeyId": KEY, "VolumeSize": 200}}
                            ],
                            "NetworkInterfaces": [
                                {
                                    "DeviceIndex": 0,
                                    "InterfaceType": "efa",
                                    "AssociatePublicIpAddress": False,
                                    "Groups": ["sg-1"],
                                    "SubnetId": "subnet-1",
                                }
                            ],
                        },
                    }
                ]
            },
            "ec2:describe_launch_templates": {"LaunchTemplates": [{"LaunchTemplateId": "lt-1", "Tags": []}]},
            "ec2:describe_instance_types": {
                "InstanceTypes": [{"InstanceType": "p5.48xlarge", "GpuInfo": {"Gpus": [{"Name": "H100", "Count": 8}]}}]
            },
            "ec2:get_instance_metadata_defaults": {"AccountLevel": {}},
        },
        ids={
            "plan/aws_kms_key.ebs": KEY,
            "plan/aws_security_group.efa": arn("ec2", "security-group/sg-1"),
            "plan/aws_subnet.private": arn("ec2", "subnet/subnet-1"),
        },
    ),
    Pair(
        "04-network aws_vpc_endpoint.s3",
        arn("ec2", "vpc-endpoint/vpce-1"),
        {
            "ec2:describe_vpc_endpoints": {
                "VpcEndpoints": [
                    {
                        "VpcEndpointId": "vpce-1",
                        "VpcEndpointType": "Gateway",
                        "VpcId": "vpc-1",
                        "ServiceName": "com.amazonaws.us-east-1.s3",
                        "State": "available",
                        "PolicyDocument": json.dumps({"Version": "2012-10-17", "Statement": [STATEMENT]}),
                        "RouteTableIds": ["rtb-gpu", "rtb-edge"],
                        "PrivateDnsEnabled": False,
                    }
                ]
            },
            "ec2:describe_vpc_endpoint_services": {
                "ServiceDetails": [{"ServiceName": "com.amazonaws.us-east-1.s3", "VpcEndpointPolicySupported": True}]
            },
        },
        ids={
            "plan/aws_vpc.training": arn("ec2", "vpc/vpc-1"),
            **{f"plan/aws_route_table.{n}": arn("ec2", f"route-table/rtb-{n}") for n in ("gpu", "edge")},
        },
    ),
    Pair(
        "06-containers aws_eks_cluster.good",
        CLUSTER,
        {
            "eks:list_clusters": {"clusters": ["tern-good"]},
            "eks:describe_cluster": {
                "cluster": {
                    "name": "tern-good",
                    "arn": CLUSTER,
                    "version": "1.33",
                    "status": "ACTIVE",
                    "accessConfig": {"authenticationMode": "API"},
                    "encryptionConfig": [SECRETS],
                    "resourcesVpcConfig": {"endpointPublicAccess": False, "endpointPrivateAccess": True, "publicAccessCidrs": []},
                    "logging": {
                        "clusterLogging": [
                            {"types": ["api", "audit", "authenticator"], "enabled": True},
                            {"types": ["controllerManager", "scheduler"], "enabled": False},
                        ]
                    },
                }
            },
        },
        ids={"plan/aws_kms_key.k": KEY},
    ),
    Pair(
        "07-ml aws_sagemaker_notebook_instance.bad",
        NOTEBOOK,
        {
            "sagemaker:list_notebook_instances": {
                "NotebookInstances": [{"NotebookInstanceName": "petrel-bad", "NotebookInstanceArn": NOTEBOOK}]
            },
            "sagemaker:describe_notebook_instance": {
                "NotebookInstanceName": "petrel-bad",
                "NotebookInstanceArn": NOTEBOOK,
                "NotebookInstanceStatus": "InService",
                "InstanceType": "ml.g5.xlarge",
                "RoleArn": role("petrel-exec-bad"),
                "DirectInternetAccess": "Enabled",
                "RootAccess": "Enabled",
                "InstanceMetadataServiceConfiguration": {"MinimumInstanceMetadataServiceVersion": "1"},
            },
            "sagemaker:list_tags": {"Tags": []},
        },
        ids={"plan/aws_iam_role.exec_bad": role("petrel-exec-bad")},
    ),
)
