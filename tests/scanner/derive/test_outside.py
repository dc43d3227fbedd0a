"""Who from outside gets in by the policy of a resource, told apart; and services that act for anyone."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.catalogue import DERIVATIONS
from scanner.model import Gap, Reason, Resource
from tests.scanner.derive.statements import BUCKET, OTHER, OWN, allow, deny, policy, trust, when
from tests.scanner.derive.test_privileges import EVERYWHERE, organisation
from tests.scanner.derive.things import planned, thing
from tests.scanner.derive.worlds import DENIED, MemoryWorld

BLOCK = "AWS::S3::AccountPublicAccessBlock"


def bucket(*found: dict[str, Any], blocked: bool = False, gaps: dict[str, Gap] | None = None) -> Resource:
    facts = {"aws__restrict_public_buckets": blocked, "aws__ignore_public_acls": blocked, "policy_statements": policy(*found)}
    known = {k: v for k, v in facts.items() if k.replace("__", ".") not in (gaps or {})}
    return thing("data_store", "corpus", gaps=gaps, id=BUCKET, scope=OWN, **known)


def block(on: bool = False) -> Resource:  # noqa: FBT001, FBT002 - a setting
    return thing("account", "block", BLOCK, id=f"arn:aws:s3:::{OWN}", restrict_public_buckets=on, ignore_public_acls=on)


def said(resource: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> tuple[Any, Any]:
    world = MemoryWorld([resource, block(), *others], gaps, DERIVATIONS)
    entries = world.fact(resource, "outside_access")
    settled = world.fact(resource, "outside_access_settled")
    shown = entries if isinstance(entries, Gap) else [f"{e['access']} {e['principal']}" for e in entries]
    return shown, settled if settled is True else "gap"


ORG = {"aws:PrincipalOrgID": "o-ours"}


@pytest.mark.parametrize(
    ("statement", "answer"),
    [
        (allow("*", "s3:GetObject"), ["public *"]),
        (allow({"AWS": OWN}), []),
        (allow({"AWS": OTHER}), [f"account {OTHER}"]),
        (allow({"AWS": f"arn:aws:iam::{OTHER}:role/x"}, "s3:GetObject"), [f"account {OTHER}"]),
        # https://github.com/prowler-cloud/prowler/issues/4257
        (allow("*", **when(StringEquals=ORG)), []),
        # https://github.com/turbot/steampipe-mod-aws-compliance/issues/952
        (allow("*", **when(StringEquals={"aws:SourceVpce": "vpce-1"})), []),
        (allow("*", **when(StringEquals={"aws:PrincipalAccount": OWN})), []),
        (allow("*", **when(StringEquals={"aws:PrincipalAccount": OTHER})), [f"account {OTHER}"]),
        (allow({"AWS": OTHER}, **when(StringEquals=ORG)), []),
        # services are no accounts: logging and replication are not cross-account access
        (allow({"Service": "logging.s3.amazonaws.com"}, "s3:PutObject"), []),
        (allow({"AWS": "AROAEXAMPLE"}), []),
    ],
)
def test_kinds_of_access_are_told_apart(statement: dict[str, Any], answer: list[str]) -> None:
    assert said(bucket(statement)) == (answer, True)


def test_what_is_not_understood_is_not_settled() -> None:
    odd = allow("*", **when(StringEquals={"aws:Mystery": "1"}))
    assert said(bucket(odd)) == ([], "gap")
    assert said(bucket(odd, allow({"AWS": OTHER}))) == ([f"account {OTHER}"], "gap"), "what is certain is shown all the same"
    assert said(bucket(allow({"CanonicalUser": "abc"}))) == ([], "gap")
    assert said(bucket(gaps={"policy_statements": DENIED}))[0] is DENIED


def test_a_block_takes_a_public_policy_back() -> None:
    both = (allow("*", "s3:GetObject"), allow({"AWS": OTHER}, "s3:PutObject"))
    assert said(bucket(*both)) == (["public *", f"account {OTHER}"], True)
    assert said(bucket(*both, blocked=True)) == ([], True)
    assert said(bucket(both[1], blocked=True)) == ([f"account {OTHER}"], True), (
        "the policy is not public, so the block does nothing"
    )
    hidden = {"aws.restrict_public_buckets": DENIED}
    assert said(bucket(*both, gaps=hidden)) == ([], "gap")


def test_accounts_of_the_organisation_are_inside() -> None:
    shared = bucket(allow({"AWS": OTHER}))
    assert said(shared, *organisation(organisation_accounts=[OWN, OTHER])) == ([], True)
    assert said(shared, *organisation(organisation_accounts=[OWN])) == ([f"account {OTHER}"], True)
    theirs = bucket(allow("*", **when(StringEquals={"aws:PrincipalOrgID": "o-theirs"})))
    assert said(theirs, *organisation(organisation_accounts=[OWN])) == (["organisation o-theirs"], True)
    assert said(theirs) == ([], True), "which organisation is the account's own is not known"


def test_where_the_organisation_was_not_seen_nobody_is_outside_for_certain() -> None:
    # a call that is refused must not make a failure
    organization = "AWS::Organizations::Organization"
    hidden = {"organisation_accounts": DENIED}
    shared = bucket(allow({"AWS": OTHER}))

    def placed(resource: Resource, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
        world = MemoryWorld([resource, block(), *others], gaps, DERIVATIONS)
        return said(resource, *others, gaps=gaps), world.fact(resource, "outside_access_resolved")

    account, *rest = organisation()
    blind = Resource(**{**{f: getattr(account, f) for f in account.__dataclass_fields__}, "gaps": hidden})
    assert placed(shared, blind, *rest) == (([f"unplaced {OTHER}"], True), DENIED)
    assert placed(shared, gaps={organization: DENIED}) == (([f"unplaced {OTHER}"], True), DENIED)
    assert placed(shared) == (([f"account {OTHER}"], True), True), "nobody asked"
    assert placed(bucket(allow({"AWS": OWN})), gaps={organization: DENIED}) == (([], True), True)
    theirs = bucket(allow("*", **when(StringEquals={"aws:PrincipalOrgID": "o-theirs"})))
    assert placed(theirs, gaps={organization: DENIED}) == ((["unplaced o-theirs"], True), DENIED)


def test_everyone_of_another_organisation() -> None:
    theirs = {"aws:PrincipalOrgID": "o-theirs"}
    ours = organisation(organisation_accounts=[])

    def entries(*found: dict[str, Any], policies: list[Resource] = ours) -> Any:
        return said(bucket(*found), *policies)

    both = allow("*", Condition={"StringEquals": theirs, "Bool": {"aws:SecureTransport": "true"}})
    near = allow("*", Condition={"StringEquals": {**theirs, "aws:SourceVpce": "vpce-1"}})
    assert entries(both) == (["organisation o-theirs"], True)
    assert entries(near) == ([], True)
    fence = deny("*", **when(StringNotEqualsIfExists={"aws:PrincipalOrgID": "o-ours"}))
    wide = deny("*", **when(StringNotEqualsIfExists={"aws:PrincipalOrgID": ["o-ours", "o-theirs"]}))
    assert entries(both, fence) == ([], True)
    assert entries(both, wide) == (["organisation o-theirs"], True)


def test_whether_the_organisation_reaches_a_service_may_not_be_known() -> None:
    # https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps.html#rcp-supported-services
    def store(native: str, service: str) -> tuple[Any, Any]:
        resource = thing("data_store", "x", native, policy_statements=policy(allow("*", f"{service}:*")))
        perimeter = ("p", ["r-root"], [deny("*", f"{service}:*", **when(StringNotEqualsIfExists=ORG))])
        return said(resource, *organisation(EVERYWHERE, perimeter, sort="resource_control", organisation_accounts=[]))

    assert store("AWS::DynamoDB::Table", "dynamodb") == ([], True)
    assert isinstance(store("AWS::SNS::Topic", "sns")[0], Gap)


def test_what_the_organisation_denies_on_its_resources_counts_where_it_was_seen() -> None:
    condition = {
        "StringNotEqualsIfExists": {"aws:PrincipalOrgID": "o-ours"},
        "BoolIfExists": {"aws:PrincipalIsAWSService": "false"},
    }
    perimeter = ("perimeter", ["r-root"], [deny("*", "s3:*", Condition=condition)])
    open_ = bucket(allow("*", "s3:GetObject"), allow({"AWS": OTHER}))
    seen = organisation(EVERYWHERE, perimeter, sort="resource_control", organisation_accounts=[])
    assert said(open_, *seen) == ([], True)
    elsewhere = organisation(EVERYWHERE, ("perimeter", ["ou-x"], perimeter[2]), sort="resource_control", organisation_accounts=[])
    assert said(open_, *elsewhere) == (["public *", f"account {OTHER}"], True)
    assert said(open_, *seen, gaps={"AWS::Organizations::Policy": DENIED}) == (["public *", f"account {OTHER}"], True)


def test_a_plan_that_does_not_tell_the_account() -> None:
    store = planned(
        "data_store", "aws_ecr_repository.r", "AWS::ECR::Repository", policy_statements=policy(allow({"AWS": OTHER}, "ecr:*"))
    )
    assert said(store) == ([], "gap")
    open_ = planned("data_store", "aws_ecr_repository.r", "AWS::ECR::Repository", policy_statements=policy(allow("*", "ecr:*")))
    assert said(open_) == (["public *"], True)


def test_file_systems_that_are_reached_through_their_own_network() -> None:
    def efs(condition: dict[str, Any]) -> Resource:
        found = policy(allow("*", "elasticfilesystem:ClientMount", **when(Bool=condition)))
        return thing("data_store", "fs", "AWS::EFS::FileSystem", policy_statements=found)

    assert said(efs({"elasticfilesystem:AccessedViaMountTarget": "true"})) == ([], True)
    assert said(efs({"elasticfilesystem:AccessedViaMountTarget": "false"})) == ([], "gap")
    assert said(efs({"aws:SecureTransport": "true"})) == (["public *"], True)


def services(*found: dict[str, Any]) -> Any:
    resource = bucket(*found)
    return MemoryWorld([resource, block()], None, DERIVATIONS).fact(resource, "services_unscoped")


def test_services_that_act_for_anyone() -> None:
    logs = {"Service": "logging.s3.amazonaws.com"}
    assert services(allow(logs)) == ["logging.s3"]
    assert services(allow(logs, **when(StringEquals={"aws:SourceAccount": OWN}))) == []
    # https://github.com/prowler-cloud/prowler/issues/2792
    assert services(allow(logs, **when(ArnLike={"aws:SourceArn": f"arn:aws:s3:::{'x'}"}))) == []
    assert services(allow(logs, **when(ArnLike={"aws:SourceArn": "arn:aws:s3:*:*:*"}))) == ["logging.s3"]
    assert services(allow({"Service": "vpce.amazonaws.com"})) == [], "it is not known to send the keys"
    unclear = services(allow(logs, **when(StringNotEquals={"aws:SourceAccount": OTHER})))
    assert isinstance(unclear, Gap)
    assert unclear.reason is Reason.NOT_OFFERED


def taken(*found: dict[str, Any]) -> tuple[Any, Any]:
    role = thing("identity", "r", id=f"arn:aws:iam::{OWN}:role/r", trust_statements=policy(*found))
    world = MemoryWorld([role], None, DERIVATIONS)
    return world.fact(role, "trust_services"), world.fact(role, "trust_services_unscoped")


def test_services_that_take_roles_for_anyone() -> None:
    own = when(StringEquals={"aws:SourceAccount": OWN})
    assert taken(trust({"Service": "sagemaker.amazonaws.com"})) == (["sagemaker"], ["sagemaker"])
    assert taken(trust({"Service": ["sagemaker.amazonaws.com", "bedrock.amazonaws.com"]}, **own)) == (["bedrock", "sagemaker"], [])
    # https://github.com/prowler-cloud/prowler/issues/2810: EC2 sends no such keys
    assert taken(trust({"Service": "ec2.amazonaws.com"})) == ([], [])
    # https://github.com/prowler-cloud/prowler/issues/4714: these break with the condition
    assert taken(trust({"Service": "cloudtrail.amazonaws.com"})) == ([], [])
    # https://github.com/prowler-cloud/prowler/issues/2792: one key is enough
    assert taken(trust({"Service": "glue.amazonaws.com"}, **when(ArnLike={"aws:SourceArn": f"arn:aws:glue:*:{OWN}:*"}))) == (
        ["glue"],
        [],
    )
    assert taken(trust({"Service": "glue.amazonaws.com"}), trust({"Service": "glue.amazonaws.com"}, **own)) == (["glue"], ["glue"])
    assert taken(trust({"Service": "firehose.amazonaws.com"}, "sts:TagSession")) == ([], [])
    assert taken(trust({"Service": "states.eu-west-1.amazonaws.com"})) == (["states"], ["states"])


def test_a_deny_may_say_for_whom_a_service_acts() -> None:
    glue = trust({"Service": "glue.amazonaws.com"})
    others = {"StringNotEqualsIfExists": {"aws:SourceAccount": OWN}}
    assert taken(glue, trust("*", effect="Deny", Condition=others)) == (["glue"], [])
    assert taken(glue, trust({"Service": "glue.amazonaws.com"}, effect="Deny", Condition=others)) == (["glue"], [])
    assert taken(glue, trust({"Service": "bedrock.amazonaws.com"}, effect="Deny", Condition=others)) == (["glue"], ["glue"])
    assert taken(glue, trust("*", "sts:TagSession", "Deny", Condition=others)) == (["glue"], ["glue"])
    odd = {**others, "StringEquals": {"aws:PrincipalTag/team": "ml"}}
    assert isinstance(taken(glue, trust("*", effect="Deny", Condition=odd))[1], Gap)


# https://docs.aws.amazon.com/organizations/latest/userguide/orgs_manage_policies_rcps_examples.html
DEPUTIES = {
    "StringNotEqualsIfExists": {"aws:SourceOrgID": "o-ours"},
    "Null": {"aws:SourceAccount": "false"},
    "Bool": {"aws:PrincipalIsAWSService": "true"},
}


def test_the_organisation_may_say_for_whom_services_act() -> None:
    fence = ("fence", ["r-root"], [deny("*", ["s3:*", "sts:*"], Condition=DEPUTIES)])
    others = ("others", ["r-root"], [deny("*", "sqs:*", Condition=DEPUTIES)])
    open_ = bucket(allow({"Service": "logging.s3.amazonaws.com"}, "s3:PutObject"))
    role = thing(
        "identity", "r", id=f"arn:aws:iam::{OWN}:role/r", trust_statements=policy(trust({"Service": "glue.amazonaws.com"}))
    )

    def loose(*found: Any) -> tuple[Any, Any]:
        world = MemoryWorld(
            [open_, role, block(), *organisation(EVERYWHERE, *found, sort="resource_control", organisation_accounts=[])],
            None,
            DERIVATIONS,
        )
        return world.fact(open_, "services_unscoped"), world.fact(role, "trust_services_unscoped")

    assert loose() == (["logging.s3"], ["glue"])
    assert loose(fence) == ([], [])
    assert loose(others) == (["logging.s3"], ["glue"])


def test_firehose_tells_its_customer_by_the_external_id() -> None:
    # https://docs.aws.amazon.com/firehose/latest/dev/controlling-access.html#firehose-assume-role
    firehose = {"Service": "firehose.amazonaws.com"}
    assert taken(trust(firehose, **when(StringEquals={"sts:ExternalId": OWN}))) == (["firehose"], [])
    assert taken(trust(firehose, **when(StringLike={"sts:ExternalId": "*"}))) == (["firehose"], ["firehose"])


def test_names_of_services_are_those_that_take_roles() -> None:
    # https://docs.aws.amazon.com/opensearch-service/latest/developerguide/configure-client-sqs.html
    assert taken(trust({"Service": "osis-pipelines.amazonaws.com"})) == (["osis-pipelines"], ["osis-pipelines"])
    assert taken({"Effect": "Allow", "Principal": {"Service": "glue.amazonaws.com"}, "NotAction": "sts:TagSession"}) == (
        ["glue"],
        ["glue"],
    )
