"""The judge's table, row by row, and its laws under random proofs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.judge import Proof, _place, gap_of, judge, listing_unknowns
from scanner.model import Coverage, Extent, Gap, Reason, Status, Where
from tests.scanner.builders import DENIED, a_rule, key

FAILING = {"k": [{"id": "k", "fact": "rotation_enabled", "expected": True, "message": "off"}]}
SCOPED = frozenset({"k"})


def verdict(proof: Proof, **facts):
    (found,) = judge(a_rule(), key(**facts), proof)
    return found


@pytest.mark.parametrize(
    ("proof", "facts", "status"),
    [
        (Proof(FAILING, SCOPED), {"rotation_enabled": False}, Status.FAIL),
        (Proof(FAILING, SCOPED, safe=SCOPED), {}, Status.UNKNOWN),
        (Proof(FAILING, SCOPED, exempt={"k": "its operator"}), {}, Status.NOT_APPLICABLE),
        (Proof({}, SCOPED, exempt={"k": "its operator"}), {}, Status.NOT_APPLICABLE),
        (Proof({}, SCOPED, safe=SCOPED), {"rotation_enabled": None}, Status.PASS),
        (Proof(), {}, Status.NOT_APPLICABLE),
        (Proof(), {"manager": None}, Status.UNKNOWN),
        (Proof({}, SCOPED), {"rotation_enabled": None}, Status.UNKNOWN),
        (Proof({}, SCOPED), {}, Status.PASS),
        (Proof(error="divide by zero"), {}, Status.UNKNOWN),
    ],
)
def test_table(proof, facts, status):
    assert verdict(proof, **facts).status is status


def test_failure_shows_expected_actual_and_evidence():
    found = verdict(Proof(FAILING, SCOPED), rotation_enabled=False)
    assert found.message == "off"
    assert [(d.fact, d.expected, d.actual) for d in found.details] == [("rotation_enabled", True, False)]
    assert [(e.fact, e.value) for e in found.evidence] == [("rotation_enabled", False), ("manager", "customer")]
    assert found.catalog == ("AWS-ENC-001",)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        ({"container": "main", "privileged": True}, 3),
        ({"container": "main", "seccomp": ""}, 2),
        ({"container": "other", "privileged": True}, 1),
        ("text", 1),
    ],
)
def test_a_finding_stands_at_the_narrowest_place(shown, line):
    failing = {"k": [{**FAILING["k"][0], "actual": shown}]}
    named = {"rotation_enabled": 1, "rotation_enabled[main]": 2, "rotation_enabled[main].privileged": 3}
    places = {name: Where("a.yaml", number) for name, number in named.items()}
    (found,) = judge(a_rule(), key().replace(places=places), Proof(failing, SCOPED))
    assert found.details[0].where == Where("a.yaml", line)


@pytest.mark.parametrize(("shown", "line"), [("tcp 22 from ::/0", 2), ("tcp 23 from ::/0", 1), (["tcp 22 from ::/0"], 1)])
def test_an_element_that_a_rule_shows_by_name_has_its_own_place(shown, line):
    places = {"a": Where("main.tf", 1, 1), "a[tcp 22 from ::/0]": Where("main.tf", 2, 3)}
    assert _place(key().replace(places=places), {"fact": "a", "actual": shown}).line == line


def test_unknown_carries_reason_call_and_remedy():
    (found,) = judge(a_rule(), key(gaps={"rotation_enabled": DENIED}, rotation_enabled=None), Proof({}, SCOPED))
    assert found.gaps == (DENIED,)
    assert "Allow kms:GetKeyRotationStatus" in found.message


def test_partly_known_fact_still_fails_but_never_passes():
    partly = {"gaps": {"rotation_enabled": DENIED}}
    assert next(iter(judge(a_rule(), key(**partly), Proof(FAILING, SCOPED)))).status is Status.FAIL
    assert next(iter(judge(a_rule(), key(**partly), Proof({}, SCOPED)))).status is Status.UNKNOWN


def test_contradiction_is_a_bug_of_the_rule():
    (gap,) = verdict(Proof(FAILING, SCOPED, safe=SCOPED)).gaps
    assert gap.reason is Reason.BUG


def test_failures_with_tags_are_findings_of_their_own():
    two = {"k": [{"id": "k", "fact": "a", "message": "m", "tag": "22"}, {"id": "k", "fact": "a", "message": "m", "tag": "3389"}]}
    found = list(judge(a_rule(), key(), Proof(two, SCOPED)))
    assert len({v.fingerprint for v in found}) == len(found) == 2


def test_drawer_of_another_provider_is_no_gap():
    assert gap_of(key(aws__multi_region=None), "aws.multi_region").reason is Reason.NOT_OFFERED
    assert gap_of(key(), "gcp.protection") is None


def test_unlisted_scope_is_one_unknown_a_rule():
    rows = [
        Coverage(
            "AWS::KMS::Key",
            "key",
            "1",
            region,
            Extent.ABSENT,
            Gap(Reason.DENIED, "kms:ListKeys", "Allow kms:ListKeys to me."),
            0,
            "aws:1",
        )
        for region in ("eu-west-1", "us-east-1")
    ]
    (found,) = listing_unknowns(a_rule(), rows)
    assert (found.level, found.status, found.subject, found.region) == ("scope", Status.UNKNOWN, "1", "eu-west-1, us-east-1")
    assert not list(listing_unknowns(a_rule(), [Coverage("AWS::KMS::Key", "key", "1", "r", Extent.COMPLETE, None, 3, "aws:1")]))


@given(
    st.booleans(), st.booleans(), st.booleans(), st.booleans(),
    st.sets(st.sampled_from(["manager", "rotation_enabled", "state"])),
)  # fmt: skip
def test_a_gap_never_makes_a_pass_or_a_failure(fails, exempt, safe, scoped, blanked):
    """The same proof on a blinder resource: only towards unknown, never towards pass or fail."""
    proof = Proof(
        FAILING if fails else {}, SCOPED if scoped else frozenset(), SCOPED if safe else frozenset(), {"k": "r"} if exempt else {}
    )
    (seen,) = judge(a_rule(), key(), proof)
    (blind,) = judge(a_rule(), key(gaps=dict.fromkeys(blanked, DENIED), **dict.fromkeys(blanked)), proof)
    assert blind.status in (seen.status, Status.UNKNOWN)
