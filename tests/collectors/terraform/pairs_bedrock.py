"""Pairs of Bedrock: most of it moto does not know."""

from __future__ import annotations

from typing import Any

from tests.collectors.terraform.conftest import Maker
from tests.collectors.terraform.pairs import Pair, arn, role

AT = "2026-09-01T08:00:00Z"
KEY = arn("kms", "key/11111111-1111-4111-8111-111111111111")
IDS = {
    "plan/aws_kms_key.ml": KEY,
    "plan/aws_iam_role.exec_good": role("petrel-exec-good"),
    "plan/aws_iam_role.exec_bad": role("petrel-exec-bad"),
    "plan/aws_bedrock_guardrail.good": arn("bedrock", "guardrail/good"),
}
HATE = {"type": "HATE", "inputStrength": "HIGH", "outputStrength": "HIGH"}
ATTACK = {"type": "PROMPT_ATTACK", "inputStrength": "HIGH", "outputStrength": "NONE"}
EMAIL = {"type": "EMAIL", "action": "BLOCK"}
STRICT: dict[str, Any] = {
    "kmsKeyArn": KEY,
    "contentPolicy": {"filters": [ATTACK, HATE]},
    "sensitiveInformationPolicy": {"piiEntities": [EMAIL], "regexes": []},
}
LAX: dict[str, Any] = {"contentPolicy": {"filters": [HATE | {"inputStrength": "LOW", "outputStrength": "NONE"}]}}


def _guardrail(name: str, version: str, **more: Any) -> dict[str, Any]:
    return {
        "name": f"petrel-{name}",
        "guardrailId": name,
        "guardrailArn": arn("bedrock", f"guardrail/{name}"),
        "version": version,
        "status": "READY",
        "createdAt": AT,
        "updatedAt": AT,
        "blockedInputMessaging": "no",
        "blockedOutputsMessaging": "no",
        **more,
    }


def _guardrail_pair(name: str, **more: Any) -> Pair:
    own = arn("bedrock", f"guardrail/{name}")
    listed = {
        "id": name,
        "arn": own,
        "name": f"petrel-{name}",
        "status": "READY",
        "version": "DRAFT",
        "createdAt": AT,
        "updatedAt": AT,
    }
    return Pair(
        f"07-ml aws_bedrock_guardrail.{name}",
        own,
        {
            "bedrock:list_guardrails": {"guardrails": [listed]},
            "bedrock:get_guardrail": _guardrail(name, "DRAFT", **more),
            "bedrock:list_tags_for_resource": {"tags": []},
        },
        ids=IDS | {f"plan/aws_bedrock_guardrail.{name}": own},
    )


def _agent(name: str, **more: Any) -> Pair:
    own = arn("bedrock", f"agent/{name}")
    return Pair(
        f"07-ml aws_bedrockagent_agent.{name}",
        own,
        {
            "bedrock-agent:list_agents": {
                "agentSummaries": [{"agentId": name, "agentName": f"petrel-{name}", "agentStatus": "PREPARED", "updatedAt": AT}]
            },
            "bedrock-agent:get_agent": {
                "agent": {
                    "agentId": name,
                    "agentName": f"petrel-{name}",
                    "agentArn": own,
                    "agentStatus": "PREPARED",
                    "agentResourceRoleArn": role(f"petrel-exec-{name}"),
                    "idleSessionTTLInSeconds": 600,
                    "agentVersion": "DRAFT",
                    "createdAt": AT,
                    "updatedAt": AT,
                    **more,
                }
            },
            "bedrock:get_guardrail:1": _guardrail("good", "1", **STRICT),
            "bedrock-agent:list_tags_for_resource": {"tags": {}},
        },
        ids=IDS,
    )


def _source(name: str, **more: Any) -> Pair:
    summary = {
        "knowledgeBaseId": "KB12345678",
        "dataSourceId": name,
        "name": f"petrel-{name}",
        "status": "AVAILABLE",
        "updatedAt": AT,
    }
    bucket = {"type": "S3", "s3Configuration": {"bucketArn": "arn:aws:s3:::petrel-docs"}}
    return Pair(
        f"07-ml aws_bedrockagent_data_source.{name}",
        arn("bedrock", f"knowledge-base/KB12345678/data-source/{name}"),
        {
            "bedrock-agent:list_knowledge_bases": {
                "knowledgeBaseSummaries": [{"knowledgeBaseId": "KB12345678", "name": "kb", "status": "ACTIVE", "updatedAt": AT}]
            },
            "bedrock-agent:list_data_sources": {"dataSourceSummaries": [summary]},
            "bedrock-agent:get_data_source": {
                "dataSource": {**summary, "dataSourceConfiguration": bucket, "createdAt": AT, **more},
            },
        },
        ids=IDS,
    )


def _model(name: str, **more: Any) -> Pair:
    own = arn("bedrock", f"custom-model/amazon.titan-text-express-v1/{name}")
    base = "arn:aws:bedrock:us-east-1::foundation-model/amazon.titan-text-express-v1"
    summary = {"modelArn": own, "modelName": f"petrel-{name}", "creationTime": AT, "baseModelArn": base, "baseModelName": "titan"}
    return Pair(
        f"07-ml aws_bedrock_custom_model.{name}",
        own,
        {
            "bedrock:list_custom_models": {"modelSummaries": [summary]},
            "bedrock:get_custom_model": {
                "modelArn": own,
                "modelName": f"petrel-{name}",
                "baseModelArn": base,
                "creationTime": AT,
                "trainingDataConfig": {"s3Uri": "s3://petrel-in/train.jsonl"},
                "outputDataConfig": {"s3Uri": "s3://petrel-out/"},
                **more,
            },
            "bedrock:list_tags_for_resource": {"tags": []},
        },
        ids=IDS,
    )


def _runtime(make: Maker) -> None:
    make.add(
        "aws_bedrockagentcore_agent_runtime.planner",
        after={
            "agent_runtime_name": "planner",
            "role_arn": role("agents"),
            "network_configuration": [{"network_mode": "PUBLIC", "network_mode_config": []}],
        },
        late=("agent_runtime_arn", "agent_runtime_id"),
    )


RUNTIME = {
    "agentRuntimeArn": arn("bedrock-agentcore", "runtime/planner-1"),
    "agentRuntimeId": "planner-1",
    "agentRuntimeName": "planner",
    "agentRuntimeVersion": "1",
    "lastUpdatedAt": AT,
    "status": "READY",
}

BEDROCK: tuple[Pair, ...] = (
    _guardrail_pair("good", **STRICT),
    _guardrail_pair("bad", **LAX),
    _agent(
        "good",
        customerEncryptionKeyArn=KEY,
        guardrailConfiguration={"guardrailIdentifier": "good", "guardrailVersion": "1"},
    ),
    _agent("bad"),
    _source("good", serverSideEncryptionConfiguration={"kmsKeyArn": KEY}),
    _source("bad"),
    _model("good", modelKmsKeyArn=KEY),
    _model("bad"),
    Pair(
        "07-ml aws_bedrock_model_invocation_logging_configuration.bad",
        arn("bedrock", "model-invocation-logging"),
        {
            "bedrock:get_model_invocation_logging_configuration": {
                "loggingConfig": {
                    "cloudWatchConfig": {"logGroupName": "/aws/bedrock/invocations", "roleArn": role("petrel-exec-good")},
                    "textDataDeliveryEnabled": False,
                    "imageDataDeliveryEnabled": False,
                    "embeddingDataDeliveryEnabled": True,
                }
            }
        },
    ),
    Pair(
        "aws_bedrockagentcore_agent_runtime.planner",
        RUNTIME["agentRuntimeArn"],
        {
            "bedrock-agentcore-control:list_agent_runtimes": {"agentRuntimes": [RUNTIME | {"description": ""}]},
            "bedrock-agentcore-control:get_agent_runtime": {
                **RUNTIME,
                "createdAt": AT,
                "roleArn": role("agents"),
                "networkConfiguration": {"networkMode": "PUBLIC"},
                "lifecycleConfiguration": {},
            },
            "bedrock-agentcore-control:list_tags_for_resource": {"tags": {}},
        },
        planned=_runtime,
    ),
)
