"""Our own small text files (configuration, waivers, rules), read with a bound and with every fault in words."""

from __future__ import annotations

from pathlib import Path

from scanner.model import BartizanError

MOST_BYTES = 1_000_000


def read_bounded(path: Path, why: str = "") -> str:
    """The UTF-8 text of a small file; `why` ends the sentence where it is too large. Raises BartizanError where it cannot be read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BartizanError(f"{path}: larger than {MOST_BYTES:,} bytes{why}.")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BartizanError(f"{path}: is not UTF-8 text.") from error
    except OSError as error:
        raise BartizanError(f"{path}: cannot be read: {error.strerror}.") from error
