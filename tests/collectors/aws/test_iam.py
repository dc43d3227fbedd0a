from __future__ import annotations

import json

import pytest

from collectors.aws import iam

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
        "created": user.facts["created"],
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
        "created": found.facts["created"],
        "last_used": "never",
        "service_linked": False,
        "inline_policies": [{"name": "inline", "statements": [statement(not_actions=["iam:*"], resources=["*"])]}],
        "attached_policies": [policy],
        "boundary": edge,
        "group_ids": [],
        "trust_statements": [statement(actions=["sts:AssumeRole"], principals=["Service:ec2.amazonaws.com"])],
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
    assert seen.named(second["AccessKeyId"]).facts["active"] is False
    assert first["SecretAccessKey"] not in str(seen.answers)
