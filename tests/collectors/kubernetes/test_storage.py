"""Which store is behind a volume, and how it is mounted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.mounts import in_transit, read_only, volume_mounts
from collectors.kubernetes.storage import Backend, backend, backend_type, clean, driver, option
from collectors.table import MISSING
from tests.collectors.kubernetes.objects import thing


def volume(**spec: Any) -> dict[str, Any]:
    return thing("v1", "PersistentVolume", "pv", None, spec=spec)


def csi(name: str, handle: str = "h", options: list[str] | None = None, **attributes: str) -> dict[str, Any]:
    return volume(csi={"driver": name, "volumeHandle": handle, "volumeAttributes": attributes}, mountOptions=options or [])


def made(item: dict[str, Any]) -> dict[str, Any]:
    """As a driver makes it."""
    return {**item, "metadata": {**item["metadata"], "annotations": {"pv.kubernetes.io/provisioned-by": "x"}}}


def storage_class(name: str, options: list[str] | None = None, **parameters: str) -> dict[str, Any]:
    return thing(
        "storage.k8s.io/v1", "StorageClass", "c", None, provisioner=name, parameters=parameters, mountOptions=options or []
    )


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (volume(nfs={"server": "NAS.example", "path": "/export/a/"}), Backend("nfs:nas.example", "/export/a")),
        (volume(nfs={"server": "fs-0a1.efs.eu-west-1.amazonaws.com", "path": "/"}), Backend("efs:fs-0a1")),
        (
            volume(nfs={"server": "us-east-1a.fs-0a1.efs.us-east-1.amazonaws.com", "path": "/x/../y"}),
            Backend("efs:fs-0a1", "/y"),
        ),
        (csi("nfs.csi.k8s.io", "x", server="nas", share="/a", subDir="b"), Backend("nfs:nas", "/a/b")),
        (csi("nfs.csi.k8s.io", "x", server="nas", share="/a", subDir="${pvc.metadata.name}"), MISSING),
        (csi("efs.csi.aws.com", "fs-1"), Backend("efs:fs-1")),
        (csi("efs.csi.aws.com", "fs-1:/a/b"), Backend("efs:fs-1", "/a/b")),
        (csi("efs.csi.aws.com", "fs-1::fsap-2"), Backend("efs:fs-1", "", "fsap-2")),
        (csi("efs.csi.aws.com", "fs-1:/a:fsap-2"), Backend("efs:fs-1", "", "fsap-2")),
        (csi("fsx.csi.aws.com", "fs-2", dnsname="d", mountname="m"), Backend("fsx:fs-2")),
        (csi("ebs.csi.aws.com", "vol-1"), Backend("ebs:vol-1")),
        (volume(awsElasticBlockStore={"volumeID": "aws://us-east-1a/vol-1"}), Backend("ebs:vol-1")),
        (csi("pd.csi.storage.gke.io", "projects/p/zones/z/disks/d"), Backend("pd:projects/p/zones/z/disks/d")),
        (csi("disk.csi.azure.com", "/subscriptions/S/disks/D"), Backend("azuredisk:/subscriptions/s/disks/d")),
        (csi("file.csi.azure.com", "rg#acct#share#disk#u#ns"), Backend("azurefile:acct", "/share")),
        (csi("file.csi.azure.com", "any", storageAccount="Acct", shareName="s", folderName="f"), Backend("azurefile:acct", "/s/f")),
        (csi("blob.csi.azure.com", "any", storageAccount="acct", containerName="c"), Backend("azureblob:acct", "/c")),
        (csi("filestore.csi.storage.gke.io", "modeInstance/z/i/vol1"), Backend("filestore:z/i", "/vol1")),
        (csi("filestore.csi.storage.gke.io", "modeMultishare/p/proj/z/i/share"), Backend("filestore:z/i", "/share")),
        (csi("s3.csi.aws.com", "any", ["prefix data/a", "read-only"], bucketName="b"), Backend("s3:b", "/data/a")),
        (csi("gcsfuse.csi.storage.gke.io", "b", ["implicit-dirs", "only-dir=x"]), Backend("gs:b", "/x")),
        (csi("csi.weka.io", "dir/v1/fs1/a/b"), Backend("weka:fs1", "/a/b")),
        (csi("csi.weka.io", "weka/v2/fs1:snap"), Backend("weka:fs1", "/.snapshots/snap")),
        (csi("csi.vastdata.com", "pvc-1", root_export="/k8s", vip_pool_name="p"), Backend("vast:p", "/k8s/pvc-1")),
        (csi("exa.csi.ddn.com", "exa1:10.0.0.1@tcp;/exafs:/mnt:/pvc-1"), Backend("exa:10.0.0.1@tcp/exafs", "/pvc-1")),
        (csi("beegfs.csi.netapp.com", "beegfs://mgmt/a/b"), Backend("beegfs:mgmt", "/a/b")),
        (csi("rook-ceph.cephfs.csi.ceph.com", "x", clusterID="c", fsName="f", rootPath="/r"), Backend("cephfs:c/f", "/r")),
        (csi("smb.csi.k8s.io", "x", source="//Nas/share", subDir="d"), Backend("smb:nas", "/share/d")),
        (
            csi("azurelustre.csi.azure.com", "x", None, **{"mgs-ip-address": "10.0.0.4", "sub-dir": "a"}),
            Backend("lustre:10.0.0.4", "/a"),
        ),
        (csi("some.driver", "handle"), Backend("some.driver:handle")),
        (csi("csi.weka.io", "odd"), MISSING),
        (made(csi("csi.weka.io", "odd")), Backend("csi.weka.io:odd")),
        (csi("gcsfuse.csi.storage.gke.io", "_"), MISSING),
        (csi("nfs.csi.k8s.io", "any"), MISSING),
        (
            volume(azureFile={"secretName": "azure-storage-account-acct1-secret", "shareName": "s"}),
            Backend("azurefile:acct1", "/s"),
        ),
        (volume(azureFile={"secretName": "team-a", "shareName": "s"}), MISSING),
        (csi("some.driver", ""), MISSING),
        (volume(), MISSING),
        (volume(flexVolume={"driver": "x"}), MISSING),
    ],
)
def test_one_store_has_one_name(item: dict[str, Any], found: Any) -> None:
    assert backend(item) == found


@pytest.mark.parametrize(
    ("item", "name", "kind"),
    [
        (csi("efs.csi.aws.com"), "efs.csi.aws.com", "file"),
        (csi("rook-ceph.rbd.csi.ceph.com"), "rbd.csi.ceph.com", "block"),
        (csi("some.driver"), "some.driver", "other"),
        (volume(nfs={}, accessModes=["ReadWriteMany"]), "nfs", "file"),
        (volume(local={"path": "/x"}), "local", "local"),
        (storage_class("s3.csi.aws.com"), "s3.csi.aws.com", "bucket"),
        (volume(), MISSING, MISSING),
    ],
)
def test_drivers(item: dict[str, Any], name: Any, kind: Any) -> None:
    assert (driver(item), backend_type(item)) == (name, kind)


@pytest.mark.parametrize(
    ("item", "encrypted"),
    [
        (volume(nfs={"server": "s", "path": "/"}), False),
        (volume(nfs={"server": "s", "path": "/"}, mountOptions=["noatime,sec=krb5p"]), True),
        (volume(nfs={"server": "s", "path": "/"}, mountOptions=["sec=krb5i"]), False),
        (csi("nfs.csi.k8s.io", options=["xprtsec=mtls"]), True),
        (csi("nfs.csi.k8s.io"), False),
        # https://github.com/kubernetes-sigs/aws-efs-csi-driver/blob/master/docs/parameters.md#encryption-in-transit
        (csi("efs.csi.aws.com", "fs-1"), True),
        (csi("efs.csi.aws.com", "fs-1", encryptInTransit="false"), False),
        (storage_class("efs.csi.aws.com", ["tls"]), True),
        (csi("file.csi.azure.com", protocol="nfs"), False),
        (csi("file.csi.azure.com", protocol="nfs", encryptInTransit="true"), True),
        (storage_class("file.csi.azure.com", protocol="nfs"), False),
        (csi("file.csi.azure.com"), MISSING),
        (csi("file.csi.azure.com", options=["vers=2.1"]), False),
        (csi("smb.csi.k8s.io", options=["seal"]), True),
        (csi("smb.csi.k8s.io", options=["vers=3.1.1"]), MISSING),
        (csi("blob.csi.azure.com", protocol="nfs"), False),
        (csi("blob.csi.azure.com"), True),
        (csi("blob.csi.azure.com", options=["--use-https=false"]), False),
        (csi("s3.csi.aws.com", bucketName="b"), True),
        (csi("s3.csi.aws.com", options=["endpoint-url http://minio:9000"], bucketName="b"), False),
        (csi("gcsfuse.csi.storage.gke.io", "b"), True),
        (csi("cephfs.csi.ceph.com", options=["ms_mode=secure"]), True),
        (csi("cephfs.csi.ceph.com", kernelMountOptions="ms_mode=crc"), False),
        (csi("cephfs.csi.ceph.com"), MISSING),
        (csi("fsx.csi.aws.com", "fs-1"), MISSING),
        (csi("csi.vastdata.com", options=["sec=krb5p"]), True),
        (csi("csi.vastdata.com"), MISSING),
        (csi("azurelustre.csi.azure.com"), MISSING),
        # https://pkg.go.dev/strconv#ParseBool
        (csi("efs.csi.aws.com", "fs-1", encryptInTransit="False"), False),
        (csi("efs.csi.aws.com", "fs-1", encryptInTransit="0"), False),
        (csi("efs.csi.aws.com", "fs-1", encryptInTransit="{{ .Values.tls }}"), MISSING),
        (csi("file.csi.azure.com", "h", protocol="NFS"), False),
        (csi("file.csi.azure.com", "h", protocol="nfs", encryptInTransit="True"), True),
        (csi("blob.csi.azure.com", "h", protocol="NFS"), False),
        (csi("s3.csi.aws.com", "h", ["endpoint-url HTTP://minio:9000"], bucketName="b"), False),
    ],
)
def test_encrypted_on_the_way(item: dict[str, Any], encrypted: Any) -> None:
    assert in_transit(item) is encrypted


@pytest.mark.parametrize(
    ("item", "sealed"),
    [
        (csi("s3.csi.aws.com", options=["read-only"], bucketName="b"), True),
        (csi("s3.csi.aws.com", bucketName="b"), False),
        (volume(csi={"driver": "d", "readOnly": True}), True),
        (volume(nfs={"server": "s", "readOnly": True}), True),
        (volume(nfs={"server": "s"}, mountOptions=["ro"]), True),
        (volume(nfs={"server": "s"}, mountOptions=["rsize=1,ro"]), True),
        # the access mode alone does not make a mount read-only on every driver
        (volume(nfs={"server": "s"}, accessModes=["ReadOnlyMany"]), False),
        (csi("gcsfuse.csi.storage.gke.io", "b", readOnly="true"), True),
    ],
)
def test_read_only(item: dict[str, Any], sealed: bool) -> None:  # noqa: FBT001 - a column of the table
    assert read_only(item) is sealed


def test_mounts_of_a_pod() -> None:
    spec = {
        "containers": [
            {
                "name": "main",
                "volumeMounts": [
                    {"name": "a", "mountPath": "/data/"},
                    {"name": "b", "mountPath": "/b", "readOnly": True},
                    {"name": "c", "mountPath": "/c"},
                    {"name": "d", "mountPath": "/d"},
                    {"name": "e", "mountPath": "/e"},
                    {"name": "tmp", "mountPath": "/tmp"},
                    {"name": "gone", "mountPath": "/gone"},
                ],
            }
        ],
        "initContainers": [{"name": "init", "volumeMounts": [{"name": "c", "mountPath": "/c"}]}],
        "volumes": [
            {"name": "a", "persistentVolumeClaim": {"claimName": "one"}},
            {"name": "b", "persistentVolumeClaim": {"claimName": "two"}},
            {"name": "c", "persistentVolumeClaim": {"claimName": "three", "readOnly": True}},
            {"name": "d", "nfs": {"server": "s", "path": "/"}},
            {
                "name": "e",
                "csi": {"driver": "gcsfuse.csi.storage.gke.io", "volumeAttributes": {"mountOptions": "implicit-dirs,ro"}},
            },
            {"name": "tmp", "emptyDir": {}},
            {"name": "keys", "csi": {"driver": "secrets-store.csi.k8s.io"}},
        ],
    }
    found = [(m["container"], m["volume"], m["path"], m["claim"], m["read_only"]) for m in volume_mounts(spec)]
    assert found == [
        ("main", "a", "/data", "one", False),
        ("main", "b", "/b", "two", True),
        ("main", "c", "/c", "three", True),
        ("main", "d", "/d", "", False),
        ("main", "e", "/e", "", True),
        ("init", "c", "/c", "three", True),
    ]


@given(st.text(), st.text())
def test_no_path_leaves_its_store(first: str, second: str) -> None:
    found = clean(first, second)
    assert found.startswith("/")
    assert ".." not in found.split("/")
    assert clean(found) == found


@given(st.text(), st.dictionaries(st.text(), st.text()), st.lists(st.text()))
def test_whatever_a_driver_is_told(handle: str, attributes: dict[str, str], options: list[str]) -> None:
    for name in (
        "efs.csi.aws.com",
        "csi.weka.io",
        "exa.csi.ddn.com",
        "filestore.csi.storage.gke.io",
        "smb.csi.k8s.io",
        "beegfs.csi.netapp.com",
    ):
        item = csi(name, handle, options, **attributes)
        assert isinstance(backend(item), Backend) or backend(item) is MISSING
        assert in_transit(item) in (True, False, MISSING)


def test_options_however_they_are_written() -> None:
    assert [option(["--prefix a", "b=c", "ro", "Sec=krb5p"], n) for n in ("prefix", "b", "ro", "sec", "x")] == [
        "a",
        "c",
        "",
        "krb5p",
        None,
    ]
