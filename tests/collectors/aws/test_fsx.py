from __future__ import annotations

import dataclasses

from botocore.session import get_session

from collectors.aws import fsx
from scanner.model import Reason
from tests.collectors.aws.answers import given

ACCOUNT, HOME = "123456789012", "us-east-1"
KEY = f"arn:aws:kms:{HOME}:{ACCOUNT}:key/k"
NOTHING = {"fsx:describe_data_repository_associations": {"Associations": []}, "backup:list_protected_resources": {"Results": []}}


def arn(name):
    return f"arn:aws:fsx:{HOME}:{ACCOUNT}:file-system/{name}"


def system(name, kind, **more):
    return {"FileSystemId": name, "ResourceARN": arn(name), "FileSystemType": kind, "Lifecycle": "AVAILABLE", "Tags": [], **more}


def lustre(name, **configuration):
    return system(name, "LUSTRE", LustreConfiguration=configuration)


def link(name, of, uri, *events, **more):
    return {
        "AssociationId": name,
        "ResourceARN": f"arn:aws:fsx:{HOME}:{ACCOUNT}:association/{of}/{name}",
        "FileSystemId": of,
        "DataRepositoryPath": uri,
        "S3": {"AutoExportPolicy": {"Events": list(events)}},
        "Tags": [],
        **more,
    }


def seen(*systems, links=(), protected=()):
    answers = {
        "fsx:describe_file_systems": {"FileSystems": list(systems)},
        "fsx:describe_data_repository_associations": {"Associations": list(links)},
        "backup:list_protected_resources": {"Results": [{"ResourceArn": arn(p)} for p in protected]},
    }
    return given(*fsx.TABLES, answers=answers)


def test_a_whole_file_system():
    found = seen(
        system(
            "fs-1",
            "LUSTRE",
            KmsKeyId=KEY,
            SubnetIds=["subnet-1"],
            LustreConfiguration={
                "DeploymentType": "PERSISTENT_2",
                "AutomaticBackupRetentionDays": 0,
                "RootSquashConfiguration": {"RootSquash": "65534:65534"},
            },
        )
        | {"Tags": [{"Key": "Name", "Value": "checkpoints"}]},
        links=[link("dra-1", "fs-1", "s3://ckpt/run/", "NEW", "CHANGED"), link("dra-2", "fs-1", "s3://corpus")],
        protected=["fs-1"],
    )
    one = found.named("checkpoints")
    assert (one.id, one.tags, one.gaps) == (arn("fs-1"), {"Name": "checkpoints"}, {})
    assert one.facts == {
        "store_type": "filesystem",
        "engine": "lustre",
        "encrypted": True,
        "key_id": KEY,
        "key_selectable": True,
        "persistent": True,
        "backup_enabled": False,
        "recovery_points": True,
        "automatic_exports": ["s3://ckpt/run"],
        "linked": True,
        "repository_uris": [],
        "export_uri": "",
        "root_squash": True,
        "subnet_ids": [f"arn:aws:ec2:{HOME}:{ACCOUNT}:subnet/subnet-1"],
    }
    assert found.named("dra-1").facts == {
        "store_type": "repository_link",
        "file_system_id": arn("fs-1"),
        "uri": "s3://ckpt/run",
        "export_uri": "s3://ckpt/run",
    }
    assert found.named("dra-2").facts["export_uri"] == ""


def test_scratch_is_what_nobody_chose_otherwise():
    found = seen(lustre("fs-1"), lustre("fs-2", DeploymentType="SCRATCH_2"), system("fs-3", "OPENZFS"))
    for name in ("fs-1", "fs-2"):
        facts = found.named(name).facts
        assert (facts["store_type"], facts["persistent"], facts["key_selectable"], facts["key_id"]) == ("scratch", False, False, "")
    other = found.named("fs-3")
    assert (other.facts["store_type"], other.facts["persistent"]) == ("filesystem", True)
    assert other.gaps["root_squash"].reason is Reason.NOT_OFFERED


def test_backups_where_nobody_says():
    assert fsx.backed_up("LUSTRE", None, None, None, None) is False
    assert fsx.backed_up("ONTAP", None, None, None, None) is True
    assert fsx.backed_up("LUSTRE", 7, None, None, None) is True
    assert fsx.backed_up("WINDOWS", None, None, None, 0) is False


def test_older_links_stand_in_the_file_system():
    paths = {"ImportPath": "s3://corpus/web/", "ExportPath": "s3://corpus/web"}
    apart = {"ImportPath": "s3://corpus", "ExportPath": "s3://corpus/FSxLustre20240101T000000Z"}
    found = seen(lustre("fs-1", DataRepositoryConfiguration=paths), lustre("fs-2", DataRepositoryConfiguration=apart))
    one, other = found.named("fs-1").facts, found.named("fs-2").facts
    assert (one["repository_uris"], one["export_uri"], one["linked"]) == (["s3://corpus/web"], "s3://corpus/web", True)
    assert (len(other["repository_uris"]), other["export_uri"]) == (2, "")


def test_only_exports_of_new_files_bring_anything_back():
    found = seen(
        lustre("fs-1", DeploymentType="PERSISTENT_2"),
        links=[link("a", "fs-1", "s3://x", "CHANGED"), link("b", "fs-1", "s3://y", "NEW", Lifecycle="DELETING")],
    )
    assert found.named("fs-1").facts["automatic_exports"] == []
    assert [r.name for r in found.resources if r.native_type.endswith("Association")] == ["a"]


def test_what_goes_and_what_is_no_file_system_is_left_out():
    found = seen(
        lustre("fs-1") | {"Lifecycle": "DELETING"},
        links=[{**link("cache", "x", "s3://x", "NEW"), "FileSystemId": None, "FileCacheId": "fc-1"}],
    )
    assert found.resources == []


def test_root_squash():
    assert fsx.squashed("LUSTRE", None) is False
    assert fsx.squashed("LUSTRE", "0:0") is False
    assert fsx.squashed("LUSTRE", "65534:65534") is True


def test_without_the_associations_nothing_is_said_of_exports():
    answers = {
        **NOTHING,
        "fsx:describe_file_systems": {"FileSystems": [lustre("fs-1", DeploymentType="PERSISTENT_2")]},
        "fsx:describe_data_repository_associations": "AccessDeniedException",
    }
    one = given(fsx.FILE_SYSTEMS, answers=answers).named("fs-1")
    assert {one.gaps[f].call for f in ("automatic_exports", "linked")} == {"fsx:DescribeDataRepositoryAssociations"}
    assert one.facts["recovery_points"] is False


def test_against_moto(boto, look):
    key = boto("kms").create_key()["KeyMetadata"]["Arn"]
    made = boto("fsx").create_file_system(
        FileSystemType="LUSTRE",
        StorageCapacity=1200,
        SubnetIds=["subnet-0123456789abcdef0"],
        KmsKeyId=key,
        LustreConfiguration={"DeploymentType": "PERSISTENT_2", "AutomaticBackupRetentionDays": 7},
        Tags=[{"Key": "Role", "Value": "checkpoint"}],
    )["FileSystem"]
    # moto has neither associations nor recovery points
    facts = {k: v for k, v in fsx.FILE_SYSTEMS.facts.items() if k not in ("automatic_exports", "linked", "recovery_points")}
    found = look(dataclasses.replace(fsx.FILE_SYSTEMS, facts=facts))
    one = found.named(made["FileSystemId"])
    assert (one.id, one.tags) == (made["ResourceARN"], {"Role": "checkpoint"})
    assert (one.facts["key_id"], one.facts["backup_enabled"], one.facts["persistent"]) == (key, True, True)


def test_a_deployment_of_neither_family_is_unknown():
    families = {d.partition("_")[0] for d in get_session().get_service_model("fsx").shape_for("LustreDeploymentType").enum}
    assert families == set(fsx.LASTS)
    one = seen(lustre("fs-1", DeploymentType="FLOATING_1")).named("fs-1")
    assert {"store_type", "persistent", "key_selectable"} <= one.gaps.keys()
