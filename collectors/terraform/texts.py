"""Where a plan's configuration is read from: a folder, or the binary plan, which holds the very files that it was made of.

Everything is bounded, nothing outside the folder is read, and of a binary plan nothing is written anywhere.
"""

from __future__ import annotations

import json
import os
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from collectors.repository import Repository
from scanner.model import BartizanError, frozen

MAX_FILE = 2 << 20
"""Bytes of one configuration file."""
MAX_FILES = 10_000
"""Files of all modules together."""
MAX_BYTES = 32 << 20
"""Bytes of all files together."""
MAX_ARCHIVE = 1 << 30
"""Bytes of a binary plan."""
MAX_MEMBERS = 50_000
SUFFIXES = (".tf", ".tf.json", ".tofu", ".tofu.json")
"""https://opentofu.org/docs/language/files/"""
INSTALLED = ".terraform/modules/modules.json"
CONFIGURATION = "tfconfig/"
DEPLETED = (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, NotImplementedError, ValueError)
"""What `zipfile` raises on a file that is no archive, or that is encrypted, cut or packed in an unknown way."""


class Unread(Exception):  # noqa: N818 - not an error of the program
    """A file that is not read, and why."""


@frozen
class Folder:
    """The folder of a module."""

    path: str
    """Relative to the source folder, with `/`; empty for that itself."""
    key: str
    """The module's key in a binary plan: `team.store`."""
    local: bool = True
    """It is part of the repository: not downloaded, not outside."""


class Texts(Protocol):
    """A configuration's files, module by module."""

    label: str
    """What messages call it."""
    called: str
    """What reports call its folder; empty for the working folder, and where that is not known."""
    problems: list[str]

    def root(self) -> Folder:
        """The root module's folder."""

    def module(self, names: tuple[str, ...], source: str, parent: Folder) -> Folder | str:
        """The folder of the module that is called as `names`, whose call says `source`; else why there is none."""

    def names(self, folder: Folder) -> list[str]:
        """Its configuration files, sorted."""

    def read(self, folder: Folder, name: str) -> bytes:
        """One of them. Raises Unread."""


def is_configuration(name: str) -> bool:
    """Terraform reads a file of that name. https://developer.hashicorp.com/terraform/language/files."""
    hidden = name.startswith(".") or name.endswith("~") or (name.startswith("#") and name.endswith("#"))
    return name.endswith(SUFFIXES) and not hidden


def is_override(name: str) -> bool:
    """What the file says replaces what others say. https://developer.hashicorp.com/terraform/language/files/override."""
    stem = _stem(name)
    return stem == "override" or stem.endswith("_override")


def _stem(name: str) -> str:
    """A configuration file's name without what makes it one: `a.prod_override` of `a.prod_override.tf.json`."""
    return next((name[: -len(end)] for end in sorted(SUFFIXES, key=len, reverse=True) if name.endswith(end)), name)


def is_local(source: str) -> bool:
    """A module beside the one that calls it. https://developer.hashicorp.com/terraform/language/modules/sources#local-paths."""
    return source.startswith(("./", "../", ".\\", "..\\"))


class _Bounded:
    """What was read so far."""

    def __init__(self) -> None:
        self.files = 0
        self.bytes = 0

    def take(self, data: bytes) -> bytes:
        """Count a file. Raises Unread."""
        self.files += 1
        self.bytes += len(data)
        if len(data) > MAX_FILE:
            raise Unread(f"larger than {MAX_FILE} bytes")
        if self.files > MAX_FILES or self.bytes > MAX_BYTES:
            raise Unread(f"more than {MAX_FILES} files or {MAX_BYTES} bytes of configuration")
        return data


class Disk:
    """The files of a folder."""

    def __init__(self, base: Path, root: Path, repository: Repository | None = None) -> None:
        self.base = Path(os.path.realpath(base))
        self.label = str(base)
        self.called = repository.called(self.base) if repository else ""
        self.problems: list[str] = []
        self._root = _within(self.base, root) or ""
        self._bounded = _Bounded()
        self._installed = self._read_installed()

    def root(self) -> Folder:
        """See `Texts`."""
        return Folder("" if self._root == "." else self._root, "")

    def module(self, names: tuple[str, ...], source: str, parent: Folder) -> Folder | str:
        """See `Texts`."""
        key = ".".join(names)
        if is_local(source):
            path = _joined(parent.path, source.replace("\\", "/"))
        else:
            entry = self._installed.get(key)
            if entry is None or _plain(entry[0]) != _plain(source):
                return f"module.{key} is not installed in {INSTALLED}; run `terraform init` before the scan"
            path = _joined(self._root, entry[1])
        real = _within(self.base, self.base / path) if path is not None else None
        if path is None or real is None:
            return f"module.{key} ({source}) is outside the source folder; name a folder above it with --source"
        if not (self.base / path).is_dir():
            return f"module.{key} ({source}): there is no such folder"
        return Folder("" if path == "." else path, key, local=parent.local and is_local(source))

    def names(self, folder: Folder) -> list[str]:
        """See `Texts`."""
        try:
            with os.scandir(self.base / folder.path) as entries:
                return sorted(e.name for e in entries if is_configuration(e.name) and e.is_file())
        except OSError as error:
            self.problems.append(f"{folder.path or self.label}: cannot be read: {error.strerror}")
            return []

    def read(self, folder: Folder, name: str) -> bytes:
        """See `Texts`."""
        path = self.base / folder.path / name
        if _within(self.base, path) is None:
            raise Unread("a link that leads out of the source folder is not followed")
        try:
            with path.open("rb") as stream:
                return self._bounded.take(stream.read(MAX_FILE + 1))
        except OSError as error:
            raise Unread(f"cannot be read: {error.strerror}") from None

    def _read_installed(self) -> Mapping[str, tuple[str, str]]:
        path = self.base / self._root / INSTALLED
        if not path.is_file() or _within(self.base, path) is None:
            return {}
        try:
            with path.open("rb") as stream:
                return modules(stream.read(MAX_FILE))
        except OSError:
            return {}


class Binary:
    """The configuration in a binary plan."""

    def __init__(self, path: Path, repository: Repository | None = None) -> None:
        self.label = str(path)
        self.called = ""
        self.problems: list[str] = []
        self._bounded = _Bounded()
        self._files: dict[str, dict[str, zipfile.ZipInfo]] = {}
        self._path = path
        try:
            if path.stat().st_size > MAX_ARCHIVE:
                raise BartizanError(f"{path}: larger than {MAX_ARCHIVE} bytes, which no plan is.")
            self._archive = zipfile.ZipFile(path)
            members = self._archive.infolist()
        except DEPLETED as error:
            raise BartizanError(f"{path}: is no binary plan (what `terraform plan -out` writes): {error}") from None
        if len(members) > MAX_MEMBERS:
            raise BartizanError(f"{path}: has more than {MAX_MEMBERS} members, which no plan has.")
        for member in members:
            parts = member.filename.split("/")
            # NOTE: `tfconfig/m-<key>/<file>` and nothing else, so no name leads anywhere
            if len(parts) == 3 and parts[0] == "tfconfig" and parts[1].startswith("m-") and is_configuration(parts[2]):  # noqa: PLR2004
                self._files.setdefault(parts[1][2:], {})[parts[2]] = member
        self._modules = self._read_modules()
        if not self._files:
            raise BartizanError(f"{path}: is no binary plan: it holds no configuration ({CONFIGURATION}…).")
        if repository and not self._stands(repository.here) and self._stands(path.parent):
            self.called = repository.called(path.parent)

    def _stands(self, folder: Path) -> bool:
        """Whether the root module's files are in a folder, as they are here."""
        with suppress(OSError, Unread):
            return all((folder / name).read_bytes() == self.read(self.root(), name) for name in self.names(self.root()))
        return False

    def _read_modules(self) -> Mapping[str, tuple[str, str]]:
        try:
            with self._archive.open(f"{CONFIGURATION}modules.json") as stream:
                return modules(stream.read(MAX_FILE))
        except KeyError:
            return {}
        except DEPLETED as error:
            raise BartizanError(f"{self._path}: the binary plan's configuration cannot be read: {error}") from None

    def root(self) -> Folder:
        """See `Texts`."""
        return Folder("", "")

    def module(self, names: tuple[str, ...], source: str, parent: Folder) -> Folder | str:
        """See `Texts`."""
        key = ".".join(names)
        entry = self._modules.get(key)
        if entry is None or key not in self._files:
            return f"module.{key} is not in the binary plan"
        path = _joined("", entry[1])
        return Folder(path or posixpath.normpath(entry[1]), key, local=parent.local and is_local(source) and path is not None)

    def names(self, folder: Folder) -> list[str]:
        """See `Texts`."""
        return sorted(self._files.get(folder.key, {}))

    def read(self, folder: Folder, name: str) -> bytes:
        """See `Texts`."""
        member = self._files[folder.key][name]
        if member.file_size > MAX_FILE:
            raise Unread(f"larger than {MAX_FILE} bytes")
        try:
            with self._archive.open(member) as stream:
                return self._bounded.take(stream.read(MAX_FILE + 1))
        except DEPLETED as error:
            raise Unread(f"cannot be read: {error}") from None


def modules(data: bytes) -> Mapping[str, tuple[str, str]]:
    """Key → (source, folder) of Terraform's list of installed modules; empty where it cannot be read."""
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    rows = found.get("Modules") if isinstance(found, dict) else found
    return {
        row["Key"]: (str(row.get("Source", "")), row["Dir"].replace("\\", "/"))
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and isinstance(row.get("Key"), str) and isinstance(row.get("Dir"), str)
    }


def _joined(folder: str, path: str) -> str | None:
    """`path` as seen from `folder`; None where that is outside."""
    found = posixpath.normpath(posixpath.join(folder, path))
    return None if posixpath.isabs(found) or found.split("/")[0] == ".." else found


def _within(base: Path, path: Path) -> str | None:
    """A path relative to `base`, links followed; None where it is outside. `base` has no links in it."""
    try:
        return Path(os.path.realpath(path)).relative_to(base).as_posix()
    except (ValueError, OSError):
        return None


def _plain(source: str) -> str:
    """A source as it is compared: the list of installed modules names the registry's host, a plan may not."""
    host, _, rest = source.partition("/")
    return rest if "." in host and host.startswith("registry.") else source
