"""Where the processes of a training job find each other, and whether others may knock there.

The stores behind these ports (torch.distributed's TCPStore, Ray's GCS) take whatever connects and unpickle what it sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes import network
from scanner.derive.kubernetes.types import POD_LIKE
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

DEFAULTS: Mapping[str, tuple[tuple[int, ...], str]] = {
    # NOTE: the training operator's constants: https://github.com/kubeflow/trainer/tree/release-1.9/pkg/apis/kubeflow.org/v1
    "kubeflow.org/v1/PyTorchJob": ((23456,), "pytorchjob-port"),
    "kubeflow.org/v1/TFJob": ((2222,), "tfjob-port"),
    "kubeflow.org/v1/XGBoostJob": ((9999,), "xgboostjob-port"),
    "kubeflow.org/v1/PaddleJob": ((36543,), "master"),
    "kubeflow.org/v1/JAXJob": ((6666,), "jaxjob-port"),
    # https://github.com/kubeflow/trainer/blob/master/pkg/constants/constants.go
    "trainer.kubeflow.org/v1alpha1/TrainJob": ((29500,), ""),
    # https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/utils/constant.go
    "ray.io/v1/RayCluster": ((6379, 10001), ""),
    "ray.io/v1/RayJob": ((6379, 10001), ""),
    "ray.io/v1/RayService": ((6379, 10001), ""),
    "ray.io/v1/RayCronJob": ((6379, 10001), ""),
}
"""Type → the ports that its operator opens, and the name of the port that replaces them where a container declares it."""
LISTENERS = {"ray": ("head",), "kubeflow.org/v1/PyTorchJob": ("Master",)}
"""Parts of a job that listen on the default ports, where not all do."""
TORCH = frozenset({29500, 23456})
"""torch.distributed's, whoever opens it."""
SHARED = frozenset({2222, 6379, 10001, *range(50000, 50010)})
"""Ports that other software uses as well: rendezvous where there are accelerators."""
SERVED = frozenset({"serving.kserve.io/v1beta1/InferenceService", "machinelearning.seldon.io/v1/SeldonDeployment"})
"""Types whose containers may come from a runtime: servers that declare no such port are taken for no job."""


def ports(pod: Resource, world: World) -> list[int] | Gap:
    """The rendezvous ports of a workload."""
    defaults, name = DEFAULTS.get(pod.native_type, ((), ""))
    declared: Any = world.fact(pod, "container_ports")
    opened = _opened(pod, defaults)
    if isinstance(declared, Gap):
        if pod.native_type in SERVED:
            return []
        # NOTE: a port of this name would stand in place of the default
        return sorted(opened) if opened and not name else declared
    own = {p["port"] for p in declared if p["protocol"] == "TCP"}
    named = {p["port"] for p in declared if name and p["name"] == name}
    accelerated = bool(defaults) or world.fact(pod, "accelerator")
    if isinstance(accelerated, Gap) and own & SHARED:
        return accelerated
    return sorted((named or opened) | own & TORCH | (own & SHARED if accelerated is True else set()))


def _opened(pod: Resource, defaults: tuple[int, ...]) -> set[int]:
    """The default ports, where this part of the job is the one that listens."""
    group = "ray" if pod.native_type.startswith("ray.io/") else pod.native_type
    parts = LISTENERS.get(group)
    return set(defaults) if parts is None or pod.name.partition("/")[2] in parts else set()


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The rendezvous ports of a workload, and those that pods of other namespaces reach."""
    found = ports(pod, world)
    if isinstance(found, Gap):
        return {"rendezvous_ports": found, "rendezvous_open": found}
    truths = {port: network.port_open_across_namespaces(pod, port, world) for port in found}
    open_: list[JSON] = [port for port, truth in truths.items() if truth is True]
    gap = next((t for t in truths.values() if isinstance(t, Gap)), None)
    known: list[JSON] = [*found]
    return {"rendezvous_ports": known, "rendezvous_open": open_ or gap or []}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("rendezvous_ports", "rendezvous_open"),
        of_workload,
        needs=(*network.NEEDS, "accelerator"),
        reads=network.READS,
        native_types=POD_LIKE,
    ),
)
