from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from collectors.table import MISSING
from collectors.terraform import tfjson
from collectors.terraform.written import Attribute, Span

TEXT = """{
  "//": "made by a program",
  "resource": {
    "aws_kms_key": {
      "a": {"enable_key_rotation": "${var.rotate}", "tags": {"x": "1"}, "n": 3, "s": "a-${b}", "l": ["x", "${y}"]}
    },
    "aws_security_group": [
      {"g": [{
        "ingress": [{"from_port": 22}, {"from_port": 23}],
        "dynamic": {"egress": {"for_each": [1], "content": {"from_port": 24}}}
      }]}
    ]
  },
  "module": {"store": {"source": "./store"}}
}
"""


def test_blocks_attributes_and_their_places() -> None:
    text = tfjson.read(TEXT.encode())
    assert text.fault is None
    assert [(b.labels, b.header) for b in text.blocks] == [
        (("resource", "aws_kms_key", "a"), Span(5, 7, 5, 10)),
        (("resource", "aws_security_group", "g"), Span(8, 8, 8, 11)),
        (("module", "store"), Span(14, 14, 14, 21)),
    ]
    key, group = text.blocks[0].read(), text.blocks[1].read()
    assert key.attributes == {
        "enable_key_rotation": Attribute(Span(5, 13, 5, 34), MISSING, "rotate"),
        "tags": Attribute(Span(5, 53, 5, 59), MISSING),
        "n": Attribute(Span(5, 73, 5, 76), 3),
        "s": Attribute(Span(5, 81, 5, 84), MISSING),
        "l": Attribute(Span(5, 96, 5, 99), MISSING),
    }
    assert [b.read().attributes["from_port"].span for b in group.blocks["ingress"]] == [Span(9, 22, 9, 33), Span(9, 41, 9, 52)]
    (egress,) = group.blocks["egress"]
    assert (egress.dynamic, egress.header, egress.read().attributes["from_port"].value) == (True, Span(10, 21, 10, 29), 24)


def test_what_is_no_json_is_a_fault_with_its_line() -> None:
    text = tfjson.read(b'{\n  "resource": [\n')
    assert text.blocks == ()
    assert text.fault is not None
    assert (text.fault[0] in (2, 3), "not JSON" in text.fault[2]) == (True, True)
    assert tfjson.read(b'{\n"a": "\xff"}').fault == (2, 1, "not UTF-8")


JSONS = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["resource", "dynamic", "content", "a", "b", "//"]), inner, max_size=3),
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(JSONS)
def test_whatever_is_in_a_file(value: object) -> None:
    pending = list(tfjson.read(json.dumps(value).encode()).blocks)
    while pending:
        pending += [inner for blocks in pending.pop().read().blocks.values() for inner in blocks]
