"""The block of public access to networks, and what is left out of it. moto knows neither."""

from __future__ import annotations

import pytest

from collectors.aws import blocks
from tests.collectors.aws.answers import given

VPC = "arn:aws:ec2:us-east-1:123456789012:vpc/vpc-1"


@pytest.mark.parametrize(
    ("mode", "fact"), [("off", "off"), ("block-ingress", "ingress"), ("block-bidirectional", "bidirectional"), (None, "off")]
)
def test_block(mode, fact):
    options = {"AwsAccountId": "123456789012", "State": "default-state", **({"InternetGatewayBlockMode": mode} if mode else {})}
    answers = {"ec2:describe_vpc_block_public_access_options": {"VpcBlockPublicAccessOptions": options}}
    (found,) = given(blocks.NETWORK_BLOCK, answers=answers).resources
    assert (found.id, found.facts) == (
        "arn:aws:ec2:us-east-1:123456789012:vpc-block-public-access",
        {"internet_gateway_block": fact},
    )


def test_exclusions():
    def exclusion(name, mode, state):
        return {"ExclusionId": name, "InternetGatewayExclusionMode": mode, "ResourceArn": VPC, "State": state}

    pages = [
        {"VpcBlockPublicAccessExclusions": [exclusion("x-1", "allow-bidirectional", "create-complete")], "NextToken": "2"},
        {
            "VpcBlockPublicAccessExclusions": [
                exclusion("x-2", "allow-egress", "update-complete"),
                exclusion("x-3", "allow-bidirectional", "delete-complete"),
            ]
        },
    ]
    seen = given(blocks.NETWORK_EXCLUSIONS, answers={"ec2:describe_vpc_block_public_access_exclusions": pages})
    assert {r.name: (r.facts["excluded_id"], r.facts["exclusion_mode"]) for r in seen.resources} == {
        "x-1": (VPC, "bidirectional"),
        "x-2": (VPC, "egress"),
        "x-3": (VPC, "none"),
    }
    assert seen.resources[0].id == "arn:aws:ec2:us-east-1:123456789012:vpc-block-public-access-exclusion/x-1"
