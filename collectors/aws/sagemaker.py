"""SageMaker: notebook instances, endpoint configurations and endpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.nvme import local_nvme
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

NOTEBOOK = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateNotebookInstance.html"
IMDS = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_InstanceMetadataServiceConfiguration.html"
CONFIG = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateEndpointConfig.html"
VARIANT = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_ProductionVariant.html"
CAPTURE = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_DataCaptureConfig.html"
ASYNC = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_AsyncInferenceOutputConfig.html"
AT_REST = "https://docs.aws.amazon.com/sagemaker/latest/dg/encryption-at-rest-nbi.html"
"""Volumes for which no key is named are encrypted with one of SageMaker's own."""

REDACT = ("Environment", "HyperParameters", "Url")
"""`Url` opens a notebook."""

GONE = ("Deleting", "Failed")


def exists(notebook: Mapping[str, Any]) -> bool:
    """The notebook instance is one that runs or can run."""
    return notebook.get("NotebookInstanceStatus") not in GONE


def instance_types(variants: list[Mapping[str, Any]] | None, shadows: list[Mapping[str, Any]] | None) -> list[str]:
    """Sizes of all variants and of their pools; a serverless variant has none."""
    return sorted({t for v in (*(variants or []), *(shadows or [])) for t in _types(v)})


def local_nvme_only(variants: list[Mapping[str, Any]] | None, shadows: list[Mapping[str, Any]] | None) -> bool:
    """Whether no variant has a volume that could take a key: local NVMe everywhere, or serverless. KeyError for an unknown size."""
    return all([local_nvme(t) for t in instance_types(variants, shadows)])  # noqa: C419 - every size must be known


def _types(variant: Mapping[str, Any]) -> list[str]:
    if variant.get("ServerlessConfig"):
        return []
    pools = [p["InstanceType"] for p in variant.get("InstancePools") or []]
    return pools or [variant["InstanceType"]]


def models(
    partition: str, region: str, account: str, variants: list[Mapping[str, Any]] | None, shadows: list[Mapping[str, Any]] | None
) -> list[str]:
    """The models of all variants; a variant without one serves inference components."""
    named = [v.get("ModelName") for v in (*(variants or []), *(shadows or []))]
    return arn.arns("sagemaker", "model", partition, region, account, named)


def shell(variants: list[Mapping[str, Any]] | None, shadows: list[Mapping[str, Any]] | None) -> bool:
    """Some variant lets people into its containers."""
    return any(v.get("EnableSSMAccess") is True for v in (*(variants or []), *(shadows or [])))


def places(*found: str | None) -> list[str]:
    """The places in buckets that are named."""
    return sorted({uri for uri in found if uri})


def direct_internet(access: str | None, subnet: str | None) -> bool:
    """The notebook has SageMaker's own way to the internet: asked for, by default, or because it is in no network of the customer."""
    return {"Enabled": True, "Disabled": False, None: True}[access] or not subnet


def tags_of(path: str) -> Call:
    """The tags of the resource whose ARN stands at `path`."""
    return Call("sagemaker", "list_tags", args={"ResourceArn": path}, take="Tags")


NOTEBOOKS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::NotebookInstance",
    list=Call("sagemaker", "list_notebook_instances", take="NotebookInstances"),
    keep=exists,
    id=Field("item.NotebookInstanceArn"),
    name=Field("item.NotebookInstanceName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "notebook": Call("sagemaker", "describe_notebook_instance", args={"NotebookInstanceName": "item.NotebookInstanceName"}),
        "tags": tags_of("item.NotebookInstanceArn"),
    },
    facts={
        "service_type": Const("notebook"),
        "identity": Field("notebook.RoleArn"),
        "encrypted": Field("notebook.NotebookInstanceName", lambda _: True, source=AT_REST),
        "key_id": arn.key("notebook.KmsKeyId", source=AT_REST),
        "direct_internet": Field(
            ("notebook.DirectInternetAccess", "notebook.SubnetId"), direct_internet, absent=True, source=NOTEBOOK
        ),
        "root_access": Field("notebook.RootAccess", {"Enabled": True, "Disabled": False}, absent=True, source=NOTEBOOK),
        "subnet_id": arn.one("subnet", "notebook.SubnetId", absent=""),
        "instance_types": Field("notebook.InstanceType", lambda size: [size]),
        # NOTE: a notebook's ML storage volume is always EBS and takes a key, whatever disks the size has besides: NOTEBOOK, VolumeSizeInGB
        "local_nvme_only": Const(value=False),
        "capture_enabled": Const(value=False),
        "capture_key_id": Const(""),
        "output_written": Const(value=False),
        "output_key_id": Const(""),
        "metadata_token_required": Field(
            "notebook.InstanceMetadataServiceConfiguration.MinimumInstanceMetadataServiceVersion",
            {"1": False, "2": True},
            absent=False,
            source=IMDS,
        ),
    },
    redact=REDACT,
)

_VARIANTS = ("config.ProductionVariants", "config.ShadowProductionVariants")

CONFIGS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::EndpointConfig",
    list=Call("sagemaker", "list_endpoint_configs", take="EndpointConfigs"),
    id=Field("item.EndpointConfigArn"),
    name=Field("item.EndpointConfigName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "config": Call("sagemaker", "describe_endpoint_config", args={"EndpointConfigName": "item.EndpointConfigName"}),
        "tags": tags_of("item.EndpointConfigArn"),
    },
    facts={
        "service_type": Const("endpoint_config"),
        "encrypted": Field("config.EndpointConfigName", lambda _: True, source=AT_REST),
        "key_id": arn.key("config.KmsKeyId", source=CONFIG),
        "instance_types": Field(_VARIANTS, instance_types),
        "local_nvme_only": Field(_VARIANTS, local_nvme_only, source=CONFIG),
        "capture_enabled": Field("config.DataCaptureConfig.EnableCapture", absent=False, source=CAPTURE),
        "capture_key_id": arn.key("config.DataCaptureConfig.KmsKeyId", source=CAPTURE),
        "output_written": Field("config.AsyncInferenceConfig.OutputConfig", bool, absent=False, source=ASYNC),
        "output_key_id": arn.key("config.AsyncInferenceConfig.OutputConfig.KmsKeyId", source=ASYNC),
        "network_isolation": Field("config.EnableNetworkIsolation", absent=False, source=CONFIG),
        "subnet_ids": arn.many("subnet", "config.VpcConfig.Subnets"),
        "firewall_ids": arn.many("security-group", "config.VpcConfig.SecurityGroupIds"),
        "model_ids": Field((*arn.PLACE, *_VARIANTS), models),
        "interactive_access": Field(_VARIANTS, shell, source=VARIANT),
        "output_uris": Field(
            (
                "config.EndpointConfigName",
                "config.DataCaptureConfig.DestinationS3Uri",
                "config.AsyncInferenceConfig.OutputConfig.S3OutputPath",
                "config.AsyncInferenceConfig.OutputConfig.S3FailurePath",
            ),
            lambda _, *found: places(*found),
            source=CAPTURE,
        ),
    },
    redact=REDACT,
)

ENDPOINTS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::Endpoint",
    list=Call("sagemaker", "list_endpoints", take="Endpoints"),
    id=Field("item.EndpointArn"),
    name=Field("item.EndpointName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "endpoint": Call("sagemaker", "describe_endpoint", args={"EndpointName": "item.EndpointName"}),
        "tags": tags_of("item.EndpointArn"),
    },
    facts={
        "service_type": Const("endpoint"),
        "config_id": arn.one("endpoint-config", "endpoint.EndpointConfigName", service="sagemaker"),
        "capture_enabled": Field("endpoint.DataCaptureConfig.EnableCapture", absent=False, source=CAPTURE),
        "capture_key_id": arn.key("endpoint.DataCaptureConfig.KmsKeyId", source=CAPTURE),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (NOTEBOOKS, CONFIGS, ENDPOINTS)
