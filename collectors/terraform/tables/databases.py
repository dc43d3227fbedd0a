"""File systems, databases, caches, streams and backups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import backup, caches, dynamodb, efs, fsx, kafka, rds
from collectors.table import MISSING, Const, Fact, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import (
    CREATED,
    PLACE,
    TAGS,
    PlanField,
    canonical,
    docs,
    flat,
    given_policy,
    key,
    key_id,
    many,
    one,
    only_new,
)

LUSTRE = docs("aws_fsx_lustre_file_system")
ASSOCIATION = docs("aws_fsx_data_repository_association")
EFS = docs("aws_efs_file_system")
EFS_CREATE = "https://docs.aws.amazon.com/efs/latest/ug/API_CreateFileSystem.html"
INSTANCE = docs("aws_db_instance")
CLUSTER = docs("aws_rds_cluster")
CLUSTER_INSTANCE = docs("aws_rds_cluster_instance")
SNAPSHOT = docs("aws_db_snapshot")
DYNAMODB = docs("aws_dynamodb_table")
REPLICA = docs("aws_dynamodb_table_replica")
MSK = docs("aws_msk_cluster")
CACHE = docs("aws_elasticache_replication_group")
MEMORYDB = docs("aws_memorydb_cluster")
REDSHIFT = docs("aws_redshift_cluster")
LOCK = docs("aws_backup_vault_lock_configuration")
VALKEY = "valkey"


def said(value: Any) -> bool:
    """A switch, which some resources write as text."""
    return value is True or value == "true"


def _groups(partition: str, region: str | None, account: str | None, found: Any) -> Any:
    """Security groups; whoever names none gets the network's default one."""
    made = sorted({canonical("ec2", "security-group", partition, region, account, v) for v in flat(found)})
    return made or MISSING


# FSx


def exported(associations: Any) -> list[str]:
    """Repositories that new files go to by themselves."""
    found = [
        a["data_repository_path"]
        for a in associations or []
        if any("NEW" in (p.get("events") or []) for s in a.get("s3") or [] for p in s.get("auto_export_policy") or [])
    ]
    return fsx.linked(*found)


def linked(associations: Any, imported: str | None) -> bool:
    """Linked to a repository."""
    return bool(associations) or bool(imported)


def changes_go_to(uri: str | None, events: Any) -> Any:
    """The repository, where changed or deleted files are exported to it; it need not be known where they are not."""
    return fsx.changes_go_to(uri or "", flat(events))


_PATHS = ("item.import_path", "item.export_path")
_LUSTRE_TYPE = "item.deployment_type"


def _fsx(kind: str, engine: str, days: int, facts: Mapping[str, Fact], joins: Mapping[str, Join] | None = None) -> PlanTable:
    page = docs(kind)
    return PlanTable(
        "data_store",
        "AWS::FSx::FileSystem",
        kind,
        {
            "store_type": Const("filesystem"),
            "engine": Const(engine),
            "encrypted": Const(value=True),
            "key_id": key("item.kms_key_id", source=page),
            "key_selectable": Const(value=True),
            "persistent": Const(value=True),
            "backup_enabled": Field("item.automatic_backup_retention_days", lambda n: n > 0, absent=days > 0, source=page),
            "automatic_exports": Const([]),
            "linked": Const(value=False),
            "repository_uris": Const([]),
            "export_uri": Const(""),
            "subnet_ids": many("subnet", "item.subnet_ids", source=page),
            **facts,
        },
        joins or {},
        name=Field("item.tags_all.Name"),
        tags=TAGS,
    )


LUSTRE_SYSTEMS = _fsx(
    "aws_fsx_lustre_file_system",
    "lustre",
    0,
    {
        "store_type": Field(_LUSTRE_TYPE, lambda kind: fsx.store_type(fsx.LUSTRE, kind), absent="scratch", source=LUSTRE),
        "key_selectable": Field(_LUSTRE_TYPE, lambda kind: fsx.persistent(fsx.LUSTRE, kind), absent=False, source=LUSTRE),
        "persistent": Field(_LUSTRE_TYPE, lambda kind: fsx.persistent(fsx.LUSTRE, kind), absent=False, source=LUSTRE),
        "automatic_exports": Field(pick("links[]", "data_repository_path", "s3"), exported, absent=[], source=ASSOCIATION),
        "linked": Field(("links[].file_system_path", "item.import_path"), linked, absent=False, source=LUSTRE),
        "repository_uris": Field(_PATHS, fsx.linked, absent=[], source=LUSTRE),
        "export_uri": Field(_PATHS, fsx.overwritten, absent="", source=LUSTRE),
        "root_squash": Field(
            "item.root_squash_configuration[0].root_squash",
            lambda squash: fsx.squashed(fsx.LUSTRE, squash),
            absent=False,
            source=LUSTRE,
        ),
    },
    {"links": Join("aws_fsx_data_repository_association", on="file_system_id", many=True)},
)
FILE_SYSTEMS = (
    LUSTRE_SYSTEMS,
    # https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemOntapConfiguration.html keeps backups for 30 days unless told
    # otherwise; the provider says 0 of all of them
    *(_fsx(f"aws_fsx_{engine}_file_system", engine, 0, {}) for engine in ("ontap", "openzfs")),
    _fsx("aws_fsx_windows_file_system", "windows", 7, {}),
)

LINKS = PlanTable(
    "data_store",
    "AWS::FSx::DataRepositoryAssociation",
    "aws_fsx_data_repository_association",
    {
        "store_type": Const("repository_link"),
        "file_system_id": one("file-system", "item.file_system_id", service="fsx"),
        "uri": Field("item.data_repository_path", fsx.plain),
        "export_uri": Field(("item.data_repository_path", "item.s3[].auto_export_policy[].events[]"), changes_go_to),
    },
    name=Field("item.file_system_path"),
    tags=TAGS,
)


# EFS


def backed_up(status: Any, zone: str | None) -> bool:
    """Backups are on: as the policy says; one-zone file systems have them from the start."""
    found = flat(status)
    return efs.ON[found[0]] if found else bool(zone)


EFS_SYSTEMS = PlanTable(
    "data_store",
    "AWS::EFS::FileSystem",
    "aws_efs_file_system",
    {
        "store_type": Const("filesystem"),
        "engine": Const("efs"),
        "encrypted": Field("item.encrypted", absent=False, source=EFS_CREATE),
        "key_id": key("item.kms_key_id", source=EFS),
        "key_selectable": Const(value=True),
        "policy_statements": Field((CREATED, "policy.policy"), given_policy, source=docs("aws_efs_file_system_policy")),
        "persistent": Const(value=True),
        "backup_enabled": Field(
            ("backup.backup_policy[].status", "item.availability_zone_name"), backed_up, absent=False, source=EFS_CREATE
        ),
    },
    {
        "policy": Join("aws_efs_file_system_policy", on="file_system_id"),
        "backup": Join("aws_efs_backup_policy", on="file_system_id"),
    },
    name=Field(("item.tags_all.Name", "item.creation_token"), lambda name, token: name or token or MISSING),
    tags=TAGS,
)


# RDS

_SOURCES = ("item.snapshot_identifier", "item.replicate_source_db", "item.restore_to_point_in_time")
_CLUSTER_SOURCES = ("item.snapshot_identifier", "item.replication_source_identifier", "item.restore_to_point_in_time")


def encrypted(on: bool | None, *sources: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Encrypted at rest; a copy is as its source is."""
    return bool(on) if on is not None or not flat(*sources) else MISSING


def database_key(partition: str, region: str | None, account: str | None, named: Any, *sources: Any) -> Any:
    """The key; a copy has its source's."""
    return key_id(partition, region, account, named) if named or not flat(*sources) else MISSING


def group(resource: str, partition: str, region: str | None, account: str | None, name: str) -> str:
    """A parameter group: of the plan, else its ARN where the plan tells the account."""
    if name.startswith(("plan/", "arn:")) or not (region and account):
        return name
    return rds.named(resource, partition, region, account, name)


def _group(resource: str, path: str) -> Field:
    # NOTE: strict: who names none gets the default group of a release that the plan may not know
    return PlanField((*PLACE, path), lambda *found: group(resource, *found) if found[-1] else MISSING)


def subnets(partition: str, region: str | None, account: str | None, found: Any) -> Any:
    """Subnets of the subnet group."""
    made = sorted({canonical("ec2", "subnet", partition, region, account, v) for v in flat(found)})
    return made or MISSING


def settled(created: bool) -> Any:  # noqa: FBT001 - a value of the row
    """A new database starts with its parameters."""
    return only_new(created, default=False)


_PENDING = Field(CREATED, settled)
_SUBNETS = Join("aws_db_subnet_group", on="id", to="db_subnet_group_name")
_SUBNET_IDS = Field((*PLACE, "subnets.subnet_ids"), subnets)

INSTANCES = PlanTable(
    "data_store",
    "AWS::RDS::DBInstance",
    "aws_db_instance",
    {
        "store_type": Const("database"),
        "engine": Field("item.engine", str.lower),
        "cluster_id": Const(""),
        "encrypted": Field(("item.storage_encrypted", *_SOURCES), encrypted, absent=False, source=INSTANCE),
        "key_id": Field((*PLACE, "item.kms_key_id", *_SOURCES), database_key, absent="", source=INSTANCE),
        "key_selectable": Const(value=True),
        "internet_facing": Field("item.publicly_accessible", absent=False, source=INSTANCE),
        "tls_default": Field(("item.engine", "item.engine_version"), rds.tls_default),
        "parameter_group_id": _group("pg", "item.parameter_group_name"),
        "parameters_pending": _PENDING,
        "firewall_ids": Field((*PLACE, "item.vpc_security_group_ids"), _groups),
        "subnet_ids": _SUBNET_IDS,
        "port": Field("item.port"),
    },
    {"subnets": _SUBNETS},
    name=Field("item.identifier"),
    tags=TAGS,
)


MEMBERS = PlanTable(
    "data_store",
    "AWS::RDS::DBInstance",
    "aws_rds_cluster_instance",
    {
        "store_type": Const("database_member"),
        "engine": Field("item.engine", str.lower),
        "cluster_id": Field((*PLACE, "item.cluster_identifier"), lambda *found: group("cluster", *found)),
        "key_selectable": Const(value=False),
        "internet_facing": Field("item.publicly_accessible", absent=False, source=CLUSTER_INSTANCE),
        "tls_default": Field(("item.engine", "item.engine_version"), rds.tls_default),
        "parameter_group_id": Const(""),
        "parameters_pending": _PENDING,
        "subnet_ids": _SUBNET_IDS,
    },
    {"subnets": _SUBNETS},
    name=Field("item.identifier"),
    tags=TAGS,
)


def cluster_facing(engine: str) -> Any:
    """Clusters of Aurora have no addresses of their own, their instances have; of others the provider does not tell."""
    return False if engine.startswith("aurora") else MISSING


CLUSTERS = PlanTable(
    "data_store",
    "AWS::RDS::DBCluster",
    "aws_rds_cluster",
    {
        "store_type": Const("database"),
        "engine": Field("item.engine", str.lower),
        "cluster_id": Const(""),
        "encrypted": Field(
            ("item.storage_encrypted", "item.engine_mode", "item.global_cluster_identifier", *_CLUSTER_SOURCES),
            lambda on, mode, world, *sources: (
                mode == "serverless" if on is None and not world and not flat(*sources) else encrypted(on, world, *sources)
            ),
            absent=False,
            source=CLUSTER,
        ),
        "key_id": Field((*PLACE, "item.kms_key_id", *_CLUSTER_SOURCES), database_key, absent="", source=CLUSTER),
        "key_selectable": Const(value=True),
        "internet_facing": Field("item.engine", cluster_facing),
        "tls_default": Field(("item.engine", "item.engine_version"), rds.tls_default),
        "parameter_group_id": _group("cluster-pg", "item.db_cluster_parameter_group_name"),
        "parameters_pending": _PENDING,
        "firewall_ids": Field((*PLACE, "item.vpc_security_group_ids"), _groups),
        "port": Field("item.port"),
    },
    name=Field("item.cluster_identifier"),
    tags=TAGS,
)


def parameters(found: Any) -> list[Mapping[str, Any]]:
    """Parameters in the words of the API."""
    return [{"ParameterName": p["name"], "ParameterValue": p["value"], "ApplyMethod": p.get("apply_method")} for p in found or []]


def _parameter_group(kind: str, native: str) -> PlanTable:
    paths = ("item.family", pick("item.parameter[]", "name", "value", "apply_method"))
    return PlanTable(
        "data_store",
        native,
        kind,
        {
            "store_type": Const("parameter_group"),
            "tls_required": Field(paths, lambda family, found: rds.tls_required(family, parameters(found))),
            "waits_for_restart": Field(paths, lambda family, found: rds.waits(family, parameters(found))),
        },
        tags=TAGS,
        keep=lambda item: (
            bool(rds.FAMILY.match(item.get("family") or ""))
            and not (kind == "aws_db_parameter_group" and item["family"].startswith("aurora"))
        ),
    )


def shared(accounts: Any) -> bool:
    """Anyone may restore it."""
    return rds.EVERYBODY in flat(accounts)


def _snapshot(kind: str, native: str, name: str) -> PlanTable:
    return PlanTable(
        "data_store",
        native,
        kind,
        {
            "store_type": Const("snapshot"),
            "engine": Field("item.engine", str.lower),
            "shared_publicly": Field("item.shared_accounts", shared, absent=False, source=docs(kind)),
        },
        name=Field(f"item.{name}"),
        tags=TAGS,
    )


# DynamoDB


def table_key(partition: str, region: str | None, account: str | None, enabled: Any, named: Any) -> str:
    """The key that the table names, where it asks for one."""
    return key_id(partition, region, account, named) if True in (enabled or []) else ""


DYNAMODB_TABLES = PlanTable(
    "data_store",
    "AWS::DynamoDB::Table",
    "aws_dynamodb_table",
    {
        "store_type": Const("database"),
        "engine": Const("dynamodb"),
        "encrypted": Const(value=True),
        "key_id": Field(
            (*PLACE, "item.server_side_encryption[].enabled", "item.server_side_encryption[].kms_key_arn"),
            table_key,
            absent="",
            source=dynamodb.ENCRYPTION,
        ),
        "key_selectable": Const(value=True),
        "policy_statements": Field((CREATED, "policy.policy"), given_policy, source=DYNAMODB),
    },
    {"policy": Join("aws_dynamodb_resource_policy", on="resource_arn")},
    tags=TAGS,
)


def _replica(kind: str, name: Field, each: str = "") -> PlanTable:
    """A replica of a table in another region, which has a key of its own."""
    return PlanTable(
        "data_store",
        "AWS::DynamoDB::Table",
        kind,
        {
            "store_type": Const("database"),
            "engine": Const("dynamodb"),
            "encrypted": Const(value=True),
            "key_id": key("item.kms_key_arn", source=REPLICA),
            "key_selectable": Const(value=True),
            "policy_statements": Field(CREATED, lambda created: only_new(created, [])),
        },
        each=each,
        name=name,
        tags=TAGS,
    )


DYNAMODB_REPLICAS = (
    _replica("aws_dynamodb_table", Field(("parent.name", "item.region_name"), "{} in {}".format), each="item.replica"),
    _replica("aws_dynamodb_table_replica", Field("item.global_table_arn")),
)


# MSK


def anonymous(ways: Any) -> bool:
    """Clients need not prove who they are."""
    way: Mapping[str, Any] = next(iter(ways or []), {})
    sasl: Mapping[str, Any] = next(iter(way.get("sasl") or []), {})
    tls: Mapping[str, Any] = next(iter(way.get("tls") or []), {})
    return kafka.anonymous(
        "PROVISIONED",
        {
            "Sasl": {"Iam": {"Enabled": bool(sasl.get("iam"))}, "Scram": {"Enabled": bool(sasl.get("scram"))}},
            "Tls": {"Enabled": bool(tls.get("certificate_authority_arns"))},
            "Unauthenticated": {"Enabled": bool(way.get("unauthenticated"))},
        },
    )


_TRANSIT = "item.encryption_info[0].encryption_in_transit[0]"

MSK_CLUSTERS = PlanTable(
    "data_store",
    "AWS::MSK::Cluster",
    "aws_msk_cluster",
    {
        "store_type": Const("stream"),
        "engine": Const("kafka"),
        "serverless": Const(value=False),
        "encrypted": Const(value=True),
        "key_id": key("item.encryption_info[].encryption_at_rest_kms_key_arn", source=MSK),
        "key_selectable": Const(value=True),
        "internet_facing": Field(
            "item.broker_node_group_info[0].connectivity_info[0].public_access[0].type",
            lambda access: kafka.internet_facing("PROVISIONED", access),
            absent=False,
            source=MSK,
        ),
        "anonymous_access": Field("item.client_authentication", anonymous, absent=True, source=kafka.AUTHENTICATION),
        # NOTE: no default: the provider and the API disagree on what holds where nobody says
        "tls_required": Field(f"{_TRANSIT}.client_broker", lambda mode: kafka.clients("PROVISIONED", mode)),
        "internal_tls": Field(f"{_TRANSIT}.in_cluster", absent=True, source=MSK),
        "subnet_ids": many("subnet", "item.broker_node_group_info[].client_subnets", source=MSK),
        "firewall_ids": Field((*PLACE, "item.broker_node_group_info[].security_groups"), _groups),
    },
    name=Field("item.cluster_name"),
    tags=TAGS,
)

MSK_SERVERLESS = PlanTable(
    "data_store",
    "AWS::MSK::Cluster",
    "aws_msk_serverless_cluster",
    {
        "store_type": Const("stream"),
        "engine": Const("kafka"),
        "serverless": Const(value=True),
        "encrypted": Const(value=True),
        "key_id": Const(""),
        "key_selectable": Const(value=False),
        "internet_facing": Const(value=False),
        "anonymous_access": Const(value=False),
        "tls_required": Const(value=True),
        "internal_tls": Const(value=True),
    },
    name=Field("item.cluster_name"),
    tags=TAGS,
)


# caches


def default_on(value: Any, engine: str | None, world: str | None) -> Any:
    """As set; else the default of the engine. A member of a global group is as the group is."""
    if value is not None:
        return said(value)
    return MISSING if world else (engine or "redis").lower() == VALKEY


def cache_tls(value: Any, mode: str | None, engine: str | None, world: str | None) -> Any:
    """Clients must speak TLS."""
    if value is None and (world or (engine or "redis").lower() == VALKEY):
        return MISSING
    return caches.required(said(value), mode)


ELASTICACHE = PlanTable(
    "data_store",
    "AWS::ElastiCache::ReplicationGroup",
    "aws_elasticache_replication_group",
    {
        "store_type": Const("cache"),
        "engine": Field("item.engine", str.lower, absent="redis", source=CACHE),
        "encrypted": Field(
            ("item.at_rest_encryption_enabled", "item.engine", "item.global_replication_group_id"), default_on, absent=False,
            source=CACHE,
        ),
        "key_id": key("item.kms_key_id", source=CACHE),
        "key_selectable": Const(value=True),
        "tls_required": Field(
            ("item.transit_encryption_enabled", "item.transit_encryption_mode", "item.engine", "item.global_replication_group_id"),
            cache_tls, absent=False, source=CACHE,
        ),
    },
    name=Field("item.replication_group_id"),
    tags=TAGS,
)  # fmt: skip

MEMORYDB_CLUSTERS = PlanTable(
    "data_store",
    "AWS::MemoryDB::Cluster",
    "aws_memorydb_cluster",
    {
        "store_type": Const("cache"),
        "engine": Field("item.engine", str.lower, absent="redis", source=MEMORYDB),
        "encrypted": Const(value=True),
        "key_id": key("item.kms_key_arn", source=MEMORYDB),
        "key_selectable": Const(value=True),
        "tls_required": Field("item.tls_enabled", absent=True, source=MEMORYDB),
        "firewall_ids": Field((*PLACE, "item.security_group_ids"), _groups),
    },
    tags=TAGS,
)


# Redshift, Backup

REDSHIFT_CLUSTERS = PlanTable(
    "data_store",
    "AWS::Redshift::Cluster",
    "aws_redshift_cluster",
    {
        "store_type": Const("database"),
        "engine": Const("redshift"),
        # NOTE: no defaults: they changed with version 6 of the provider, which writes them into the plan
        "encrypted": Field("item.encrypted", said),
        "key_id": Field(
            (*PLACE, "item.kms_key_id", "item.snapshot_identifier", "item.snapshot_arn"), database_key, absent="", source=REDSHIFT
        ),
        "key_selectable": Const(value=True),
        "internet_facing": Field("item.publicly_accessible"),
        "firewall_ids": Field((*PLACE, "item.vpc_security_group_ids"), _groups),
        "port": Field("item.port"),
    },
    name=Field("item.cluster_identifier"),
    tags=TAGS,
)


def locked(created: bool, locks: Any) -> Any:  # noqa: FBT001 - a value of the row
    """A lock is set; of a vault that exists already the plan does not know that there is none."""
    return True if locks else only_new(created, default=False)


def lock_date(created: bool, days: Any) -> Any:  # noqa: FBT001 - a value of the row
    """A lock that becomes final does so some days after it is made."""
    return MISSING if flat(days) else only_new(created, "")


_VAULT: Mapping[str, Fact] = {
    "store_type": Const("backup_vault"),
    "encrypted": Const(value=True),
    "recovery_point_count": Field(
        (CREATED, "item.recovery_points"),
        lambda created, n: n if n is not None else only_new(created, 0),
        absent=0,
        source=docs("aws_backup_vault"),
    ),
}

VAULTS = PlanTable(
    "data_store",
    "AWS::Backup::BackupVault",
    "aws_backup_vault",
    {
        **_VAULT,
        "key_id": key("item.kms_key_arn", source=docs("aws_backup_vault")),
        "key_selectable": Const(value=True),
        "locked": Field((CREATED, "lock[].backup_vault_name"), locked, source=LOCK),
        "lock_date": Field((CREATED, "lock[].changeable_for_days"), lock_date, absent="", source=LOCK),
    },
    {"lock": Join("aws_backup_vault_lock_configuration", on="backup_vault_name", many=True)},
    tags=TAGS,
)

AIR_GAPPED = PlanTable(
    "data_store",
    "AWS::Backup::BackupVault",
    "aws_backup_logically_air_gapped_vault",
    {
        **_VAULT,
        "key_id": key("item.encryption_key_arn", source=backup.AIR_GAPPED),
        "key_selectable": Field("item.encryption_key_arn", bool, absent=False, source=backup.AIR_GAPPED),
        "locked": Const(value=True),
    },
    tags=TAGS,
)

TABLES: tuple[PlanTable, ...] = (
    *FILE_SYSTEMS,
    LINKS,
    EFS_SYSTEMS,
    INSTANCES,
    MEMBERS,
    CLUSTERS,
    _parameter_group("aws_db_parameter_group", "AWS::RDS::DBParameterGroup"),
    _parameter_group("aws_rds_cluster_parameter_group", "AWS::RDS::DBClusterParameterGroup"),
    _snapshot("aws_db_snapshot", "AWS::RDS::DBSnapshot", "db_snapshot_identifier"),
    _snapshot("aws_db_snapshot_copy", "AWS::RDS::DBSnapshot", "target_db_snapshot_identifier"),
    _snapshot("aws_db_cluster_snapshot", "AWS::RDS::DBClusterSnapshot", "db_cluster_snapshot_identifier"),
    DYNAMODB_TABLES,
    *DYNAMODB_REPLICAS,
    MSK_CLUSTERS,
    MSK_SERVERLESS,
    ELASTICACHE,
    MEMORYDB_CLUSTERS,
    REDSHIFT_CLUSTERS,
    VAULTS,
    AIR_GAPPED,
)
