"""Bedrock in plans made by Terraform, and what the provider's newer versions write."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from collectors.terraform.tables import bedrock
from scanner.model import Reason, Resource
from tests.conftest import ROOT

PLAN = ROOT / "fixtures" / "plans" / "types" / "07-ml" / "plan.json"
KEY = "plan/aws_kms_key.ml"
GUARDRAIL = "plan/aws_bedrock_guardrail.good"
FILTERS = ("guardrail_id", "prompt_attack_filter", "personal_data_filter")


@functools.cache
def planned() -> dict[str, Resource]:
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(PLAN).resources}


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        ("bedrock_guardrail.good", {"key_id": KEY, **dict(zip(FILTERS, (GUARDRAIL, "high", "enforce"), strict=True))}),
        (
            "bedrock_guardrail.bad",
            {"key_id": "", **dict(zip(FILTERS, ("plan/aws_bedrock_guardrail.bad", "none", "none"), strict=True))},
        ),
        ("bedrockagent_agent.good", {"key_id": KEY, **dict(zip(FILTERS, (GUARDRAIL, "high", "enforce"), strict=True))}),
        ("bedrockagent_agent.bad", {"key_id": "", **dict(zip(FILTERS, ("", "none", "none"), strict=True))}),
        ("bedrockagent_data_source.good", {"key_id": KEY, "input_uris": ["s3://petrel-docs/"]}),
        ("bedrockagent_data_source.bad", {"key_id": "", "input_uris": ["s3://petrel-docs/"]}),
        (
            "bedrock_custom_model.good",
            {"key_id": KEY, "input_uris": ["s3://petrel-in/train.jsonl"], "output_uris": ["s3://petrel-out/"]},
        ),
        ("bedrock_custom_model.bad", {"key_id": ""}),
        (
            "bedrock_model_invocation_logging_configuration.bad",
            {"invocations_logged": True, "invocation_text_logged": False},
        ),
    ],
)
def test_facts(address: str, facts: dict[str, Any]) -> None:
    found = planned()[address]
    assert {n: found.facts.get(n, found.gaps.get(n)) for n in facts} == facts
    assert not found.gaps.keys() & facts.keys()


def test_an_agent_behind_a_guardrail_of_another_plan(make: Any) -> None:
    make.add(
        "aws_bedrockagent_agent.a",
        after={"agent_name": "a", "guardrail_configuration": [{"guardrail_identifier": "gr1", "guardrail_version": "1"}]},
    )
    (found,) = make.read().resources
    assert found.facts["guardrail_id"] == "gr1"
    assert found.gaps["prompt_attack_filter"].reason is Reason.NOT_OFFERED
    assert found.gaps["personal_data_filter"].reason is Reason.NOT_OFFERED


def test_actions_that_newer_versions_write() -> None:
    report = [{"type": "PROMPT_ATTACK", "input_strength": "HIGH", "input_action": "NONE", "input_enabled": True}]
    assert bedrock.prompt_attack(report) == "detect"
    assert bedrock.personal_data([{"action": "BLOCK", "input_action": "NONE", "output_action": "NONE"}], None) == "detect"
    assert bedrock.personal_data(None, [{"action": "ANONYMIZE"}]) == "enforce"


def test_logging_is_an_object_or_a_list_of_one(make: Any) -> None:
    block = {"cloudwatch_config": [], "s3_config": [{"bucket_name": "prompts"}], "text_data_delivery_enabled": True}
    make.add("aws_bedrock_model_invocation_logging_configuration.l", after={"logging_config": [block]})
    (found,) = make.read().resources
    assert found.facts == {"invocations_logged": True, "invocation_text_logged": True}


# the provider has the type from version 6 on:
# https://github.com/hashicorp/terraform-provider-aws/blob/main/website/docs/r/bedrockagentcore_agent_runtime.html.markdown
@pytest.mark.parametrize(("mode", "fact"), [("PUBLIC", "public"), ("VPC", "vpc")])
def test_runtime(make: Any, mode: str, fact: str) -> None:
    make.add(
        "aws_bedrockagentcore_agent_runtime.r",
        after={
            "agent_runtime_name": "planner",
            "role_arn": "arn:aws:iam::123456789012:role/agents",
            "network_configuration": [{"network_mode": mode, "network_mode_config": []}],
        },
    )
    (found,) = make.read().resources
    assert (found.native_type, found.name, found.facts["network_mode"]) == ("AWS::BedrockAgentCore::Runtime", "planner", fact)
