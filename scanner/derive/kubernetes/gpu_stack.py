"""The images of the GPU stack that run in a cluster: by the last part of their path, whatever registry they are mirrored to."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive.kubernetes.types import unseen
from scanner.derive.world import World
from scanner.model import Gap, Resource, frozen

DAEMON_SET = "apps/v1/DaemonSet"
DEPLOYMENT = "apps/v1/Deployment"
TOOLKIT, OPERATOR, EXPORTER, DRIVER = "nvidia-container-toolkit", "nvidia-gpu-operator", "nvidia-dcgm-exporter", "nvidia-driver"
NETWORK_OPERATOR = "nvidia-network-operator"
IMAGES: Mapping[str, str] = {
    "container-toolkit": TOOLKIT,
    "gpu-operator": OPERATOR,
    "dcgm-exporter": EXPORTER,
    "driver": DRIVER,
    "network-operator": NETWORK_OPERATOR,
}
"""Last part of an image's path → the product in it."""
IMAGE = re.compile(r"^(?P<path>[^@]*?/)?(?P<name>[^/:@]+)(?::(?P<tag>[^@]+))?(?:@(?P<digest>.+))?$")
STACK: Mapping[str, tuple[str, ...]] = {
    DAEMON_SET: ("containers", "controller_id", "daemons", "namespace"),
    DEPLOYMENT: ("containers", "controller_id", "namespace"),
}
"""What a derivation that asks for the stack reads."""


@frozen
class Part:
    """A container with an image of the GPU stack."""

    workload: Resource
    container: str
    product: str
    version: str
    """Its tag; empty where it has none but a digest."""
    trusted: bool
    """Its path names NVIDIA: others have a `gpu-operator` as well."""


def parts_of(workload: Resource, world: World) -> list[Part] | Gap:
    """The containers of a workload that belong to the stack."""
    containers = world.fact(workload, "containers")
    if isinstance(containers, Gap):
        return containers
    found = []
    for container in containers:
        image = IMAGE.match(container["image"])
        product = IMAGES.get(image["name"]) if image else None
        if image and product and container["type"] == "container":
            found.append(Part(workload, container["name"], product, image["tag"] or "", "nvidia" in (image["path"] or "").lower()))
    return found


def stack(scope: str, world: World) -> tuple[list[Part], Gap | None]:
    """All DaemonSets and Deployments of the stack, and why there may be more."""

    def build() -> tuple[list[Part], Gap | None]:
        found: list[Part] = []
        gap: Gap | None = None
        for workload in world.all("workload", scope):
            if workload.native_type in (DAEMON_SET, DEPLOYMENT):
                parts = parts_of(workload, world)
                gap = parts if isinstance(parts, Gap) else gap
                found += [] if isinstance(parts, Gap) else parts
        return found, gap

    return world.memo(f"kubernetes.gpu_stack {scope}", build)


def owned(policy: Resource, product: str, world: World) -> list[Part]:
    """What an operator's object has made of a product."""
    parts, _ = stack(policy.scope, world)
    return [p for p in parts if p.product == product and world.fact(p.workload, "controller_id") == policy.id]


def not_all(policy: Resource, what: str, world: World) -> Gap | None:
    """Why there may be workloads of the stack that were not seen."""
    return unseen(world, policy, DAEMON_SET, what) or stack(policy.scope, world)[1]
