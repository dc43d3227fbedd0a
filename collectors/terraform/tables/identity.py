"""Identity and Access Management: users, roles, managed policies and access keys."""

from __future__ import annotations

from typing import Any

from collectors.aws.iam import BOUNDARY, CREDENTIAL_REPORT, KEY_LAST_USED, ROLE_LAST_USED, SERVICE_LINKED
from collectors.policy import statements
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import CREATED, TAGS, docs, flat, names, only_new

ROLE = docs("aws_iam_role")
USER = docs("aws_iam_user")
ACCESS_KEY = docs("aws_iam_access_key")


def inline(created: bool, *layers: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Policies written into an identity; later layers replace earlier ones of the same name."""
    found = {}
    for policy in flat(*layers):
        found[policy["name"] or ""] = {"name": policy["name"] or "", "statements": statements(policy["policy"])}
    return [found[n] for n in sorted(found)] if found else only_new(created, [])


def role_inline(created: bool, block: Any, own: Any, gone: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Inline policies of a role: what its own attribute shows, less what goes, and what other resources add."""
    away = {p.get("name") for p in gone or []}
    return inline(created or block is not None, [b for b in block or [] if b.get("name") not in away], own)


def user_inline(created: bool, own: Any, of_groups: Any, groups: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Inline policies of a user and of its groups (named `group/policy`)."""
    titles = {f"plan/{g['address']}": g["name"] for g in groups or []}
    shared = [{**p, "name": f"{titles.get(p['group'], p['group'])}/{p['name']}"} for p in of_groups or []]
    return inline(created, own, shared)


def user_attached(created: bool, *found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Managed policies attached to a user and to its groups."""
    return names(flat(*found)) or only_new(created, [])


def attached(created: bool, arns: Any, gone: Any, *more: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Managed policies attached: what the identity's own attribute shows, less what goes, and what other resources add."""
    away = {p.get("policy_arn") for p in gone or []}
    found = names([a for a in flat(arns) if a not in away] + flat(*more))
    return found if found or arns is not None else only_new(created, [])


def groups_of(created: bool, lists: Any, single: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Groups of a user."""
    return names(flat(lists, single)) or only_new(created, [])


def present(created: bool, found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """There is one; of an identity that exists already the plan does not know that there is none."""
    return True if found else only_new(created, default=False)


def active_keys(created: bool, keys: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Access keys that work; whether others exist of a user that exists already the plan does not know."""
    found = sum(1 for key in keys or [] if key.get("status") != "Inactive")
    return found or only_new(created, 0)


def profiles(created: bool, found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Instance profiles that hold a role."""
    return names([f"plan/{p['address']}" for p in found or []]) or only_new(created, [])


def service_linked(path: str) -> bool:
    """A service makes and runs it."""
    return path.startswith(SERVICE_LINKED)


_ATTACHED_SOURCE = docs("aws_iam_role_policy_attachment")

UNBOUNDED = {"service_linked": False, "boundary": ""}
"""Nobody attaches policies to service-linked roles; and a policy counts for what it grants, where the plan does not show what bounds it."""

USERS = PlanTable(
    "identity",
    "AWS::IAM::User",
    "aws_iam_user",
    {
        "identity_type": Const("user"),
        "console_password": Field((CREATED, "login.user"), present, source=docs("aws_iam_user_login_profile")),
        # NOTE: Terraform makes devices but cannot enrol them, so only a device seen enrolled settles it
        "mfa": Field("mfa[].user_name", lambda found: True if found else MISSING),
        "active_keys": Field((CREATED, pick("keys[]", "status", "address")), active_keys, source=ACCESS_KEY),
        "last_used": Field(CREATED, lambda created: only_new(created, "never"), source=CREDENTIAL_REPORT),
        "service_linked": Const(value=False),
        "inline_policies": Field(
            (CREATED, pick("inline[]", "name", "policy"), pick("group_inline[]", "name", "policy", "group"), pick("group[]", "name", "address")),
            user_inline,
        ),
        "attached_policies": Field(
            (
                CREATED, "attached[].policy_arn", "shared[].policy_arn", "group_attached[].policy_arn", "group_shared[].policy_arn",
            ),
            user_attached,
        ),
        "boundary": Field("item.permissions_boundary", absent="", source=BOUNDARY),
        "group_ids": Field((CREATED, "memberships[].groups", "members[].group"), groups_of),
    },
    {
        "login": Join("aws_iam_user_login_profile", on="user"),
        "mfa": Join("aws_iam_virtual_mfa_device", on="user_name", many=True),
        "keys": Join("aws_iam_access_key", on="user", many=True),
        "inline": Join("aws_iam_user_policy", on="user", many=True),
        "attached": Join("aws_iam_user_policy_attachment", on="user", many=True),
        "shared": Join("aws_iam_policy_attachment", on="users", many=True),
        "memberships": Join("aws_iam_user_group_membership", on="user", many=True),
        "members": Join("aws_iam_group_membership", on="users", many=True),
        "group": Join("aws_iam_group", on="id", to="memberships[].groups[]|members[].group", many=True),
        "group_inline": Join("aws_iam_group_policy", on="group", to="memberships[].groups[]|members[].group", many=True),
        "group_attached": Join("aws_iam_group_policy_attachment", on="group", to="memberships[].groups[]|members[].group", many=True),
        "group_shared": Join("aws_iam_policy_attachment", on="groups", to="memberships[].groups[]|members[].group", many=True),
    },
    tags=TAGS,
    elsewhere=UNBOUNDED,
)  # fmt: skip

ROLES = PlanTable(
    "identity",
    "AWS::IAM::Role",
    "aws_iam_role",
    {
        "identity_type": Const("role"),
        "console_password": Const(value=False),
        "active_keys": Const(0),
        "created": Field("item.create_date"),
        "last_used": Field(CREATED, lambda created: only_new(created, "never"), source=ROLE_LAST_USED),
        "service_linked": Field("item.path", service_linked, absent=False, source=ROLE),
        "inline_policies": Field(
            (CREATED, pick("item.inline_policy[]", "name", "policy"), pick("inline[]", "name", "policy"), "inline_was"),
            role_inline, absent=[], source=ROLE,
        ),
        "attached_policies": Field(
            (CREATED, "item.managed_policy_arns", "attached_was", "attached[].policy_arn", "shared[].policy_arn"),
            attached, absent=[], source=_ATTACHED_SOURCE,
        ),
        "boundary": Field("item.permissions_boundary", absent="", source=BOUNDARY),
        "group_ids": Const([]),
        "trust_statements": Field("item.assume_role_policy", statements),
        "instance_profiles": Field((CREATED, pick("profiles[]", "address", "role")), profiles, source=docs("aws_iam_instance_profile")),
    },
    {
        "profiles": Join("aws_iam_instance_profile", on="role", many=True),
        "inline": Join("aws_iam_role_policy", on="role", many=True),
        "attached": Join("aws_iam_role_policy_attachment", on="role", many=True),
        "shared": Join("aws_iam_policy_attachment", on="roles", many=True),
    },
    tags=TAGS,
    elsewhere=UNBOUNDED,
)  # fmt: skip


def attachments(created: bool, now: int | None, *found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Identities that a policy is attached to."""
    if not created:
        return MISSING if now is None else now
    single, lists = found[:3], found[3:]
    return len(flat(*single)) + len(flat(*lists))


_SHARED = Join("aws_iam_policy_attachment", on="policy_arn", many=True)

POLICIES = PlanTable(
    "permission_set",
    "AWS::IAM::ManagedPolicy",
    "aws_iam_policy",
    {
        "statements": Field("item.policy", statements),
        "attachments": Field(
            (CREATED, "item.attachment_count", "roles[].policy_arn", "users[].policy_arn", "groups[].policy_arn",
             "shared[].roles", "shared[].users", "shared[].groups"),
            attachments, absent=0, source=docs("aws_iam_policy"),
        ),
        "system": Const(value=False),
    },
    {
        "roles": Join("aws_iam_role_policy_attachment", on="policy_arn", many=True),
        "users": Join("aws_iam_user_policy_attachment", on="policy_arn", many=True),
        "groups": Join("aws_iam_group_policy_attachment", on="policy_arn", many=True),
        "shared": _SHARED,
    },
    tags=TAGS,
)  # fmt: skip


def owner(partition: str, account: str | None, user: str) -> str:
    """The user that a key belongs to."""
    if user.startswith(("plan/", "arn:")) or not account:
        return user
    return f"arn:{partition}:iam::{account}:user/{user}"


ACCESS_KEYS = PlanTable(
    "credential",
    "AWS::IAM::AccessKey",
    "aws_iam_access_key",
    {
        "credential_type": Const("access_key"),
        "owner": Field(("context.partition", "context.account", "item.user"), owner),
        "active": Field("item.status", {"Active": True, "Inactive": False}, absent=True, source=ACCESS_KEY),
        "created": Field("item.create_date"),
        "last_used": Field(CREATED, lambda created: only_new(created, "never"), source=KEY_LAST_USED),
        "expires": Const("never"),
    },
    name=Field("item.id"),
    tags=None,
)

TABLES: tuple[PlanTable, ...] = (USERS, ROLES, POLICIES, ACCESS_KEYS)
