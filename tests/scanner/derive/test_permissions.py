"""What identity policies grant."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.permissions import data_wildcards, grants_admin, pass_role_any, uses_negation
from scanner.model import Gap
from tests.scanner.derive.statements import OWN, grant, policy, when


def excepting(**names: Any) -> dict[str, Any]:
    statement = {**grant(), **names}
    if "NotAction" in names:
        del statement["Action"]
    if "NotResource" in names:
        del statement["Resource"]
    return statement


MFA = when(Bool={"aws:MultiFactorAuthPresent": "true"})


@pytest.mark.parametrize(
    "found",
    [
        [grant()],
        [grant("*:*")],
        [grant(["s3:GetObject", "*"], ["arn:aws:s3:::x", "*"])],
        [grant(**MFA)],
        [grant(**when(StringEquals={"aws:RequestedRegion": "eu-west-1"}))],
        [excepting(NotAction="aws-portal:*")],
        [excepting(NotAction="iam:CreateUser")],
        [grant("?*", "?*")],
        [grant(), grant(effect="Deny", **when(BoolIfExists={"aws:MultiFactorAuthPresent": "false"}))],
    ],
    ids=str,
)
def test_admin(found: list[dict[str, Any]]) -> None:
    assert grants_admin(policy(*found)) is True


@pytest.mark.parametrize(
    "found",
    [
        [],
        [grant("s3:*")],
        [grant(resource="arn:aws:s3:::x")],
        [excepting(NotAction=["iam:*", "organizations:*"])],
        [excepting(NotAction=["iam:Attach*", "iam:Put*", "iam:Create*"])],
        [grant(), excepting(NotAction="s3:*", Effect="Deny")],
        [excepting(NotResource="arn:aws:s3:::secret")],
        [grant(**when(StringEquals={"aws:ResourceTag/team": "ml"}))],
        [grant(), grant(effect="Deny")],
        [grant(effect="Deny")],
    ],
    ids=str,
)
def test_not_admin(found: list[dict[str, Any]]) -> None:
    assert grants_admin(policy(*found)) is False


def test_cloudsplaining_278_a_condition_that_is_not_understood_is_unknown() -> None:
    answer = grants_admin(policy(grant(**when(StringEquals={"aws:NewKeyOf2027": "x"}))))
    assert isinstance(answer, Gap)
    assert "aws:newkeyof2027" in answer.detail


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        (grant("iam:PassRole"), True),
        (grant("iam:Pass*"), True),
        (grant("iam:*"), True),
        (grant(["iam:passrole"], f"arn:aws:iam::{OWN}:role/*"), True),
        (grant("iam:PassRole", "arn:aws:iam::*:role/*"), True),
        (grant("iam:PassRole", f"arn:aws:iam::{OWN}:role/trainer"), False),
        (grant("iam:PassRole", f"arn:aws:iam::{OWN}:role/ml/*"), False),
        (grant("iam:PassRole", **when(StringEquals={"iam:PassedToService": "sagemaker.amazonaws.com"})), False),
        (grant("iam:PassRole", **when(StringLike={"iam:PassedToService": "*"})), True),
        (grant("iam:PassRole", **when(StringLike={"iam:PassedToService": "*.amazonaws.com"})), True),
        (grant("iam:GetRole"), False),
        (excepting(NotAction="s3:*"), True),
        (excepting(Action="iam:PassRole", NotResource="arn:aws:iam::1:role/admin"), True),
    ],
    ids=str,
)
def test_pass_role(found: dict[str, Any], answer: object) -> None:
    assert pass_role_any(policy(found)) is answer


@pytest.mark.parametrize("operator", ["StringNotEquals", "ForAllValues:StringEquals"])
def test_pass_role_odd_conditions_on_the_service_are_unknown(operator: str) -> None:
    assert isinstance(pass_role_any(policy(grant("iam:PassRole", Condition={operator: {"iam:PassedToService": "x"}}))), Gap)


def test_pass_role_every_request_has_the_service() -> None:
    found = grant("iam:PassRole", **when(StringEqualsIfExists={"iam:PassedToService": "sagemaker.amazonaws.com"}))
    assert pass_role_any(policy(found)) is False


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([grant("s3:*")], ["s3"]),
        ([grant("S3:*", "arn:aws:s3:::*")], ["s3"]),
        ([grant(["sagemaker:*", "bedrock:*"])], ["bedrock", "sagemaker"]),
        ([grant("kms:Decrypt")], ["kms"]),
        ([grant("kms:Encrypt")], []),
        ([grant("kms:ReEncrypt*")], ["kms"]),
        ([grant("s3:*", "arn:aws-cn:s3:::*")], ["s3"]),
        ([grant("s3:*", "arn:aws-us-gov:s3:::*/*")], ["s3"]),
        ([grant("kms:Decrypt", "arn:aws:kms:*:*:key/*")], ["kms"]),
        ([grant("kms:Decrypt", f"arn:aws:kms:*:{OWN}:key/*")], []),
        ([grant("sagemaker:*", "arn:aws:s3:::*")], []),
        ([grant("s3:*", "arn:aws:s3:::corpus/*")], []),
        ([grant("s3:List*")], []),
        ([grant("s3:*", **when(StringEquals={"aws:ResourceAccount": OWN}))], []),
        ([grant("s3:*"), grant("s3:*", effect="Deny")], []),
        ([grant("s3:*"), grant("s3:DeleteBucket", effect="Deny")], ["s3"]),
        ([grant("ec2:*")], []),
    ],
    ids=str,
)
def test_data_wildcards(found: list[dict[str, Any]], answer: list[str]) -> None:
    assert data_wildcards(policy(*found)) == answer


def test_data_wildcards_unknown_only_where_nothing_is_certain() -> None:
    doubtful = grant("s3:*", **when(StringEquals={"aws:NewKeyOf2027": "x"}))
    assert isinstance(data_wildcards(policy(doubtful)), Gap)
    assert data_wildcards(policy(doubtful, grant("fsx:*"))) == ["fsx"]


def test_negation_counts_in_an_allow_alone() -> None:
    assert uses_negation(policy(excepting(NotAction="iam:*")))
    assert uses_negation(policy(excepting(NotResource="x")))
    assert not uses_negation(policy(excepting(NotAction="iam:*", Effect="Deny"), grant("s3:*")))
