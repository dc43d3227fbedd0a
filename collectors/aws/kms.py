"""Key Management Service."""

from __future__ import annotations

from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Field, Row, Side, Table

ROTATION = "https://docs.aws.amazon.com/kms/latest/developerguide/rotate-keys.html"
ROTATION_STATUS = "https://docs.aws.amazon.com/kms/latest/APIReference/API_GetKeyRotationStatus.html"
METADATA = "https://docs.aws.amazon.com/kms/latest/APIReference/API_KeyMetadata.html"

STATES = {  # https://docs.aws.amazon.com/kms/latest/developerguide/key-state.html
    "Enabled": "enabled",
    "Disabled": "disabled",
    "PendingDeletion": "pending_deletion",
    "PendingReplicaDeletion": "pending_deletion",
    "PendingImport": "pending_import",
    "Creating": "creating",
    "Updating": "updating",
    "Unavailable": "unavailable",
}
ORIGINS = {"AWS_KMS": "provider", "EXTERNAL": "external", "AWS_CLOUDHSM": "hsm", "EXTERNAL_KEY_STORE": "external_store"}


def customers(row: Row) -> bool:
    """Keys that the customer manages; a key whose metadata is unknown counts, its own calls then say why they fail."""
    return bool(_meta(row).get("KeyManager", "CUSTOMER") == "CUSTOMER")


def rotates(row: Row) -> bool:
    """Only symmetric keys of the customer with material made by KMS can rotate by themselves; others refuse the question."""
    meta = _meta(row)
    return (
        customers(row)
        and meta.get("KeySpec", "SYMMETRIC_DEFAULT") == "SYMMETRIC_DEFAULT"
        and meta.get("Origin", "AWS_KMS") == "AWS_KMS"
    )


def algorithm(spec: str) -> str:
    """`symmetric`, `hmac` or `asymmetric` (RSA, ECC, SM2, ML-DSA)."""
    if spec == "SYMMETRIC_DEFAULT":
        return "symmetric"
    return "hmac" if spec.startswith("HMAC_") else "asymmetric"


def rotation_enabled(enabled: bool | None, manager: str, spec: str, origin: str) -> bool:  # noqa: FBT001 - the answer's own type
    """What the status says; else the documented behaviour of keys that are not asked."""
    if enabled is not None:
        return enabled
    if manager == "AWS":
        return spec == "SYMMETRIC_DEFAULT"  # once a year, always
    if spec == "SYMMETRIC_DEFAULT" and origin == "AWS_KMS":
        msg = "a key that can rotate has no rotation status"
        raise ValueError(msg)
    return False


def expires(model: str | None, until: str | None, state: str | None) -> str:
    """When imported material expires; `never` for material made by KMS and for imports without an end; `missing` before and after.

    Material that expired is deleted, and the key waits for another import: then nothing says when it was.
    """
    if state == "PendingImport":
        return "missing"
    if model == "KEY_MATERIAL_EXPIRES":
        if not until:
            msg = "material expires, but not when"
            raise ValueError(msg)
        return until
    return "never"


def grantees(found: list[str]) -> list[str]:
    """Principals that have grants, each once."""
    return sorted(set(found))


def best_name(aliases: Any, identity: str) -> str:
    """The first alias, else the key's id."""
    return min((a["AliasName"] for a in aliases or []), default=identity)


def _meta(row: Row) -> Row:
    found: Row = row.get("meta") or {}
    return found


KEYS = Table(
    kind="key",
    native_type="AWS::KMS::Key",
    list=Call("kms", "list_keys", take="Keys"),
    id=Field("item.KeyArn"),
    name=Field(("aliases", "item.KeyId"), best_name),
    tags=arn.TAGGED,
    detail={
        "meta": Call("kms", "describe_key", args={"KeyId": "item.KeyId"}, take="KeyMetadata"),
        "rotation": Call("kms", "get_key_rotation_status", args={"KeyId": "item.KeyId"}, when=rotates, needs=("meta",)),
        "policy": Call("kms", "get_key_policy", args={"KeyId": "item.KeyId"}, fixed={"PolicyName": "default"}, take="Policy"),
        # NOTE: a grant lets somebody in whatever the policy says; keys of the provider grant nothing to anyone else
        "grants": Call(
            "kms", "list_grants", args={"KeyId": "item.KeyId"}, take="Grants[].GranteePrincipal", when=customers, needs=("meta",)
        ),
        "tags": arn.tagged("kms:key", "item.KeyArn"),
        "aliases": Side(Call("kms", "list_aliases", take="Aliases"), on="item.KeyId", key="TargetKeyId"),
    },
    facts={
        "manager": Field("meta.KeyManager", {"CUSTOMER": "customer", "AWS": "provider"}),
        "state": Field("meta.KeyState", STATES),
        "algorithm": Field("meta.KeySpec", algorithm),
        "origin": Field("meta.Origin", ORIGINS),
        "rotation_enabled": Field(
            ("rotation.KeyRotationEnabled", "meta.KeyManager", "meta.KeySpec", "meta.Origin"), rotation_enabled, source=ROTATION
        ),
        # NOTE: left out of answers while rotation is off and by old versions of the API; 365 is the documented default
        "rotation_days": Field("rotation.RotationPeriodInDays", absent=365, source=ROTATION_STATUS),
        "aliases": Field("aliases[].AliasName", sorted),
        "expires": Field(("meta.ExpirationModel", "meta.ValidTo", "meta.KeyState"), expires, absent="never", source=METADATA),
        "policy_statements": Field("policy", statements),
        "grantees": Field("grants", grantees),
        "aws.multi_region": Field(
            "meta.MultiRegionConfiguration.MultiRegionKeyType",
            {"PRIMARY": "primary", "REPLICA": "replica"},
            absent="none",
            source=METADATA,
        ),
    },
)

TABLES: tuple[Table, ...] = (KEYS,)
