"""SageMaker training and processing jobs, of the last 30 days, and the definitions of jobs that watch the quality of data.

Lists of jobs never end, so they are asked from a moment on. No job runs longer than 28 days, so what runs is always seen:
https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_StoppingCondition.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors import secrets
from collectors.aws import arn
from collectors.aws.nvme import local_nvme
from collectors.aws.sagemaker import AT_REST, REDACT, tags_of
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

TRAINING = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateTrainingJob.html"
PROCESSING = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateProcessingJob.html"
RESOURCES = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ResourceConfig.html"
NETWORK = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_NetworkConfig.html"
MONITORING = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_MonitoringNetworkConfig.html"
OUTPUT = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_OutputDataConfig.html"
STOPPING = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_StoppingCondition.html"
REMOTE_DEBUG = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_RemoteDebugConfig.html"
REDUCE = {"Environment": secrets.findings, "HyperParameters": secrets.findings}
DAY = 86_400

Resources = Mapping[str, Any] | None
"""`ResourceConfig` of a training job, `ClusterConfig` of a processing job; none where the provider runs it on machines of its own."""


def sizes(resources: Resources) -> list[str]:
    """Sizes of the machines. Of preferred sizes the one that was chosen counts, once it is."""
    if not resources:
        return []
    chosen = resources.get("SelectedInstanceType") or resources.get("InstanceType")
    groups = resources.get("InstanceGroups") or (() if chosen else resources.get("InstancePreferences") or ())
    found = {chosen} if chosen else {g["InstanceType"] for g in groups}
    if not found:
        msg = "machines without a size"
        raise ValueError(msg)
    return sorted(found)


def local_nvme_only(resources: Resources) -> bool:
    """Whether no machine has a volume that could take a key. KeyError for an unknown size."""
    return all([local_nvme(size) for size in sizes(resources)])  # noqa: C419 - every size must be known


def machines(resources: Resources) -> int:
    """How many machines work on it at once; of preferred sizes that were not chosen yet, the most."""
    if not resources:
        return 0
    groups = resources.get("InstanceGroups")
    if groups:
        return sum(int(g["InstanceCount"]) for g in groups)
    count = resources.get("SelectedInstanceCount") or resources.get("InstanceCount")
    if count is None:
        count = max(p["InstanceCount"] for p in resources["InstancePreferences"])
    return int(count)


def training_inputs(channels: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Where the channels of a training job read."""
    sources = [channel.get("DataSource") or {} for channel in channels or ()]
    return _uris(source.get("S3DataSource", {}).get("S3Uri") for source in sources)


def file_systems(partition: str, region: str, account: str, channels: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """The shared file systems that channels read or write."""
    found = [(c.get("DataSource") or {}).get("FileSystemDataSource") for c in channels or ()]
    kinds = {"FSxLustre": "fsx", "EFS": "elasticfilesystem"}
    return sorted(
        {
            str(arn.arn(kinds[f["FileSystemType"]], "file-system", partition, region, account, f["FileSystemId"]))
            for f in found
            if f is not None
        }
    )


def processing_inputs(inputs: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Where a processing job reads. What Athena or Redshift query for it first lies where they put it."""
    found = []
    for each in inputs or ():
        queried = each.get("DatasetDefinition") or {}
        found.append((each.get("S3Input") or {}).get("S3Uri"))
        found += [(queried.get(name) or {}).get("OutputS3Uri") for name in ("AthenaDatasetDefinition", "RedshiftDatasetDefinition")]
    return _uris(found)


def processing_outputs(outputs: Iterable[Mapping[str, Any]] | None) -> list[str]:
    """Where a processing job writes."""
    return _uris((each.get("S3Output") or {}).get("S3Uri") for each in outputs or ())


def outputs(*paths: str | None) -> list[str]:
    """Where a training job writes: its model, and what the debugger and the profiler keep of the tensors."""
    return _uris(paths)


def _uris(values: Iterable[str | None]) -> list[str]:
    return sorted({v for v in values if v})


def images(*named: str | None) -> list[str]:
    """The images it runs; none for an algorithm by name, which is one of the marketplace."""
    return sorted({i for i in named if i})


TRAINING_JOBS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::TrainingJob",
    list=Call("sagemaker", "list_training_jobs", args={"LastModifiedTimeAfter": "context.since"}, take="TrainingJobSummaries"),
    id=Field("item.TrainingJobArn"),
    name=Field("item.TrainingJobName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "job": Call("sagemaker", "describe_training_job", args={"TrainingJobName": "item.TrainingJobName"}, reduce=REDUCE),
        "tags": tags_of("item.TrainingJobArn"),
    },
    facts={
        "service_type": Const("training_job"),
        "identity": Field("job.RoleArn"),
        "encrypted": Field("job.TrainingJobName", lambda _: True, source=AT_REST),
        "key_id": arn.key("job.ResourceConfig.VolumeKmsKeyId", source=RESOURCES),
        "instance_types": Field(("job.TrainingJobName", "job.ResourceConfig"), lambda _, found: sizes(found)),
        "local_nvme_only": Field(
            ("job.TrainingJobName", "job.ResourceConfig"), lambda _, found: local_nvme_only(found), source=RESOURCES
        ),
        "node_count": Field(("job.TrainingJobName", "job.ResourceConfig"), lambda _, found: machines(found)),
        "serverless": Field(
            ("job.TrainingJobName", "job.ServerlessJobConfig"), lambda _, found: found is not None, source=TRAINING
        ),
        "output_written": Field("job.OutputDataConfig.S3OutputPath", bool, absent=False, source=OUTPUT),
        "output_key_id": arn.key("job.OutputDataConfig.KmsKeyId", source=OUTPUT),
        "input_uris": Field(("job.TrainingJobName", "job.InputDataConfig"), lambda _, found: training_inputs(found)),
        "output_uris": Field(
            (
                "job.TrainingJobName",
                "job.OutputDataConfig.S3OutputPath",
                "job.DebugHookConfig.S3OutputPath",
                "job.ProfilerConfig.S3OutputPath",
                "job.TensorBoardOutputConfig.S3OutputPath",
            ),
            lambda _, *found: outputs(*found),
        ),
        "checkpoint_uris": Field(
            ("job.TrainingJobName", "job.CheckpointConfig.S3Uri"), lambda _, found: outputs(found), source=TRAINING
        ),
        "file_systems": Field((*arn.PLACE, "job.InputDataConfig"), file_systems),
        "subnet_ids": arn.many("subnet", "job.VpcConfig.Subnets"),
        "firewall_ids": arn.many("security-group", "job.VpcConfig.SecurityGroupIds"),
        "network_isolation": Field("job.EnableNetworkIsolation", absent=False, source=TRAINING),
        "traffic_encrypted": Field("job.EnableInterContainerTrafficEncryption", absent=False, source=TRAINING),
        "interactive_access": Field("job.RemoteDebugConfig.EnableRemoteDebug", absent=False, source=REMOTE_DEBUG),
        "spot": Field("job.EnableManagedSpotTraining", absent=False, source=TRAINING),
        "max_runtime_seconds": Field("job.StoppingCondition.MaxRuntimeInSeconds", absent=DAY, source=STOPPING),
        "images": Field(("job.TrainingJobName", "job.AlgorithmSpecification.TrainingImage"), lambda _, image: images(image)),
        "environment_secrets": Field(
            ("job.TrainingJobName", "job.Environment", "job.HyperParameters"), lambda _, *found: secrets.listed(*found)
        ),
    },
    redact=REDACT,
)

PROCESSING_JOBS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::ProcessingJob",
    list=Call("sagemaker", "list_processing_jobs", args={"LastModifiedTimeAfter": "context.since"}, take="ProcessingJobSummaries"),
    id=Field("item.ProcessingJobArn"),
    name=Field("item.ProcessingJobName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "job": Call("sagemaker", "describe_processing_job", args={"ProcessingJobName": "item.ProcessingJobName"}, reduce=REDUCE),
        "tags": tags_of("item.ProcessingJobArn"),
    },
    facts={
        "service_type": Const("processing_job"),
        "identity": Field("job.RoleArn"),
        "encrypted": Field("job.ProcessingJobName", lambda _: True, source=AT_REST),
        "key_id": arn.key("job.ProcessingResources.ClusterConfig.VolumeKmsKeyId", source=PROCESSING),
        # NOTE: no resources, no sizes: every processing job has them, and an answer without tells nothing
        "instance_types": Field("job.ProcessingResources.ClusterConfig", sizes),
        "local_nvme_only": Field("job.ProcessingResources.ClusterConfig", local_nvme_only, source=PROCESSING),
        "node_count": Field("job.ProcessingResources.ClusterConfig", machines),
        "serverless": Const(value=False),
        "output_written": Field("job.ProcessingOutputConfig.Outputs[0]", bool, absent=False, source=PROCESSING),
        "output_key_id": arn.key("job.ProcessingOutputConfig.KmsKeyId", source=PROCESSING),
        "input_uris": Field(("job.ProcessingJobName", "job.ProcessingInputs"), lambda _, found: processing_inputs(found)),
        "output_uris": Field(
            ("job.ProcessingJobName", "job.ProcessingOutputConfig.Outputs"), lambda _, found: processing_outputs(found)
        ),
        "subnet_ids": arn.many("subnet", "job.NetworkConfig.VpcConfig.Subnets"),
        "firewall_ids": arn.many("security-group", "job.NetworkConfig.VpcConfig.SecurityGroupIds"),
        "network_isolation": Field("job.NetworkConfig.EnableNetworkIsolation", absent=False, source=NETWORK),
        "traffic_encrypted": Field("job.NetworkConfig.EnableInterContainerTrafficEncryption", absent=False, source=NETWORK),
        "images": Field(("job.ProcessingJobName", "job.AppSpecification.ImageUri"), lambda _, image: images(image)),
        "environment_secrets": Field(("job.ProcessingJobName", "job.Environment"), lambda _, found: secrets.listed(found)),
    },
    redact=REDACT,
)

DATA_QUALITY = Table(
    kind="model_service",
    native_type="AWS::SageMaker::DataQualityJobDefinition",
    list=Call("sagemaker", "list_data_quality_job_definitions", take="JobDefinitionSummaries"),
    id=Field("item.MonitoringJobDefinitionArn"),
    name=Field("item.MonitoringJobDefinitionName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "job": Call(
            "sagemaker",
            "describe_data_quality_job_definition",
            args={"JobDefinitionName": "item.MonitoringJobDefinitionName"},
            reduce=REDUCE,
        ),
        "tags": tags_of("item.MonitoringJobDefinitionArn"),
    },
    facts={
        "service_type": Const("monitoring"),
        "instance_types": Field("job.JobResources.ClusterConfig", sizes),
        "node_count": Field("job.JobResources.ClusterConfig", machines),
        "serverless": Const(value=False),
        "subnet_ids": arn.many("subnet", "job.NetworkConfig.VpcConfig.Subnets"),
        "firewall_ids": arn.many("security-group", "job.NetworkConfig.VpcConfig.SecurityGroupIds"),
        "network_isolation": Field("job.NetworkConfig.EnableNetworkIsolation", absent=False, source=MONITORING),
        "traffic_encrypted": Field("job.NetworkConfig.EnableInterContainerTrafficEncryption", absent=False, source=MONITORING),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (TRAINING_JOBS, PROCESSING_JOBS, DATA_QUALITY)
