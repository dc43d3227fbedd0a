from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.model import Inline, WaiverState, Where
from scanner.model.inline import LONG, behind, parse
from scanner.waivers import Limits, read_inline

TODAY = datetime.date(2026, 6, 1)
RULES = ["encryption.x", "encryption.y", "exposure.z"]
GOOD = 'encryption.x until=2026-11-28 reason="a \\"b\\" c" owner=ml ticket=T-1'


def waivers(text, where=None, **more):
    return read_inline(Inline(text, where or Where("main.tf", 3, 1, block=(4, 9)), **more), Limits(TODAY, RULES))


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# bartizan:waive a.b until=1", "a.b until=1"),
        ("#bartizan:waive a.b", "a.b"),
        ("// x bartizan:waive a.b", "a.b"),
        ("/* bartizan:waive a.b */", "a.b"),
        ("/* bartizan:waive a.b\n more */", "a.b"),
        ("# bartizan:waive", ""),
        ("# bartizan:waived a.b", None),
        ("# notbartizan:waive a.b", None),
        ("# bartizan:waive-all", None),
        ("# bartizan: waive a.b", None),
        ("", None),
    ],
)
def test_behind_the_marker(comment, said):
    assert behind(comment) == said


def test_a_whole_one():
    (found,) = waivers(GOOD)
    assert (found.rule, found.reason, found.owner, found.expires, found.ticket) == (
        "encryption.x",
        'a "b" c',
        "ml",
        "2026-11-28",
        "T-1",
    )
    assert (found.resource, found.state, found.inline, found.problem) == ("main.tf:4-9", WaiverState.UNUSED, True, "")


def test_a_waiver_for_each_rule():
    found = waivers("encryption.x, exposure.z,encryption.x until=2026-06-01 reason='a b' owner=o")
    assert [(w.rule, w.state, w.reason) for w in found] == [
        ("encryption.x", WaiverState.UNUSED, "a b"),
        ("exposure.z", WaiverState.UNUSED, "a b"),
    ]


@pytest.mark.parametrize(
    ("text", "state", "problem"),
    [
        ("", "malformed", "names no rule; lacks 'until'; lacks 'reason'; lacks 'owner'"),
        ("encryption.x until=2026-05-31 reason=r owner=o", "expired", ""),
        ("encryption.x until=2026-06-01 reason=r owner=o", "unused", ""),
        ("encryption.x until=2026-11-29 reason=r owner=o", "malformed", "expires on 2026-11-29; the last day that it may have is 2026-11-28 (180 days)"),
        ("encryption.x until=20261101 reason=r owner=o", "malformed", "has the expiry '20261101', which is no date like 2027-03-31"),
        ("encryption.x until=2026-W40-1 reason=r owner=o", "malformed", "has the expiry '2026-W40-1', which is no date like 2027-03-31"),
        ("encryption.x until=2026-11-1 reason=r owner=o", "malformed", "has the expiry '2026-11-1', which is no date like 2027-03-31"),
        ("encryption.x until=soon reason=r owner=o", "malformed", "has the expiry 'soon', which is no date like 2027-03-31"),
        ("encryption.x reason=r owner=o", "malformed", "lacks 'until'"),
        ("encryption.x until=2026-06-01 owner=o", "malformed", "lacks 'reason'"),
        ('encryption.x until=2026-06-01 reason="" owner=o', "malformed", "lacks 'reason'"),
        ('encryption.x until=2026-06-01 reason="  " owner=o', "malformed", "lacks 'reason'"),
        ("encryption.x until=2026-06-01 reason=r", "malformed", "lacks 'owner'"),
        ("encryption.w until=2026-06-01 reason=r owner=o", "malformed", "names the rule 'encryption.w', which matches none; did you mean encryption.y?"),
        ("* until=2026-06-01 reason=r owner=o", "malformed", "is over-broad: it would waive every rule; name the rules it is for"),
        ("*.* until=2026-06-01 reason=r owner=o", "malformed", "is over-broad: it would waive every rule; name the rules it is for"),
        ("encryption.* until=2026-06-01 reason=r owner=o", "unused", ""),
        ("until=2026-06-01 reason=r owner=o", "malformed", "names no rule"),
        ("encryption.x until=2026-06-01 reason=r owner=o expires=x", "malformed", "has the unknown key 'expires'; there are until, reason, owner, ticket"),
        ("encryption.x until=2026-06-01 reason=r owner=o owner=p", "malformed", "says 'owner' twice"),
        (
            "encryption.x until=2026-06-01 owner=o reason=two words",
            "malformed",
            "cannot be read from 'words' on: terms are key=value, values with blanks in quotes",
        ),
        (
            'encryption.x until=2026-06-01 owner=o reason="open',
            "malformed",
            "cannot be read from 'reason=\"open' on: terms are key=value, values with blanks in quotes; lacks 'reason'",
        ),
    ],
)  # fmt: skip
def test_states(text, state, problem):
    (found,) = waivers(text)
    assert (found.state.value, found.problem) == (state, problem)


def test_what_the_collector_says_comes_first():
    (found,) = waivers(GOOD, Where("a.yaml", 1), problem="stands above nothing")
    assert (found.state, found.problem, found.resource) == (WaiverState.MALFORMED, "stands above nothing", "")


def test_too_long():
    (found,) = waivers(GOOD + " " + "x" * LONG)
    assert found.state is WaiverState.MALFORMED
    assert "longer than 1000" in found.problem


@given(st.text())
def test_any_text_is_read(text):
    rules, terms, problems = parse(text)
    assert problems or (rules and all(terms.values()))


WORDS = st.text(st.characters(exclude_categories=("C", "Z"), exclude_characters="\"'\\=,"), min_size=1)


@given(st.lists(WORDS, min_size=1, max_size=4, unique=True), st.text(st.characters(exclude_categories=("C",)), min_size=1), WORDS)
def test_what_is_written_is_read(rules, reason, owner):
    quoted = reason.replace("\\", "\\\\").replace('"', '\\"')
    text = f'{",".join(rules)} until=2027-01-31 reason="{quoted}" owner={owner}'
    found, terms, problems = parse(text)
    if len(text) <= LONG:
        assert found == tuple(rules)
        assert terms == {"until": "2027-01-31", "reason": reason.strip(), "owner": owner}
        assert problems == ([] if reason.strip() else ["lacks 'reason'"])
