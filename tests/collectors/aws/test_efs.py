from __future__ import annotations

import json

from collectors.aws import efs
from scanner.model import Reason
from tests.collectors.aws.answers import given

ARN = "arn:aws:elasticfilesystem:us-east-1:123456789012:file-system/fs-1"
SYSTEM = {
    "OwnerId": "123456789012", "CreationToken": "t", "FileSystemId": "fs-1", "FileSystemArn": ARN, "LifeCycleState": "available",
    "Encrypted": True, "KmsKeyId": "arn:aws:kms:us-east-1:123456789012:key/k", "Tags": [{"Key": "Name", "Value": "homes"}],
}  # fmt: skip
BARE = {
    "efs:describe_file_systems": {"FileSystems": [SYSTEM]},
    "efs:describe_file_system_policy": "PolicyNotFound",
    "efs:describe_backup_policy": "PolicyNotFound",
    "backup:list_protected_resources": {"Results": []},
}
TLS = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Deny", "Principal": "*", "Action": "*", "Condition": {"Bool": {"aws:SecureTransport": "false"}}},
    ],
}


def one(**answers):
    named = {f"efs:{k}": v for k, v in answers.items()}
    (found,) = given(*efs.TABLES, answers={**BARE, **named}).resources
    return found


def test_no_policy_is_an_answer():
    found = one()
    assert found.gaps == {}
    assert found.facts == {
        "store_type": "filesystem",
        "engine": "efs",
        "encrypted": True,
        "key_id": SYSTEM["KmsKeyId"],
        "key_selectable": True,
        "policy_statements": [],
        "persistent": True,
        "backup_enabled": False,
        "recovery_points": False,
    }


def test_a_policy_backups_and_recovery_points():
    answers = {
        **BARE,
        "efs:describe_file_system_policy": {"FileSystemId": "fs-1", "Policy": json.dumps(TLS)},
        "efs:describe_backup_policy": {"BackupPolicy": {"Status": "ENABLING"}},
        "backup:list_protected_resources": {"Results": [{"ResourceArn": ARN, "ResourceType": "EFS"}]},
    }
    (found,) = given(*efs.TABLES, answers=answers).resources
    assert [s["effect"] for s in found.facts["policy_statements"]] == ["Deny"]
    assert (found.facts["backup_enabled"], found.facts["recovery_points"]) == (True, True)


def test_a_refused_policy_is_unknown():
    found = one(describe_file_system_policy="AccessDeniedException")
    gap = found.gaps["policy_statements"]
    assert (gap.reason, gap.call) == (Reason.DENIED, "efs:DescribeFileSystemPolicy")
    assert "elasticfilesystem:DescribeFileSystemPolicy" in gap.remedy


def test_a_file_system_that_goes_is_left_out():
    answers = {**BARE, "efs:describe_file_systems": {"FileSystems": [{**SYSTEM, "LifeCycleState": "deleting"}]}}
    assert given(*efs.TABLES, answers=answers).resources == []


def test_against_moto(boto, look):
    client = boto("efs")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    good = client.create_file_system(CreationToken="a", Encrypted=True, KmsKeyId=key, Backup=True)["FileSystemId"]
    client.put_file_system_policy(FileSystemId=good, Policy=json.dumps(TLS))
    bare = client.create_file_system(CreationToken="b")["FileSystemId"]
    seen = look(efs.FILE_SYSTEMS)
    one, other = seen.named(good).facts, seen.named(bare).facts
    assert (one["encrypted"], one["key_id"], one["backup_enabled"], len(one["policy_statements"])) == (True, key, True, 1)
    assert (other["encrypted"], other["key_id"], other["backup_enabled"], other["policy_statements"]) == (False, "", False, [])
