"""Of the API server, etcd, the controllers, the scheduler and the kubelet."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from collectors.kubernetes.within import mapping

PROGRAMS = ("kube-apiserver", "etcd", "kube-controller-manager", "kube-scheduler")
"""The components that run as static pods."""
_BOOL = r"(?i:true|false|t|f|1|0)"
_PATH = r"(?:/[A-Za-z0-9_][A-Za-z0-9._@-]{0,80}|/\.[A-Za-z0-9._-]{1,80}){1,12}"
_NAMES = r"[A-Za-z]{2,60}(?:,[A-Za-z]{2,60}){0,60}"
_NUMBER = r"\d{1,7}"
_HOST = r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]"
_URL = rf"https?://(?:{_HOST})(?::\d{{1,5}})?/?"
_ADDRESS = r"[0-9.]{7,15}|[0-9A-Fa-f:.]{2,45}|localhost"
_CIPHER = r"TLS_[A-Z0-9_]{5,60}"
_SWITCHES = (
    "anonymous-auth",
    "auto-tls",
    "client-cert-auth",
    "peer-auto-tls",
    "peer-client-cert-auth",
    "profiling",
    "service-account-extend-token-expiration",
    "service-account-lookup",
    "use-service-account-credentials",
)
_FILES = (
    "admission-control-config-file",
    "audit-policy-file",
    "audit-webhook-config-file",
    "authentication-config",
    "authorization-config",
    "cert-file",
    "config",
    "config-file",
    "encryption-provider-config",
    "etcd-cafile",
    "etcd-certfile",
    "etcd-keyfile",
    "key-file",
    "kubelet-certificate-authority",
    "kubelet-client-certificate",
    "kubelet-client-key",
    "peer-cert-file",
    "peer-key-file",
    "peer-trusted-ca-file",
    "root-ca-file",
    "service-account-private-key-file",
    "token-auth-file",
    "trusted-ca-file",
)
FLAGS: Mapping[str, str] = {
    **dict.fromkeys(_SWITCHES, _BOOL),
    **dict.fromkeys(_FILES, _PATH),
    "audit-log-path": rf"{_PATH}|-",
    "audit-log-maxage": _NUMBER,
    "authorization-mode": _NAMES,
    "bind-address": _ADDRESS,
    "disable-admission-plugins": _NAMES,
    "enable-admission-plugins": _NAMES,
    "etcd-servers": rf"{_URL}(?:,{_URL}){{0,8}}",
    "listen-client-urls": rf"{_URL}(?:,{_URL}){{0,8}}",
    "listen-peer-urls": rf"{_URL}(?:,{_URL}){{0,8}}",
    "tls-cipher-suites": rf"{_CIPHER}(?:,{_CIPHER}){{0,40}}",
    "tls-min-version": r"VersionTLS1[0-3]",
}
LISTS = ("authorization-mode", "disable-admission-plugins", "enable-admission-plugins", "etcd-servers", "tls-cipher-suites")
"""Flags of which every one that is written adds to a list."""
ETCD_FLAGS = (
    "auto-tls",
    "cert-file",
    "client-cert-auth",
    "config-file",
    "key-file",
    "listen-client-urls",
    "listen-peer-urls",
    "peer-auto-tls",
    "peer-cert-file",
    "peer-client-cert-auth",
    "peer-key-file",
    "peer-trusted-ca-file",
    "trusted-ca-file",
)
"""Flags of etcd, each of which a variable may set as well: https://etcd.io/docs/v3.6/op-guide/configuration/"""


def variable(flag: str) -> str:
    """The variable of etcd that stands for a flag."""
    return f"ETCD_{flag.upper().replace('-', '_')}"


ENV: Mapping[str, str] = {variable(flag): FLAGS[flag] for flag in ETCD_FLAGS}
WORDS: frozenset[str] = frozenset(PROGRAMS)
ANNOTATIONS: frozenset[str] = frozenset()
_SERVER = re.compile(rf"^\s*server:\s*[\"']?(https://(?:{_HOST})(?::\d{{1,5}})?/?)[\"']?\s*$", re.MULTILINE)


def cluster_info(data: Mapping[str, str]) -> dict[str, Any]:
    """Of `kube-public/cluster-info` the address that it tells everyone, out of the kubeconfig in it.

    https://kubernetes.io/docs/reference/setup-tools/kubeadm/implementation-details/#create-the-public-cluster-info-configmap
    """
    found = _SERVER.search(str(mapping(dict(data)).get("kubeconfig") or ""))
    return {"server": found.group(1)} if found else {}


SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {"cluster-info": cluster_info}
