"""Identity and Access Management: the root user, users, roles, managed policies and access keys.

Users, roles, groups and policies come from one paged stream each, `GetAccountAuthorizationDetails`. Its policies include those that
AWS manages, since what they allow counts for the identities that have them. Passwords, second factors and uses come from the account's
credential report: one answer for all users. AWS makes it when asked to, at most every four hours; who is not in it yet is asked
about by himself. Access keys are asked for user by user: one made since the report must not be missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import EVERY, MISSING, Call, Const, Field, Row, Side, Table

ROLE_LAST_USED = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_RoleLastUsed.html"
KEY_LAST_USED = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_AccessKeyLastUsed.html"
LOGIN_PROFILE = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetLoginProfile.html"
CREDENTIAL_REPORT = "https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_getting-report.html"
INSTANCE_PROFILES = "https://docs.aws.amazon.com/IAM/latest/APIReference/API_RoleDetail.html"
BOUNDARY = "https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html"
SERVICE_LINKED = "/aws-service-role/"
"""Path of roles that a service makes and runs: https://docs.aws.amazon.com/IAM/latest/UserGuide/using-service-linked-roles.html"""


def _details(take: str, *kinds: str) -> Call:
    return Call("iam", "get_account_authorization_details", fixed={"Filter": list(kinds)}, take=take)


USER_LIST = _details("UserDetailList", "User")
ROLE_LIST = _details("RoleDetailList", "Role")
GROUP_LIST = _details("GroupDetailList", "Group")
POLICY_LIST = _details("Policies", "LocalManagedPolicy", "AWSManagedPolicy")
MAKE_REPORT = Call("iam", "generate_credential_report")
REPORT = Call(
    "iam",
    "get_credential_report",
    take="Content",
    csv="Content",
    retry={"ReportNotPresent": MAKE_REPORT, "ReportExpired": MAKE_REPORT, "ReportInProgress": None},
)
"""One row a user, and one of the root user. Columns: https://docs.aws.amazon.com/IAM/latest/UserGuide/id_credentials_getting-report.html"""
FLAGS = {"true": True, "false": False, "TRUE": True, "FALSE": False}
NO_DATE = frozenset(("N/A", "no_information", "not_supported"))
USES = ("password_last_used", "access_key_1_last_used_date", "access_key_2_last_used_date")
ACTIVE_KEYS = ("access_key_1_active", "access_key_2_active")


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


def profiles(found: list[Mapping[str, Any]]) -> list[str]:
    """The ids of the instance profiles that hold a role."""
    return sorted(str(p["Arn"]) for p in found)


def default_statements(versions: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The statements of the version in force. Without one the policy is not readable: ValueError."""
    (version,) = (v for v in versions if v.get("IsDefaultVersion"))
    return statements(version["Document"])


def last_used_of_role(created: str, used: str | None) -> str:
    """When a role was last used, `never` where its tracking period has no use (`created` says that the role was read)."""
    return used or ("never" if created else "")


Report = list[Mapping[str, str]]
"""The rows of the credential report that have a user's ARN."""


def told(report: Report, created: str) -> Mapping[str, str] | None:
    """What the report tells of a user made at `created`; None of one that was made since, perhaps under the name of another."""
    return next((r for r in report if r["user_creation_time"][:SECONDS] == created[:SECONDS]), None)


SECONDS = len("2026-01-01T00:00:00")


def unreported(row: Row) -> bool:
    """The user is not in the credential report."""
    return told(row["report"], row["item"]["CreateDate"]) is None


def has_password(report: Report, created: str, login: Mapping[str, Any] | None) -> bool:
    """The user can log in with a password."""
    user = told(report, created)
    return login is not None if user is None else FLAGS[user["password_enabled"]]


def has_mfa(report: Report, created: str, devices: list[Any] | None) -> bool:
    """The user has a second factor."""
    user = told(report, created)
    return bool(devices) if user is None else FLAGS[user["mfa_active"]]


def active_keys(report: Report, created: str) -> Any:
    """How many access keys of the user work."""
    user = told(report, created)
    return MISSING if user is None else sum(FLAGS[user[column]] for column in ACTIVE_KEYS)


def last_used_of_user(report: Report, created: str) -> Any:
    """When the user last used its password or one of its keys, `never` where it did not."""
    user = told(report, created)
    if user is None:
        return MISSING
    found = [datetime.fromisoformat(text) for column in USES if (text := user[column]) not in NO_DATE]
    return max(found).isoformat().replace("+00:00", "Z") if found else "never"


def works(row: Row) -> bool:
    """The credential is one that works."""
    return {"Active": True, "Inactive": False, "Expired": False}[row["item"]["Status"]]


def use_of_key(report: Report, created: str) -> str | None:
    """What the report says of the last use of the key made at `created`; None where it does not have that one key."""
    keys = [(user[f"access_key_{n}_last_rotated"], user[f"access_key_{n}_last_used_date"]) for user in report for n in (1, 2)]
    found = [used for made, used in keys if made[:SECONDS] == created[:SECONDS]]
    return found[0] if len(found) == 1 else None


def untold(row: Row) -> bool:
    """The key works, and the report has no word of it: it was made or changed since."""
    return works(row) and use_of_key(row["report"], row["item"]["CreateDate"]) is None


def last_used_of_key(status: str, created: str, report: Report, used: str | None) -> Any:
    """When a key was last used; nobody asks of one that is off."""
    if status != "Active":
        return MISSING
    said = use_of_key(report, created)
    if said is None:
        return used or "never"
    return "never" if said in NO_DATE else said.replace("+00:00", "Z")


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
        "report": Side(REPORT, on="item.Arn", key="arn"),
        "login": Call(
            "iam",
            "get_login_profile",
            args={"UserName": "item.UserName"},
            take="LoginProfile",
            means={"NoSuchEntity": None},
            when=unreported,
            needs=("report",),
        ),
        "mfa": Call(
            "iam",
            "list_mfa_devices",
            args={"UserName": "item.UserName"},
            take="MFADevices",
            when=unreported,
            needs=("report",),
            actions=("iam:ListMFADevices",),
        ),
        # NOTE: all groups go to every user, because a side listing matches one value and a user is in several groups
        "groups": Side(GROUP_LIST, on=EVERY, key=EVERY),
    },
    facts={
        "identity_type": Const("user"),
        "console_password": Field(("report", "item.CreateDate", "login"), has_password, source=LOGIN_PROFILE),
        "mfa": Field(("report", "item.CreateDate", "mfa"), has_mfa, source=CREDENTIAL_REPORT),
        "active_keys": Field(("report", "item.CreateDate"), active_keys, source=CREDENTIAL_REPORT),
        "created": Field("item.CreateDate"),
        "last_used": Field(("report", "item.CreateDate"), last_used_of_user, source=CREDENTIAL_REPORT),
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
        "active_keys": Const(0),
        "created": Field("item.CreateDate"),
        "last_used": Field(("item.CreateDate", "item.RoleLastUsed.LastUsedDate"), last_used_of_role, source=ROLE_LAST_USED),
        "service_linked": Field("item.Path", lambda path: path.startswith(SERVICE_LINKED)),
        "inline_policies": Field("item.RolePolicyList", inline, absent=[]),
        "attached_policies": Field("item.AttachedManagedPolicies", attached, absent=[]),
        "boundary": Field("item.PermissionsBoundary.PermissionsBoundaryArn", absent="", source=BOUNDARY),
        "group_ids": Const([]),
        "trust_statements": Field("item.AssumeRolePolicyDocument", statements),
        "instance_profiles": Field("item.InstanceProfileList", profiles, absent=[], source=INSTANCE_PROFILES),
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
    # NOTE: not from the credential report, in which keys of the last hours are missing (and users who are gone are not):
    # https://github.com/prowler-cloud/prowler/issues/2008
    list=USER_LIST,
    each=Call(
        "iam",
        "list_access_keys",
        args={"UserName": "parent.UserName"},
        take="AccessKeyMetadata",
        means={"NoSuchEntity": None},  # a user who is gone since has no keys
    ),
    per="account",
    id=Field(("parent.Arn", "item.AccessKeyId"), lambda user, key: f"{user}/access-key/{key}"),
    name=Field("item.AccessKeyId"),
    tags=arn.tags("parent.Tags"),
    detail={
        "report": Side(REPORT, on="parent.Arn", key="arn"),
        "used": Call(
            "iam",
            "get_access_key_last_used",
            args={"AccessKeyId": "item.AccessKeyId"},
            take="AccessKeyLastUsed",
            when=untold,
            needs=("item", "report"),
        ),
    },
    facts={
        "credential_type": Const("access_key"),
        "owner": Field("parent.Arn"),
        "active": Field("item.Status", {"Active": True, "Inactive": False, "Expired": False}),
        "created": Field("item.CreateDate"),
        "last_used": Field(
            ("item.Status", "item.CreateDate", "report", "used.LastUsedDate"), last_used_of_key, source=KEY_LAST_USED
        ),
        "expires": Const("never"),
    },
)

TABLES: tuple[Table, ...] = (ROOT, USERS, ROLES, POLICIES, ACCESS_KEYS)
