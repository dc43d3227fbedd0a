"""SQS queues, SNS topics and Kinesis streams."""

from __future__ import annotations

from typing import Any

from collectors.aws import arn
from collectors.policy import statements
from collectors.project import tag_list
from collectors.table import MISSING, Call, Const, Field, Table

QUEUE = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-sse-existing-queue.html"
QUEUE_ATTRIBUTES = "https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueAttributes.html"
TOPIC = "https://docs.aws.amazon.com/sns/latest/dg/sns-server-side-encryption.html"
STREAM = "https://docs.aws.amazon.com/kinesis/latest/APIReference/API_StreamDescriptionSummary.html"


def queue_arn(partition: str, region: str, account: str, url: str) -> str:
    """The ARN of a queue, from its URL, which ends in account and name."""
    owner, name = url.rstrip("/").split("/")[-2:]
    return f"arn:{partition}:sqs:{region}:{owner if owner.isdigit() else account}:{name}"


def queue_encrypted(key: str | None, managed: str | None) -> Any:
    """A key of KMS encrypts the queue, or one of SQS's own; unknown where the answer says neither."""
    if key:
        return True
    return MISSING if managed is None else {"true": True, "false": False}[managed.lower()]


def stream_encrypted(kind: str) -> bool:
    """`KMS` or `NONE`."""
    return {"KMS": True, "NONE": False}[kind]


QUEUES = Table(
    kind="data_store",
    native_type="AWS::SQS::Queue",
    # NOTE: without MaxResults the answer stops at 1000 queues and has no token: API_ListQueues
    list=Call("sqs", "list_queues", fixed={"MaxResults": 1000}, take="QueueUrls"),
    id=Field((*arn.PLACE, "item"), queue_arn),
    name=Field("item", lambda url: url.rsplit("/", 1)[-1]),
    tags=Field("tags", tag_list, absent={}),
    detail={
        "queue": Call(
            "sqs",
            "get_queue_attributes",
            args={"QueueUrl": "item"},
            fixed={"AttributeNames": ["KmsMasterKeyId", "SqsManagedSseEnabled", "Policy"]},
            take="Attributes",
        ),
        "tags": Call("sqs", "list_queue_tags", args={"QueueUrl": "item"}, take="Tags"),
    },
    facts={
        "store_type": Const("queue"),
        "encrypted": Field(("queue.KmsMasterKeyId", "queue.SqsManagedSseEnabled"), queue_encrypted),
        "key_id": arn.key("queue.KmsMasterKeyId", source=QUEUE),
        "policy_statements": Field("queue.Policy", statements, absent=[], source=QUEUE_ATTRIBUTES),
    },
)

TOPICS = Table(
    kind="data_store",
    native_type="AWS::SNS::Topic",
    list=Call("sns", "list_topics", take="Topics"),
    id=Field("item.TopicArn"),
    name=Field("item.TopicArn", lambda topic: topic.rsplit(":", 1)[-1]),
    tags=arn.tags("tags"),
    detail={
        "topic": Call("sns", "get_topic_attributes", args={"TopicArn": "item.TopicArn"}, take="Attributes"),
        "tags": Call("sns", "list_tags_for_resource", args={"ResourceArn": "item.TopicArn"}, take="Tags"),
    },
    facts={
        "store_type": Const("topic"),
        "encrypted": Field("topic.KmsMasterKeyId", bool, absent=False, source=TOPIC),
        "key_id": arn.key("topic.KmsMasterKeyId", source=TOPIC),
        "policy_statements": Field("topic.Policy", statements),
    },
)

STREAMS = Table(
    kind="data_store",
    native_type="AWS::Kinesis::Stream",
    list=Call("kinesis", "list_streams", take="StreamNames"),
    id=arn.one("stream", "item", service="kinesis"),
    name=Field("item"),
    tags=arn.tags("tags"),
    detail={
        "stream": Call("kinesis", "describe_stream_summary", args={"StreamName": "item"}, take="StreamDescriptionSummary"),
        # NOTE: a stream has at most 50 tags and an answer holds as many, so there is no second page
        "tags": Call("kinesis", "list_tags_for_stream", args={"StreamName": "item"}, take="Tags"),
    },
    facts={
        "store_type": Const("stream"),
        "encrypted": Field("stream.EncryptionType", stream_encrypted, absent=False, source=STREAM),
        "key_id": arn.key("stream.KeyId", source=STREAM),
    },
)

TABLES: tuple[Table, ...] = (QUEUES, TOPICS, STREAMS)
