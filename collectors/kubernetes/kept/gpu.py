"""Of the GPU and Network Operators, and of device plugins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collectors.kubernetes.within import mapping, mappings
from collectors.kubernetes.yamldoc import Bounds, Document, documents

_SWITCH = r"(?i:true|false)|[01tTfF]"
FLAGS: Mapping[str, str] = {}
ENV: Mapping[str, str] = {
    "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED": _SWITCH,
    "NVIDIA_RUNTIME_SET_AS_DEFAULT": _SWITCH,
}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset()
_BOUNDS = Bounds(depth=20, nodes=10_000)
_STRATEGIES = {"timeSlicing": "time-slicing", "mps": "mps"}


def sharing(data: Mapping[str, str]) -> dict[str, Any]:
    """How the device plugin shares GPUs, for each of its configurations: `one` replica is no sharing.

    https://github.com/NVIDIA/k8s-device-plugin#shared-access-to-gpus
    """
    found = {}
    for key, text in data.items():
        first = next(iter(documents(text, _BOUNDS)), None)
        if not isinstance(first, Document) or not isinstance(first.value, dict):
            continue
        shared = mapping(first.value.get("sharing"))
        found[key] = [
            {"strategy": name, "resource": str(r.get("name") or ""), "replicas": int(r["replicas"])}
            for part, name in _STRATEGIES.items()
            for r in mappings(mapping(shared.get(part)).get("resources"))
            if str(r.get("replicas")).isdecimal() and int(r["replicas"]) > 1
        ]
    return {"sharing": found}


PLUGIN_CONFIGS = (
    "device-plugin-config",
    "mps-config",
    "nvidia-device-plugin-config",
    "nvidia-device-plugin-configs",
    "nvidia-plugin-configs",
    "plugin-config",
    "time-slicing-config",
    "time-slicing-config-all",
    "time-slicing-config-fine",
)
"""Names that instructions give to the configuration of the device plugin: the ConfigMap's name is free."""
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = dict.fromkeys(PLUGIN_CONFIGS, sharing)
