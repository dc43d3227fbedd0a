"""How reports call files: as seen from the working folder, and where that is in its repository.

A pull request shows a finding where its path is the repository's own, so a file is not called by where it is in the folder that was
named: `bartizan scan manifests deploy/` tells of `deploy/pod.yaml`, and two folders may both have a `pod.yaml`.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path

from scanner.model import frozen


@frozen
class Repository:
    """The working folder and the repository around it, links followed."""

    here: Path
    top: Path
    """The folder with `.git`; the working folder where there is none."""

    def called(self, folder: Path) -> str:
        """A folder as seen from the working folder; empty for that itself, and for what is not in the repository."""
        try:
            real = Path(os.path.realpath(folder))
            if not real.is_relative_to(self.top):
                return ""
            found = Path(os.path.relpath(real, self.here)).as_posix()
        except (OSError, ValueError):
            return ""
        return "" if found == "." else found

    @property
    def root(self) -> str:
        """The working folder as the repository calls it; empty for the repository itself."""
        found = self.here.relative_to(self.top).as_posix()
        return "" if found == "." else found


def working_folder() -> Path | None:
    """The working folder, links followed; None where it is gone."""
    try:
        return Path(os.path.realpath(Path.cwd()))
    except OSError:
        return None


def repository() -> Repository | None:
    """The repository of the working folder; None where that folder is gone."""
    here = working_folder()
    if here is None:
        return None
    return Repository(here, next((each for each in (here, *here.parents) if (each / ".git").exists()), here))


def joined(folder: str, name: str) -> str:
    """A name below a folder that `called` named."""
    return posixpath.join(folder, name) if folder else name
