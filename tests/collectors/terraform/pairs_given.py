"""Pairs whose live half moto does not know: answers as AWS gives them, in botocore's shapes."""

from __future__ import annotations

import json

from tests.collectors.terraform.conftest import Maker
from tests.collectors.terraform.pairs import Pair, arn, document, role
from tests.collectors.terraform.twins import ACCOUNT

AT = "2026-09-01T08:00:00Z"
KEY = arn("kms", "key/11111111-1111-4111-8111-111111111111")

# ---- who watches, and blocks of an account

ANALYZER = {"arn": arn("access-analyzer", "analyzer/crane"), "name": "crane", "status": "ACTIVE", "createdAt": AT}
DETECTOR = {
    "guardduty:list_detectors": {"DetectorIds": ["d1"]},
    "guardduty:get_detector": {
        "Status": "ENABLED",
        "ServiceRole": role("guardduty"),
        "Features": [
            {"Name": "CLOUD_TRAIL", "Status": "ENABLED"},
            {"Name": "S3_DATA_EVENTS", "Status": "ENABLED"},
            {"Name": "EKS_AUDIT_LOGS", "Status": "ENABLED"},
            {"Name": "RUNTIME_MONITORING", "Status": "DISABLED"},
            {"Name": "AI_PROTECTION", "Status": "DISABLED"},
        ],
    },
}
STANDARD = "arn:aws:securityhub:us-east-1::standards/aws-foundational-security-best-practices/v/1.0.0"
SUBSCRIPTION = arn("securityhub", "subscription/aws-foundational-security-best-practices/v/1.0.0")

WATCHING = (
    *(
        Pair(
            f"08-identity aws_accessanalyzer_analyzer.{name}",
            arn("access-analyzer", "analyzer"),
            {
                "accessanalyzer:list_analyzers": {"analyzers": [ANALYZER | {"type": kind}]},
                "organizations:describe_organization": "AWSOrganizationsNotInUseException",
            },
        )
        for name, kind in (("external", "ACCOUNT"), ("unused", "ACCOUNT_UNUSED_ACCESS"))
    ),
    # moto keeps the last feature that was set, and forgets the others
    Pair("10-audit aws_guardduty_detector.good", arn("guardduty", "detector"), DETECTOR),
    Pair(
        "10-audit aws_securityhub_account.on",
        arn("securityhub", "hub/default"),
        {
            "securityhub:describe_hub": {"HubArn": arn("securityhub", "hub/default"), "SubscribedAt": AT},
            "securityhub:get_enabled_standards": {
                "StandardsSubscriptions": [
                    {
                        "StandardsSubscriptionArn": SUBSCRIPTION,
                        "StandardsArn": STANDARD,
                        "StandardsInput": {},
                        "StandardsStatus": "READY",
                    }
                ]
            },
        },
    ),
    Pair(
        "03-nodes aws_ec2_image_block_public_access.off",
        arn("ec2", "image-block-public-access"),
        {"ec2:get_image_block_public_access_state": {"ImageBlockPublicAccessState": "unblocked"}},
    ),
    Pair(
        "03-nodes aws_ebs_snapshot_block_public_access.part",
        arn("ec2", "snapshot-block-public-access"),
        {"ec2:get_snapshot_block_public_access_state": {"State": "unblocked"}},
    ),
    Pair(
        "04-network aws_vpc_block_public_access_options.off",
        arn("ec2", "vpc-block-public-access"),
        {
            "ec2:describe_vpc_block_public_access_options": {
                "VpcBlockPublicAccessOptions": {
                    "AwsAccountId": ACCOUNT,
                    "AwsRegion": "us-east-1",
                    "State": "default-state",
                    "InternetGatewayBlockMode": "off",
                }
            }
        },
    ),
    Pair(
        "04-network aws_vpc_block_public_access_exclusion.gpu",
        arn("ec2", "vpc-block-public-access-exclusion/vpcbpa-exclude-1"),
        {
            "ec2:describe_vpc_block_public_access_exclusions": {
                "VpcBlockPublicAccessExclusions": [
                    {
                        "ExclusionId": "vpcbpa-exclude-1",
                        "InternetGatewayExclusionMode": "allow-bidirectional",
                        "ResourceArn": arn("ec2", "subnet/subnet-1"),
                        "State": "create-complete",
                        "Tags": [],
                    }
                ]
            }
        },
        ids={"plan/aws_subnet.gpu[0]": arn("ec2", "subnet/subnet-1")},
    ),
)

# ---- containers

CLUSTER = arn("eks", "cluster/tern-good")
CLUSTERS = {"plan/aws_eks_cluster.good": CLUSTER}
DEVELOPERS = role("developers")
ASSOCIATION = arn("eks", "podidentityassociation/tern-good/a-1")


def _entry(name: str, policy: str, **scope: object) -> Pair:
    return Pair(
        f"06-containers aws_eks_access_policy_association.{name}",
        arn("eks", f"access-entry/tern-good/role/{ACCOUNT}/developers"),
        {
            "eks:list_clusters": {"clusters": ["tern-good"]},
            "eks:list_access_entries": {"accessEntries": [DEVELOPERS]},
            "eks:list_associated_access_policies": {
                "associatedAccessPolicies": [
                    {"policyArn": f"arn:aws:eks::aws:cluster-access-policy/{policy}", "accessScope": scope, "associatedAt": AT}
                ]
            },
        },
        ids=CLUSTERS,
    )


CONTAINERS = (
    _entry("dev", "AmazonEKSClusterAdminPolicy", type="cluster", namespaces=[]),
    _entry("view", "AmazonEKSViewPolicy", type="namespace", namespaces=["train"]),
    Pair(
        '06-containers aws_eks_pod_identity_association.both["train"]',
        ASSOCIATION,
        {
            "eks:list_clusters": {"clusters": ["tern-good"]},
            "eks:list_pod_identity_associations": {
                "associations": [
                    {
                        "clusterName": "tern-good",
                        "namespace": "train",
                        "serviceAccount": "worker",
                        "associationArn": ASSOCIATION,
                        "associationId": "a-1",
                    }
                ]
            },
            "eks:describe_pod_identity_association": {
                "association": {
                    "clusterName": "tern-good",
                    "namespace": "train",
                    "serviceAccount": "worker",
                    "roleArn": role("tern-pod"),
                    "associationArn": ASSOCIATION,
                    "associationId": "a-1",
                    "tags": {},
                    "disableSessionTags": False,
                }
            },
        },
        ids={**CLUSTERS, "plan/aws_iam_role.pod": role("tern-pod")},
    ),
    Pair(
        "06-containers aws_ecrpublic_repository.bad",
        f"arn:aws:ecr-public::{ACCOUNT}:repository/tern-model-server",
        {
            "ecr-public:describe_repositories": {
                "repositories": [
                    {
                        "repositoryArn": f"arn:aws:ecr-public::{ACCOUNT}:repository/tern-model-server",
                        "registryId": ACCOUNT,
                        "repositoryName": "tern-model-server",
                    }
                ]
            },
            "ecr-public:list_tags_for_resource": {"tags": []},
        },
    ),
)


# moto has no addresses of functions
def _function(name: str, short: str, auth: str, variables: dict[str, str], **statement: object) -> Pair:
    own = arn("lambda", f"function:swift-{short}")
    return Pair(
        f"09-edge aws_lambda_function.{name}",
        own,
        {
            "lambda:list_functions": {
                "Functions": [
                    {
                        "FunctionName": f"swift-{short}",
                        "FunctionArn": own,
                        "PackageType": "Image",
                        "Environment": {"Variables": variables},
                    }
                ]
            },
            "lambda:list_tags": {"Tags": {}},
            "lambda:list_function_url_configs": {
                "FunctionUrlConfigs": [
                    {
                        "FunctionUrl": "https://x.example.com/",
                        "FunctionArn": own,
                        "CreationTime": AT,
                        "LastModifiedTime": AT,
                        "AuthType": auth,
                    }
                ]
            },
            "lambda:get_policy": {"Policy": document({"Effect": "Allow", "Resource": own, **statement}), "RevisionId": "1"},
        },
    )


FUNCTIONS = (
    _function(
        "bad",
        "infer",
        "NONE",
        {"HUB_TOKEN": "plain-literal-value", "LOG_LEVEL": "info"},
        Sid="world",
        Principal="*",
        Action="lambda:InvokeFunctionUrl",
        Condition={"StringEquals": {"lambda:FunctionUrlAuthType": "NONE"}},
    ),
    _function(
        "good",
        "clean",
        "AWS_IAM",
        {"HUB_TOKEN_ARN": f"arn:aws:secretsmanager:us-east-1:{ACCOUNT}:secret:swift"},
        Sid="s3",
        Principal={"Service": "s3.amazonaws.com"},
        Action="lambda:InvokeFunction",
        Condition={"StringEquals": {"AWS:SourceAccount": ACCOUNT}},
    ),
)

# ---- credentials

BOT = {"UserName": "crane-bot", "UserId": "AIDA1", "Arn": arn("iam", "user/crane-bot", ""), "Path": "/", "CreateDate": AT}
CREDENTIALS = tuple(
    Pair(
        f"08-identity aws_iam_service_specific_credential.{name}",
        f"{BOT['Arn']}/service-specific-credential/ACCA1",
        {
            "iam:list_service_specific_credentials": {
                "ServiceSpecificCredentials": [
                    {
                        "UserName": "crane-bot",
                        "Status": "Active",
                        "ServiceName": f"{name}.amazonaws.com",
                        "ServiceSpecificCredentialId": "ACCA1",
                        "CreateDate": AT,
                    }
                ]
            },
            "iam:get_account_authorization_details": {"UserDetailList": [BOT]},
        },
        ids={"plan/aws_iam_user.bot": str(BOT["Arn"])},
    )
    for name in ("bedrock", "codecommit")
)


# ---- audit


def _lake(make: Maker) -> None:
    field = [
        {"field": "eventCategory", "equals": ["Data"]},
        {"field": "resources.type", "equals": ["AWS::S3::Object"]},
        {"field": "readOnly", "equals": ["false"]},
    ]
    make.add(
        "aws_cloudtrail_event_data_store.lake",
        sets={"name": "lake", "multi_region_enabled": True, "organization_enabled": False},
        after={"advanced_event_selector": [{"name": "writes", "field_selector": field}]},
        late=("arn", "id"),
    )


LAKE = arn("cloudtrail", "eventdatastore/1")
AUDIT = (
    Pair(
        "aws_cloudtrail_event_data_store.lake",
        LAKE,
        {
            "cloudtrail:list_event_data_stores": {"EventDataStores": [{"EventDataStoreArn": LAKE, "Name": "lake"}]},
            "cloudtrail:get_event_data_store": {
                "EventDataStoreArn": LAKE,
                "Name": "lake",
                "Status": "ENABLED",
                "MultiRegionEnabled": True,
                "OrganizationEnabled": False,
                "AdvancedEventSelectors": [
                    {
                        "Name": "writes",
                        "FieldSelectors": [
                            {"Field": "eventCategory", "Equals": ["Data"]},
                            {"Field": "resources.type", "Equals": ["AWS::S3::Object"]},
                            {"Field": "readOnly", "Equals": ["false"]},
                        ],
                    }
                ],
            },
        },
        planned=_lake,
    ),
)


# ---- collections


def _docs(make: Maker) -> None:
    owner = "aws_opensearchserverless_"
    key = json.dumps(
        {"Rules": [{"ResourceType": "collection", "Resource": ["collection/docs"]}], "AWSOwnedKey": False, "KmsARN": KEY}
    )
    make.add(f"{owner}collection.docs", sets={"name": "docs", "type": "VECTORSEARCH"}, late=("arn", "id", "kms_key_arn"))
    make.add(f"{owner}security_policy.enc", sets={"name": "enc", "type": "encryption", "policy": key}, late=("id",))
    make.add(f"{owner}access_policy.all", sets={"name": "all", "type": "data", "policy": json.dumps(ACCESS)}, late=("id",))


ACCESS = [
    {
        "Rules": [{"ResourceType": "index", "Resource": ["index/docs/*"], "Permission": ["aoss:ReadDocument"]}],
        "Principal": [DEVELOPERS],
    }
]
PUBLIC = [{"Rules": [{"ResourceType": "collection", "Resource": ["collection/osprey-bad*"]}], "AllowFromPublic": True}]
COLLECTION = arn("aoss", "collection/c1")
COLLECTIONS = (
    Pair(
        "aws_opensearchserverless_collection.docs",
        COLLECTION,
        {
            "opensearchserverless:list_collections": {
                "collectionSummaries": [{"id": "c1", "arn": COLLECTION, "name": "docs", "status": "ACTIVE"}]
            },
            "opensearchserverless:batch_get_collection": {
                "collectionDetails": [{"id": "c1", "arn": COLLECTION, "name": "docs", "status": "ACTIVE", "kmsKeyArn": KEY}]
            },
            "opensearchserverless:list_tags_for_resource": {"tags": []},
        },
        planned=_docs,
    ),
    Pair(
        "aws_opensearchserverless_access_policy.all",
        arn("aoss", "data-policy/all"),
        {
            "opensearchserverless:list_access_policies": {"accessPolicySummaries": [{"name": "all", "type": "data"}]},
            "opensearchserverless:get_access_policy": {"accessPolicyDetail": {"name": "all", "type": "data", "policy": ACCESS}},
        },
        planned=_docs,
    ),
    Pair(
        "05-datastores aws_opensearchserverless_security_policy.net_bad",
        arn("aoss", "network-policy/osprey-net-bad"),
        {
            "opensearchserverless:list_security_policies": {
                "securityPolicySummaries": [{"name": "osprey-net-bad", "type": "network"}]
            },
            "opensearchserverless:get_security_policy": {
                "securityPolicyDetail": {"name": "osprey-net-bad", "type": "network", "policy": PUBLIC}
            },
        },
    ),
)

# ---- file systems of Lustre: moto forgets their repositories

GOLDEN = "s3://osprey-golden-input"
SUBNET = {f'plan/aws_subnet.data["{zone}"]': arn("ec2", f"subnet/subnet-{zone}") for zone in "ab"}
SYSTEM = arn("fsx", "file-system/fs-1")
LINK = {
    "AssociationId": "dra-1",
    "ResourceARN": arn("fsx", "association/fs-1/dra-1"),
    "FileSystemId": "fs-1",
    "Lifecycle": "AVAILABLE",
    "DataRepositoryPath": GOLDEN,
    "S3": {"AutoExportPolicy": {"Events": ["NEW", "CHANGED", "DELETED"]}, "AutoImportPolicy": {"Events": ["NEW"]}},
}
LUSTRE = {
    "FileSystemId": "fs-1",
    "ResourceARN": SYSTEM,
    "FileSystemType": "LUSTRE",
    "Lifecycle": "AVAILABLE",
    "Tags": [{"Key": "role", "Value": "checkpoint"}],
}


def _lustre(name: str, links: list[dict[str, object]], **more: object) -> Pair:
    return Pair(
        f"05-datastores aws_fsx_lustre_file_system.{name}",
        SYSTEM,
        {
            "fsx:describe_file_systems": {"FileSystems": [LUSTRE | more]},
            "fsx:describe_data_repository_associations": {"Associations": links},
            "backup:list_protected_resources": {"Results": []},
        },
        ids=SUBNET | {"plan/aws_kms_key.data": KEY, "plan/aws_s3_bucket.golden": GOLDEN},
    )


FILE_SYSTEMS = (
    _lustre(
        "good",
        [LINK],
        KmsKeyId=KEY,
        SubnetIds=["subnet-a"],
        LustreConfiguration={
            "DeploymentType": "PERSISTENT_2",
            "AutomaticBackupRetentionDays": 14,
            "RootSquashConfiguration": {"RootSquash": "365534:65534"},
        },
    ),
    _lustre(
        "bad",
        [],
        SubnetIds=["subnet-b"],
        LustreConfiguration={
            "DeploymentType": "SCRATCH_2",
            "DataRepositoryConfiguration": {"ImportPath": GOLDEN, "ExportPath": GOLDEN},
        },
    ),
    Pair(
        "05-datastores aws_fsx_data_repository_association.bad",
        LINK["ResourceARN"],
        {"fsx:describe_data_repository_associations": {"Associations": [LINK]}},
        ids={"plan/aws_fsx_lustre_file_system.good": SYSTEM, "plan/aws_s3_bucket.golden": GOLDEN},
    ),
)

# ---- learning

SCRIPT = arn("sagemaker", "notebook-instance-lifecycle-config/petrel-start")
LEARNING = (
    Pair(
        "07-ml aws_sagemaker_notebook_instance_lifecycle_configuration.bad",
        SCRIPT,
        {
            "sagemaker:list_notebook_instance_lifecycle_configs": {
                "NotebookInstanceLifecycleConfigs": [
                    {"NotebookInstanceLifecycleConfigName": "petrel-start", "NotebookInstanceLifecycleConfigArn": SCRIPT}
                ]
            },
            "sagemaker:describe_notebook_instance_lifecycle_config": {
                "NotebookInstanceLifecycleConfigName": "petrel-start",
                "NotebookInstanceLifecycleConfigArn": SCRIPT,
                # a shell script that exports WANDB_PASSWORD
                "OnStart": [{"Content": "IyEvYmluL3NoCmV4cG9ydCBXQU5EQl9QQVNTV09SRD1odW50ZXItdHdvLWh1bnRlcgo="}],
            },
        },
    ),
)

GIVEN: tuple[Pair, ...] = (*WATCHING, *CONTAINERS, *FUNCTIONS, *CREDENTIALS, *AUDIT, *COLLECTIONS, *FILE_SYSTEMS, *LEARNING)
