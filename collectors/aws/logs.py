"""CloudWatch Logs: log groups."""

from __future__ import annotations

from collectors.aws import arn
from collectors.table import Call, Const, Field, Side, Table

ENCRYPTION = "https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html"
INVOCATIONS = "https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html"


def group_arn(own: str | None, arn_of_streams: str | None) -> str:
    """The ARN without the `:*` that stands for the streams of a group."""
    return own or str(arn_of_streams).removesuffix(":*")


# NOTE: no tags, which would take a call a group, and an account may have thousands of them
GROUPS = Table(
    kind="data_store",
    native_type="AWS::Logs::LogGroup",
    list=Call("logs", "describe_log_groups", take="logGroups"),
    id=Field(("item.logGroupArn", "item.arn"), group_arn),
    name=Field("item.logGroupName"),
    detail={
        "invocations": Side(
            Call("bedrock", "get_model_invocation_logging_configuration", take="[loggingConfig.cloudWatchConfig]"),
            on="item.logGroupName",
            key="logGroupName",
        ),
    },
    facts={
        "store_type": Const("log_group"),
        "encrypted": Const(value=True),  # always, by a key of the service's own where none is named: ENCRYPTION
        "key_id": arn.key("item.kmsKeyId", source=ENCRYPTION),
        "log_group_name": Field("item.logGroupName"),
        "invocation_log": Field("invocations", bool, absent=False, source=INVOCATIONS),
    },
)

TABLES: tuple[Table, ...] = (GROUPS,)
