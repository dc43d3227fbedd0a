"""The plan's resources and the configuration they come from, indexed once: instances by address, expressions by module.

The `configuration` part of a plan tells which objects an expression refers to, not how it is computed; `references.py` draws the
conclusions that this allows.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Key = str | int | None
"""Instance key of a resource or module: from `for_each`, from `count`, or none."""

_STEP = re.compile(r'\.?([^.\[\]"]+)|\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\]')
KEEP_NOTHING = ("delete", "forget")
"""Actions after which, alone, the configuration no longer has the resource."""
NO_RULE = frozenset(
    (
        "arn",
        "name",
        "key_name",
        "vpc_id",
        "main_route_table_id",
        "default_route_table_id",
        "default_network_acl_id",
        "unique_id",
        "key_id",
    )
)
"""Attributes that no rule of a filter and no route holds, whatever resource has them."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An instance key within a parsed reference: `aws_subnet.gpu[0]`."""

    key: str | int


@functools.lru_cache(maxsize=65536)
def parse(address: str) -> tuple[str | Instance, ...]:
    """The steps of an address or reference: names, and instance keys. What cannot be read ends the address."""
    found: list[str | Instance] = []
    at = 0
    while at < len(address):
        match = _STEP.match(address, at)
        if match is None:
            break
        name, index, text = match.groups()
        if name:
            found.append(name)
        elif index is not None:
            found.append(Instance(int(index)))
        else:
            found.append(Instance(re.sub(r"\\(.)", r"\1", text)))
        at = match.end()
    return tuple(found)


@dataclass(slots=True)
class Planned:
    """One resource instance of the plan, as it will be."""

    address: str
    module: str
    """Address of the module instance it is in, empty for the root."""
    mode: str
    type: str
    name: str
    key: Key
    actions: tuple[str, ...]
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    unknown: Mapping[str, Any]
    sensitive: Mapping[str, Any]
    config: Mapping[str, Any]
    """Its entry in `configuration`, empty where there is none."""

    @property
    def expressions(self) -> Any:
        """Attribute → expression; None where the configuration is not in the plan."""
        return self.config.get("expressions", {}) if self.config else None

    @property
    def created(self) -> bool:
        """A new object comes into being, so what nobody sets takes the provider's default."""
        return "create" in self.actions

    @property
    def id(self) -> str:
        """Canonical id."""
        return f"plan/{self.address}"


@dataclass(slots=True)
class Module:
    """A module of the configuration (not an instance of it)."""

    resources: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """`type.name`, or `data.type.name` → entry."""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    call: Mapping[str, Any] = field(default_factory=dict)
    """The call in the parent; empty for the root."""


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def module_path(module: str) -> tuple[str, ...]:
    """Names of the modules of an instance address: `module.a["x"].module.b[0]` → `a`, `b`."""
    names = [s for s in parse(module) if isinstance(s, str)]
    return tuple(names[1::2])


def split_module(module: str) -> tuple[str, str, Key]:
    """(parent instance, name, key) of a module instance address that is not the root."""
    found = parse(module)
    key: Key = None
    if found and isinstance(found[-1], Instance):
        key = found[-1].key
        found = found[:-1]
    return address(found[:-2]), str(found[-1]) if found else "", key


def address(found: tuple[str | Instance, ...]) -> str:
    """The address that `parse` would read as `found`."""
    text = ""
    for step in found:
        if isinstance(step, str):
            text += f".{step}" if text else step
        else:
            text += suffix(step.key)
    return text


def suffix(key: Key) -> str:
    """An instance key as it stands in an address."""
    if key is None:
        return ""
    if isinstance(key, int):
        return f"[{key}]"
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{escaped}"]'


class Plan:
    """The indexed plan."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = document
        self.modules: dict[tuple[str, ...], Module] = {}
        self.managed: dict[str, Planned] = {}
        """Address → what will exist."""
        self.gone: list[Planned] = []
        """What will not exist any more, and what changes: with its `before`."""
        self.deferred: dict[tuple[str, str], dict[Key, Planned]] = {}
        """Data sources that are read only while applying."""
        self.instances: dict[tuple[str, str], dict[Key, Planned]] = {}
        """(module instance, `type.name`) → key → resource."""
        self.by_type: dict[str, list[Planned]] = {}
        self.module_keys: dict[tuple[str, str], set[Key]] = {}
        """(parent instance, call name) → keys of the instances that hold something."""
        self._regions: dict[str, str] = {}
        self.seen: dict[str, int] = {}
        """Resource type → how many the plan has, whatever becomes of them."""
        configuration = _dict(document.get("configuration"))
        self.providers = _dict(configuration.get("provider_config"))
        self._index_module((), _dict(configuration.get("root_module")), {})
        for change in _list(document.get("resource_changes")):
            self._index_change(change)
        for module in self._state_modules(_dict(_dict(_dict(document.get("prior_state")).get("values")).get("root_module"))):
            self._index_instance(module)

    def _index_module(self, path: tuple[str, ...], raw: Mapping[str, Any], call: Mapping[str, Any]) -> None:
        module = Module(outputs=_dict(raw.get("outputs")), variables=_dict(raw.get("variables")), call=call)
        for entry in _list(raw.get("resources")):
            if isinstance(entry, dict) and isinstance(entry.get("address"), str):
                module.resources[entry["address"]] = entry
        self.modules[path] = module
        for name, inner in _dict(raw.get("module_calls")).items():
            if isinstance(inner, dict):
                self._index_module((*path, name), _dict(inner.get("module")), inner)

    def _index_change(self, raw: Any) -> None:
        if not isinstance(raw, dict) or raw.get("deposed") is not None:
            return
        change = _dict(raw.get("change"))
        where, kind, name = raw.get("address"), raw.get("type"), raw.get("name")
        actions = tuple(str(a) for a in _list(change.get("actions")))
        if not (isinstance(where, str) and isinstance(kind, str) and isinstance(name, str) and actions):
            return
        module = raw.get("module_address")
        module = module if isinstance(module, str) else ""
        key = raw.get("index")
        data = raw.get("mode") == "data"
        if not data and raw.get("mode", "managed") != "managed":
            return
        entry = self.modules.get(module_path(module), Module()).resources.get(f"{'data.' if data else ''}{kind}.{name}", {})
        planned = Planned(
            where, module, "data" if data else "managed", kind, name,
            key if isinstance(key, (str, int)) and not isinstance(key, bool) else None,
            actions, _dict(change.get("before")), _dict(change.get("after")), _dict(change.get("after_unknown")),
            _dict(change.get("after_sensitive")), entry,
        )  # fmt: skip
        self._index_instance(module)
        if data:
            self.deferred.setdefault((module, f"{kind}.{name}"), {})[planned.key] = planned
            return
        if where in self.managed:
            return  # NOTE: Terraform never lists one twice; a hand-made file may
        self.seen[kind] = self.seen.get(kind, 0) + 1
        if planned.before and actions != ("no-op",):
            self.gone.append(planned)
        if set(actions) <= set(KEEP_NOTHING) or not isinstance(change.get("after"), dict):
            return
        self.managed[where] = planned
        self.by_type.setdefault(kind, []).append(planned)
        self.instances.setdefault((module, f"{kind}.{name}"), {})[planned.key] = planned

    def _index_instance(self, module: str) -> None:
        while module:
            parent, name, key = split_module(module)
            keys = self.module_keys.setdefault((parent, name), set())
            if key in keys:
                return
            keys.add(key)
            module = parent

    def _state_modules(self, raw: Mapping[str, Any]) -> Iterator[str]:
        pending = [raw]
        while pending:
            for child in _list(pending.pop().get("child_modules")):
                if isinstance(child, dict):
                    pending.append(child)
                    if isinstance(child.get("address"), str):
                        yield child["address"]

    def data_values(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Values of data sources of a type that were read while planning."""
        pending = [_dict(_dict(_dict(self.document.get("prior_state")).get("values")).get("root_module"))]
        while pending:
            module = pending.pop()
            for entry in _list(module.get("resources")):
                if isinstance(entry, dict) and entry.get("mode") == "data" and entry.get("type") == kind:
                    yield _dict(entry.get("values"))
            pending += [c for c in _list(module.get("child_modules")) if isinstance(c, dict)]

    def nothing_late(self, feeders: tuple[str, ...]) -> bool:
        """No unknown value of the plan is an id of these types, or anything else that a rule or route may hold.

        `relevant_attributes` lists what all expressions of a plan together draw upon, `dynamic` blocks included.
        """
        listed = self.document.get("relevant_attributes")
        if not isinstance(listed, list):
            return False
        return all(self._idle(entry, feeders) for entry in listed)

    def _idle(self, entry: Any, feeders: tuple[str, ...]) -> bool:
        where, path = _dict(entry).get("resource"), _list(_dict(entry).get("attribute"))
        if not isinstance(where, str) or not path or not isinstance(path[0], str):
            return False
        steps = [s for s in parse(where) if isinstance(s, str)]
        while steps[:1] == ["module"]:
            steps = steps[2:]
        if len(steps) != 2:  # noqa: PLR2004 - a type and a name; data sources have one more
            return False
        planned = self.managed.get(where)
        known = planned is not None and not planned.unknown.get(path[0])
        return known or path[0] in NO_RULE or (path[0] == "id" and steps[0] not in feeders)

    def region(self, planned: Planned) -> str:
        """Region a resource will be in; empty where the plan does not tell."""
        for values in (planned.after, planned.before):
            told = values.get("region")
            if isinstance(told, str) and told:
                return told
        arn = planned.after.get("arn")
        if isinstance(arn, str) and arn.count(":") > 4 and arn.split(":")[3]:  # noqa: PLR2004 - an ARN has six fields
            return arn.split(":")[3]
        return self._provider_region(str(planned.config.get("provider_config_key", "")))

    def _provider_region(self, key: str) -> str:
        if key not in self._regions:
            self._regions[key] = self._find_region(key)
        return self._regions[key]

    def _find_region(self, key: str) -> str:
        module, _, name = key.rpartition(":")
        while True:
            entry = _dict(self.providers.get(f"{module}:{name}" if module else name))
            expression = _dict(entry.get("expressions")).get("region")
            if isinstance(expression, dict):
                return self._constant(expression, module)
            if not module:
                return ""
            module = module.rpartition(".module.")[0] if ".module." in module else ""

    def _constant(self, expression: Mapping[str, Any], module: str) -> str:
        value = expression.get("constant_value")
        if isinstance(value, str):
            return value
        names = [r for r in _list(expression.get("references")) if isinstance(r, str)]
        if module or len(names) != 1 or not names[0].startswith("var.") or names[0].count(".") != 1:
            return ""
        given = _dict(_dict(self.document.get("variables")).get(names[0][4:])).get("value")
        return given if isinstance(given, str) else ""
