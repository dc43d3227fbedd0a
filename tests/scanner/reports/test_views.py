from __future__ import annotations

from scanner.model import Gap, Reason, Report, Severity, Status
from scanner.reports import views


def test_most_dangerous_first_and_the_ai_factory_before_others(golden: Report) -> None:
    shuffled = golden.replace(verdicts=tuple(reversed(golden.verdicts)))
    order = [(group.severity.rank, not group.ai) for group in views.open_findings(shuffled)]
    assert order == sorted(order)
    assert len(set(order)) > 4


def test_groups_hold_every_finding_once(golden: Report) -> None:
    found = [id(v) for group in views.open_findings(golden) for v in group.verdicts]
    assert sorted(found) == sorted(id(v) for v in golden.verdicts if v.open)
    for group in views.open_findings(golden):
        assert {(v.rule, v.native_type, v.severity, bool(v.ai_role)) for v in group.verdicts} == {
            (group.rule, group.native_type, group.severity, group.ai)
        }


def test_order_within_a_group_is_the_reports(golden: Report) -> None:
    place = {id(v): n for n, v in enumerate(golden.verdicts)}
    for group in views.open_findings(golden):
        places = [place[id(v)] for v in group.verdicts]
        assert places == sorted(places)


def test_blind_spots(golden: Report) -> None:
    blind = next(v for v in golden.verdicts if v.status is Status.UNKNOWN)
    denied = Gap(Reason.DENIED, "s3:GetBucketPolicy", "Grant s3:GetBucketPolicy", "AccessDenied")
    again = Gap(Reason.DENIED, "s3:GetBucketPolicy", "Grant s3:GetBucketPolicy", "AccessDenied (request 2)")
    verdicts = (
        blind.replace(rule="b.b", subject="one", gaps=(denied, denied)),
        blind.replace(rule="a.a", subject="two", gaps=(again, Gap(Reason.BUG))),
        blind.replace(rule="a.a", subject="one", gaps=(denied,)),
        blind.replace(rule="a.a", subject="three", gaps=()),
    )
    spots = views.blind_spots(golden.replace(verdicts=verdicts))
    assert [(s.reason, s.call, s.verdicts, s.subjects) for s in spots] == [
        (Reason.DENIED, "s3:GetBucketPolicy", 3, 2),
        (Reason.BUG, "", 1, 1),
        (None, "", 1, 1),
    ]
    assert spots[0].rules == (("a.a", 2), ("b.b", 1))
    assert spots[0].remedies == ("Grant s3:GetBucketPolicy",)
    assert spots[0].details == ("AccessDenied", "AccessDenied (request 2)")


def test_every_unknown_is_in_a_blind_spot(golden: Report) -> None:
    assert sum(s.verdicts for s in views.blind_spots(golden)) == golden.count(Status.UNKNOWN)


def test_troubled_waivers(golden: Report) -> None:
    assert [waiver.state.value for waiver, _ in views.troubled_waivers(golden)] == ["malformed", "expired", "unused"]


def test_fixes(golden: Report) -> None:
    rule = next(r for r in golden.rules if r.id == "encryption.cmk_rotation")
    assert [by for by, _ in views.fixes(rule, "AWS::KMS::Key", filed=False)] == ["cli", "terraform"]
    assert [by for by, _ in views.fixes(rule, "AWS::KMS::Key", filed=True)] == ["terraform", "cli"]
    assert views.fixes(rule, "AWS::S3::Bucket", filed=True) == []
    assert views.fixes(None, "AWS::KMS::Key", filed=True) == []


def test_summary(golden: Report) -> None:
    counts = views.summary(golden)
    statuses = ("fail", "unknown", "pass", "not_applicable")
    assert sum(counts[s] for s in statuses) == counts["verdicts"] == len(golden.verdicts)
    assert sum(counts["open_by_severity"].values()) == counts["open"] == counts["fail"] - counts["waived"]
    assert list(counts["open_by_severity"]) == [s.value for s in Severity]
    assert (counts["listings_complete"], counts["listings"]) == (3, 4)
