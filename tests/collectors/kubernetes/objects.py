"""Made-up objects for the tests."""

from __future__ import annotations

from typing import Any

from collectors.kubernetes.manifests import read_manifests
from collectors.kubernetes.objects import Placed, Projector
from scanner.model import Resource, Source

IMAGE = "registry.example/train:1"


def container(name: str = "main", **more: Any) -> dict[str, Any]:
    return {"name": name, "image": IMAGE, **more}


def pod(name: str = "p", spec: dict[str, Any] | None = None, namespace: str = "team", **meta: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, **meta},
        "spec": {"containers": [container()], **(spec or {})},
    }


def deployment(
    name: str = "d", spec: dict[str, Any] | None = None, namespace: str = "team", labels: dict[str, str] | None = None, **meta: Any
) -> dict[str, Any]:
    template = {"metadata": {"labels": labels or {"app": name}}, "spec": {"containers": [container()], **(spec or {})}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name, "namespace": namespace, **meta},
        "spec": {"template": template},
    }


def thing(api_version: str, kind: str, name: str, namespace: str | None = "team", **body: Any) -> dict[str, Any]:
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": api_version, "kind": kind, "metadata": {**meta, **body.pop("metadata", {})}, **body}


def projected(item: dict[str, Any], kind: str = "") -> list[Resource]:
    """The resources of one object as a live cluster `c` has it (unredacted)."""
    source = Source("k8s:c", "live", "kubernetes", "c")
    return [r for r in Projector(source).resources(Placed(item)) if not kind or r.kind == kind]


def one(item: dict[str, Any], kind: str = "") -> Resource:
    (resource,) = projected(item, kind)
    return resource


__all__ = ["IMAGE", "container", "deployment", "one", "pod", "projected", "read_manifests", "thing"]
