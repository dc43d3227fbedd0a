"""What may be kept of what is otherwise redacted: settings that rules read.

A flag, a variable, a word of a command line, an annotation, an entry of a ConfigMap: each is kept only where a module here names it,
and of flags and variables only values of the shape that is written beside it. Anything else may be a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from collectors.kubernetes.kept import access, base, control_plane, fabric, gpu, mesh, servers, supply, tenancy

_TOPICS = (access, base, control_plane, fabric, gpu, mesh, servers, supply, tenancy)

FLAGS: Mapping[str, re.Pattern[str]] = {name: re.compile(pattern) for topic in _TOPICS for name, pattern in topic.FLAGS.items()}
"""Flags of command lines (without dashes, `-` for `_`) that take a value → the values that are settings."""
ENV: Mapping[str, re.Pattern[str]] = {name: re.compile(pattern) for topic in _TOPICS for name, pattern in topic.ENV.items()}
"""Variables → the values that are settings."""
WORDS: frozenset[str] = frozenset[str]().union(*(topic.WORDS for topic in _TOPICS))
"""Words of command lines: programs and what they are told to do."""
ANNOTATIONS: frozenset[str] = frozenset[str]().union(*(topic.ANNOTATIONS for topic in _TOPICS))
"""Annotations that tables read. The value of every other one is dropped: tools keep whole objects, Helm values and tokens in them
(kubernetes/kubernetes#23564)."""
ANNOTATION_PREFIX = "container.apparmor.security.beta.kubernetes.io/"
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {
    name: read for topic in _TOPICS for name, read in topic.SETTINGS.items()
}
"""Names of ConfigMaps → what is read of their data. A name says nothing for certain: readers take the settings of that component only."""
PREFIXES: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = mesh.PREFIXES
"""Beginnings of names of ConfigMaps, where the rest is made up."""
SUFFIXES: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = fabric.SUFFIXES
"""Ends of names of ConfigMaps, where a release stands before."""
MOST = 1024 * 1024
"""Characters of a ConfigMap's entry that are read."""


class Kept(dict[str, Any]):
    """Settings taken out of a ConfigMap before its data is redacted: `settings`, and `credentials` that stand in it."""


def settings(item: Mapping[str, Any]) -> Kept:
    """What is kept of a ConfigMap."""
    data = item.get("data")
    meta = item.get("metadata")
    name = str(meta.get("name") or "") if isinstance(meta, Mapping) else ""
    entries = {str(k): str(v)[:MOST] for k, v in data.items()} if isinstance(data, Mapping) else {}
    binary = item.get("binaryData")
    read = SETTINGS.get(name) or next((r for prefix, r in PREFIXES.items() if name.startswith(prefix)), None)
    read = read or next((r for suffix, r in SUFFIXES.items() if name.endswith(suffix)), None)
    return Kept(
        settings=read(entries) if read else {},
        credentials=supply.credentials(name, entries, binary if isinstance(binary, Mapping) else {}),
    )
