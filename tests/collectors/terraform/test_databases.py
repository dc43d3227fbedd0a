"""File systems, databases, caches, streams and backups as plans write them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from collectors.terraform.plan import read_plan
from scanner.model import Reason, Resource

PLAN = Path(__file__).resolve().parents[3] / "fixtures" / "plans" / "types" / "05-datastores" / "plan.json"
KEY = "plan/aws_kms_key.data"
GOLDEN = "plan/aws_s3_bucket.golden"


@cache
def planned() -> dict[str, Resource]:
    return {r.id.removeprefix("plan/aws_"): r for r in read_plan(PLAN).resources}


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        ("fsx_lustre_file_system.good", {"store_type": "filesystem", "persistent": True, "key_id": KEY, "backup_enabled": True, "root_squash": True, "linked": True, "automatic_exports": [GOLDEN]}),
        ("fsx_lustre_file_system.bad", {"store_type": "scratch", "persistent": False, "key_id": "", "key_selectable": False, "backup_enabled": False, "export_uri": "s3://osprey-golden-input", "repository_uris": ["s3://osprey-golden-input"], "root_squash": False}),
        ("fsx_data_repository_association.bad", {"uri": GOLDEN, "export_uri": GOLDEN, "file_system_id": "plan/aws_fsx_lustre_file_system.good"}),
        ("fsx_ontap_file_system.good", {"engine": "ontap", "store_type": "filesystem", "key_id": KEY, "backup_enabled": False}),
        ("fsx_openzfs_file_system.bad", {"engine": "openzfs", "key_id": ""}),
        ("fsx_windows_file_system.bad", {"engine": "windows", "key_id": "", "backup_enabled": True}),
        ("efs_file_system.good", {"encrypted": True, "key_id": KEY, "backup_enabled": True}),
        ("efs_file_system.bad", {"encrypted": False, "key_id": "", "backup_enabled": False, "policy_statements": []}),
        ("db_instance.good", {"encrypted": True, "key_id": KEY, "internet_facing": False, "parameter_group_id": "plan/aws_db_parameter_group.good", "tls_default": True, "firewall_ids": ["plan/aws_security_group.nfs"]}),
        ("db_instance.bad", {"encrypted": False, "internet_facing": True, "parameter_group_id": "plan/aws_db_parameter_group.bad"}),
        ("db_parameter_group.good", {"tls_required": True, "waits_for_restart": True}),
        ("db_parameter_group.bad", {"tls_required": False}),
        ("rds_cluster_parameter_group.bad", {"tls_required": False}),
        ("rds_cluster.good", {"encrypted": True, "key_id": KEY, "internet_facing": False}),
        ("rds_cluster.bad", {"encrypted": False, "parameter_group_id": "plan/aws_rds_cluster_parameter_group.bad"}),
        ("rds_cluster_instance.bad", {"store_type": "database_member", "cluster_id": "plan/aws_rds_cluster.bad", "internet_facing": True}),
        ("db_snapshot.bad", {"store_type": "snapshot", "shared_publicly": True}),
        ("redshift_cluster.bad", {"encrypted": False, "internet_facing": True, "port": 5439}),
        ("dynamodb_table.good", {"encrypted": True, "key_id": KEY, "policy_statements": []}),
        ("dynamodb_table.bad", {"encrypted": True, "key_id": ""}),
        ("dynamodb_table.managed", {"encrypted": True, "key_id": ""}),
        ("msk_cluster.good", {"key_id": KEY, "tls_required": True, "internal_tls": True, "internet_facing": False, "anonymous_access": False, "serverless": False}),
        ("msk_cluster.bad", {"key_id": "", "tls_required": False, "internal_tls": False, "internet_facing": True, "anonymous_access": True}),
        ("memorydb_cluster.good", {"key_id": KEY, "tls_required": True, "encrypted": True}),
        ("memorydb_cluster.bad", {"key_id": "", "tls_required": False}),
        ("elasticache_replication_group.good", {"key_id": KEY, "encrypted": True, "tls_required": True}),
        ("elasticache_replication_group.bad", {"encrypted": False, "tls_required": False}),
        ("backup_vault.good", {"key_id": KEY, "locked": True}),
        ("backup_vault.bad", {"key_id": "", "locked": False, "lock_date": ""}),
    ],
)  # fmt: skip
def test_planted_faults_are_seen(address: str, facts: dict[str, Any]) -> None:
    resource = planned()[address]
    assert {f: resource.facts.get(f, resource.gaps.get(f)) for f in facts} == facts
    assert not facts.keys() & resource.gaps.keys()


@pytest.mark.parametrize(
    ("address", "facts"),
    [
        ("db_instance.bad", {"firewall_ids", "subnet_ids", "port", "tls_default"}),
        ("rds_cluster.good", {"parameter_group_id", "tls_default"}),
        ("backup_vault.good", {"lock_date"}),
        ("msk_cluster.good", {"subnet_ids"}),
        ("memorydb_cluster.good", {"firewall_ids"}),
    ],
)
def test_what_a_plan_cannot_know_is_a_gap(address: str, facts: set[str]) -> None:
    assert facts <= planned()[address].gaps.keys()


def test_a_copy_is_as_its_source_is(make: Any) -> None:
    make.add("aws_db_instance.copy", sets={"engine": "postgres", "snapshot_identifier": "snap"}, late=("kms_key_id",))
    copy = make.one("aws_db_instance.copy")
    assert {copy.gaps[f].reason for f in ("encrypted", "key_id")} <= {Reason.NOT_OFFERED, Reason.KNOWN_AFTER_APPLY}
    make.add("aws_rds_cluster.copy", sets={"engine": "aurora-mysql", "replication_source_identifier": "arn:aws:rds:x"})
    assert "encrypted" in make.one("aws_rds_cluster.copy").gaps
    make.add("aws_rds_cluster.new", sets={"engine": "aurora-mysql", "engine_mode": "serverless"})
    assert make.one("aws_rds_cluster.new").facts["encrypted"] is True


def test_exports_by_reference_with_a_prefix_and_by_name(make: Any) -> None:
    make.add("aws_s3_bucket.ckpt", sets={"bucket": "ckpt"}, late=("id", "arn"))
    make.add("aws_fsx_lustre_file_system.fs", sets={"deployment_type": "PERSISTENT_2"}, late=("id", "arn"))
    events = [{"auto_export_policy": [{"events": ["NEW"]}]}]
    make.add(
        "aws_fsx_data_repository_association.late",
        sets={"file_system_id": ["aws_fsx_lustre_file_system.fs.id"], "data_repository_path": ["aws_s3_bucket.ckpt.id"]},
        after={"s3": events},
    )
    make.add(
        "aws_fsx_data_repository_association.known",
        sets={"file_system_id": ["aws_fsx_lustre_file_system.fs.id"], "data_repository_path": "s3://other/run/"},
        after={"s3": events},
    )
    fs = make.one("aws_fsx_lustre_file_system.fs")
    assert fs.facts["automatic_exports"] == ["plan/aws_s3_bucket.ckpt", "s3://other/run"]
    assert make.one("aws_fsx_data_repository_association.known").facts["export_uri"] == ""


def test_tables_with_a_key_that_is_switched_off_and_with_a_policy(make: Any) -> None:
    sse = {"server_side_encryption": [{"enabled": False, "kms_key_arn": "arn:aws:kms:us-east-1:111111111111:key/k"}]}
    make.add("aws_dynamodb_table.off", sets={"name": "off"}, after=sse, late=("arn", "id"))
    statement = {"Effect": "Allow", "Principal": "*", "Action": "dynamodb:GetItem", "Resource": "*"}
    text = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    make.add("aws_dynamodb_resource_policy.p", sets={"resource_arn": ["aws_dynamodb_table.off.arn"], "policy": text})
    table = make.one("aws_dynamodb_table.off")
    assert table.facts["key_id"] == ""
    assert [s["actions"] for s in table.facts["policy_statements"]] == [["dynamodb:GetItem"]]


def test_replicas_of_a_table_have_keys_of_their_own(make: Any) -> None:
    key = "arn:aws:kms:eu-west-1:111111111111:key/k"
    replicas = [{"region_name": "eu-west-1", "kms_key_arn": key}, {"region_name": "us-west-2", "kms_key_arn": None}]
    sse = [{"enabled": True, "kms_key_arn": "arn:aws:kms:us-east-1:111111111111:key/k"}]
    make.add("aws_dynamodb_table.world", sets={"name": "world"}, after={"server_side_encryption": sse, "replica": replicas})
    make.add("aws_dynamodb_table_replica.one", sets={"global_table_arn": ["aws_dynamodb_table.world.arn"]})
    found = {r.id: (r.facts["key_id"], r.facts["policy_statements"]) for r in make.read().resources}
    assert sorted(found.values()) == [("", []), ("", []), (key, []), ("arn:aws:kms:us-east-1:111111111111:key/k", [])]
    assert {r.name for r in make.read().resources} >= {"world", "world in eu-west-1", "world in us-west-2"}


def test_brokers_without_settings(make: Any) -> None:
    make.add("aws_msk_cluster.bare", sets={"cluster_name": "bare"})
    bare = make.one("aws_msk_cluster.bare")
    assert (bare.facts["anonymous_access"], bare.facts["internet_facing"], bare.facts["internal_tls"]) == (True, False, True)
    assert bare.gaps["tls_required"].reason is Reason.NOT_OFFERED
    make.add("aws_msk_serverless_cluster.s", sets={"cluster_name": "s"})
    assert make.one("aws_msk_serverless_cluster.s").facts["serverless"] is True


def test_caches_by_engine(make: Any) -> None:
    make.add("aws_elasticache_replication_group.v", sets={"replication_group_id": "v", "engine": "valkey"})
    valkey = make.one("aws_elasticache_replication_group.v")
    assert valkey.facts["encrypted"] is True
    assert "tls_required" in valkey.gaps
    make.add("aws_elasticache_replication_group.g", sets={"replication_group_id": "g", "global_replication_group_id": "world"})
    assert {"encrypted", "tls_required"} <= make.one("aws_elasticache_replication_group.g").gaps.keys()


def test_a_vault_that_is_isolated(make: Any) -> None:
    make.add("aws_backup_logically_air_gapped_vault.v", sets={"name": "v", "min_retention_days": 7, "max_retention_days": 30})
    vault = make.one("aws_backup_logically_air_gapped_vault.v")
    assert (vault.facts["key_selectable"], vault.facts["locked"]) == (False, True)


def test_one_zone_file_systems_are_backed_up_from_the_start(make: Any) -> None:
    make.add("aws_efs_file_system.z", sets={"availability_zone_name": "us-east-1a"})
    assert make.one("aws_efs_file_system.z").facts["backup_enabled"] is True
