"""The estates on which the laws are tested: the demo AI factory, its corners and every plan of the fixtures, with all facts."""

from __future__ import annotations

import functools
import itertools
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from collectors.aws.collect import Options, collect_account
from collectors.aws.demo import CREDENTIALS, start
from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.manifests import read_manifests
from collectors.terraform.plan import read_plan
from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.over import SnapshotWorld
from scanner.model import Coverage, Extent, Resource, Rule, Source
from scanner.rules.library import Library, kinds, load
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.apiserver import serving
from tests.house.tree import ROOT

NOW = "2026-11-30T00:00:00Z"
ESTATE = ROOT / "fixtures" / "estates" / "ai_factory"
CORNERS = ROOT / "fixtures" / "estates" / "corners"
ALONE = ROOT / "fixtures" / "estates" / "alone"
MOST = 40
"""Resources of one native type and source that are tried out."""


@functools.cache
def library() -> Library:
    return load()


def rules() -> list[Rule]:
    return list(library().rules.values())


OWN = {"integrity.k8s_image_registries": {"registries": ["registry.lab.example", "nvcr.io/nvidia"]}}
"""Parameters of rules that do nothing without: as a `bartizan.yaml` has them."""


def params() -> dict[str, Mapping[str, object]]:
    return {rule.id: {**rule.params, **OWN.get(rule.id, {})} for rule in rules() if rule.params}


@functools.cache
def folder() -> Path:
    """A folder that lives as long as this process."""
    holder = tempfile.TemporaryDirectory(prefix="bartizan-corpus-")
    _HOLDERS.append(holder)
    return Path(holder.name)


_HOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@functools.cache
def account() -> Path:
    """The demo account, live."""
    return _account(ESTATE, folder() / "account", ("us-east-1", "eu-west-1"))


@functools.cache
def partner() -> Path:
    """The account of the corners, live."""
    return _account(CORNERS, folder() / "partner", ("us-east-1",))


@functools.cache
def alone() -> Path:
    """The account that is in no organisation, live."""
    return _account(ALONE, folder() / "alone", ("us-east-1",))


def _account(estate: Path, path: Path, regions: tuple[str, ...]) -> Path:
    endpoint, stop = start(estate)
    try:
        with Snapshot.create(path) as snapshot:
            collect_account(Options(endpoint=endpoint, regions=regions, credentials=CREDENTIALS), snapshot, now=NOW)
            snapshot.finish()
    finally:
        stop()
    return path


@functools.cache
def cluster() -> Path:
    """The cluster of the corners, live: what is not in it is not there."""
    return _cluster(CORNERS, "partner")


@functools.cache
def second_cluster() -> Path:
    """Another one, live, for what is of a whole cluster: in one of the two it is right."""
    return _cluster(ALONE, "alone", "v1.36.1")


def _cluster(estate: Path, name: str, version: str = "v1.34.2") -> Path:
    path = folder() / f"cluster-{name}"
    with serving() as server:
        server.version = version
        for file in sorted((estate / "manifests").glob("*.yaml")):
            server.add(*(item for item in yaml.safe_load_all(file.read_text()) if item))
        with Snapshot.create(path) as snapshot:
            collect_cluster(snapshot, kubeconfig=server.kubeconfig(folder(), name), now=NOW, secret_metadata=True)
            snapshot.finish()
    return path


def _keep(path: Path, parts: Iterator[tuple[Source, tuple[Resource, ...], tuple[Coverage, ...]]]) -> Path:
    with Snapshot.create(path) as snapshot:
        for source, resources, coverage in parts:
            snapshot.source(source)
            snapshot.page(resources)
            for row in coverage:
                snapshot.coverage(row)
        snapshot.finish()
    return path


@functools.cache
def demo() -> Path:
    """The demo account and the manifests of its cluster, as one scan sees them: what is behind a volume of the cluster is there."""
    path = folder() / "demo"
    shutil.copyfile(account(), path)
    estate = read_manifests((str(ESTATE / "manifests"),), stdin=None, now=NOW, demand=None)
    with Snapshot.create(path, resume=True) as snapshot:
        snapshot.source(estate.source)
        snapshot.page(estate.resources)
        for row in estate.coverage:
            snapshot.coverage(row)
        snapshot.finish()
    return path


@functools.cache
def files() -> Path:
    """All plans of the fixtures, each a scope of its own."""

    def parts() -> Iterator[tuple[Source, tuple[Resource, ...], tuple[Coverage, ...]]]:
        plans = [
            ESTATE / "plan.json",
            *sorted((ROOT / "fixtures").glob("plans/types/*/plan.json")),
            *sorted((ROOT / "fixtures").glob("twins/*/plan.json")),
        ]
        for file in plans:
            name = f"{file.parent.parent.name}-{file.parent.name}"
            plan = read_plan(file, name=name, now=NOW)
            # NOTE: plans share addresses; in one snapshot each needs ids of its own
            mine = [r.replace(id=r.id.replace("plan/", f"plan/{name}/", 1), facts=_renamed(r.facts, name)) for r in plan.resources]
            yield plan.source, tuple(mine), plan.coverage

    return _keep(folder() / "files", parts())


def _renamed(value: object, name: str) -> object:
    if isinstance(value, str) and value.startswith("plan/"):
        return value.replace("plan/", f"plan/{name}/", 1)
    if isinstance(value, list):
        return [_renamed(v, name) for v in value]
    if isinstance(value, dict):
        return {k: _renamed(v, name) for k, v in value.items()}
    return value


@functools.cache
def resources() -> Mapping[str, tuple[Resource, ...]]:
    """Kind → resources with all their facts, derived ones too, a few of each native type and scope."""
    found: dict[str, list[Resource]] = {}
    for path in (demo(), files(), partner(), alone(), cluster(), second_cluster()):
        with Snapshot.open(path) as snapshot:
            world = SnapshotWorld(snapshot, DERIVATIONS)
            for kind in kinds():
                every = snapshot.resources(kind)
                for _, group in itertools.groupby(
                    sorted(every, key=lambda r: (r.native_type, r.scope)), key=lambda r: (r.native_type, r.scope)
                ):
                    few = itertools.islice(group, MOST)
                    found.setdefault(kind, []).extend(world.complete(r, kinds()[kind]["properties"]) for r in few)
    return {kind: tuple(group) for kind, group in found.items()}


def complete(path: Path) -> bool:
    """All listings of a snapshot are complete."""
    with Snapshot.open(path) as snapshot:
        return all(row.extent is Extent.COMPLETE for row in snapshot.listings())
