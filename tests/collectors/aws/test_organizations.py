"""The organisation, asked by its management account, by a member, and by an account of none."""

from __future__ import annotations

import json

import pytest

from collectors.aws.organizations import ORGANIZATION, POLICIES, ancestors, in_use, members, policy_id
from scanner.model import Extent
from tests.collectors.aws.conftest import ACCOUNT

KEEP = {"Version": "2012-10-17", "Statement": [{"Effect": "Deny", "Action": "cloudtrail:StopLogging", "Resource": "*"}]}


def test_an_account_of_no_organisation_says_so(look):
    seen = look(ORGANIZATION, POLICIES)
    (alone,) = seen.resources
    assert alone.id == f"arn:aws:organizations::{ACCOUNT}:organization"
    assert alone.facts == {
        "organisation_in_use": False,
        "organisation_id": "",
        "management_account": "",
        "ancestors": [],
        "organisation_accounts": [],
    }
    assert alone.gaps == {}
    assert {c.extent for c in seen.coverages} == {Extent.COMPLETE}
    assert sorted(c.operation for c in seen.asked) == ["describe_organization", "list_roots"]


def test_the_management_account_sees_all(look, boto):
    client = boto("organizations")
    made = client.create_organization(FeatureSet="ALL")["Organization"]
    root = client.list_roots()["Roots"][0]["Id"]
    client.enable_policy_type(RootId=root, PolicyType="SERVICE_CONTROL_POLICY")
    unit = client.create_organizational_unit(ParentId=root, Name="ml")["OrganizationalUnit"]["Id"]
    inner = client.create_organizational_unit(ParentId=unit, Name="training")["OrganizationalUnit"]["Id"]
    client.move_account(AccountId=ACCOUNT, SourceParentId=root, DestinationParentId=inner)
    policy = client.create_policy(Name="keep-trail", Description="x", Type="SERVICE_CONTROL_POLICY", Content=json.dumps(KEEP))
    summary = policy["Policy"]["PolicySummary"]
    client.attach_policy(PolicyId=summary["Id"], TargetId=unit)
    seen = look(ORGANIZATION, POLICIES)
    mine = seen.named(made["Id"])
    assert mine.facts == {
        "organisation_in_use": True,
        "organisation_id": made["Id"],
        "management_account": made["MasterAccountId"],
        "ancestors": [root, unit, inner, ACCOUNT],
        "organisation_accounts": [ACCOUNT],
    }
    keep = seen.named("keep-trail")
    assert keep.id == summary["Arn"]
    assert keep.facts["policy_type"] == "service_control"
    assert keep.facts["targets"] == [unit]
    assert keep.facts["system"] is False
    assert keep.facts["statements"][0]["actions"] == ["cloudtrail:StopLogging"]
    assert seen.failed() == []


def test_parents_lead_to_the_root():
    root, unit = {"Id": "r-1", "Type": "ROOT"}, {"Id": "ou-1", "Type": "ORGANIZATIONAL_UNIT"}
    assert ancestors(ACCOUNT, "o-1", unit, root, None) == ["r-1", "ou-1", ACCOUNT]
    assert ancestors(ACCOUNT, None) == []
    with pytest.raises(ValueError, match="root"):
        ancestors(ACCOUNT, "o-1", unit, None)
    assert in_use(ACCOUNT, "o-1")
    assert not in_use(ACCOUNT, None)
    assert members(ACCOUNT, "o-1", ["2", "1"]) == ["1", "2"]


def test_what_aws_ships_is_each_accounts_own():
    shipped = "arn:aws:organizations::aws:policy/service_control_policy/p-FullAWSAccess"
    assert policy_id(shipped, ACCOUNT) == f"arn:aws:organizations::{ACCOUNT}:policy/service_control_policy/p-FullAWSAccess"
    own = f"arn:aws:organizations::{ACCOUNT}:policy/o-1/service_control_policy/p-1"
    assert policy_id(own, "222222222222") == own
