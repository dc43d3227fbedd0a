"""What Kubernetes objects are called: types, canonical ids, owners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.model import frozen

MANIFESTS = "manifests"
"""The scope of files."""
ANY = "*"
"""The plural of a table that reads every type of its group."""
DEFAULT_NAMESPACE = "default"
"""https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/"""
FILES = frozenset(
    {
        "apiserver.config.k8s.io/v1/AuthenticationConfiguration",
        "apiserver.config.k8s.io/v1/AuthorizationConfiguration",
        "apiserver.config.k8s.io/v1/EncryptionConfiguration",
        "audit.k8s.io/v1/Policy",
        "kubelet.config.k8s.io/v1beta1/KubeletConfiguration",
    }
)
"""Types that only stand in files of nodes: no API serves them, and they need no name."""


@frozen
class Type:
    """A kind in its API group."""

    group: str
    """Empty for the core group."""
    kind: str

    @property
    def suffixed(self) -> str:
        """`Deployment.apps`, or `Pod`."""
        return f"{self.kind}.{self.group}" if self.group else self.kind


@frozen
class Owner:
    """The controller of an object, as its owner reference names it."""

    type: Type
    name: str
    uid: str


def split(native_type: str) -> tuple[str, str, str]:
    """`apps/v1/Deployment` → (`apps`, `v1`, `Deployment`); the core group is empty."""
    *group, version, kind = native_type.split("/")
    return (group[0] if group else ""), version, kind


def type_of(native_type: str) -> Type:
    """The type of a native type, whatever its version."""
    group, _, kind = split(native_type)
    return Type(group, kind)


def group_of(api_version: str) -> str:
    """`apps/v1` → `apps`, `v1` → empty."""
    return api_version.rpartition("/")[0]


def object_type(item: Mapping[str, Any]) -> Type | None:
    """The type of an object; None where it is no Kubernetes object."""
    version, kind = item.get("apiVersion"), item.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str) or not version or not kind:
        return None
    return Type(group_of(version), kind)


def metadata(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The metadata of an object, empty where it is not a mapping."""
    found = item.get("metadata")
    return found if isinstance(found, Mapping) else {}


def name_of(item: Mapping[str, Any]) -> str:
    """`metadata.name`, or `metadata.generateName` followed by `*`; empty where there is neither."""
    meta = metadata(item)
    name, prefix = meta.get("name"), meta.get("generateName")
    if isinstance(name, str | int | float) and name != "":
        return str(name)
    return f"{prefix}*" if isinstance(prefix, str) and prefix else ""


def object_id(scope: str, kind: Type, namespace: str, name: str) -> str:
    """The canonical id: `k8s/<scope>/<Kind.group>/<namespace>/<name>`."""
    return f"k8s/{scope}/{kind.suffixed}/{namespace}/{name}"


def owner_of(item: Mapping[str, Any]) -> Owner | None:
    """The controller of an object: its one owner reference with `controller: true`.

    https://kubernetes.io/docs/concepts/overview/working-with-objects/owners-dependents/
    """
    references = metadata(item).get("ownerReferences")
    for reference in references if isinstance(references, list) else []:
        if isinstance(reference, Mapping) and reference.get("controller") is True:
            kind = object_type(reference)
            if kind is not None:
                return Owner(kind, str(reference.get("name", "")), str(reference.get("uid", "")))
    return None
