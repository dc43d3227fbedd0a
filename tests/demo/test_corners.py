"""The second estate stands beside the demo: an account of its own, with ids that come out the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collectors.aws.demo import CREDENTIALS, read_estate, start
from tests.conftest import ROOT

CORNERS = ROOT / "fixtures" / "estates" / "corners"
pytestmark = pytest.mark.xdist_group("demo")


def seen() -> tuple[str, list[str], list[Any]]:
    """Who a caller is, the networks and the trails."""
    import boto3

    endpoint, stop = start(CORNERS)
    try:

        def client(service: str) -> Any:
            return boto3.client(service, "us-east-1", endpoint_url=endpoint, **CREDENTIALS)

        networks = client("ec2").describe_vpcs()["Vpcs"]
        trails = client("cloudtrail").describe_trails()["trailList"]
        return client("sts").get_caller_identity()["Account"], [n["VpcId"] for n in networks], trails
    finally:
        stop()


def test_it_is_an_account_of_its_own() -> None:
    account, networks, trails = seen()
    assert account == read_estate(CORNERS / "aws")["account"]
    demo = read_estate(ROOT / "fixtures" / "estates" / "ai_factory" / "aws")
    assert account != demo["account"]
    assert f"arn:aws:iam::{account}:root" in json.dumps(demo), "the demo's labelling partner"
    assert trails == []
    assert seen()[1] == networks
