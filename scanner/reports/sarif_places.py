"""Where a verdict stands, in SARIF's terms: its file and line, or a path of its own where the resource is in no file.

Code scanning wants a path for every result and knows an alert again by it. A live resource gets
`cloud/<provider>/<scope>/<region>/<type>/<id>`: one path a resource, never one shared file.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from sarif import log as sarif
from scanner.model import Verdict, Where
from scanner.reports.text import visible

DOTS = re.compile(r"[._]*")
"""A part of a path that would vanish or climb (``, `.`, `..`), or that looks like one we have made visible."""
KEYS = re.compile(r"\[[^\]]*\]")
"""Instance keys of an address: brackets in the text of a link end it."""
BRACKETS = re.compile(r"[\[\]()\\]")


def part(text: str) -> str:
    """One part of a path, percent-encoded; different texts (in UTF-8) give different parts."""
    if DOTS.fullmatch(text):
        return f"_{text}"
    return quote(text, safe="@+=,~", errors="backslashreplace")


def path(text: str) -> str:
    """A text with slashes in it as parts of a path."""
    return "/".join(map(part, text.split("/")))


def uri(verdict: Verdict, root: str = "") -> str:
    """The path of a verdict, relative to the repository; `root` is where the working folder is in it."""
    where = place_of(verdict)
    if where.file:
        return file_uri(where.file, root)
    return "/".join(
        (
            "cloud",
            part(verdict.provider),
            part(verdict.scope),
            part(verdict.region),
            path(verdict.native_type),
            path(verdict.subject),
        )
    )


def file_uri(file: str, root: str = "") -> str:
    """The path of a file, without what would leave the repository."""
    return path(file_path(file, root))


def file_path(file: str, root: str = "") -> str:
    """The same, as the repository itself writes it."""
    root = root.strip("/")
    while file.startswith("../") and root:  # beside the working folder, and still in the repository
        file, root = file[3:], root.rpartition("/")[0]
    return "/".join(each for each in f"{root}/{file}".split("/") if each not in ("", ".", ".."))


def place_of(verdict: Verdict) -> Where:
    """The narrowest place: an alert is shown on a pull request only where all its lines are in the difference."""
    return next((each.where for each in verdict.details if each.where and each.where.file), verdict.where)


def place(verdict: Verdict, root: str = "") -> sarif.Place:
    """The location of a verdict: path, region, and the resource by its canonical id."""
    where = place_of(verdict)
    name = visible(verdict.name) or verdict.subject
    resource = sarif.Logical(name, verdict.subject, "resource" if verdict.level == "resource" else "namespace")
    region = _region(where) if where.file else (1, 1, 1, 1)
    return sarif.Place(uri(verdict, root), *region, logical=(resource,), context=where.block if where.file else (0, 0))


def _region(where: Where) -> tuple[int, int, int, int]:
    """First line and column, last line, and the column behind its last character."""
    line, column = max(where.line, 1), max(where.column, 1)
    if not (where.line and where.column):
        return line, column, line, column  # the whole file is 1:1-1:1
    if (where.end_line, where.end_column) > (line, column):
        return line, column, where.end_line, max(where.end_column, 1)
    return line, column, line, column + 1  # a place without an end: the character that is there


def related(verdict: Verdict, root: str = "") -> tuple[sarif.Place, ...]:
    """What leads to the place of a verdict: the module calls of a plan."""
    return tuple(
        sarif.Place(file_uri(each.file, root), *_region(each), id=number, message=f"{visible(each.locator)}.")
        for number, each in enumerate(_steps(verdict), 1)
    )


def _steps(verdict: Verdict) -> list[Where]:
    """What leads there and is in a file that has a path."""
    return [each for each in place_of(verdict).via if file_path(each.file)]


def links(verdict: Verdict) -> str:
    """A sentence that names what leads there, as links to the related locations (SARIF 3.11.6); empty where nothing does."""
    named = [KEYS.sub("", visible(each.locator)) for each in _steps(verdict)]
    found = ", ".join(f"[{BRACKETS.sub('_', name)}]({number})" for number, name in enumerate(named, 1))
    return f" Reached through {found}." if found else ""
