"""What Kubernetes costs: a folder of 1,000 manifests against parsing it alone, and a cluster of 10,000 large pods."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.bench.measure import Cost, once
from tests.collectors.kubernetes.apiserver import serving
from tests.house.tree import ROOT

MANIFESTS = 1_000
PODS = 10_000
POD_BYTES = 15_000
OWNED = 25
"""Pods of one Deployment."""
PARSE = """
import sys, pathlib, yaml
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.yaml")):
    for document in yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader):
        pass
"""


def bench() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name:
        yield from manifests(Path(name))
    with tempfile.TemporaryDirectory() as name:
        yield from pods(Path(name))


def manifests(folder: Path) -> Iterator[str]:
    """The demo's manifests, again and again in namespaces of their own, one object a file."""
    found = sorted((ROOT / "fixtures" / "estates" / "ai_factory" / "manifests").glob("*.yaml"))
    objects = [item for path in found for item in yaml.safe_load_all(path.read_text()) if item]
    files = folder / "files"
    files.mkdir()
    for number in range(MANIFESTS):
        item = json.loads(json.dumps(objects[number % len(objects)]))
        item["metadata"] = {**item["metadata"], "name": f"{item['metadata']['name']}-{number}"}
        (files / f"{number:04}.yaml").write_text(yaml.safe_dump(item))
    parsed = once([sys.executable, "-c", PARSE, str(files)], {})
    command = [sys.executable, "-m", "scanner", "scan", "manifests", str(files), "-o", f"json={folder}/report.json"]
    scanned = once(command, {"PYTHONPATH": str(ROOT)})
    verdicts = len(json.loads((folder / "report.json").read_text())["verdicts"])
    yield f"{MANIFESTS} manifests: parsed alone (libyaml) {parsed.seconds:.2f} s"
    yield (
        f"{'':>14} scanned, {verdicts} verdicts: {scanned.seconds:.2f} s, {scanned.mebibytes:.0f} MiB, "
        f"status {scanned.status}: {scanned.seconds / parsed.seconds:.1f} times as long"
    )


def pod(number: int) -> dict[str, Any]:
    """A pod as large clusters have them: 15 KB, most of it managed fields, status and variables."""
    owner = f"trainer-{number // OWNED}"
    env = [{"name": f"SETTING_{n}", "value": "x" * 40} for n in range(60)]
    item: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": f"{owner}-{number % OWNED}",
            "namespace": f"team-{number % 40}",
            "uid": f"00000000-0000-4000-8000-{number:012}",
            "labels": {"app": owner},
            "ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": owner, "uid": owner, "controller": True}],
        },
        "spec": {
            "nodeName": f"gpu-{number % 500}",
            "containers": [
                {"name": "main", "image": "registry.example/train:1", "env": env, "resources": {"limits": {"nvidia.com/gpu": 8}}}
            ],
        },
        "status": {"phase": "Running"},
    }
    item["metadata"]["managedFields"] = [{"manager": "x", "fieldsV1": {"f": "y" * (POD_BYTES - len(json.dumps(item)))}}]
    return item


def pods(folder: Path) -> Iterator[str]:
    with serving() as server:
        every = [pod(n) for n in range(PODS)]
        server.add(*every)
        kubeconfig = server.kubeconfig(folder)
        # NOTE: no owner is there, so each pod is a resource of its own
        cost: Cost = once(
            [sys.executable, "-m", "scanner", "collect", "k8s", "--kubeconfig", kubeconfig, "--snapshot", f"{folder}/snapshot"],
            {"PYTHONPATH": str(ROOT)},
        )
    size = len(json.dumps(every[0]))
    yield f"{PODS} pods of {size} bytes: {cost.seconds:.1f} s, {cost.mebibytes:.0f} MiB at most, status {cost.status}"
