from __future__ import annotations

from collectors.aws import logs
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
ARN = "arn:aws:logs:us-east-1:123456789012:log-group:"


def test_log_groups(boto, look):
    client = boto("logs")
    client.create_log_group(logGroupName="/aws/sagemaker/TrainingJobs", kmsKeyId=KEY)
    client.create_log_group(logGroupName="prompts")
    boto("bedrock").put_model_invocation_logging_configuration(
        loggingConfig={"cloudWatchConfig": {"logGroupName": "prompts", "roleArn": "arn:aws:iam::123456789012:role/bedrock"}}
    )

    seen = look(logs.GROUPS)

    assert seen.failed() == []
    jobs, prompts = sorted(seen.resources, key=lambda r: r.name)
    assert (jobs.id, jobs.gaps) == (f"{ARN}/aws/sagemaker/TrainingJobs", {})
    assert jobs.facts == {
        "store_type": "log_group",
        "encrypted": True,
        "key_id": KEY,
        "log_group_name": "/aws/sagemaker/TrainingJobs",
        "invocation_log": False,
    }
    assert (prompts.facts["key_id"], prompts.facts["invocation_log"]) == ("", True)


def test_a_region_without_invocation_logging_and_a_refused_look_at_it():
    groups = {"logs:describe_log_groups": {"logGroups": [{"logGroupName": "prompts", "arn": f"{ARN}prompts:*"}]}}
    (group,) = given(logs.GROUPS, answers={**groups, "bedrock:get_model_invocation_logging_configuration": {}}).resources
    assert (group.id, group.facts["invocation_log"]) == (f"{ARN}prompts", False)

    denied = {**groups, "bedrock:get_model_invocation_logging_configuration": "AccessDeniedException"}
    (group,) = given(logs.GROUPS, answers=denied).resources
    assert group.gaps["invocation_log"].reason == "denied"
    assert group.facts["key_id"] == ""
