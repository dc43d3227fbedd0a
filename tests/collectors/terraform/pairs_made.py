"""Pairs whose live half moto makes, though Terraform's provider does not get on with it, or has no such type."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.collectors.terraform.conftest import Maker
from tests.collectors.terraform.pairs import Boto, Pair, arn, document, role

ROLES = {f"plan/aws_iam_role.exec_{n}": role(f"petrel-exec-{n}") for n in ("good", "bad")}
CIRCUIT = {"location": "EqDC2", "requestMACSec": False}


SUBNETS = {zone: f"subnet-{zone * 17}" for zone in "abc"}


def _key(boto: Boto) -> str:
    made: str = boto("kms").create_key()["KeyMetadata"]["Arn"]
    return made


# ---- networks


def _circuit(boto: Boto) -> Mapping[str, str]:
    made = boto("directconnect").create_connection(connectionName="heron-dx-b", bandwidth="10Gbps", **CIRCUIT)
    return {"plan/aws_dx_connection.bad": made["connectionId"]}


def _safe_circuit(boto: Boto) -> Mapping[str, str]:
    client = boto("directconnect")  # moto makes up a key of MACsec
    made = client.create_connection(connectionName="heron-dx-a", bandwidth="100Gbps", location="EqDC2", requestMACSec=True)
    client.update_connection(connectionId=made["connectionId"], encryptionMode="must_encrypt")
    return {"plan/aws_dx_connection.good": made["connectionId"]}


def _bundle(boto: Boto) -> Mapping[str, str]:
    made = boto("directconnect").create_lag(lagName="heron-lag", connectionsBandwidth="100Gbps", numberOfConnections=1, **CIRCUIT)
    return {"plan/aws_dx_lag.bad": made["lagId"]}


def _classic_plan(make: Maker) -> None:
    listener = {"lb_port": 443, "lb_protocol": "tcp", "instance_port": 8443, "instance_protocol": "tcp"}
    make.add("aws_subnet.s", after={"cidr_block": "10.0.0.0/24"}, late=("id", "arn"))
    make.add("aws_security_group.s", after={"name": "s"}, late=("id", "arn"))
    make.add("aws_instance.n", after={"instance_type": "p5.48xlarge"}, late=("id", "arn"))
    make.add(
        "aws_elb.old",
        sets={
            "name": "old",
            "internal": True,
            "subnets": ["aws_subnet.s.id"],
            "security_groups": ["aws_security_group.s.id"],
            "instances": ["aws_instance.n.id"],
        },
        after={"listener": [listener]},
        late=("id", "arn"),
    )


def _classic(boto: Boto) -> Mapping[str, str]:
    ec2, elb = boto("ec2"), boto("elb")
    subnet = ec2.describe_subnets()["Subnets"][0]["SubnetId"]
    group = ec2.describe_security_groups()["SecurityGroups"][0]["GroupId"]
    node = ec2.run_instances(ImageId="ami-1", MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]
    elb.create_load_balancer(
        LoadBalancerName="old",
        Scheme="internal",
        Subnets=[subnet],
        SecurityGroups=[group],
        Listeners=[{"Protocol": "TCP", "LoadBalancerPort": 443, "InstanceProtocol": "TCP", "InstancePort": 8443}],
    )
    elb.register_instances_with_load_balancer(LoadBalancerName="old", Instances=[{"InstanceId": node}])
    return {
        "plan/aws_elb.old": arn("elasticloadbalancing", "loadbalancer/old"),
        "plan/aws_subnet.s": arn("ec2", f"subnet/{subnet}"),
        "plan/aws_security_group.s": arn("ec2", f"security-group/{group}"),
        "plan/aws_instance.n": arn("ec2", f"instance/{node}"),
    }


def _link_plan(make: Maker) -> None:
    make.add("aws_subnet.s", after={"cidr_block": "10.0.0.0/24"}, late=("id", "arn"))
    make.add(
        "aws_apigatewayv2_vpc_link.l", sets={"name": "l", "subnet_ids": ["aws_subnet.s.id"], "security_group_ids": []}, late=("id",)
    )


def _link(boto: Boto) -> Mapping[str, str]:
    made = boto("apigatewayv2").create_vpc_link(Name="l", SubnetIds=["subnet-1"], SecurityGroupIds=[])
    return {
        "plan/aws_apigatewayv2_vpc_link.l": f"arn:aws:apigateway:us-east-1::/vpclinks/{made['VpcLinkId']}",
        "plan/aws_subnet.s": arn("ec2", "subnet/subnet-1"),
    }


# ---- stores


def _fsx(kind: str, name: str, *, keyed: bool = False, **request: Any) -> Pair:
    def make(boto: Boto) -> Mapping[str, str]:
        key = _key(boto)
        made = boto("fsx").create_file_system(
            FileSystemType=kind.upper(), StorageCapacity=1200, **({"KmsKeyId": key} if keyed else {}), **request
        )["FileSystem"]
        subnets = {f'plan/aws_subnet.data["{zone}"]': arn("ec2", f"subnet/{name}") for zone, name in SUBNETS.items()}
        return {f"plan/aws_fsx_{kind}_file_system.{name}": made["ResourceARN"], "plan/aws_kms_key.data": key, **subnets}

    return Pair(f"05-datastores aws_fsx_{kind}_file_system.{name}", make=make)


FILE_SYSTEMS = (
    _fsx(
        "ontap",
        "good",
        keyed=True,
        SubnetIds=[SUBNETS["a"], SUBNETS["b"]],
        OntapConfiguration={"DeploymentType": "MULTI_AZ_1", "ThroughputCapacity": 512, "AutomaticBackupRetentionDays": 0},
    ),
    _fsx(
        "openzfs",
        "bad",
        SubnetIds=[SUBNETS["a"]],
        OpenZFSConfiguration={"DeploymentType": "SINGLE_AZ_1", "ThroughputCapacity": 64, "AutomaticBackupRetentionDays": 0},
    ),
    _fsx(
        "windows",
        "bad",
        SubnetIds=[SUBNETS["a"]],
        WindowsConfiguration={"ThroughputCapacity": 32, "AutomaticBackupRetentionDays": 7},
    ),
)


def _warehouse(boto: Boto) -> Mapping[str, str]:
    boto("redshift").create_cluster(
        ClusterIdentifier="osprey-lake",
        NodeType="ra3.large",
        MasterUsername="lake",
        MasterUserPassword="Not-a-real-pass3",
        PubliclyAccessible=True,
    )
    return {"plan/aws_redshift_cluster.bad": arn("redshift", "cluster:osprey-lake")}


def _cache(name: str, *, safe: bool) -> Pair:
    def make(boto: Boto) -> Mapping[str, str]:
        key = _key(boto)
        encryption = {"KmsKeyId": key, "TransitEncryptionMode": "required"} if safe else {}
        made = boto("elasticache").create_replication_group(
            ReplicationGroupId=f"osprey-{name}",
            ReplicationGroupDescription="semantic cache",
            CacheNodeType="cache.r6g.large",
            Engine="redis",
            AtRestEncryptionEnabled=safe,
            TransitEncryptionEnabled=safe,
            **encryption,
        )["ReplicationGroup"]
        return {f"plan/aws_elasticache_replication_group.{name}": made["ARN"], "plan/aws_kms_key.data": key}

    return Pair(f"05-datastores aws_elasticache_replication_group.{name}", make=make)


def _database(boto: Boto) -> Mapping[str, str]:
    key, rds = _key(boto), boto("rds")
    rds.create_db_parameter_group(DBParameterGroupName="osprey-pg16", DBParameterGroupFamily="postgres16", Description="x")
    made = rds.create_db_instance(
        DBInstanceIdentifier="osprey-mlflow",
        Engine="postgres",
        EngineVersion="16.3",
        DBInstanceClass="db.r6g.large",
        AllocatedStorage=50,
        MasterUsername="mlflow",
        MasterUserPassword="not-a-real-password-2",
        StorageEncrypted=True,
        KmsKeyId=key,
        PubliclyAccessible=False,
        DBParameterGroupName="osprey-pg16",
        VpcSecurityGroupIds=["sg-1"],
    )["DBInstance"]
    return {
        "plan/aws_db_instance.good": made["DBInstanceArn"],
        "plan/aws_kms_key.data": key,
        "plan/aws_security_group.nfs": arn("ec2", "security-group/sg-1"),
        "plan/aws_db_parameter_group.good": arn("rds", "pg:osprey-pg16"),
    }


def _domain(boto: Boto) -> Mapping[str, str]:
    key = _key(boto)
    made = boto("opensearch").create_domain(
        DomainName="osprey-good",
        EngineVersion="OpenSearch_2.13",
        EncryptionAtRestOptions={"Enabled": True, "KmsKeyId": key},
        NodeToNodeEncryptionOptions={"Enabled": True},
        DomainEndpointOptions={"EnforceHTTPS": True, "TLSSecurityPolicy": "Policy-Min-TLS-1-2-PFS-2023-10"},
        AdvancedSecurityOptions={"Enabled": True, "InternalUserDatabaseEnabled": False},
        VPCOptions={"SubnetIds": ["subnet-1"]},
    )
    return {"plan/aws_opensearch_domain.good": made["DomainStatus"]["ARN"], "plan/aws_kms_key.data": key}


def _open_domain(boto: Boto) -> Mapping[str, str]:
    own = arn("es", "domain/osprey-bad")
    everyone = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "es:*", "Resource": f"{own}/*"}
    boto("opensearch").create_domain(
        DomainName="osprey-bad",
        EncryptionAtRestOptions={"Enabled": False},
        DomainEndpointOptions={"EnforceHTTPS": False, "TLSSecurityPolicy": "Policy-Min-TLS-1-0-2019-07"},
        AccessPolicies=document(everyone),
    )
    return {"plan/aws_opensearch_domain.bad": own}


def _broker(name: str, encryption: Mapping[str, object], authentication: Mapping[str, object], **network: object) -> Pair:
    def make(boto: Boto) -> Mapping[str, str]:
        key, client = _key(boto), boto("kafka")
        at_rest = {"EncryptionAtRest": {"DataVolumeKMSKeyId": key}} if name == "good" else {}
        made = client.create_cluster(
            ClusterName=f"osprey-{name}",
            KafkaVersion="3.6.0",
            NumberOfBrokerNodes=3,
            BrokerNodeGroupInfo={
                "InstanceType": "kafka.m5.large",
                "ClientSubnets": ["subnet-1"],
                "SecurityGroups": ["sg-1"],
                **network,
            },
            EncryptionInfo={**at_rest, "EncryptionInTransit": encryption},
            ClientAuthentication=authentication,
        )
        return {
            f"plan/aws_msk_cluster.{name}": made["ClusterArn"],
            "plan/aws_kms_key.data": key,
            "plan/aws_security_group.nfs": arn("ec2", "security-group/sg-1"),
        }

    return Pair(f"05-datastores aws_msk_cluster.{name}", make=make)


def _vectors(make: Maker) -> None:
    kms = [{"sse_type": "aws:kms", "kms_key_arn": "arn:aws:kms:us-east-1:123456789012:key/k"}]
    owner = "aws_s3vectors_vector_bucket"
    make.add(
        f"{owner}.docs",
        sets={"vector_bucket_name": "docs"},
        after={"encryption_configuration": kms},
        late=("vector_bucket_arn",),
    )
    make.add(
        "aws_s3vectors_index.own",
        sets={
            "index_name": "own",
            "vector_bucket_name": [f"{owner}.docs.vector_bucket_name"],
            "data_type": "float32",
            "dimension": 3,
            "distance_metric": "cosine",
        },
        late=("index_arn", "encryption_configuration"),
    )
    make.add(f"{owner}_policy.docs", sets={"policy": OPEN, "vector_bucket_arn": [f"{owner}.docs.vector_bucket_arn"]})


OPEN = document({"Effect": "Allow", "Principal": "*", "Action": "s3vectors:*", "Resource": "*"})


def _vector_bucket(boto: Boto) -> Mapping[str, str]:
    client = boto("s3vectors")
    client.create_vector_bucket(
        vectorBucketName="docs",
        encryptionConfiguration={"sseType": "aws:kms", "kmsKeyArn": "arn:aws:kms:us-east-1:123456789012:key/k"},
    )
    client.create_index(vectorBucketName="docs", indexName="own", dataType="float32", dimension=3, distanceMetric="cosine")
    client.put_vector_bucket_policy(vectorBucketName="docs", policy=OPEN)
    return {
        "plan/aws_s3vectors_vector_bucket.docs": arn("s3vectors", "bucket/docs"),
        "plan/aws_s3vectors_index.own": arn("s3vectors", "bucket/docs/index/own"),
    }


# ---- learning


def _studio(name: str, sharing: Mapping[str, str], **more: object) -> Pair:
    def make(boto: Boto) -> Mapping[str, str]:
        key = _key(boto)
        made = boto("sagemaker").create_domain(
            DomainName=f"petrel-{name}",
            AuthMode="IAM",
            VpcId="vpc-1",
            SubnetIds=["subnet-1"],
            DefaultUserSettings={"ExecutionRole": role(f"petrel-exec-{name}"), "SharingSettings": sharing},
            **(more | ({"KmsKeyId": key} if name == "good" else {})),
        )
        return {
            f"plan/aws_sagemaker_domain.{name}": made["DomainArn"],
            "plan/aws_kms_key.ml": key,
            "plan/aws_vpc.ml": arn("ec2", "vpc/vpc-1"),
            "plan/aws_subnet.ml": arn("ec2", "subnet/subnet-1"),
        }

    return Pair(f"07-ml aws_sagemaker_domain.{name}", make=make, ids=ROLES)


# ---- the organisation


def _organisation(boto: Boto) -> Mapping[str, str]:
    client = boto("organizations")
    client.create_organization(FeatureSet="ALL")
    root = client.list_roots()["Roots"][0]["Id"]
    client.enable_policy_type(RootId=root, PolicyType="SERVICE_CONTROL_POLICY")
    forbidden = ["cloudtrail:StopLogging", "kms:ScheduleKeyDeletion", "guardduty:DeleteDetector"]
    made = client.create_policy(
        Name="crane-keep-trail",
        Description="",
        Type="SERVICE_CONTROL_POLICY",
        Content=json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Action": forbidden, "Resource": "*"}]}),
    )["Policy"]["PolicySummary"]
    client.attach_policy(PolicyId=made["Id"], TargetId=root)
    return {"plan/aws_organizations_policy.scp": made["Arn"], "r-ab12": root}


MADE: tuple[Pair, ...] = (
    Pair("04-network aws_dx_connection.bad", make=_circuit),
    Pair("04-network aws_dx_connection.good", make=_safe_circuit),
    Pair("04-network aws_dx_lag.bad", make=_bundle),
    Pair("05-datastores aws_opensearch_domain.good", make=_domain),
    Pair("05-datastores aws_opensearch_domain.bad", make=_open_domain),
    _broker("good", {"ClientBroker": "TLS", "InCluster": True}, {"Sasl": {"Iam": {"Enabled": True}}}),
    _broker(
        "bad",
        {"ClientBroker": "TLS_PLAINTEXT", "InCluster": False},
        {"Unauthenticated": {"Enabled": True}},
        ConnectivityInfo={"PublicAccess": {"Type": "SERVICE_PROVIDED_EIPS"}},
    ),
    Pair("aws_elb.old", make=_classic, planned=_classic_plan),
    Pair("aws_apigatewayv2_vpc_link.l", make=_link, planned=_link_plan),
    *FILE_SYSTEMS,
    Pair("05-datastores aws_redshift_cluster.bad", make=_warehouse),
    _cache("good", safe=True),
    _cache("bad", safe=False),
    Pair("05-datastores aws_db_instance.good", make=_database),
    Pair("aws_s3vectors_vector_bucket.docs", make=_vector_bucket, planned=_vectors),
    Pair("aws_s3vectors_index.own", make=_vector_bucket, planned=_vectors),
    _studio("good", {"NotebookOutputOption": "Disabled"}, AppNetworkAccessType="VpcOnly"),
    _studio("bad", {"NotebookOutputOption": "Allowed", "S3OutputPath": "s3://petrel-shared/"}),
    Pair("08-identity aws_organizations_policy.scp", make=_organisation),
)
