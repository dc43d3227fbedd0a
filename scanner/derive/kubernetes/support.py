"""How long versions are mended, by dated data that is shipped (`support.json`); and how far a kubelet is behind its API server."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scanner.derive.kubernetes.types import CLUSTER, NODE, from_manifests, object_id
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

_VERSION = re.compile(r"v?(\d{1,3})\.(\d{1,3})(?:\.|\+|$)")
_RUNTIME = re.compile(r"containerd://v?(\d{1,3})\.(\d{1,3})\.(\d{1,3})(.*)")
AKS = "kubernetes.azure.com/"
UPDATE = "Update bartizan, or look it up."


def data(world: World) -> Mapping[str, Any]:
    """The support data."""
    return world.memo("kubernetes.support", lambda: dict(json.loads(Path(__file__).with_name("support.json").read_text("utf-8"))))


def minor(version: str) -> tuple[int, int] | None:
    """(major, minor) of a Kubernetes version, whoever built it: `v1.31.2-eks-7f9249a`, `v1.30.5-gke.100`, `v1.33.1+k3s1`."""
    found = _VERSION.match(version)
    return (int(found.group(1)), int(found.group(2))) if found else None


def _newest(dates: Mapping[str, str]) -> tuple[int, int]:
    return max(_pair(m) for m in dates)


def _pair(text: str) -> tuple[int, int]:
    major, _, small = text.partition(".")
    return int(major), int(small)


def _date(dates: Mapping[str, str], version: tuple[int, int]) -> str:
    """When support of a version ends; empty where the data does not know. What is older than all of it ended before."""
    oldest = min(_pair(m) for m in dates)
    return dates.get(".".join(map(str, max(version, oldest))), "")


def support_ends(version: str, *, azure: bool, known: Mapping[str, Any]) -> str | Gap:
    """When support of a version ends.

    A provider goes on longer than the project: where its dates are not in the data the project's will do, unless they had passed when the
    data was edited.
    """
    found = minor(version)
    if found is None:
        return Gap(Reason.UNPARSABLE, "", "", f"{version!r} is no version of Kubernetes")
    project = _date(known["kubernetes"]["ends"], found)
    built = "EKS" if "-eks-" in version else "GKE" if "-gke." in version else "AKS" if azure else ""
    date = project if not built else _date(known["eks"]["ends"], found) if built == "EKS" else ""
    if not date and built and project > known["edited"]:
        date = project
    if date:
        return f"{date}T23:59:59Z"
    newer = found > _newest(known["kubernetes"]["ends"])
    what = (
        f"is newer than the data of {known['kubernetes']['as_of']}"
        if newer
        else f"is mended by {built}, whose dates are not in the data"
    )
    return Gap(Reason.NOT_OFFERED, "", UPDATE, f"{version} {what}")


def of_cluster(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Support of the API server."""
    return _support(world.fact(cluster, "version"), azure=_azure(cluster.scope, world), world=world)


def _azure(scope: str, world: World) -> bool:
    return world.memo(f"kubernetes.azure {scope}", lambda: any(_aks(n) for n in world.all("node", scope)))


def _aks(node: Resource) -> bool:
    return any(label.startswith(AKS) for label in node.tags)


def _support(version: JSON | Gap, *, azure: bool, world: World) -> dict[str, JSON | Gap]:
    known = data(world)
    ends = version if isinstance(version, Gap) else support_ends(str(version), azure=azure, known=known)
    looked = known["eks" if "-eks-" in str(version) else "kubernetes"]["as_of"]
    return {"support_ends": ends, "support_as_of": looked}


def of_node(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Support of the kubelet and of containerd, and how far the kubelet is behind."""
    version = world.fact(node, "kubelet_version")
    support = _support(version, azure=_aks(node), world=world)
    return {
        **support,
        "support_as_of": min(support["support_as_of"], data(world)["containerd"]["as_of"]),
        "kubelet_behind": _behind(node, version, world),
        **_runtime(world.fact(node, "runtime_version"), world),
    }


def _behind(node: Resource, version: JSON | Gap, world: World) -> JSON | Gap:
    """Minor versions: at most three are allowed, https://kubernetes.io/releases/version-skew-policy/#kubelet ."""
    cluster = world.get("cluster", object_id(node.scope, "Cluster.kubernetes", "", node.scope))
    if cluster is None:
        missing = Gap(Reason.NOT_OFFERED, "", "Scan the live cluster.", "the version of the API server was not seen")
        return missing if from_manifests(node) else world.listing(CLUSTER, node.scope) or missing
    server = world.fact(cluster, "version")
    if isinstance(version, Gap) or isinstance(server, Gap):
        return version if isinstance(version, Gap) else server
    mine, its = minor(str(version)), minor(str(server))
    if mine is None or its is None or mine[0] != its[0]:
        return Gap(Reason.UNPARSABLE, "", "", f"{version!r} and {server!r} cannot be compared")
    return its[1] - mine[1]


def _runtime(version: JSON | Gap, world: World) -> dict[str, JSON | Gap]:
    """Of containerd the lowest sound release. A distribution mends without a new number, so its builds are unknown below it."""
    if isinstance(version, Gap):
        return {"runtime_floor": version, "runtime_below_floor": version}
    found = _RUNTIME.fullmatch(str(version))
    if found is None:
        other = "://" in str(version) and not str(version).startswith("containerd:")
        gap = Gap(Reason.UNPARSABLE, "", "", f"{version!r} is no version of a runtime")
        return (
            {"runtime_floor": "", "runtime_below_floor": False}
            if other
            else dict.fromkeys(("runtime_floor", "runtime_below_floor"), gap)
        )
    major, small, patch = (int(part) for part in found.groups()[:3])
    floors = data(world)["containerd"]["floors"]
    branches = sorted(map(_pair, floors))
    if (major, small) > branches[-1]:
        gap = Gap(Reason.NOT_OFFERED, "", UPDATE, f"{version} is newer than the data of {data(world)['containerd']['as_of']}")
        return dict.fromkeys(("runtime_floor", "runtime_below_floor"), gap)
    # NOTE: a branch that has ended is measured by the next one: it gets no fixes any more
    branch = next(b for b in branches if b >= (major, small))
    floor = floors[".".join(map(str, branch))]
    below = (major, small, patch) < tuple(map(int, floor.split(".")))
    if below and (major, small) >= branches[0] and found.group(4).strip("-+~"):
        what = f"{version} is a distribution's build, which may be mended all the same"
        return {"runtime_floor": floor, "runtime_below_floor": Gap(Reason.NOT_OFFERED, "", "Look into its changelog.", what)}
    return {"runtime_floor": floor, "runtime_below_floor": below}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("support_ends", "support_as_of"),
        of_cluster,
        needs=("version",),
        reads={NODE: ("container_host",)},
        native_types=(CLUSTER,),
    ),
    Derivation(
        "node",
        ("support_ends", "support_as_of", "kubelet_behind", "runtime_floor", "runtime_below_floor"),
        of_node,
        needs=("kubelet_version", "runtime_version"),
        reads={CLUSTER: ("version",)},
        native_types=(NODE,),
    ),
)
