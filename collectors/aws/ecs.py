"""Elastic Container Service: the latest active revision of each family of task definitions.

A service that still runs an older revision is not seen. AWS Batch makes task definitions of its own; they are read like any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors import secrets
from collectors.aws import arn
from collectors.table import Call, Field, Table

PARAMETERS = "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task_definition_parameters.html"
EFS = "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_EFSVolumeConfiguration.html"
GPUS = "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-gpu.html"
NEURON = "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs-inference.html"

REDUCE = {"environment": secrets.pairs, "command": secrets.words, "entryPoint": secrets.words, "options": secrets.findings}
"""What holds secrets: variables, command lines, and options of log drivers."""

Container = Mapping[str, Any]


def accelerated(container: Container) -> bool:
    """It asks for a GPU, an inference accelerator or a Neuron device."""
    asked = container.get("resourceRequirements") or []
    devices = (container.get("linuxParameters") or {}).get("devices") or []
    return any(r["type"] in ("GPU", "InferenceAccelerator") for r in asked) or any(
        str(d.get("hostPath")).startswith(("/dev/neuron", "/dev/nvidia", "/dev/infiniband")) for d in devices
    )


def containers(found: Iterable[Container]) -> list[dict[str, Any]]:
    """Containers in the words of pods, as far as tasks have the same; what they leave out is off."""
    return [
        {
            "name": c["name"],
            "type": "container",
            "image": c["image"],
            "privileged": bool(c.get("privileged")),
            "accelerator": accelerated(c),
        }
        for c in found
    ]


def any_accelerated(found: Iterable[Container]) -> bool:
    """Some container has an accelerator."""
    return any(accelerated(c) for c in found)


def images(found: Iterable[Container]) -> list[str]:
    """The images of all containers."""
    return sorted({str(c["image"]) for c in found})


def environment_secrets(found: Iterable[Container]) -> list[dict[str, str]]:
    """What `REDUCE` found in the containers."""
    made = []
    for container in found:
        check, log = container.get("healthCheck") or {}, container.get("logConfiguration") or {}
        parts = [container.get(p) for p in ("environment", "command", "entryPoint")]
        made += secrets.within(str(container["name"]), secrets.listed(*parts, check.get("command"), log.get("options")))
    return made


def mounts(partition: str, region: str, account: str, _: Any, volumes: Iterable[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """EFS volumes. Without a word on encryption in transit there is none."""
    return [
        {
            "volume": v["name"],
            "store_id": arn.arn("elasticfilesystem", "file-system", partition, region, account, efs["fileSystemId"]),
            "tls": efs.get("transitEncryption") == "ENABLED",
        }
        for v in volumes or []
        if (efs := v.get("efsVolumeConfiguration"))
    ]


_FOUND = "task.taskDefinition.containerDefinitions"
_ARN = "task.taskDefinition.taskDefinitionArn"


def _is(mode: str) -> Field:
    """Whether a mode of the task is the host's."""
    return Field((_ARN, f"task.taskDefinition.{mode}"), lambda _, value: value == "host", source=PARAMETERS)


TASKS = Table(
    kind="workload",
    native_type="AWS::ECS::TaskDefinition",
    # NOTE: the name of a family stands for its latest active revision, so old revisions are never asked for. The id has no revision:
    # a new one does not make a new resource
    list=Call("ecs", "list_task_definition_families", fixed={"status": "ACTIVE"}, take="families"),
    id=arn.one("task-definition", "item", service="ecs"),
    name=Field("item"),
    tags=arn.tags("task.tags"),
    detail={
        "task": Call("ecs", "describe_task_definition", args={"taskDefinition": "item"}, fixed={"include": ["TAGS"]}, reduce=REDUCE)
    },
    facts={
        "aws.account": Field(arn.ACCOUNT),
        "aws.revision": Field("task.taskDefinition.revision"),
        "containers": Field(_FOUND, containers, source=PARAMETERS),
        "images": Field(_FOUND, images),
        "accelerator": Field(_FOUND, any_accelerated, source=GPUS),
        "host_pid": _is("pidMode"),
        "host_ipc": _is("ipcMode"),
        "host_network": _is("networkMode"),
        "mounts": Field((*arn.PLACE, _ARN, "task.taskDefinition.volumes"), mounts, source=EFS),
        "environment_secrets": Field(_FOUND, environment_secrets),
    },
)

TABLES: tuple[Table, ...] = (TASKS,)
