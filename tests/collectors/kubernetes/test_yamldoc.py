"""YAML as the API server would read it, with places, within bounds."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.yamldoc import Bounds, Document, Fault, documents


def read(text: str, bounds: Bounds | None = None) -> list[Document | Fault]:
    return list(documents(text, bounds or Bounds()))


def values(text: str) -> list[Any]:
    return [d.value if isinstance(d, Document) else d for d in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1", {"a": 1}),
        ("a: yes\nb: No\nc: on\nd: 'yes'", {"a": True, "b": False, "c": True, "d": "yes"}),
        ("a: 0755\nb: 0o17\nc: 0x1F\nd: 1_000\ne: -7", {"a": 493, "b": "0o17", "c": 31, "d": 1000, "e": -7}),
        (
            "a: 12:30:45\nb: 2020-01-01\nc: 1.5\nd: .inf\ne: 1e3",
            {"a": "12:30:45", "b": "2020-01-01", "c": 1.5, "d": ".inf", "e": "1e3"},
        ),
        ("a: ~\nb:\nc: null\nd: ''", {"a": None, "b": None, "c": None, "d": ""}),
        ("1: a\ntrue: b\n~: c", {"1": "a", "true": "b", "null": "c"}),
        ("a: &x {b: 1}\nc: *x", {"a": {"b": 1}, "c": {"b": 1}}),
        ("base: &b {x: 1, y: 2}\nd:\n  <<: *b\n  y: 3", {"base": {"x": 1, "y": 2}, "d": {"x": 1, "y": 3}}),
        ("d:\n  <<: [{x: 1}, {x: 2, z: 3}]", {"d": {"x": 1, "z": 3}}),
        ("a: |\n  x\n  ---\n  y", {"a": "x\n---\ny"}),
        ("a: !!str 1\nb: !!int '3'", {"a": "1", "b": 3}),
        ("9" * 5000, "9" * 5000),
        ("[1, 2]", [1, 2]),
        ('{"a":\n\t[true, "\\/"]}', {"a": [True, "/"]}),
    ],
)
def test_values(text: str, expected: Any) -> None:
    assert values(text) == [expected]


def test_documents_and_places() -> None:
    text = "%YAML 1.1\n---\n# only a comment\n---\na: 1\nb:\n  c: {d: 2}\n--- \nx: 1\n...\n---\n"
    found = read(text)
    assert [d.value for d in found if isinstance(d, Document) and d.value is not None] == [{"a": 1, "b": {"c": {"d": 2}}}, {"x": 1}]
    assert not [d for d in found if isinstance(d, Fault)]
    first = next(d for d in found if isinstance(d, Document) and d.value and "a" in d.value)
    assert (first.line, first.column) == (5, 1)
    assert first.marks[id(first.value)] == {"a": (5, 1), "b": (6, 1)}
    assert first.marks[id(first.value["b"]["c"])] == {"d": (7, 7)}
    assert first.starts[id(first.value["b"]["c"])] == (7, 6)


def test_columns_count_characters() -> None:
    (found,) = read("é: {ß: {x: 1}}")
    assert isinstance(found, Document)
    assert found.marks[id(found.value["é"]["ß"])] == {"x": (1, 9)}


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: [1", 1, "not YAML"),
        ("ok: 1\n---\na: b: c", 3, "not YAML"),
        ("a: 1\n\tb: 2", 2, "not YAML"),
        ("a: *nowhere", 1, "is not defined"),
        ("a:\n  b: &x\n    c: *x", 3, "contains itself"),
        ("a: !vault x", 1, "the tag !vault is not known"),
        ("a: !!python/object:os.system {}", 1, "is not known"),
        ("? {a: 1}\n: 2", 1, "a key that is a mapping"),
        ("a: {<<: 3}", 1, "<< takes mappings"),
        ("a: \x07", 1, "not YAML"),
        ("a: 'x", 1, "not YAML"),
        ("image: {{ .Values.image }}", 1, "Helm template"),
        ("{{- if .Values.on }}\na: 1\n{{- end }}", 1, "Helm template"),
    ],
)
def test_broken_documents(text: str, line: int, what: str) -> None:
    fault = next(d for d in read(text) if isinstance(d, Fault))
    assert what in fault.what
    assert fault.line == line
    # the next document is read all the same
    assert values(f"{text}\n---\nz: 1")[-1] == {"z": 1}


def test_a_key_twice() -> None:
    (found,) = read("a: 1\nb: 2\na: 3")
    assert isinstance(found, Document)
    assert found.value == {"a": 3, "b": 2}
    assert [(f.line, f.what) for f in found.faults] == [(3, "the key 'a' stands twice; the last one counts")]


def test_a_merged_key_is_not_twice() -> None:
    (found,) = read("a: &a {x: 1}\nb: {<<: *a, x: 2}")
    assert isinstance(found, Document)
    assert found.faults == []


@pytest.mark.parametrize(
    "text",
    [
        "[" * 50_000,
        "{a: " * 50_000,
        "- " * 5_000,
        "\n".join(" " * i + "a:" for i in range(2_000)),
        "[" * 200 + "]" * 200,
        '{"a":' * 90_000,
    ],
)
def test_depth_is_bounded(text: str) -> None:
    began = time.monotonic()
    assert all(isinstance(d, Fault) for d in read(text))
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("levels", [99, 100, 101])
def test_depth_is_exact(levels: int) -> None:
    (found,) = read("[" * levels + "]" * levels)
    assert isinstance(found, Document) is (levels <= 100)


def test_depth_through_aliases() -> None:
    text = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 200))
    (found,) = read(text)
    assert isinstance(found, Fault)
    assert "nested deeper" in found.what


def test_alias_bombs_are_counted_not_built() -> None:
    text = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{','.join([f'*{chr(97 + i)}'] * 9)}]\n" for i in range(20)
    )
    began = time.monotonic()
    (found,) = read(text)
    assert isinstance(found, Fault)
    assert "aliases" in found.what
    assert time.monotonic() - began < 1
    assert isinstance(read("a: [1, 2, 3]", Bounds(nodes=3))[0], Fault)


@given(st.text(max_size=300))
def test_any_text_gives_documents_or_faults(text: str) -> None:
    for found in read(text):
        assert isinstance(found, Document | Fault)


@given(st.text(alphabet="{}[]&*a:,-!|>'\"# \n\t<.", max_size=120))
def test_any_punctuation_gives_documents_or_faults(text: str) -> None:
    for found in read(text, Bounds(depth=10, nodes=100)):
        if isinstance(found, Document):
            json.dumps(found.value)


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc", "Co", "Cn"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz-/.", min_size=1, max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(PLAIN, st.booleans())
def test_what_is_written_is_read(value: Any, flow: bool) -> None:  # noqa: FBT001 - drawn
    text = yaml.safe_dump(value, default_flow_style=flow, allow_unicode=True)
    (found,) = read("---\n" + text.replace("\n...\n", "\n")) or [Document(None, 1, 1)]
    assert isinstance(found, Document)
    assert found.value == value


def test_large_json_is_read_as_json() -> None:
    value = {"apiVersion": "v1", "items": [{"n": i, "text": "x" * 50} for i in range(70_000)]}
    text = json.dumps(value)
    (found,) = read(text)
    assert isinstance(found, Document)
    assert found.value == value
    assert found.marks == {}
    assert isinstance(read(text + "x")[-1], Fault)
    assert isinstance(read('{"a":' * 1000 + '"' + "x" * 5_000_000 + '"' + "}" * 1000)[0], Fault)
