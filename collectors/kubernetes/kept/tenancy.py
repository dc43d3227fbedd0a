"""Of queues, quotas and storage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collectors.kubernetes.yamldoc import Bounds, Document, documents

FLAGS: Mapping[str, str] = {}
ENV: Mapping[str, str] = {}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset({"owner", "pv.kubernetes.io/provisioned-by", "scheduling.volcano.sh/queue-name"})
_BOUNDS = Bounds(depth=20, nodes=10_000)
_MANAGER = "controller_manager_config.yaml"


def kueue(data: Mapping[str, str]) -> dict[str, Any]:
    """Whether Kueue manages what names no queue; nothing where its configuration cannot be read.

    https://kueue.sigs.k8s.io/docs/reference/kueue-config.v1beta2/: false unless it says otherwise.
    """
    found = list(documents(data.get(_MANAGER, ""), _BOUNDS))
    one = found[0] if len(found) == 1 else None
    if not isinstance(one, Document) or one.faults or not isinstance(one.value, dict):
        return {}
    told = one.value.get("manageJobsWithoutQueueName", False)
    return {"manages_all": told} if isinstance(told, bool) else {}


SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {"kueue-manager-config": kueue}
