"""Bedrock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import bedrock, bedrock_agents
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import PLACE, TAGS, canonical, docs, flat, key

MODEL = docs("aws_bedrock_custom_model")
GUARDRAIL = docs("aws_bedrock_guardrail")
AGENT = docs("aws_bedrockagent_agent")
SOURCE = docs("aws_bedrockagent_data_source")
LOGGING = docs("aws_bedrock_model_invocation_logging_configuration")

CONTENT = {
    "type": "type",
    "input_strength": "inputStrength",
    "input_action": "inputAction",
    "input_enabled": "inputEnabled",
}
PERSONAL = {
    "action": "action",
    "input_action": "inputAction",
    "output_action": "outputAction",
    "input_enabled": "inputEnabled",
    "output_enabled": "outputEnabled",
}
"""The provider's names of attributes, and the API's."""


def _spoken(entries: Any, words: Mapping[str, str]) -> list[dict[str, Any]]:
    return [{api: e.get(name) for name, api in words.items() if e.get(name) is not None} for e in flat(entries)]


def prompt_attack(filters: Any) -> str:
    """Strength at which attacks in prompts are blocked."""
    return bedrock.prompt_attack(_spoken(filters, CONTENT))


def personal_data(entities: Any, regexes: Any) -> str:
    """Whether personal data are blocked or masked."""
    return bedrock.personal_data(_spoken(entities, PERSONAL), _spoken(regexes, PERSONAL))


def uris(*found: Any) -> list[str]:
    """Places in buckets."""
    return bedrock.uris(*map(flat, found))


def places(buckets: Any, prefixes: Any) -> list[str]:
    """What a data source takes in; a bucket of the plan goes by its id."""
    bucket = next(iter(flat(buckets)), "")
    if bucket.startswith("plan/") or not bucket:
        return [bucket] if bucket else []
    return bedrock_agents.places(bucket, flat(prefixes))


def text_logged(*found: Any) -> bool:
    """Prompts and answers are logged, as the provider does where nothing else is said."""
    return next((v for v in flat_flags(found)), True)


def flat_flags(found: Any) -> list[bool]:
    """Flags, one by one or in lists."""
    return [v for value in found for v in (value if isinstance(value, list) else [value]) if isinstance(v, bool)]


def logged(*found: Any) -> bool:
    """The log goes somewhere."""
    return bool(flat(*found))


_CONTENT = ("content_policy_config[].filters_config[]", tuple(CONTENT))
_ENTITIES = ("sensitive_information_policy_config[].pii_entities_config[]", tuple(PERSONAL))
_REGEXES = ("sensitive_information_policy_config[].regexes_config[]", tuple(PERSONAL))


def _filters(part: str) -> dict[str, Field]:
    """What a guardrail does, read from the part of the row that holds it."""
    content, entities, regexes = (pick(f"{part}.{path}", *names) for path, names in (_CONTENT, _ENTITIES, _REGEXES))
    return {
        "prompt_attack_filter": Field(content, prompt_attack, absent="none", source=GUARDRAIL),
        "personal_data_filter": Field((entities, regexes), personal_data, absent="none", source=GUARDRAIL),
    }


CUSTOM_MODELS = PlanTable(
    "model_service",
    "AWS::Bedrock::CustomModel",
    "aws_bedrock_custom_model",
    {
        "service_type": Const("custom_model"),
        "encrypted": Const(value=True),
        "key_id": key("item.custom_model_kms_key_id", source=bedrock.MODELS),
        "input_uris": Field(
            ("item.training_data_config[].s3_uri", "item.validation_data_config[].validator[].s3_uri"),
            uris,
            absent=[],
            source=MODEL,
        ),
        "output_uris": Field("item.output_data_config[].s3_uri", uris, absent=[], source=MODEL),
    },
    name=Field("item.custom_model_name"),
    tags=TAGS,
)

GUARDRAILS = PlanTable(
    "model_service",
    "AWS::Bedrock::Guardrail",
    "aws_bedrock_guardrail",
    {
        "service_type": Const("guardrail"),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_arn", source=bedrock.GUARDRAILS),
        "guardrail_id": Field("context.id"),
        **_filters("item"),
    },
    tags=TAGS,
)


def guardrail(partition: str, region: str | None, account: str | None, found: Any) -> str:
    """The guardrail that an agent names."""
    value = next(iter(flat(found)), "")
    return canonical("bedrock", "guardrail", partition, region, account, value) if value else ""


AGENTS = PlanTable(
    "model_service",
    "AWS::Bedrock::Agent",
    "aws_bedrockagent_agent",
    {
        "service_type": Const("agent"),
        "identity": Field("item.agent_resource_role_arn"),
        "encrypted": Const(value=True),
        "key_id": key("item.customer_encryption_key_arn", source=bedrock_agents.AGENTS),
        "guardrail_id": Field((*PLACE, "item.guardrail_configuration[].guardrail_identifier"), guardrail, absent="", source=AGENT),
        # NOTE: of the guardrail as the plan leaves it; the version that the agent names is made of it
        **_filters("guardrail"),
    },
    {"guardrail": Join("aws_bedrock_guardrail", on="id", to="item.guardrail_configuration[].guardrail_identifier")},
    name=Field("item.agent_name"),
    tags=TAGS,
)

DATA_SOURCES = PlanTable(
    "model_service",
    "AWS::Bedrock::DataSource",
    "aws_bedrockagent_data_source",
    {
        "service_type": Const("data_source"),
        "encrypted": Const(value=True),
        "key_id": key("item.server_side_encryption_configuration[].kms_key_arn", source=bedrock_agents.SOURCES),
        "input_uris": Field(
            (
                "item.data_source_configuration[].s3_configuration[].bucket_arn",
                "item.data_source_configuration[].s3_configuration[].inclusion_prefixes",
            ),
            places,
            absent=[],
            source=SOURCE,
        ),
    },
    tags=None,
)

# NOTE: versions of the provider before 6 have no such type
RUNTIMES = PlanTable(
    "model_service",
    "AWS::BedrockAgentCore::Runtime",
    "aws_bedrockagentcore_agent_runtime",
    {
        "service_type": Const("agent_runtime"),
        "identity": Field("item.role_arn"),
        "network_mode": Field(
            "item.network_configuration[].network_mode",
            lambda found: {"PUBLIC": "public", "VPC": "vpc"}[found[0]] if found else MISSING,
        ),
    },
    name=Field("item.agent_runtime_name"),
    tags=TAGS,
)

INVOCATION_LOGGING = PlanTable(
    "account",
    "AWS::Bedrock::ModelInvocationLogging",
    "aws_bedrock_model_invocation_logging_configuration",
    {
        # NOTE: the block is an object or a list of one, as the provider's version has it
        "invocations_logged": Field(
            tuple(
                f"item.logging_config{some}.{where}"
                for some, inner in (("", ""), ("[]", "[]"))
                for where in (f"cloudwatch_config{inner}.log_group_name", f"s3_config{inner}.bucket_name")
            ),
            logged,
            absent=False,
            source=LOGGING,
        ),
        "invocation_text_logged": Field(
            ("item.logging_config.text_data_delivery_enabled", "item.logging_config[].text_data_delivery_enabled"),
            text_logged,
            absent=True,
            source=LOGGING,
        ),
    },
    name=Field("context.region"),
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (CUSTOM_MODELS, GUARDRAILS, AGENTS, DATA_SOURCES, RUNTIMES, INVOCATION_LOGGING)
