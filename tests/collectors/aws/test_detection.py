"""Config, GuardDuty, Security Hub and Access Analyzer: one resource a region, whether or not they are on."""

from __future__ import annotations

import pytest

from collectors.aws import detection
from collectors.aws.client import BotoClient
from collectors.table import MISSING
from scanner.model import Reason
from tests.collectors.aws.answers import given

ALL_BUT = {"recordingStrategy": {"useOnly": "EXCLUSION_BY_RESOURCE_TYPES"}}
IAM = ["AWS::IAM::Policy", "AWS::IAM::Role", "AWS::IAM::User"]


@pytest.mark.parametrize(
    ("group", "records", "recorded", "unrecorded", "global_types"),
    [
        ({}, "all", [], [], False),
        ({"allSupported": True, "includeGlobalResourceTypes": True}, "all", [], [], True),
        ({"allSupported": False, "resourceTypes": ["AWS::S3::Bucket"]}, "some", ["AWS::S3::Bucket"], [], False),
        ({"allSupported": False, "resourceTypes": IAM}, "some", IAM, [], True),
        ({**ALL_BUT, "exclusionByResourceTypes": {"resourceTypes": ["AWS::SNS::Topic"]}}, "all_but", [], ["AWS::SNS::Topic"], True),
        ({**ALL_BUT, "exclusionByResourceTypes": {"resourceTypes": IAM[:1]}}, "all_but", [], IAM[:1], False),
    ],
)
def test_what_is_recorded(group, records, recorded, unrecorded, global_types):
    recorders = [{"name": "default", "recordingGroup": group}]
    assert detection.records(recorders) == records
    assert detection.recorded_types(recorders) == recorded
    assert detection.unrecorded_types(recorders) == unrecorded
    assert detection.records_global_types(recorders) is global_types


def test_the_recorder_of_a_service_is_not_the_customers():
    theirs = [
        {"name": "AWSConfigurationRecorderForX", "servicePrincipal": "x.amazonaws.com", "recordingGroup": {"allSupported": True}}
    ]
    assert detection.recorder_state(theirs, [{"name": theirs[0]["name"], "recording": True}]) == "none"
    assert detection.records(theirs) == "none"


def test_recorder_state():
    recorders = [{"name": "default"}]
    told = [({"recording": True, "lastStatus": s}, w) for s, w in (("SUCCESS", "on"), ("Failure", "failing"), (None, "on"))]
    for status, state in [*told, ({"recording": False, "lastStatus": "Failure"}, "off")]:
        assert detection.recorder_state(recorders, [{"name": "default", **status}]) == state
    with pytest.raises(KeyError):
        detection.recorder_state(recorders, [])


def test_recorder(boto, look):
    none = look(detection.CONFIG).named("us-east-1")
    assert none.id == "arn:aws:config:us-east-1:123456789012:configuration-recorder"
    assert none.facts == {
        "recorder": "none",
        "records": "none",
        "recorded_types": [],
        "unrecorded_types": [],
        "aws.global_types": False,
    }
    client = boto("config")
    role = "arn:aws:iam::123456789012:role/config"
    group = {"allSupported": False, "resourceTypes": ["AWS::S3::Bucket", "AWS::KMS::Key"]}
    client.put_configuration_recorder(ConfigurationRecorder={"name": "default", "roleARN": role, "recordingGroup": group})
    off = look(detection.CONFIG).named("us-east-1")
    assert off.facts["recorder"] == "off"
    boto("s3").create_bucket(Bucket="changes")
    client.put_delivery_channel(DeliveryChannel={"name": "default", "s3BucketName": "changes"})
    client.start_configuration_recorder(ConfigurationRecorderName="default")
    on = look(detection.CONFIG)
    assert on.named("us-east-1").facts == {
        "recorder": "on",
        "records": "some",
        "recorded_types": ["AWS::KMS::Key", "AWS::S3::Bucket"],
        "unrecorded_types": [],
        "aws.global_types": False,
    }
    assert on.failed() == []


def test_features():
    def detector(*features, **sources):
        return {"Features": [{"Name": n, "Status": s} for n, s in features], "DataSources": sources}

    assert detection.runtime_protection(detector(("EKS_RUNTIME_MONITORING", "ENABLED"), ("RUNTIME_MONITORING", "DISABLED"))) == "on"
    assert detection.runtime_protection(detector(("RUNTIME_MONITORING", "DISABLED"))) == "off"
    assert detection.runtime_protection(detector()) is MISSING
    assert detection.s3_protection(detector(S3Logs={"Status": "ENABLED"})) == "on"
    assert detection.s3_protection(detector(("S3_DATA_EVENTS", "DISABLED"), S3Logs={"Status": "ENABLED"})) == "off"
    assert detection.eks_protection(detector(Kubernetes={"AuditLogs": {"Status": "DISABLED"}})) == "off"
    assert detection.ai_protection(detector()) == "not_offered"
    assert detection.ai_protection(detector(("AI_PROTECTION", "DISABLED"))) == "off"
    with pytest.raises(KeyError):
        detection.ai_protection(detector(("AI_PROTECTION", "PAUSED")))


def test_detector(boto, look):
    none = look(detection.DETECTOR).named("us-east-1")
    assert (none.id, none.gaps) == ("arn:aws:guardduty:us-east-1:123456789012:detector", {})
    off = {f"{p}_protection": "off" for p in ("s3", "eks", "runtime", "ai")}
    assert none.facts == {"threat_detection": False, **off}
    features = [{"Name": n, "Status": s} for n, s in (("S3_DATA_EVENTS", "ENABLED"), ("EKS_AUDIT_LOGS", "DISABLED"))]
    boto("guardduty").create_detector(Enable=True, Features=features, Tags={"team": "security"})
    found = look(detection.DETECTOR).named("us-east-1")
    assert found.facts == {"threat_detection": True, "s3_protection": "on", "eks_protection": "off", "ai_protection": "not_offered"}
    assert found.gaps["runtime_protection"].reason is Reason.NOT_OFFERED
    assert found.tags == {"team": "security"}


def test_a_detector_that_may_not_be_read_is_not_off():
    answers = {"guardduty:list_detectors": {"DetectorIds": ["12"]}, "guardduty:get_detector": "AccessDeniedException"}
    (found,) = given(detection.DETECTOR, answers=answers).resources
    assert found.facts == {}
    assert {g.reason for n, g in found.gaps.items() if n != "tags"} == {Reason.DENIED}


def test_hub(boto, look):
    off = look(detection.SECURITY_HUB)
    assert off.named("us-east-1").facts == {"security_hub": False, "best_practices_standard": "off"}
    assert off.named("us-east-1").id == "arn:aws:securityhub:us-east-1:123456789012:hub/default"
    assert off.failed() == []
    boto("securityhub").enable_security_hub()
    on = look(detection.SECURITY_HUB).named("us-east-1")
    assert on.facts == {"security_hub": True}
    assert on.gaps.keys() == {"best_practices_standard"}


def test_who_may_not_ask_security_hub_gets_the_same_code_and_another_text():
    def fault(message):
        error = Exception()
        error.response = {"Error": {"Code": "InvalidAccessException", "Message": message}}
        return BotoClient.fault(None, error)

    off = fault("Account 123456789012 is not subscribed to AWS Security Hub")
    assert (off.code, off.reason) == ("NotSubscribed", Reason.SERVICE_OFF)
    denied = fault("The account is managed by an administrator")
    assert (denied.code, denied.reason) == ("InvalidAccessException", Reason.DENIED)


@pytest.mark.parametrize(
    ("standards", "state"),
    [
        ([], "off"),
        ([("cis-aws-foundations-benchmark", "READY")], "off"),
        ([("aws-foundational-security-best-practices", "READY"), ("cis-aws-foundations-benchmark", "FAILED")], "ready"),
        ([("aws-foundational-security-best-practices", "INCOMPLETE")], "failed"),
        ([("aws-foundational-security-best-practices", "PENDING")], "starting"),
    ],
)
def test_standards(standards, state):
    subscriptions = [
        {
            "StandardsSubscriptionArn": f"arn:aws:securityhub:us-east-1:123456789012:subscription/{n}/v/1.0.0",
            "StandardsArn": f"arn:aws:securityhub:us-east-1::standards/{n}/v/1.0.0",
            "StandardsInput": {},
            "StandardsStatus": s,
        }
        for n, s in standards
    ]
    answers = {
        "securityhub:describe_hub": {"HubArn": "arn:aws:securityhub:us-east-1:123456789012:hub/default"},
        "securityhub:get_enabled_standards": {"StandardsSubscriptions": subscriptions},
    }
    (found,) = given(detection.SECURITY_HUB, answers=answers).resources
    assert found.facts == {"security_hub": True, "best_practices_standard": state}


def analyzer(kind, status="ACTIVE"):
    return {"arn": f"arn:aws:access-analyzer:us-east-1:123456789012:analyzer/{kind}", "name": kind, "type": kind, "status": status}


def organization(manager):
    return {"Organization": {"Id": "o-1", "MasterAccountId": manager}}


@pytest.mark.parametrize(
    ("analyzers", "answers", "facts"),
    [
        # both sorts of its own: nobody is asked about the organisation
        ([analyzer("ACCOUNT"), analyzer("ACCOUNT_UNUSED_ACCESS")], {}, (["ACCOUNT", "ACCOUNT_UNUSED_ACCESS"], False)),
        ([], {"organizations:describe_organization": "AWSOrganizationsNotInUseException"}, ([], False)),
        ([analyzer("ACCOUNT", "DISABLED")], {"organizations:describe_organization": organization("999999999999")}, ([], True)),
        (
            [],
            {
                "organizations:describe_organization": organization("123456789012"),
                "organizations:list_delegated_administrators": {"DelegatedAdministrators": []},
            },
            ([], False),
        ),
        (
            [],
            {
                "organizations:describe_organization": organization("123456789012"),
                "organizations:list_delegated_administrators": {"DelegatedAdministrators": [{"Id": "888888888888"}]},
            },
            ([], True),
        ),
    ],
)
def test_analyzers(analyzers, answers, facts):
    (found,) = given(detection.ANALYZER, answers={"accessanalyzer:list_analyzers": {"analyzers": analyzers}, **answers}).resources
    assert found.id == "arn:aws:access-analyzer:us-east-1:123456789012:analyzer"
    assert (found.facts["analyzers"], found.facts["analyzed_elsewhere"]) == facts
    assert found.gaps == {}


def test_an_organisation_that_may_not_be_asked_about_is_a_gap():
    answers = {"accessanalyzer:list_analyzers": {"analyzers": []}, "organizations:describe_organization": "AccessDeniedException"}
    (found,) = given(detection.ANALYZER, answers=answers).resources
    assert found.gaps["analyzed_elsewhere"].reason is Reason.DENIED
