from __future__ import annotations

from collectors.aws import caches
from tests.collectors.aws.answers import given

PLACE = "us-east-1:123456789012"


def group(**more):
    return {"ReplicationGroupId": "g", "ARN": f"arn:aws:elasticache:{PLACE}:replicationgroup:g", "Status": "available", **more}


def one(**more):
    answers = {
        "elasticache:describe_replication_groups": {"ReplicationGroups": [group(**more)]},
        "elasticache:list_tags_for_resource": {"TagList": []},
    }
    (found,) = given(caches.ELASTICACHE, answers=answers).resources
    return found.facts


def test_a_preferred_tls_is_none():
    assert one(TransitEncryptionEnabled=True)["tls_required"] is True
    assert one(TransitEncryptionEnabled=True, TransitEncryptionMode="required")["tls_required"] is True
    assert one(TransitEncryptionEnabled=True, TransitEncryptionMode="preferred")["tls_required"] is False
    assert one(TransitEncryptionEnabled=False)["tls_required"] is False
    assert one()["tls_required"] is False


def test_the_type_says_how_it_is_encrypted_whatever_the_flag_says():
    facts = one(AtRestEncryptionEnabled=False, StorageEncryptionType="sse-elasticache")
    assert (facts["encrypted"], facts["key_id"]) == (True, "")
    assert one(AtRestEncryptionEnabled=False, StorageEncryptionType="none")["encrypted"] is False


def test_memcached_takes_no_key():
    assert one(Engine="memcached")["key_selectable"] is False
    assert one(Engine="valkey")["key_selectable"] is True


def test_a_group_that_goes_is_left_out():
    answers = {"elasticache:describe_replication_groups": {"ReplicationGroups": [group(Status="deleting")]}}
    assert given(caches.ELASTICACHE, answers=answers).resources == []


def test_against_moto(boto, look):
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    boto("elasticache").create_replication_group(
        ReplicationGroupId="semantic",
        ReplicationGroupDescription="x",
        CacheNodeType="cache.r6g.large",
        Engine="redis",
        AtRestEncryptionEnabled=True,
        KmsKeyId=key,
        TransitEncryptionEnabled=True,
        Tags=[{"Key": "Zone", "Value": "inference"}],
    )
    client = boto("memorydb")
    client.create_cluster(ClusterName="vectors", NodeType="db.r6g.large", ACLName="open-access", KmsKeyId=key, TLSEnabled=True)
    client.create_cluster(ClusterName="plain", NodeType="db.r6g.large", ACLName="open-access", TLSEnabled=False)

    seen = look(*caches.TABLES)

    assert seen.failed() == []
    cache = seen.named("semantic")
    assert (cache.tags, cache.gaps) == ({"Zone": "inference"}, {})
    assert cache.facts == {
        "store_type": "cache",
        "engine": "redis",
        "encrypted": True,
        "key_id": key,
        "key_selectable": True,
        "tls_required": True,
    }
    assert (seen.named("vectors").facts["key_id"], seen.named("vectors").facts["tls_required"]) == (key, True)
    assert (seen.named("plain").facts["key_id"], seen.named("plain").facts["tls_required"]) == ("", False)


def test_a_key_that_the_service_owns_is_nobody_else_s():
    key = f"arn:aws:kms:{PLACE}:key/k"
    assert one(AtRestEncryptionEnabled=True, StorageEncryptionType="sse-elasticache", KmsKeyId=key)["key_id"] == ""
    assert one(AtRestEncryptionEnabled=True, StorageEncryptionType="sse-kms", KmsKeyId=key)["key_id"] == key
