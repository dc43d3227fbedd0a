"""Which Kustomize overlays a folder has, and which of its files are parts of them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collectors.kubernetes.yamldoc import Bounds, Document, documents

NAMES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""https://kubectl.docs.kubernetes.io/references/kustomize/glossary/#kustomization"""
MOST = 1024 * 1024
"""Bytes of a kustomization that are read."""
PARTS = (
    "resources",
    "bases",
    "components",
    "patches",
    "patchesStrategicMerge",
    "patchesJson6902",
    "replacements",
    "generators",
    "transformers",
)
"""Keys of a kustomization whose entries are paths, or have one."""


@dataclass(slots=True)
class Overlays:
    """Real paths."""

    folders: set[str] = field(default_factory=set)
    """Folders with a kustomization."""
    parts: set[str] = field(default_factory=set)
    """Folders that another one builds on, components, and files that one names: none of them stands for itself."""

    def stands(self, folder: str) -> bool:
        """Whether an overlay is to be rendered: nothing else is made of it."""
        return folder in self.folders and folder not in self.parts


def overlay_file(folder: Path) -> str:
    """The name of a folder's kustomization, empty where there is none."""
    return next((name for name in NAMES if (folder / name).is_file()), "")


def overlays(root: Path) -> Overlays:
    """The overlays at and below a folder."""
    found = Overlays()
    for here, folders, _ in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".")]
        folder = Path(here)
        name = overlay_file(folder)
        if name:
            found.folders.add(os.path.realpath(folder))
            _read(found, folder, _values(folder / name))
    return found


def _values(path: Path) -> Sequence[Any]:
    try:
        with path.open("rb") as stream:
            text = stream.read(MOST).decode(errors="replace")
    except OSError:
        return ()  # the tool says why when it renders the folder
    return [d.value for d in documents(text, Bounds()) if isinstance(d, Document)]


def _read(found: Overlays, folder: Path, values: Sequence[Any]) -> None:
    for value in values:
        if not isinstance(value, dict):
            continue
        if value.get("kind") == "Component":
            found.parts.add(os.path.realpath(folder))
        for text in _paths(value):
            path = folder / text
            if "\0" not in text and path.exists():
                found.parts.add(os.path.realpath(path))


def _paths(value: dict[str, Any]) -> Iterator[str]:
    """What an overlay makes objects of, or changes them by.

    NOTE: nothing else: a path that stands in another key must not keep a manifest from being read.
    """
    for key in PARTS:
        for entry in value[key] if isinstance(value.get(key), list) else ():
            named = entry.get("path") if isinstance(entry, dict) else entry
            if isinstance(named, str) and "\n" not in named and len(named) < 4096:  # noqa: PLR2004 - the longest path
                yield named
