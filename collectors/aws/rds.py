"""RDS and Aurora: instances, clusters, their parameters and snapshots."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.table import MISSING, Call, Const, Field, Table

INSTANCE = "https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBInstance.html"
CLUSTER = "https://docs.aws.amazon.com/AmazonRDS/latest/APIReference/API_DBCluster.html"
SHARING = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_ShareSnapshot.html"
PARAMETERS = "https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_WorkingWithParamGroups.html"

OTHERS = ("docdb", "neptune")
"""Engines of other services, whose clusters RDS lists as well."""
SWITCHES = {
    "postgres": "rds.force_ssl",
    "aurora-postgresql": "rds.force_ssl",
    "sqlserver": "rds.force_ssl",
    "mysql": "require_secure_transport",
    "aurora-mysql": "require_secure_transport",
    "mariadb": "require_secure_transport",
}
"""Engine → the parameter that makes its clients speak TLS. Others (Oracle, Db2) have none: their option groups decide."""
SINCE = {
    # https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/PostgreSQL.Concepts.General.SSL.html
    "postgres": ((14,), (15,)),
    # https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/AuroraPostgreSQL.Security.html
    "aurora-postgresql": ((16,), (17,)),
    # https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/mysql-ssl-connections.require-ssl.html
    "mysql": ((8, 4), (9, 7)),
    # https://docs.aws.amazon.com/AmazonRDS/latest/AuroraUserGuide/AuroraMySQL.Compare-v3-v84.html
    "aurora-mysql": ((8, 0), (8, 4)),
    # https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/mariadb-ssl-connections.require-ssl.html
    "mariadb": ((11, 4), (11, 8)),
}
"""Engine → the last release whose clients may speak clear text by default, and the first whose clients may not."""
FAMILY = re.compile(r"^(?P<engine>aurora-postgresql|aurora-mysql|postgres|mysql|mariadb|sqlserver)[a-z-]*?-?(?P<version>\d[\d.]*)$")
RELEASE = re.compile(r"^(\d+)(?:\.(\d+))?")
TRUE, FALSE = ("1", "on", "true"), ("0", "off", "false")
EVERYBODY = "all"


def exists(database: Mapping[str, Any]) -> bool:
    """A database of RDS that is there to stay."""
    status = database.get("DBInstanceStatus", database.get("Status"))
    return status != "deleting" and database.get("Engine") not in OTHERS


def switch(engine: str) -> str:
    """The parameter that makes clients speak TLS; empty where the engine has none."""
    return SWITCHES.get("sqlserver" if engine.startswith("sqlserver") else engine, "")


def tls_default(engine: str, version: str | None) -> bool:
    """Clients must speak TLS where nobody changes a parameter. ValueError for an engine or release of which nothing is documented."""
    if not switch(engine):
        msg = f"{engine}: no parameter that makes clients speak TLS is known"
        raise ValueError(msg)
    last, first = SINCE.get(engine, ((), ()))
    if not first:
        return False
    found = RELEASE.match(_mysql(engine, version or ""))
    if found is None:
        msg = f"{engine} without a release"
        raise ValueError(msg)
    release = tuple(int(n) for n in found.groups(default="0"))[: len(first)]
    if last < release < first:
        msg = f"{engine} {version}: the default is not documented"
        raise ValueError(msg)
    return release >= first


def _mysql(engine: str, version: str) -> str:
    """The release of an engine; Aurora MySQL writes the one of MySQL before its own (`8.0.mysql_aurora.3.08.0`)."""
    return version.partition(".mysql_aurora")[0] if engine == "aurora-mysql" else version


def family(name: str) -> tuple[str, str]:
    """Engine and release of a family of parameters. ValueError where it is none that has a switch."""
    match = FAMILY.match(name)
    if match is None:
        msg = f"not a family with a switch for TLS: {name}"
        raise ValueError(msg)
    return match["engine"], match["version"]


def has_switch(group: Mapping[str, Any]) -> bool:
    """A parameter group of a customer's, of an engine that has a switch. Those of the provider cannot be changed: `tls_default`."""
    name = group.get("DBParameterGroupName") or group.get("DBClusterParameterGroupName") or ""
    return not name.startswith("default.") and bool(FAMILY.match(group["DBParameterGroupFamily"]))


def decides(group: Mapping[str, Any]) -> bool:
    """As `has_switch`; Aurora's switches are in the groups of its clusters (https://github.com/prowler-cloud/prowler/pull/2245)."""
    return has_switch(group) and not group["DBParameterGroupFamily"].startswith("aurora")


def tls_required(name: str, parameters: list[Mapping[str, Any]] | None) -> bool:
    """What a group asks of clients: its switch, else the default of its family."""
    engine, version = family(name)
    found = next((p for p in parameters or [] if p["ParameterName"] == SWITCHES[engine]), None)
    said = str((found or {}).get("ParameterValue") or "").lower()
    if not said:
        return tls_default(engine, version)
    if said not in (*TRUE, *FALSE):
        msg = f"{SWITCHES[engine]} is {said}"
        raise ValueError(msg)
    return said in TRUE


def waits(name: str, parameters: list[Mapping[str, Any]] | None) -> bool:
    """A change of the switch holds only after a restart. The default holds from the start."""
    engine, _ = family(name)
    found = next((p for p in parameters or [] if p["ParameterName"] == SWITCHES[engine]), None)
    if found is None or not found.get("ParameterValue"):
        return False
    return found.get("ApplyType") == "static" or found.get("ApplyMethod") == "pending-reboot"


def encrypted(enabled: bool | None, kind: str | None) -> bool:  # noqa: FBT001 - the answer's own type
    """Encrypted at rest, by whatever key."""
    return bool(enabled) or (kind or "none") != "none"


def key(partition: str, region: str, account: str, value: str | None, kind: str | None) -> Any:
    """The key; `sse-rds` is one that the service owns."""
    return "" if kind == "sse-rds" else arn.key_arn(partition, region, account, value)


def named(resource: str, partition: str, region: str, account: str, value: str | None) -> str:
    """The ARN of a cluster or parameter group, which has colons only; empty where none is named."""
    return f"arn:{partition}:rds:{region}:{account}:{resource}:{value}" if value else ""


def group_id(partition: str, region: str, account: str, cluster: str | None, groups: list[Mapping[str, Any]] | None) -> str:
    """The parameter group of an instance; an instance of a cluster has its cluster's."""
    name = None if cluster else next((g["DBParameterGroupName"] for g in groups or []), None)
    return named("pg", partition, region, account, name)


def pending(statuses: list[str] | None) -> bool:
    """Changes of the parameter group wait for a restart."""
    return "pending-reboot" in (statuses or [])


def store_type(cluster: str | None) -> str:
    """An instance of a cluster keeps nothing of its own."""
    return "database_member" if cluster else "database"


def internet_facing(public: bool | None, gateway: bool | None) -> bool:  # noqa: FBT001 - the answer's own types
    """A public address, or a gateway to the internet without a network."""
    return bool(public) or bool(gateway)


def shared(sealed: bool | None, attributes: list[Mapping[str, Any]] | None) -> Any:  # noqa: FBT001 - the answer's own type
    """Anyone may restore it. Nobody where it is encrypted; unknown where the answer has no attributes at all."""
    if attributes is None:
        return False if sealed else MISSING
    return any(EVERYBODY in (a.get("AttributeValues") or []) for a in attributes if a["AttributeName"] == "restore")


_KEY = (*arn.PLACE, "item.KmsKeyId", "item.StorageEncryptionType")
_ENCRYPTED = ("item.StorageEncrypted", "item.StorageEncryptionType")
_VERSION = ("item.Engine", "item.EngineVersion")

INSTANCES = Table(
    kind="data_store",
    native_type="AWS::RDS::DBInstance",
    list=Call("rds", "describe_db_instances", take="DBInstances"),
    keep=exists,
    id=Field("item.DBInstanceArn"),
    name=Field("item.DBInstanceIdentifier"),
    tags=arn.tags("item.TagList"),
    facts={
        "store_type": Field("item.DBClusterIdentifier", store_type, absent="database", source=INSTANCE),
        "engine": Field("item.Engine", str.lower),
        "cluster_id": Field((*arn.PLACE, "item.DBClusterIdentifier"), functools.partial(named, "cluster")),
        "encrypted": Field(_ENCRYPTED, encrypted, absent=False, source=INSTANCE),
        "key_id": Field(_KEY, key, source=INSTANCE),
        "key_selectable": Field("item.DBClusterIdentifier", lambda _: False, absent=True, source=INSTANCE),
        "internet_facing": Field("item.PubliclyAccessible", absent=False, source=INSTANCE),
        "tls_default": Field(_VERSION, tls_default, source=PARAMETERS),
        "parameter_group_id": Field((*arn.PLACE, "item.DBClusterIdentifier", "item.DBParameterGroups"), group_id),
        "parameters_pending": Field("item.DBParameterGroups[].ParameterApplyStatus", pending, absent=False, source=INSTANCE),
        "firewall_ids": arn.many("security-group", "item.VpcSecurityGroups[].VpcSecurityGroupId"),
        "subnet_ids": arn.many("subnet", "item.DBSubnetGroup.Subnets[].SubnetIdentifier"),
        "network_id": arn.one("vpc", "item.DBSubnetGroup.VpcId", absent=""),
        "port": Field("item.Endpoint.Port"),
    },
)

CLUSTERS = Table(
    kind="data_store",
    native_type="AWS::RDS::DBCluster",
    list=Call("rds", "describe_db_clusters", take="DBClusters"),
    keep=exists,
    id=Field("item.DBClusterArn"),
    name=Field("item.DBClusterIdentifier"),
    tags=arn.tags("item.TagList"),
    facts={
        "store_type": Const("database"),
        "engine": Field("item.Engine", str.lower),
        "cluster_id": Const(""),
        "encrypted": Field(_ENCRYPTED, encrypted, absent=False, source=CLUSTER),
        "key_id": Field(_KEY, key, source=CLUSTER),
        "key_selectable": Const(value=True),
        "internet_facing": Field(
            ("item.PubliclyAccessible", "item.InternetAccessGatewayEnabled"), internet_facing, absent=False, source=CLUSTER
        ),
        "tls_default": Field(_VERSION, tls_default, source=PARAMETERS),
        "parameter_group_id": Field((*arn.PLACE, "item.DBClusterParameterGroup"), functools.partial(named, "cluster-pg")),
        "parameters_pending": Field("item.DBClusterMembers[].DBClusterParameterGroupStatus", pending, absent=False, source=CLUSTER),
        "firewall_ids": arn.many("security-group", "item.VpcSecurityGroups[].VpcSecurityGroupId"),
        "port": Field("item.Port"),
    },
)

_SWITCH = [{"Name": "parameter-name", "Values": sorted(set(SWITCHES.values()))}]


def _groups(native: str, listing: Call, name: str, parameters: str) -> Table:
    return Table(
        kind="data_store",
        native_type=native,
        list=listing,
        keep=decides if name == "DBParameterGroupName" else has_switch,
        id=Field(f"item.{name.removesuffix('Name')}Arn"),
        name=Field(f"item.{name}"),
        detail={"parameters": Call("rds", parameters, args={name: f"item.{name}"}, fixed={"Filters": _SWITCH}, take="Parameters")},
        facts={
            "store_type": Const("parameter_group"),
            "tls_required": Field(("item.DBParameterGroupFamily", "parameters"), tls_required, source=PARAMETERS),
            "waits_for_restart": Field(("item.DBParameterGroupFamily", "parameters"), waits, source=PARAMETERS),
        },
    )


GROUPS = _groups(
    "AWS::RDS::DBParameterGroup",
    Call("rds", "describe_db_parameter_groups", take="DBParameterGroups"),
    "DBParameterGroupName",
    "describe_db_parameters",
)
CLUSTER_GROUPS = _groups(
    "AWS::RDS::DBClusterParameterGroup",
    Call("rds", "describe_db_cluster_parameter_groups", take="DBClusterParameterGroups"),
    "DBClusterParameterGroupName",
    "describe_db_cluster_parameters",
)


def in_clear(row: Mapping[str, Any]) -> bool:
    """Not encrypted: an encrypted snapshot cannot be shared with everyone (SHARING), so it need not be asked."""
    item = row["item"]
    return not (item.get("Encrypted") or item.get("StorageEncrypted"))


def _snapshots(native: str, listing: str, taken: str, name: str, sealed: str, attributes: Call) -> Table:
    return Table(
        kind="data_store",
        native_type=native,
        # NOTE: automated ones cannot be shared; a copy of one is a manual one
        list=Call("rds", listing, fixed={"SnapshotType": "manual"}, take=taken),
        keep=lambda snapshot: snapshot.get("Engine") not in OTHERS,
        id=Field(f"item.{name.removesuffix('Identifier')}Arn"),
        name=Field(f"item.{name}"),
        tags=arn.tags("item.TagList"),
        detail={"attributes": attributes},
        facts={
            "store_type": Const("snapshot"),
            "engine": Field("item.Engine", str.lower),
            "shared_publicly": Field((f"item.{sealed}", "attributes"), shared, source=SHARING),
        },
    )


SNAPSHOTS = _snapshots(
    "AWS::RDS::DBSnapshot",
    "describe_db_snapshots",
    "DBSnapshots",
    "DBSnapshotIdentifier",
    "Encrypted",
    Call(
        "rds",
        "describe_db_snapshot_attributes",
        args={"DBSnapshotIdentifier": "item.DBSnapshotIdentifier"},
        take="DBSnapshotAttributesResult.DBSnapshotAttributes",
        when=in_clear,
        needs=("item",),
    ),
)
CLUSTER_SNAPSHOTS = _snapshots(
    "AWS::RDS::DBClusterSnapshot",
    "describe_db_cluster_snapshots",
    "DBClusterSnapshots",
    "DBClusterSnapshotIdentifier",
    "StorageEncrypted",
    Call(
        "rds",
        "describe_db_cluster_snapshot_attributes",
        args={"DBClusterSnapshotIdentifier": "item.DBClusterSnapshotIdentifier"},
        take="DBClusterSnapshotAttributesResult.DBClusterSnapshotAttributes",
        when=in_clear,
        needs=("item",),
    ),
)

TABLES: tuple[Table, ...] = (INSTANCES, CLUSTERS, GROUPS, CLUSTER_GROUPS, SNAPSHOTS, CLUSTER_SNAPSHOTS)
