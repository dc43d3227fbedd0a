"""Elastic File System."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.backup import PROTECTED
from collectors.policy import statements
from collectors.table import Call, Const, Field, Side, Table

ENCRYPTION = "https://docs.aws.amazon.com/efs/latest/ug/API_FileSystemDescription.html"
POLICY = "https://docs.aws.amazon.com/efs/latest/ug/API_DescribeFileSystemPolicy.html"
BACKUP = "https://docs.aws.amazon.com/efs/latest/ug/API_DescribeBackupPolicy.html"
DURABLE = "https://docs.aws.amazon.com/efs/latest/ug/disaster-recovery-resiliency.html"

GONE = ("deleting", "deleted")
ON = {"ENABLED": True, "ENABLING": True, "DISABLED": False, "DISABLING": False}


def exists(system: Mapping[str, Any]) -> bool:
    """It is there to stay."""
    return system.get("LifeCycleState") not in GONE


FILE_SYSTEMS = Table(
    kind="data_store",
    native_type="AWS::EFS::FileSystem",
    list=Call("efs", "describe_file_systems", take="FileSystems"),
    keep=exists,
    id=Field("item.FileSystemArn"),
    name=arn.named("item.FileSystemId"),
    tags=arn.tags(),
    detail={
        "policy": Call(
            "efs",
            "describe_file_system_policy",
            args={"FileSystemId": "item.FileSystemId"},
            take="Policy",
            means={"PolicyNotFound": None},
        ),
        "backup": Call(
            "efs",
            "describe_backup_policy",
            args={"FileSystemId": "item.FileSystemId"},
            take="BackupPolicy.Status",
            means={"PolicyNotFound": None},
        ),
        "backups": Side(PROTECTED, on="item.FileSystemArn", key="ResourceArn"),
    },
    facts={
        "store_type": Const("filesystem"),
        "engine": Const("efs"),
        "encrypted": Field("item.Encrypted", absent=False, source=ENCRYPTION),
        "key_id": arn.key("item.KmsKeyId", source=ENCRYPTION),
        "key_selectable": Const(value=True),
        "policy_statements": Field("policy", statements, absent=[], source=POLICY),
        "persistent": Field("item.FileSystemId", lambda _: True, source=DURABLE),
        "backup_enabled": Field("backup", ON, absent=False, source=BACKUP),
        "recovery_points": Field("backups", bool),
    },
)

TABLES: tuple[Table, ...] = (FILE_SYSTEMS,)
