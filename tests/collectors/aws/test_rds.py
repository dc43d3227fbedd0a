from __future__ import annotations

import pytest

from collectors.aws import rds
from scanner.model import Reason
from tests.collectors.aws.answers import given

PLACE = "us-east-1:123456789012"
KEY = f"arn:aws:kms:{PLACE}:key/k"


@pytest.mark.parametrize(
    ("engine", "version", "forced"),
    [
        # https://github.com/awsdocs/amazon-rds-user-guide/issues/191
        ("postgres", "14.12", False), ("postgres", "15.2", True), ("postgres", "16.3", True), ("postgres", "17", True),
        ("postgres", "9.6.24", False), ("aurora-postgresql", "16.4", False), ("aurora-postgresql", "17.4", True),
        ("mysql", "5.7.44", False), ("mysql", "8.0.36", False), ("mysql", "8.4.3", False), ("mysql", "9.7.0", True),
        ("aurora-mysql", "8.0.mysql_aurora.3.08.0", False), ("aurora-mysql", "5.7.mysql_aurora.2.11.2", False),
        ("aurora-mysql", "8.4.mysql_aurora.8.4.7", True), ("mariadb", "10.11.6", False), ("mariadb", "11.4.2", False),
        ("mariadb", "11.8.3", True), ("sqlserver-ee", "15.00.4322.2.v1", False),
    ],
)  # fmt: skip
def test_what_holds_where_nobody_changes_a_parameter(engine, version, forced):
    assert rds.tls_default(engine, version) is forced


@pytest.mark.parametrize(
    ("engine", "version"),
    [
        *(("mysql", "9.1.0"), ("mariadb", "11.6.1"), ("postgres", None), ("postgres", "next")),
        *(("oracle-ee", "19.0.0.0"), ("custom-sqlserver-ee", "15.00")),
    ],
)
def test_an_engine_or_release_of_which_nothing_is_documented(engine, version):
    with pytest.raises(ValueError, match=engine):
        rds.tls_default(engine, version)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("postgres16", ("postgres", "16")), ("aurora-postgresql16", ("aurora-postgresql", "16")), ("mysql8.0", ("mysql", "8.0")),
        ("aurora-mysql8.0", ("aurora-mysql", "8.0")), ("mariadb10.11", ("mariadb", "10.11")),
        ("sqlserver-ee-15.0", ("sqlserver", "15.0")), ("sqlserver-web-16.0", ("sqlserver", "16.0")),
    ],
)  # fmt: skip
def test_families(name, parts):
    assert rds.family(name) == parts


@pytest.mark.parametrize("name", ["oracle-ee-19", "db2-se-11.5", "docdb5.0", "neptune1.3", "custom-oracle-ee-19"])
def test_families_without_a_switch(name):
    assert not rds.FAMILY.match(name)
    with pytest.raises(ValueError, match=name):
        rds.family(name)


def parameter(value, name="rds.force_ssl", **more):
    return [{"ParameterName": name, "ParameterValue": value, **more}]


@pytest.mark.parametrize(
    ("family", "parameters", "required"),
    [
        ("postgres16", parameter("0"), False),
        ("postgres14", parameter("1"), True),
        ("postgres14", [], False),
        ("postgres16", [{"ParameterName": "rds.force_ssl"}], True),
        ("mysql8.0", parameter("ON", "require_secure_transport"), True),
        ("mysql8.0", parameter("off", "require_secure_transport"), False),
        ("mysql8.0", parameter("1", "require_secure_transport"), True),
        # https://github.com/mondoohq/cnspec/issues/3707: `ssl` says whether the server can, not whether clients must
        ("aurora-postgresql16", [*parameter("1", "ssl"), *parameter("0")], False),
        ("sqlserver-se-15.0", [], False),
    ],
)
def test_what_a_group_asks(family, parameters, required):
    assert rds.tls_required(family, parameters) is required


def test_a_value_that_is_no_switch_is_unreadable():
    with pytest.raises(ValueError, match=r"rds\.force_ssl"):
        rds.tls_required("postgres16", parameter("{x}"))


def test_what_waits_for_a_restart():
    assert rds.waits("sqlserver-ee-15.0", parameter("1", ApplyType="static"))
    assert rds.waits("postgres16", parameter("1", ApplyType="dynamic", ApplyMethod="pending-reboot"))
    assert not rds.waits("postgres16", parameter("1", ApplyType="dynamic", ApplyMethod="immediate"))
    assert not rds.waits("postgres16", [])


def group(name, family, *, cluster=False):
    prefix = "DBCluster" if cluster else "DB"
    return {
        f"{prefix}ParameterGroupName": name,
        f"{prefix}ParameterGroupArn": f"arn:aws:rds:{PLACE}:{'cluster-pg' if cluster else 'pg'}:{name}",
        "DBParameterGroupFamily": family,
    }


def test_each_group_that_decides_is_asked_once():
    answers = {
        "rds:describe_db_parameter_groups": {
            "DBParameterGroups": [
                group("own", "postgres16"),
                group("default.postgres16", "postgres16"),
                group("ora", "oracle-ee-19"),
                # https://github.com/prowler-cloud/prowler/pull/2245
                group("aurora", "aurora-postgresql16"),
            ]
        },
        "rds:describe_db_parameters:own": {"Parameters": parameter("1", ApplyType="dynamic", ApplyMethod="immediate")},
        "rds:describe_db_cluster_parameter_groups": {
            "DBClusterParameterGroups": [group("c", "aurora-mysql8.0", cluster=True), group("d", "docdb5.0", cluster=True)]
        },
        "rds:describe_db_cluster_parameters:c": {"Parameters": []},
    }
    seen = given(rds.GROUPS, rds.CLUSTER_GROUPS, answers=answers)
    assert seen.ids() == [f"arn:aws:rds:{PLACE}:cluster-pg:c", f"arn:aws:rds:{PLACE}:pg:own"]
    assert seen.named("own").facts == {"store_type": "parameter_group", "tls_required": True, "waits_for_restart": False}
    assert seen.named("c").facts["tls_required"] is False


def instance(**more):
    return {
        "DBInstanceIdentifier": "db", "DBInstanceArn": f"arn:aws:rds:{PLACE}:db:db", "Engine": "postgres", "EngineVersion": "16.3",
        "DBInstanceStatus": "available", **more,
    }  # fmt: skip


def seen_instance(**more):
    (found,) = given(rds.INSTANCES, answers={"rds:describe_db_instances": {"DBInstances": [instance(**more)]}}).resources
    return found


def test_a_whole_instance():
    found = seen_instance(
        StorageEncrypted=True,
        StorageEncryptionType="sse-kms",
        KmsKeyId=KEY,
        PubliclyAccessible=True,
        Endpoint={"Address": "db.example", "Port": 5433},
        VpcSecurityGroups=[{"VpcSecurityGroupId": "sg-1", "Status": "active"}],
        DBSubnetGroup={"VpcId": "vpc-1", "Subnets": [{"SubnetIdentifier": "subnet-2"}, {"SubnetIdentifier": "subnet-1"}]},
        DBParameterGroups=[{"DBParameterGroupName": "own", "ParameterApplyStatus": "pending-reboot"}],
        TagList=[{"Key": "Zone", "Value": "data"}],
    )
    assert (found.tags, found.gaps) == ({"Zone": "data"}, {})
    assert found.facts == {
        "store_type": "database",
        "engine": "postgres",
        "cluster_id": "",
        "encrypted": True,
        "key_id": KEY,
        "key_selectable": True,
        "internet_facing": True,
        "tls_default": True,
        "parameter_group_id": f"arn:aws:rds:{PLACE}:pg:own",
        "parameters_pending": True,
        "firewall_ids": [f"arn:aws:ec2:{PLACE}:security-group/sg-1"],
        "subnet_ids": [f"arn:aws:ec2:{PLACE}:subnet/subnet-1", f"arn:aws:ec2:{PLACE}:subnet/subnet-2"],
        "network_id": f"arn:aws:ec2:{PLACE}:vpc/vpc-1",
        "port": 5433,
    }


def test_a_key_that_the_service_owns_is_no_key_of_the_customers():
    found = seen_instance(StorageEncrypted=True, StorageEncryptionType="sse-rds").facts
    assert (found["encrypted"], found["key_id"]) == (True, "")
    plain = seen_instance(StorageEncrypted=False, StorageEncryptionType="none").facts
    assert plain["encrypted"] is False


def test_an_instance_of_a_cluster_has_its_cluster_s_settings():
    found = seen_instance(DBClusterIdentifier="vec", DBParameterGroups=[{"DBParameterGroupName": "own"}]).facts
    assert (found["store_type"], found["cluster_id"]) == ("database_member", f"arn:aws:rds:{PLACE}:cluster:vec")
    assert (found["parameter_group_id"], found["key_selectable"]) == ("", False)


def cluster(**more):
    return {
        "DBClusterIdentifier": "vec", "DBClusterArn": f"arn:aws:rds:{PLACE}:cluster:vec", "Engine": "aurora-postgresql",
        "EngineVersion": "16.4", "Status": "available", **more,
    }  # fmt: skip


def test_clusters_of_other_services_and_those_that_go_are_left_out():
    clusters = [cluster(), cluster(Engine="neptune"), cluster(Engine="docdb"), cluster(Status="deleting")]
    seen = given(rds.CLUSTERS, answers={"rds:describe_db_clusters": {"DBClusters": clusters}})
    assert len(seen.resources) == 1


def test_a_cluster():
    (found,) = given(
        rds.CLUSTERS,
        answers={
            "rds:describe_db_clusters": {
                "DBClusters": [
                    cluster(
                        StorageEncrypted=True,
                        KmsKeyId=KEY,
                        DBClusterParameterGroup="own",
                        InternetAccessGatewayEnabled=True,
                        DBClusterMembers=[
                            {"DBClusterParameterGroupStatus": "in-sync"},
                            {"DBClusterParameterGroupStatus": "pending-reboot"},
                        ],
                    )
                ]
            }
        },
    ).resources
    assert found.facts["parameter_group_id"] == f"arn:aws:rds:{PLACE}:cluster-pg:own"
    assert (found.facts["parameters_pending"], found.facts["internet_facing"], found.facts["tls_default"]) == (True, True, False)
    assert found.facts["key_id"] == KEY


def test_only_snapshots_in_clear_text_are_asked_who_may_restore_them():
    def snapshot(name, **more):
        return {"DBSnapshotIdentifier": name, "DBSnapshotArn": f"arn:aws:rds:{PLACE}:snapshot:{name}", "Engine": "mysql", **more}

    def attributes(name, *values):
        found = {
            "DBSnapshotIdentifier": name,
            "DBSnapshotAttributes": [{"AttributeName": "restore", "AttributeValues": list(values)}],
        }
        return {"DBSnapshotAttributesResult": found}

    answers = {
        "rds:describe_db_snapshots": {
            "DBSnapshots": [
                snapshot("sealed", Encrypted=True),
                *(snapshot(name) for name in ("open", "partner", "dark", "mute")),
            ]
        },
        "rds:describe_db_snapshot_attributes:open": attributes("open", "all"),
        "rds:describe_db_snapshot_attributes:partner": attributes("partner", "210987654321"),
        "rds:describe_db_snapshot_attributes:dark": "AccessDenied",
        "rds:describe_db_snapshot_attributes:mute": {"DBSnapshotAttributesResult": {"DBSnapshotIdentifier": "mute"}},
    }
    seen = given(rds.SNAPSHOTS, answers=answers)
    assert {r.name: r.facts.get("shared_publicly") for r in seen.resources} == {
        "sealed": False,
        "open": True,
        "partner": False,
        "dark": None,
        "mute": None,
    }
    assert seen.named("dark").gaps["shared_publicly"].reason is Reason.DENIED


def test_against_moto(boto, look):
    client = boto("rds")
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    client.create_db_parameter_group(DBParameterGroupName="pg16", DBParameterGroupFamily="postgres16", Description="x")
    client.modify_db_parameter_group(
        DBParameterGroupName="pg16",
        Parameters=[{"ParameterName": "rds.force_ssl", "ParameterValue": "0", "ApplyMethod": "immediate"}],
    )
    common = {
        "DBInstanceClass": "db.r6g.large",
        "MasterUsername": "root",
        "MasterUserPassword": "passw0rd1",
        "AllocatedStorage": 20,
    }
    client.create_db_instance(
        DBInstanceIdentifier="mlflow",
        Engine="postgres",
        EngineVersion="16.3",
        DBParameterGroupName="pg16",
        StorageEncrypted=True,
        KmsKeyId=key,
        **common,
    )
    client.create_db_cluster(
        DBClusterIdentifier="vec", Engine="aurora-postgresql", MasterUsername="a", MasterUserPassword="passw0rd1"
    )
    client.create_db_cluster(DBClusterIdentifier="graph", Engine="neptune")
    client.create_db_cluster_snapshot(DBClusterSnapshotIdentifier="cs", DBClusterIdentifier="vec")
    client.create_db_snapshot(DBSnapshotIdentifier="s", DBInstanceIdentifier="mlflow")
    seen = look(*rds.TABLES)
    assert seen.failed() == []
    assert sorted(r.name for r in seen.resources) == ["cs", "mlflow", "pg16", "s", "vec"]
    one = seen.named("mlflow")
    assert (one.facts["key_id"], one.facts["parameter_group_id"]) == (key, seen.named("pg16").id)
    assert seen.named("pg16").facts["tls_required"] is False
