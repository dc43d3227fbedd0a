"""What watches an account: Config, GuardDuty, Security Hub, IAM Access Analyzer. One resource a region each, whether or not it is on.

So "nobody turned it on" is a fact, and an answer that did not come a gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import MISSING, Call, Field, Row, Table

RECORDER = "https://docs.aws.amazon.com/config/latest/APIReference/API_RecordingGroup.html"
GUARDDUTY = "https://docs.aws.amazon.com/guardduty/latest/APIReference/API_GetDetector.html"
HUB = "https://docs.aws.amazon.com/securityhub/1.0/APIReference/API_DescribeHub.html"
STANDARDS = "https://docs.aws.amazon.com/securityhub/1.0/APIReference/API_StandardsSubscription.html"
ANALYZERS = "https://docs.aws.amazon.com/access-analyzer/latest/APIReference/API_AnalyzerSummary.html"

GLOBAL_TYPES = frozenset(("AWS::IAM::User", "AWS::IAM::Role", "AWS::IAM::Policy"))
FSBP = "standards/aws-foundational-security-best-practices/"

ALL, SOME, ALL_BUT = "ALL_SUPPORTED_RESOURCE_TYPES", "INCLUSION_BY_RESOURCE_TYPES", "EXCLUSION_BY_RESOURCE_TYPES"
STRATEGIES = {ALL: "all", SOME: "some", ALL_BUT: "all_but"}


def place(service: str, resource: str) -> Field:
    """The id of what a region has one of."""
    return Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:{service}:{region}:{account}:{resource}")


# Config


def own(recorders: Iterable[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The customer's recorder, of which a region has one at most; services have others, for what they are about."""
    return next((r for r in recorders if not r.get("servicePrincipal")), None)


def recorder_state(recorders: list[Mapping[str, Any]] | None, statuses: list[Mapping[str, Any]] | None) -> str:
    """`on`, `off`, `failing` or `none`. A recorder without a status is KeyError."""
    recorder = own(recorders or [])
    if recorder is None:
        return "none"
    status = {s["name"]: s for s in statuses or []}[recorder["name"]]
    if not status["recording"]:
        return "off"
    return "failing" if str(status.get("lastStatus")).lower() == "failure" else "on"


def strategy(group: Mapping[str, Any]) -> str:
    """How types are chosen; a group that says nothing records all."""
    named = (group.get("recordingStrategy") or {}).get("useOnly")
    if named:
        return STRATEGIES[named]
    return "some" if group.get("allSupported") is False or group.get("resourceTypes") else "all"


def excluded(group: Mapping[str, Any]) -> list[str]:
    """Types left out."""
    return sorted((group.get("exclusionByResourceTypes") or {}).get("resourceTypes") or [])


def global_types(group: Mapping[str, Any]) -> bool:
    """Users, roles and policies are recorded. The flag counts only where all types are."""
    chosen = strategy(group)
    if chosen == "all":
        return bool(group.get("includeGlobalResourceTypes"))
    if chosen == "some":
        return set(group.get("resourceTypes") or []) >= GLOBAL_TYPES
    return not GLOBAL_TYPES & set(excluded(group))


def _group(recorders: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    recorder = own(recorders)
    return None if recorder is None else recorder.get("recordingGroup") or {}


def records(recorders: list[Mapping[str, Any]]) -> str:
    """`all`, `some`, `all_but` or `none`."""
    group = _group(recorders)
    return "none" if group is None else strategy(group)


def recorded_types(recorders: list[Mapping[str, Any]]) -> list[str]:
    """The types of an inclusion list."""
    group = _group(recorders) or {}
    return sorted(group.get("resourceTypes") or []) if group and strategy(group) == "some" else []


def unrecorded_types(recorders: list[Mapping[str, Any]]) -> list[str]:
    """The types of an exclusion list."""
    group = _group(recorders) or {}
    return excluded(group) if group and strategy(group) == "all_but" else []


def records_global_types(recorders: list[Mapping[str, Any]]) -> bool:
    """The customer's recorder records users, roles and policies."""
    group = _group(recorders)
    return group is not None and global_types(group)


CONFIG = Table(
    kind="account",
    native_type="AWS::Config::ConfigurationRecorder",
    list=Call("config", "describe_configuration_recorders"),
    id=place("config", "configuration-recorder"),
    name=Field(arn.REGION),
    detail={"status": Call("config", "describe_configuration_recorder_status", take="ConfigurationRecordersStatus")},
    facts={
        "recorder": Field(
            ("item.ConfigurationRecorders", "status"),
            recorder_state,
            absent="none",
            source="https://docs.aws.amazon.com/config/latest/APIReference/API_ConfigurationRecorderStatus.html",
        ),
        "records": Field("item.ConfigurationRecorders", records, absent="none", source=RECORDER),
        "recorded_types": Field("item.ConfigurationRecorders", recorded_types, absent=[], source=RECORDER),
        "unrecorded_types": Field("item.ConfigurationRecorders", unrecorded_types, absent=[], source=RECORDER),
        "aws.global_types": Field("item.ConfigurationRecorders", records_global_types, absent=False, source=RECORDER),
    },
)


# GuardDuty

SWITCH = {"ENABLED": "on", "DISABLED": "off"}


def found(row: Row) -> bool:
    """The region has a detector."""
    return bool(row["item"].get("DetectorIds"))


def feature(detector: Mapping[str, Any] | None, *names: str, older: str | None = None) -> Any:
    """Whether one of some features is on. `older` is what the answers said before there were features.

    A feature that is not in the answer is none of the region's, where it may be missing; else nothing is known of it.
    """
    if detector is None:
        return "off"
    states = {SWITCH[f["Status"]] for f in detector.get("Features") or [] if f["Name"] in names}
    if not states and older:
        states = {SWITCH[older]}
    return ("on" if "on" in states else "off") if states else MISSING


def s3_protection(detector: Mapping[str, Any] | None) -> Any:
    """S3 protection."""
    return feature(detector, "S3_DATA_EVENTS", older=_older(detector, "S3Logs"))


def eks_protection(detector: Mapping[str, Any] | None) -> Any:
    """EKS audit log monitoring."""
    return feature(detector, "EKS_AUDIT_LOGS", older=_older(detector, "Kubernetes", "AuditLogs"))


def runtime_protection(detector: Mapping[str, Any] | None) -> Any:
    """Runtime monitoring, which took the place of the one of EKS alone: either counts."""
    return feature(detector, "RUNTIME_MONITORING", "EKS_RUNTIME_MONITORING")


def ai_protection(detector: Mapping[str, Any] | None) -> Any:
    """AI protection, which not every region has."""
    state = feature(detector, "AI_PROTECTION")
    return "not_offered" if state is MISSING else state


def _older(detector: Mapping[str, Any] | None, *way: str) -> str | None:
    at: Any = (detector or {}).get("DataSources") or {}
    for name in way:
        at = at.get(name) or {}
    status: str | None = at.get("Status")
    return status


def _feature(read: Any) -> Field:
    """A protection; off where there is no detector."""
    return Field("detector", read, absent="off", source=GUARDDUTY)


DETECTOR = Table(
    kind="account",
    native_type="AWS::GuardDuty::Detector",
    list=Call("guardduty", "list_detectors"),
    id=place("guardduty", "detector"),
    name=Field(arn.REGION),
    tags=Field("detector.Tags", dict, absent={}),
    detail={
        "detector": Call("guardduty", "get_detector", args={"DetectorId": "item.DetectorIds[0]"}, when=found, needs=("item",)),
    },
    facts={
        "threat_detection": Field("detector.Status", {"ENABLED": True, "DISABLED": False}, absent=False, source=GUARDDUTY),
        "s3_protection": _feature(s3_protection),
        "eks_protection": _feature(eks_protection),
        "runtime_protection": _feature(runtime_protection),
        "ai_protection": _feature(ai_protection),
    },
)


# Security Hub

READY = {"READY": "ready", "PENDING": "starting", "INCOMPLETE": "failed", "FAILED": "failed", "DELETING": "off"}


def subscribed(row: Row) -> bool:
    """Security Hub is on."""
    return bool(row["item"].get("HubArn"))


def best_practices(standards: Iterable[Mapping[str, Any]]) -> str:
    """State of the standard of best practices, of whatever version."""
    states = {READY[s["StandardsStatus"]] for s in standards if FSBP in s["StandardsArn"]}
    return next((s for s in ("ready", "starting", "failed") if s in states), "off")


SECURITY_HUB = Table(
    kind="account",
    native_type="AWS::SecurityHub::Hub",
    # NOTE: the code is this client's: Security Hub says InvalidAccessException of callers who may not ask as well
    list=Call("securityhub", "describe_hub", means={"NotSubscribed": {}}),
    id=place("securityhub", "hub/default"),
    name=Field(arn.REGION),
    detail={
        "standards": Call("securityhub", "get_enabled_standards", take="StandardsSubscriptions", when=subscribed, needs=("item",)),
    },
    facts={
        "security_hub": Field("item.HubArn", bool, absent=False, source=HUB),
        "best_practices_standard": Field("standards", best_practices, absent="off", source=STANDARDS),
    },
)


# IAM Access Analyzer


def active(analyzers: Iterable[Mapping[str, Any]]) -> list[str]:
    """Types of the analysers that work."""
    return sorted({a["type"] for a in analyzers if a["status"] == "ACTIVE"})


EXTERNAL = frozenset(("ACCOUNT", "ORGANIZATION"))
UNUSED = frozenset(("ACCOUNT_UNUSED_ACCESS", "ORGANIZATION_UNUSED_ACCESS"))
"""Types of the analysers that look for access from outside, and for access that nobody uses."""
ADMINISTRATOR = "https://docs.aws.amazon.com/IAM/latest/UserGuide/access-analyzer-delegated-administrator.html"


def lacking(row: Row) -> bool:
    """The region lacks an analyser of either sort: one of the organisation may make up for it."""
    types = set(active(row["item"].get("analyzers") or []))
    return not (types & EXTERNAL and types & UNUSED)


def manages(row: Row) -> bool:
    """The account manages its organisation, so it may ask to whom its tasks are delegated."""
    return bool((row.get("organization") or {}).get("MasterAccountId") == row["context"]["account"])


def elsewhere(account: str, manager: str | None, delegates: list[str] | None) -> bool:
    """Analysers of the organisation, if there are any, are seen in another account: its manager's, or the one that it chose."""
    return bool(manager) and (manager != account or bool(set(delegates or []) - {account}))


ANALYZER = Table(
    kind="account",
    native_type="AWS::AccessAnalyzer::Analyzer",
    list=Call("accessanalyzer", "list_analyzers", fixed={"maxResults": 100}),
    id=place("access-analyzer", "analyzer"),
    name=Field(arn.REGION),
    detail={
        "organization": Call(
            "organizations",
            "describe_organization",
            take="Organization",
            means={"AWSOrganizationsNotInUseException": None},
            when=lacking,
            needs=("item",),
        ),
        "delegates": Call(
            "organizations",
            "list_delegated_administrators",
            fixed={"ServicePrincipal": "access-analyzer.amazonaws.com"},
            take="DelegatedAdministrators[].Id",
            when=manages,
            needs=("item", "organization"),
        ),
    },
    facts={
        "analyzers": Field("item.analyzers", active, absent=[], source=ANALYZERS),
        "analyzed_elsewhere": Field((arn.ACCOUNT, "organization.MasterAccountId", "delegates"), elsewhere, source=ADMINISTRATOR),
    },
)

TABLES: tuple[Table, ...] = (CONFIG, DETECTOR, SECURITY_HUB, ANALYZER)
