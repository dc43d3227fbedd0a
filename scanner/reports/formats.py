"""The list of formats, what `-o FORMAT[=PATH]` means, and how reports are written.

To add a format: one module with `render(report, out, **options)`, and one line in `FORMATS`. Modules are imported when used.

For the caller: `requested` at the start of a command (it refuses what cannot be written before a scan spends an hour), `write` at
its end. A reader that goes away early (`bartizan ... | head`) raises `BrokenPipeError` from `write`, after all files are written:
catch it, call `hush`, and exit with the gate's code all the same.
"""

from __future__ import annotations

import importlib
import io
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from scanner.model import BartizanError, Report, frozen
from scanner.reports.text import visible


@frozen
class Format:
    """One format: what it is for, and the module that writes it."""

    name: str
    description: str
    module: str
    """In this package."""
    extension: str
    """What a file of it is usually called, without the dot."""
    options: tuple[str, ...] = ()
    """Options that `render` takes by name; others are not passed on."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Options that the format itself decides."""
    human: bool = False
    """It suits itself to the terminal; all others are UTF-8 with line feeds, wherever they go."""

    def render(self, report: Report, out: TextIO, options: Mapping[str, Any]) -> None:
        """Write `report` to `out`, with those of the `options` that this format has."""
        module = importlib.import_module(f"scanner.reports.{self.module}")
        module.render(report, out, **{name: options[name] for name in self.options if name in options}, **self.fixed)


SARIF = ("category", "root", "repository", "revision", "branch")

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        each.name: each
        for each in (
            Format(
                "terminal",
                "findings as a compiler shows them",
                "terminal",
                "txt",
                ("quiet", "verbose", "width", "color"),
                human=True,
            ),
            Format("json", "the whole report, to keep and to render again", "json_report", "json"),
            Format("sarif", "open findings for code scanning (SARIF 2.1.0)", "sarif_report", "sarif", SARIF),
            Format("sarif-audit", "every verdict, waiver and gap (SARIF 2.1.0)", "sarif_report", "sarif", SARIF, {"audit": True}),
            Format("junit", "a test case a verdict, for build services", "junit", "xml"),
            Format("gitlab", "open findings for merge requests (Code Quality)", "gitlab", "json", ("root",)),
            Format("github", "open findings as annotations of a workflow", "github", "txt", ("root",)),
            Format("markdown", "a summary for a pull request's comment", "markdown", "md", ("limit",)),
            Format("csv", "a row a verdict and control, for spreadsheets", "csv_report", "csv"),
        )
    }
)


@frozen
class Output:
    """One report that was asked for."""

    format: Format
    path: Path | None = None
    """None for standard output."""


def parse_output(text: str) -> Output:
    """What `FORMAT`, `FORMAT=PATH` or `FORMAT=-` asks for."""
    name, given, path = text.partition("=")
    if name not in FORMATS:
        raise BartizanError(f"there is no report format '{visible(name)}'; the formats are {', '.join(FORMATS)}")
    if given and not path:
        raise BartizanError(f"-o {name}= names no file; write -o {name} for standard output, or -o {name}=PATH")
    return Output(FORMATS[name], None if path in ("", "-") else Path(path))


def requested(texts: Sequence[str]) -> tuple[Output, ...]:
    """All outputs asked for, the terminal's too unless standard output is taken; refuses what cannot be written."""
    outputs = [parse_output(text) for text in texts]
    direct = [output.format.name for output in outputs if output.path is None]
    if len(direct) > 1:
        raise BartizanError(f"{' and '.join(direct)} cannot share standard output; give all but one a file: -o {direct[0]}=PATH")
    if not direct:
        outputs.append(Output(FORMATS["terminal"]))
    seen: set[Path] = set()
    for output in outputs:
        if output.path is None:
            continue
        real = _checked(output.path)
        if real in seen and not _special(real):
            raise BartizanError(f"two reports would be written to {visible(str(output.path))}; give each its own file")
        seen.add(real)
    return tuple(outputs)


def write(report: Report, outputs: Sequence[Output], stdout: TextIO | None = None, **options: Any) -> None:
    """Write every report: files first, standard output last, so that the gate's answer is the last line."""
    for output in sorted(outputs, key=lambda each: each.path is None):
        if output.path is not None:
            with replacing(output.path) as out:
                output.format.render(report, out, options)
            continue
        with _standard(stdout or sys.stdout, human=output.format.human) as out:
            output.format.render(report, out, options)


def hush(stdout: TextIO | None = None) -> None:
    """Points a standard output that cannot be written at nothing, so that the interpreter's own flush at the end stays silent."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, (stdout or sys.stdout).fileno())
    os.close(nothing)


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` only when all of it is written: a failure leaves what was there.

    Pipes and devices (`/dev/stderr`, `>(gzip)`) are written as they are.
    """
    target = path.resolve()
    try:
        if _special(target):
            with target.open("w", encoding="utf-8", newline="\n") as out:
                yield out
            return
        # NOTE: in the same folder, since a rename is only atomic within one file system; the mode follows the umask.
        draft = target.with_name(f".bartizan-{secrets.token_hex(8)}")
        try:
            with draft.open("x", encoding="utf-8", newline="\n") as out:
                yield out
                out.flush()
                os.fsync(out.fileno())
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


@contextmanager
def _standard(stdout: TextIO, *, human: bool) -> Iterator[TextIO]:
    """Standard output, as UTF-8 with line feeds unless the format is for people; flushed, so that its faults show here."""
    try:
        stdout.flush()
        if not human and isinstance(stdout, io.TextIOWrapper):
            stdout.reconfigure(encoding="utf-8", newline="\n")
        yield stdout
        stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BartizanError(f"standard output cannot be written: {error.strerror or error}") from error


def _checked(path: Path) -> Path:
    """The file itself, behind links; refuses early what `replacing` could not write."""
    shown = visible(str(path))
    try:
        target = path.resolve()
        if target.is_symlink():  # NOTE: before Python 3.13 a loop is a RuntimeError
            raise BartizanError(f"{shown} cannot be written: its links lead nowhere but to each other")
        if target.is_dir():
            raise BartizanError(f"{shown} cannot be written: it is a folder")
        if not target.parent.is_dir():
            raise BartizanError(f"{shown} cannot be written: there is no folder {visible(str(path.parent))}")
        if not os.access(target if _special(target) else target.parent, os.W_OK):
            raise BartizanError(f"{shown} cannot be written: no permission")
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links, before Python 3.13
        raise _unwritable(path, error) from error
    return target


def _special(path: Path) -> bool:
    """Whether it is there and no ordinary file: renaming over a device would destroy it."""
    try:
        return not stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


def _unwritable(path: Path, error: Exception) -> BartizanError:
    """A failed write, told with its path and cause."""
    cause = getattr(error, "strerror", None) or error
    return BartizanError(f"{visible(str(path))} cannot be written: {cause}")
