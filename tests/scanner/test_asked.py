"""What nobody asked for is unknown, and never what the source does not offer."""

from __future__ import annotations

import pytest

from scanner.asked import UNASKED, Asked, asked_in, asked_out
from scanner.derive.over import SnapshotWorld
from scanner.evaluate import Plan, evaluate
from scanner.gate import ALLOWED
from scanner.model import Coverage, Extent, Source, Status
from scanner.rules.metadata import read_rule
from scanner.snapshot import Snapshot
from scanner.stored import NEVER_LISTED
from tests.scanner.builders import NOW, key, rule_text

OFFERS = {
    "AWS::KMS::Key": {"key": frozenset({"manager", "rotation_enabled", "state"})},
    "AWS::S3::Bucket": {"data_store": frozenset({"public"})},
}


def collected(path, facts, resources, mode="live", offers=OFFERS):
    with Snapshot.create(path) as snapshot:
        snapshot.asking = Asked(offers, facts)
        snapshot.source(Source("aws:1", mode, "aws", "1", "me", NOW))
        snapshot.page(resources)
        if resources:
            snapshot.coverage(Coverage("AWS::KMS::Key", "key", "1", "us-east-1", Extent.COMPLETE, None, len(resources), "aws:1"))
        snapshot.finish()
    return path


def verdicts(path, tmp_path, **more):
    rule = read_rule(tmp_path / "mine" / "own.rego", rule_text(**more))
    return list(evaluate(Plan(snapshot=path, rules=(rule,), modules={}, params={})).verdicts)


def test_fact_that_was_not_read(tmp_path):
    bare = key(rotation_enabled=None)
    (found,) = verdicts(collected(tmp_path / "s", {"AWS::KMS::Key": frozenset({"manager"})}, [bare]), tmp_path)
    assert (found.status, found.gaps) == (Status.UNKNOWN, (UNASKED,))
    assert UNASKED.reason not in ALLOWED


def test_fact_that_was_asked_and_is_not_told_is_not_offered(tmp_path):
    facts = {"AWS::KMS::Key": frozenset({"manager", "rotation_enabled"})}
    (found,) = verdicts(collected(tmp_path / "s", facts, [key(rotation_enabled=None)]), tmp_path)
    assert found.gaps[0].reason in ALLOWED


@pytest.mark.parametrize("mode", ["live", "plan"])
def test_type_that_was_not_listed(tmp_path, mode):
    path = collected(tmp_path / "s", {"AWS::S3::Bucket": frozenset({"public"})}, [], mode)
    (found,) = verdicts(path, tmp_path)
    assert (found.status, found.level, found.gaps) == (Status.UNKNOWN, "scope", (UNASKED,))
    with Snapshot.open(path) as snapshot:
        assert SnapshotWorld(snapshot, ()).listing("AWS::KMS::Key", "1", "us-east-1") == UNASKED


@pytest.mark.parametrize(("mode", "gaps"), [("live", [(NEVER_LISTED,)]), ("plan", [])])
def test_type_that_was_to_be_listed_and_has_no_row(tmp_path, mode, gaps):
    path = collected(tmp_path / "s", {"AWS::KMS::Key": frozenset({"manager"})}, [], mode)
    assert [v.gaps for v in verdicts(path, tmp_path)] == gaps


def test_digest_tells_questions_apart(tmp_path):
    one = collected(tmp_path / "a", {"AWS::KMS::Key": frozenset({"manager"})}, [key()])
    two = collected(tmp_path / "b", {"AWS::KMS::Key": frozenset({"state"})}, [key()])
    assert Snapshot.open(one).kept_digest() != Snapshot.open(two).kept_digest()
    assert Snapshot.open(one).verify() == []


def test_round_trip_and_what_a_listing_answers():
    asked = Asked(OFFERS, {"AWS::KMS::Key": frozenset({"manager"})})
    assert asked_in(asked_out(asked)) == asked
    assert asked.answers("AWS::KMS::Key", frozenset({"manager", "derived_fact"}))
    assert not asked.answers("AWS::KMS::Key", frozenset({"manager", "state"}))
    assert not asked.answers("AWS::S3::Bucket", frozenset())
