"""What watches an account, and its blocks, in plans."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from collectors.terraform.tables import storage
from scanner.model import Reason, Resource
from tests.conftest import ROOT

TYPES = ROOT / "fixtures" / "plans" / "types"


@functools.cache
def planned(name: str) -> dict[str, Resource]:
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(TYPES / name / "plan.json").resources}


@pytest.mark.parametrize(
    ("plan", "address", "facts"),
    [
        (
            "10-audit",
            "config_configuration_recorder.bad",
            {
                "recorder": "off",
                "records": "some",
                "recorded_types": ["AWS::EC2::Instance", "AWS::S3::Bucket"],
                "unrecorded_types": [],
                "aws.global_types": False,
            },
        ),
        (
            "10-audit",
            "guardduty_detector.good",
            {"threat_detection": True, "s3_protection": "on", "eks_protection": "on", "runtime_protection": "off"},
        ),
        ("10-audit", "securityhub_account.on", {"security_hub": True, "best_practices_standard": "ready"}),
        ("08-identity", "accessanalyzer_analyzer.external", {"analyzers": ["ACCOUNT"]}),
        ("08-identity", "accessanalyzer_analyzer.unused", {"analyzers": ["ACCOUNT_UNUSED_ACCESS"]}),
        ("04-network", "vpc_block_public_access_options.off", {"internet_gateway_block": "off"}),
        (
            "04-network",
            "vpc_block_public_access_exclusion.gpu",
            {"excluded_id": "plan/aws_subnet.gpu[0]", "exclusion_mode": "bidirectional"},
        ),
    ],
)
def test_facts(plan: str, address: str, facts: dict[str, Any]) -> None:
    assert planned(plan)[address].facts == facts


@pytest.mark.parametrize(
    ("address", "selectors"),
    [
        ("cloudtrail.good", [{"events": "both", "narrowed": False, "conditions": []}]),
        ("cloudtrail.advanced", [{"events": "write", "narrowed": False, "conditions": []}]),
        ("cloudtrail.bad", []),
    ],
)
def test_object_selectors(address: str, selectors: list[dict[str, Any]]) -> None:
    assert planned("10-audit")[address].facts["object_selectors"] == selectors


def test_which_objects_are_known_after_apply_does_not_hide_management_events(make: Any) -> None:
    selector = {"read_write_type": "All", "include_management_events": True, "exclude_management_event_sources": []}
    make.add("aws_cloudtrail.t", after={"event_selector": [selector | {"data_resource": [{"type": "AWS::S3::Object"}]}]})
    change = make.document["resource_changes"][0]["change"]
    change["after_unknown"]["event_selector"] = [{"data_resource": [{"values": True}]}]
    (configured,) = make.module()["resources"]
    values = {"references": ["aws_s3_bucket.b.arn", "aws_s3_bucket.b"]}
    configured["expressions"]["event_selector"] = [{"data_resource": [{"values": values}]}]
    found = make.one("aws_cloudtrail.t")
    assert found.facts["management_events"] == "all"
    assert found.gaps["object_selectors"].reason is Reason.KNOWN_AFTER_APPLY


def test_a_recorder_that_nothing_turns_on_is_off(make: Any) -> None:
    make.add("aws_config_configuration_recorder.r", after={"name": "default"}, late=("id",))
    make.add("aws_config_configuration_recorder.s", after={"name": "other", "recording_group": []}, late=("id",))
    make.add(
        "aws_config_configuration_recorder_status.s",
        sets={"name": ["aws_config_configuration_recorder.s.name"], "is_enabled": True},
    )
    assert make.one("aws_config_configuration_recorder.r").facts["recorder"] == "off"
    on = make.one("aws_config_configuration_recorder.s").facts
    assert (on["recorder"], on["records"], on["aws.global_types"]) == ("on", "all", False)


def test_types_that_are_left_out(make: Any) -> None:
    group = {
        "all_supported": False,
        "exclusion_by_resource_types": [{"resource_types": ["AWS::SNS::Topic"]}],
        "recording_strategy": [{"use_only": "EXCLUSION_BY_RESOURCE_TYPES"}],
    }
    make.add("aws_config_configuration_recorder.r", after={"name": "default", "recording_group": [group]})
    found = make.one("aws_config_configuration_recorder.r").facts
    assert (found["records"], found["unrecorded_types"], found["aws.global_types"]) == ("all_but", ["AWS::SNS::Topic"], True)


def test_protections_that_a_plan_does_not_set_are_the_services_choice(make: Any) -> None:
    make.add("aws_guardduty_detector.d", after={"enable": True}, late=("id", "arn"))
    make.add("aws_guardduty_detector.off", after={"enable": False}, late=("id", "arn"))
    feature = {"name": "EKS_RUNTIME_MONITORING", "status": "ENABLED", "detector_id": ["aws_guardduty_detector.d.id"]}
    make.add("aws_guardduty_detector_feature.f", sets=feature)
    found = make.one("aws_guardduty_detector.d")
    assert found.facts == {"threat_detection": True, "runtime_protection": "on"}
    assert {g.reason for g in found.gaps.values() if g.call.startswith("aws_guardduty_detector.d")} == {Reason.NOT_OFFERED}
    off = make.one("aws_guardduty_detector.off").facts
    assert off == {"threat_detection": False, **{f"{p}_protection": "off" for p in ("s3", "eks", "runtime", "ai")}}


@pytest.mark.parametrize(
    ("default", "standards", "state"),
    [
        (True, [], "ready"),
        (False, ["arn:aws:securityhub:us-east-1::standards/aws-foundational-security-best-practices/v/1.0.0"], "ready"),
        (False, ["arn:aws:securityhub:us-east-1::standards/cis-aws-foundations-benchmark/v/3.0.0"], None),
    ],
)
def test_standards(make: Any, default: bool, standards: list[str], state: str | None) -> None:  # noqa: FBT001 - a parameter
    make.add("aws_securityhub_account.h", after={"enable_default_standards": default})
    for number, arn in enumerate(standards):
        make.add(f"aws_securityhub_standards_subscription.s{number}", after={"standards_arn": arn})
    found = make.one("aws_securityhub_account.h")
    assert found.facts.get("best_practices_standard") == state
    assert ("best_practices_standard" in found.gaps) is (state is None)


# what is left of S3


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        ("s3_bucket.golden", {"inventory": "checksum", "replicated": False, "replica_keys": False}),
        ("s3_bucket.raw", {"inventory": "none", "replicated": False, "replica_keys": False}),
        ("s3_bucket.models", {"inventory": "none", "replicated": True, "replica_keys": True}),
    ],
)
def test_buckets(address: str, facts: dict[str, Any]) -> None:
    found = planned("01-buckets")[address]
    assert {n: found.facts.get(n) for n in facts} == facts


def test_a_list_that_goes_to_its_own_bucket_is_none(make: Any) -> None:
    make.add("aws_s3_bucket.b", after={"bucket": "corpus"}, late=("id", "arn"))
    inner = {"bucket_arn": "arn:aws:s3:::corpus", "format": "CSV"}
    make.add(
        "aws_s3_bucket_inventory.i",
        after={"bucket": "corpus", "enabled": True, "optional_fields": ["ChecksumAlgorithm"], "destination": [{"bucket": [inner]}]},
    )
    assert make.one("aws_s3_bucket.b").facts["inventory"] == "none"


def test_inline_replication() -> None:
    inline = [
        {
            "status": "Enabled",
            "destination": [{"replica_kms_key_id": "k"}],
            "source_selection_criteria": [{"sse_kms_encrypted_objects": [{"enabled": True}]}],
        }
    ]
    assert storage.replicated(None, ["Enabled"]) is True
    assert storage.replica_keys(None, inline) is True
    assert storage.replica_keys(None, [inline[0] | {"source_selection_criteria": []}]) is False


def test_blocked_encryption_has_no_default() -> None:
    assert storage.blocked([["SSE-C"]]) == ["SSE-C"]
    assert storage.blocked([["NONE"]]) == []


def test_access_points(make: Any) -> None:
    make.add("aws_s3_bucket.b", after={"bucket": "corpus"}, late=("id", "arn"))
    make.add(
        "aws_s3_access_point.inside",
        sets={"bucket": ["aws_s3_bucket.b.id"]},
        after={"name": "in", "vpc_configuration": [{"vpc_id": "vpc-1"}]},
    )
    flags = {"restrict_public_buckets": False, "ignore_public_acls": True}
    make.add("aws_s3_access_point.open", after={"bucket": "corpus", "name": "open", "public_access_block_configuration": [flags]})
    inside = make.one("aws_s3_access_point.inside")
    assert inside.facts == {
        "store_type": "access_point",
        "bucket": "plan/aws_s3_bucket.b",
        "aws.network_origin": "vpc",
        "policy_statements": [],
        "acl_public": False,
        "aws.ignore_public_acls": True,
        "aws.restrict_public_buckets": True,
    }
    opened = make.one("aws_s3_access_point.open").facts
    assert (opened["aws.network_origin"], opened["aws.restrict_public_buckets"]) == ("internet", False)
