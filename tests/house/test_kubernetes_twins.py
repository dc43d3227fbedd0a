"""Manifests and the live cluster that they make: the same facts, and what manifests settle is what the cluster shows."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.manifests import MANIFESTS, read_manifests
from collectors.kubernetes.names import FILES
from collectors.kubernetes.tables import CLUSTER, OTHERS, WORKLOADS
from scanner.evaluate import Plan, evaluate
from scanner.model import Resource, Status, Verdict
from scanner.rules.library import kinds
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.apiserver import serving
from tests.house import corpus
from tests.house.tree import ROOT

ESTATES = {
    "ai_factory": ROOT / "fixtures" / "estates" / "ai_factory" / "manifests",
    "corners": ROOT / "fixtures" / "estates" / "corners" / "manifests",
    "alone": ROOT / "fixtures" / "estates" / "alone" / "manifests",
    "types": ROOT / "fixtures" / "manifests",
}
SCOPE = "factory"
FILES_ONLY = {"v1/Secret": "a live scan does not list Secrets", **dict.fromkeys(FILES, "a file of a node")}
"""Types that a live cluster does not show, and why."""
each_estate = pytest.mark.parametrize("name", ESTATES)


@cache
def folder() -> Path:
    holder = tempfile.TemporaryDirectory(prefix="bartizan-twins-")
    _HOLDERS.append(holder)
    return Path(holder.name)


_HOLDERS: list[tempfile.TemporaryDirectory[str]] = []


def documents(name: str) -> list[dict[str, Any]]:
    files = sorted(ESTATES[name].glob("*.yaml"))
    return [item for file in files for item in yaml.safe_load_all(file.read_text()) if item]


@cache
def live(name: str) -> Path:
    path = folder() / f"live-{name}"
    with serving() as server:
        server.add(*(d for d in documents(name) if server.knows(d)))
        with Snapshot.create(path) as snapshot:
            collect_cluster(snapshot, kubeconfig=server.kubeconfig(folder(), SCOPE), now=corpus.NOW)
            evidence(snapshot, name)
            snapshot.finish()
    return path


def evidence(snapshot: Snapshot, name: str) -> None:
    """Files of nodes, given beside the live cluster: no API serves them."""
    given = read_manifests([ESTATES[name]], now=corpus.NOW)
    snapshot.source(given.source)
    snapshot.page([r for r in given.resources if r.native_type in FILES])


@cache
def files(name: str) -> Path:
    path = folder() / f"files-{name}"
    estate = read_manifests([ESTATES[name]], now=corpus.NOW)
    assert estate.problems == ()
    with Snapshot.create(path) as snapshot:
        snapshot.source(estate.source)
        snapshot.page(estate.resources)
        for row in estate.coverage:
            snapshot.coverage(row)
        snapshot.finish()
    return path


def resources(path: Path) -> Mapping[tuple[str, str], Resource]:
    with Snapshot.open(path) as snapshot:
        return {(kind, plain(r.id)): r for kind in kinds() for r in snapshot.resources(kind)}


def plain(value: Any) -> Any:
    """Ids without the name of their scope."""
    return yaml.safe_load(yaml.safe_dump(value).replace(f"k8s/{SCOPE}/", f"k8s/{MANIFESTS}/"))


def told(resource: Resource) -> dict[str, Any]:
    gaps = {fact: (gap.reason, gap.detail) for fact, gap in resource.gaps.items()}
    return {"type": resource.native_type, "tags": dict(resource.tags), "facts": plain(dict(resource.facts)), "gaps": gaps}


@each_estate
def test_the_same_facts(name: str) -> None:
    left, right = resources(files(name)), resources(live(name))
    shown = {key: r for key, r in left.items() if r.native_type not in FILES_ONLY}
    assert set(shown) == {key for key, r in right.items() if r.native_type not in {CLUSTER.native_type, *FILES_ONLY}}
    for key, resource in shown.items():
        assert told(right[key]) == told(resource), key


@each_estate
def test_what_manifests_settle_the_cluster_shows(name: str) -> None:
    left, right = judged(files(name)), judged(live(name))
    settled = [key for key, v in left.items() if v.status is not Status.UNKNOWN]
    assert settled
    for rule, subject in settled:
        verdict = left[rule, subject]
        if verdict.native_type not in FILES_ONLY:
            assert (right[rule, subject].status, rule, subject) == (verdict.status, rule, subject)


def judged(path: Path) -> Mapping[tuple[str, str], Verdict]:
    library = corpus.library()
    rules = tuple(r for r in corpus.rules() if any(not n.startswith("AWS::") for n in r.covers))
    found = evaluate(Plan(path, rules, library.modules, corpus.params())).verdicts
    return {(v.rule, plain(v.subject)): v for v in found if v.level == "resource"}


def test_every_type_is_in_some_estate() -> None:
    """A type without an example is tested by nobody."""
    seen = {r.native_type for name in ESTATES for r in resources(files(name)).values()}
    assert {t.native_type for t in (*OTHERS, *WORKLOADS)} - seen == set()


@each_estate
def test_a_live_cluster_says_of_every_type_how_its_listing_ended(name: str) -> None:
    """A type without a row would be unknown for every rule of it, on every cluster."""
    with Snapshot.open(live(name)) as snapshot:
        told_of = {row.native_type for row in snapshot.listings()}
    covered = {native for rule in corpus.rules() for native in rule.covers if not native.startswith("AWS::")}
    assert covered - told_of == set()
