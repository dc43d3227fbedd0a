"""Private endpoints."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.endpoints import policy_open
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import OWN, allow, deny, policy, when
from tests.scanner.derive.things import AFTER, arn, planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

VPC = arn("network", "vpc-1")
TABLE = arn("route_table", "m")


def of(subject: Resource, fact: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    return MemoryWorld([subject, *others], gaps, DERIVATIONS).fact(subject, fact)


def network() -> Resource:
    return thing("network", "vpc-1")


def subnet() -> Resource:
    return thing("subnet", "s-1", network_id=VPC)


def main_table() -> Resource:
    return thing("route_table", "m", network_id=VPC, main=True, subnet_ids=[], routes=[])


def door(service: str = "s3", kind: str = "gateway", gaps: dict[str, Gap] | None = None, **facts: Any) -> Resource:
    known = {"service": service, "endpoint_type": kind, "network_id": VPC, "state": "available", "private_dns": kind == "interface"}
    known |= {"route_table_ids": [TABLE] if kind == "gateway" else []} | facts
    return thing("private_endpoint", f"{service}-{kind}", gaps=gaps, **{k: v for k, v in known.items() if k not in (gaps or {})})


def test_services() -> None:
    found = [
        door(),
        door("sts", "interface"),
        door("kms", "interface", private_dns=False),
        door("logs", "interface", state="deleting"),
    ]
    assert of(network(), "private_services", *found) == ["s3", "sts"]
    assert of(network(), "private_services") == []
    assert of(network(), "private_services", door(), gaps={"AWS::EC2::VPCEndpoint": DENIED}) is DENIED
    assert of(network(), "private_services", door(gaps={"service": DENIED})) is DENIED


def test_an_endpoint_of_a_plan_counts_as_what_it_will_be() -> None:
    assert of(network(), "private_services", door(gaps={"state": AFTER})) == ["s3"]
    assert of(network(), "private_services", door(gaps={"state": DENIED})) is DENIED


def test_s3_gateway_must_be_in_the_subnets_own_table() -> None:
    other = door(route_table_ids=[arn("route_table", "other")])
    world = (network(), main_table())
    assert of(subnet(), "s3_gateway", *world, door()) is True
    assert of(subnet(), "s3_gateway", *world, other) is False
    assert of(subnet(), "s3_gateway", *world, door("dynamodb")) is False
    assert of(subnet(), "s3_gateway", *world, door("s3express")) is False
    assert of(subnet(), "s3_gateway", *world, door(gaps={"route_table_ids": DENIED})) is DENIED
    assert of(subnet(), "s3_gateway", *world, gaps={"AWS::EC2::VPCEndpoint": DENIED}) is DENIED
    assert of(subnet(), "s3_gateway", network(), door(), gaps={"AWS::EC2::RouteTable": DENIED}) is DENIED


def test_s3_interface() -> None:
    world = (network(), main_table())
    assert of(subnet(), "s3_interface", *world, door("s3", "interface")) is True
    assert of(subnet(), "s3_interface", *world, door("s3", "interface", private_dns=False)) is False
    assert of(subnet(), "s3_interface", *world) is False


def test_in_a_plan_the_unasked_table_has_no_endpoint() -> None:
    made = planned("network", "aws_vpc.v")
    assert of(planned("subnet", "aws_subnet.s", network_id=made.id), "s3_gateway", made, door()) is False


FULL = allow("*", "*", "*")


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([FULL], True),
        ([allow("*", "s3:*", "*")], True),
        ([allow("*", "*", "*", **when(Bool={"aws:SecureTransport": "true"}))], True),
        ([], False),
        ([allow("*", "s3:GetObject", "*")], False),
        ([allow("*", "*", "arn:aws:s3:::corpus/*")], False),
        ([allow({"AWS": OWN}, "*", "*")], False),
        ([allow("*", "*", "*", **when(StringEquals={"aws:PrincipalOrgID": "o-ours"}))], False),
        ([allow("*", "*", "*", **when(StringEquals={"aws:ResourceOrgID": "o-ours"}))], False),
        ([FULL, deny("*", "*", "*", **when(StringNotEqualsIfExists={"aws:ResourceOrgID": "o-ours"}))], False),
    ],
    ids=str,
)
def test_policy_open(found: list[dict[str, Any]], answer: object) -> None:
    assert policy_open(policy(*found)) is answer


def test_every_bucket_is_every_resource_in_any_partition() -> None:
    for resource in ("arn:aws:s3:::*", "arn:aws-cn:s3:::*", ["arn:aws:s3:::*", "arn:aws:s3:::*/*"]):
        assert policy_open(policy(allow("*", "s3:*", resource))) is True
    assert policy_open(policy(allow("*", "s3:*", "arn:aws:s3:::corpus/*"))) is False


def test_a_fence_that_names_everything_is_none() -> None:
    fence = deny("*", "*", "*", **when(StringNotLike={"aws:ResourceAccount": "*"}))
    assert policy_open(policy(FULL, fence)) is not False
    assert policy_open(policy(FULL, deny("*", "*", "*", **when(StringNotEquals={"aws:ResourceAccount": OWN})))) is False


def test_what_is_not_understood_is_unknown() -> None:
    for found in ([allow("*", "*", "*", **when(StringEquals={"aws:NewKeyOf2027": "x"}))], [FULL, deny("*", "s3:Delete*", "*")]):
        answer = policy_open(policy(*found))
        assert isinstance(answer, Gap)
        assert answer.reason is Reason.UNPARSABLE


def test_the_default_policy_is_open() -> None:
    assert of(door(policy_statements=policy(FULL)), "policy_open") is True
    assert of(door(gaps={"policy_statements": AFTER}), "policy_open") is AFTER
