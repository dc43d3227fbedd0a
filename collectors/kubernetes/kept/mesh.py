"""Of service meshes, encryption by the CNI, and how models are published."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

NONE = r"(?!)"
"""No value of the flag is kept: that it has one says enough."""
FLAGS: Mapping[str, str] = {
    "ssl-keyfile": NONE,
    "ssl-certfile": NONE,
    "ssl-key-file": NONE,
    "ssl-cert-file": NONE,
    "grpc-use-ssl": r"true|false|0|1",
    "grpc-use-ssl-mutual": r"true|false|0|1",
}
ENV: Mapping[str, str] = {"RAY_USE_TLS": r"0|1|true|false"}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset(
    {
        "linkerd.io/inject",
        "config.linkerd.io/default-inbound-policy",
        "config.linkerd.io/skip-inbound-ports",
        "config.linkerd.io/opaque-ports",
        "sidecar.istio.io/inject",
        "traffic.sidecar.istio.io/excludeInboundPorts",
        "traffic.sidecar.istio.io/includeInboundPorts",
        "serving.kserve.io/deploymentMode",
        "security.opendatahub.io/enable-auth",
        "flannel.alpha.coreos.com/backend-type",
        "alb.ingress.kubernetes.io/auth-type",
    }
)

CILIUM = {
    "enable-wireguard": "wireguard",
    "enable-ipsec": "ipsec",
    "enable-ztunnel": "ztunnel",
    "encrypt-node": "nodes",
    "enable-encryption-strict-mode": "strict",
    "enable-encryption-strict-mode-egress": "strict_egress",
}
"""Keys of `cilium-config` → settings. Since 1.19 the fifth is called as the sixth:
https://docs.cilium.io/en/latest/operations/upgrade/"""
_ON, _OFF = frozenset({"true", "1", "t"}), frozenset({"false", "0", "f", ""})
"""What the agent takes for on and off: the values are texts."""
_SWITCH = {**dict.fromkeys(_ON, "on"), **dict.fromkeys(_OFF, "off")}


def cilium(data: Mapping[str, str]) -> dict[str, Any]:
    """What `cilium-config` says of encryption: `on`, `off`, or `unreadable`; keys that are not there are left out."""
    found = {name: _SWITCH.get(data[key].strip().lower(), "unreadable") for key, name in CILIUM.items() if key in data}
    if "enable-policy" in data:  # https://docs.cilium.io/en/stable/security/policy/intro/#policy-enforcement-modes
        written = data["enable-policy"].strip().lower()
        found["policy"] = written if written in ("default", "always", "never") else "unreadable"
    return {"component": "cilium", **found}


_ROOT = re.compile(r"^rootNamespace:[ \t]*[\"']?([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)[\"']?[ \t]*(?:#.*)?$", re.MULTILINE)
_ROOT_KEY = re.compile(r"^[\"']?rootNamespace\b", re.MULTILINE)
ROOT_NAMESPACE = "istio-system"
"""https://istio.io/latest/docs/reference/config/istio.mesh.v1alpha1/#MeshConfig-root_namespace"""


def istio(data: Mapping[str, str]) -> dict[str, Any]:
    """The root namespace of a mesh; without `root_namespace` where it is written in a way that is not understood."""
    if "mesh" not in data:
        return {}
    written = _ROOT.search(data["mesh"])
    found: dict[str, Any] = {"component": "istio"}
    if written:
        found["root_namespace"] = written.group(1)
    elif not _ROOT_KEY.search(data["mesh"]):
        found["root_namespace"] = ROOT_NAMESPACE
    return found


_ANTREA = re.compile(r"^trafficEncryptionMode:[ \t]*[\"']?(\w{1,20})[\"']?[ \t]*(?:#.*)?$", re.MULTILINE | re.IGNORECASE)


def antrea(data: Mapping[str, str]) -> dict[str, Any]:
    """How Antrea encrypts: `none` unless it is written; the agent does not mind the case of a mode.

    https://github.com/antrea-io/antrea/blob/main/docs/traffic-encryption.md
    """
    if "antrea-agent.conf" not in data:
        return {}
    written = _ANTREA.search(data["antrea-agent.conf"])
    return {"component": "antrea", "mode": written.group(1).lower() if written else "none"}


LINKERD_POLICIES = (
    "all-unauthenticated",
    "all-authenticated",
    "cluster-unauthenticated",
    "cluster-authenticated",
    "deny",
    "audit",
)
"""https://linkerd.io/2/reference/authorization-policy/#default-policies"""
_LINKERD = re.compile(rf"^[ \t]+defaultInboundPolicy:[ \t]*[\"']?({'|'.join(LINKERD_POLICIES)})[\"']?[ \t]*$", re.MULTILINE)


def linkerd(data: Mapping[str, str]) -> dict[str, Any]:
    """The inbound policy of pods that say nothing, as the control plane was installed with."""
    written = _LINKERD.search(data.get("values", ""))
    return {"component": "linkerd"} | ({"default_inbound_policy": written.group(1)} if written else {})


def kserve(data: Mapping[str, str]) -> dict[str, Any]:
    """How KServe publishes models. Empty values are the defaults.

    https://github.com/kserve/kserve/blob/master/config/configmap/inferenceservice.yaml
    """
    try:
        ingress, deploy = (json.loads(data.get(key) or "{}") for key in ("ingress", "deploy"))
    except (ValueError, RecursionError):
        return {"component": "kserve"}
    if not isinstance(ingress, dict) or not isinstance(deploy, dict):
        return {"component": "kserve"}
    scheme = str(ingress.get("urlScheme") or "http").lower()
    mode = str(deploy.get("defaultDeploymentMode") or "")  # NOTE: required; versions without it differ in what they do
    return {
        "component": "kserve",
        "url_scheme": scheme if scheme in ("http", "https") else "other",
        "local_domain": str(ingress.get("ingressDomain") or "").rstrip(".") == "svc.cluster.local",
        "makes_ingress": ingress.get("disableIngressCreation") is not True,
        "mode": mode if mode in ("Serverless", "Knative", "RawDeployment", "Standard", "ModelMesh", "") else "other",
    }


SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    "cilium-config": cilium,
    "istio": istio,
    "antrea-config": antrea,
    "linkerd-config": linkerd,
    "inferenceservice-config": kserve,
}
PREFIXES: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {"istio-": istio, "antrea-config-": antrea}
"""Beginnings of names: a revision of Istio, or a hash, stands behind them."""
