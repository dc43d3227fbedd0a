"""A rule's METADATA comment, read strictly: an unknown or misspelt key is an error that names file and line.

The form is OPA's (https://www.openpolicyagent.org/docs/policy-language#annotations); what stands under `custom` is ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scanner import yamltext
from scanner.model import BartizanError, Cover, Rule, Severity, frozen
from scanner.rules.headers import Headers

SET = re.compile(r"^(scope|fail|safe|exempt) contains\b", re.MULTILINE)
BLOCK = re.compile(r"^[ \t]*# METADATA[ \t]*\n((?:#.*(?:\n|\Z))*)", re.MULTILINE)
MARK = re.compile(r"^# ?", re.MULTILINE)
TOP = {"title": True, "description": True, "related_resources": False, "custom": True}
"""Key → required."""
CUSTOM = {
    "severity": True,
    "kind": True,
    "scope_on": True,
    "fail_on": True,
    "covers": True,
    "params": False,
    "controls": False,
    "tags": False,
}
COVER = {"catalog": False, "controls": False, "fix": False}
FIX = ("cli", "terraform", "console", "manifest")
PACKAGE = re.compile(r"^package\s+([\w.]+)\s*$", re.MULTILINE)
NAME = re.compile(r"^[a-z][a-z0-9_]*$")


@frozen
class Header:
    """The METADATA comment of a rule."""

    line: int
    """Where it begins."""
    text: str
    """YAML, without the marks of the comment."""


def header(text: str) -> Header | None:
    """The METADATA comment in the text of a rule; None where it has none."""
    found = BLOCK.search(text)
    return Header(text.count("\n", 0, found.start()) + 1, MARK.sub("", found[1])) if found is not None else None


class _Reader:
    """One file's METADATA, and its YAML nodes, which know the line of every key for error messages."""

    def __init__(self, file: str, text: str, headers: Headers | None) -> None:
        self.file = file
        self.text = text
        self.start = 0
        self.block = ""
        self.node: Any = None
        self.headers = headers

    def fault(self, message: str, *path: str) -> BartizanError:
        if self.node is None and self.block:
            self.node, _ = yamltext.parse(self.block)
        lines = {at: self.start + line for at, line in yamltext.lines(self.node).items() if at}
        line = lines.get(path) or lines.get(path[:-1]) or self.start or 1
        return BartizanError(f"{self.file}:{line}: {message}")

    def load(self) -> Mapping[str, Any]:
        found = header(self.text)
        if found is None:
            raise BartizanError(f"{self.file}:1: no METADATA comment. `bartizan rules new DOMAIN/NAME` writes one to start from.")
        self.start, self.block = found.line, found.text
        known = self.headers.get(self.block) if self.headers is not None else None
        if known is not None:
            return known
        import yaml  # noqa: PLC0415 - mostly not needed

        try:
            self.node, data = yamltext.parse(self.block)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            at = self.start + 1 + (mark.line if mark else 0)
            raise BartizanError(f"{self.file}:{at}: METADATA is not YAML: {getattr(error, 'problem', error)}.") from error
        if not isinstance(data, dict):
            raise self.fault("METADATA is not a mapping.")
        return data

    def keys(self, data: Any, allowed: Mapping[str, bool], *path: str) -> None:
        what = ".".join(path) or "METADATA"
        if not isinstance(data, dict):
            raise self.fault(f"{what} is not a mapping.", *path)
        for key in data:
            if key not in allowed:
                raise self.fault(f"unknown key {key!r} in {what}; known are {', '.join(sorted(allowed))}.", *path, str(key))
        for key, required in allowed.items():
            if required and key not in data:
                raise self.fault(f"{what} lacks {key!r}.", *path)

    def text_of(self, data: Mapping[str, Any], key: str, *path: str) -> str:
        value = data.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fault(f"{key!r} is not a text.", *path, key)
        return value.strip()

    def names(self, data: Mapping[str, Any], key: str, *path: str) -> tuple[str, ...]:
        value = data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise self.fault(f"{key!r} is not a list of texts (quote numbers).", *path, key)
        return tuple(value)

    def controls(self, data: Mapping[str, Any], *path: str) -> dict[str, tuple[str, ...]]:
        value = data.get("controls", {})
        if not isinstance(value, dict):
            raise self.fault("'controls' is not a mapping of framework to control ids.", *path, "controls")
        return {str(name): self.names(value, name, *path, "controls") for name in value}


def read_rule(file: Path, text: str, *, shown: str = "", headers: Headers | None = None) -> Rule:
    """The rule in a Rego file. Raises BartizanError that names the file and the line."""
    reader = _Reader(shown or str(file), text, headers)
    data = reader.load()
    reader.keys(data, TOP)
    custom = data["custom"]
    reader.keys(custom, CUSTOM, "custom")
    found = PACKAGE.search(text)
    if found is None:
        raise reader.fault("no package line.")
    identity = found.group(1).removeprefix("policies.")
    line = text[: found.start()].count("\n") + 1
    if found.group(1) != f"policies.{file.parent.name}.{file.stem}":
        raise BartizanError(
            f"{reader.file}:{line}: package {found.group(1)} should be policies.{file.parent.name}.{file.stem}, as the path says."
        )
    if not all(NAME.match(part) for part in identity.split(".")):
        raise BartizanError(f"{reader.file}:{line}: {identity} is not made of lower-case words joined by _.")
    sets = frozenset(SET.findall(text))
    for needed in ("scope", "fail"):
        if needed not in sets:
            raise reader.fault(f"the rule defines no `{needed} contains …`.")
    params = custom.get("params", {})
    if not isinstance(params, dict):
        raise reader.fault("'params' is not a mapping.", "custom", "params")
    try:
        severity = Severity(custom["severity"])
    except ValueError as error:
        raise reader.fault(f"severity {custom['severity']!r} is none of {', '.join(Severity)}.", "custom", "severity") from error
    return Rule(
        id=identity,
        title=reader.text_of(data, "title"),
        description=" ".join(reader.text_of(data, "description").split()),
        severity=severity,
        kind=reader.text_of(custom, "kind", "custom"),
        scope_on=reader.names(custom, "scope_on", "custom"),
        fail_on=reader.names(custom, "fail_on", "custom"),
        covers=_covers(reader, custom["covers"]),
        controls=reader.controls(custom, "custom"),
        params=params,
        references=reader.names(data, "related_resources"),
        tags=reader.names(custom, "tags", "custom"),
        sets=sets,
        file=reader.file,
        source=text,
    )


def _covers(reader: _Reader, data: Any) -> dict[str, Cover]:
    if not isinstance(data, dict) or not data:
        raise reader.fault("'covers' names no native type.", "custom", "covers")
    covers = {}
    for native, cover in data.items():
        path = ("custom", "covers", str(native))
        body = cover or {}
        reader.keys(body, COVER, *path)
        fix = body.get("fix", {})
        reader.keys(fix, dict.fromkeys(FIX, False), *path, "fix")
        if not all(isinstance(v, str) for v in fix.values()):
            raise reader.fault("every 'fix' is a text.", *path, "fix")
        covers[str(native)] = Cover(
            reader.names(body, "catalog", *path), reader.controls(body, *path), {k: v.strip() for k, v in fix.items()}
        )
    return covers
