"""The generated policy is enough, and no more than needed: moto enforces IAM, and the scan runs as a user who has nothing else."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.session import get_session

from collectors.aws.client import BotoClient, actions
from collectors.aws.collect import SETUP, Options, collect_account
from collectors.aws.tables import TABLES
from collectors.permissions import aws_policies, questions
from scanner.model import Call, Reason

# moto cannot check the signature of a GET without a body, and has its own names for actions of S3 and of the tagging service (signed as
# `tagging`, allowed as `tag`): of these services the policy's text is compared with the IAM reference (test_model.py) alone
NOT_ENFORCED = frozenset(
    n for n in {t.list.service for t in TABLES} if get_session().get_service_model(n).metadata["protocol"].startswith("rest")
) | {"resourcegroupstaggingapi"}


@pytest.fixture
def enforced(moto_server: str) -> Iterator[str]:
    """An account in which IAM can be told to decide."""

    before = decides_after(moto_server, "inf")
    try:
        yield moto_server
    finally:
        decides_after(moto_server, before)


def decides_after(endpoint: str, calls: str) -> str:
    """Let IAM decide after so many calls; the number before. https://docs.getmoto.org/en/latest/docs/iam.html"""
    url, kind = f"{endpoint}/moto-api/reset-auth", {"Content-Type": "text/plain"}
    request = urllib.request.Request(url, method="POST", data=calls.encode(), headers=kind)  # noqa: S310
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        return str(json.load(answer)["PREVIOUS_INITIAL_NO_AUTH_ACTION_COUNT"])


def scan_as_auditor(endpoint: str, documents: list[Any], seen: Any) -> list[Call]:
    """The calls of a scan by a user with these policies, from the moment on when IAM decides."""
    iam = boto3.client("iam", endpoint_url=endpoint)
    iam.create_user(UserName="auditor")
    for number, document in enumerate(documents):
        iam.put_user_policy(UserName="auditor", PolicyName=f"scan-{number}", PolicyDocument=json.dumps(document))
    key = iam.create_access_key(UserName="auditor")["AccessKey"]
    boto3.client("s3", endpoint_url=endpoint).create_bucket(Bucket="datasets")
    boto3.client("kms", endpoint_url=endpoint).create_key()
    decides_after(endpoint, "0")
    credentials = {"aws_access_key_id": key["AccessKeyId"], "aws_secret_access_key": key["SecretAccessKey"]}
    collect_account(Options(endpoint=endpoint, regions=("us-east-1",), credentials=credentials), seen, now="2026-11-30T00:00:00Z")
    found: list[Call] = seen.asked
    return found


def needed() -> list[str]:
    return [a for q in questions(TABLES, None, SETUP) for a in actions(q)]


def denied(calls: list[Call]) -> set[str]:
    refused = [c for c in calls if c.reason is Reason.DENIED]
    return {f"{c.service}:{c.operation}" for c in refused if c.service not in NOT_ENFORCED}


def test_it_is_enough(enforced: str, seen: Any) -> None:
    calls = scan_as_auditor(enforced, aws_policies(needed()), seen)
    assert len(calls) > len(TABLES) / 2
    assert denied(calls) == set()


def test_without_one_action_that_one_call_is_refused(enforced: str, seen: Any) -> None:
    calls = scan_as_auditor(enforced, aws_policies(a for a in needed() if a != "kms:DescribeKey"), seen)
    assert denied(calls) == {"kms:describe_key"}


def test_the_client_names_actions_as_the_policy_does() -> None:
    client = BotoClient(boto3.Session(region_name="us-east-1"))
    assert [client.actions(q) for q in questions(TABLES, None)] == [actions(q) for q in questions(TABLES, None)]
