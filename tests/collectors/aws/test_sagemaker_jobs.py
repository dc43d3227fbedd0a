"""Training and processing jobs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from collectors.aws import sagemaker_jobs as jobs
from collectors.aws.collect import since
from scanner.model import Reason
from tests.collectors.aws.answers import given

ROLE = "arn:aws:iam::123456789012:role/sm"
HERE = "us-east-1:123456789012"
ARN = f"arn:aws:sagemaker:{HERE}:training-job/llm"
KEY = f"arn:aws:kms:{HERE}:key/1234"
IMAGE = f"{'1' * 12}.dkr.ecr.us-east-1.amazonaws.com/train@sha256:{'a' * 64}"
TOKEN = "hf_" + "aBcDeFgHiJ" * 3 + "kLmN"


def trained(**changes):
    return {
        "TrainingJobName": "llm",
        "TrainingJobArn": ARN,
        "RoleArn": ROLE,
        "ModelArtifacts": {"S3ModelArtifacts": "s3://runs/llm/model.tar.gz"},
        "TrainingJobStatus": "InProgress",
        "SecondaryStatus": "Training",
        "AlgorithmSpecification": {"TrainingImage": IMAGE, "TrainingInputMode": "File"},
        "ResourceConfig": {"InstanceType": "ml.p5.48xlarge", "InstanceCount": 2, "VolumeSizeInGB": 1},
        "OutputDataConfig": {"S3OutputPath": "s3://runs/llm"},
        "StoppingCondition": {},
        "CreationTime": datetime(2026, 1, 1, tzinfo=UTC),
        **changes,
    }


def training(**changes):
    answers = {
        "sagemaker:list_training_jobs": {
            "TrainingJobSummaries": [
                {
                    "TrainingJobName": "llm",
                    "TrainingJobArn": ARN,
                    "CreationTime": datetime(2026, 1, 1, tzinfo=UTC),
                    "TrainingJobStatus": "InProgress",
                }
            ]
        },
        "sagemaker:describe_training_job": trained(**changes),
        "sagemaker:list_tags": {"Tags": []},
    }
    seen = given(jobs.TRAINING_JOBS, answers=answers)
    return seen.named("llm"), seen


def test_a_training_job_with_everything():
    job, seen = training(
        Environment={"HF_TOKEN": TOKEN, "EPOCHS": "3"},
        HyperParameters={"lr": "0.1"},
        InputDataConfig=[
            {"ChannelName": "train", "DataSource": {"S3DataSource": {"S3DataType": "S3Prefix", "S3Uri": "s3://corpus/v3"}}},
            {
                "ChannelName": "fs",
                "DataSource": {
                    "FileSystemDataSource": {
                        "FileSystemId": "fs-1",
                        "FileSystemAccessMode": "ro",
                        "FileSystemType": "FSxLustre",
                        "DirectoryPath": "/x",
                    }
                },
            },
        ],
        OutputDataConfig={"S3OutputPath": "s3://runs/llm", "KmsKeyId": "1234"},
        ResourceConfig={"InstanceType": "ml.p3.16xlarge", "InstanceCount": 4, "VolumeSizeInGB": 500, "VolumeKmsKeyId": "1234"},
        CheckpointConfig={"S3Uri": "s3://ckpt/llm"},
        DebugHookConfig={"S3OutputPath": "s3://tensors"},
        VpcConfig={"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
        StoppingCondition={"MaxRuntimeInSeconds": 100},
        EnableNetworkIsolation=True,
        EnableInterContainerTrafficEncryption=True,
        EnableManagedSpotTraining=True,
        RemoteDebugConfig={"EnableRemoteDebug": True},
    )
    assert job.gaps == {}
    assert [f["location"] for f in job.facts["environment_secrets"]] == ["HF_TOKEN"]
    assert {k: v for k, v in job.facts.items() if k != "environment_secrets"} == {
        "service_type": "training_job",
        "identity": ROLE,
        "encrypted": True,
        "key_id": KEY,
        "instance_types": ["ml.p3.16xlarge"],
        "local_nvme_only": False,
        "node_count": 4,
        "serverless": False,
        "output_written": True,
        "output_key_id": KEY,
        "input_uris": ["s3://corpus/v3"],
        "output_uris": ["s3://runs/llm", "s3://tensors"],
        "checkpoint_uris": ["s3://ckpt/llm"],
        "file_systems": [f"arn:aws:fsx:{HERE}:file-system/fs-1"],
        "subnet_ids": [f"arn:aws:ec2:{HERE}:subnet/subnet-1"],
        "firewall_ids": [f"arn:aws:ec2:{HERE}:security-group/sg-1"],
        "network_isolation": True,
        "traffic_encrypted": True,
        "interactive_access": True,
        "spot": True,
        "max_runtime_seconds": 100,
        "images": [IMAGE],
    }
    assert TOKEN not in str(seen.answers) + str(seen.resources)


def test_what_a_training_job_leaves_out_is_its_documented_default():
    facts = training()[0].facts
    assert facts["local_nvme_only"] is True, "a p5 rejects a volume key: DescribeTrainingJob, VolumeKmsKeyId"
    assert (facts["key_id"], facts["output_key_id"], facts["checkpoint_uris"], facts["subnet_ids"]) == ("", "", [], [])
    assert (facts["network_isolation"], facts["traffic_encrypted"], facts["interactive_access"], facts["spot"]) == (False,) * 4
    assert (facts["max_runtime_seconds"], facts["environment_secrets"], facts["input_uris"]) == (86_400, [], [])


def test_a_serverless_job_has_no_machines():
    # the answer of a managed fine-tuning job has no ResourceConfig: API_ServerlessJobConfig
    described = trained(ServerlessJobConfig={"BaseModelArn": "arn:aws:sagemaker:::hub-content/x", "JobType": "FineTuning"})
    del described["ResourceConfig"]
    job, _ = training()
    answers = {
        "sagemaker:list_training_jobs": {"TrainingJobSummaries": [{"TrainingJobName": "llm", "TrainingJobArn": ARN}]},
        "sagemaker:describe_training_job": described,
        "sagemaker:list_tags": {"Tags": [{"Key": "team", "Value": "nlp"}]},
    }
    job = given(jobs.TRAINING_JOBS, answers=answers).named("llm")
    facts = ("serverless", "instance_types", "local_nvme_only", "node_count")
    assert [job.facts[f] for f in facts] == [True, [], True, 0]
    assert job.tags == {"team": "nlp"}


def test_a_job_that_may_not_be_described_is_unknown():
    answers = {
        "sagemaker:list_training_jobs": {"TrainingJobSummaries": [{"TrainingJobName": "llm", "TrainingJobArn": ARN}]},
        "sagemaker:describe_training_job": "AccessDeniedException",
        "sagemaker:list_tags": {"Tags": []},
    }
    job = given(jobs.TRAINING_JOBS, answers=answers).named("llm")
    assert set(job.gaps) == set(jobs.TRAINING_JOBS.facts) - {"service_type"}
    assert {g.reason for g in job.gaps.values()} == {Reason.DENIED}


@pytest.mark.parametrize(
    ("resources", "sizes", "nvme", "count"),
    [
        ({"InstanceType": "ml.m5.large", "InstanceCount": 1}, ["ml.m5.large"], False, 1),
        (
            {
                "InstanceGroups": [
                    {"InstanceGroupName": "a", "InstanceType": "ml.p4d.24xlarge", "InstanceCount": 2},
                    {"InstanceGroupName": "b", "InstanceType": "ml.c5.xlarge", "InstanceCount": 1},
                ]
            },
            ["ml.c5.xlarge", "ml.p4d.24xlarge"],
            False,
            3,
        ),
        (
            {
                "InstancePreferences": [
                    {"InstanceType": "ml.g5.xlarge", "InstanceCount": 2},
                    {"InstanceType": "ml.p5.48xlarge", "InstanceCount": 1},
                ]
            },
            ["ml.g5.xlarge", "ml.p5.48xlarge"],
            True,
            2,
        ),
        (
            {
                "InstancePreferences": [{"InstanceType": "ml.g5.xlarge", "InstanceCount": 2}],
                "SelectedInstanceType": "ml.m5.large",
                "SelectedInstanceCount": 4,
            },
            ["ml.m5.large"],
            False,
            4,
        ),
        (None, [], True, 0),
    ],
    ids=["one size", "groups", "preferences", "chosen", "serverless"],
)
def test_machines(resources, sizes, nvme, count):
    assert (jobs.sizes(resources), jobs.local_nvme_only(resources), jobs.machines(resources)) == (sizes, nvme, count)


@pytest.mark.parametrize("read", [jobs.sizes, jobs.local_nvme_only, jobs.machines])
def test_machines_of_which_nothing_is_said_are_not_none(read):
    with pytest.raises((KeyError, ValueError)):
        read({"VolumeSizeInGB": 1})


def test_the_window():
    assert since("2026-11-30T12:00:00Z") == "2026-10-31T12:00:00+00:00"


def test_the_window_is_asked_of_the_service(boto, look):
    boto("sagemaker").create_training_job(
        TrainingJobName="recent",
        RoleArn=ROLE,
        AlgorithmSpecification={"TrainingImage": IMAGE, "TrainingInputMode": "File"},
        OutputDataConfig={"S3OutputPath": "s3://runs"},
        ResourceConfig={"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 1},
        StoppingCondition={"MaxRuntimeInSeconds": 3600},
        HyperParameters={"api_key": TOKEN},
        Tags=[{"Key": "team", "Value": "nlp"}],
    )
    seen = look(jobs.TRAINING_JOBS)
    assert seen.failed() == []
    job = seen.named("recent")
    assert (job.gaps, job.tags, job.facts["output_uris"], job.facts["max_runtime_seconds"]) == (
        {},
        {"team": "nlp"},
        ["s3://runs"],
        3600,
    )
    assert [f["location"] for f in job.facts["environment_secrets"]] == ["api_key"]
    assert TOKEN not in str(seen.answers)


PROCESSED = f"arn:aws:sagemaker:{HERE}:processing-job/clean"


def processed(**changes):
    answers = {
        "sagemaker:list_processing_jobs": {
            "ProcessingJobSummaries": [{"ProcessingJobName": "clean", "ProcessingJobArn": PROCESSED}]
        },
        "sagemaker:describe_processing_job": {
            "ProcessingJobName": "clean",
            "RoleArn": ROLE,
            "ProcessingJobArn": PROCESSED,
            "ProcessingResources": {"ClusterConfig": {"InstanceCount": 2, "InstanceType": "ml.m5.xlarge", "VolumeSizeInGB": 30}},
            "AppSpecification": {"ImageUri": IMAGE},
            "ProcessingJobStatus": "Completed",
            **changes,
        },
        "sagemaker:list_tags": {"Tags": []},
    }
    return given(jobs.PROCESSING_JOBS, answers=answers).named("clean")


def test_a_processing_job_with_everything():
    job = processed(
        ProcessingInputs=[
            {"InputName": "a", "S3Input": {"S3Uri": "s3://raw/web", "S3DataType": "S3Prefix"}},
            {
                "InputName": "b",
                "DatasetDefinition": {
                    "AthenaDatasetDefinition": {
                        "Catalog": "c",
                        "Database": "d",
                        "QueryString": "q",
                        "OutputS3Uri": "s3://athena/out",
                        "OutputFormat": "PARQUET",
                    }
                },
            },
        ],
        ProcessingOutputConfig={
            "Outputs": [{"OutputName": "o", "S3Output": {"S3Uri": "s3://corpus/v3", "S3UploadMode": "EndOfJob"}}],
            "KmsKeyId": "1234",
        },
        NetworkConfig={
            "EnableInterContainerTrafficEncryption": True,
            "EnableNetworkIsolation": True,
            "VpcConfig": {"Subnets": ["subnet-1"], "SecurityGroupIds": ["sg-1"]},
        },
        Environment={"DB_PASSWORD": "s3cr3t-Pa55w0rd"},
    )
    assert job.gaps == {}
    assert [f["location"] for f in job.facts["environment_secrets"]] == ["DB_PASSWORD"]
    assert {k: v for k, v in job.facts.items() if k != "environment_secrets"} == {
        "service_type": "processing_job",
        "identity": ROLE,
        "encrypted": True,
        "key_id": "",
        "instance_types": ["ml.m5.xlarge"],
        "local_nvme_only": False,
        "node_count": 2,
        "serverless": False,
        "output_written": True,
        "output_key_id": KEY,
        "input_uris": ["s3://athena/out", "s3://raw/web"],
        "output_uris": ["s3://corpus/v3"],
        "subnet_ids": [f"arn:aws:ec2:{HERE}:subnet/subnet-1"],
        "firewall_ids": [f"arn:aws:ec2:{HERE}:security-group/sg-1"],
        "network_isolation": True,
        "traffic_encrypted": True,
        "images": [IMAGE],
    }


def test_what_a_processing_job_leaves_out():
    facts = processed().facts
    assert (facts["output_written"], facts["output_uris"], facts["input_uris"], facts["subnet_ids"]) == (False, [], [], [])
    assert (facts["network_isolation"], facts["traffic_encrypted"], facts["environment_secrets"]) == (False, False, [])
    dark = processed(ProcessingResources={})
    assert set(dark.gaps) == {"instance_types", "local_nvme_only", "node_count"}
