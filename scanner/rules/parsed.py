"""What the METADATA of the shipped rules says, parsed once, and kept where Python keeps its compiled code.

Who can write there could change the code as well. An entry is found by the text that it was parsed from, so none can be stale; what it says is checked like fresh text. Where Python may
not write (`PYTHONDONTWRITEBYTECODE`, a read-only folder) nothing is kept, and every start takes a little longer.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import sys
from pathlib import Path
from typing import Any

import msgspec

from scanner import __version__

MOST_BYTES = 20_000_000


class Parsed:
    """Parsed texts by their digest."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or Path(importlib.util.cache_from_source(__file__)).with_name("metadata.json")
        self._found = self._read()
        self._used: dict[str, Any] = {}
        self._new = False

    def _read(self) -> dict[str, Any]:
        """What is kept; nothing where that is of another release, or damaged."""
        with contextlib.suppress(OSError, msgspec.DecodeError, RecursionError):
            if self._path.stat().st_size <= MOST_BYTES:
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
        if not self._new or sys.dont_write_bytecode:
            return
        draft = self._path.with_name(f".{os.urandom(8).hex()}")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(exist_ok=True)
            try:
                draft.write_bytes(msgspec.json.encode({__version__: self._used}))
                os.replace(draft, self._path)  # noqa: PTH105 - atomic
            finally:
                draft.unlink(missing_ok=True)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
