from __future__ import annotations

import json

import pytest

from collectors.aws import iam
from collectors.demand import calls_of
from scanner.model import Reason
from tests.collectors.aws.answers import SCANNER, given

ADMIN = {"Effect": "Allow", "Action": "*", "Resource": "*"}
IAM = "arn:aws:iam::123456789012:"


def document(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def statement(**changes):
    empty = dict.fromkeys(("actions", "not_actions", "resources", "not_resources", "principals", "not_principals", "conditions"))
    return {"effect": "Allow", **{k: [] for k in empty}, **changes}


def test_a_group_that_is_not_listed_is_not_an_empty_group():
    with pytest.raises(KeyError):
        iam.attached_of_user([], ["gone"], [])


def test_only_the_version_in_force_counts():
    old = {"IsDefaultVersion": False, "Document": {"Statement": [ADMIN]}}
    new = {"IsDefaultVersion": True, "Document": {"Statement": []}}
    assert iam.default_statements([old, new]) == []
    with pytest.raises(ValueError, match="unpack"):
        iam.default_statements([old])


def test_documents_url_encoded_as_the_wire_has_them():
    policies = [{"PolicyName": "a", "PolicyDocument": "%7B%22Statement%22%3A%5B%5D%7D"}]
    assert iam.inline(policies) == [{"name": "a", "statements": []}]


def test_last_used_of_role():
    assert iam.last_used_of_role("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z") == "2026-02-01T00:00:00Z"
    assert iam.last_used_of_role("2026-01-01T00:00:00Z", None) == "never"


def test_root(look):
    (root,) = look(iam.ROOT).resources
    assert (root.id, root.name, root.region) == (f"{IAM}root", "root", "global")
    assert root.facts == {"root_access_keys": False, "root_mfa": False}
    # moto does not return AccountPasswordPresent
    assert list(root.gaps) == ["root_password"]


def test_users(boto, look):
    client = boto("iam")
    client.create_user(UserName="ann", Path="/ml/", Tags=[{"Key": "team", "Value": "ml"}])
    client.create_user(UserName="bob")
    client.create_login_profile(UserName="ann", Password="Correct-horse-9")
    device = client.create_virtual_mfa_device(VirtualMFADeviceName="ann")["VirtualMFADevice"]["SerialNumber"]
    client.enable_mfa_device(UserName="ann", SerialNumber=device, AuthenticationCode1="123456", AuthenticationCode2="654321")
    own = client.create_policy(PolicyName="own", PolicyDocument=document(ADMIN))["Policy"]["Arn"]
    groups = client.create_policy(PolicyName="groups", PolicyDocument=document(ADMIN))["Policy"]["Arn"]
    client.attach_user_policy(UserName="ann", PolicyArn=own)
    client.put_user_policy(UserName="ann", PolicyName="mine", PolicyDocument=document({**ADMIN, "Action": "s3:*"}))
    for name in ("devs", "others"):
        client.create_group(GroupName=name)
    client.add_user_to_group(GroupName="devs", UserName="ann")
    client.attach_group_policy(GroupName="devs", PolicyArn=groups)
    client.put_group_policy(GroupName="devs", PolicyName="theirs", PolicyDocument=document({**ADMIN, "Action": "kms:*"}))
    client.put_group_policy(GroupName="others", PolicyName="not-hers", PolicyDocument=document(ADMIN))

    seen = look(iam.USERS)

    assert seen.failed() == []
    user = seen.named("ann")
    assert (user.id, user.region, user.tags, user.gaps) == (f"{IAM}user/ml/ann", "global", {"team": "ml"}, {})
    assert user.facts == {
        "identity_type": "user",
        "console_password": True,
        "mfa": True,
        "active_keys": 0,
        "created": user.facts["created"],
        "last_used": "never",
        "service_linked": False,
        "inline_policies": [
            {"name": "mine", "statements": [statement(actions=["s3:*"], resources=["*"])]},
            {"name": "devs/theirs", "statements": [statement(actions=["kms:*"], resources=["*"])]},
        ],
        "attached_policies": sorted([own, groups]),
        "boundary": "",  # moto leaves it out of a user's details; `test_roles_and_policies` has one
        "group_ids": [f"{IAM}group/devs"],
    }
    assert user.facts["created"].endswith("Z")
    other = seen.named("bob").facts
    assert (other["console_password"], other["mfa"], other["inline_policies"], other["attached_policies"]) == (False, False, [], [])
    assert (other["boundary"], other["group_ids"]) == ("", [])


def test_roles_and_policies(boto, look):
    client = boto("iam")
    trust = document({"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"})
    edge = client.create_policy(PolicyName="edge", PolicyDocument=document(ADMIN))["Policy"]["Arn"]
    tags = [{"Key": "ai-role", "Value": "training"}]
    role = client.create_role(RoleName="node", AssumeRolePolicyDocument=trust, Tags=tags, PermissionsBoundary=edge)["Role"]
    client.put_role_policy(
        RoleName="node", PolicyName="inline", PolicyDocument=document({"Effect": "Allow", "NotAction": "iam:*", "Resource": "*"})
    )
    client.create_instance_profile(InstanceProfileName="node")
    client.add_role_to_instance_profile(InstanceProfileName="node", RoleName="node")
    client.create_service_linked_role(AWSServiceName="eks.amazonaws.com")
    policy = client.create_policy(PolicyName="data", PolicyDocument=document({**ADMIN, "Action": "s3:Get*"}))["Policy"]["Arn"]
    client.create_policy_version(PolicyArn=policy, PolicyDocument=document(ADMIN), SetAsDefault=True)
    client.attach_role_policy(RoleName="node", PolicyArn=policy)

    seen = look(iam.ROLES, iam.POLICIES)

    assert seen.failed() == []
    found = seen.named("node")
    assert (found.id, found.tags, found.gaps) == (role["Arn"], {"ai-role": "training"}, {})
    assert found.facts == {
        "identity_type": "role",
        "console_password": False,
        "active_keys": 0,
        "created": found.facts["created"],
        "last_used": "never",
        "service_linked": False,
        "inline_policies": [{"name": "inline", "statements": [statement(not_actions=["iam:*"], resources=["*"])]}],
        "attached_policies": [policy],
        "boundary": edge,
        "group_ids": [],
        "trust_statements": [statement(actions=["sts:AssumeRole"], principals=["Service:ec2.amazonaws.com"])],
        "instance_profiles": [f"{IAM}instance-profile/node"],
    }
    assert [r.facts["service_linked"] for r in seen.resources if "aws-service-role" in r.id] == [True]
    assert seen.named(policy).facts == {
        "statements": [statement(actions=["*"], resources=["*"])],
        "attachments": 1,
        "system": False,
    }


def test_access_keys(boto, look):
    client = boto("iam")
    client.create_user(UserName="ci", Tags=[{"Key": "team", "Value": "ml"}])
    first = client.create_access_key(UserName="ci")["AccessKey"]
    second = client.create_access_key(UserName="ci")["AccessKey"]
    client.update_access_key(UserName="ci", AccessKeyId=second["AccessKeyId"], Status="Inactive")

    seen = look(iam.ACCESS_KEYS)

    assert seen.failed() == []
    key = seen.named(first["AccessKeyId"])
    assert (key.id, key.tags, key.gaps) == (f"{IAM}user/ci/access-key/{first['AccessKeyId']}", {"team": "ml"}, {})
    assert key.facts == {
        "credential_type": "access_key",
        "owner": f"{IAM}user/ci",
        "active": True,
        "created": key.facts["created"],
        "last_used": "never",
        "expires": "never",
    }
    idle = seen.named(second["AccessKeyId"])
    assert (idle.facts["active"], list(idle.gaps)) == (False, ["last_used"])
    assert len(seen.resources) == 2
    # of two keys made in one second the report cannot tell which is which
    assert [c.operation for c in seen.asked].count("get_access_key_last_used") <= 1, "nobody asks of a key that is off"
    assert first["SecretAccessKey"] not in str(seen.answers)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("2026-01-01T00:00:00+00:00", "2026-11-01T10:00:00+00:00"), ("N/A", "N/A")], "2026-11-01T10:00:00Z"),
        ([("2025-01-01T00:00:00+00:00", "2026-11-01T10:00:00+00:00"), ("2026-01-01T00:00:00+00:00", "N/A")], "never"),
        ([("2025-01-01T00:00:00+00:00", "N/A"), ("N/A", "N/A")], None),  # made since the report
        ([("2026-01-01T00:00:00+00:00", "N/A"), ("2026-01-01T00:00:00+00:00", "N/A")], None),  # which of the two?
    ],
)
def test_the_report_tells_the_last_use_of_a_key(rows, said):
    user = {
        f"access_key_{n}_{column}": row[i]
        for n, row in enumerate(rows, 1)
        for i, column in enumerate(("last_rotated", "last_used_date"))
    }
    row = {"item": {"Status": "Active", "CreateDate": "2026-01-01T00:00:00Z"}, "report": [user]}
    assert iam.untold(row) is (said is None)
    assert iam.last_used_of_key("Active", "2026-01-01T00:00:00Z", [user], None) == (said or "never")


COLUMNS = (
    "user,arn,user_creation_time,password_enabled,password_last_used,mfa_active,access_key_1_active,access_key_1_last_used_date,"
    "access_key_2_active,access_key_2_last_used_date,cert_1_active,cert_2_active"
)


def report(*rows):
    return {"Content": "\n".join([COLUMNS, *rows]).encode(), "ReportFormat": "text/csv"}


def row(name, *, made="2024-01-01T00:00:00+00:00", login="false,N/A", mfa="false", keys="false,N/A,false,N/A", certs="false,false"):
    return f"{name},{IAM}user/{name},{made},{login},{mfa},{keys},{certs}"


def answers(found, *names, **more):
    users = [{"UserName": n, "Arn": f"{IAM}user/{n}", "CreateDate": "2024-01-01T00:00:00Z", "GroupList": []} for n in names]
    details = {"UserDetailList": users, "GroupDetailList": [], "IsTruncated": False}
    return {"iam:get_account_authorization_details": details, "iam:get_credential_report": found, **more}


def test_the_report_tells_of_everybody():
    root = "<root_account>,arn:aws:iam::123456789012:root,2020-01-01T00:00:00+00:00,not_supported,N/A,true,true,N/A,false,N/A,false,false"
    found = report(
        root,
        row("ann", login="true,2026-11-01T09:30:00+00:00", mfa="true", keys="true,2026-11-20T00:00:00+00:00,true,N/A"),
        row("bob", login="true,no_information", keys="true,N/A,false,N/A"),
        row("cal"),
    )
    seen = given(iam.USERS, answers=answers(found, "ann", "bob", "cal"))
    names = ("console_password", "mfa", "active_keys", "last_used")
    assert {r.name: tuple(r.facts[n] for n in names) for r in seen.resources} == {
        "ann": (True, True, 2, "2026-11-20T00:00:00Z"),
        "bob": (True, False, 1, "never"),
        "cal": (False, False, 0, "never"),
    }
    assert [c.operation for c in seen.asked].count("get_credential_report") == 1, "one answer for all"
    assert "get_login_profile" not in {c.operation for c in seen.asked}


def test_who_is_newer_than_the_report_is_asked_about_alone():
    more = {"iam:get_login_profile": "NoSuchEntity", "iam:list_mfa_devices": {"MFADevices": [], "IsTruncated": False}}
    seen = given(iam.USERS, answers=answers(report(row("ann")), "ann", "new", **more))
    new = seen.named("new")
    assert (new.facts["console_password"], new.facts["mfa"], sorted(new.gaps)) == (False, False, ["active_keys", "last_used"])
    assert [c.operation for c in seen.asked].count("list_mfa_devices") == 1


def test_who_has_the_name_of_one_in_the_report_is_not_taken_for_him():
    # https://github.com/prowler-cloud/prowler/issues/854 - the report tells of users who are gone
    more = {
        "iam:get_login_profile": {"LoginProfile": {"UserName": "ann", "CreateDate": "2026-11-30T00:00:00Z"}},
        "iam:list_mfa_devices": {"MFADevices": [], "IsTruncated": False},
    }
    found = report(row("ann", made="2019-05-05T00:00:00+00:00", mfa="true"))
    ann = given(iam.USERS, answers=answers(found, "ann", **more)).named("ann")
    assert (ann.facts["console_password"], ann.facts["mfa"], sorted(ann.gaps)) == (True, False, ["active_keys", "last_used"])


def test_a_key_made_since_the_report_is_seen():
    # https://github.com/prowler-cloud/prowler/issues/2008 - the report is up to four hours old
    key = {"UserName": "ann", "AccessKeyId": "AKIA1", "Status": "Active", "CreateDate": "2026-11-30T00:00:00Z"}
    more = {
        "iam:list_access_keys": {"AccessKeyMetadata": [], "IsTruncated": False},
        "iam:list_access_keys:ann": {"AccessKeyMetadata": [key], "IsTruncated": False},
        "iam:get_access_key_last_used": {"AccessKeyLastUsed": {"ServiceName": "N/A", "Region": "N/A"}},
    }
    seen = given(iam.USERS, iam.ACCESS_KEYS, answers=answers(report(row("ann"), row("bob")), "ann", "bob", **more))
    assert seen.named("ann").facts["active_keys"] == 0, "what the report says"
    assert seen.named("AKIA1").facts["active"] is True


def test_a_user_whose_keys_may_not_be_listed_leaves_the_listing_incomplete():
    more = {"iam:list_access_keys": "AccessDenied"}
    (keys,) = given(iam.ACCESS_KEYS, answers=answers(report(), "ann", **more)).coverages
    assert (keys.extent, keys.gap.remedy) == ("absent", f"Allow iam:ListAccessKeys to {SCANNER}.")


def test_a_report_that_is_refused_is_a_gap_and_nothing_else_is_asked():
    refused = answers("AccessDenied", "ann")
    seen = given(iam.USERS, answers=refused)
    gaps = seen.named("ann").gaps
    assert sorted(gaps) == ["active_keys", "console_password", "last_used", "mfa"]
    assert {g.remedy for g in gaps.values()} == {f"Allow iam:GetCredentialReport to {SCANNER}."}
    assert {c.operation for c in seen.asked} == {"get_account_authorization_details", "get_credential_report"}


def test_a_report_that_may_not_be_made_names_the_permission():
    seen = given(iam.USERS, answers=answers("ReportNotPresent", "ann", **{"iam:generate_credential_report": "AccessDenied"}))
    assert seen.named("ann").gaps["mfa"].remedy == f"Allow iam:GenerateCredentialReport to {SCANNER}."


def test_a_report_that_is_never_ready(monkeypatch):
    monkeypatch.setattr("collectors.run.PAUSES", (0, 0))
    making = {"iam:generate_credential_report": {"State": "STARTED"}}
    for code, made in (("ReportInProgress", 0), ("ReportExpired", 2)):
        seen = given(iam.USERS, answers=answers(code, "ann", **making))
        assert seen.named("ann").gaps["mfa"].reason is Reason.TIMEOUT
        assert [c.operation for c in seen.asked].count("generate_credential_report") == made


def test_a_report_of_another_shape():
    for found in (report(row("ann", mfa="perhaps")), {"Content": b"user,arn\nann,arn:aws:iam::123456789012:user/ann"}):
        seen = given(iam.USERS, answers=answers(found, "ann"))
        assert seen.named("ann").gaps["mfa"].reason is Reason.UNPARSABLE


def test_fifty_users_cost_a_call_each(boto, look):
    client = boto("iam")
    for number in range(50):
        client.create_user(UserName=f"u{number}")
    client.create_access_key(UserName="u7")
    seen = look(iam.USERS, iam.ACCESS_KEYS)
    assert seen.failed() == []
    assert len(seen.ids()) == 51
    # users once for both tables, groups, the report and its making, everybody's keys, one key's use: with three calls a user it was 154
    assert len(seen.asked) <= 56


def test_what_makes_the_report_is_among_the_permissions():
    assert "generate_credential_report" in {c.operation for c in calls_of(iam.USERS, {"mfa"})}
    assert "generate_credential_report" not in {c.operation for c in calls_of(iam.USERS, {"created"})}
