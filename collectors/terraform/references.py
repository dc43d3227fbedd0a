"""What an unknown value will be, as far as the configuration's expressions prove it.

A plan tells which objects an expression refers to, not how it combines them. So a value is settled only where exactly one
resource can be meant: an attribute that names a key, whose expression (followed through variables, outputs and `each`) refers to
one key and to nothing else that is unknown. Everything else stays unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.terraform.configuration import Instance, Key, Module, Plan, Planned, address, module_path, parse, split_module
from collectors.terraform.document import Block
from collectors.terraform.identities import DEFAULTS, FORWARD, IDENTITIES, Reference
from scanner.model import frozen

MAX_HOPS = 40
"""Variables, outputs and aliases followed before giving up; a bound against cycles in a hand-made file."""
HARMLESS = frozenset({"count", "path", "terraform", "self"})
"""Names whose values are known while planning."""


@dataclass(slots=True)
class Found:
    """What an expression may name."""

    addresses: dict[str, None] = field(default_factory=dict)
    """Resources, in order."""
    opaque: bool = False
    """Something else may be meant, of which nothing is known."""
    several: bool = False
    """A resource of several instances was named and it is not sure which; all of them are in `addresses`."""
    elsewhere: bool = False
    """Something is named that is unknown, but no resource of this plan (the default group of a new VPC)."""
    known: bool = False
    """A known value takes part: no matter for a single unknown value, but a list may hold it as well."""

    def add(self, other: Found) -> None:
        """Take up what another part of the expression may name."""
        self.addresses.update(other.addresses)
        self.opaque |= other.opaque
        self.several |= other.several
        self.elsewhere |= other.elsewhere
        self.known |= other.known

    @property
    def only(self) -> str | None:
        """The one resource that a single value names for certain."""
        sure = len(self.addresses) == 1 and not (self.opaque or self.several or self.elsewhere)
        return next(iter(self.addresses)) if sure else None

    @property
    def all(self) -> list[str] | None:
        """The resources that a list names for certain, all of them; None where that is not sure."""
        return None if not self.addresses or self.opaque or self.several or self.elsewhere or self.known else list(self.addresses)


def _neutral(value: Any) -> bool:
    """A known value that cannot be an element of a list of ids: a switch, a number, nothing."""
    return value is None or isinstance(value, (bool, int, float)) or value in ("", [], {})


@frozen
class Scope:
    """Where an expression stands: a module instance, and the instance key that `each` and `count` have there."""

    module: str
    key: Key
    block: Block | None
    """The resource's or module call's entry, for its `for_each_expression`."""
    keys: frozenset[Key] = frozenset()
    """All instance keys of the resource or call."""


def references_of(expressions: Any) -> list[str]:
    """All references anywhere below an expression, blocks included."""
    if isinstance(expressions, list):
        return [r for e in expressions for r in references_of(e)]
    if not isinstance(expressions, dict):
        return []
    names = expressions.get("references")
    if isinstance(names, list):
        return [n for n in names if isinstance(n, str)]
    if "constant_value" in expressions:
        return []
    return [r for e in expressions.values() for r in references_of(e)]


class Resolver:
    """Follows references through a plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._outputs: dict[tuple[str, str, str, Reference], Found] = {}
        """What all instances of a module together may name."""

    def scope(self, planned: Planned) -> Scope:
        """The scope of a resource's own expressions."""
        keys = self.plan.instances.get((planned.module, f"{planned.type}.{planned.name}"), {})
        return Scope(planned.module, planned.key, planned.block, frozenset(keys))

    def find(self, names: Sequence[str], scope: Scope, want: Reference, *, shared: bool = False, hops: int = 0) -> Found:
        """What the references `names` may name, of the types wanted.

        With `shared` the references are those of a whole block, so ones to other types belong to its other attributes.
        """
        found = Found()
        if hops > MAX_HOPS or not names:
            return Found(opaque=hops > MAX_HOPS)
        steps = [parse(n) for n in names]
        keyed = any(s[:2] in (("each", "key"), ("count", "index")) for s in steps)
        valued = any(s[:2] == ("each", "value") for s in steps)
        previous: tuple[str | Instance, ...] = ()
        for step in steps:
            if not step:
                return Found(opaque=True)
            if previous[: len(step)] == step:
                continue  # NOTE: Terraform lists every prefix of a reference after it
            previous = step
            found.add(self._one(step, scope, want, (keyed, valued), shared=shared, hops=hops + 1))
        return found

    def _one(
        self, step: tuple[str | Instance, ...], scope: Scope, want: Reference, each: tuple[bool, bool], *, shared: bool, hops: int
    ) -> Found:
        head = step[0]
        if head in HARMLESS:
            return Found()
        if head == "each":
            return self._each(step, scope, want, hops)
        if head == "var" and len(step) > 1:
            return self._variable(str(step[1]), scope, want, hops)
        if head == "local" or len(step) < 2:  # noqa: PLR2004 - a resource has a type and a name
            return Found(opaque=True)
        if head == "module":
            return self._output(step, scope, want, each, hops)
        if head == "data":
            return self._data(step[1:], scope, want, each, hops)
        return self._resource(step, scope, want, each, shared=shared, hops=hops)

    def _each(self, step: tuple[str | Instance, ...], scope: Scope, want: Reference, hops: int) -> Found:
        if step[1:2] == ("key",):
            return Found()
        names = references_of(self._for_each(scope))
        # NOTE: chained for_each (`for_each = aws_kms_key.this`): each.value is the instance of the same key
        inner = Scope(scope.module, scope.key, None, scope.keys)
        found = Found(known=not names)
        for name in names if hops < MAX_HOPS else ():
            found.add(self._one(parse(name), inner, want, (True, False), shared=False, hops=hops + 1))
        return found

    def _for_each(self, scope: Scope) -> Any:
        return self.plan.document.value(scope.block.for_each_expression) if scope.block is not None else None

    def _module(self, scope: Scope) -> Module:
        return self.plan.modules.get(module_path(scope.module), Module())

    def _outer(self, scope: Scope) -> Scope:
        """The scope in which the call of the module stands; the root's is empty."""
        if not scope.module:
            return Scope("", None, None)
        parent, name, key = split_module(scope.module)
        module = self.plan.modules.get((*module_path(parent), name))
        return Scope(parent, key, module.call if module else None, frozenset(self.plan.module_keys.get((parent, name), ())))

    def _variable(self, name: str, scope: Scope, want: Reference, hops: int) -> Found:
        if not scope.module:  # NOTE: root variables are always known
            entry = self.plan.document.variables.get(name)
            return Found(known=not (isinstance(entry, dict) and _neutral(entry.get("value"))))
        outer = self._outer(scope)
        given = self.plan.read.expressions(outer.block) if outer.block is not None else None
        if not isinstance(given, dict):
            return Found(opaque=True)
        expression = given.get(name)
        names = references_of(expression)
        if names:
            return self.find(names, outer, want, hops=hops)
        if isinstance(expression, dict) and "constant_value" in expression:
            return Found(known=not _neutral(expression["constant_value"]))
        declared = self._module(scope).variables.get(name) if name not in given else None
        return Found(known=not (isinstance(declared, dict) and _neutral(declared.get("default"))))

    def _output(self, step: tuple[str | Instance, ...], scope: Scope, want: Reference, each: tuple[bool, bool], hops: int) -> Found:
        name, rest = str(step[1]), step[2:]
        module = self.plan.modules.get((*module_path(scope.module), name))
        if module is None:
            return Found(opaque=True)
        keys: dict[Key, Key] = {k: k for k in self.plan.module_keys.get((scope.module, name), ())} or {None: None}
        chosen, rest = self._choose(keys, rest, scope, each)
        everything = (scope.module, name, str(rest[:1]), want)
        if len(chosen) == len(keys) > 1 and everything in self._outputs:
            return self._outputs[everything]  # NOTE: of a thousand resources that name a thousand modules each would ask them all
        found = Found(several=len(chosen) > 1)
        outputs = [str(rest[0])] if rest and isinstance(rest[0], str) else list(module.outputs)
        base = (*parse(scope.module), "module", name)
        for key in chosen:
            inner = Scope(address(base if key is None else (*base, Instance(key))), None, None)
            for output in outputs:
                entry = module.outputs.get(output)
                if not isinstance(entry, dict):
                    return Found(opaque=True)
                names = references_of(entry.get("expression"))
                found.add(self.find(names, inner, want, shared=not rest, hops=hops + 1))
        if len(chosen) == len(keys) > 1:
            self._outputs[everything] = found
        return found

    def _choose(
        self, instances: Mapping[Key, Any], rest: tuple[str | Instance, ...], scope: Scope, each: tuple[bool, bool]
    ) -> tuple[list[Any], tuple[str | Instance, ...]]:
        """The instances that a reference means, and what of the reference follows the instance key."""
        if rest and isinstance(rest[0], Instance):
            key = rest[0].key
            return ([instances[key]] if key in instances else []), rest[1:]
        if len(instances) <= 1:
            return list(instances.values()), rest
        keyed, valued = each
        same = keyed or (valued and self._value_is_key(scope))
        # NOTE: with count only equal sets of instances are taken as parallel: `x[count.index % 2]` looks just the same
        if same and scope.key in instances and (isinstance(scope.key, str) or scope.keys == frozenset(instances)):
            return [instances[scope.key]], rest
        return list(instances.values()), rest

    def _value_is_key(self, scope: Scope) -> bool:
        """`each.value` is the instance key itself: for_each over a literal set."""
        expression = self._for_each(scope)
        return isinstance(expression, dict) and isinstance(expression.get("constant_value"), list)

    def _data(self, step: tuple[str | Instance, ...], scope: Scope, want: Reference, each: tuple[bool, bool], hops: int) -> Found:
        kind, name = str(step[0]), str(step[1]) if len(step) > 1 else ""
        late = self.plan.deferred.get((scope.module, f"{kind}.{name}"))
        if not late:
            return Found(known=True)  # NOTE: read while planning
        attribute = FORWARD.get(f"data.{kind}")
        if attribute is None:
            return Found(opaque=True)
        chosen, _ = self._choose(late, step[2:], scope, each)
        return self._follow(chosen, attribute, want, hops)

    def _follow(self, chosen: Sequence[Planned], attribute: str, want: Reference, hops: int) -> Found:
        found = Found(several=len(chosen) > 1)
        for planned in chosen:
            expressions = planned.expressions
            if not isinstance(expressions, dict) or attribute not in expressions:
                return Found(opaque=True)
            names = references_of(expressions[attribute])
            # NOTE: a literal names something, and what that is nothing here can tell
            found.add(self.find(names, self.scope(planned), want, hops=hops + 1) if names else Found(opaque=True))
        return found

    def _resource(
        self, step: tuple[str | Instance, ...], scope: Scope, want: Reference, each: tuple[bool, bool], *, shared: bool, hops: int
    ) -> Found:
        kind, name = str(step[0]), str(step[1])
        instances = self.plan.instances.get((scope.module, f"{kind}.{name}"), {})
        chosen, rest = self._choose(instances, step[2:], scope, each)
        attribute = str(rest[0]) if rest else ""
        if kind in want.to and attribute in ("", *IDENTITIES.get(kind, ()), *want.by):
            return Found(dict.fromkeys(p.address for p in chosen), several=len(chosen) > 1)
        if kind == "aws_kms_alias" and "aws_kms_key" in want.to:
            return self._follow(chosen, FORWARD[kind], want, hops)
        if attribute in DEFAULTS and kind in ("aws_vpc", "aws_default_vpc"):
            return self._default(attribute, chosen, want)
        if shared and kind not in want.to:
            return Found()
        if not chosen:
            return Found()
        late = not attribute or any(p.unknown.get(attribute) for p in chosen)
        return Found(opaque=late, known=not late)

    def _default(self, attribute: str, vpcs: Sequence[Planned], want: Reference) -> Found:
        """The plan's resource for the default group, list or table of a VPC: the VPC has one, whether the plan holds it or not."""
        kind, by = DEFAULTS[attribute]
        if kind not in want.to:
            return Found(opaque=True)
        found = Found(several=len(vpcs) > 1, elsewhere=True)
        wanted = {p.address for p in vpcs}
        for planned in self.plan.by_type.get(kind, []):
            expressions = planned.expressions
            names = references_of(expressions.get(by)) if isinstance(expressions, dict) else []
            reach = self.find(names, self.scope(planned), Reference(("aws_vpc", "aws_default_vpc"), by=tuple(DEFAULTS)))
            if reach.addresses.keys() & wanted:
                found.addresses[planned.address] = None
                found.elsewhere = False
            elif reach.opaque:
                found.opaque = True
        return found
