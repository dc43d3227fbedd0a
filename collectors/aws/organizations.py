"""The organisation: whether the account is in one, where it stands in it, and the policies that bound accounts.

A member account may describe its organisation; the rest is for the management account and those that it delegates to, so a refusal is
the usual answer elsewhere. That there is no organisation is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Field, Row, Table

UNUSED = "AWSOrganizationsNotInUseException"
NESTING = "https://docs.aws.amazon.com/organizations/latest/userguide/orgs_reference_limits.html"
DESCRIBE = "https://docs.aws.amazon.com/organizations/latest/APIReference/API_DescribeOrganization.html"
DEPTH = 6
"""Parents that an account has at most: five units, one in the other, and the root."""
TYPES = {"SERVICE_CONTROL_POLICY": "service_control", "RESOURCE_CONTROL_POLICY": "resource_control"}
ENABLED = "Roots[].PolicyTypes[?Type=='SERVICE_CONTROL_POLICY' || Type=='RESOURCE_CONTROL_POLICY'][]"


def _used(row: Row) -> bool:
    return bool(row["item"].get("Id"))


def in_use(account: str, organisation: str | None) -> bool:
    """The account is in an organisation (`account` says that it was asked)."""
    return bool(account and organisation)


def ancestors(account: str, organisation: str | None, *above: Mapping[str, Any] | None) -> list[str]:
    """From the root down to the account. A way that does not end at the root is not understood: ValueError."""
    if not organisation:
        return []
    way = [p for p in above if p]
    if not way or way[-1]["Type"] != "ROOT":
        msg = "the parents of the account do not lead to a root"
        raise ValueError(msg)
    return [*(str(p["Id"]) for p in reversed(way)), account]


def members(account: str, organisation: str | None, found: list[str] | None) -> list[str]:
    """Accounts of the organisation; none where there is no organisation."""
    return sorted(found or []) if organisation and account else []


def _above(level: int) -> Call:
    def nested(row: Row) -> bool:
        return bool(row[f"above{level - 1}"]["Type"] == "ORGANIZATIONAL_UNIT")

    if level == 1:
        return Call(
            "organizations", "list_parents", args={"ChildId": "context.account"}, take="Parents[0]", when=_used, needs=("item",)
        )
    before = f"above{level - 1}"
    return Call(
        "organizations",
        "list_parents",
        args={"ChildId": f"{before}.Id"},
        take="Parents[0]",
        when=lambda row: bool(row.get(before)) and nested(row),
        needs=(before,),
    )


ABOVE = {f"above{level}": _above(level) for level in range(1, DEPTH + 1)}

ORGANIZATION = Table(
    kind="account",
    native_type="AWS::Organizations::Organization",
    list=Call("organizations", "describe_organization", take="Organization", means={UNUSED: {}}),
    per="account",
    id=Field((arn.PARTITION, arn.ACCOUNT), lambda partition, account: f"arn:{partition}:organizations::{account}:organization"),
    name=Field(("item.Id", arn.ACCOUNT), lambda organisation, _: organisation or "none"),
    detail={
        **ABOVE,
        "accounts": Call("organizations", "list_accounts", take="Accounts[].Id", when=_used, needs=("item",)),
    },
    facts={
        "organisation_in_use": Field((arn.ACCOUNT, "item.Id"), in_use),
        "organisation_id": Field("item.Id", absent="", source=DESCRIBE),
        "management_account": Field("item.MasterAccountId", absent="", source=DESCRIBE),
        "ancestors": Field((arn.ACCOUNT, "item.Id", *ABOVE), ancestors, source=NESTING),
        "organisation_accounts": Field((arn.ACCOUNT, "item.Id", "accounts"), members),
    },
)


def policy_id(name: str, account: str) -> str:
    """A policy's ARN; of one that AWS ships, as this account has it, since what it is attached to differs."""
    return name.replace(":organizations::aws:", f":organizations::{account}:")


POLICIES = Table(
    kind="permission_set",
    native_type="AWS::Organizations::Policy",
    # which sorts of policies are in force at all; a sort that is not enabled bounds nothing
    list=Call("organizations", "list_roots", take=ENABLED, means={UNUSED: []}),
    each=Call("organizations", "list_policies", args={"Filter": "parent.Type"}, take="Policies"),
    per="account",
    id=Field(("item.Arn", arn.ACCOUNT), policy_id),
    detail={
        "content": Call("organizations", "describe_policy", args={"PolicyId": "item.Id"}, take="Policy.Content"),
        "targets": Call("organizations", "list_targets_for_policy", args={"PolicyId": "item.Id"}, take="Targets[].TargetId"),
    },
    facts={
        "policy_type": Field("item.Type", TYPES),
        "statements": Field("content", statements),
        "targets": Field("targets", sorted),
        "system": Field("item.AwsManaged"),
    },
)

TABLES: tuple[Table, ...] = (ORGANIZATION, POLICIES)
