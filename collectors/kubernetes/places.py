"""Where in a file a fact stands: the key that it is read from, or the nearest one around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.pods import LISTS
from collectors.kubernetes.shapes import Pod
from collectors.kubernetes.within import mappings
from collectors.project import paths
from collectors.table import Fact
from scanner.model import Where

Marks = Mapping[int, Mapping[str, tuple[int, int]]]
"""id of a mapping → key → (line, column) in its file."""
PLACES: Mapping[str, str] = {
    "host_paths": "pod.volumes",
    "containers": "pod.containers",
    "sysctls": "pod.securityContext.sysctls",
    "service_account": "pod.serviceAccountName",
    "automount_token": "pod.automountServiceAccountToken",
    "token_mounted": "pod.automountServiceAccountToken",
    "pull_secrets": "pod.imagePullSecrets",
    "projects_token": "pod.volumes",
}
"""Facts that are read from a whole pod spec, or made of one → the key that they mostly stand at."""
CONTAINER: Mapping[str, str] = {
    "image": "image",
    "privileged": "securityContext.privileged",
    "allow_privilege_escalation": "securityContext.allowPrivilegeEscalation",
    "cap_add": "securityContext.capabilities.add",
    "cap_drop": "securityContext.capabilities.drop",
    "run_as_non_root": "securityContext.runAsNonRoot",
    "run_as_user": "securityContext.runAsUser",
    "seccomp": "securityContext.seccompProfile",
    "apparmor": "securityContext.appArmorProfile",
    "read_only_root": "securityContext.readOnlyRootFilesystem",
    "proc_mount": "securityContext.procMount",
    "host_ports": "ports",
    "cpu_limit": "resources.limits",
    "memory_limit": "resources.limits",
    "secret_env": "env",
    "cloud_keys": "env",
    "hub_tokens": "env",
    "visible_devices": "env",
    "args": "args",
}
"""Setting of a container → where it is written."""
_STEP = re.compile(r'"([^"]+)"|([\w-]+)')
_SIMPLE = re.compile(r'(?:(?:"[^"]+"|[\w-]+)(?:\.|$))+')


def places(
    facts: Mapping[str, Fact], wanted: frozenset[str], roots: Mapping[str, Any], pod: Pod | None, marks: Marks, file: str
) -> dict[str, Where]:
    """Fact → its place, and for `containers` also `containers[name]` and `containers[name].setting`.

    `roots` are the parts that paths start in. A fact that is not written has the place of the nearest key above it that is.
    """
    if not marks:
        return {}
    found: dict[str, tuple[int, int]] = {}
    read = {name: paths(facts[name]) for name in wanted & facts.keys()}
    known = {name: (path,) for name, path in PLACES.items()} if pod is not None else {}
    for name in read | known:
        at = next((p for path in (*known.get(name, ()), *read.get(name, ())) if (p := place(path, roots, marks))), None)
        if at:
            found[name] = at
    if pod is not None and "containers" in wanted:
        found |= dict(_containers(pod, marks))
    return {name: Where(file, line, column) for name, (line, column) in found.items()}


def place(path: str, roots: Mapping[str, Any], marks: Marks) -> tuple[int, int] | None:
    """(line, column) of the deepest key of a dotted path that is written; None where not even its first one is."""
    simple = _SIMPLE.match(path.partition("[")[0].partition(" ")[0])
    steps = [quoted or plain for quoted, plain in _STEP.findall(simple.group())] if simple else []
    return _deepest(roots.get(steps[0]), steps[1:], marks) if steps else None


def _deepest(node: Any, steps: list[str], marks: Marks) -> tuple[int, int] | None:
    at = None
    for step in steps:
        here = marks.get(id(node), {}).get(step) if isinstance(node, dict) else None
        if here is None:
            break
        at = here
        node = node[step]
    return at


def _containers(pod: Pod, marks: Marks) -> Iterator[tuple[str, tuple[int, int]]]:
    for _, key in LISTS:
        for raw in mappings(pod.spec.get(key)):
            keys = marks.get(id(raw))
            if keys is None:
                continue
            name = f"containers[{raw.get('name', '')}]"
            yield name, keys.get("name") or next(iter(keys.values()), (0, 0))
            for setting, path in CONTAINER.items():
                at = _deepest(raw, path.split("."), marks)
                if at:
                    yield f"{name}.{setting}", at
