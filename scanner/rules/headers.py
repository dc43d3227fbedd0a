"""What the METADATA of the shipped rules says, parsed when the package is built: reading YAML takes a twentieth of a quick scan.

It stands beside the rules: who can write there can write the rules as well. An entry is found by the text that it was parsed from, so
none can be stale, and what it says is checked like fresh text. A rule that has none is read as ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from scanner.model import BartizanError

NAME = "headers.json"


class Headers:
    """Parsed headers by the digest of their text."""

    def __init__(self, folder: Path) -> None:
        """Those of a folder of rules; none where it has no file of them. Raises BartizanError where that is damaged."""
        self._found: Mapping[str, dict[str, Any]] = {}
        path = folder / NAME
        try:
            self._found = msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, Any]])
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError, RecursionError) as error:
            raise BartizanError(f"{path}: cannot be read: {error}. Install Bartizan again, or remove the file.") from error

    def get(self, text: str) -> dict[str, Any] | None:
        """What a header says, None where it was not parsed before."""
        return self._found.get(_digest(text))


def write(folder: Path) -> int:
    """Parse the headers of all rules in a folder and keep them there; how many there are. One that JSON cannot say is left out."""
    from scanner import yamltext  # noqa: PLC0415 - when packages are built
    from scanner.rules.metadata import header  # noqa: PLC0415

    found = {}
    for path in sorted(folder.rglob("*.rego")):
        block = header(path.read_text(encoding="utf-8"))
        if block is None:
            continue
        _, data = yamltext.parse(block.text)
        if isinstance(data, dict) and msgspec.json.decode(msgspec.json.encode(data)) == data:
            found[_digest(block.text)] = data
    (folder / NAME).write_bytes(msgspec.json.encode(found, order="sorted"))
    return len(found)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
