"""Of service meshes and policy engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

FLAGS: Mapping[str, str] = {}
ENV: Mapping[str, str] = {}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset()
SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {}
