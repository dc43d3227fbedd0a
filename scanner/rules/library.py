"""Finding and choosing rules: those that ship with the tool, and those of the user's own folders."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec

from scanner.model import BartizanError, Rule, Severity, frozen
from scanner.rules.headers import Headers
from scanner.rules.metadata import read_rule
from scanner.textfile import read_bounded

SHOWN = 12
"""Names in a hint."""


@functools.cache
def policies() -> Path:
    """The folder of the shipped rules: the packaged copy, else the checkout's."""
    here = Path(__file__).resolve().parent.parent
    packaged = here / "policies"
    return packaged if packaged.is_dir() else here.parent / "policies"


@functools.cache
def kinds() -> Mapping[str, Mapping[str, Any]]:
    """Kind → its JSON Schema."""
    return {path.stem: msgspec.json.decode(path.read_bytes()) for path in sorted((policies() / "kinds").glob("*.json"))}


@frozen
class Library:
    """Rules and the Rego modules that they import."""

    rules: Mapping[str, Rule]
    """Rule id → rule, by id."""
    modules: Mapping[str, str]
    """File name → Rego text of libraries (`lib/`), which any rule may import."""
    tests: Mapping[str, Path] = field(default_factory=dict)
    """File name → `_test.rego` file: as many as there are rules, and a scan needs none."""
    custom: frozenset[str] = frozenset()
    """Ids of rules that come from the user's folders."""

    def digest(self, rules: Iterable[Rule], params: Mapping[str, Any]) -> str:
        """Hex SHA-256 of what decides verdicts: rule and library texts, and parameters."""
        total = hashlib.sha256(json.dumps(params, sort_keys=True).encode())
        for name, text in sorted((r.id, r.source) for r in rules):
            total.update(f"\0{name}\0{text}".encode())
        for name, text in sorted(self.modules.items()):
            total.update(f"\0{Path(name).name}\0{text}".encode())
        return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    root = folder.resolve()
    pending = [folder]
    while pending:
        inner = pending.pop()
        try:
            with os.scandir(inner) as found:
                entries = sorted((e for e in found if not e.name.startswith(".")), key=attrgetter("name"))
        except OSError as error:
            raise BartizanError(f"{inner}: cannot be read: {error.strerror}.") from error
        # NOTE: folders that are links are not entered, so only a file that is a link can lead out
        pending += [Path(e.path) for e in reversed(entries) if e.is_dir(follow_symlinks=False)]
        for entry in entries:
            if entry.name.endswith(".rego") and not entry.is_dir():
                if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(root):
                    raise BartizanError(f"{entry.path}: points out of {folder}. Copy the rule into the folder.")
                yield Path(entry.path)


def read_rego(path: Path) -> str:
    """The text of a rule, a library or a test. Raises BartizanError where it cannot be read."""
    return read_bounded(path, "; a rule is one idea")


def load(folders: Sequence[Path] = ()) -> Library:
    """The shipped rules and those of `folders`. Raises BartizanError where a rule is malformed, an id is taken, or a fact is unknown."""
    rules: dict[str, Rule] = {}
    modules: dict[str, str] = {}
    tests: dict[str, Path] = {}
    custom: set[str] = set()
    for folder in (policies(), *folders):
        if not folder.is_dir():
            raise BartizanError(f"--rules {folder}: is not a folder.")
        shipped = folder == policies()
        headers = Headers(folder) if shipped else None
        for path in _files(folder):
            shown = f"policies/{path.relative_to(folder).as_posix()}" if shipped else str(path)
            if path.name.endswith("_test.rego"):
                tests[shown] = path
                continue
            text = read_rego(path)
            if path.parent.name == "lib":
                modules[shown] = text
            else:
                rule = read_rule(path, text, shown=shown, headers=headers)
                if rule.id in rules:
                    raise BartizanError(
                        f"{shown}: the rule {rule.id} is there already ({rules[rule.id].file}). Give yours another name."
                    )
                _check_facts(rule)
                rules[rule.id] = rule
                if not shipped:
                    custom.add(rule.id)
    return Library(dict(sorted(rules.items())), modules, tests, frozenset(custom))


def _check_facts(rule: Rule) -> None:
    known = kinds()
    if rule.kind not in known:
        raise BartizanError(f"{rule.file}: kind {rule.kind!r} is none of {', '.join(known)}.")
    facts = known[rule.kind]["properties"]
    for fact in rule.needs:
        if fact not in facts:
            near = get_close_matches(fact, facts, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise BartizanError(f"{rule.file}: the kind {rule.kind!r} has no fact {fact!r}.{hint}")


@frozen
class Selection:
    """Which rules to evaluate. Values of one field are alternatives; fields narrow each other."""

    rules: tuple[str, ...] = ()
    """Ids, or shell patterns over ids."""
    domains: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    frameworks: tuple[str, ...] = ()
    """Framework names (`cis_aws_3.0.0`), or `name:control`."""
    severity: Severity | None = None
    """This severity and those above it."""


def select(rules: Iterable[Rule], wanted: Selection) -> list[Rule]:
    """The chosen rules, by id. Raises BartizanError for a name that matches nothing: a mistyped id must not look like a clean scan."""
    from fnmatch import fnmatchcase  # noqa: PLC0415 - small, but not for --help

    every = list(rules)
    domains = {r.domain for r in every}
    frameworks = {name for r in every for native in r.covers for name in r.controls_for(native)} if wanted.frameworks else set()
    for value, known, flag in (
        *((v, {r.id for r in every}, "--rule") for v in wanted.rules),
        *((v, domains, "--domain") for v in wanted.domains),
        *((v, {t for r in every for t in r.tags}, "--tag") for v in wanted.tags),
        *((v.split(":")[0], frameworks, "--framework") for v in wanted.frameworks),
    ):
        if not any(fnmatchcase(name, value) for name in known):
            near = get_close_matches(value, known, n=3, cutoff=0.5)
            hint = f" Did you mean {' or '.join(near)}?" if near else f" Known are {', '.join(sorted(known)[:SHOWN])} and so on."
            raise BartizanError(f"{flag} {value}: matches nothing.{hint}")
    for value in wanted.frameworks:
        if not any(_in_framework(rule, value) for rule in every):
            raise BartizanError(
                f"--framework {value}: no rule answers that control. `bartizan rules list --json` has those that are."
            )

    def chosen(rule: Rule) -> bool:
        return (
            (not wanted.rules or any(fnmatchcase(rule.id, v) for v in wanted.rules))
            and (not wanted.domains or any(fnmatchcase(rule.domain, v) for v in wanted.domains))
            and (not wanted.tags or any(fnmatchcase(t, v) for v in wanted.tags for t in rule.tags))
            and (not wanted.frameworks or any(_in_framework(rule, v) for v in wanted.frameworks))
            and (wanted.severity is None or rule.severity.rank <= wanted.severity.rank)
        )

    return sorted((r for r in every if chosen(r)), key=lambda r: r.id)


def _in_framework(rule: Rule, wanted: str) -> bool:
    from fnmatch import fnmatchcase  # noqa: PLC0415 - small, but not for --help

    name, _, control = wanted.partition(":")
    every = [rule.controls_for(native) for native in rule.covers]
    return any(
        fnmatchcase(framework, name) and (not control or control in ids) for found in every for framework, ids in found.items()
    )
