from __future__ import annotations

import json

import pytest

from collectors.aws import messaging
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
PLACE = ("aws", "us-east-1", "123456789012")


def test_queue_arn():
    url = "https://sqs.us-east-1.amazonaws.com/123456789012/ingest.fifo"
    assert messaging.queue_arn(*PLACE, url) == "arn:aws:sqs:us-east-1:123456789012:ingest.fifo"
    assert (
        messaging.queue_arn(*PLACE, "https://us-east-1.queue.amazonaws.com/210987654321/q")
        == "arn:aws:sqs:us-east-1:210987654321:q"
    )


@pytest.mark.parametrize(
    ("key", "managed", "expected"),
    [(KEY, "false", True), (None, "true", True), (None, "false", False), ("alias/aws/sqs", None, True)],
)
def test_a_queue_is_encrypted_by_a_key_or_by_its_service(key, managed, expected):
    assert messaging.queue_encrypted(key, managed) is expected


def test_queues(boto, look):
    client = boto("sqs")
    policy = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}]}
    client.create_queue(
        QueueName="good", Attributes={"KmsMasterKeyId": KEY, "Policy": json.dumps(policy)}, tags={"Zone": "training"}
    )
    client.create_queue(QueueName="plain")
    client.create_queue(QueueName="clear", Attributes={"SqsManagedSseEnabled": "false"})

    seen = look(messaging.QUEUES)

    assert seen.failed() == []
    good = seen.named("good")
    assert (good.id, good.region, good.tags, good.gaps) == (
        "arn:aws:sqs:us-east-1:123456789012:good",
        "us-east-1",
        {"Zone": "training"},
        {},
    )
    statement = {
        "effect": "Allow",
        "actions": ["sqs:SendMessage"],
        "not_actions": [],
        "resources": ["*"],
        "not_resources": [],
        "principals": ["*"],
        "not_principals": [],
        "conditions": [],
    }
    assert good.facts == {"store_type": "queue", "encrypted": True, "key_id": KEY, "policy_statements": [statement]}
    assert seen.named("plain").facts == {"store_type": "queue", "encrypted": True, "key_id": "", "policy_statements": []}
    assert seen.named("clear").facts["encrypted"] is False


def test_all_queues_are_listed_and_an_unknown_encryption_is_no_default():
    """Without MaxResults the listing stops at 1000 and has no token."""
    seen = given(
        messaging.QUEUES,
        answers={
            "sqs:list_queues": [
                {"QueueUrls": ["https://sqs.us-east-1.amazonaws.com/123456789012/a"], "NextToken": "2"},
                {"QueueUrls": ["https://sqs.us-east-1.amazonaws.com/123456789012/b"]},
            ],
            "sqs:get_queue_attributes": {},
            "sqs:list_queue_tags": {},
        },
    )
    assert messaging.QUEUES.list.fixed == {"MaxResults": 1000}
    assert [r.name for r in seen.resources] == ["a", "b"]
    assert {r.gaps["encrypted"].reason for r in seen.resources} == {"not_offered"}


def test_what_may_not_be_seen_of_a_queue_is_a_gap():
    seen = given(
        messaging.QUEUES,
        answers={
            "sqs:list_queues": {"QueueUrls": ["https://sqs.us-east-1.amazonaws.com/123456789012/a"]},
            "sqs:get_queue_attributes": "AccessDenied",
            "sqs:list_queue_tags": {},
        },
    )
    (queue,) = seen.resources
    assert queue.facts == {"store_type": "queue"}
    assert {name: (gap.reason, gap.call) for name, gap in queue.gaps.items()} == dict.fromkeys(
        ("encrypted", "key_id", "policy_statements"), ("denied", "sqs:GetQueueAttributes")
    )


def test_topics(boto, look):
    client = boto("sns")
    client.create_topic(Name="good", Attributes={"KmsMasterKeyId": "alias/data"}, Tags=[{"Key": "Zone", "Value": "inference"}])
    client.create_topic(Name="clear")

    seen = look(messaging.TOPICS)

    assert seen.failed() == []
    good = seen.named("good")
    assert (good.id, good.tags) == ("arn:aws:sns:us-east-1:123456789012:good", {"Zone": "inference"})
    assert good.facts["encrypted"] is True
    assert good.facts["key_id"] == "arn:aws:kms:us-east-1:123456789012:alias/data"
    assert good.facts["policy_statements"][0]["principals"] == ["*"]
    clear = seen.named("clear").facts
    assert (clear["store_type"], clear["encrypted"], clear["key_id"]) == ("topic", False, "")


def test_streams(boto, look):
    client = boto("kinesis")
    for name in ("good", "clear"):
        client.create_stream(StreamName=name, ShardCount=1)
    client.start_stream_encryption(StreamName="good", EncryptionType="KMS", KeyId=KEY)
    client.add_tags_to_stream(StreamName="good", Tags={"Zone": "inference"})

    seen = look(messaging.STREAMS)

    assert seen.failed() == []
    good = seen.named("good")
    assert (good.id, good.tags, good.gaps) == ("arn:aws:kinesis:us-east-1:123456789012:stream/good", {"Zone": "inference"}, {})
    assert good.facts == {"store_type": "stream", "encrypted": True, "key_id": KEY}
    assert seen.named("clear").facts == {"store_type": "stream", "encrypted": False, "key_id": ""}


def test_an_encryption_that_is_not_known_is_unreadable():
    with pytest.raises(KeyError):
        messaging.stream_encrypted("QUANTUM")
