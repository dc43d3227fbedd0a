"""Of models, data, images and packages; and credentials in ConfigMaps."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

from collectors import secrets
from collectors.kubernetes.marks import PLAIN, named_secret, value_class

FLAGS: Mapping[str, str] = {}
CREDENTIAL_FILES = (
    "AWS_SHARED_CREDENTIALS_FILE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "AZURE_CREDENTIALS_FILE",
    "CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE",
)
"""Variables that name a file with a key of a cloud."""
ENV: Mapping[str, str] = dict.fromkeys(CREDENTIAL_FILES, r"(?:/[A-Za-z0-9._-]{1,40}){1,6}")
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset()
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {}


PUBLIC = frozenset({"kube-root-ca.crt", "istio-ca-root-cert", "openshift-service-ca.crt", "trusted-ca-bundle"})
"""ConfigMaps that platforms fill with certificates."""
MOST = 1024 * 1024
"""Characters of an entry that are read: a ConfigMap holds no more. https://kubernetes.io/docs/concepts/configuration/configmap/"""
SHOWN = 50
"""Findings kept of one ConfigMap."""
NAMED = "called like a secret"
"""The kind of what nothing but its name speaks for."""


def credentials(name: str, data: Mapping[str, str], binary: Mapping[str, Any] | None = None) -> list[dict[str, str]]:
    """Entries of a ConfigMap that hold credentials: the key, and of which kind; never a part of a value.

    Values are looked at first. A name alone is told apart: `NAMED`.
    """
    if name in PUBLIC:
        return []
    found: list[dict[str, str]] = []
    for key, text in sorted({**data, **_decoded(binary or {})}.items()):
        told = {(f.line, f.kind) for f in secrets.find(key, text)}
        lines = "\n" in text.strip()
        found += [{"key": f"{key}, line {line}" if lines else key, "kind": kind} for line, kind in sorted(told)]
        if not told and not lines and named_secret(key) and value_class("TOKEN", text) != PLAIN and not _harmless(text.strip()):
            found.append({"key": key, "kind": NAMED})
    return found[:SHOWN]


def _harmless(text: str) -> bool:
    """A switch, a number, a place: no secret, whatever it is called."""
    return text.lower() in ("true", "false", "yes", "no", "enabled", "disabled") or text.isdigit() or text.startswith(("/", "./"))


def _decoded(binary: Mapping[str, Any]) -> dict[str, str]:
    """The texts among binary entries."""
    found = {}
    for key, value in binary.items():
        try:
            found[str(key)] = base64.b64decode(str(value)[: 2 * MOST], validate=True).decode("utf-8")[:MOST]
        except (binascii.Error, ValueError):
            continue
    return found
