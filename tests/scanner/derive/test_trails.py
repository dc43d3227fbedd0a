"""What audit logs record of a bucket's objects, and which bucket they are written to."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.aws.cloudtrail import object_selectors
from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

STORE = "AWS::CloudTrail::EventDataStore"
BUCKET = thing("data_store", "corpus", id="arn:aws:s3:::corpus")
ALL = {"logging": True, "multi_region": True, "organization": False}


def data(*fields: tuple[str, str, list[str]]) -> dict[str, Any]:
    base = [("eventCategory", "Equals", ["Data"]), ("resources.type", "Equals", ["AWS::S3::Object"])]
    return {"FieldSelectors": [{"Field": f, test: values} for f, test, values in (*base, *fields)]}


def arn_is(test: str, *values: str) -> tuple[str, str, list[str]]:
    return "resources.ARN", test, list(values)


def basic(events: str, *values: str) -> dict[str, Any]:
    return {"ReadWriteType": events, "DataResources": [{"Type": "AWS::S3::Object", "Values": list(values)}]}


def trail(
    *advanced: dict[str, Any], basic: list[dict[str, Any]] | None = None, native: str = "", name: str = "t", **facts: Any
) -> Resource:
    told = ALL | {"object_selectors": object_selectors(basic, list(advanced))} | facts
    unknown = {k: v for k, v in told.items() if isinstance(v, Gap)}
    return thing("audit_log", name, native, unknown, **{k: v for k, v in told.items() if k not in unknown})


def in_organisation(name: str, **more: Any) -> Resource:
    return thing("account", f"organisation-{more}", "AWS::Organizations::Organization", organisation_id=name, **more)


def recorded(*logs: Resource, bucket: Resource = BUCKET, gaps: dict[str, Gap] | None = None) -> tuple[Any, Any]:
    """(reads, writes)."""
    world = MemoryWorld([bucket, *logs], gaps, DERIVATIONS)
    return world.fact(bucket, "object_reads_recorded"), world.fact(bucket, "object_writes_recorded")


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        ([data()], (True, True)),
        ([data(("readOnly", "Equals", ["false"]))], (False, True)),
        ([data(("readOnly", "Equals", ["true"]))], (True, False)),
        ([data(arn_is("StartsWith", "arn:aws:s3:::corpus/"))], (True, True)),
        ([data(arn_is("StartsWith", "arn:aws:s3:::other/", "arn:aws:s3:::cor"))], (True, True)),
        ([data(arn_is("StartsWith", "arn:aws:s3:::other/"))], (False, False)),
        # leaving the log bucket out is right: https://github.com/awslabs/landing-zone-accelerator-on-aws/pull/1162
        ([data(arn_is("NotStartsWith", "arn:aws:s3:::audit/"))], (True, True)),
        ([data(arn_is("NotStartsWith", "arn:aws:s3:::audit/", "arn:aws:s3:::corpus/"))], (False, False)),
        ([data(arn_is("NotEquals", "arn:aws:s3:::audit/x"))], (True, True)),
        ([{"FieldSelectors": [{"Field": "eventCategory", "Equals": ["Management"]}]}], (False, False)),
        # any selector is enough, none undoes another: https://github.com/nccgroup/ScoutSuite/issues/1674
        ([data(("readOnly", "Equals", ["true"])), data(("readOnly", "Equals", ["false"]))], (True, True)),
        ([data(), data(arn_is("StartsWith", "arn:aws:s3:::other/"))], (True, True)),
    ],
)
def test_advanced_selectors(selectors: list[dict[str, Any]], expected: tuple[bool, bool]) -> None:
    assert recorded(trail(*selectors)) == expected


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        ([basic("All", "arn:aws:s3")], (True, True)),
        ([basic("WriteOnly", "arn:aws:s3:::other/", "arn:aws:s3:::corpus/")], (False, True)),
        ([basic("ReadOnly", "arn:aws:s3:::corpus/"), basic("WriteOnly", "arn:aws:s3:::")], (True, True)),
        ([basic("All", "arn:aws:s3:::other/")], (False, False)),
        (
            [{"ReadWriteType": "All", "DataResources": [{"Type": "AWS::Lambda::Function", "Values": ["arn:aws:lambda"]}]}],
            (False, False),
        ),
    ],
)
def test_basic_selectors(selectors: list[dict[str, Any]], expected: tuple[bool, bool]) -> None:
    assert recorded(trail(basic=selectors)) == expected


@pytest.mark.parametrize(
    "selector",
    [
        data(arn_is("StartsWith", "arn:aws:s3:::corpus/golden/")),
        data(arn_is("NotStartsWith", "arn:aws:s3:::corpus/tmp/")),
        data(arn_is("EndsWith", ".parquet")),
        data(("eventName", "NotEquals", ["HeadObject"])),
        data(("userIdentity.arn", "NotEquals", ["arn:aws:iam::1:role/x"])),
    ],
)
def test_a_part_of_the_bucket_or_of_its_events_is_unknown(selector: dict[str, Any]) -> None:
    reads, writes = recorded(trail(selector))
    assert isinstance(reads, Gap)
    assert isinstance(writes, Gap)
    assert reads.reason is writes.reason is Reason.UNPARSABLE
    assert recorded(trail(selector), trail(data(), name="u")) == (True, True)


def test_the_log_must_be_on_and_near() -> None:
    assert recorded(trail(data(), logging=False)) == (False, False)
    assert recorded(trail(data(), multi_region=False)) == (True, True)
    assert recorded(trail(data(), multi_region=False, region="eu-west-1")) == (False, False)
    assert recorded(trail(data(), scope="999999999999")) == (False, False)
    # an organisation's trail is its members', in whichever account it was seen, and nobody else's
    there = trail(data(), scope="999999999999", organization=True)
    assert recorded(there, in_organisation("o-a"), in_organisation("o-a", scope="999999999999")) == (True, True)
    assert recorded(there, in_organisation("o-a"), in_organisation("o-b", scope="999999999999")) == (False, False)
    assert recorded(there, in_organisation(""), in_organisation("", scope="999999999999")) == (False, False)
    assert all(isinstance(answer, Gap) for answer in recorded(there, in_organisation("o-a")))
    assert recorded(trail(data(), native=STORE)) == (True, True)


def test_silence_is_not_a_record() -> None:
    # an organisation's trail refuses its members: https://github.com/cloud-custodian/cloud-custodian/issues/8945
    refused = trail(object_selectors=DENIED)
    assert recorded(refused) == (DENIED, DENIED)
    assert recorded(refused, trail(data(), name="u")) == (True, True)
    assert recorded(trail(object_selectors=DENIED, logging=False)) == (False, False)
    assert recorded(gaps={"AWS::CloudTrail::Trail": DENIED}) == (DENIED, DENIED)
    assert recorded(gaps={STORE: DENIED}) == (DENIED, DENIED)
    assert recorded(gaps={STORE: Gap(Reason.SERVICE_OFF, "x", "")}) == (False, False)
    assert recorded() == (False, False)


def test_a_plan_does_not_tell_of_other_trails() -> None:
    bucket = planned("data_store", "aws_s3_bucket.b")
    named = bucket.replace(name="corpus")
    inside = planned("audit_log", "aws_cloudtrail.t", **ALL, object_selectors=object_selectors(None, [data()]))
    only = planned(
        "audit_log",
        "aws_cloudtrail.t",
        **ALL,
        object_selectors=object_selectors(None, [data(arn_is("StartsWith", "arn:aws:s3:::corpus/"))]),
    )
    assert recorded(inside, bucket=bucket) == (True, True)
    assert recorded(only, bucket=named) == (True, True)
    for answer in (*recorded(bucket=bucket), *recorded(only, bucket=bucket)):
        assert isinstance(answer, Gap)


def test_audit_log_of() -> None:
    def answer(*logs: Resource, gaps: dict[str, Gap] | None = None) -> Any:
        return MemoryWorld([BUCKET, *logs], gaps, DERIVATIONS).fact(BUCKET, "audit_log_of")

    mine = trail(bucket=BUCKET.id)
    theirs = trail(bucket=BUCKET.id, scope="999999999999", name="u")
    assert answer(mine, theirs, gaps={"AWS::CloudTrail::Trail": DENIED}) == sorted([mine.id, theirs.id])
    assert answer(trail(bucket="arn:aws:s3:::elsewhere")) == []
    assert answer(gaps={"AWS::CloudTrail::Trail": DENIED}) is DENIED
    assert answer(trail(bucket=DENIED)) is DENIED
    assert (
        MemoryWorld([planned("data_store", "aws_s3_bucket.b")], {}, DERIVATIONS).fact(
            planned("data_store", "aws_s3_bucket.b"), "audit_log_of"
        )
        == []
    )
