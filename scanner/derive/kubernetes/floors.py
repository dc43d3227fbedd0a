"""Dated data: from which version on a product has the fixes that its vendor has published (`floors.json`).

A floor may hold for one branch alone, which is the first part of a version: branches are never compared with each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from scanner.model import Gap, Reason, frozen

VERSION = re.compile(r"^[vV]?(?P<numbers>\d+(?:\.\d+)*)(?P<rest>.*)$", re.DOTALL)
BEFORE = re.compile(r"^[-.+_]?(?:alpha|beta|dev|pre|rc|a\d|b\d)", re.IGNORECASE)
"""What follows the numbers of a version that came before them."""
REMEDY = "Name a release by its number, or look it up by hand."


@frozen
class Floor:
    """What a version lacks."""

    product: str
    fixed: str
    """The first version with every fix of its branch; empty where the branch has ended and gets none."""
    ids: tuple[str, ...]
    """Of the weaknesses; none where the branch has ended."""
    source: str


def below(product: str, version: str) -> Floor | Gap | None:
    """What a version of a product lacks; None where it has every fix that is known, a gap where nobody can tell."""
    floors = _data().get(product)
    if floors is None:
        return Gap(Reason.NOT_OFFERED, "", REMEDY, f"no floor is known for {product}")
    found = VERSION.match(version.strip())
    if found is None:
        return Gap(Reason.NOT_OFFERED, "", REMEDY, f"{version or 'an empty version'} is no number of a release of {product}")
    branches = {f["branch"] for f in floors if f.get("branch")}
    if branches:
        branch = found["numbers"].partition(".")[0]
        if branch not in branches:
            return _unknown_branch(product, branch, branches, floors)
        floors = [f for f in floors if f.get("branch") == branch]
    if "." not in found["numbers"]:  # a branch, or the hash of a commit
        return Gap(Reason.NOT_OFFERED, "", REMEDY, f"{version} is no release of {product}")
    lacking = [f for f in floors if _under(found, f["fixed"]) and not _under(found, f.get("from", "0"))]
    if not lacking:
        return None
    last = max(lacking, key=lambda f: numbers(f["fixed"]))
    return Floor(product, last["fixed"], tuple(dict.fromkeys(i for f in lacking for i in f["ids"])), last["source"])


def _unknown_branch(product: str, branch: str, known: set[str], floors: Sequence[Mapping[str, Any]]) -> Floor | Gap:
    """A branch between known ones, or before them, gets no fixes any more; a newer one is not in the data yet."""
    if int(branch) > max(map(int, known)):
        return Gap(Reason.NOT_OFFERED, "", "Update bartizan.", f"{product} {branch} is newer than what is known of {product}")
    return Floor(product, "", (), str(floors[-1]["source"]))


def _under(version: re.Match[str], floor: str) -> bool:
    own, wanted = numbers(version["numbers"]), numbers(floor)
    length = max(len(own), len(wanted))
    left, right = own + (0,) * (length - len(own)), wanted + (0,) * (length - len(wanted))
    return left < right or (left == right and BEFORE.match(version["rest"]) is not None)


def numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with."""
    found = VERSION.match(version)
    return tuple(int(n) for n in found["numbers"].split(".")) if found else ()


def as_of() -> str:
    """The day on which the data was true."""
    return str(_document()["as_of"])


@cache
def _document() -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(Path(__file__).with_name("floors.json").read_text(encoding="utf-8"))
    return found


def _data() -> Mapping[str, Sequence[Mapping[str, Any]]]:
    found: Mapping[str, Sequence[Mapping[str, Any]]] = _document()["products"]
    return found
