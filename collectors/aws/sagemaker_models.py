"""SageMaker models, and the scripts that notebook instances run when they start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from collectors import secrets
from collectors.aws import arn
from collectors.aws.sagemaker import REDACT, tags_of
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

MODEL = "https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_CreateModel.html"
REDUCE = {"Environment": secrets.findings}
SCRIPTS = {"Content": secrets.encoded}

Container = Mapping[str, Any]


def containers(primary: Container | None, more: Iterable[Container] | None) -> list[Container]:
    """The containers of a model: one, or a pipeline of several."""
    return [c for c in (primary, *(more or ())) if c]


def model_data(primary: Container | None, more: Iterable[Container] | None) -> list[str]:
    """Where the weights lie. Models of the Hub or of the marketplace lie with their makers, and name no place."""
    return sorted({uri for c in containers(primary, more) for uri in _places(c) if uri})


def _places(container: Container) -> Iterator[str | None]:
    yield container.get("ModelDataUrl")
    sources = [container.get("ModelDataSource"), *(container.get("AdditionalModelDataSources") or ())]
    for source in sources:
        yield ((source or {}).get("S3DataSource") or {}).get("S3Uri")


def images(primary: Container | None, more: Iterable[Container] | None) -> list[str]:
    """The images it serves from; none for a package of the marketplace."""
    return sorted({c["Image"] for c in containers(primary, more) if c.get("Image")})


def container_secrets(primary: Container | None, more: Iterable[Container] | None) -> list[dict[str, str]]:
    """Secrets in the environments of the containers."""
    found = containers(primary, more)
    made = [secrets.listed(c.get("Environment")) for c in found]
    return (
        secrets.listed(*made)
        if len(found) == 1
        else [each for number, part in enumerate(made, 1) for each in secrets.within(f"container {number}", part)]
    )


def script_secrets(created: Iterable[Container] | None, started: Iterable[Container] | None) -> list[dict[str, str]]:
    """Secrets in the scripts of a lifecycle configuration."""
    both = {"OnCreate": created, "OnStart": started}
    return [f for name, hooks in both.items() for hook in hooks or () for f in secrets.within(name, hook.get("Content") or [])]


_CONTAINERS = ("model.PrimaryContainer", "model.Containers")

MODELS = Table(
    kind="model_service",
    native_type="AWS::SageMaker::Model",
    list=Call("sagemaker", "list_models", take="Models"),
    id=Field("item.ModelArn"),
    name=Field("item.ModelName"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "model": Call("sagemaker", "describe_model", args={"ModelName": "item.ModelName"}, reduce=REDUCE),
        "tags": tags_of("item.ModelArn"),
    },
    facts={
        "service_type": Const("model"),
        "identity": Field("model.ExecutionRoleArn", absent="", source=MODEL),
        "model_ids": Const([]),
        "aws.account": Field(arn.ACCOUNT),
        "network_isolation": Field("model.EnableNetworkIsolation", absent=False, source=MODEL),
        "subnet_ids": arn.many("subnet", "model.VpcConfig.Subnets"),
        "firewall_ids": arn.many("security-group", "model.VpcConfig.SecurityGroupIds"),
        "input_uris": Field(("model.ModelName", *_CONTAINERS), lambda _, *found: model_data(*found)),
        "images": Field(("model.ModelName", *_CONTAINERS), lambda _, *found: images(*found)),
        "environment_secrets": Field(("model.ModelName", *_CONTAINERS), lambda _, *found: container_secrets(*found)),
    },
    redact=REDACT,
)

SCRIPTED = Table(
    kind="model_service",
    native_type="AWS::SageMaker::NotebookInstanceLifecycleConfig",
    list=Call("sagemaker", "list_notebook_instance_lifecycle_configs", take="NotebookInstanceLifecycleConfigs"),
    id=Field("item.NotebookInstanceLifecycleConfigArn"),
    name=Field("item.NotebookInstanceLifecycleConfigName"),
    detail={
        "config": Call(
            "sagemaker",
            "describe_notebook_instance_lifecycle_config",
            args={"NotebookInstanceLifecycleConfigName": "item.NotebookInstanceLifecycleConfigName"},
            reduce=SCRIPTS,
        )
    },
    facts={
        "service_type": Const("lifecycle_config"),
        "environment_secrets": Field(
            ("config.NotebookInstanceLifecycleConfigName", "config.OnCreate", "config.OnStart"),
            lambda _, *found: script_secrets(*found),
        ),
    },
    redact=REDACT,
)

TABLES: tuple[Table, ...] = (MODELS, SCRIPTED)
