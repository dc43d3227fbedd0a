"""Who may do what beyond roles and bindings: signing requests, identity mappings; and what admission asks of pods."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.pods import LISTS, Spec, raw_containers
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING, Const, Fact, Field, ObjectTable

POD_DOCS = "https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/"
STANDARDS = "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
ADMISSION = "https://kubernetes.io/docs/concepts/security/pod-security-admission/"


# ---- what Pod Security looks at in a pod


def pod_settings(spec: Spec) -> dict[str, Any]:
    """The `pod_settings` fact: what the pod itself writes. `containers` shows it as it takes effect."""
    own = mapping(spec.get("securityContext"))
    selinux = mapping(own.get("seLinuxOptions"))
    non_root, user = own.get("runAsNonRoot"), own.get("runAsUser")
    added = [
        str(name)
        for _, raw in raw_containers(spec)
        for name in sequence(mapping(mapping(raw.get("securityContext")).get("capabilities")).get("add"))
    ]
    limited = [raw for _, raw in raw_containers(spec) if mapping(raw.get("securityContext")).get("ulimits") is not None]
    return {
        "run_as_non_root": non_root if isinstance(non_root, bool) else None,
        "run_as_user": user if isinstance(user, int) and not isinstance(user, bool) else None,
        "seccomp": str(mapping(own.get("seccompProfile")).get("type") or ""),
        "apparmor": str(mapping(own.get("appArmorProfile")).get("type") or ""),
        "selinux_type": str(selinux.get("type") or ""),
        "selinux_user": str(selinux.get("user") or ""),
        "selinux_role": str(selinux.get("role") or ""),
        "host_process": mapping(own.get("windowsOptions")).get("hostProcess") is True,
        "ulimits": [str(raw.get("name", "")) for raw in limited],
        "misspelt_capabilities": [name for name in added if name.startswith("CAP_")],
    }


CORE_VOLUMES = (
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "image",
    "persistentVolumeClaim",
    "projected",
    "secret",
)
OTHER_VOLUMES = (
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "nfs",
    "iscsi",
    "glusterfs",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "fc",
    "azureFile",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "portworxVolume",
    "scaleIO",
    "storageos",
)


def volume_types(spec: Spec) -> list[dict[str, str]]:
    """The `volume_types` fact. A volume without a source is an emptyDir (the API's default)."""
    found = []
    for volume in mappings(spec.get("volumes")):
        sources = [key for key, value in volume.items() if key != "name" and value is not None]
        known = next((s for s in (*CORE_VOLUMES, *OTHER_VOLUMES) if s in sources), "unknown" if sources else "emptyDir")
        found.append({"volume": str(volume.get("name", "")), "type": known})
    return found


EPHEMERAL = LISTS[2][1]


def ephemeral_running(item: Mapping[str, Any]) -> Any:
    """The `ephemeral_running` fact: what the status says of each. Only pods have any: templates take none."""
    names = (
        [str(c.get("name", "")) for c in mappings(mapping(item.get("spec")).get(EPHEMERAL))] if item.get("kind") == "Pod" else []
    )
    statuses = mappings(mapping(item.get("status")).get("ephemeralContainerStatuses"))
    states = {str(s.get("name", "")): mapping(s.get("state")) for s in statuses}
    if any(not states.get(name) for name in names):
        return MISSING
    return [name for name in names if "running" in states[name]]


def namespace_settled(item: Mapping[str, Any], context: Mapping[str, str]) -> Any:
    """True where the object names its namespace, or is in none; else it goes where whoever applies the manifest says."""
    return True if mapping(item.get("metadata")).get("namespace") or not context["namespace"] else MISSING


POD_FACTS: Mapping[str, Fact] = {
    "pod_settings": Field("template", pod_settings, source=STANDARDS),
    "volume_types": Field("template", volume_types, source=STANDARDS),
    "ephemeral_running": Field("item", ephemeral_running, source=POD_DOCS),
    "namespace_settled": Field(("item", "context"), namespace_settled),
}
"""More facts of everything that makes pods."""


# ---- namespaces

_VERSION = re.compile(r"latest|v1\.\d{1,3}")


def pod_security_version(item: Mapping[str, Any]) -> Any:
    """The version of the standards that a namespace enforces; what is no version is no answer."""
    version = mapping(mapping(item.get("metadata")).get("labels")).get("pod-security.kubernetes.io/enforce-version", "latest")
    return version if isinstance(version, str) and _VERSION.fullmatch(version) else MISSING


NAMESPACE_FACTS: Mapping[str, Fact] = {"pod_security_version": Field("item", pod_security_version, source=ADMISSION)}
"""More facts of namespaces."""


# ---- types


def subject(name: str) -> Field:
    """A part of the subject that a request names; a gap where the request could not be read."""
    return Field(f"item.kept.{name}")


def approved(item: Mapping[str, Any]) -> bool:
    """Whether a request was approved, and neither denied nor failed: then it is signed."""
    said = {c.get("type") for c in mappings(mapping(item.get("status")).get("conditions")) if c.get("status", "True") == "True"}
    return "Approved" in said and not said & {"Denied", "Failed"}


TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "credential",
        "certificates.k8s.io/v1/CertificateSigningRequest",
        "certificatesigningrequests",
        {
            "credential_type": Const("signing_request"),
            "signer": Field("item.spec.signerName", str),
            "requested_user": subject("user"),
            "requested_groups": subject("groups"),
            "active": Field("item", approved),
        },
        namespaced=False,
    ),
    ObjectTable(
        "runtime_class",
        "node.k8s.io/v1/RuntimeClass",
        "runtimeclasses",
        {"handler": Field("item.handler", str)},
        namespaced=False,
    ),
)
