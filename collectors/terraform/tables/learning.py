"""SageMaker: models, domains and what else the provider can make. Jobs and HyperPod clusters it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors import secrets
from collectors.aws import sagemaker_domains, sagemaker_jobs, sagemaker_models
from collectors.table import Const, Field, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import TAGS, docs, flat, key, many, names, one

MODEL = docs("aws_sagemaker_model")
DOMAIN = docs("aws_sagemaker_domain")
LIFECYCLE = docs("aws_sagemaker_notebook_instance_lifecycle_configuration")
DATA_QUALITY = docs("aws_sagemaker_data_quality_job_definition")


def container_secrets(primary: Any, more: Any) -> list[dict[str, str]]:
    """Secrets in the environments of the containers."""
    found = [_reduced(c) for c in flat(more)]
    return sagemaker_models.container_secrets(next((_reduced(c) for c in flat(primary)), None), found)


def _reduced(container: Mapping[str, Any]) -> dict[str, Any]:
    return {"Environment": secrets.findings(container.get("environment") or {})}


def script_secrets(created: str | None, started: str | None) -> list[dict[str, str]]:
    """Secrets in the scripts of a lifecycle configuration."""
    both = {"OnCreate": created, "OnStart": started}
    return [f for name, text in both.items() for f in secrets.within(name, secrets.encoded(text))]


def sharing(options: Any) -> bool:
    """Notebooks are shared with their output."""
    return "Allowed" in flat(options)


def first_size(sizes: Any) -> list[str]:
    """The one size of the machines of a job."""
    (size,) = flat(sizes)
    return [str(size)]


def count(counts: Any) -> int:
    """How many machines a job runs on."""
    (number,) = flat(counts)
    return int(number)


_CONTAINERS = ("item.primary_container[]", "item.container[]")
_USER = "item.default_user_settings[]"

MODELS = PlanTable(
    "model_service",
    "AWS::SageMaker::Model",
    "aws_sagemaker_model",
    {
        "service_type": Const("model"),
        "identity": Field("item.execution_role_arn", absent="", source=MODEL),
        "model_ids": Const([]),
        "aws.account": Field("context.account"),
        "network_isolation": Field("item.enable_network_isolation", absent=False, source=MODEL),
        "subnet_ids": many("subnet", "item.vpc_config[].subnets", source=MODEL),
        "firewall_ids": many("security-group", "item.vpc_config[].security_group_ids", source=MODEL),
        "input_uris": Field(
            tuple(
                f"{container}.{path}"
                for container in _CONTAINERS
                for path in ("model_data_url", "model_data_source[].s3_data_source[].s3_uri")
            ),
            lambda *found: names(flat(*found)),
            absent=[],
            source=MODEL,
        ),
        "images": Field(
            tuple(f"{container}.image" for container in _CONTAINERS), lambda *found: names(flat(*found)), absent=[], source=MODEL
        ),
        "environment_secrets": Field(
            tuple(pick(container, "environment") for container in _CONTAINERS), container_secrets, absent=[], source=MODEL
        ),
    },
    tags=TAGS,
)

DOMAINS = PlanTable(
    "model_service",
    "AWS::SageMaker::Domain",
    "aws_sagemaker_domain",
    {
        "service_type": Const("domain"),
        "identities": Field(
            (f"{_USER}.execution_role", "item.default_space_settings[].execution_role"), lambda *found: names(flat(*found))
        ),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_id", source=DOMAIN),
        "direct_internet": Field(
            "item.app_network_access_type",
            {"PublicInternetOnly": True, "VpcOnly": False},
            absent=True,
            source=sagemaker_domains.DOMAIN,
        ),
        "network_id": one("vpc", "item.vpc_id"),
        "subnet_ids": many("subnet", "item.subnet_ids", source=DOMAIN),
        "firewall_ids": many("security-group", f"{_USER}.security_groups", source=DOMAIN),
        "output_written": Field(f"{_USER}.sharing_settings[].notebook_output_option", sharing, absent=False, source=DOMAIN),
        "output_key_id": key(f"{_USER}.sharing_settings[].s3_kms_key_id", source=DOMAIN),
        "managed_by": Const(""),
    },
    name=Field("item.domain_name"),
    tags=TAGS,
)

SCRIPTED = PlanTable(
    "model_service",
    "AWS::SageMaker::NotebookInstanceLifecycleConfig",
    "aws_sagemaker_notebook_instance_lifecycle_configuration",
    {
        "service_type": Const("lifecycle_config"),
        "environment_secrets": Field(("item.on_create", "item.on_start"), script_secrets, absent=[], source=LIFECYCLE),
    },
    tags=TAGS,
)

WATCHED = PlanTable(
    "model_service",
    "AWS::SageMaker::DataQualityJobDefinition",
    "aws_sagemaker_data_quality_job_definition",
    {
        "service_type": Const("monitoring"),
        "instance_types": Field("item.job_resources[].cluster_config[].instance_type", first_size),
        "node_count": Field("item.job_resources[].cluster_config[].instance_count", count),
        "serverless": Const(value=False),
        "subnet_ids": many("subnet", "item.network_config[].vpc_config[].subnets", source=DATA_QUALITY),
        "firewall_ids": many("security-group", "item.network_config[].vpc_config[].security_group_ids", source=DATA_QUALITY),
        "network_isolation": Field(
            "item.network_config[0].enable_network_isolation", absent=False, source=sagemaker_jobs.MONITORING
        ),
        "traffic_encrypted": Field(
            "item.network_config[0].enable_inter_container_traffic_encryption", absent=False, source=sagemaker_jobs.MONITORING
        ),
    },
    tags=TAGS,
)

TABLES: tuple[PlanTable, ...] = (MODELS, DOMAINS, SCRIPTED, WATCHED)
