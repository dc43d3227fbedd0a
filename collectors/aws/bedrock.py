"""Bedrock: custom and imported models, guardrails, and the log of invocations. Agents are in `bedrock_agents.py`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import MISSING, Call, Const, Field, Table

MODELS = "https://docs.aws.amazon.com/bedrock/latest/userguide/encryption-custom-job.html"
"""A model for which no key is named is encrypted with a key that AWS owns."""
GUARDRAILS = "https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-permissions.html"
"""So is a guardrail."""
FILTERS = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GuardrailContentFilter.html"
PERSONAL = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GuardrailPiiEntity.html"
CUSTOM = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetCustomModel.html"
IMPORTED = "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_GetImportedModel.html"
LOGGING = "https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html"

REDACT = ("definition", "examples", "text", "pattern", "blockedInputMessaging", "blockedOutputsMessaging", "hyperParameters")
"""What a guardrail looks for, and what it says, is confidential text that no rule needs."""


def made(model: Mapping[str, Any]) -> bool:
    """The model was made: one whose making failed holds nothing."""
    return model.get("modelStatus") != "Failed"


def lives(thing: Mapping[str, Any]) -> bool:
    """It is not on its way out."""
    return "DELETING" not in (thing.get("status"), thing.get("agentStatus"))


def uris(*found: Any) -> list[str]:
    """Places in buckets, given one by one or in lists: each once, sorted."""
    flat = [u for value in found for u in (value if isinstance(value, list) else [value])]
    return sorted({str(u) for u in flat if u})


STRENGTHS = {"HIGH": "high", "MEDIUM": "medium", "LOW": "low", "NONE": "none"}


def prompt_attack(filters: Iterable[Mapping[str, Any]]) -> str:
    """The strength at which attacks in prompts are blocked. The filter looks at inputs only, whatever it says of outputs.

    An action that is not named is BLOCK: it was the only one there was.
    https://docs.aws.amazon.com/bedrock/latest/userguide/guardrails-harmful-content-handling-options.html
    """
    for entry in filters:
        strength = STRENGTHS[entry.get("inputStrength") or "NONE"]
        if entry["type"] == "PROMPT_ATTACK" and entry.get("inputEnabled") is not False and strength != "none":
            return strength if {"BLOCK": True, "NONE": False}[entry.get("inputAction") or "BLOCK"] else "detect"
    return "none"


ENFORCING = {"BLOCK": True, "ANONYMIZE": True, "NONE": False}


def personal_data(entities: Iterable[Mapping[str, Any]] | None, regexes: Iterable[Mapping[str, Any]] | None) -> str:
    """Whether some kind of personal data is blocked or masked, in what comes in or in what goes out."""
    seen = {ENFORCING[action] for entry in (*(entities or ()), *(regexes or ())) for action in _actions(entry)}
    return "enforce" if True in seen else "detect" if seen else "none"


def _actions(entry: Mapping[str, Any]) -> list[str]:
    ways = (("inputEnabled", "inputAction"), ("outputEnabled", "outputAction"))
    return [entry.get(action) or entry.get("action") or "BLOCK" for enabled, action in ways if entry.get(enabled) is not False]


def destination(config: Mapping[str, Any]) -> bool:
    """The log goes somewhere."""
    places = ((config.get("cloudWatchConfig") or {}).get("logGroupName"), (config.get("s3Config") or {}).get("bucketName"))
    return any(places)


def tags_of(service: str, parameter: str, path: str) -> Call:
    """The tags of one resource."""
    return Call(service, "list_tags_for_resource", args={parameter: path}, take="tags")


CUSTOM_MODELS = Table(
    kind="model_service",
    native_type="AWS::Bedrock::CustomModel",
    list=Call("bedrock", "list_custom_models", fixed={"isOwned": True}, take="modelSummaries"),
    keep=made,
    id=Field("item.modelArn"),
    name=Field("item.modelName"),
    tags=arn.tags("tags"),
    detail={
        "model": Call("bedrock", "get_custom_model", args={"modelIdentifier": "item.modelArn"}),
        "tags": tags_of("bedrock", "resourceARN", "item.modelArn"),
    },
    facts={
        "service_type": Const("custom_model"),
        "encrypted": Field("model.modelArn", lambda _: True, source=MODELS),
        "key_id": arn.key("model.modelKmsKeyArn", source=MODELS),
        "input_uris": Field(
            (
                "model.trainingDataConfig.s3Uri",
                "model.trainingDataConfig.invocationLogsConfig.invocationLogSource.s3Uri",
                "model.validationDataConfig.validators[].s3Uri",
            ),
            uris,
            absent=[],
            source=CUSTOM,
        ),
        "output_uris": Field("model.outputDataConfig.s3Uri", uris, absent=[], source=CUSTOM),
    },
    redact=REDACT,
)

IMPORTED_MODELS = Table(
    kind="model_service",
    native_type="AWS::Bedrock::ImportedModel",
    list=Call("bedrock", "list_imported_models", take="modelSummaries"),
    id=Field("item.modelArn"),
    name=Field("item.modelName"),
    tags=arn.tags("tags"),
    detail={
        "model": Call("bedrock", "get_imported_model", args={"modelIdentifier": "item.modelArn"}),
        "tags": tags_of("bedrock", "resourceARN", "item.modelArn"),
    },
    facts={
        "service_type": Const("custom_model"),
        "encrypted": Field("model.modelArn", lambda _: True, source=MODELS),
        "key_id": arn.key("model.modelKmsKeyArn", source=MODELS),
        "input_uris": Field("model.modelDataSource.s3DataSource.s3Uri", uris, absent=[], source=IMPORTED),
    },
)

# NOTE: the listing gives the draft of each guardrail; the version that an agent uses is read with the agent
GUARDRAIL = Table(
    kind="model_service",
    native_type="AWS::Bedrock::Guardrail",
    list=Call("bedrock", "list_guardrails", take="guardrails"),
    keep=lives,
    id=Field("item.arn"),
    name=Field("item.name"),
    tags=arn.tags("tags"),
    detail={
        "guardrail": Call("bedrock", "get_guardrail", args={"guardrailIdentifier": "item.id"}),
        "tags": tags_of("bedrock", "resourceARN", "item.arn"),
    },
    facts={
        "service_type": Const("guardrail"),
        "encrypted": Field("guardrail.guardrailArn", lambda _: True, source=GUARDRAILS),
        "key_id": arn.key("guardrail.kmsKeyArn", source=GUARDRAILS),
        "guardrail_id": Field("item.arn"),
        "prompt_attack_filter": Field("guardrail.contentPolicy.filters", prompt_attack, absent="none", source=FILTERS),
        "personal_data_filter": Field(
            ("guardrail.sensitiveInformationPolicy.piiEntities", "guardrail.sensitiveInformationPolicy.regexes"),
            personal_data,
            absent="none",
            source=PERSONAL,
        ),
    },
    redact=REDACT,
)

INVOCATION_LOGGING = Table(
    kind="account",
    native_type="AWS::Bedrock::ModelInvocationLogging",
    list=Call("bedrock", "get_model_invocation_logging_configuration"),
    id=Field(arn.PLACE, lambda partition, region, account: f"arn:{partition}:bedrock:{region}:{account}:model-invocation-logging"),
    name=Field(arn.REGION),
    facts={
        "invocations_logged": Field("item.loggingConfig", destination, absent=False, source=LOGGING),
        # NOTE: no default where logging is on: none is documented
        "invocation_text_logged": Field(
            ("item.loggingConfig.textDataDeliveryEnabled", "item.loggingConfig"),
            lambda text, config: text if text is not None else MISSING if config else False,
            absent=False,
            source=LOGGING,
        ),
    },
)

TABLES: tuple[Table, ...] = (CUSTOM_MODELS, IMPORTED_MODELS, GUARDRAIL, INVOCATION_LOGGING)
