"""Waivers in comments and annotations of manifests: where they stand, and which lines they are for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes import annotated, comments
from collectors.kubernetes.manifests import read_manifests
from collectors.kubernetes.redact import clean
from scanner.model import Inline, Where
from scanner.model.inline import LONG, MOST

EVERYWHERE = """\
# bartizan:waive a.document
apiVersion: v1  # bartizan:waive a.version
kind: Pod
metadata:
  name: x # bartizan:waive a.name
  labels: {a: b} # bartizan:waive a.labels
spec:
  # bartizan:waive a.containers
  containers:
  # bartizan:waive a.one
  # more about it
  - name: one
    args: ["# bartizan:waive no.flow", 'x'] # bartizan:waive a.args
    command: |  # bartizan:waive a.command
      # bartizan:waive no.block
      echo
    # bartizan:waive a.two
  - name: two   # bartizan:waive a.behind_two
    image: x#bartizan:waive no.fragment
    env:
    - name: a
      value: "several
        # bartizan:waive no.quoted
        lines"
    # bartizan:waive a.gap

    tty: true
# bartizan:waive a.next
---
# what follows
apiVersion: v1
kind: List
items:
- apiVersion: v1
  # bartizan:waive a.kind
  kind: ConfigMap
  metadata: {name: y}
- # bartizan:waive a.dash
  apiVersion: v1
  kind: Secret
# bartizan:waive a.end
"""
OBJECTS = {2, 31, 34, 39}


def found(text, objects=frozenset(OBJECTS)):
    return [(w.where.line, w.text, w.where.block, w.problem) for w in comments.inline("f.yaml", text, objects, "manifests")]


def test_where_each_stands_and_what_it_is_for():
    assert found(EVERYWHERE) == [
        (1, "a.document", (2, 27), ""),
        (2, "a.version", (2, 27), ""),
        (5, "a.name", (2, 27), ""),
        (6, "a.labels", (6, 6), ""),
        (8, "a.containers", (9, 27), ""),
        (10, "a.one", (12, 16), ""),
        (13, "a.args", (13, 13), ""),
        (14, "a.command", (14, 16), ""),
        (17, "a.two", (18, 27), ""),
        (18, "a.behind_two", (18, 27), ""),
        (25, "a.gap", (0, 0), comments.NOWHERE),
        (28, "a.next", (31, 40), ""),
        (35, "a.kind", (34, 37), ""),
        (38, "a.dash", (39, 40), ""),
        (41, "a.end", (0, 0), comments.NOWHERE),
    ]


def test_windows_line_ends():
    assert found("kind: Pod\r\n# bartizan:waive a.b\r\nspec: {}\r\n", {1}) == [(2, "a.b", (3, 3), "")]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kind: [\n# bartizan:waive a.b\n", comments.BROKEN),
        ("kind: Pod\u2028# bartizan:waive a.b\n", comments.BREAKS),
        ("kind: Pod\rx: 1\n# bartizan:waive a.b\ny: 1\n", comments.BREAKS),
    ],
)
def test_where_lines_are_not_certain(text, problem):
    assert [(block, why) for _, _, block, why in found(text)] == [((0, 0), problem)]


def test_no_more_than_so_many():
    every = found("a: 1 # bartizan:waive a.b\n".replace("a:", "{n}:") * 2 + "# bartizan:waive a.b\n" * MOST)
    assert len(every) == MOST + 1
    assert "more than 1000" in every[-1][3]


def test_deep_nesting_is_bounded():
    text = "# bartizan:waive a.b\na: " + "[" * 50_000 + "]" * 50_000
    assert len(found(text)) == 1


@given(
    st.lists(
        st.sampled_from(
            ["# bartizan:waive a.b", "a: 1", "- b", "  c:", "---", "", "    - x: |", "      # bartizan:waive n.o", "'", '"', "{", "]", "&a", "*a", "? x"]
        ),
        max_size=12,
    )
)  # fmt: skip
def test_any_lines(lines):
    text = "\n".join(lines)
    for line, said, (first, last), problem in found(text):
        assert text.split("\n")[line - 1].lstrip().startswith("# bartizan:waive")
        assert said in ("a.b", "n.o")
        assert (problem != "") is (first == 0)
        assert first <= last <= len(lines)
        assert first == 0 or first > line  # a line of its own is for what comes after it


POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: x
  annotations:
    bartizan.io/waive.workload.privileged: until=2027-01-31 reason="the driver" owner=ml
    other: secret
spec: {containers: [{name: c, image: i}]}
"""


def read(tmp_path, text, **more):
    (tmp_path / "pod.yaml").write_text(text)
    return read_manifests([tmp_path], **more)


def test_annotation_of_a_manifest_is_for_its_object(tmp_path):
    estate = read(tmp_path, POD)
    assert estate.waivers == (
        Inline(
            'workload.privileged until=2027-01-31 reason="the driver" owner=ml',
            Where("pod.yaml", 6, 5, block=(1, 1)),
            "manifests",
            "k8s/manifests/Pod/default/x",
        ),
    )
    assert {r.where.line for r in estate.resources} == {1}


def test_annotation_of_what_has_no_lines_is_for_its_id():
    item = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "annotations": {"bartizan.io/waive.a.b": "c"}}}
    (alone,) = annotated.inline(item, "k8s/c/Pod/d/x", Where(locator="-n d pods/x"), "k8s:c", {})
    assert alone == Inline("a.b c", Where(locator="-n d pods/x"), "k8s:c", "k8s/c/Pod/d/x")


def test_what_was_rendered_has_no_lines():
    (alone,) = comments.rendered("chart/t.yaml", "a: 1 # bartizan:waive a.b\n", "manifests")
    assert alone == Inline("a.b", Where("chart/t.yaml"), "manifests", problem=comments.RENDERED)


def test_redaction_keeps_the_waiver_bounded_and_nothing_else():
    item = {"metadata": {"annotations": {"bartizan.io/waive.a.b": "x" * 5_000, "bartizan.io/other": "secret"}}}
    notes = clean(item)["metadata"]["annotations"]
    assert notes["bartizan.io/waive.a.b"] == "x" * (LONG + 1)
    assert "secret" not in notes["bartizan.io/other"]
