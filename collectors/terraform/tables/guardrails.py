"""Policies of an organisation."""

from __future__ import annotations

from typing import Any

from collectors.aws.organizations import TYPES
from collectors.policy import statements
from collectors.table import Const, Field, Join, PlanTable
from collectors.terraform.tables.shared import CREATED, TAGS, docs, names, only_new

ORGANISATION_POLICY = docs("aws_organizations_policy")


def targets(created: bool, found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """What a policy is attached to."""
    return names(found or []) or only_new(created, [])


POLICIES = PlanTable(
    "permission_set",
    "AWS::Organizations::Policy",
    "aws_organizations_policy",
    {
        "policy_type": Field("item.type", TYPES, absent="service_control", source=ORGANISATION_POLICY),
        "statements": Field("item.content", statements),
        "targets": Field((CREATED, "attached[].target_id"), targets),
        "system": Const(value=False),
    },
    {"attached": Join("aws_organizations_policy_attachment", on="policy_id", many=True)},
    keep=lambda item: (item.get("type") or "SERVICE_CONTROL_POLICY") in TYPES,
    tags=TAGS,
)

TABLES: tuple[PlanTable, ...] = (POLICIES,)
