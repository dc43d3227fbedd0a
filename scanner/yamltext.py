"""Our own YAML files: parsed once, by libyaml where it is there, with the line of everything kept for error messages."""

from __future__ import annotations

import functools
from typing import Any

MOST = 100_000
"""Nodes of a document, those of an alias counted as often as it stands."""


@functools.cache
def _loader() -> Any:
    """A safe loader that leaves dates as text: nothing here means a point in time by a bare 2027-01-31."""
    import yaml  # noqa: PLC0415 - not needed for --help

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    resolvers = {
        key: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:timestamp"]
        for key, found in base.yaml_implicit_resolvers.items()
    }
    return type("PlainLoader", (base,), {"yaml_implicit_resolvers": resolvers})


def parse(text: str) -> tuple[Any, Any]:
    """(node, data) of the one document in `text`; both None where it is empty.

    Keys that stand twice are refused: the first would vanish without a word. So are documents that aliases make grow beyond `MOST`.
    Raises yaml.YAMLError, and ValueError for a scalar that is not what its tag says.
    """
    import yaml  # noqa: PLC0415 - not needed for --help

    loader = _loader()(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None, None
        _check(node, yaml)
        return node, _made(node, loader, yaml)
    finally:
        loader.dispose()


def _check(node: Any, yaml: Any) -> None:
    """Raises yaml.MarkedYAMLError at a key that its mapping has already, and at what is too much."""
    todo, number = [node], 0
    while todo:
        at, number = todo.pop(), number + 1
        if number > MOST:
            raise yaml.MarkedYAMLError(problem="is more than anybody writes by hand", problem_mark=node.start_mark)
        if isinstance(at, yaml.MappingNode):
            names = set()
            for key, value in at.value:
                name = (key.tag, str(key.value))
                if name in names:
                    raise yaml.MarkedYAMLError(problem=f"the key {name[1][:60]!r} stands twice", problem_mark=key.start_mark)
                names.add(name)
                todo.append(value)
        elif isinstance(at, yaml.SequenceNode):
            todo += at.value


TEXT = "tag:yaml.org,2002:str"
PLAIN = ("tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def _made(node: Any, loader: Any, yaml: Any) -> Any:
    """The data of a checked node: texts, lists and mappings of texts at once, everything else by the library, which takes ten times as long."""
    if node.tag == TEXT:
        return node.value
    if node.tag == PLAIN[1] and isinstance(node, yaml.SequenceNode):
        return [_made(item, loader, yaml) for item in node.value]
    if node.tag == PLAIN[0] and isinstance(node, yaml.MappingNode) and all(key.tag == TEXT for key, _ in node.value):
        return {key.value: _made(value, loader, yaml) for key, value in node.value}
    return loader.construct_object(node, deep=True)


def lines(node: Any) -> dict[tuple[Any, ...], int]:
    """Path in the document (keys and list positions) → its 1-based line."""
    found: dict[tuple[Any, ...], int] = {}

    def walk(at: Any, path: tuple[Any, ...]) -> None:
        found.setdefault(path, at.start_mark.line + 1)
        if not isinstance(at.value, list):
            return
        for number, item in enumerate(at.value):
            if isinstance(item, tuple):
                found[(*path, item[0].value)] = item[0].start_mark.line + 1
                walk(item[1], (*path, item[0].value))
            else:
                walk(item, (*path, number))

    if node is not None:
        walk(node, ())
    return found
