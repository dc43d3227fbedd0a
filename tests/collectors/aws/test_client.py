"""botocore's exceptions in the closed list of reasons; sessions, roles and regions."""

from __future__ import annotations

import socket

import boto3
import pytest
from botocore import exceptions

from collectors.aws.client import BotoClient, actions, session_for
from collectors.aws.collect import Options, connect
from collectors.aws.shapes import UnexpectedShapeError
from collectors.run import answer
from collectors.table import Call
from scanner.model import BartizanError, Reason


@pytest.fixture
def client(moto_server):
    return BotoClient(boto3.Session(region_name="us-east-1"), moto_server)


def coded(code, message="m"):
    return exceptions.ClientError({"Error": {"Code": code, "Message": message}}, "GetThing")


@pytest.mark.parametrize(
    ("error", "reason", "fatal"),
    [
        (coded("AccessDenied"), Reason.DENIED, False),
        (coded("AccessDeniedException"), Reason.DENIED, False),
        (coded("UnauthorizedOperation"), Reason.DENIED, False),
        (coded("403"), Reason.DENIED, False),
        (coded("Throttling"), Reason.THROTTLED, False),
        (coded("ThrottlingException"), Reason.THROTTLED, False),
        (coded("RequestLimitExceeded"), Reason.THROTTLED, False),
        (coded("SlowDown"), Reason.THROTTLED, False),
        (coded("ExpiredToken"), Reason.DENIED, True),
        (coded("ExpiredTokenException"), Reason.DENIED, True),
        (coded("RequestExpired"), Reason.DENIED, True),
        (coded("InvalidClientTokenId"), Reason.DENIED, True),
        (coded("UnrecognizedClientException"), Reason.DENIED, True),
        (coded("OptInRequired"), Reason.REGION_OFF, False),
        (coded("SubscriptionRequiredException"), Reason.SERVICE_OFF, False),
        (coded("InternalError"), Reason.TIMEOUT, False),
        (coded("ServiceUnavailable"), Reason.TIMEOUT, False),
        (coded("SomethingNew"), Reason.UNPARSABLE, False),
        (exceptions.NoCredentialsError(), Reason.DENIED, True),
        (exceptions.ReadTimeoutError(endpoint_url="x"), Reason.TIMEOUT, False),
        (exceptions.ConnectTimeoutError(endpoint_url="x"), Reason.TIMEOUT, False),
        (exceptions.EndpointConnectionError(endpoint_url="https://x"), Reason.TIMEOUT, False),
        (exceptions.UnknownServiceError(service_name="x", known_service_names=[]), Reason.BUG, False),
        (UnexpectedShapeError("x"), Reason.UNPARSABLE, False),
        (ZeroDivisionError(), Reason.BUG, False),
    ],
    ids=str,
)
def test_faults(client, error, reason, fatal):
    fault = client.fault(error)
    assert (fault.reason, fault.fatal) == (reason, fatal)


@pytest.mark.parametrize(
    ("errno", "reason"), [(socket.EAI_NONAME, Reason.SERVICE_OFF), (socket.EAI_AGAIN, Reason.TIMEOUT), (None, Reason.TIMEOUT)]
)
def test_a_region_without_the_service_has_no_host_for_it(client, monkeypatch, errno, reason):
    def resolve(*_args, **_options):
        raise socket.gaierror(errno, "said so") if errno else ConnectionRefusedError

    there = client.client("s3vectors", "us-east-1")
    monkeypatch.setattr("urllib3.util.connection.socket.getaddrinfo", resolve)
    with pytest.raises(exceptions.EndpointConnectionError) as caught:
        there.list_vector_buckets()
    assert client.fault(caught.value).reason is reason


def test_denial_by_an_organisation_says_who_can_help(client):
    said = "User is not authorized with an explicit deny in a service control policy"
    assert "organisation's administrator" in client.fault(coded("AccessDenied", said)).remedy


def test_answers_of_another_shape_are_not_understood(client, monkeypatch):
    kms = client.client("kms", "us-east-1")
    monkeypatch.setattr(type(kms), "get_key_rotation_status", lambda _, **__: {"KeyRotationEnabled": {"no": "bool"}}, raising=False)
    got = answer(client, lambda: next(client.pages(Call("kms", "get_key_rotation_status"), {"KeyId": "k"}, "us-east-1")))
    assert (got.reason, got.code) == (Reason.UNPARSABLE, "UnexpectedShapeError")
    assert "KeyRotationEnabled should be boolean, is dict" in got.detail


def test_titles_and_actions():
    assert actions(Call("elbv2", "describe_ssl_policies")) == ("elasticloadbalancing:DescribeSSLPolicies",)
    assert actions(Call("s3", "list_buckets", actions=("s3:ListAllMyBuckets",))) == ("s3:ListAllMyBuckets",)


def test_role_is_assumed_and_told_apart(moto_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_server)
    account = connect(
        Options(role="arn:aws:iam::210987654321:role/audit", external_id="ours", regions=("us-east-1",)), "2026-01-01T00:00:00Z", 4
    )
    assert account.scope.id == "210987654321"
    assert account.source.identity == "arn:aws:sts::210987654321:assumed-role/audit/bartizan"


def test_every_enabled_region_is_looked_at_unless_told(moto_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_server)
    account = connect(Options(), "2026-01-01T00:00:00Z", 4)
    assert {"us-east-1", "eu-west-1"} <= set(account.scope.regions)
    assert len(account.scope.regions) > 10


def test_regions_that_are_off_are_their_own_reason(moto_server, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", moto_server)
    with pytest.raises(BartizanError, match="not enabled") as caught:
        connect(Options(regions=("ap-east-1",)), "2026-01-01T00:00:00Z", 4)
    assert caught.value.code == 3
    account = connect(Options(regions=("us-east-1", "ap-east-1")), "2026-01-01T00:00:00Z", 4)
    assert (list(account.scope.regions), list(account.off)) == (["us-east-1"], ["ap-east-1"])


def test_profile_that_is_not_there():
    with pytest.raises(BartizanError, match="--profile nobody"):
        session_for(profile="nobody")
