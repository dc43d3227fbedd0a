"""Where in its configuration a planned resource stands, and each of its facts: the block, and the narrowest thing within it.

A plan has no places. They are found by name: through the module calls to the module's folder, to the block with the resource's type and
name, to the attribute that a fact's path names. What cannot be told for certain is not guessed: the place is then the block around it,
or the plan, and says why.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.table import MISSING
from collectors.terraform import comments, hcl
from collectors.terraform.configuration import Plan, Planned, address, module_path, parse
from collectors.terraform.masks import Step
from collectors.terraform.texts import Folder, Texts, Unread, is_override
from collectors.terraform.written import Attribute, Block, Body, Span, same
from scanner.model import Inline, Where, frozen

MAX_CALLS = 40
"""Modules within modules; a bound against a hand-made plan."""
MAX_PROBLEMS = 20
OTHERWISE = "`{}` says something else than the plan: ignore_changes keeps what is there, or the source is not what was planned"
PROTOCOLS = {"6": "tcp", "17": "udp", "1": "icmp", "58": "icmpv6", "all": "-1"}
Labels = tuple[str, ...]
Names = tuple[str, ...]


@frozen
class Written:
    """A block, where it is, and what overrides it."""

    file: str
    block: Block
    over: tuple[tuple[str, Block], ...] = ()
    """(file, block) of override files, the strongest first."""

    def layers(self) -> Iterator[tuple[str, Block]]:
        """What overrides it, then itself."""
        yield from self.over
        yield self.file, self.block


@dataclass(slots=True)
class Module:
    """The blocks of a module's folder."""

    folder: Folder
    blocks: dict[Labels, list[tuple[str, Block]]] = field(default_factory=dict)
    over: dict[Labels, list[tuple[str, Block]]] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    """Files that could not be read whole."""

    def find(self, labels: Labels) -> Written | str:
        """The block, or why it cannot be told."""
        found = self.blocks.get(labels, [])
        if len(found) == 1:
            file, block = found[0]
            return Written(file, block, tuple(reversed(self.over.get(labels, []))))
        name = ".".join(labels[1:]) if labels[0] == "resource" else ".".join(labels)
        if found:
            return f"{name} is declared more than once: {', '.join(sorted(f'{f}:{b.header.line}' for f, b in found))}"
        where = self.folder.path or "the root module's folder"
        if self.broken:
            return f"{name} is not found in {where}, where {', '.join(self.broken)} cannot be read whole"
        return f"{name} is not declared in {where}: the source is not what was planned"


@frozen
class Reached:
    """How far a path leads into a block."""

    file: str
    span: Span
    around: Span
    """The block it stands in, or that it is."""
    header: Span
    """That block's first line."""
    whole: bool
    """All of the path is written."""
    depth: int = 0
    attribute: Attribute | None = None
    note: str = ""


@frozen
class Anchor:
    """What a part of a row is read from: a planned resource, or a block within it."""

    planned: Planned
    value: Any = None
    """All of its values."""
    steps: tuple[Step, ...] = ()
    element: Any = None
    """The value of the element that `steps` end at."""


class Sources:
    """The configuration of one plan."""

    def __init__(self, plan: Plan, texts: Texts) -> None:
        self.plan = plan
        self.texts = texts
        self.problems: list[str] = []
        self.waivers: list[Inline] = []
        """Those in comments of the files that were read."""
        self._parser: Any = None
        self._folders: dict[tuple[str, str], Module] = {}
        self._modules: dict[Names, Module | str] = {}
        self._bodies: dict[int, tuple[Block, Body]] = {}
        self._written: dict[str, Written | str] = {}
        self._wheres: dict[str, Where | str] = {}

    # modules

    def module(self, names: Names) -> Module | str:
        """A module of the configuration, or why its files are not known."""
        found = self._modules.get(names)
        if found is None:
            found = self._modules[names] = self._find(names)
        return found

    def _find(self, names: Names) -> Module | str:
        if not names:
            return self._load(self.texts.root())
        if len(names) > MAX_CALLS:
            return f"more than {MAX_CALLS} modules within each other"
        parent = self.module(names[:-1])
        if isinstance(parent, str):
            return parent
        known = self.plan.modules.get(names)
        source = known.call.source if known is not None else None
        if source is None:
            return f"the plan does not tell the source of module.{'.'.join(names)}"
        folder = self.texts.module(names, source, parent.folder)
        return folder if isinstance(folder, str) else self._load(folder)

    def _load(self, folder: Folder) -> Module:
        key = (folder.path, "" if folder.local else folder.key)
        module = self._folders.get(key)
        if module is None:
            module = self._folders[key] = Module(folder)
            for name in self.texts.names(folder):
                self._read(module, name)
        return module

    def _read(self, module: Module, name: str) -> None:
        file = posixpath.join(self.texts.called, module.folder.path, name)
        try:
            data = self.texts.read(module.folder, name)
        except Unread as why:
            self._problem(module, file, str(why))
            return
        if name.endswith(".json"):
            from collectors.terraform import tfjson  # noqa: PLC0415 - few write it

            text = tfjson.read(data)
        else:
            self._parser = self._parser or hcl.parser()
            text = hcl.read(data, self._parser)
            if comments.marked(data):
                self.waivers += comments.inline(file, data, self._parser, local=module.folder.local)
        if text.fault is not None:
            line, column, what = text.fault
            self._problem(module, f"{file}:{line}:{column}", what)
        kept = module.over if is_override(name) else module.blocks
        for block in text.blocks:
            kept.setdefault(block.labels, []).append((file, block))

    def _problem(self, module: Module, place: str, what: str) -> None:
        module.broken.append(place)
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(f"{place}: {what}; findings of what it declares may have no line")

    def declares(self) -> tuple[list[str], list[str]]:
        """(declared, missing): resources and calls of the root module, as the plan has them."""
        root = self.module(())
        known = self.plan.modules.get(())
        wanted: dict[str, Labels] = {f"module.{names[0]}": ("module", names[0]) for names in self.plan.modules if len(names) == 1}
        for name in known.resources if known is not None else ():
            steps = name.split(".")
            wanted[name] = tuple(steps) if steps[0] == "data" else ("resource", *steps)
        if isinstance(root, str):
            return [], sorted(wanted)
        seen = {name: labels in root.blocks for name, labels in wanted.items()}
        return sorted(n for n, yes in seen.items() if yes), sorted(n for n, yes in seen.items() if not yes)

    # places

    def where(self, planned: Planned) -> Where | str:
        """The block of a resource; else why it is not known."""
        found = self._wheres.get(planned.address)
        if found is None:
            written = self.written(planned)
            if isinstance(written, str):
                found = written
            else:
                found = self.place(
                    planned, Reached(written.file, written.block.header, written.block.span, written.block.header, whole=True)
                )
            self._wheres[planned.address] = found
        return found

    def written(self, planned: Planned) -> Written | str:
        """The block that declares a resource, or why it is not known."""
        found = self._written.get(planned.address)
        if found is None:
            module = self.module(module_path(planned.module))
            labels = ("data" if planned.mode == "data" else "resource", planned.type, planned.name)
            found = self._written[planned.address] = module if isinstance(module, str) else module.find(labels)
        return found

    def place(self, planned: Planned, reached: Reached) -> Where:
        """What a path reached, with the module calls that lead there.

        Of a module that is not in the repository the place is the call in the repository: nobody can change another line.
        """
        names = module_path(planned.module)
        calls = list(self._calls(planned, names))
        inputs = list(self._inputs(names, reached.attribute.variable)) if reached.attribute is not None else []
        own = _where(reached, planned.address, note=reached.note)
        module = self.module(names)
        if isinstance(module, str) or module.folder.local:
            return _with(own, [*(w for _, w in calls), *(w for _, w in inputs)])
        kept = [(n, w) for n, w in calls if self._local(n)]
        if not kept:
            return own
        last, at = kept[-1]
        given = next((w for n, w in inputs if n == last), at)
        inside = module.folder.path.split("/")[0] != ".."
        more = [w for n, w in calls[len(kept) :]] + ([own] if inside else [])
        note = f"written in {own.file}:{own.line}, which is no part of this repository"
        via = [*(w for _, w in kept[:-1]), *([at] if given is not at else []), *more]
        return _with(given, via, note, planned.address)

    def _local(self, names: Names) -> bool:
        """The module in which `names` is called is part of the repository."""
        module = self.module(names[:-1])
        return not isinstance(module, str) and module.folder.local

    def _calls(self, planned: Planned, names: Names) -> Iterator[tuple[Names, Where]]:
        """The calls that lead to a resource's module, outermost first."""
        for count in range(1, len(names) + 1):
            call = self._call(names[:count])
            if call is not None:
                reached = Reached(call.file, call.block.header, call.block.span, call.block.header, whole=True)
                yield names[:count], _where(reached, _prefix(planned.module, count))

    def _call(self, names: Names) -> Written | None:
        outer = self.module(names[:-1])
        found = outer.find(("module", names[-1])) if not isinstance(outer, str) else ""
        return None if isinstance(found, str) else found

    def _inputs(self, names: Names, variable: str) -> Iterator[tuple[Names, Where]]:
        """The literal that a variable is set to by the calls, or its default where none sets it."""
        for _ in range(len(names)):
            call = self._call(names) if variable else None
            if call is None:
                return
            name = f"module.{'.module.'.join(names)}"
            given = self._attribute(call, variable)
            if given is None:
                module = self.module(names)
                declared = module.find(("variable", variable)) if not isinstance(module, str) else ""
                default = self._attribute(declared, "default") if not isinstance(declared, str) else None
                if default is not None:
                    yield (), _where(default, f"{name}, default of variable {variable}")
                return
            assert given.attribute is not None  # noqa: S101 - it is an attribute
            if given.attribute.value is not MISSING:
                yield names, _where(given, f"{name}, argument {variable}")
                return
            names, variable = names[:-1], given.attribute.variable
            if not names:
                return

    def _attribute(self, written: Written, name: str) -> Reached | None:
        for file, block in written.layers():
            attribute = self.body(block).attributes.get(name)
            if attribute is not None:
                return Reached(file, attribute.span, block.span, block.header, whole=True, attribute=attribute)
        return None

    # paths

    def body(self, block: Block) -> Body:
        """What stands in a block, read once."""
        kept = self._bodies.get(id(block))
        if kept is None:
            kept = self._bodies[id(block)] = (block, block.read())  # NOTE: the block is kept too, so that its id stays its own
        return kept[1]

    def reach(self, anchor: Anchor, steps: Sequence[Step]) -> Reached | None:
        """How far `steps`, seen from `anchor`, lead into the configuration; None where not even the block is known."""
        written = self.written(anchor.planned)
        if isinstance(written, str):
            return None
        path = (*anchor.steps, *steps)
        first = path[0] if path else None
        for file, block in written.layers():
            body = self.body(block)
            if isinstance(first, str) and (first in body.attributes or first in body.blocks):
                return self._descend(file, block, path, anchor)
        return Reached(
            written.file,
            written.block.header,
            written.block.span,
            written.block.header,
            whole=not path or isinstance(first, frozenset),
        )

    def _descend(self, file: str, block: Block, path: Sequence[Step], anchor: Anchor) -> Reached:
        value = anchor.value
        depth, at = 0, 0
        while at < len(path):
            step = path[at]
            if not isinstance(step, str):
                return Reached(file, block.header, block.span, block.header, whole=True, depth=depth)
            body = self.body(block)
            inner, attribute = body.blocks.get(step, ()), body.attributes.get(step)
            if attribute is not None and (not inner or at == len(path) - 1):
                planned = value.get(step) if isinstance(value, Mapping) else None
                if isinstance(attribute.value, bool) and isinstance(planned, bool) and attribute.value is not planned:
                    return Reached(
                        file, block.header, block.span, block.header, whole=False, depth=depth, note=OTHERWISE.format(step)
                    )
                return Reached(file, attribute.span, block.span, block.header, whole=True, depth=depth + 1, attribute=attribute)
            if not inner:
                return Reached(file, block.header, block.span, block.header, whole=False, depth=depth)
            value = value.get(step) if isinstance(value, Mapping) else None
            at += 1
            index = path[at] if at < len(path) and (path[at] is None or isinstance(path[at], int)) else 0
            at += at < len(path) and (path[at] is None or isinstance(path[at], int))
            value = _element(value, index, anchor, at)
            chosen = inner[0] if len(inner) == 1 else self._choose(inner, value)
            if len(inner) == 1 and isinstance(value, Mapping) and not self._fits(inner[0], value):
                return Reached(file, block.header, block.span, block.header, whole=False, depth=depth, note=OTHERWISE.format(step))
            if chosen is None:
                note = f"which of the {len(inner)} `{step}` blocks is meant is not certain"
                return Reached(file, block.header, block.span, block.header, whole=False, depth=depth, note=note)
            block, depth = chosen, depth + 1
        return Reached(file, block.header, block.span, block.header, whole=True, depth=depth)

    def _choose(self, blocks: Sequence[Block], element: Any) -> Block | None:
        """The only one of several blocks whose literals are those of an element; None where that is not certain."""
        if not isinstance(element, Mapping):
            return None
        fitting = [b for b in blocks if self._fits(b, element)]
        return fitting[0] if len(fitting) == 1 else None

    def _fits(self, block: Block, element: Mapping[str, Any]) -> bool:
        literals = {n: a.value for n, a in self.body(block).attributes.items() if a.value is not MISSING and n in element}
        return all(same(_usual(v), _usual(element[n])) for n, v in literals.items())


def _usual(value: Any) -> Any:
    """A protocol by its name, which the provider makes of its number."""
    return PROTOCOLS.get(str(value).lower(), value) if isinstance(value, (str, int)) and not isinstance(value, bool) else value


def _element(value: Any, index: Step, anchor: Anchor, at: int) -> Any:
    """The element of a list of blocks that is meant, where only one can be."""
    if at == len(anchor.steps) and anchor.element is not None:
        return anchor.element
    if not isinstance(value, list):
        return value
    if isinstance(index, int) and index < len(value):
        return value[index]
    return value[0] if len(value) == 1 else None


def _prefix(module: str, count: int) -> str:
    """The first `count` calls of a module instance's address."""
    found: list[Any] = []
    names = 0
    for step in parse(module):
        if step == "module" and names % 2 == 0:
            if names == 2 * count:
                break
            names += 1
        elif isinstance(step, str):
            names += 1
        found.append(step)
    return address(tuple(found))


def _where(reached: Reached, locator: str, *, note: str = "") -> Where:
    span, around = reached.span, reached.around
    lines = (around.line, around.end_line) if around.end_line else (0, 0)
    return Where(reached.file, span.line, span.column, locator, span.end_line, span.end_column, lines, note=note)


def _with(where: Where, via: Sequence[Where], note: str = "", locator: str = "") -> Where:
    return Where(
        where.file, where.line, where.column, locator or where.locator, where.end_line, where.end_column, where.block,
        tuple(dict.fromkeys(via)), note or where.note,
    )  # fmt: skip
