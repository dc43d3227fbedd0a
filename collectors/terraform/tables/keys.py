"""Key Management Service."""

from __future__ import annotations

from typing import Any

from collectors.aws.kms import METADATA, ROTATION_STATUS, STATES, algorithm
from collectors.policy import Statement, statements
from collectors.table import MISSING, Const, Fact, Field, Join, PlanTable
from collectors.terraform.tables.shared import CREATED, TAGS, docs, names, only_new

KEY = docs("aws_kms_key")
EXTERNAL = docs("aws_kms_external_key")
REPLICA = docs("aws_kms_replica_key")
DEFAULT_POLICY = "https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html"
ROTATION_PERIOD = 365


def origin(store: str | None, external: str | None) -> str:
    """Where the material is made."""
    return "external_store" if external else "hsm" if store else "provider"


def rotation_days(days: int) -> int:
    """Days between rotations; 0 is how the provider writes that rotation is off."""
    return days or ROTATION_PERIOD


def key_policy(own: str | None, inline: str | None, partition: str, account: str | None) -> Any:
    """The key policy; the documented default one where nobody sets it and the plan tells the account."""
    if own or inline:
        return statements(own or inline)
    return _default_policy(partition, account) if account else MISSING


def _default_policy(partition: str, account: str) -> list[Statement]:
    root = {"AWS": f"arn:{partition}:iam::{account}:root"}
    return statements({"Statement": [{"Effect": "Allow", "Principal": root, "Action": "kms:*", "Resource": "*"}]})


def alias_names(created: bool, found: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Names that point at the key."""
    return names(found) if found else only_new(created, [])


def expires(until: str) -> str:
    """When imported material expires."""
    return until or "never"


JOINS = {
    "policy": Join("aws_kms_key_policy", on="key_id"),
    "aliases": Join("aws_kms_alias", on="target_key_id", many=True),
    "grants": Join("aws_kms_grant", on="key_id", many=True),
}
_POLICY = Field(
    ("policy.policy", "item.policy", "context.partition", "context.account"), key_policy, absent=[], source=DEFAULT_POLICY
)
_ALIASES = Field((CREATED, "aliases[].name"), alias_names)
_GRANTEES = Field((CREATED, "grants[].grantee_principal"), alias_names)
_NAME = Field("aliases[].name", lambda found: min(found) if found else MISSING)


def _table(kind: str, **facts: Fact) -> PlanTable:
    shared: dict[str, Fact] = {
        "manager": Const("customer"),
        "policy_statements": _POLICY,
        "aliases": _ALIASES,
        "grantees": _GRANTEES,
    }
    return PlanTable("key", "AWS::KMS::Key", kind, {**shared, **facts}, JOINS, name=_NAME, tags=TAGS)


KEYS = _table(
    "aws_kms_key",
    state=Field("item.is_enabled", {True: "enabled", False: "disabled"}, absent="enabled", source=KEY),
    algorithm=Field("item.customer_master_key_spec", algorithm, absent="symmetric", source=KEY),
    origin=Field(("item.custom_key_store_id", "item.xks_key_id"), origin, absent="provider", source=KEY),
    rotation_enabled=Field("item.enable_key_rotation", absent=False, source=KEY),
    rotation_days=Field("item.rotation_period_in_days", rotation_days, absent=ROTATION_PERIOD, source=ROTATION_STATUS),
    expires=Const("never"),
    **{"aws.multi_region": Field("item.multi_region", {False: "none", True: "primary"}, absent="none", source=KEY)},
)

# NOTE: KMS never rotates imported material by itself: https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html
EXTERNALS = _table(
    "aws_kms_external_key",
    state=Field("item.key_state", STATES),
    algorithm=Field("item.key_spec", algorithm, absent="symmetric", source=EXTERNAL),
    origin=Const("external"),
    rotation_enabled=Const(value=False),
    rotation_days=Const(ROTATION_PERIOD),
    expires=Field("item.valid_to", expires, absent="never", source=METADATA),
    **{"aws.multi_region": Field("item.multi_region", {False: "none", True: "primary"}, absent="none", source=EXTERNAL)},
)

REPLICAS = _table(
    "aws_kms_replica_key",
    state=Field("item.enabled", {True: "enabled", False: "disabled"}, absent="enabled", source=REPLICA),
    algorithm=Field("item.key_spec", algorithm),
    origin=Const("provider"),
    rotation_enabled=Field("item.key_rotation_enabled"),
    expires=Const("never"),
    **{"aws.multi_region": Const("replica")},
)

EXTERNAL_REPLICAS = _table(
    "aws_kms_replica_external_key",
    state=Field("item.key_state", STATES),
    algorithm=Field("item.key_spec", algorithm),
    origin=Const("external"),
    rotation_enabled=Const(value=False),
    rotation_days=Const(ROTATION_PERIOD),
    expires=Field("item.valid_to", expires, absent="never", source=METADATA),
    **{"aws.multi_region": Const("replica")},
)

TABLES: tuple[PlanTable, ...] = (KEYS, EXTERNALS, REPLICAS, EXTERNAL_REPLICAS)
