from __future__ import annotations

import json

import pytest

from collectors.aws import s3

PLAIN = {
    "store_type": "bucket",
    "encrypted": True,
    "key_id": "",
    "aws.algorithm": "AES256",
    "aws.bucket_key": False,
    "aws.blocked_encryption": [],
    "replicated": False,
    "replica_keys": False,
    "inventory": "none",
    "versioning": "off",
    "aws.mfa_delete": False,
    "object_lock": "none",
    "policy_statements": [],
    "acl_public": False,
    "access_logged": False,
    "aws.block_public_acls": False,
    "aws.ignore_public_acls": False,
    "aws.block_public_policy": False,
    "aws.restrict_public_buckets": False,
}


def test_default_encryption():
    kms = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "1234"}, "BucketKeyEnabled": True}
    managed = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms"}}
    blocked = {"BlockedEncryptionTypes": {"EncryptionType": ["SSE-C"]}}
    assert s3.algorithm([kms]) == "aws:kms"
    assert s3.algorithm([blocked]) == "AES256"
    assert s3.bucket_key([kms]) is True
    assert s3.bucket_key([managed]) is False
    assert s3.key_id("aws", "eu-west-1", "1", [blocked, kms]) == "arn:aws:kms:eu-west-1:1:key/1234"
    assert s3.key_id("aws", None, "1", [kms]) == "1234"
    assert s3.key_id("aws", "eu-west-1", "1", [managed]) == ""
    assert s3.key_id("aws", "eu-west-1", "1", None) == ""
    stray = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256", "KMSMasterKeyID": "1234"}}
    assert s3.key_id("aws", "eu-west-1", "1", [stray]) == ""


@pytest.mark.parametrize(
    ("lock", "mode"),
    [
        ({"ObjectLockEnabled": "Enabled"}, "none"),
        ({"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}}, "governance"),
        ({"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Years": 1}}}, "compliance"),
    ],
)
def test_lock_mode(lock, mode):
    assert s3.lock_mode(lock) == mode


@pytest.mark.parametrize(
    ("uri", "public"), [("global/AllUsers", True), ("global/AuthenticatedUsers", True), ("s3/LogDelivery", False)]
)
def test_acl_public(uri, public):
    grants = [
        {"Grantee": {"ID": "own", "Type": "CanonicalUser"}, "Permission": "FULL_CONTROL"},
        {"Grantee": {"URI": f"http://acs.amazonaws.com/groups/{uri}", "Type": "Group"}, "Permission": "READ_ACP"},
    ]
    assert s3.acl_public(grants) is public


def test_flag():
    assert [s3.flag(v) for v in (True, False, "true", "False")] == [True, False, True, False]
    with pytest.raises(KeyError):
        s3.flag("yes")


def test_plain_bucket(boto, look):
    client = boto("s3")
    client.create_bucket(Bucket="plain")
    # S3 itself does this to every new bucket; moto answers "not found" instead
    rule = {"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}, "BucketKeyEnabled": False}
    client.put_bucket_encryption(Bucket="plain", ServerSideEncryptionConfiguration={"Rules": [rule]})
    seen = look(s3.BUCKETS)
    bucket = seen.named("plain")
    assert (bucket.id, bucket.region, bucket.gaps) == ("arn:aws:s3:::plain", "us-east-1", {})
    assert bucket.facts == PLAIN
    assert seen.failed() == []


def test_bucket_of_a_store_without_default_encryption(boto, look):
    boto("s3").create_bucket(Bucket="bare")
    seen = look(s3.BUCKETS)
    assert seen.named("bare").facts == PLAIN | {"encrypted": False, "aws.algorithm": "none"}
    assert seen.failed() == []


def test_bucket_of_another_region(boto, look):
    client = boto("s3", "eu-west-1")
    client.create_bucket(
        Bucket="data", ObjectLockEnabledForBucket=True, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}
    )
    rule = {
        "ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "alias/data"},
        "BucketKeyEnabled": True,
    }
    client.put_bucket_encryption(Bucket="data", ServerSideEncryptionConfiguration={"Rules": [rule]})
    lock = {"ObjectLockEnabled": "Enabled", "Rule": {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 30}}}
    client.put_object_lock_configuration(Bucket="data", ObjectLockConfiguration=lock)
    deny = {
        "Effect": "Deny",
        "Principal": "*",
        "Action": "s3:*",
        "Resource": ["arn:aws:s3:::data", "arn:aws:s3:::data/*"],
        "Condition": {"Bool": {"aws:SecureTransport": False}},
    }
    client.put_bucket_policy(Bucket="data", Policy=json.dumps({"Statement": [deny]}))
    flags = {"BlockPublicAcls": True, "IgnorePublicAcls": True, "BlockPublicPolicy": True, "RestrictPublicBuckets": False}
    client.put_public_access_block(Bucket="data", PublicAccessBlockConfiguration=flags)
    client.create_bucket(Bucket="trail", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}, ACL="log-delivery-write")
    client.put_bucket_logging(
        Bucket="data", BucketLoggingStatus={"LoggingEnabled": {"TargetBucket": "trail", "TargetPrefix": "a/"}}
    )
    client.put_bucket_tagging(Bucket="data", Tagging={"TagSet": [{"Key": "ai-role", "Value": "data"}]})
    client.put_bucket_acl(Bucket="trail", ACL="public-read")

    seen = look(s3.BUCKETS, regions=("us-east-1", "eu-west-1"))

    bucket = seen.named("data")
    assert (bucket.region, bucket.tags, list(bucket.gaps)) == ("eu-west-1", {"ai-role": "data"}, ["acl_public"])
    assert [c.operation for c in seen.asked].count("get_bucket_acl") == 1, "nobody asks for an ACL that is ignored"
    assert bucket.facts == {name: value for name, value in PLAIN.items() if name != "acl_public"} | {
        "key_id": "arn:aws:kms:eu-west-1:123456789012:alias/data",
        "aws.algorithm": "aws:kms",
        "aws.bucket_key": True,
        "versioning": "enabled",
        "object_lock": "compliance",
        "policy_statements": [
            {
                "effect": "Deny",
                "actions": ["s3:*"],
                "not_actions": [],
                "resources": ["arn:aws:s3:::data", "arn:aws:s3:::data/*"],
                "not_resources": [],
                "principals": ["*"],
                "not_principals": [],
                "conditions": [{"operator": "Bool", "key": "aws:securetransport", "values": ["false"]}],
            }
        ],
        "access_logged": True,
        "aws.block_public_acls": True,
        "aws.ignore_public_acls": True,
        "aws.block_public_policy": True,
    }
    assert seen.named("trail").facts["acl_public"] is True
    assert {c.region for c in seen.asked if c.operation not in ("list_buckets", "get_bucket_location")} == {"eu-west-1"}


def test_account_without_a_block(look):
    seen = look(s3.ACCOUNT_BLOCK)
    (found,) = seen.resources
    assert (found.id, found.name, found.region) == (
        "arn:aws:s3::123456789012:account-public-access-block",
        "123456789012",
        "global",
    )
    assert found.facts == {
        "block_public_acls": False,
        "ignore_public_acls": False,
        "block_public_policy": False,
        "restrict_public_buckets": False,
    }
    assert [c.outcome for c in seen.asked] == ["absent"]
    assert [c.extent for c in seen.coverages] == ["complete"]


def test_account_with_a_block(boto, look):
    flags = {"BlockPublicAcls": True, "IgnorePublicAcls": True, "BlockPublicPolicy": True, "RestrictPublicBuckets": True}
    boto("s3control").put_public_access_block(AccountId="123456789012", PublicAccessBlockConfiguration=flags)
    (found,) = look(s3.ACCOUNT_BLOCK).resources
    assert set(found.facts.values()) == {True}
    assert len(found.facts) == 4


def rule(status="Enabled", chosen=None, key=None):
    made = {"Status": status, "Destination": {"Bucket": "arn:aws:s3:::copy"}}
    if chosen:
        made["SourceSelectionCriteria"] = {"SseKmsEncryptedObjects": {"Status": chosen}}
    if key:
        made["Destination"]["EncryptionConfiguration"] = {"ReplicaKmsKeyID": key}
    return made


@pytest.mark.parametrize(
    ("rules", "replicated", "keys"),
    [
        ([], False, False),
        ([rule("Disabled", "Enabled", "k")], False, False),
        ([rule()], True, False),
        ([rule(chosen="Enabled")], True, False),
        ([rule(chosen="Disabled", key="k")], True, False),
        ([rule(chosen="Enabled", key="k")], True, True),
        ([rule(chosen="Enabled", key="k"), rule("Disabled")], True, True),
        ([rule(chosen="Enabled", key="k"), rule()], True, False),
    ],
)
def test_replication(rules, replicated, keys):
    assert (s3.replicated(rules), s3.replica_keys(rules)) == (replicated, keys)


def listed(*fields, enabled=True, to="elsewhere"):
    destination = {"S3BucketDestination": {"Bucket": f"arn:aws:s3:::{to}", "Format": "CSV"}}
    return {"IsEnabled": enabled, "OptionalFields": list(fields), "Destination": destination}


@pytest.mark.parametrize(
    ("lists", "best"),
    [
        (None, "none"),
        ([listed("ChecksumAlgorithm", enabled=False)], "none"),
        ([listed("ChecksumAlgorithm", to="own")], "none"),
        ([listed("Size")], "plain"),
        ([listed("ETag")], "plain"),
        ([listed("ETag", "EncryptionStatus")], "etag"),
        ([listed("ETag", "EncryptionStatus"), listed("ChecksumAlgorithm"), listed()], "checksum"),
    ],
)
def test_inventory(lists, best):
    assert s3.inventory("own", lists) == best


def test_blocked_encryption():
    assert s3.blocked_encryption([{"BlockedEncryptionTypes": {"EncryptionType": ["SSE-C"]}}, {}]) == ["SSE-C"]
    assert s3.blocked_encryption([{"BlockedEncryptionTypes": {"EncryptionType": ["NONE"]}}]) == []


def test_replication_and_inventory_of_a_bucket(boto, look):
    client = boto("s3")
    for name in ("models", "copy"):
        client.create_bucket(Bucket=name)
        client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    copying = {
        "ID": "all",
        "Priority": 1,
        "Status": "Enabled",
        "Filter": {"Prefix": ""},
        "Destination": {"Bucket": "arn:aws:s3:::copy"},
    }
    client.put_bucket_replication(
        Bucket="models",
        ReplicationConfiguration={
            "Role": "arn:aws:iam::1:role/r",
            "Rules": [copying | {"DeleteMarkerReplication": {"Status": "Disabled"}}],
        },
    )
    configuration = {
        "Id": "daily",
        "IsEnabled": True,
        "IncludedObjectVersions": "All",
        "Schedule": {"Frequency": "Daily"},
        "Destination": {"S3BucketDestination": {"Bucket": "arn:aws:s3:::copy", "Format": "CSV"}},
    }
    client.put_bucket_inventory_configuration(Bucket="models", Id="daily", InventoryConfiguration=configuration)
    seen = look(s3.BUCKETS)
    assert [seen.named("models").facts[f] for f in ("replicated", "replica_keys", "inventory")] == [True, False, "plain"]
    assert [seen.named("copy").facts[f] for f in ("replicated", "replica_keys", "inventory")] == [False, False, "none"]
    assert seen.failed() == []


def test_access_points(boto, look):
    boto("s3").create_bucket(Bucket="data")
    client = boto("s3control")
    client.create_access_point(AccountId="123456789012", Name="inside", Bucket="data", VpcConfiguration={"VpcId": "vpc-1"})
    client.create_access_point(AccountId="123456789012", Name="open", Bucket="data")
    everyone = {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "*"}
    client.put_access_point_policy(AccountId="123456789012", Name="open", Policy=json.dumps({"Statement": [everyone]}))
    seen = look(s3.ACCESS_POINTS)
    assert seen.failed() == []
    point = seen.named("open")
    assert (point.id, point.kind, point.region) == ("arn:aws:s3:us-east-1:123456789012:accesspoint/open", "data_store", "us-east-1")
    assert point.facts.pop("policy_statements")[0]["principals"] == ["*"]
    assert point.facts == {
        "store_type": "access_point",
        "bucket": "arn:aws:s3:::data",
        "aws.network_origin": "internet",
        "acl_public": False,
        "aws.ignore_public_acls": True,
        "aws.restrict_public_buckets": True,
    }
    inside = seen.named("inside").facts
    assert (inside["aws.network_origin"], inside["policy_statements"]) == ("vpc", [])
