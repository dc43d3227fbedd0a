"""DynamoDB tables."""

from __future__ import annotations

from collectors.aws import arn
from collectors.policy import statements
from collectors.table import Call, Const, Field, Table

ENCRYPTION = "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/EncryptionAtRest.html"
POLICY = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetResourcePolicy.html"

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
        # where the table names no key, DynamoDB encrypts it with one of its own: ENCRYPTION
        "key_id": arn.key("table.SSEDescription.KMSMasterKeyArn", source=ENCRYPTION),
        "key_selectable": Const(value=True),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
    },
)

TABLES: tuple[Table, ...] = (TABLE,)
