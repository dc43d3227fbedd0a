"""Who has the files behind a volume, who can write to them, and how the cloud keeps them."""

from __future__ import annotations

import posixpath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:persistentvolumes", "Allow it.")
VOLUME, CLAIM = "v1/PersistentVolume", "v1/PersistentVolumeClaim"
RED, BLUE = (thing("v1", "Namespace", n, None, metadata={"labels": {"tenant": n}}) for n in ("red", "blue"))
BARE, SPARE = (thing("v1", "Namespace", n, None) for n in ("bare", "spare"))


def volume(name: str, namespace: str, *, options: list[str] | None = None, **source: Any) -> dict[str, Any]:
    claim = {"claimRef": {"namespace": namespace, "name": name}} if namespace else {}
    return thing("v1", "PersistentVolume", name, None, spec={**source, **claim, "mountOptions": options or []})


def nfs(name: str, namespace: str, path: str = "/export", options: list[str] | None = None, server: str = "nas") -> dict[str, Any]:
    return volume(name, namespace, options=options, nfs={"server": server, "path": path})


def efs(name: str, namespace: str, handle: str) -> dict[str, Any]:
    return volume(name, namespace, csi={"driver": "efs.csi.aws.com", "volumeHandle": handle})


def world(
    *items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False, more: tuple[Resource, ...] = ()
) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld([*found, *more], gaps or {}, DERIVATIONS)


def shared(of: MemoryWorld, name: str = "a") -> tuple[Any, Any]:
    (subject,) = [r for r in of.all("data_store") if r.native_type == VOLUME and r.name == name]
    found, settled = of.fact(subject, "shared_with"), of.fact(subject, "shared_with_settled")
    assert not isinstance(found, Gap)
    return [(f["volume"].rpartition("/")[2], f["tenant"]) for f in found], settled.reason if isinstance(settled, Gap) else settled


B = [("b", "blue")]
READ = ["ro"]


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        (nfs("a", "red"), nfs("b", "blue"), B),
        (nfs("a", "red"), nfs("b", "blue", "/export/a"), B),
        (nfs("a", "red", "/export/a"), nfs("b", "blue"), B),
        (nfs("a", "red", "/export/a"), nfs("b", "blue", "/export/b"), []),
        # a directory whose name begins alike is another one
        (nfs("a", "red", "/export/a"), nfs("b", "blue", "/export/ab"), []),
        (nfs("a", "red", "/export/x/../a"), nfs("b", "blue", "/export/a/"), B),
        (nfs("a", "red"), nfs("b", "blue", server="other"), []),
        (nfs("a", "red"), nfs("b", "red"), []),
        (nfs("a", "red", options=READ), nfs("b", "blue", options=READ), []),
        (nfs("a", "red", options=READ), nfs("b", "blue"), B),
        (nfs("a", "red"), nfs("b", "blue", options=READ), B),
        (nfs("a", "red"), nfs("b", "kube-system"), []),
        (nfs("a", "red"), nfs("b", ""), []),
        (nfs("a", "", "/"), nfs("b", "blue"), []),
        # https://docs.aws.amazon.com/efs/latest/ug/efs-access-points.html
        (efs("a", "red", "fs-1"), efs("b", "blue", "fs-1"), B),
        (efs("a", "red", "fs-1::fsap-1"), efs("b", "blue", "fs-1::fsap-2"), []),
        (efs("a", "red", "fs-1::fsap-1"), efs("b", "blue", "fs-1::fsap-1"), B),
        (efs("a", "red", "fs-1::fsap-1"), efs("b", "blue", "fs-1"), B),
        (efs("a", "red", "fs-1"), efs("b", "blue", "fs-1::fsap-1"), B),
        (efs("a", "red", "fs-1"), nfs("b", "blue", "/", server="fs-1.efs.us-east-1.amazonaws.com"), B),
        (efs("a", "red", "fs-1"), efs("b", "blue", "fs-2"), []),
    ],
)
def test_files_that_two_tenants_have(first: dict[str, Any], second: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert shared(world(RED, BLUE, first, second)) == (found, True)


def test_a_place_that_is_not_told() -> None:
    of = world(RED, BLUE, efs("a", "red", "fs-1:/x"), efs("b", "blue", "fs-1::fsap-1"))
    assert [shared(of, name) for name in "ab"] == [([], Reason.NOT_OFFERED), ([], Reason.NOT_OFFERED)]
    of = world(RED, efs("a", "red", "fs-1:/x"), efs("b", "red", "fs-1::fsap-1"))
    assert shared(of) == ([], True)


def test_tenants_that_are_not_known() -> None:
    assert shared(world(RED, BARE, nfs("a", "red"), nfs("b", "bare"))) == ([], Reason.NOT_OFFERED)
    assert shared(world(RED, BARE, nfs("a", "bare"), nfs("b", "red"))) == ([], Reason.NOT_OFFERED)
    assert shared(world(BARE, SPARE, nfs("a", "bare"), nfs("b", "spare"))) == ([], Reason.NOT_OFFERED)
    assert shared(world(BARE, nfs("a", "bare"), nfs("b", "bare"))) == ([], True)
    assert shared(world(BARE, RED, nfs("a", "bare", "/x"), nfs("b", "red", "/y"))) == ([], True)


def test_volumes_that_were_not_seen() -> None:
    both = (RED, BLUE, nfs("a", "red"), nfs("b", "blue"))
    assert shared(world(*both, gaps={VOLUME: DENIED})) == (B, Reason.DENIED)
    assert shared(world(*both, manifests=True)) == (B, Reason.NOT_OFFERED)
    templated = volume(
        "b",
        "blue",
        csi={
            "driver": "nfs.csi.k8s.io",
            "volumeHandle": "x",
            "volumeAttributes": {"server": "nas", "share": "/", "subDir": "${pvc.metadata.name}"},
        },
    )
    first = volume(
        "a", "red", csi={"driver": "nfs.csi.k8s.io", "volumeHandle": "y", "volumeAttributes": {"server": "nas", "share": "/z"}}
    )
    assert shared(world(RED, BLUE, first, templated)) == ([], Reason.NOT_OFFERED)


def test_claims_that_name_their_volume() -> None:
    claims = [thing("v1", "PersistentVolumeClaim", n, s, spec={"volumeName": n}) for n, s in (("a", "red"), ("b", "blue"))]
    of = world(RED, BLUE, nfs("a", ""), nfs("b", ""), *claims, manifests=True)
    assert shared(of) == (B, Reason.NOT_OFFERED)
    assert shared(world(nfs("a", ""), manifests=True)) == ([], Reason.NOT_OFFERED)


def test_time_is_linear() -> None:
    spaces = [thing("v1", "Namespace", f"t{i}", None, metadata={"labels": {"tenant": f"t{i}"}}) for i in range(50)]
    of = world(*spaces, *(nfs(f"v{i}", f"t{i}", f"/export/{i}") for i in range(50)))
    for resource in list(of.all("data_store")):
        assert of.fact(resource, "shared_with") == []
    assert of.reads <= 3 * 50


PATHS = st.lists(st.sampled_from(["a", "b", "ab"]), max_size=3).map(lambda parts: "/" + "/".join(parts))


@given(PATHS, PATHS)
def test_overlap_is_what_paths_say(first: str, second: str) -> None:
    common = posixpath.commonpath([first, second])
    found, settled = shared(world(RED, BLUE, nfs("a", "red", first), nfs("b", "blue", second)))
    assert (bool(found), settled) == (common in (first, second), True)


# ---- who can write


def mounting(*, read_only: bool = False, source: dict[str, Any] | None = None) -> dict[str, Any]:
    mounts = [{"name": "v", "mountPath": "/data", "readOnly": read_only}]
    spec = {
        "containers": [container(volumeMounts=mounts)],
        "volumes": [{"name": "v", **(source or {"persistentVolumeClaim": {"claimName": "data"}})}],
    }
    return deployment("d", spec)


def claim(volume_name: str | None = "pv") -> dict[str, Any]:
    return thing("v1", "PersistentVolumeClaim", "data", spec={"volumeName": volume_name} if volume_name else {})


def behind(options: list[str] | None = None, modes: list[str] | None = None) -> dict[str, Any]:
    return volume("pv", "team", options=options, nfs={"server": "s", "path": "/"}, accessModes=modes or ["ReadWriteMany"])


WRITES = [{"container": "main", "path": "/data", "claim": "data", "volume": "v"}]
INLINE = [{"container": "main", "path": "/data", "claim": "", "volume": "v"}]


@pytest.mark.parametrize(
    ("items", "found", "settled"),
    [
        ([mounting(read_only=True)], [], True),
        ([mounting(source={"persistentVolumeClaim": {"claimName": "data", "readOnly": True}})], [], True),
        ([mounting(), claim(), behind()], WRITES, True),
        ([mounting(), claim(), behind(["ro"])], [], True),
        # the access mode alone does not make a mount read-only
        ([mounting(), claim(), behind(modes=["ReadOnlyMany"])], WRITES, True),
        ([mounting(source={"nfs": {"server": "s", "path": "/"}})], INLINE, True),
        ([mounting(source={"nfs": {"server": "s", "path": "/", "readOnly": True}})], [], True),
        ([mounting(), claim(None), behind()], [], Reason.NOT_OFFERED),
        ([mounting(), claim()], [], Reason.NOT_OFFERED),
        ([mounting()], [], Reason.NOT_OFFERED),
    ],
)
def test_writable_mounts(items: list[dict[str, Any]], found: list[dict[str, str]], settled: Any) -> None:
    of = world(*items)
    (subject,) = of.all("workload")
    facts = [of.fact(subject, name) for name in ("writable_mounts", "writable_mounts_settled")]
    assert [f.reason if isinstance(f, Gap) else f for f in facts] == [found, settled]


# ---- how the cloud keeps it


def kept(native: str, identity: str, **facts: Any) -> Resource:
    return Resource(
        id=identity,
        kind="data_store",
        native_type=native,
        provider="aws",
        scope="111122223333",
        region="us-east-1",
        name="x",
        source="aws",
        facts=facts,
    )


DISK = kept("AWS::EC2::Volume", "arn:aws:ec2:us-east-1:111122223333:volume/vol-1", encrypted=True, key_manager="provider")
SYSTEM = kept(
    "AWS::EFS::FileSystem",
    "arn:aws:elasticfilesystem:us-east-1:111122223333:file-system/fs-1",
    encrypted=True,
    key_manager="customer",
)
BUCKET = kept("AWS::S3::Bucket", "arn:aws:s3:::data", encrypted=False, key_manager="none")


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (volume("a", "", csi={"driver": "ebs.csi.aws.com", "volumeHandle": "vol-1"}), [DISK.id, True, "provider"]),
        (volume("a", "", awsElasticBlockStore={"volumeID": "aws://us-east-1a/vol-1"}), [DISK.id, True, "provider"]),
        (efs("a", "", "fs-1::fsap-1"), [SYSTEM.id, True, "customer"]),
        (
            volume("a", "", csi={"driver": "s3.csi.aws.com", "volumeHandle": "x", "volumeAttributes": {"bucketName": "data"}}),
            [BUCKET.id, False, "none"],
        ),
        (volume("a", "", csi={"driver": "ebs.csi.aws.com", "volumeHandle": "vol-2"}), [Reason.NOT_OFFERED] * 3),
        (nfs("a", ""), [Reason.NOT_OFFERED] * 3),
        (volume("a", "", flexVolume={"driver": "x"}), [Reason.NOT_OFFERED] * 3),
    ],
)
def test_what_stands_behind_a_volume(item: dict[str, Any], found: list[Any]) -> None:
    of = world(item, more=(DISK, SYSTEM, BUCKET))
    subject = next(r for r in of.all("data_store") if r.name == "a")
    facts = [of.fact(subject, name) for name in ("backing_id", "backing_encrypted", "backing_key_manager")]
    assert [f.reason if isinstance(f, Gap) else f for f in facts] == found
