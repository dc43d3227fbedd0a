"""CloudTrail: trails and event data stores (Lake), what they record, and whether they do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

MANAGEMENT = "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-management-events-with-cloudtrail.html"
TRAIL = "https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_Trail.html"
DATA = "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-data-events-with-cloudtrail.html"
"""Data events are recorded where a selector asks for them only."""
STORE = "https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_GetEventDataStore.html"
ENCRYPTION = "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/encrypting-cloudtrail-log-files-with-aws-kms.html"

BOTH = frozenset(("read", "write"))
READ_WRITE = {"All": BOTH, "ReadOnly": frozenset(("read",)), "WriteOnly": frozenset(("write",))}
WORDS = {BOTH: "both", READ_WRITE["ReadOnly"]: "read", READ_WRITE["WriteOnly"]: "write"}


def management_events(basic: list[Mapping[str, Any]] | None, advanced: list[Mapping[str, Any]] | None) -> str:
    """`all`, `read`, `write` or `none`, over all selectors. A trail without selectors records all management events."""
    if not basic and not advanced:
        return "all"
    seen: frozenset[str] = frozenset()
    for selector in basic or []:
        if selector.get("IncludeManagementEvents", True):
            seen |= READ_WRITE[selector.get("ReadWriteType", "All")]
    for conditions in map(_conditions, advanced or []):
        seen |= _advanced(conditions)
    return {0: "none", 2: "all"}.get(len(seen)) or next(iter(seen))


def excluded_sources(basic: list[Mapping[str, Any]] | None, advanced: list[Mapping[str, Any]] | None) -> list[str]:
    """Event sources (`kms.amazonaws.com`) of which no selector of management events takes in the reads, or none the writes."""
    taken = [
        (READ_WRITE[s.get("ReadWriteType", "All")], frozenset(s.get("ExcludeManagementEventSources") or []))
        for s in basic or []
        if s.get("IncludeManagementEvents", True)
    ]
    taken += [(_advanced(c), frozenset(c.get("eventSource", {}).get("NotEquals") or [])) for c in map(_conditions, advanced or [])]
    left_out = ([sources for events, sources in taken if event in events] for event in BOTH)
    return sorted({source for each in left_out if each for source in frozenset.intersection(*each)})


OBJECT = "AWS::S3::Object"
EVERYTHING = ("arn:aws:s3", "arn:aws:s3:::", "arn:aws-cn:s3", "arn:aws-us-gov:s3")
"""All buckets, as basic selectors write it: https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_DataResource.html"""
TESTS = {
    "Equals": ("equals", False),
    "NotEquals": ("equals", True),
    "StartsWith": ("starts", False),
    "NotStartsWith": ("starts", True),
    "EndsWith": ("ends", False),
    "NotEndsWith": ("ends", True),
}


def object_selectors(basic: list[Mapping[str, Any]] | None, advanced: list[Mapping[str, Any]] | None) -> list[dict[str, Any]]:
    """What is recorded of S3 objects, one entry a selector: any of them is enough."""
    return [e for s in basic or [] for e in _basic_objects(s)] + [
        e for s in advanced or [] if (e := _advanced_objects(s)) is not None
    ]


def _basic_objects(selector: Mapping[str, Any]) -> list[dict[str, Any]]:
    values = [v for r in selector.get("DataResources") or [] if r["Type"] == OBJECT for v in r.get("Values") or []]
    events = WORDS[READ_WRITE[selector.get("ReadWriteType", "All")]]
    return [
        {"events": events, "narrowed": False, "conditions": [] if v in EVERYTHING else [_condition("starts", False, [v])]}
        for v in values
    ]


def _condition(test: str, negated: bool, values: list[str]) -> dict[str, Any]:  # noqa: FBT001 - a part of the fact
    return {"test": test, "negated": negated, "values": sorted(values)}


def _advanced_objects(selector: Mapping[str, Any]) -> dict[str, Any] | None:
    """An advanced selector; None where it is not about S3 objects. All its conditions must hold; any value of one is enough.

    https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_AdvancedFieldSelector.html
    """
    fields = list(selector["FieldSelectors"])
    named = {f["Field"]: f for f in fields}
    if "Data" not in _equals(named, "eventCategory") or OBJECT not in _equals(named, "resources.type"):
        return None
    read_only = [str(v).lower() for v in _equals(named, "readOnly")]
    seen = frozenset(w for value, w in (("true", "read"), ("false", "write")) if not read_only or value in read_only)
    if not seen:
        return None
    of_arn = [[(name, f[name]) for name in TESTS if f.get(name)] for f in fields if f["Field"] == "resources.ARN"]
    conditions = [_condition(*TESTS[name], values) for each in of_arn for name, values in each]
    # NOTE: what a field says that is not understood takes in less, never more
    narrowed = not all(of_arn) or ("readOnly" in named and not read_only)
    narrowed |= bool(named.keys() - {"eventCategory", "resources.type", "readOnly", "resources.ARN"})
    return {"events": WORDS[seen], "narrowed": narrowed, "conditions": conditions}


def _conditions(selector: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {f["Field"]: f for f in selector["FieldSelectors"]}


def _advanced(conditions: Mapping[str, Mapping[str, Any]]) -> frozenset[str]:
    """Management events of one advanced selector. One that is narrowed further records some of them only: it counts for nothing."""
    if "Management" not in _equals(conditions, "eventCategory"):
        return frozenset()
    narrowed = set(conditions) - {"eventCategory", "readOnly", "eventSource"}
    only_without = {k for k, v in conditions.get("eventSource", {}).items() if k != "Field" and v} <= {"NotEquals"}
    if narrowed or not only_without:
        return frozenset()
    read_only = [str(v).lower() for v in _equals(conditions, "readOnly")]
    if not read_only:
        return frozenset() if "readOnly" in conditions else BOTH
    return frozenset(word for value, word in (("true", "read"), ("false", "write")) if value in read_only)


def _equals(conditions: Mapping[str, Mapping[str, Any]], name: str) -> Iterable[str]:
    return conditions.get(name, {}).get("Equals") or []


def everywhere(trail: Mapping[str, Any]) -> bool:
    """The trail is an organisation's, or records every region: wherever its home is, it records this account."""
    return bool(trail.get("IsOrganizationTrail") or trail.get("IsMultiRegionTrail"))


def _ask(operation: str, parameter: str, path: str, take: str = "") -> Call:
    """A question about one trail, asked in its home region by its ARN."""
    return Call("cloudtrail", operation, args={parameter: path}, take=take, region="item.HomeRegion")


# NOTE: without the replicas, so that a trail of every region is one resource, in its home region. They include, by the
# documentation, an organisation's trail seen from a member account, which REPLICAS adds; and a trail of every region whose home
# is a region that was not asked for.
TRAILS = Table(
    kind="audit_log",
    native_type="AWS::CloudTrail::Trail",
    list=Call("cloudtrail", "describe_trails", fixed={"includeShadowTrails": False}, take="trailList"),
    id=Field("item.TrailARN"),
    region=Field("item.HomeRegion"),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "status": _ask("get_trail_status", "Name", "item.TrailARN"),
        "selectors": _ask("get_event_selectors", "TrailName", "item.TrailARN"),
        "tags": _ask("list_tags", "ResourceIdList", "item.[TrailARN]", "ResourceTagList[0].TagsList"),
    },
    facts={
        "multi_region": Field("item.IsMultiRegionTrail"),
        "logging": Field("status.IsLogging"),
        "validation": Field("item.LogFileValidationEnabled"),
        "management_events": Field(
            ("selectors.EventSelectors", "selectors.AdvancedEventSelectors"), management_events, absent="all", source=MANAGEMENT
        ),
        "excluded_sources": Field(
            ("selectors.EventSelectors", "selectors.AdvancedEventSelectors"), excluded_sources, absent=[], source=MANAGEMENT
        ),
        "object_selectors": Field(
            ("selectors.EventSelectors", "selectors.AdvancedEventSelectors"), object_selectors, absent=[], source=DATA
        ),
        "organization": Field("item.IsOrganizationTrail", absent=False, source=TRAIL),
        "bucket": Field(
            (arn.PARTITION, "item.S3BucketName"), lambda partition, bucket: f"arn:{partition}:s3:::{bucket}" if bucket else ""
        ),
        # log files are encrypted with SSE-S3 where no key is named: ENCRYPTION
        "encrypted": Const(value=True),
        "key_id": arn.key("item.KmsKeyId", region="item.HomeRegion", source=ENCRYPTION),
    },
)

REPLICAS = dataclasses.replace(
    TRAILS,
    list=Call("cloudtrail", "describe_trails", fixed={"includeShadowTrails": True}, take="trailList"),
    per="account",
    keep=everywhere,
)


def collecting(store: Mapping[str, Any]) -> bool:
    """The event data store is not on its way out."""
    return store.get("Status") != "PENDING_DELETION"


STORES = Table(
    kind="audit_log",
    native_type="AWS::CloudTrail::EventDataStore",
    list=Call("cloudtrail", "list_event_data_stores", take="EventDataStores", token=("NextToken", "NextToken")),
    keep=collecting,
    id=Field("item.EventDataStoreArn"),
    name=Field("item.Name"),
    detail={"store": Call("cloudtrail", "get_event_data_store", args={"EventDataStore": "item.EventDataStoreArn"})},
    facts={
        "multi_region": Field("store.MultiRegionEnabled", absent=False, source=STORE),
        "organization": Field("store.OrganizationEnabled", absent=False, source=STORE),
        "logging": Field("store.Status", lambda status: status == "ENABLED"),
        "object_selectors": Field(
            "store.AdvancedEventSelectors", lambda advanced: object_selectors(None, advanced), absent=[], source=DATA
        ),
    },
)

TABLES: tuple[Table, ...] = (TRAILS, REPLICAS, STORES)
