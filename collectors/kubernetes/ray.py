"""How the facts of Ray clusters are read, whichever object makes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.marks import MARKS
from collectors.kubernetes.shapes import Pod, pods_at
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING

Item = Mapping[str, Any]


def ray_pods(prefix: str) -> str:
    """Where the pods of a Ray cluster spec stand."""
    return f"head={prefix}.headGroupSpec.template.spec + {prefix}.workerGroupSpecs[groupName].template.spec"


def ray_cluster(item: Item) -> tuple[Mapping[str, Any], str]:
    """The cluster spec of a Ray object, and its path."""
    spec = mapping(item.get("spec"))
    for key in ("rayClusterSpec", "rayClusterConfig"):
        if isinstance(spec.get(key), Mapping):
            return spec[key], f"spec.{key}"
    return spec, "spec"


def has_ray_cluster(item: Item) -> bool:
    """Whether a Ray object makes a cluster of its own (a RayJob may select another)."""
    return isinstance(ray_cluster(item)[0].get("headGroupSpec"), Mapping)


def ray_auth(item: Item) -> Any:
    """`token` or `none`.

    NOTE: the operator's documentation says that `authOptions.mode` defaults to `token`; its code turns authentication on only where the
    mode is written (`IsAuthEnabled`), so `authOptions: {}` is none. Ray's own default is `disabled`.
    https://docs.ray.io/en/latest/ray-security/token-auth.html
    """
    spec, path = ray_cluster(item)
    if mapping(spec.get("authOptions")).get("mode") == "token":
        return "token"
    modes = [_auth_env(c) for pod in pods_at(item, ray_pods(path)) for c in _ray_containers(pod)]
    if MISSING in modes:
        return MISSING
    return "token" if modes and all(m == "token" for m in modes) else "none"


def _ray_containers(pod: Pod) -> Iterator[Mapping[str, Any]]:
    """The container that runs Ray: the first one.

    https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/config.html
    """
    yield from mappings(pod.spec.get("containers"))[:1]


def _auth_env(container: Mapping[str, Any]) -> Any:
    for entry in mappings(container.get("env")):
        if entry.get("name") == "RAY_AUTH_MODE":
            value = entry.get("value")
            return MISSING if value is None or value in MARKS else value
    return MISSING if container.get("envFrom") else ""


def ray_version(item: Item) -> Any:
    """The Ray version: as written, else from the tag of the head's image; not known where the two are of different releases."""
    spec, path = ray_cluster(item)
    written = re.match(r"\d+\.\d+\S*", str(spec.get("rayVersion") or ""))
    images = (str(first.get("image", "")) for pod in pods_at(item, ray_pods(path)) for first in _ray_containers(pod))
    # NOTE: only Ray's own images have its version as their tag
    tagged = re.search(r"(?:^|/)ray(?:-\w+)?:(\d+\.\d+\.\d+)", next(images, ""))
    if written is None:
        return tagged.group(1) if tagged and not spec.get("rayVersion") else MISSING
    same = tagged is None or tagged.group(1).split(".")[:2] == written.group().split(".")[:2]
    return written.group() if same else MISSING
