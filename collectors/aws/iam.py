"""Identity and Access Management: the root user, users, roles, managed policies and access keys.

Users, roles, groups and policies come from one paged stream each, `GetAccountAuthorizationDetails`. Its policies include those that
AWS manages, since what they allow counts for the identities that have them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.project import tag_list
from collectors.table import Call, Const, Field, Side, Table

ROLE_LAST_USED = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_RoleLastUsed.html"
KEY_LAST_USED = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_AccessKeyLastUsed.html"
LOGIN_PROFILE = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetLoginProfile.html"
BOUNDARY = "https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html"
SERVICE_LINKED = "/aws-service-role/"
"""Path of roles that a service makes and runs: https://docs.aws.amazon.com/IAM/latest/UserGuide/using-service-linked-roles.html"""


def _details(take: str, *kinds: str) -> Call:
    return Call("iam", "get_account_authorization_details", fixed={"Filter": list(kinds)}, take=take)


USER_LIST = _details("UserDetailList", "User")
ROLE_LIST = _details("RoleDetailList", "Role")
GROUP_LIST = _details("GroupDetailList", "Group")
POLICY_LIST = _details("Policies", "LocalManagedPolicy", "AWSManagedPolicy")


def inline(policies: Iterable[Mapping[str, Any]] | None, prefix: str = "") -> list[dict[str, Any]]:
    """Policies written into an identity."""
    found = [{"name": prefix + p["PolicyName"], "statements": statements(p["PolicyDocument"])} for p in policies or []]
    return sorted(found, key=lambda p: str(p["name"]))


def inline_of_user(
    own: list[Mapping[str, Any]] | None, names: list[str] | None, groups: list[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Policies written into a user, then those written into its groups (named `group/policy`)."""
    found = inline(own)
    for group in members_of(names, groups):
        found += inline(group.get("GroupPolicyList"), f"{group['GroupName']}/")
    return found


def attached_of_user(own: list[Mapping[str, Any]] | None, names: list[str] | None, groups: list[Mapping[str, Any]]) -> list[str]:
    """Managed policies of a user and of its groups."""
    found = {p["PolicyArn"] for p in own or []}
    for group in members_of(names, groups):
        found |= {p["PolicyArn"] for p in group.get("AttachedManagedPolicies") or []}
    return sorted(found)


def members_of(names: list[str] | None, groups: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The groups with these names, in the order of their names. A name without its group is KeyError: its policies are unknown."""
    known = {g["GroupName"]: g for g in groups}
    return [known[name] for name in sorted(names or [])]


def group_arns(names: list[str] | None, groups: list[Mapping[str, Any]]) -> list[str]:
    """The ids of a user's groups."""
    return sorted(str(g["Arn"]) for g in members_of(names, groups))


def attached(policies: list[Mapping[str, Any]] | None) -> list[str]:
    """The ids of attached managed policies."""
    return sorted(p["PolicyArn"] for p in policies or [])


def default_statements(versions: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The statements of the version in force. Without one the policy is not readable: ValueError."""
    (version,) = (v for v in versions if v.get("IsDefaultVersion"))
    return statements(version["Document"])


def last_used_of_role(created: str, used: str | None) -> str:
    """When a role was last used, `never` where its tracking period has no use (`created` says that the role was read)."""
    return used or ("never" if created else "")


# NOTE: all groups go to every user, because a side listing matches one value and a user is in several groups
EVERY = "'every'"

ROOT = Table(
    kind="account",
    native_type="AWS::IAM::RootUser",
    list=Call("iam", "get_account_summary", take="SummaryMap"),
    per="account",
    id=Field((arn.PARTITION, arn.ACCOUNT), lambda partition, account: f"arn:{partition}:iam::{account}:root"),
    name=Field("'root'"),
    facts={
        "root_access_keys": Field("item.AccountAccessKeysPresent", bool),
        "root_mfa": Field("item.AccountMFAEnabled", bool),
        "root_password": Field("item.AccountPasswordPresent", bool),
    },
)

USERS = Table(
    kind="identity",
    native_type="AWS::IAM::User",
    list=USER_LIST,
    per="account",
    name=Field("item.UserName"),
    tags=arn.tags(),
    detail={
        "login": Call(
            "iam", "get_login_profile", args={"UserName": "item.UserName"}, take="LoginProfile", means={"NoSuchEntity": None}
        ),
        "mfa": Call(
            "iam", "list_mfa_devices", args={"UserName": "item.UserName"}, take="MFADevices", actions=("iam:ListMFADevices",)
        ),
        "groups": Side(GROUP_LIST, on=EVERY, key=EVERY),
    },
    facts={
        "identity_type": Const("user"),
        "console_password": Field("login", lambda _: True, absent=False, source=LOGIN_PROFILE),
        "mfa": Field("mfa", bool),
        "created": Field("item.CreateDate"),
        "service_linked": Const(value=False),
        "inline_policies": Field(("item.UserPolicyList", "item.GroupList", "groups"), inline_of_user),
        "attached_policies": Field(("item.AttachedManagedPolicies", "item.GroupList", "groups"), attached_of_user),
        "boundary": Field("item.PermissionsBoundary.PermissionsBoundaryArn", absent="", source=BOUNDARY),
        "group_ids": Field(("item.GroupList", "groups"), group_arns),
    },
)

ROLES = Table(
    kind="identity",
    native_type="AWS::IAM::Role",
    list=ROLE_LIST,
    per="account",
    name=Field("item.RoleName"),
    tags=arn.tags(),
    facts={
        "identity_type": Const("role"),
        "console_password": Const(value=False),
        "created": Field("item.CreateDate"),
        "last_used": Field(("item.CreateDate", "item.RoleLastUsed.LastUsedDate"), last_used_of_role, source=ROLE_LAST_USED),
        "service_linked": Field("item.Path", lambda path: path.startswith(SERVICE_LINKED)),
        "inline_policies": Field("item.RolePolicyList", inline, absent=[]),
        "attached_policies": Field("item.AttachedManagedPolicies", attached, absent=[]),
        "boundary": Field("item.PermissionsBoundary.PermissionsBoundaryArn", absent="", source=BOUNDARY),
        "group_ids": Const([]),
        "trust_statements": Field("item.AssumeRolePolicyDocument", statements),
    },
)

POLICIES = Table(
    kind="permission_set",
    native_type="AWS::IAM::ManagedPolicy",
    list=POLICY_LIST,
    per="account",
    name=Field("item.PolicyName"),
    facts={
        "statements": Field("item.PolicyVersionList", default_statements),
        "attachments": Field("item.AttachmentCount"),
        "system": Field("item.Arn", lambda name: name.split(":")[4] == "aws"),
    },
)

ACCESS_KEYS = Table(
    kind="credential",
    native_type="AWS::IAM::AccessKey",
    list=USER_LIST,
    # a user who is gone since has no keys
    each=Call(
        "iam", "list_access_keys", args={"UserName": "parent.UserName"}, take="AccessKeyMetadata", means={"NoSuchEntity": None}
    ),
    per="account",
    id=Field(("parent.Arn", "item.AccessKeyId"), lambda user, key: f"{user}/access-key/{key}"),
    name=Field("item.AccessKeyId"),
    tags=Field("parent.Tags", tag_list, absent={}),
    detail={
        "used": Call("iam", "get_access_key_last_used", args={"AccessKeyId": "item.AccessKeyId"}, take="AccessKeyLastUsed"),
    },
    facts={
        "credential_type": Const("access_key"),
        "owner": Field("parent.Arn"),
        "active": Field("item.Status", {"Active": True, "Inactive": False, "Expired": False}),
        "created": Field("item.CreateDate"),
        "last_used": Field("used.LastUsedDate", absent="never", source=KEY_LAST_USED),
        "expires": Const("never"),
    },
)

TABLES: tuple[Table, ...] = (ROOT, USERS, ROLES, POLICIES, ACCESS_KEYS)
