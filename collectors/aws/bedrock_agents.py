"""Bedrock: agents, the data sources of knowledge bases, and AgentCore runtimes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from collectors.aws import arn
from collectors.aws.bedrock import FILTERS, PERSONAL, REDACT, lives, personal_data, prompt_attack, tags_of
from collectors.table import MISSING, Call, Const, Field, Row, Table

AGENTS = "https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-agents.html"
"""An agent for which no key is named is encrypted with a key that AWS owns."""
SOURCES = "https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-kb.html"
"""So is what waits to be taken into a knowledge base."""
AGENT = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_Agent.html"
NETWORK = "https://docs.aws.amazon.com/bedrock-agentcore-control/latest/APIReference/API_NetworkConfiguration.html"
"""The network mode is required."""

GUARD = "agent.guardrailConfiguration"


def guarded(row: Row) -> bool:
    """The agent names a guardrail."""
    return bool(((row.get("agent") or {}).get("guardrailConfiguration") or {}).get("guardrailIdentifier"))


def guardrail(partition: str, region: str, account: str, value: str | None) -> Any:
    """The guardrail's ARN."""
    return arn.arn("bedrock", "guardrail", partition, region, account, value, MISSING)


def places(bucket: str, prefixes: Iterable[str] | None) -> list[str]:
    """What a data source takes in, of an S3 bucket given by its ARN."""
    name = bucket.rpartition(":")[2]
    return sorted(f"s3://{name}/{prefix}" for prefix in prefixes or [""])


AGENTS_TABLE = Table(
    kind="model_service",
    native_type="AWS::Bedrock::Agent",
    list=Call("bedrock-agent", "list_agents", take="agentSummaries"),
    keep=lives,
    id=arn.one("agent", "item.agentId", service="bedrock"),
    name=Field("item.agentName"),
    tags=arn.tags("tags"),
    detail={
        "agent": Call("bedrock-agent", "get_agent", args={"agentId": "item.agentId"}, take="agent"),
        # NOTE: the version that the agent uses, which the draft of the guardrail may have left behind
        "guardrail": Call(
            "bedrock",
            "get_guardrail",
            args={"guardrailIdentifier": f"{GUARD}.guardrailIdentifier", "guardrailVersion": f"{GUARD}.guardrailVersion"},
            when=guarded,
            needs=("agent",),
        ),
        "tags": tags_of("bedrock-agent", "resourceArn", "agent.agentArn"),
    },
    facts={
        "service_type": Const("agent"),
        "identity": Field("agent.agentResourceRoleArn"),
        "encrypted": Field("agent.agentId", lambda _: True, source=AGENTS),
        "key_id": arn.key("agent.customerEncryptionKeyArn", source=AGENTS),
        "guardrail_id": Field(
            (*arn.PLACE, f"{GUARD}.guardrailIdentifier"), lambda *found: guardrail(*found) if found[-1] else "", source=AGENT
        ),
        "prompt_attack_filter": Field("guardrail.contentPolicy.filters", prompt_attack, absent="none", source=FILTERS),
        "personal_data_filter": Field(
            ("guardrail.sensitiveInformationPolicy.piiEntities", "guardrail.sensitiveInformationPolicy.regexes"),
            personal_data,
            absent="none",
            source=PERSONAL,
        ),
    },
    redact=(*REDACT, "instruction", "basePromptTemplate"),
)

# NOTE: a data source has no ARN of its own
DATA_SOURCES = Table(
    kind="model_service",
    native_type="AWS::Bedrock::DataSource",
    list=Call("bedrock-agent", "list_knowledge_bases", take="knowledgeBaseSummaries"),
    each=Call("bedrock-agent", "list_data_sources", args={"knowledgeBaseId": "parent.knowledgeBaseId"}, take="dataSourceSummaries"),
    keep=lives,
    id=Field(
        (*arn.PLACE, "item.knowledgeBaseId", "item.dataSourceId"),
        lambda partition, region, account, base, source: (
            f"arn:{partition}:bedrock:{region}:{account}:knowledge-base/{base}/data-source/{source}"
        ),
    ),
    name=Field("item.name"),
    detail={
        "source": Call(
            "bedrock-agent",
            "get_data_source",
            args={"knowledgeBaseId": "item.knowledgeBaseId", "dataSourceId": "item.dataSourceId"},
            take="dataSource",
        ),
    },
    facts={
        "service_type": Const("data_source"),
        "encrypted": Field("source.dataSourceId", lambda _: True, source=SOURCES),
        "key_id": arn.key("source.serverSideEncryptionConfiguration.kmsKeyArn", source=SOURCES),
        "input_uris": Field(
            (
                "source.dataSourceConfiguration.s3Configuration.bucketArn",
                "source.dataSourceConfiguration.s3Configuration.inclusionPrefixes",
            ),
            places,
            absent=[],
            source="https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent_DataSourceConfiguration.html",
        ),
    },
)

RUNTIMES = Table(
    kind="model_service",
    native_type="AWS::BedrockAgentCore::Runtime",
    list=Call("bedrock-agentcore-control", "list_agent_runtimes", take="agentRuntimes"),
    keep=lives,
    id=Field("item.agentRuntimeArn"),
    name=Field("item.agentRuntimeName"),
    tags=arn.tags("tags"),
    detail={
        "runtime": Call("bedrock-agentcore-control", "get_agent_runtime", args={"agentRuntimeId": "item.agentRuntimeId"}),
        "tags": tags_of("bedrock-agentcore-control", "resourceArn", "item.agentRuntimeArn"),
    },
    facts={
        "service_type": Const("agent_runtime"),
        "identity": Field("runtime.roleArn"),
        "network_mode": Field("runtime.networkConfiguration.networkMode", {"PUBLIC": "public", "VPC": "vpc"}, source=NETWORK),
    },
    redact=("environmentVariables",),
)

TABLES: tuple[Table, ...] = (AGENTS_TABLE, DATA_SOURCES, RUNTIMES)
