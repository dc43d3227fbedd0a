from __future__ import annotations

import json

import pytest

from collectors.aws import s3vectors
from tests.collectors.aws.answers import given

KEY = "arn:aws:kms:us-east-1:123456789012:key/11111111-2222-3333-4444-555555555555"
MADE = "2026-06-01T00:00:00Z"
BUCKET = "arn:aws:s3vectors:us-east-1:123456789012:bucket/b"


def test_keys():
    assert s3vectors.vector_key({"sseType": "aws:kms", "kmsKeyArn": KEY}) == KEY
    assert s3vectors.vector_key({"sseType": "AES256"}) == ""
    with pytest.raises(KeyError):
        s3vectors.vector_key({"sseType": "aws:quantum"})
    assert s3vectors.index_key({"sseType": "AES256"}, {"sseType": "aws:kms", "kmsKeyArn": KEY}) == ""
    assert s3vectors.index_key({"sseType": "aws:kms", "kmsKeyArn": KEY}, None) == KEY
    assert s3vectors.index_key({}, {"sseType": "aws:kms", "kmsKeyArn": KEY}) == KEY


def test_buckets_and_indexes(boto, look):
    client = boto("s3vectors")
    client.create_vector_bucket(vectorBucketName="good", encryptionConfiguration={"sseType": "aws:kms", "kmsKeyArn": KEY})
    client.create_vector_bucket(vectorBucketName="plain")
    policy = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "s3vectors:*", "Resource": "*"}]}
    client.put_vector_bucket_policy(vectorBucketName="plain", policy=json.dumps(policy))
    client.create_index(vectorBucketName="good", indexName="contracts", dataType="float32", dimension=4, distanceMetric="cosine")

    seen = look(*s3vectors.TABLES)

    assert seen.failed() == []
    good = next(r for r in seen.resources if r.name == "good")
    assert (good.id, good.gaps) == ("arn:aws:s3vectors:us-east-1:123456789012:bucket/good", {})
    assert good.facts == {"store_type": "vectors", "encrypted": True, "key_id": KEY, "policy_statements": []}
    plain = next(r for r in seen.resources if r.name == "plain").facts
    assert plain["key_id"] == ""
    assert plain["policy_statements"][0]["principals"] == ["*"]
    index = seen.named("good/contracts")
    assert index.id == "arn:aws:s3vectors:us-east-1:123456789012:bucket/good/index/contracts"
    assert index.facts == {"store_type": "vectors", "encrypted": True, "key_id": KEY}


def test_an_index_may_have_an_encryption_of_its_own_and_then_its_bucket_is_not_asked():
    bucket = {"vectorBucketName": "b", "vectorBucketArn": BUCKET, "creationTime": MADE}
    index = {"vectorBucketName": "b", "indexName": "i", "indexArn": f"{BUCKET}/index/i", "creationTime": MADE}
    seen = given(
        s3vectors.INDEXES,
        answers={
            "s3vectors:list_vector_buckets": {"vectorBuckets": [bucket]},
            "s3vectors:list_indexes": {"indexes": [index]},
            "s3vectors:get_index": {"index": {**index, "encryptionConfiguration": {"sseType": "AES256"}}},
        },
    )
    assert [r.facts["key_id"] for r in seen.resources] == [""]


def test_a_refused_look_at_the_bucket_leaves_the_key_of_its_index_unknown():
    bucket = {"vectorBucketName": "b", "vectorBucketArn": BUCKET, "creationTime": MADE}
    index = {"vectorBucketName": "b", "indexName": "i", "indexArn": f"{BUCKET}/index/i", "creationTime": MADE}
    seen = given(
        s3vectors.INDEXES,
        answers={
            "s3vectors:list_vector_buckets": {"vectorBuckets": [bucket]},
            "s3vectors:list_indexes": {"indexes": [index]},
            "s3vectors:get_index": {"index": index},
            "s3vectors:get_vector_bucket": "AccessDeniedException",
        },
    )
    assert seen.resources[0].gaps["key_id"].call == "s3vectors:GetVectorBucket"
