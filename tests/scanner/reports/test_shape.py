from __future__ import annotations

import pytest

from scanner import shape


def fault(schema: dict[str, object], value: object) -> tuple[str, str] | None:
    try:
        shape.compiled(schema)(value)
    except shape.Fault as found:
        return found.pointer, found.message
    return None


def test_an_unknown_keyword_is_refused() -> None:
    with pytest.raises(ValueError, match="'pattern' is not known"):
        shape.compiled({"properties": {"a": {"pattern": "x"}}})


def test_pointers_are_escaped() -> None:
    schema = {"additionalProperties": {"items": {"type": "null"}}}
    assert fault(schema, {"a/b~c": [None, 1]}) == ("/a~1b~0c/1", "must be null, is 1")


def test_any_of_tells_the_first_alternative() -> None:
    schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    assert fault(schema, None) is None
    assert fault(schema, 1) == ("", "must be a text, is 1")


def test_definitions_may_refer_to_themselves() -> None:
    schema = {"$ref": "#/$defs/tree", "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}}
    assert fault(schema, [[], [[]]]) is None
    assert fault(schema, [[], [[1]]]) == ("/1/0/0", "must be a list, is 1")


def test_long_values_are_cut() -> None:
    pointer, message = fault({"enum": ["a"]}, "x" * 1000) or ("", "")
    assert pointer == ""
    assert len(message) < 120
