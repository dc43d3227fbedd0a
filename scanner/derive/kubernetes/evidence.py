"""Files of nodes that were given as evidence beside a cluster or its manifests: which of them is whose.

A file says nothing of where it came from. It is taken by its name, and by the folders that it lies in: of two files of one name the one
that shares more folders with what asks, and where several clusters are in a snapshot the one that lies in a folder called like its cluster.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence

from scanner.derive.kubernetes.types import CLUSTER, from_manifests
from scanner.derive.world import World
from scanner.model import JSON, Gap, Reason, Resource

SUFFIXES = (".yaml", ".yml", ".json")


def given(world: World, kind: str, native_type: str) -> Sequence[Resource]:
    """The files of a type in the snapshot."""
    return world.memo(
        f"kubernetes.given {native_type}",
        lambda: [r for r in world.all(kind) if r.native_type == native_type and from_manifests(r)],
    )


def parts(file: str) -> list[str]:
    """Folders and name of a file, without its suffix."""
    found = file.split("/")
    found[-1] = next((found[-1].removesuffix(s) for s in SUFFIXES if found[-1].endswith(s)), found[-1])
    return found


def clusters(world: World) -> Sequence[str]:
    """The live clusters of the snapshot."""
    return world.memo("kubernetes.clusters", lambda: [c.scope for c in world.all("cluster") if c.native_type == CLUSTER])


def beside(subject: Resource, files: Iterable[Resource], world: World) -> list[Resource]:
    """Those of the files that may be of the subject's cluster."""
    if from_manifests(subject):
        mine = [f for f in files if f.scope == subject.scope]
        shared = {f.id: _shared(f.where.file, subject.where.file) for f in mine}
        return [f for f in mine if shared[f.id] == max(shared.values())]
    live = clusters(world)
    return [f for f in files if len(live) == 1 or subject.scope in parts(f.where.file)]


def _shared(one: str, other: str) -> int:
    """How many folders two files share, from the top."""
    common = posixpath.commonpath(["/" + posixpath.dirname(one), "/" + posixpath.dirname(other)])
    return len([part for part in common.split("/") if part])


def content(subject: Resource, flag: str, path: str, files: Sequence[Resource], fact: str, world: World) -> JSON | Gap:
    """A fact of the file that a flag names: of all of that name, where they agree."""
    name = posixpath.basename(path)
    same = beside(subject, [f for f in files if posixpath.basename(f.where.file) == name], world)
    values = [world.fact(f, fact) for f in same]
    if values and all(value == values[0] for value in values):
        return values[0]
    remedy = f"Give the file beside the cluster: name a folder that holds {name} under `manifests` in bartizan.yaml."
    what = "the files of that name differ" if values else "its content was not collected"
    return Gap(Reason.NOT_OFFERED, "", remedy, f"--{flag} is {path}: {what}")
