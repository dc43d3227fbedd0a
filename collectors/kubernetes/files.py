"""Which files a manifest scan reads, and their text: bounded, and never outside the folder that was named."""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from collectors.kubernetes.overlays import NAMES, Overlays, overlays
from collectors.repository import Repository, joined
from scanner.model import BartizanError, frozen

CHART = "Chart.yaml"
SUFFIXES = (".yaml", ".yml", ".json")
EMPTY = "holds nothing to read (.yaml, .yml, .json); name what there is, or leave it out"
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@frozen
class Problem:
    """Something that was not read. Its text names the file."""

    file: str
    what: str
    line: int = 0

    @property
    def text(self) -> str:
        """One line for a person."""
        return f"{self.file}{f':{self.line}' if self.line else ''}: {self.what}"


@frozen
class File:
    """A file to read."""

    path: Path
    name: str
    """As reports call it, with `/`."""
    own: str = ""
    """Relative to the folder that was named: the same from wherever and however that was named."""


@frozen
class Folder:
    """A Helm chart or a Kustomize overlay: its files mean nothing until they are rendered."""

    path: Path
    name: str
    """As that of a file; empty for the folder that was named itself, where reports call it nothing."""
    chart: bool
    own: str = ""


def files(
    paths: Sequence[str | Path], *, rendered: bool = True, repository: Repository | None = None
) -> Iterator[File | Folder | Problem]:
    """The manifest files at `paths` (`-` is left out), each once, in an order that does not depend on the file system.

    Where charts and overlays are `rendered`, each is one `Folder`, and what belongs to it is left out. Names are those of the
    `repository`, else relative to the folder that was named.

    Raises BartizanError where a path does not exist.
    """
    read: set[str] = set()
    for given in paths:
        if str(given) == "-":
            continue
        root = Path(given)
        try:
            folder = root.is_dir()
            if not folder and not root.exists():
                raise BartizanError(f"{given}: no such file or folder.")
        except (OSError, ValueError) as error:
            raise BartizanError(f"{given}: cannot be read: {error}.") from error
        called = repository.called(root if folder else root.parent) if repository else ""
        nothing = folder
        for found in _walk(root, rendered=rendered) if folder else [File(root, root.name)]:
            nothing = False
            if isinstance(found, Problem):
                yield replace(found, file=joined(called, found.file))
                continue
            real = os.path.realpath(found.path)
            if real not in read:
                read.add(real)
                yield replace(found, name=joined(called, found.name), own=found.name)
        if nothing:
            yield Problem(str(given), EMPTY)


def _walk(root: Path, *, rendered: bool) -> Iterator[File | Folder | Problem]:
    real = os.path.realpath(root)
    made = overlays(root) if rendered else Overlays()
    failed: list[OSError] = []
    for folder, folders, names in os.walk(root, onerror=failed.append):
        here = Path(folder)
        if rendered and (here / CHART).is_file():
            folders.clear()
            yield Folder(here, _below(here, root), chart=True)
            continue
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        if made.stands(os.path.realpath(here)):
            yield Folder(here, _below(here, root), chart=False)
        for name in folders:
            if (here / name).is_symlink() and not _inside(here / name, real):
                yield Problem(_name(here / name, root), "a link that leaves the folder; not followed")
        for name in sorted(names):
            path = here / name
            if name.startswith(".") or not name.lower().endswith(SUFFIXES):
                continue
            if rendered and (name in NAMES or os.path.realpath(path) in made.parts):
                continue
            problem = _refused(path, real)
            yield Problem(_name(path, root), problem) if problem else File(path, _name(path, root))
    for error in failed:
        yield Problem(_name(Path(error.filename or root), root), f"cannot be read: {error.strerror}")


def _name(path: Path, root: Path) -> str:
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.name


def _below(folder: Path, root: Path) -> str:
    """The name of a folder; empty for the root."""
    return "" if folder == root else _name(folder, root)


def _inside(path: Path, real: str) -> bool:
    target = os.path.realpath(path)
    return target == real or target.startswith(real.rstrip(os.sep) + os.sep)


def _refused(path: Path, real: str) -> str:
    """Why a file of a folder is not read, empty where it is."""
    if path.is_symlink() and not _inside(path, real):
        return "a link that leaves the folder; not read"
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        return f"cannot be read: {getattr(error, 'strerror', None) or error}"
    return "" if stat.S_ISREG(mode) else "not a regular file; not read"


def content(file: File, max_bytes: int) -> str | Problem:
    """The text of a file."""
    try:
        with file.path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except OSError as error:
        return Problem(file.name, f"cannot be read: {error.strerror}")
    return decoded(file.name, data, max_bytes)


def decoded(name: str, data: bytes, max_bytes: int) -> str | Problem:
    """Bytes as text: UTF-8, or what a byte-order mark says."""
    if len(data) > max_bytes:
        return Problem(name, f"larger than {max_bytes} bytes; not read")
    encoding = next((e for bom, e in _BOMS if data.startswith(bom)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return Problem(name, f"not {encoding} text: {error.reason}", line)
