"""The part of JSON Schema that our own schemas use, compiled to closures.

A report holds a hundred thousand verdicts, a snapshot as many facts; `jsonschema` takes 0.4 ms for a verdict, this a twentieth. A keyword that is
not known here is refused when the schema is compiled, so nothing is silently unchecked; a test compares the two on mutations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Check = Callable[[Any], None]

SILENT = frozenset({"$schema", "$id", "$defs", "title", "description", "x-derived", "x-grows"})
"""Keywords that assert nothing."""
TYPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "object": ("an object", lambda value: isinstance(value, dict)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "string": ("a text", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "number": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "null": ("null", lambda value: value is None),
}


class Fault(Exception):  # noqa: N818 - the field's noun; it is always caught
    """What is wrong, and where: `pointer` is a JSON pointer, empty for the whole."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message
        self._parts: list[str | int] = []

    def inside(self, part: str | int) -> Fault:
        """The same fault, seen from the object or list around it."""
        self._parts.append(part)
        return self

    @property
    def pointer(self) -> str:
        """https://www.rfc-editor.org/rfc/rfc6901."""
        return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in reversed(self._parts))


def compiled(schema: Mapping[str, Any]) -> Check:
    """A check that raises the first `Fault` it finds."""
    definitions: dict[str, Check] = {}
    definitions.update({name: _schema(each, definitions) for name, each in schema.get("$defs", {}).items()})
    return _schema(schema, definitions)


def _schema(schema: Mapping[str, Any], definitions: Mapping[str, Check]) -> Check:
    """One (sub)schema: all of its keywords."""
    checks: list[Check] = []
    members = {"required", "properties", "additionalProperties"}
    for keyword, value in schema.items():
        if keyword in SILENT or keyword in members:
            continue
        if keyword not in KEYWORDS:
            raise ValueError(f"the keyword {keyword!r} is not known to scanner/shape.py")
        checks.append(KEYWORDS[keyword](value, definitions))
    if members & schema.keys():
        checks.append(_members(schema, definitions))

    def check(value: Any) -> None:
        for each in checks:
            each(value)

    return checks[0] if len(checks) == 1 else check


def _reference(target: str, definitions: Mapping[str, Check]) -> Check:
    """`$ref` to a definition of the same schema; looked up late, since definitions refer to each other."""
    name = target.removeprefix("#/$defs/")

    def check(value: Any) -> None:
        definitions[name](value)

    return check


def _type(names: str | Sequence[str], _: Mapping[str, Check]) -> Check:
    """`type`, one name or several."""
    kinds = [TYPES[name] for name in ([names] if isinstance(names, str) else names)]
    noun = " or ".join(noun for noun, _ in kinds)
    holds = kinds[0][1] if len(kinds) == 1 else lambda value: any(each(value) for _, each in kinds)

    def check(value: Any) -> None:
        if not holds(value):
            raise Fault(f"must be {noun}, is {_brief(value)}")

    return check


def _enum(values: Sequence[Any], _: Mapping[str, Check]) -> Check:
    """`enum`, of texts."""

    def check(value: Any) -> None:
        if value not in values:
            raise Fault(f"must be one of {', '.join(map(str, values))}, is {_brief(value)}")

    return check


def _const(wanted: Any, _: Mapping[str, Check]) -> Check:
    """`const`, a text."""

    def check(value: Any) -> None:
        if value != wanted:
            raise Fault(f"must be {wanted!r}, is {_brief(value)}")

    return check


def _minimum(least: int, _: Mapping[str, Check]) -> Check:
    """`minimum`; other types are `type`'s business."""

    def check(value: Any) -> None:
        if isinstance(value, int | float) and value < least:
            raise Fault(f"must be {least} or more, is {_brief(value)}")

    return check


def _items(schema: Mapping[str, Any], definitions: Mapping[str, Check]) -> Check:
    """`items`."""
    item = _schema(schema, definitions)

    def check(value: Any) -> None:
        for index, each in enumerate(value if isinstance(value, list) else ()):
            try:
                item(each)
            except Fault as fault:
                raise fault.inside(index) from None

    return check


def _any_of(schemas: Sequence[Mapping[str, Any]], definitions: Mapping[str, Check]) -> Check:
    """`anyOf`; the fault told is the first alternative's, which says more than "or null"."""
    checks = [_schema(each, definitions) for each in schemas]

    def check(value: Any) -> None:
        first: Fault | None = None
        for each in checks:
            try:
                each(value)
            except Fault as fault:
                first = first or fault
            else:
                return
        if first:
            raise first

    return check


def _members(schema: Mapping[str, Any], definitions: Mapping[str, Check]) -> Check:
    """`required`, `properties` and `additionalProperties` together."""
    required = tuple(schema.get("required", ()))
    known = {name: _schema(each, definitions) for name, each in schema.get("properties", {}).items()}
    others = schema.get("additionalProperties", True)
    other = _schema(others, definitions) if isinstance(others, Mapping) else None

    def check(value: Any) -> None:
        if not isinstance(value, dict):
            return
        for name in required:
            if name not in value:
                raise Fault(f"lacks {name!r}")
        for name, each in value.items():
            verify = known.get(name, other)
            if verify is not None:
                try:
                    verify(each)
                except Fault as fault:
                    raise fault.inside(name) from None
            elif others is False and name not in known:
                raise Fault(f"has {_brief(name)}, which the format does not know")

    return check


KEYWORDS: Mapping[str, Callable[[Any, Mapping[str, Check]], Check]] = {
    "$ref": _reference,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "minimum": _minimum,
    "items": _items,
    "anyOf": _any_of,
}


def _brief(value: Any) -> str:
    """A value in a message, bounded."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."  # noqa: PLR2004 - a line of a terminal, less what stands around it
