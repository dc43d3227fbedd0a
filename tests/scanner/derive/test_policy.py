"""Who gets in. Cases that other tools got wrong carry the public issue's number."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive import policy as judge
from scanner.derive.policy import tls_min_version, tls_only, unclear
from scanner.model import Gap, Reason
from tests.scanner.derive.statements import BUCKET, OTHER, OWN, allow, deny, policy, when


def public(statements: list[dict[str, Any]], service: str = "s3") -> str:
    return judge.public(statements, service)


def foreign_accounts(statements: list[dict[str, Any]], own: str, **more: Any) -> list[str] | Gap:
    return judge.foreign_accounts(statements, own, "s3", **more)


ORGANISATION = {"aws:PrincipalOrgID": "o-ours"}
ROOT = f"arn:aws:iam::{OWN}:root"


@pytest.mark.parametrize("principal", ["*", {"AWS": "*"}, {"AWS": ["*", ROOT]}])
def test_everyone_is_public(principal: Any) -> None:
    assert public(policy(allow(principal))) == "yes"


@pytest.mark.parametrize(
    "principal", [{"AWS": ROOT}, {"Service": "cloudtrail.amazonaws.com"}, {"CanonicalUser": "79a5"}, {"Federated": "cognito"}]
)
def test_named_principals_are_not_public(principal: Any) -> None:
    assert public(policy(allow(principal))) == "no"


def test_no_policy_is_not_public() -> None:
    assert public([]) == "no"


def test_not_principal_in_an_allow_is_public() -> None:
    statement = allow(NotPrincipal={"AWS": ROOT})
    del statement["Principal"]
    assert public(policy(statement)) == "yes"


NARROW = [
    when(StringEquals={"aws:SourceAccount": OWN}),
    when(StringEquals={"aws:PrincipalOrgID": "o-ours"}),
    when(StringEquals={"aws:PrincipalAccount": [OWN, OTHER]}),
    when(StringEquals={"kms:CallerAccount": OWN}),
    when(StringEquals={"s3:DataAccessPointAccount": OWN}),
    when(StringLike={"aws:PrincipalOrgPaths": "o-ours/r-1/*"}),
    when(ForAnyValue__StringLike={"aws:PrincipalOrgPaths": ["o-ours/*"]}),
    when(ArnLike={"aws:SourceArn": f"arn:aws:sns:*:{OWN}:*"}),
    when(ArnEquals={"aws:SourceArn": "arn:aws:s3:::one-bucket"}),
    when(ArnLike={"aws:PrincipalArn": f"arn:aws:iam::{OWN}:role/*"}),
    when(StringEquals={"aws:SourceVpce": "vpce-1"}),
    when(StringEquals={"aws:SourceVpc": "vpc-1"}),
    when(IpAddress={"aws:SourceIp": "203.0.113.0/24"}),
    when(IpAddress={"aws:SourceIp": ["10.0.0.0/8", "203.0.113.7"]}),
    when(StringLike={"aws:userid": "AROAEXAMPLE:*"}),
    when(StringEquals={"aws:PrincipalAccount": "${aws:ResourceAccount}"}),
    when(StringEqualsIfExists={"kms:CallerAccount": OWN}),
]


@pytest.mark.parametrize("condition", NARROW, ids=str)
def test_a_narrowing_condition_shuts_outsiders_out(condition: Any) -> None:
    assert public(policy(allow(**condition))) == "no"


OPEN = [
    when(Bool={"aws:SecureTransport": "true"}),
    when(StringEquals={"kms:ViaService": "s3.us-east-1.amazonaws.com"}),
    when(StringLike={"aws:Referer": "https://example.com/*"}),
    when(IpAddress={"aws:SourceIp": "0.0.0.0/0"}),
    when(IpAddress={"aws:SourceIp": ["203.0.113.0/24", "::/0"]}),
    when(IpAddress={"aws:SourceIp": ["0.0.0.0/1", "128.0.0.0/1"]}),
    when(StringLike={"aws:PrincipalOrgID": "*"}),
    when(StringLike={"aws:SourceVpce": "vpce-*"}),
    when(ArnLike={"aws:SourceArn": "arn:aws:sns:*:*:*"}),
    when(StringLike={"aws:PrincipalArn": "arn:aws:iam::*:role/Reader"}),
    when(StringEquals={"aws:PrincipalOrgID": ["o-ours"]}, Bool={"aws:SecureTransport": "true"})
    | {"Condition": {"Bool": {"aws:SecureTransport": "true"}}},
    when(StringEqualsIfExists={"aws:SourceVpce": "vpce-1"}),
    when(ForAllValues__StringEquals={"aws:PrincipalOrgID": "o-ours"}),
    when(Null={"aws:SourceVpce": "true"}),
]


@pytest.mark.parametrize("condition", OPEN, ids=str)
def test_a_condition_that_outsiders_meet_narrows_nobody(condition: Any) -> None:
    assert public(policy(allow(**condition))) == "yes"


UNCLEAR = [
    when(StringEquals={"aws:PrincipalTag/team": "ml"}),
    when(StringEquals={"aws:NewKeyOf2027": "x"}),
    when(StringNotEquals={"aws:PrincipalAccount": OTHER}),
    when(NotIpAddress={"aws:SourceIp": "203.0.113.0/24"}),
    when(Bool={"aws:PrincipalIsAWSService": "true"}),
    when(StringEqualsIfExists={"aws:PrincipalAccount": OWN}),
    when(StringEqualsIfExists={"aws:SourceVpce": "vpce-1"}, IpAddressIfExists={"aws:SourceIp": "203.0.113.7"}),
    when(Null={"aws:PrincipalOrgID": "false"}),
    when(StringLike={"aws:PrincipalAccount": "1111*"}),
    when(StringEquals={"aws:PrincipalAccount": []}),
    when(StringEquals={"aws:PrincipalAccount": "${aws:PrincipalTag/home}"}),
]


@pytest.mark.parametrize("condition", UNCLEAR, ids=str)
def test_what_is_not_understood_is_neither_ignored_nor_trusted(condition: Any) -> None:
    """cloud-custodian#10263: an unknown key was a warning, and ignored."""
    found = policy(allow(**condition))
    assert public(found) == "conditional"
    gap = unclear(found)
    assert gap.reason is Reason.UNPARSABLE
    assert next(iter(next(iter(condition["Condition"].values())))).lower() in gap.detail


def test_prowler_970_caller_account_is_the_generated_pattern() -> None:
    found = allow(
        {"AWS": "*"},
        "kms:Decrypt",
        **when(StringEquals={"kms:CallerAccount": OWN, "kms:ViaService": "ec2.us-east-1.amazonaws.com"}),
    )
    assert public(policy(found)) == "no"


def test_scoutsuite_1579_keys_have_no_case() -> None:
    assert public(policy(allow(**when(StringEquals={"KMS:callerACCOUNT": OWN})))) == "no"


def test_prowler_10070_any_action_counts() -> None:
    assert public(policy(allow("*", "kms:DescribeKey"))) == "yes"


def test_custodian_10500_all_keys_of_an_operator_are_read() -> None:
    both = when(StringEquals={"aws:UserAgent": "x", "aws:SourceAccount": OWN})
    assert public(policy(allow(**both))) == "no"


def test_custodian_10500_values_are_alternatives() -> None:
    assert public(policy(allow(**when(StringLike={"aws:SourceVpce": ["vpce-1", "*"]})))) == "yes"


def test_prowler_2782_the_condition_counts_not_the_principal_alone() -> None:
    assert public(policy(allow("*", "sns:Publish", **when(StringEquals={"aws:SourceOwner": OWN})))) == "no"


def test_perimeter_9_source_account() -> None:
    assert public(policy(allow(**when(StringEquals={"aws:SourceAccount": OWN})))) == "no"


def test_one_open_statement_among_narrow_ones_is_enough() -> None:
    assert public(policy(allow(**NARROW[0]), allow("*", "s3:ListBucket"))) == "yes"


def test_a_deny_of_everyone_outside_takes_it_back() -> None:
    assert public(policy(allow(), deny(**when(StringNotEquals=ORGANISATION)))) == "no"


def test_a_deny_by_address_and_endpoint_takes_it_back() -> None:
    fence = when(StringNotEqualsIfExists={"aws:SourceVpce": "vpce-1"}, NotIpAddressIfExists={"aws:SourceIp": "203.0.113.0/24"})
    assert public(policy(allow(), deny(**fence))) == "no"


def test_a_deny_that_spares_services_takes_it_back_all_the_same() -> None:
    fence = when(StringNotEqualsIfExists=ORGANISATION, BoolIfExists={"aws:PrincipalIsAWSService": "false"})
    assert public(policy(allow(), deny(**fence))) == "no"


def test_a_deny_of_less_takes_nothing_back() -> None:
    assert public(policy(allow(resource=[BUCKET, f"{BUCKET}/*"]), deny(resource=f"{BUCKET}/*"))) == "yes"
    assert public(policy(allow(), deny(action="s3:DeleteBucket"))) == "yes"
    assert public(policy(allow(), deny({"AWS": ROOT}))) == "yes"


def test_denies_add_up() -> None:
    assert public(policy(allow(action=["s3:GetObject", "s3:PutObject"]), deny(action="s3:Get*"), deny(action="s3:Put*"))) == "no"


def test_a_deny_that_outsiders_escape_takes_nothing_back() -> None:
    assert public(policy(allow(), deny(**when(Bool={"aws:SecureTransport": "false"})))) == "yes"
    assert public(policy(allow(), deny(**when(StringEquals={"aws:PrincipalAccount": OTHER})))) == "yes"


def test_the_usual_pair_for_tls_hides_nothing() -> None:
    pair = allow(**when(Bool={"aws:SecureTransport": "true"})), deny(**when(Bool={"aws:SecureTransport": "false"}))
    assert public(policy(*pair)) == "yes"


def test_a_deny_that_is_not_understood_makes_it_unclear() -> None:
    assert public(policy(allow(), deny(**when(StringNotEquals={"aws:NewKeyOf2027": "x"})))) == "conditional"
    assert public(policy(allow(), deny(**when(ForAnyValue__StringNotEquals=ORGANISATION)))) == "conditional"


def test_two_denies_that_leave_no_way_out_are_not_called_open() -> None:
    shut = deny(**when(Bool={"aws:SecureTransport": "false"})), deny(**when(Bool={"aws:SecureTransport": "true"}))
    assert public(policy(allow(), *shut)) == "conditional"


def test_deny_with_exceptions() -> None:
    spare = deny(NotAction="s3:GetObject")
    del spare["Action"]
    assert public(policy(allow(action="s3:PutObject"), spare)) == "no"
    assert public(policy(allow(action="s3:Get*"), spare)) == "conditional"


# ---- accounts


def test_foreign_accounts() -> None:
    found = policy(allow({"AWS": [ROOT, f"arn:aws:iam::{OTHER}:role/etl", "333333333333"]}))
    assert foreign_accounts(found, OWN) == [OTHER, "333333333333"]


def test_custodian_9879_deleted_principals_are_nobody() -> None:
    assert foreign_accounts(policy(allow({"AWS": ["AROAEXAMPLEID", "AIDAEXAMPLEID"]})), OWN) == []


def test_a_condition_narrows_foreign_accounts() -> None:
    there = {"AWS": f"arn:aws:iam::{OTHER}:root"}
    assert foreign_accounts(policy(allow(there, **when(StringEquals=ORGANISATION))), OWN) == []
    assert foreign_accounts(policy(allow(there, **when(StringEquals={"aws:PrincipalAccount": OTHER}))), OWN) == [OTHER]
    assert foreign_accounts(policy(allow(there, **when(StringEquals={"aws:PrincipalAccount": OWN}))), OWN) == []
    assert foreign_accounts(policy(allow(there), deny(**when(StringNotEquals=ORGANISATION))), OWN) == []


def test_accounts_named_by_conditions_on_everyone() -> None:
    both = when(StringEquals={"aws:PrincipalAccount": [OWN, OTHER]})
    assert foreign_accounts(policy(allow(**both)), OWN) == [OTHER]
    assert foreign_accounts(policy(allow(**when(ArnLike={"aws:PrincipalArn": f"arn:aws:iam::{OTHER}:role/*"}))), OWN) == [OTHER]
    assert foreign_accounts(policy(allow()), OWN) == [], "public is another question"


def test_a_deny_that_excepts_an_account_does_not_take_it_back() -> None:
    fence = deny(**when(StringNotEquals={"aws:PrincipalAccount": [OWN, OTHER]}))
    assert foreign_accounts(policy(allow({"AWS": [OTHER, "333333333333"]}), fence), OWN) == [OTHER]


def test_a_deny_of_the_account_itself() -> None:
    assert foreign_accounts(policy(allow({"AWS": OTHER}), deny({"AWS": f"arn:aws:iam::{OTHER}:root"})), OWN) == []


def test_unknown_conditions_make_a_gap_only_where_nothing_is_certain() -> None:
    doubtful = allow({"AWS": OTHER}, **when(StringEquals={"aws:NewKeyOf2027": "x"}))
    answer = foreign_accounts(policy(doubtful), OWN)
    assert isinstance(answer, Gap)
    assert "aws:newkeyof2027" in answer.detail
    assert foreign_accounts(policy(doubtful, allow({"AWS": "333333333333"})), OWN) == ["333333333333"]


def test_without_the_own_account_nobody_can_say_who_is_foreign() -> None:
    assert isinstance(foreign_accounts(policy(allow({"AWS": ROOT})), ""), Gap)
    assert foreign_accounts(policy(allow({"Service": "s3.amazonaws.com"})), "") == []


def test_an_external_id_is_a_narrowing_secret_only_where_asked() -> None:
    found = policy(allow({"AWS": OTHER}, "sts:AssumeRole", **when(StringEquals={"sts:ExternalId": "s3cret"})))
    assert foreign_accounts(found, OWN, secret={"sts:externalid"}) == []
    assert isinstance(foreign_accounts(found, OWN), Gap)
    wild = policy(allow({"AWS": OTHER}, "sts:AssumeRole", **when(StringLike={"sts:ExternalId": "*"})))
    assert foreign_accounts(wild, OWN, secret={"sts:externalid"}) == [OTHER]


@pytest.mark.parametrize(
    ("condition", "answer"),
    [
        ({"StringEqualsIfExists": {"sts:ExternalId": "s3cret"}}, [OTHER]),
        ({"ForAllValues:StringEquals": {"sts:ExternalId": "s3cret"}}, [OTHER]),
        ({"StringNotEquals": {"sts:ExternalId": "s3cret"}}, [OTHER]),
        ({"Null": {"sts:ExternalId": "false"}}, [OTHER]),
        ({"StringLike": {"sts:ExternalId": "?*"}}, [OTHER]),
        ({"StringLike": {"sts:ExternalId": "ours-?"}}, None),
        ({"StringEquals": {"sts:ExternalId": ["one", "two"]}}, []),
        ({"StringEquals": {"sts:ExternalId": "*"}}, []),
    ],
    ids=str,
)
def test_an_external_id_that_anyone_may_leave_out_or_choose_keeps_nobody_out(condition: dict[str, Any], answer: object) -> None:
    found = foreign_accounts(policy(allow({"AWS": OTHER}, "sts:AssumeRole", Condition=condition)), OWN, secret={"sts:externalid"})
    assert isinstance(found, Gap) if answer is None else found == answer


# ---- TLS

PLAIN = when(Bool={"aws:SecureTransport": "false"})
WHOLE = [BUCKET, f"{BUCKET}/*"]


@pytest.mark.parametrize(
    "found",
    [
        [deny(resource=WHOLE, **PLAIN)],
        [deny({"AWS": "*"}, resource="*", **PLAIN)],
        [deny(action="*", resource=WHOLE, **when(Bool={"aws:SecureTransport": False}))],
        [deny(resource=BUCKET, **PLAIN), deny(resource=f"{BUCKET}/*", **PLAIN)],
        [deny(resource=f"{BUCKET}*", **PLAIN)],
        [deny(resource=WHOLE, **when(BoolIfExists={"aws:SecureTransport": "false"}))],
        [deny(resource=WHOLE, **when(StringNotEquals={"aws:SecureTransport": "true"}))],
        [allow({"AWS": ROOT}), deny(resource=WHOLE, **PLAIN)],
    ],
    ids=str,
)
def test_tls_only(found: list[dict[str, Any]]) -> None:
    """cloudsploit#579: one Deny is enough, Allows need no condition."""
    assert tls_only(policy(*found))


@pytest.mark.parametrize(
    "found",
    [
        [],
        [allow(resource=WHOLE, **when(Bool={"aws:SecureTransport": "true"}))],
        [deny(resource=f"{BUCKET}/*", **PLAIN)],
        [deny(resource=BUCKET, **PLAIN)],
        [deny(resource=f"{BUCKET}/raw/*", **PLAIN), deny(resource=BUCKET, **PLAIN)],
        [deny(action="s3:GetObject", resource=WHOLE, **PLAIN)],
        [deny({"AWS": ROOT}, resource=WHOLE, **PLAIN)],
        [deny(resource=WHOLE, **when(Bool={"aws:SecureTransport": "true"}, NumericLessThan={"s3:TlsVersion": "1.2"}))],
        [deny(resource=WHOLE, **when(Bool={"aws:SecureTransport": "false"}, StringEquals={"aws:PrincipalAccount": OTHER}))],
        [deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": "1.2"}))],
        [deny(resource=WHOLE, **when(Bool={"aws:SecureTransport": "true"}))],
        [deny(resource=WHOLE, **when(StringNotEquals={"aws:SecureTransport": "false"}))],
    ],
    ids=str,
)
def test_not_tls_only(found: list[dict[str, Any]]) -> None:
    """prowler#1481: a Deny on the objects alone; modernisation-platform-environments#4693: the inverted condition."""
    assert not tls_only(policy(*found))


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ([], "any"),
        ([deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": "1.2"}))], "1.2"),
        ([deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": 1.3}))], "1.3"),
        ([deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": ["1.1", "1.2"]}))], "1.2"),
        ([deny(resource=f"{BUCKET}/*", **when(NumericLessThan={"s3:TlsVersion": "1.3"}))], "any"),
        (
            [
                deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": "1.2"})),
                deny(resource=f"{BUCKET}/*", **when(NumericLessThan={"s3:TlsVersion": "1.3"})),
            ],
            "1.2",
        ),
        ([deny(resource=WHOLE, **when(NumericLessThan={"s3:TlsVersion": "high"}))], "any"),
    ],
    ids=str,
)
def test_tls_min_version(found: list[dict[str, Any]], answer: str) -> None:
    assert tls_min_version(policy(*found)) == answer
