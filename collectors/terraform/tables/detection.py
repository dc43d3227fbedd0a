"""What watches an account, and the account-wide block of public access to networks."""

from __future__ import annotations

from typing import Any

from collectors.aws import blocks, detection
from collectors.table import MISSING, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import CREATED, PLACE, canonical, docs, flat, only_new, title

RECORDER = docs("aws_config_configuration_recorder")
STATUS = docs("aws_config_configuration_recorder_status")
DETECTOR = docs("aws_guardduty_detector")
HUB = docs("aws_securityhub_account")
ANALYZER = docs("aws_accessanalyzer_analyzer")
BLOCK = docs("aws_vpc_block_public_access_options")

# Config


def recorder(created: bool, on: bool | None) -> Any:  # noqa: FBT001 - values of the row
    """Whether the recorder is on; a new one is off until something turns it on."""
    return {True: "on", False: "off", None: only_new(created, "off")}[on]


def _group(all_supported: Any, global_types: Any, types: Any, excluded: Any, strategy: Any) -> dict[str, Any]:
    """The recording group in the words of the API."""
    chosen = next(iter(flat(strategy)), None)
    return {
        "allSupported": False not in (all_supported or []),
        "includeGlobalResourceTypes": True in (global_types or []),
        "resourceTypes": flat(types),
        "exclusionByResourceTypes": {"resourceTypes": flat(excluded)},
        "recordingStrategy": {"useOnly": chosen or (detection.ALL_BUT if flat(excluded) else None)},
    }


_BASE = "item.recording_group[0]"
_GROUP = (
    "item.recording_group[].all_supported",
    "item.recording_group[].include_global_resource_types",
    f"{_BASE}.resource_types",
    f"{_BASE}.exclusion_by_resource_types[].resource_types",
    f"{_BASE}.recording_strategy[].use_only",
)


def _of_group(read: Any, absent: Any) -> Field:
    return Field(_GROUP, lambda *found: read([{"recordingGroup": _group(*found)}]), absent=absent, source=RECORDER)


CONFIG = PlanTable(
    "account",
    "AWS::Config::ConfigurationRecorder",
    "aws_config_configuration_recorder",
    {
        "recorder": Field((CREATED, "status.is_enabled"), recorder, absent="off", source=STATUS),
        "records": _of_group(detection.records, "all"),
        "recorded_types": _of_group(detection.recorded_types, []),
        "unrecorded_types": _of_group(detection.unrecorded_types, []),
        "aws.global_types": _of_group(detection.records_global_types, absent=False),
    },
    {"status": Join("aws_config_configuration_recorder_status", on="name")},
    name=Field("item.name"),
    tags=None,
)


# GuardDuty


def protection(on: bool | None, features: Any, *names: str) -> Any:  # noqa: FBT001 - a value of the row
    """Whether some feature is on; of one that the plan does not set, AWS decides."""
    if on is False:
        return "off"
    states = {detection.SWITCH[f["status"]] for f in features or [] if f["name"] in names}
    return ("on" if "on" in states else "off") if states else MISSING


def _protection(*names: str) -> Field:
    return Field(
        ("item.enable", pick("features[]", "name", "status")),
        lambda on, features: protection(on, features, *names),
        source=DETECTOR,
    )


GUARDDUTY = PlanTable(
    "account",
    "AWS::GuardDuty::Detector",
    "aws_guardduty_detector",
    {
        "threat_detection": Field("item.enable"),
        "s3_protection": _protection("S3_DATA_EVENTS"),
        "eks_protection": _protection("EKS_AUDIT_LOGS"),
        "runtime_protection": _protection("RUNTIME_MONITORING", "EKS_RUNTIME_MONITORING"),
        "ai_protection": _protection("AI_PROTECTION"),
    },
    {"features": Join("aws_guardduty_detector_feature", on="detector_id", many=True)},
    name=Field("context.region"),
)


# Security Hub


def best_practices(default: bool | None, standards: Any) -> Any:  # noqa: FBT001 - a value of the row
    """The standard of best practices comes by default, or is asked for; else somebody may ask for it elsewhere."""
    return "ready" if default is not False or any(detection.FSBP in s for s in flat(standards)) else MISSING


SECURITY_HUB = PlanTable(
    "account",
    "AWS::SecurityHub::Hub",
    "aws_securityhub_account",
    {
        "security_hub": Field("context.id", bool),
        "best_practices_standard": Field(
            ("item.enable_default_standards", "standards[].standards_arn"), best_practices, absent="ready", source=HUB
        ),
    },
    {"standards": Join("aws_securityhub_standards_subscription", on="", many=True)},
    name=Field("context.region"),
    tags=None,
)


# IAM Access Analyzer

ANALYZERS = PlanTable(
    "account",
    "AWS::AccessAnalyzer::Analyzer",
    "aws_accessanalyzer_analyzer",
    {"analyzers": Field("item.type", lambda kind: [kind], absent=["ACCOUNT"], source=ANALYZER)},
    name=Field("item.analyzer_name"),
)


# blocks


def excluded(partition: str, region: str | None, account: str | None, network: str | None, subnet: str | None) -> Any:
    """The network or subnet that an exclusion is for."""
    if network:
        return canonical("ec2", "vpc", partition, region, account, network)
    return canonical("ec2", "subnet", partition, region, account, subnet) if subnet else MISSING


NETWORK_BLOCK = PlanTable(
    "account",
    "AWS::EC2::VPCBlockPublicAccessOptions",
    "aws_vpc_block_public_access_options",
    {"internet_gateway_block": Field("item.internet_gateway_block_mode", blocks.BLOCKS, source=BLOCK)},
    name=Field("context.region"),
    tags=None,
)

NETWORK_EXCLUSIONS = PlanTable(
    "account",
    "AWS::EC2::VPCBlockPublicAccessExclusion",
    "aws_vpc_block_public_access_exclusion",
    {
        "excluded_id": Field((*PLACE, "item.vpc_id", "item.subnet_id"), excluded),
        "exclusion_mode": Field("item.internet_gateway_exclusion_mode", blocks.EXCLUSIONS),
    },
    name=title(),
)

TABLES: tuple[PlanTable, ...] = (CONFIG, GUARDDUTY, SECURITY_HUB, ANALYZERS, NETWORK_BLOCK, NETWORK_EXCLUSIONS)
