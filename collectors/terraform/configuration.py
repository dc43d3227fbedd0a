"""The plan's resources and the configuration they come from, indexed once: instances by address, expressions by module.

The `configuration` part of a plan tells which objects an expression refers to, not how it is computed; `references.py` draws the
conclusions that this allows.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from collectors.terraform.document import NULL, Block, Change, Document, ResourceChange, StateModule, is_object
from collectors.terraform.document import Module as Written
from scanner.model import frozen

KEPT = 2_048
"""Resources whose values are kept at hand. The plan's text has them all, and is read again where more are wanted."""
Key = str | int | None
"""Instance key of a resource or module: from `for_each`, from `count`, or none."""

_STEP = re.compile(r'\.?([^.\[\]"]+)|\[(?:(\d+)|"((?:[^"\\]|\\.)*)")\]')
CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
"""As Terraform escapes them in addresses."""
TRUE = b"true"
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


@frozen
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
            found.append(Instance(re.sub(r"\\(.)", lambda escape: CONTROLS.get(escape[1], escape[1]), text)))
        at = match.end()
    return tuple(found)


@frozen
class Values:
    """What a plan says of one resource instance."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]
    unknown: Mapping[str, Any]
    sensitive: Mapping[str, Any]


class Reads:
    """Reads the values of a plan when they are asked for, and keeps the last ones."""

    def __init__(self, document: Document) -> None:
        self.values: Callable[[Change], Values] = functools.lru_cache(KEPT)(functools.partial(_values, document))
        """What a change says of a resource."""
        self.expressions: Callable[[Block], Any] = functools.lru_cache(KEPT)(functools.partial(_expressions, document))
        """Attribute → expression of a resource, or argument → expression of a module call."""


def _values(document: Document, change: Change) -> Values:
    """Of anything but objects there is nothing to say."""
    before, after, unknown, sensitive = (
        _dict(document.value(raw)) for raw in (change.before, change.after, change.after_unknown, change.after_sensitive)
    )
    return Values(before, after, unknown, sensitive)


def _expressions(document: Document, block: Block) -> Any:
    return {} if block.expressions is NULL else document.value(block.expressions)


@dataclass(slots=True, eq=False)
class Planned:
    """One resource instance of the plan, as it will be."""

    read: Reads
    address: str
    module: str
    """Address of the module instance it is in, empty for the root."""
    mode: str
    type: str
    name: str
    key: Key
    change: Change
    block: Block | None
    """Its entry in `configuration`; None where there is none."""
    parts: tuple[Planned, ...] = ()
    """Of a resource that is not of the plan: what the plan makes of it. It has nothing else."""
    held: str = ""
    """Of such a resource: what it is known by, whichever parts of it the plan has."""

    @property
    def actions(self) -> tuple[str, ...]:
        """What will be done."""
        return self.change.actions

    @property
    def before(self) -> Mapping[str, Any]:
        """Its values now."""
        return self.read.values(self.change).before

    @property
    def after(self) -> Mapping[str, Any]:
        """Its values after apply."""
        return self.read.values(self.change).after

    @property
    def unknown(self) -> Mapping[str, Any]:
        """Which of these will be known only then."""
        return self.read.values(self.change).unknown

    @property
    def sensitive(self) -> Mapping[str, Any]:
        """Which of these are secret."""
        return self.read.values(self.change).sensitive

    @property
    def expressions(self) -> Any:
        """Attribute → expression; None where the configuration is not in the plan."""
        return None if self.block is None else self.read.expressions(self.block)

    @property
    def provider(self) -> str:
        """Key of its provider's configuration; empty where the plan does not tell."""
        return (self.block and self.block.provider_config_key) or ""

    @property
    def created(self) -> bool:
        """A new object comes into being, so what nobody sets takes the provider's default."""
        return "create" in self.change.actions

    @property
    def shown(self) -> Planned:
        """What a person is shown for it."""
        return self.parts[0] if self.parts else self

    @property
    def id(self) -> str:
        """Canonical id."""
        return f"plan/{self.held or self.address}"

    def sets(self, *attributes: str) -> bool:
        """Somebody sets one of these, or may do so; else what is not known of them is the provider's to fill in."""
        return not isinstance(self.expressions, dict) or any(self.expressions.get(a) for a in attributes)


@dataclass(slots=True)
class Module:
    """A module of the configuration (not an instance of it)."""

    resources: dict[str, Block] = field(default_factory=dict)
    """`type.name`, or `data.type.name` → entry."""
    outputs: Mapping[str, Any] = field(default_factory=dict)
    variables: Mapping[str, Any] = field(default_factory=dict)
    call: Block = field(default_factory=Block)
    """The call in the parent; empty for the root."""


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _key(index: str | float | None) -> Key:
    """An instance key; programs that write a plan anew may make `0.0` of a `0`."""
    if not isinstance(index, float):
        return index
    return int(index) if index.is_integer() else str(index)


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
    for letter, control in CONTROLS.items():
        escaped = escaped.replace(control, f"\\{letter}")
    return f'["{escaped}"]'


class Plan:
    """The indexed plan."""

    def __init__(self, document: Document) -> None:
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
        self.unread: list[str] = []
        """Addresses of resources that are planned, and of which nothing can be read."""
        self.withheld: dict[str, str] = {}
        """Resource type → the address of one that the configuration has and the plan does not: deferred, or lost in an error."""
        self.seen: dict[str, int] = {}
        """Resource type → how many the plan has, whatever becomes of them."""
        self.moved: dict[str, str] = {}
        """Address that a resource had in the state → the one that it has now, empty where it is let go (a `removed` block)."""
        self.read = Reads(document)
        self.providers = document.configuration.provider_config or {}
        self._index_modules(document.configuration.root_module or Written())
        document.changes.reverse()
        while document.changes:  # NOTE: each is let go of, since there may be 200,000
            self._index_change(document.changes.pop())
        for module in self._state():
            if module.address:
                self._index_instance(module.address)
        self._index_withheld()

    def _index_modules(self, root: Written) -> None:
        pending: list[tuple[tuple[str, ...], Written, Block]] = [((), root, Block())]
        while pending:
            path, written, call = pending.pop()
            self.modules[path] = Module(
                {b.address: b for b in written.resources or () if b.address}, written.outputs or {}, written.variables or {}, call
            )
            calls = written.module_calls or {}
            pending += [
                ((*path, name), inner.module or Written(), inner) for name, inner in reversed(calls.items()) if inner is not None
            ]

    def _index_change(self, raw: ResourceChange) -> None:
        if raw.deposed or raw.mode not in ("managed", "data"):
            return
        if not raw.change.actions:
            self._unreadable(raw)
            return
        module, data = raw.module_address or "", raw.mode == "data"
        kind, block = sys.intern(raw.type), f"{raw.type}.{raw.name}"
        known = self.modules.get(module_path(module))
        entry = known.resources.get(f"data.{block}" if data else block) if known is not None else None
        planned = Planned(self.read, raw.address, module, sys.intern(raw.mode), kind, raw.name, _key(raw.index), raw.change, entry)
        self._index_instance(module)
        if data:
            self.deferred.setdefault((module, block), {})[planned.key] = planned
            return
        if raw.address in self.managed:
            return  # NOTE: Terraform never lists one twice; a hand-made file may
        self.seen[kind] = self.seen.get(kind, 0) + 1
        actions = raw.change.actions
        if actions not in (("no-op",), ("forget",)) and is_object(raw.change.before):
            self.gone.append(planned)  # NOTE: what is only forgotten goes on to exist
        if raw.previous_address and raw.previous_address != raw.address:
            self.moved.setdefault(raw.previous_address, raw.address)
        if actions == ("forget",):
            self.moved.setdefault(raw.address, "")
        if set(actions) <= set(KEEP_NOTHING):
            return
        if not is_object(raw.change.after) or TRUE in (bytes(raw.change.after_unknown), bytes(raw.change.after_sensitive)):
            self._unreadable(raw)  # NOTE: a mask of the whole resource hides all of it
            return
        self.managed[raw.address] = planned
        self.by_type.setdefault(kind, []).append(planned)
        self.instances.setdefault((module, block), {})[planned.key] = planned

    def _unreadable(self, raw: ResourceChange) -> None:
        """A resource of which nothing can be read: what it may complete is not known either."""
        self.unread.append(raw.address)
        self.withheld.setdefault(raw.type, raw.address)

    def _index_withheld(self) -> None:
        for where in self.document.deferred:
            names = [s for s in parse(where) if isinstance(s, str)]
            while names[:1] == ["module"]:
                names = names[2:]
            if names and names[0] != "data":
                self.withheld.setdefault(names[0], where)
        if not self.document.errored:
            return
        planned = {(module_path(module), name) for module, name in self.instances}
        planned |= {(module_path(p.module), f"{p.type}.{p.name}") for p in self.gone}
        for path, module in self.modules.items():
            for name in module.resources:
                if not name.startswith("data.") and (path, name) not in planned:
                    self.withheld.setdefault(name.split(".")[0], ".".join([*(f"module.{m}" for m in path), name]))

    def _index_instance(self, module: str) -> None:
        while module:
            parent, name, key = split_module(module)
            keys = self.module_keys.setdefault((parent, name), set())
            if key in keys:
                return
            keys.add(key)
            module = parent

    def _state(self) -> Iterator[StateModule]:
        """The module instances of the state."""
        pending = [self.document.state]
        while pending:
            module = pending.pop()
            yield module
            pending += module.child_modules or ()

    def data_values(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Values of data sources of a type that were read while planning."""
        for module in self._state():
            for entry in module.resources or ():
                if entry.mode == "data" and entry.type == kind:
                    yield _dict(self.document.value(entry.values))

    def nothing_late(self, feeders: tuple[str, ...]) -> bool:
        """No unknown value of the plan is an id of these types, or anything else that a rule or route may hold.

        `relevant_attributes` lists what all expressions of a plan together draw upon, `dynamic` blocks included.
        """
        listed = self.document.relevant_attributes
        return listed is not None and all(self._idle(entry, feeders) for entry in listed)

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
        if self._region_late(planned):
            return ""
        for values in (planned.after, planned.before):
            told = values.get("region")
            if isinstance(told, str) and told:
                return told
        arn = planned.after.get("arn")
        if isinstance(arn, str) and arn.count(":") > 4 and arn.split(":")[3]:  # noqa: PLR2004 - an ARN has six fields
            return arn.split(":")[3]
        return self._provider_region(planned.provider)

    def _region_late(self, planned: Planned) -> bool:
        """Somebody sets its region (version 6 of the provider), to what is not known yet; that of a bucket is an answer in version 5."""
        return bool(planned.unknown.get("region")) and isinstance(planned.expressions, dict) and "region" in planned.expressions

    def placeless(self, planned: Planned) -> bool:
        """Its region is not known while planning, or differs between instances of one provider (OpenTofu's `for_each` on providers)."""
        if self.region(planned):
            return False
        entry = _dict(self.providers.get(planned.provider))
        names = _list(_dict(_dict(entry.get("expressions")).get("region")).get("references"))
        return self._region_late(planned) or any(str(n).startswith("each.") for n in names)

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
        given = _dict(self.document.variables.get(names[0][4:])).get("value")
        return given if isinstance(given, str) else ""
