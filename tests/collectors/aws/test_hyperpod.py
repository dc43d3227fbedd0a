"""HyperPod clusters."""

from __future__ import annotations

from collectors.aws import hyperpod
from scanner.model import Reason
from tests.collectors.aws.answers import given

HERE = "us-east-1:123456789012"
ARN = f"arn:aws:sagemaker:{HERE}:cluster/abc"
ROLE = "arn:aws:iam::123456789012:role/hyperpod"
KEY = f"arn:aws:kms:{HERE}:key/1234"


def subnet(name):
    return f"arn:aws:ec2:{HERE}:subnet/{name}"


def firewall(name):
    return f"arn:aws:ec2:{HERE}:security-group/{name}"


def group(name, size="ml.p5.48xlarge", **more):
    return {"InstanceGroupName": name, "InstanceType": size, "CurrentCount": 1, "TargetCount": 4, "ExecutionRole": ROLE, **more}


def volume(key=None, *, root=False):
    found = {"RootVolume": root, **({} if root else {"VolumeSizeInGB": 500}), **({"VolumeKmsKeyId": key} if key else {})}
    return {"EbsVolumeConfig": found}


def described(status="InService", **answer):
    answers = {
        "sagemaker:list_clusters": {"ClusterSummaries": [{"ClusterArn": ARN, "ClusterName": "llm", "ClusterStatus": status}]},
        "sagemaker:describe_cluster": {"ClusterArn": ARN, "ClusterName": "llm", **answer},
        "sagemaker:list_tags": {"Tags": [{"Key": "team", "Value": "nlp"}]},
    }
    return given(hyperpod.CLUSTERS, answers=answers)


def test_a_cluster_with_groups_of_all_sorts():
    cluster = described(
        InstanceGroups=[
            group(
                "workers",
                LifeCycleConfig={"SourceS3Uri": "s3://scripts/hyperpod", "OnCreate": "on_create.sh"},
                InstanceStorageConfigs=[volume("1234", root=True), volume("1234")],
            ),
            group("login", "ml.m5.xlarge", OverrideVpcConfig={"Subnets": ["subnet-2"], "SecurityGroupIds": ["sg-2"]}),
        ],
        RestrictedInstanceGroups=[group("nova", "ml.p5en.48xlarge", InstanceStorageConfigs=[volume()])],
        VpcConfig={"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
        NodeRecovery="None",
    ).named("llm")
    assert (cluster.gaps, cluster.tags) == ({}, {"team": "nlp"})
    mine = {"subnet_ids": [subnet("subnet-1")], "firewall_ids": [firewall("sg-1")]}
    assert cluster.facts == {
        "service_type": "cluster",
        "identities": ["arn:aws:iam::123456789012:role/hyperpod"],
        "encrypted": True,
        "instance_types": ["ml.m5.xlarge", "ml.p5.48xlarge", "ml.p5en.48xlarge"],
        "node_count": 12,
        "instance_groups": [
            {
                "name": "login",
                "instance_types": ["ml.m5.xlarge"],
                "subnet_ids": [subnet("subnet-2")],
                "firewall_ids": [firewall("sg-2")],
                "root_key_id": "",
                "volume_key_ids": [],
            },
            {"name": "nova", "instance_types": ["ml.p5en.48xlarge"], **mine, "root_key_id": "", "volume_key_ids": [""]},
            {"name": "workers", "instance_types": ["ml.p5.48xlarge"], **mine, "root_key_id": KEY, "volume_key_ids": [KEY]},
        ],
        "subnet_ids": [subnet("subnet-1"), subnet("subnet-2")],
        "firewall_ids": [firewall("sg-1"), firewall("sg-2")],
        "script_uris": ["s3://scripts/hyperpod"],
        "auto_recovery": False,
    }


def test_a_cluster_without_a_network():
    (only,) = described(InstanceGroups=[group("workers")]).named("llm").facts["instance_groups"]
    assert (only["subnet_ids"], only["firewall_ids"]) == ([], [])


def test_a_group_may_take_several_sizes():
    flexible = {
        "InstanceGroupName": "g",
        "InstanceRequirements": {"CurrentInstanceTypes": ["ml.p5.48xlarge"], "DesiredInstanceTypes": ["ml.p4d.24xlarge"]},
    }
    assert described(InstanceGroups=[flexible]).named("llm").facts["instance_types"] == ["ml.p4d.24xlarge", "ml.p5.48xlarge"]


def test_a_group_without_a_name_makes_its_cluster_unknown():
    cluster = described(InstanceGroups=[{"InstanceType": "ml.p5.48xlarge"}]).named("llm")
    assert cluster.gaps["instance_groups"].reason is Reason.UNPARSABLE


def test_clusters_on_their_way_out_are_left_out():
    assert [described(status).ids() for status in ("Deleting", "Failed", "Updating")] == [[], [], [ARN]]


def test_a_cluster_of_moto(boto, look):
    boto("sagemaker").create_cluster(
        ClusterName="llm",
        InstanceGroups=[
            {
                "InstanceCount": 2,
                "InstanceGroupName": "workers",
                "InstanceType": "ml.p5.48xlarge",
                "LifeCycleConfig": {"SourceS3Uri": "s3://sagemaker-scripts/x", "OnCreate": "on_create.sh"},
                "ExecutionRole": ROLE,
                "ThreadsPerCore": 1,
                "InstanceStorageConfigs": [volume("1234", root=True)],
            }
        ],
        VpcConfig={"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
        Tags=[{"Key": "team", "Value": "nlp"}],
    )
    seen = look(hyperpod.CLUSTERS)
    assert seen.failed() == []
    cluster = seen.named("llm")
    assert cluster.tags == {"team": "nlp"}
    assert set(cluster.gaps) == {"auto_recovery"}, "moto leaves it out"
    assert cluster.facts["instance_groups"] == [
        {
            "name": "workers",
            "instance_types": ["ml.p5.48xlarge"],
            "subnet_ids": [subnet("subnet-1")],
            "firewall_ids": [firewall("sg-1")],
            "root_key_id": KEY,
            "volume_key_ids": [],
        }
    ]
    assert (cluster.facts["node_count"], cluster.facts["script_uris"]) == (2, ["s3://sagemaker-scripts/x"])
