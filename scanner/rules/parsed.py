"""What the METADATA of the shipped rules says, parsed once and kept in the user's cache folder: reading YAML takes a twentieth of a quick scan.

An entry is found by the text that it was parsed from, so none can be stale, and what it says is checked like fresh text. Only a file
of the user's own, that nobody else may write, is believed. Where there is none nothing is lost but time.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import Any

import msgspec

from scanner import __version__

MOST_BYTES = 20_000_000


def folder() -> Path | None:
    """Where this user's programs keep what they can make again; None where there is no such place.

    https://specifications.freedesktop.org/basedir-spec/latest/
    """
    named = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else "")
    with contextlib.suppress(RuntimeError):
        home = Path(named) if named else Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
        return home / "bartizan" if home.is_absolute() else None
    return None


class Parsed:
    """Parsed texts by their digest."""

    def __init__(self, place: Path | None = None) -> None:
        place = place or folder()
        self._path = place / "rules.json" if place is not None else None
        self._found = self._read()
        self._used: dict[str, Any] = {}
        self._new = False

    def _read(self) -> dict[str, Any]:
        """What is kept; nothing where that is of another release, damaged, or may be anybody's."""
        with contextlib.suppress(OSError, msgspec.DecodeError, RecursionError):
            if self._path is not None and _own(self._path):
                kept = msgspec.json.decode(self._path.read_bytes(), type=dict[str, dict[str, Any]])
                return kept.get(__version__, {})
        return {}

    def get(self, text: str) -> Any:
        """What a text was parsed to, None where it is not known."""
        digest = _digest(text)
        if digest in self._found:
            self._used[digest] = self._found[digest]
        return self._used.get(digest)

    def put(self, text: str, data: Any) -> None:
        """Keep what a text was parsed to, where JSON can say it."""
        with contextlib.suppress(msgspec.EncodeError, TypeError, ValueError):
            if msgspec.json.decode(msgspec.json.encode(data)) == data:
                self._used[_digest(text)] = data
                self._new = True

    def save(self) -> None:
        """Write what was used, where there is something new. That nothing can be written is no fault."""
        if not self._new or self._path is None or sys.dont_write_bytecode:
            return
        draft = self._path.with_name(f".{os.urandom(8).hex()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                    file.write(msgspec.json.encode({__version__: self._used}))
                draft.replace(self._path)
            finally:
                draft.unlink(missing_ok=True)


def _own(path: Path) -> bool:
    """An ordinary file of a sane size that is this user's, and that nobody else may write; nor may they put another in its place."""
    file, around = path.lstat(), path.parent.lstat()
    plain = stat.S_ISREG(file.st_mode) and file.st_size <= MOST_BYTES and stat.S_ISDIR(around.st_mode)
    if not plain or not hasattr(os, "geteuid"):
        return plain
    return all(each.st_uid == os.geteuid() and not each.st_mode & (stat.S_IWGRP | stat.S_IWOTH) for each in (file, around))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
