from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.table import MISSING
from collectors.terraform import hcl
from collectors.terraform.written import Attribute, Block, Body, Span, Text, same, variable_of

PARSER = hcl.parser()


def read(text: str | bytes) -> Text:
    return hcl.read(text.encode() if isinstance(text, str) else text, PARSER)


def only(text: str) -> tuple[Block, Body]:
    (block,) = read(text).blocks
    return block, block.read()


def test_blocks_have_labels_and_places() -> None:
    text = read(
        '# first\nresource "aws_kms_key" "a" {\n  description = "x"\n}\n\nmodule store {\n  source = "./store"\n}\nlocals {}\n'
    )
    assert text.fault is None
    assert [(b.labels, b.span, b.header) for b in text.blocks] == [
        (("resource", "aws_kms_key", "a"), Span(2, 1, 4, 2), Span(2, 1, 2, 27)),
        (("module", "store"), Span(6, 1, 8, 2), Span(6, 1, 6, 13)),
        (("locals",), Span(9, 1, 9, 10), Span(9, 1, 9, 7)),
    ]


def test_literals_variables_and_what_is_computed() -> None:
    _, body = only(
        'resource "a" "b" {\n  s = "x\\"y"\n  n = 443\n  f = 0.5\n  t = true\n  z = null\n  l = ["a", 2]\n  v = var.rotate\n'
        '  i = "${var.rotate}"\n  c = var.x ? 1 : 2\n  p = "a-${var.x}"\n  k = local.key\n  e = -1\n}\n'
    )
    assert {name: (a.value, a.variable) for name, a in body.attributes.items()} == {
        "s": ('x"y', ""),
        "n": (443, ""),
        "f": (0.5, ""),
        "t": (True, ""),
        "z": (None, ""),
        "l": (["a", 2], ""),
        "v": (MISSING, "rotate"),
        "i": (MISSING, "rotate"),
        "c": (MISSING, ""),
        "p": (MISSING, ""),
        "k": (MISSING, ""),
        "e": (MISSING, ""),
    }


def test_a_long_value_is_one_line_of_region() -> None:
    _, body = only('resource "a" "b" {\n  policy = jsonencode({\n    a = 1\n  })\n  doc = <<-EOT\n    x\n  EOT\n}\n')
    assert body.attributes["policy"].span == Span(2, 3, 2, 24)
    assert body.attributes["doc"].span == Span(5, 3, 5, 15)


def test_columns_are_characters_not_bytes() -> None:
    block, body = only('/* é𝄞 */ resource "a" "ü" { k = "ö" }')
    assert block.header == Span(1, 10, 1, 26)
    assert body.attributes["k"].span == Span(1, 29, 1, 36)


def test_marks_and_line_ends_of_windows() -> None:
    text = read(b'\xef\xbb\xbfresource "a" "b" {\r\n  x = [\r\n    1,\r\n  ]\r\n}\r\n')
    assert text.blocks[0].span == Span(1, 1, 5, 2)
    assert text.blocks[0].read().attributes == {"x": Attribute(Span(2, 3, 2, 8), [1])}


def test_dynamic_blocks_stand_under_the_name_of_what_they_make() -> None:
    _, body = only(
        'resource "a" "b" {\n  ingress {\n    port = 1\n  }\n  dynamic "ingress" {\n    for_each = var.p\n    content {\n'
        '      port = ingress.value\n    }\n  }\n  dynamic "none" {\n    for_each = []\n  }\n}\n'
    )
    static, dynamic = body.blocks["ingress"]
    assert [static.dynamic, dynamic.dynamic] == [False, True]
    assert dynamic.read().attributes["port"].span == Span(8, 7, 8, 27)
    assert body.blocks["none"][0].read() == Body()


BROKEN = [
    ('resource "a" "b" {\n  x = 1\n', (3, 1, "`}` is missing")),
    ('resource "a" "b" {\n  x = \n}\n', None),
    ("<<<<<<< ours\n", None),
    ('resource "a" "b" {\n  x = [1\n}\n', None),
]


@pytest.mark.parametrize(("text", "fault"), BROKEN)
def test_a_broken_block_is_left_out_and_named(text: str, fault: tuple[int, int, str] | None) -> None:
    found = read('resource "good" "one" {\n}\n' + text)
    assert [b.labels for b in found.blocks] in ([("resource", "good", "one")], [])
    assert found.fault is not None
    if fault is not None:
        assert found.fault == (fault[0] + 2, *fault[1:])


def test_a_missing_brace_hides_what_follows_it() -> None:
    """The block after it would be taken for one within it: so neither has a place, rather than a wrong one."""
    found = read('resource "a" "b" {\n  x = 1\nresource "c" "d" {\n  y = 2\n}\n')
    assert found.blocks == ()
    assert found.fault is not None


def test_without_the_parser_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_name: str) -> None:
        raise ImportError

    monkeypatch.setattr(hcl.importlib, "import_module", none)
    with pytest.raises(hcl.BartizanError, match=r"pip install 'bartizan\[terraform\]'"):
        hcl.parser()


PIECES = st.sampled_from(
    [
        'resource "a" "b" {\n',
        "}\n",
        "  x = 1\n",
        "x {\n",
        "dynamic q {\n",
        "content {\n",
        "[",
        "${",
        '"',
        "<<E\n",
        "E\n",
        "é",
        "#c\n",
        "\r\n",
        "=",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.lists(PIECES, max_size=30).map(lambda p: "".join(p).encode())))
def test_whatever_is_in_a_file(data: bytes) -> None:
    """No bytes raise, and every place is where the text says it is."""
    text = hcl.read(data, PARSER)
    lines = [line.decode("utf-8", "replace") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    pending = list(text.blocks)
    while pending:
        block = pending.pop()
        said = lines[block.header.line - 1][block.header.column - 1 : block.header.end_column - 1]
        assert re.match(r"[^\s{]", said), said
        assert block.span.line <= block.header.line <= block.span.end_line
        body = block.read()
        for name, attribute in body.attributes.items():
            assert lines[attribute.span.line - 1][attribute.span.column - 1 :].startswith(name)
        pending += [inner for blocks in body.blocks.values() for inner in blocks]


@pytest.mark.parametrize(
    ("written", "planned", "equal"),
    [
        ("443", 443, True),
        (443, "443", True),
        (True, "true", True),
        ("true", True, True),
        (1.0, 1, True),
        (None, None, True),
        (None, "", False),
        ("", None, False),
        (["a", "b"], ["b", "a"], True),
        (["a"], ["a", "a"], False),
        (["a"], "a", False),
        ("a", "b", False),
    ],
)
def test_same(written: object, planned: object, equal: bool) -> None:  # noqa: FBT001
    assert same(written, planned) is equal


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("var.a", "a"),
        ('"${var.a-b}"', "a-b"),
        ("${ var.a }", "a"),
        ("var.a.b", ""),
        ("var.a[0]", ""),
        ('"x${var.a}"', ""),
        ("", ""),
    ],
)
def test_variable_of(text: str, variable: str) -> None:
    assert variable_of(text) == variable
