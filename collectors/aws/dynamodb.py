"""DynamoDB tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Const, Field, Table

ENCRYPTION = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/EncryptionAtRest.html"
POLICY = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetResourcePolicy.html"

OFF = ("DISABLED", "DISABLING")
"""States in which the key that an answer still names encrypts nothing any more."""


def table_key(partition: str, region: str, account: str, description: Mapping[str, Any] | None) -> str:
    """The key of KMS that encrypts a table; empty where DynamoDB encrypts it with one of its own: ENCRYPTION."""
    found = description or {}
    if found.get("Status") in OFF or found.get("SSEType", "KMS") != "KMS":
        return ""
    return arn.key_arn(partition, region, account, found.get("KMSMasterKeyArn"))


TABLE = Table(
    kind="data_store",
    native_type="AWS::DynamoDB::Table",
    list=Call("dynamodb", "list_tables", take="TableNames"),
    id=arn.one("table", "item", service="dynamodb"),
    name=Field("item"),
    tags=arn.tags("tags"),
    detail={
        "table": Call("dynamodb", "describe_table", args={"TableName": "item"}, take="Table"),
        "policy": Call(
            "dynamodb",
            "get_resource_policy",
            args={"ResourceArn": "table.TableArn"},
            take="Policy",
            means={"PolicyNotFoundException": None},
        ),
        "tags": Call("dynamodb", "list_tags_of_resource", args={"ResourceArn": "table.TableArn"}, take="Tags"),
    },
    facts={
        "store_type": Const("database"),
        "engine": Const("dynamodb"),
        "encrypted": Field("table.TableName", lambda _: True, source=ENCRYPTION),
        "key_id": Field((*arn.PLACE, "table.SSEDescription"), table_key, source=ENCRYPTION),
        "key_selectable": Const(value=True),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
    },
)

TABLES: tuple[Table, ...] = (TABLE,)
