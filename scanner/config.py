"""`bartizan.yaml`: read with bounds, checked against its published schema, every fault named by file and line."""

from __future__ import annotations

import datetime
import functools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from scanner import yamltext
from scanner.model import JSON, BartizanError, Rule, Severity, Waiver, Where, frozen
from scanner.textfile import read_bounded
from scanner.waivers import MAX_DAYS, Limits, read_waiver

NAME = "bartizan.yaml"


@frozen
class Config:
    """What `bartizan.yaml` says; all defaults where there is none."""

    path: Path | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[tuple[Any, ...], int] = field(default_factory=dict)
    """Path in the document → 1-based line."""

    def get(self, key: str, default: Any = None) -> Any:
        """A top-level value."""
        value = self.data.get(key)
        return default if value is None else value

    @property
    def folder(self) -> Path:
        """Paths in the file are relative to its own folder."""
        return self.path.parent if self.path else Path()

    def settings(self) -> dict[str, JSON]:
        """What derivations are told: the parts of the factory, and whose the namespaces are."""
        return {"zones": self.get("zones", []), "tenants": self.get("tenants", {})}

    def severities(self, rules: Iterable[str]) -> dict[str, Severity]:
        """Rule id → the file's severity."""
        found = self.get("severities", {})
        self._known(found, rules, "severities")
        return {rule: Severity(value) for rule, value in found.items()}

    def params(self, rules: Sequence[Rule], every: Iterable[str]) -> dict[str, dict[str, JSON]]:
        """Rule id → parameters: METADATA's defaults with the file's values on top."""
        found = self.get("params", {})
        self._known(found, every, "params")
        merged: dict[str, dict[str, JSON]] = {}
        for rule in rules:
            own = found.get(rule.id, {})
            for name, value in own.items():
                if name not in rule.params:
                    near = get_close_matches(str(name), rule.params, n=1)
                    hint = f" Did you mean {near[0]!r}?" if near else f" It has {', '.join(map(repr, rule.params)) or 'none'}."
                    raise self.fault(f"the rule {rule.id} has no parameter {name!r}.{hint}", "params", rule.id, name)
                default = rule.params[name]
                if not alike(value, default):
                    raise self.fault(f"{rule.id}.{name} should be like its default {json.dumps(default)}.", "params", rule.id, name)
            if rule.params or own:
                merged[rule.id] = {**rule.params, **own}
        return merged

    def waiver_policy(self, name: str, default: Any = None) -> Any:
        """What waivers may do."""
        return self.get("waiver_policy", {}).get(name, default)

    def limits(self, today: datetime.date, rules: Iterable[str]) -> Limits:
        """By what waivers are judged."""
        return Limits(today, tuple(rules), self.waiver_policy("max_days", MAX_DAYS))

    def waivers(self, limits: Limits) -> list[Waiver]:
        """The waivers with their state before any finding is known."""
        file = self.path.as_posix() if self.path else ""
        return [
            read_waiver(raw, Where(file, self.lines.get(("waivers", n), 0)), limits)
            for n, raw in enumerate(self.get("waivers", []))
        ]

    def _known(self, found: Mapping[str, Any], rules: Iterable[str], key: str) -> None:
        every = list(rules)
        for rule in found:
            if rule not in every:
                near = get_close_matches(str(rule), every, n=1)
                raise self.fault(
                    f"{key} names {rule!r}, which is no rule.{f' Did you mean {near[0]!r}?' if near else ''}", key, rule
                )

    def fault(self, message: str, *path: Any) -> BartizanError:
        """An error at a place of the file."""
        while path and path not in self.lines:
            path = path[:-1]
        line = self.lines.get(path, 1)
        return BartizanError(f"{self.path or NAME}:{line}: {message}")


def alike(value: JSON, default: JSON) -> bool:
    """Whether a parameter is of its default's type, items and members too: Rego compares across types, and then nothing fails."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(default, bool) and isinstance(value, bool)
    if isinstance(default, int | float):
        return isinstance(value, int | float) and math.isfinite(value)
    if isinstance(default, list):
        return isinstance(value, list) and (not default or all(any(alike(item, own) for own in default) for item in value))
    if isinstance(default, dict):
        return isinstance(value, dict) and all(isinstance(key, str) for key in value)
    return type(value) is type(default)


@functools.cache
def schema() -> Mapping[str, Any]:
    """The published JSON Schema of the file."""
    text = Path(__file__).with_name("config.schema.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


def load_config(path: Path | None) -> Config:
    """The configuration at `path`, or `bartizan.yaml` of the current folder where there is one.

    Raises BartizanError that names file and line.
    """
    if path is None:
        path = Path(NAME)
        if not path.exists():
            return Config()
    return parse(path, read_bounded(path))


def parse(path: Path, text: str) -> Config:
    """A configuration from its text. Aliases are refused: nothing here needs them, and they can explode."""
    import jsonschema  # noqa: PLC0415 - not needed for --help
    import yaml  # noqa: PLC0415

    try:
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent):
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise BartizanError(f"{path}:{line}: YAML aliases are not allowed here.")
        node, data = yamltext.parse(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        raise BartizanError(f"{path}:{mark.line + 1 if mark else 1}: is not YAML: {getattr(error, 'problem', error)}.") from error
    config = Config(path, data if isinstance(data, dict) else {}, yamltext.lines(node))
    if data is not None and not isinstance(data, dict):
        raise config.fault("is not a mapping.")
    # NOTE: a broken waiver must not stop the scan; it is reported as malformed, and marks nothing
    checked = {k: v for k, v in config.data.items() if k != "waivers"}
    errors = sorted(jsonschema.Draft202012Validator(schema()).iter_errors(checked), key=lambda e: [str(p) for p in e.path])
    if errors:
        place = list(errors[0].path)
        raise config.fault(f"{'.'.join(map(str, place)) or 'the file'}: {errors[0].message}.", *place)
    if not isinstance(config.get("waivers", []), list):
        raise config.fault("waivers is not a list.", "waivers")
    return config
