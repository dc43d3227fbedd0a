"""Which files a plan's source lines are looked up in.

Named with `--source`, it is that folder or binary plan, and one that does not declare what the plan has is an error. Without it, the
working folder is taken, else the plan's own, and only where it declares everything that the plan's root module has: a folder that has
moved on since would give wrong lines.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from collectors.repository import Repository, working_folder
from collectors.terraform.configuration import Plan
from collectors.terraform.hcl import MISSING_PARSER, parser
from collectors.terraform.sources import Sources
from collectors.terraform.texts import Binary, Disk, is_configuration
from scanner.model import BartizanError

FEW = 5
MAGIC = b"PK\x03\x04"


def is_binary(path: Path) -> bool:
    """A binary plan, as `terraform plan -out` writes it: a zip archive."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def named(plan: Plan, source: Path, file: str, repository: Repository | None = None) -> Sources:
    """The configuration that the user names; its files are called as the `repository` calls them. Raises BartizanError where it is not the plan's."""
    if not source.exists():
        raise BartizanError(f"--source {source}: no such file or folder.")
    parser()
    if not source.is_dir():
        if not is_binary(source):
            raise BartizanError(f"--source {source}: give the folder of the .tf files, or a binary plan (`terraform plan -out`).")
        found = Sources(plan, Binary(source, repository))
        missing = found.declares()[1] if not found.declares()[0] else []
    else:
        tried = [Sources(plan, Disk(source, root, repository)) for root in _roots(source, file)]
        ranked = sorted(tried, key=lambda s: (len(s.declares()[1]), -len(s.declares()[0])))
        found = ranked[0]
        missing = found.declares()[1] if not found.declares()[0] else []
    if missing:
        more = f" and {len(missing) - FEW} more" if len(missing) > FEW else ""
        broken = f" It has a file that cannot be read whole: {found.problems[0]}." if found.problems else ""
        raise BartizanError(
            f"--source {source}: declares nothing of what the plan has ({', '.join(missing[:FEW])}{more}); "
            f"give the folder of the root module, or one around it and the plan.{broken}"
        )
    return found


def nearby(plan: Plan, file: str, repository: Repository | None = None) -> tuple[Sources | None, str]:
    """(the configuration beside the plan or in the working folder, note): none where it is not certain that it is the plan's."""
    if not plan.modules[()].resources and len(plan.modules) == 1:
        return None, ""
    note = ""
    here = working_folder()
    beside = Path(os.path.realpath(Path(file).parent)) if file and (here or Path(file).is_absolute()) else here
    if beside is None:
        return None, ""
    for base, root in ((here or beside, beside), (here or beside, here or beside), (beside, beside)):
        if not root.is_relative_to(base) or not _holds_configuration(root):
            continue
        try:
            parser()
        except BartizanError:
            return None, f"for its line, {MISSING_PARSER}"
        sources = Sources(plan, Disk(base, root, repository))
        declared, missing = sources.declares()
        if not missing:
            return sources, ""
        if declared:
            note = f"the .tf files beside it do not declare {missing[0]}: plan again, or name theirs with --source"
    return None, note


def _roots(source: Path, file: str) -> Iterator[Path]:
    """Folders within `source` that may be the root module's."""
    base = Path(os.path.realpath(source))
    yield base
    for folder in (Path(file).parent if file else None, working_folder()):
        real = Path(os.path.realpath(folder)) if folder is not None else base
        if real != base and real.is_relative_to(base):
            yield real


def _holds_configuration(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(is_configuration(e.name) for e in entries)
    except OSError:
        return False
