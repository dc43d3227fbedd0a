"""Lines on a terminal, or in the file or log that stands for one: their width, their colours, and where they break."""

from __future__ import annotations

import os
import re
import shutil
from itertools import pairwise
from typing import Any, TextIO

from rich.cells import cell_len

from scanner.reports import text as words

NARROW = 40
"""No window is taken to be narrower than this."""

Span = tuple[str, str]
"""A text of ours or one already `visible`, and its style."""


def colorful(out: TextIO) -> bool:
    """Whether escape sequences are welcome."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or out.isatty()


def _columns(out: TextIO) -> int:
    """The terminal's width; 80 where there is none, so that a log or file is the same wherever it is made."""
    if out.isatty():
        return shutil.get_terminal_size().columns
    given = os.environ.get("COLUMNS", "")
    return (int(given) if given.isdecimal() else 0) or 80


def _console(out: TextIO, width: int) -> Any:
    """What writes colours. In a pipe or a log there are none, and much of a quick scan would be spent on importing it."""
    from rich.console import Console  # noqa: PLC0415

    return Console(
        file=out,
        width=width,
        color_system="standard",
        force_terminal=True,
        force_interactive=False,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


class Page:
    """Lines on a terminal: wrapped between words only, so that an id can be copied and searched for, however long it is."""

    def __init__(self, out: TextIO, width: int | None, *, color: bool) -> None:
        self.width = max(width or _columns(out), NARROW)
        self._out = out
        self.encoding = getattr(out, "encoding", None) or "utf-8"
        self._console = _console(out, self.width) if color else None

    def safe(self, text: str) -> str:
        """Data, made safe to print here."""
        return words.visible(text, self.encoding)

    def line(self, prefix: str, *spans: Span, hang: str | None = None) -> None:
        """One paragraph: `prefix`, then the spans; further lines begin with `hang` (blanks as wide as `prefix`)."""
        plain = "".join(content for content, _ in spans)
        hang = " " * cell_len(prefix) if hang is None else hang
        breaks = self._breaks(plain, cell_len(prefix), cell_len(hang))
        if self._console is not None:
            from rich.text import Text  # noqa: PLC0415 - see `_console`

            parts = Text.assemble(*((content, style) for content, style in spans)).divide(breaks)
            for index, part in enumerate(parts):
                part.rstrip()
                self._console.print(Text.assemble(hang if index else prefix, part), soft_wrap=True)
        else:  # thirty times as fast, and the passes of a large estate are many
            for start, end in pairwise([0, *breaks, len(plain)]):
                self._out.write((hang if start else prefix) + plain[start:end].rstrip() + "\n")

    def blank(self) -> None:
        """An empty line."""
        self.line("")

    def _breaks(self, plain: str, first: int, rest: int) -> list[int]:
        """Where to break, so that lines keep to the width as far as words allow."""
        breaks: list[int] = []
        used = first
        for word in re.finditer(r"\S+\s*", plain):
            if used + cell_len(word[0].rstrip()) > self.width and word.start() and used > (rest if breaks else first):
                breaks.append(word.start())
                used = rest
            used += cell_len(word[0])
        return breaks
