"""CloudTrail: trails, what they record, and whether they do."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Table

MANAGEMENT = "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/logging-management-events-with-cloudtrail.html"
TRAIL = "https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_Trail.html"
ENCRYPTION = "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/encrypting-cloudtrail-log-files-with-aws-kms.html"

BOTH = frozenset(("read", "write"))
READ_WRITE = {"All": BOTH, "ReadOnly": frozenset(("read",)), "WriteOnly": frozenset(("write",))}


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
    """Event sources (`kms.amazonaws.com`) that no selector of management events takes in."""
    left_out = [
        frozenset(s.get("ExcludeManagementEventSources") or []) for s in basic or [] if s.get("IncludeManagementEvents", True)
    ]
    recording = [c for c in map(_conditions, advanced or []) if _advanced(c)]
    left_out += [frozenset(c.get("eventSource", {}).get("NotEquals") or []) for c in recording]
    return sorted(frozenset.intersection(*left_out)) if left_out else []


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
        return BOTH
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

TABLES: tuple[Table, ...] = (TRAILS, REPLICAS)
