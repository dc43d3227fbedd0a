"""Bedrock: what moto knows against moto, the rest from given answers."""

from __future__ import annotations

import pytest

from collectors.aws import bedrock, bedrock_agents
from scanner.model import Reason
from tests.collectors.aws.answers import given

AT = "2026-09-01T08:00:00Z"
HERE = "arn:aws:bedrock:us-east-1:123456789012:"
ROLE = "arn:aws:iam::123456789012:role/bedrock"
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234"
FILTER = {"type": "PROMPT_ATTACK", "inputStrength": "HIGH", "outputStrength": "NONE"}
GUARDED = {"guardrailIdentifier": "gr1", "guardrailVersion": "2"}


def guardrail(version="DRAFT", filters=None, entities=None, **more):
    body = {"name": "support", "guardrailId": "gr1", "guardrailArn": f"{HERE}guardrail/gr1", "version": version, "status": "READY"}
    if filters is not None:
        body["contentPolicy"] = {"filters": filters}
    if entities is not None:
        body["sensitiveInformationPolicy"] = {"piiEntities": entities}
    return body | more


@pytest.mark.parametrize(
    ("filters", "strength"),
    [
        ([], "none"),
        ([{"type": "HATE", "inputStrength": "HIGH", "outputStrength": "HIGH"}], "none"),
        ([FILTER], "high"),  # no action named: from before there was a choice, when all blocked
        ([FILTER | {"inputAction": "BLOCK", "inputEnabled": True}], "high"),
        ([FILTER | {"inputStrength": "LOW"}], "low"),
        ([FILTER | {"inputStrength": "NONE"}], "none"),
        # https://github.com/prowler-cloud/prowler/pull/12663
        ([FILTER | {"inputAction": "NONE"}], "detect"),
        ([FILTER | {"inputEnabled": False}], "none"),
    ],
)
def test_prompt_attack(filters, strength):
    assert bedrock.prompt_attack(filters) == strength


@pytest.mark.parametrize(
    ("entities", "way"),
    [
        ([], "none"),
        ([{"type": "EMAIL", "action": "BLOCK"}], "enforce"),
        ([{"type": "EMAIL", "action": "NONE"}, {"type": "NAME", "action": "ANONYMIZE"}], "enforce"),
        # https://github.com/prowler-cloud/prowler/pull/12663
        ([{"type": "EMAIL", "action": "NONE"}], "detect"),
        ([{"type": "EMAIL", "action": "BLOCK", "inputAction": "NONE", "outputAction": "NONE"}], "detect"),
        ([{"type": "EMAIL", "action": "NONE", "outputAction": "ANONYMIZE"}], "enforce"),
        ([{"type": "EMAIL", "action": "BLOCK", "inputEnabled": False, "outputEnabled": False}], "none"),
    ],
)
def test_personal_data(entities, way):
    assert bedrock.personal_data(entities, None) == way
    assert bedrock.personal_data(None, entities) == way


def test_an_action_of_no_documented_kind_is_not_understood():
    with pytest.raises(KeyError):
        bedrock.prompt_attack([FILTER | {"inputAction": "MASK"}])
    with pytest.raises(KeyError):
        bedrock.personal_data([{"type": "EMAIL", "action": "MASK"}], None)


def test_guardrail():
    seen = given(
        bedrock.GUARDRAIL,
        answers={
            "bedrock:list_guardrails": [
                {
                    "guardrails": [{"id": "gr1", "arn": f"{HERE}guardrail/gr1", "name": "support", "status": "READY"}],
                    "nextToken": "2",
                },
                {"guardrails": [{"id": "gr2", "arn": f"{HERE}guardrail/gr2", "name": "old", "status": "DELETING"}]},
            ],
            "bedrock:get_guardrail": guardrail(
                filters=[FILTER],
                entities=[{"type": "EMAIL", "action": "BLOCK"}],
                kmsKeyArn=KEY,
                topicPolicy={"topics": [{"name": "mergers", "definition": "secret plans"}]},
            ),
            "bedrock:list_tags_for_resource": {"tags": [{"key": "team", "value": "support"}]},
        },
    )
    (found,) = seen.resources
    assert (found.id, found.kind, found.name, found.tags, found.gaps) == (
        f"{HERE}guardrail/gr1",
        "model_service",
        "support",
        {"team": "support"},
        {},
    )
    assert found.facts == {
        "service_type": "guardrail",
        "encrypted": True,
        "key_id": KEY,
        "guardrail_id": f"{HERE}guardrail/gr1",
        "prompt_attack_filter": "high",
        "personal_data_filter": "enforce",
    }
    assert "secret plans" not in str(seen.answers)


def agent(**more):
    return {
        "bedrock-agent:list_agents": {"agentSummaries": [{"agentId": "AG1", "agentName": "support", "agentStatus": "PREPARED"}]},
        "bedrock-agent:get_agent": {
            "agent": {
                "agentId": "AG1",
                "agentArn": f"{HERE}agent/AG1",
                "agentResourceRoleArn": ROLE,
                "instruction": "be kind",
                **more,
            }
        },
        "bedrock-agent:list_tags_for_resource": {"tags": {}},
    }


def test_an_agent_is_judged_by_the_version_of_its_guardrail():
    answers = agent(guardrailConfiguration=GUARDED, customerEncryptionKeyArn=KEY) | {
        "bedrock:get_guardrail:2": guardrail("2", [FILTER | {"inputAction": "NONE"}], [{"type": "EMAIL", "action": "BLOCK"}]),
    }
    seen = given(bedrock_agents.AGENTS_TABLE, answers=answers)
    (found,) = seen.resources
    assert (found.id, found.name, found.gaps) == (f"{HERE}agent/AG1", "support", {})
    assert found.facts == {
        "service_type": "agent",
        "identity": ROLE,
        "encrypted": True,
        "key_id": KEY,
        "guardrail_id": f"{HERE}guardrail/gr1",
        "prompt_attack_filter": "detect",
        "personal_data_filter": "enforce",
    }
    assert "be kind" not in str(seen.answers)


def test_an_agent_without_guardrail_and_key():
    (found,) = given(bedrock_agents.AGENTS_TABLE, answers=agent()).resources
    names = ("key_id", "guardrail_id", "prompt_attack_filter", "personal_data_filter")
    assert [found.facts[n] for n in names] == ["", "", "none", "none"]
    assert found.gaps == {}


def test_what_may_not_be_seen_of_an_agent_is_a_gap():
    (unseen,) = given(bedrock_agents.AGENTS_TABLE, answers=agent() | {"bedrock-agent:get_agent": "AccessDeniedException"}).resources
    assert {unseen.gaps[n].reason for n in ("key_id", "guardrail_id", "prompt_attack_filter", "personal_data_filter")} == {
        Reason.DENIED
    }
    assert unseen.gaps["key_id"].remedy.startswith("Allow bedrock:GetAgent to")
    answers = agent(guardrailConfiguration=GUARDED) | {"bedrock:get_guardrail": "AccessDeniedException"}
    (found,) = given(bedrock_agents.AGENTS_TABLE, answers=answers).resources
    assert found.facts["guardrail_id"] == f"{HERE}guardrail/gr1"
    assert found.gaps.keys() == {"prompt_attack_filter", "personal_data_filter"}


def test_data_sources():
    def source(name, configuration, **more):
        return {"dataSource": {"knowledgeBaseId": "KB1", "dataSourceId": name, "dataSourceConfiguration": configuration, **more}}

    seen = given(
        bedrock_agents.DATA_SOURCES,
        answers={
            "bedrock-agent:list_knowledge_bases": {"knowledgeBaseSummaries": [{"knowledgeBaseId": "KB1", "name": "handbook"}]},
            "bedrock-agent:list_data_sources": {
                "dataSourceSummaries": [
                    {"knowledgeBaseId": "KB1", "dataSourceId": n, "name": n.lower(), "status": "AVAILABLE"} for n in ("DS1", "DS2")
                ]
            },
            "bedrock-agent:get_data_source:DS1": source(
                "DS1",
                {"type": "S3", "s3Configuration": {"bucketArn": "arn:aws:s3:::docs", "inclusionPrefixes": ["b/", "a/"]}},
                serverSideEncryptionConfiguration={"kmsKeyArn": KEY},
            ),
            "bedrock-agent:get_data_source:DS2": source("DS2", {"type": "WEB"}),
        },
    )
    inner = f"{HERE}knowledge-base/KB1/data-source/"
    assert {r.id: (r.facts["key_id"], r.facts["input_uris"], r.gaps) for r in seen.resources} == {
        f"{inner}DS1": (KEY, ["s3://docs/a/", "s3://docs/b/"], {}),
        f"{inner}DS2": ("", [], {}),
    }
    assert bedrock_agents.places("arn:aws:s3:::docs", None) == ["s3://docs/"]


def test_custom_models():
    detail = {
        "modelArn": f"{HERE}custom-model/tone",
        "modelKmsKeyArn": KEY,
        "trainingDataConfig": {"s3Uri": "s3://data/train.jsonl"},
        "validationDataConfig": {"validators": [{"s3Uri": "s3://data/check.jsonl"}]},
        "outputDataConfig": {"s3Uri": "s3://out/"},
    }
    seen = given(
        bedrock.CUSTOM_MODELS,
        answers={
            "bedrock:list_custom_models": {
                "modelSummaries": [
                    {"modelArn": f"{HERE}custom-model/{n}", "modelName": n, "modelStatus": s}
                    for n, s in (("tone", "Active"), ("plain", "Active"), ("broken", "Failed"))
                ]
            },
            f"bedrock:get_custom_model:{HERE}custom-model/tone": detail,
            f"bedrock:get_custom_model:{HERE}custom-model/plain": {"modelArn": f"{HERE}custom-model/plain"},
            "bedrock:list_tags_for_resource": {"tags": []},
        },
    )
    assert {r.name: r.facts for r in seen.resources} == {
        "tone": {
            "service_type": "custom_model",
            "encrypted": True,
            "key_id": KEY,
            "input_uris": ["s3://data/check.jsonl", "s3://data/train.jsonl"],
            "output_uris": ["s3://out/"],
        },
        "plain": {"service_type": "custom_model", "encrypted": True, "key_id": "", "input_uris": [], "output_uris": []},
    }


def test_imported_models():
    (found,) = given(
        bedrock.IMPORTED_MODELS,
        answers={
            "bedrock:list_imported_models": {"modelSummaries": [{"modelArn": f"{HERE}imported-model/m", "modelName": "merged"}]},
            "bedrock:get_imported_model": {
                "modelArn": f"{HERE}imported-model/m",
                "modelDataSource": {"s3DataSource": {"s3Uri": "s3://models/merged/"}},
            },
            "bedrock:list_tags_for_resource": {"tags": []},
        },
    ).resources
    assert found.facts == {"service_type": "custom_model", "encrypted": True, "key_id": "", "input_uris": ["s3://models/merged/"]}


def test_runtimes(boto, look):
    client = boto("bedrock-agentcore-control")
    artifact = {"containerConfiguration": {"containerUri": "123456789012.dkr.ecr.us-east-1.amazonaws.com/a:1"}}
    role = "arn:aws:iam::123456789012:role/agents"
    vpc = {"networkMode": "VPC", "networkModeConfig": {"subnets": ["subnet-1"], "securityGroups": ["sg-1"]}}
    for name, network in (("inside", vpc), ("outside", {"networkMode": "PUBLIC"})):
        client.create_agent_runtime(
            agentRuntimeName=name,
            agentRuntimeArtifact=artifact,
            roleArn=role,
            networkConfiguration=network,
            environmentVariables={"TOKEN": "hunter2"},
        )
    seen = look(bedrock_agents.RUNTIMES)
    assert {r.name: r.facts["network_mode"] for r in seen.resources} == {"inside": "vpc", "outside": "public"}
    assert seen.named("inside").gaps == {}
    assert "hunter2" not in str(seen.answers)
    assert seen.failed() == []


def test_the_log_of_invocations_is_a_setting_whether_or_not_it_is_on(boto, look):
    off = look(bedrock.INVOCATION_LOGGING).named("us-east-1")
    assert (off.id, off.facts) == (
        f"{HERE}model-invocation-logging",
        {"invocations_logged": False, "invocation_text_logged": False},
    )
    logging = {
        "s3Config": {"bucketName": "prompts", "keyPrefix": "a"},
        "textDataDeliveryEnabled": False,
        "imageDataDeliveryEnabled": True,
    }
    boto("bedrock").put_model_invocation_logging_configuration(loggingConfig=logging)
    on = look(bedrock.INVOCATION_LOGGING).named("us-east-1")
    # https://github.com/prowler-cloud/prowler/pull/12663
    assert on.facts == {"invocations_logged": True, "invocation_text_logged": False}


def test_whether_text_is_logged_is_not_guessed():
    config = {"loggingConfig": {"cloudWatchConfig": {"logGroupName": "prompts", "roleArn": "arn:aws:iam::1:role/r"}}}
    (found,) = given(bedrock.INVOCATION_LOGGING, answers={"bedrock:get_model_invocation_logging_configuration": config}).resources
    assert found.facts == {"invocations_logged": True}
    assert found.gaps["invocation_text_logged"].reason is Reason.NOT_OFFERED
