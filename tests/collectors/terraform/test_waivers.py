"""Waivers in the comments of configuration files: where they stand, and which block they are for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collectors.terraform import comments, hcl
from collectors.terraform.comments import AWAY, NOWHERE
from scanner.model.inline import MOST

EVERYWHERE = b"""\
# bartizan:waive a.above until=1
# more about it
resource "aws_kms_key" "k" { # bartizan:waive a.header
  // bartizan:waive a.slash
  enable_key_rotation = false # bartizan:waive a.attribute
  policy = <<EOT
# bartizan:waive no.heredoc
EOT
  description = "# bartizan:waive no.string"
  /* bartizan:waive a.star */
  tags = {
    # bartizan:waive a.nested
    a = "b"
  }
} # bartizan:waive a.behind

/*
 several lines
 bartizan:waive a.several
*/
module "m" {
  source = "./m"
}

# bartizan:waive a.gap

resource "aws_kms_key" "l" {} // bartizan:waive a.one_line
# bartizan:waive a.locals
locals {
  a = 1
}
data "aws_iam_policy_document" "d" {
  # bartizan:waive a.data
}
# bartizan:waive a.end"""


def found(data, *, local=True):
    return [(w.where.line, w.text, w.where.block, w.problem) for w in comments.inline("f.tf", data, hcl.parser(), local=local)]


def test_where_each_stands_and_what_it_is_for():
    assert found(EVERYWHERE) == [
        (1, "a.above until=1", (3, 15), ""),
        (3, "a.header", (3, 15), ""),
        (4, "a.slash", (3, 15), ""),
        (5, "a.attribute", (3, 15), ""),
        (10, "a.star", (3, 15), ""),
        (12, "a.nested", (3, 15), ""),
        (15, "a.behind", (3, 15), ""),
        (19, "a.several", (21, 23), ""),
        (25, "a.gap", (0, 0), NOWHERE),
        (27, "a.one_line", (27, 27), ""),
        (28, "a.locals", (0, 0), f"{NOWHERE}; it stands at a locals block"),
        (33, "a.data", (32, 34), ""),
        (35, "a.end", (0, 0), NOWHERE),
    ]


def test_what_was_downloaded_waives_nothing():
    """A module of somebody else could exempt itself from the rules of those who use it."""
    assert {(block, why) for _, _, block, why in found(EVERYWHERE, local=False)} == {((0, 0), AWAY)}


def test_byte_order_mark_and_windows_line_ends():
    assert found(b'\xef\xbb\xbf# bartizan:waive a.b\r\nresource "a" "b" {\r\n}\r\n') == [(1, "a.b", (2, 3), "")]


def test_no_more_than_so_many():
    every = found(b"# bartizan:waive a.b\n" * (MOST + 2))
    assert len(every) == MOST + 1
    assert "more than 1000" in every[-1][3]


def test_only_marked_files_are_parsed_again():
    assert comments.marked(EVERYWHERE)
    assert not comments.marked(b"# bartizan: waive")


PARTS = ["# bartizan:waive a.b", 'resource "a" "b" {', "}", "a = 1", "/*", "*/", "a = <<E", "E", '"', "{", "\xff", "module m {", ""]


@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_any_lines(lines):
    text = "\n".join(lines)
    for line, said, (first, last), problem in found(text.encode()):
        assert (said, text.split("\n")[line - 1]) == ("a.b", "# bartizan:waive a.b")
        assert (problem != "") is (first == 0)
        assert first <= last <= len(lines)
