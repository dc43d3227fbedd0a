from __future__ import annotations

import pytest

from collectors.aws import cloudtrail
from tests.collectors.aws.answers import given


def field(name, **conditions):
    return {"Field": name, **conditions}


def advanced(*fields):
    return {"FieldSelectors": list(fields)}


MANAGEMENT = field("eventCategory", Equals=["Management"])


@pytest.mark.parametrize(
    ("basic", "selectors", "expected"),
    [
        (None, None, "all"),
        ([], [], "all"),
        ([{"ReadWriteType": "All", "IncludeManagementEvents": True}], None, "all"),
        ([{"ReadWriteType": "ReadOnly", "IncludeManagementEvents": True}], None, "read"),
        ([{"ReadWriteType": "WriteOnly", "IncludeManagementEvents": True}], None, "write"),
        ([{"ReadWriteType": "All", "IncludeManagementEvents": False}], None, "none"),
        ([{"ReadWriteType": "ReadOnly"}, {"ReadWriteType": "WriteOnly"}], None, "all"),
        (None, [advanced(MANAGEMENT)], "all"),
        (None, [advanced(MANAGEMENT, field("readOnly", Equals=["true"]))], "read"),
        (None, [advanced(MANAGEMENT, field("readOnly", Equals=["false"]))], "write"),
        (None, [advanced(MANAGEMENT, field("readOnly", Equals=[v])) for v in ("true", "false")], "all"),
        (None, [advanced(field("eventCategory", Equals=["Data"]), field("resources.type", Equals=["AWS::S3::Object"]))], "none"),
        (None, [advanced(MANAGEMENT, field("eventName", NotEquals=["Decrypt"]))], "none"),
        (None, [advanced(MANAGEMENT, field("eventSource", Equals=["kms.amazonaws.com"]))], "none"),
        (None, [advanced(MANAGEMENT, field("eventSource", NotEquals=["kms.amazonaws.com"]))], "all"),
        (None, [advanced(MANAGEMENT, field("readOnly", NotEquals=["true"]))], "none"),  # not documented, so not understood
    ],
)
def test_management_events(basic, selectors, expected):
    assert cloudtrail.management_events(basic, selectors) == expected


def test_excluded_sources_are_those_that_no_selector_takes_in():
    kms, rds = "kms.amazonaws.com", "rdsdata.amazonaws.com"
    both = {"ReadWriteType": "All", "ExcludeManagementEventSources": [kms, rds]}
    assert cloudtrail.excluded_sources([both], None) == [kms, rds]
    assert cloudtrail.excluded_sources([both, {"ExcludeManagementEventSources": [rds]}], None) == [rds]
    assert cloudtrail.excluded_sources([{**both, "IncludeManagementEvents": False}], None) == []
    assert cloudtrail.excluded_sources(None, [advanced(MANAGEMENT, field("eventSource", NotEquals=[kms]))]) == [kms]
    assert cloudtrail.excluded_sources(None, None) == []
    # one selector takes in the reads of all, the other the writes of all others: nobody the writes of this one
    reads, writes = (field("readOnly", Equals=[v]) for v in ("true", "false"))
    halves = [advanced(MANAGEMENT, reads), advanced(MANAGEMENT, writes, field("eventSource", NotEquals=[kms]))]
    assert cloudtrail.excluded_sources(None, halves) == [kms]
    assert cloudtrail.excluded_sources([{"ReadWriteType": "ReadOnly"}, {**both, "ReadWriteType": "WriteOnly"}], None) == [kms, rds]


OBJECTS = (field("eventCategory", Equals=["Data"]), field("resources.type", Equals=["AWS::S3::Object"]))


def entry(events, *conditions, narrowed=False):
    named = [{"test": t, "negated": n, "values": v} for t, n, v in conditions]
    return {"events": events, "narrowed": narrowed, "conditions": named}


@pytest.mark.parametrize(
    ("basic", "selectors", "expected"),
    [
        (None, None, []),
        ([{"ReadWriteType": "All", "IncludeManagementEvents": True}], None, []),
        (
            [
                {
                    "ReadWriteType": "WriteOnly",
                    "DataResources": [{"Type": "AWS::S3::Object", "Values": ["arn:aws:s3", "arn:aws:s3:::a/"]}],
                }
            ],
            None,
            [entry("write"), entry("write", ("starts", False, ["arn:aws:s3:::a/"]))],
        ),
        (None, [advanced(MANAGEMENT)], []),
        (None, [advanced(*OBJECTS)], [entry("both")]),
        (None, [advanced(*OBJECTS, field("readOnly", Equals=["true"]))], [entry("read")]),
        (None, [advanced(*OBJECTS, field("readOnly", NotEquals=["true"]))], [entry("both", narrowed=True)]),
        (None, [advanced(*OBJECTS, field("resources.ARN", Contains=["a"]))], [entry("both", narrowed=True)]),
        (None, [advanced(*OBJECTS, field("readOnly", Equals=["true", "false"]))], [entry("both")]),
        (
            None,
            [advanced(*OBJECTS, field("resources.ARN", StartsWith=["b", "a"], NotEquals=["c"]))],
            [entry("both", ("equals", True, ["c"]), ("starts", False, ["a", "b"]))],
        ),
        (None, [advanced(*OBJECTS, field("eventName", Equals=["GetObject"]))], [entry("both", narrowed=True)]),
        (None, [advanced(OBJECTS[0], field("resources.type", Equals=["AWS::Lambda::Function"]))], []),
    ],
)
def test_object_selectors(basic, selectors, expected):
    assert cloudtrail.object_selectors(basic, selectors) == expected


def test_event_data_stores():
    arn = "arn:aws:cloudtrail:us-east-1:123456789012:eventdatastore/1"
    answers = {
        "cloudtrail:list_event_data_stores": [
            {"EventDataStores": [{"EventDataStoreArn": arn, "Name": "lake"}], "NextToken": "2"},
            {"EventDataStores": [{"EventDataStoreArn": f"{arn}2", "Name": "old", "Status": "PENDING_DELETION"}]},
        ],
        "cloudtrail:get_event_data_store": {
            "EventDataStoreArn": arn,
            "Status": "ENABLED",
            "MultiRegionEnabled": True,
            "OrganizationEnabled": False,
            "AdvancedEventSelectors": [advanced(*OBJECTS)],
        },
    }
    (found,) = given(cloudtrail.STORES, answers=answers).resources
    assert (found.id, found.name, found.gaps) == (arn, "lake", {})
    assert found.facts == {"multi_region": True, "organization": False, "logging": True, "object_selectors": [entry("both")]}


def test_trails(boto, look):
    boto("s3").create_bucket(Bucket="audit")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    client = boto("cloudtrail")
    main = client.create_trail(
        Name="main",
        S3BucketName="audit",
        IsMultiRegionTrail=True,
        EnableLogFileValidation=True,
        KmsKeyId=key,
        TagsList=[{"Key": "team", "Value": "sec"}],
    )["TrailARN"]
    client.start_logging(Name="main")
    client.put_event_selectors(TrailName="main", EventSelectors=[{"ReadWriteType": "WriteOnly", "IncludeManagementEvents": True}])
    boto("cloudtrail", "eu-west-1").create_trail(Name="local", S3BucketName="audit")

    seen = look(cloudtrail.TRAILS, cloudtrail.REPLICAS, regions=("us-east-1", "eu-west-1"))

    assert seen.failed() == []
    # a trail of every region is one resource, in its home region: it is told twice, and a snapshot keeps it once
    assert {(r.name, r.region) for r in seen.resources} == {("local", "eu-west-1"), ("main", "us-east-1")}
    trail, again = (r for r in seen.resources if r.name == "main")
    assert (again.id, again.facts) == (trail.id, trail.facts)
    assert (trail.id, trail.tags, trail.gaps) == (main, {"team": "sec"}, {})
    assert trail.facts == {
        "multi_region": True,
        "logging": True,
        "validation": True,
        "management_events": "write",
        "excluded_sources": [],
        "object_selectors": [],
        "organization": False,
        "bucket": "arn:aws:s3:::audit",
        "encrypted": True,
        "key_id": key,
    }
    local = seen.named("local").facts
    assert (local["multi_region"], local["logging"], local["validation"], local["management_events"], local["key_id"]) == (
        False,
        False,
        False,
        "all",
        "",
    )
    # the region asked for is not the home of the trail that records it
    away = look(cloudtrail.TRAILS, cloudtrail.REPLICAS, regions=("eu-west-1",))
    assert {r.name: r.region for r in away.resources} == {"local": "eu-west-1", "main": "us-east-1"}
    assert away.named("main").facts == trail.facts
    assert all(c.region == "eu-west-1" for c in seen.asked if c.operation == "get_trail_status") is False
