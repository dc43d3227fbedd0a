"""What a PersistentVolume or a StorageClass says of the store behind it: which it is, which part, and how it is spoken to.

One store has one name here, whatever driver leads to it: `efs:fs-…`, `s3:bucket`, `nfs:server`. A volume is a `path` in it, or an access
`point` whose place is not told.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collectors.kubernetes.reads import notes, text_map
from collectors.kubernetes.within import mapping, sequence
from collectors.table import MISSING
from scanner.model import frozen

Item = Mapping[str, Any]
Attributes = Mapping[str, str]
BLOCK, FILE, BUCKET, LOCAL, OTHER = "block", "file", "bucket", "local", "other"


@frozen
class Backend:
    """What a volume is a part of."""

    store: str
    path: str = "/"
    """Empty where it is not told."""
    point: str = ""
    """Access point that leads into the store."""


TYPES: Mapping[str, str] = {
    # driver, or key of the volume source in the spec → what it mounts
    "local": LOCAL,
    "hostPath": LOCAL,
    "topolvm.io": LOCAL,
    "topolvm.cybozu.com": LOCAL,
    "local.csi.openebs.io": LOCAL,
    "awsElasticBlockStore": BLOCK,
    "kubernetes.io/aws-ebs": BLOCK,
    "ebs.csi.aws.com": BLOCK,
    "ebs.csi.eks.amazonaws.com": BLOCK,
    "gcePersistentDisk": BLOCK,
    "kubernetes.io/gce-pd": BLOCK,
    "pd.csi.storage.gke.io": BLOCK,
    "azureDisk": BLOCK,
    "kubernetes.io/azure-disk": BLOCK,
    "disk.csi.azure.com": BLOCK,
    "rbd": BLOCK,
    "rbd.csi.ceph.com": BLOCK,
    "iscsi": BLOCK,
    "fc": BLOCK,
    "nfs": FILE,
    "nfs.csi.k8s.io": FILE,
    "efs.csi.aws.com": FILE,
    "fsx.csi.aws.com": FILE,
    "fsx.openzfs.csi.aws.com": FILE,
    "azureFile": FILE,
    "kubernetes.io/azure-file": FILE,
    "file.csi.azure.com": FILE,
    "azurelustre.csi.azure.com": FILE,
    "filestore.csi.storage.gke.io": FILE,
    "lustre.csi.storage.gke.io": FILE,
    "cephfs": FILE,
    "cephfs.csi.ceph.com": FILE,
    "smb.csi.k8s.io": FILE,
    "csi.weka.io": FILE,
    "csi.vastdata.com": FILE,
    "exa.csi.ddn.com": FILE,
    "beegfs.csi.netapp.com": FILE,
    "s3.csi.aws.com": BUCKET,
    "gcsfuse.csi.storage.gke.io": BUCKET,
    "blob.csi.azure.com": BUCKET,
}
SOURCES = frozenset(
    {
        *("awsElasticBlockStore", "azureDisk", "azureFile", "cephfs", "cinder", "fc", "flexVolume", "flocker", "gcePersistentDisk"),
        *("glusterfs", "hostPath", "iscsi", "local", "nfs", "photonPersistentDisk", "portworxVolume", "quobyte", "rbd", "scaleIO"),
        *("storageos", "vsphereVolume"),
    }
)
"""Volume sources of a PersistentVolume beside `csi`.
https://kubernetes.io/docs/reference/kubernetes-api/config-and-storage-resources/persistent-volume-v1/"""


def driver(item: Item) -> Any:
    """The CSI driver of a volume, or the key of its source; of a class its provisioner. Drivers of Rook have a prefix of their own."""
    if "provisioner" in item:
        return _plain(str(item["provisioner"]))
    spec = mapping(item.get("spec"))
    named = mapping(spec.get("csi")).get("driver")
    return _plain(str(named)) if named else next((key for key in spec if key in SOURCES), MISSING)


def _plain(name: str) -> str:
    return next((known for known in ("cephfs.csi.ceph.com", "rbd.csi.ceph.com") if name.endswith(f".{known}")), name)


def backend_type(item: Item) -> Any:
    """What the driver mounts: `block`, `file`, `bucket`, `local`, or `other` of a driver that is not known here."""
    found = driver(item)
    return MISSING if found is MISSING else TYPES.get(found, OTHER)


def attributes(item: Item) -> dict[str, str]:
    """What the driver is told, with names in lower case: most drivers do not mind theirs."""
    told = (
        item.get("parameters") if "provisioner" in item else mapping(mapping(item.get("spec")).get("csi")).get("volumeAttributes")
    )
    return {key.lower(): value for key, value in text_map(told).items()}


def options(item: Item) -> list[str]:
    """Mount options, each by itself."""
    listed = item.get("mountOptions") if "provisioner" in item else mapping(item.get("spec")).get("mountOptions")
    return [part.strip() for entry in sequence(listed) for part in str(entry).split(",") if part.strip()]


def option(given: Sequence[str], name: str) -> str | None:
    """The value of a mount option, however it is written (`--prefix a`, `prefix=a`); empty where it has none, None where it is not there."""
    for entry in given:
        word = entry.lstrip("-")
        key, _, value = word.partition("=") if "=" in word else word.partition(" ")
        if key.strip().lower().replace("_", "-") == name:
            return value.strip()
    return None


# ---- which store


def backend(item: Item) -> Any:
    """The store of a volume, as a `Backend`."""
    spec = mapping(item.get("spec"))
    name = driver(item)
    if name is MISSING:
        return MISSING
    csi = mapping(spec.get("csi"))
    if csi:
        handle = str(csi.get("volumeHandle") or "")
        found = HANDLES.get(name, _any)(handle, attributes(item), options(item))
        # NOTE: what somebody wrote by hand may be a part of any store; what the driver made is a volume of its own
        made = name not in HANDLES or bool(notes(item).get("pv.kubernetes.io/provisioned-by"))
        return _named(found, name, handle if made else "")
    return _in_tree(name, mapping(spec.get(name)))


def _named(found: Backend | None, name: str, handle: str) -> Any:
    """A handle that is not of the documented form is still one volume's where the driver made it; templates of a path are not filled in."""
    if found is None:
        return Backend(f"{name}:{handle}") if handle else MISSING
    return MISSING if "$" in f"{found.store}{found.path}" else found


def _in_tree(name: str, source: Item) -> Any:
    if name == "nfs":
        return _share(str(source.get("server") or ""), str(source.get("path") or "/"))
    disk = {
        "awsElasticBlockStore": ("ebs", str(source.get("volumeID") or "").rpartition("/")[2]),
        "gcePersistentDisk": ("pd", str(source.get("pdName") or "")),
        "azureDisk": ("azuredisk", str(source.get("diskURI") or "").lower()),
        "hostPath": ("local", str(source.get("path") or "")),
        "local": ("local", str(source.get("path") or "")),
    }.get(name)
    if name == "azureFile":
        # NOTE: the account stands in a Secret; its name tells it where it is the one that Azure's tools give
        account = AZURE_SECRET.fullmatch(str(source.get("secretName") or ""))
        return Backend(f"azurefile:{account['account']}", clean(str(source.get("shareName") or ""))) if account else MISSING
    return Backend(f"{disk[0]}:{disk[1]}") if disk and disk[1] else MISSING


AZURE_SECRET = re.compile(r"azure-storage-account-(?P<account>[a-z0-9]{3,24})-secret")
"""https://github.com/kubernetes-sigs/azurefile-csi-driver/blob/master/docs/driver-parameters.md"""


def clean(*parts: str) -> str:
    """A path in a store: absolute, without `..`, `//` and a slash at its end."""
    return posixpath.normpath("/" + "/".join(p.strip("/") for p in parts if p.strip("/"))).replace("//", "/")


AWS_SERVER = re.compile(r"(?:[a-z0-9-]+\.)?(?P<id>fs-[0-9a-f]+)\.(?P<service>efs|fsx)\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\.?")


def _share(server: str, *path: str) -> Backend | None:
    """A directory of an NFS server; mount targets of AWS's services are those services' stores."""
    if not server:
        return None
    found = AWS_SERVER.fullmatch(server.lower())
    store = f"{found['service']}:{found['id']}" if found else f"nfs:{server.lower().rstrip('.')}"
    return Backend(store, clean(*path))


def _any(_handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return None


def _nfs(_handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    # https://github.com/kubernetes-csi/csi-driver-nfs/blob/master/docs/driver-parameters.md
    return _share(told.get("server", ""), told.get("share", ""), told.get("subdir", ""))


def _efs(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`[FileSystemId]:[Subpath]:[AccessPointId]`; the place of an access point is the file system's to tell.

    https://github.com/kubernetes-sigs/aws-efs-csi-driver/blob/master/examples/kubernetes/access_points/README.md
    """
    system, _, rest = handle.partition(":")
    path, _, point = rest.partition(":")
    if not system.startswith("fs-"):
        return None
    return Backend(f"efs:{system}", "" if point else clean(path), point)


def _fsx(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return Backend(f"fsx:{handle}") if handle else None


def _ebs(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return Backend(f"ebs:{handle}") if handle else None


def _pd(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return Backend(f"pd:{handle}") if handle else None


def _azure_disk(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return Backend(f"azuredisk:{handle.lower()}") if handle else None


def _azure_file(handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`rg#account#share#…`, or attributes.

    https://github.com/kubernetes-sigs/azurefile-csi-driver/blob/master/docs/driver-parameters.md
    """
    parts = handle.split("#")
    account = told.get("storageaccount") or (parts[1] if len(parts) > 2 else "")  # noqa: PLR2004 - resource group, account, share
    share = told.get("sharename") or (parts[2] if len(parts) > 2 else "")  # noqa: PLR2004
    return Backend(f"azurefile:{account.lower()}", clean(share, told.get("foldername", ""))) if account and share else None


def _azure_blob(handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`rg#account#container#…`, or attributes.

    https://github.com/kubernetes-sigs/blob-csi-driver/blob/master/docs/driver-parameters.md
    """
    parts = handle.split("#")
    account = told.get("storageaccount") or (parts[1] if len(parts) > 2 else "")  # noqa: PLR2004 - as of files
    container = told.get("containername") or (parts[2] if len(parts) > 2 else "")  # noqa: PLR2004
    return Backend(f"azureblob:{account.lower()}", clean(container)) if account and container else None


def _azure_lustre(_handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    # https://github.com/kubernetes-sigs/azurelustre-csi-driver/blob/main/docs/driver-parameters.md
    server = told.get("mgs-ip-address", "")
    return Backend(f"lustre:{server}", clean(told.get("sub-dir", ""))) if server else None


def _filestore(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`modeInstance/<location>/<instance>/<share>`, with more before the location where shares are many.

    https://docs.cloud.google.com/filestore/docs/csi-driver
    """
    parts = handle.split("/")
    return Backend(f"filestore:{parts[-3]}/{parts[-2]}", clean(parts[-1])) if len(parts) > 3 else None  # noqa: PLR2004


def _gcp_lustre(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    return Backend(f"gcplustre:{handle}") if handle else None


def _s3(_handle: str, told: Attributes, given: Sequence[str]) -> Backend | None:
    # https://github.com/awslabs/mountpoint-s3-csi-driver/blob/main/docs/CONFIGURATION.md
    bucket = told.get("bucketname", "")
    return Backend(f"s3:{bucket}", clean(option(given, "prefix") or "")) if bucket else None


def _gcs(handle: str, _told: Attributes, given: Sequence[str]) -> Backend | None:
    """A bucket; `_` stands for all that the identity may see.

    https://docs.cloud.google.com/kubernetes-engine/docs/how-to/cloud-storage-fuse-csi-driver-pv
    """
    return Backend(f"gs:{handle.partition(':')[0]}", clean(option(given, "only-dir") or "")) if handle and handle != "_" else None


def _weka(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`dir/v1/<file system>/<path>` or `weka/v2/<file system>:<snapshot>/<path>`.

    https://docs.weka.io/appendices/weka-csi-plugin
    """
    parts = handle.split("/", 3)
    if len(parts) < 3:  # noqa: PLR2004 - kind, version, file system
        return None
    system, _, snapshot = parts[2].partition(":")
    return Backend(f"weka:{system}", clean(f".snapshots/{snapshot}" if snapshot else "", *parts[3:]))


def _vast(handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    """A directory called by its handle, below the class's `root_export`.

    https://support.vastdata.com/s/document-item?bundleId=vast-csi
    """
    root = told.get("root_export", "")
    return Backend(f"vast:{told.get('vip_pool_name') or told.get('vip_pool_fqdn') or ''}", clean(root, handle)) if root else None


EXA = re.compile(r"[^:]+:(?P<servers>[^;]+);(?P<system>/[^:]*):/[^:]*:(?P<path>/.*)")


def _exa(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`exa1:10.0.0.1@tcp;/exafs:/mount:/volume`.

    https://github.com/DDNStorage/exa-csi-driver
    """
    found = EXA.fullmatch(handle)
    return Backend(f"exa:{found['servers']}{found['system']}", clean(found["path"])) if found else None


def _beegfs(handle: str, _told: Attributes, _options: Sequence[str]) -> Backend | None:
    """`beegfs://management-host/path`.

    https://github.com/ThinkParQ/beegfs-csi-driver/blob/master/docs/usage.md
    """
    scheme, _, rest = handle.partition("://")
    host, _, path = rest.partition("/")
    return Backend(f"beegfs:{host}", clean(path)) if scheme == "beegfs" and host else None


def _cephfs(_handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    # https://github.com/ceph/ceph-csi/blob/devel/docs/static-pvc.md
    path = told.get("rootpath") or told.get("subvolumepath") or ""
    system = told.get("fsname", "")
    return Backend(f"cephfs:{told.get('clusterid', '')}/{system}", clean(path)) if path and system else None


def _smb(_handle: str, told: Attributes, _options: Sequence[str]) -> Backend | None:
    # https://github.com/kubernetes-csi/csi-driver-smb/blob/master/docs/driver-parameters.md
    server, _, share = told.get("source", "").replace("\\", "/").strip("/").partition("/")
    return Backend(f"smb:{server.lower()}", clean(share, told.get("subdir", ""))) if server else None


HANDLES: Mapping[str, Callable[[str, Attributes, Sequence[str]], Backend | None]] = {
    "nfs.csi.k8s.io": _nfs,
    "efs.csi.aws.com": _efs,
    "fsx.csi.aws.com": _fsx,
    "fsx.openzfs.csi.aws.com": _fsx,
    "ebs.csi.aws.com": _ebs,
    "ebs.csi.eks.amazonaws.com": _ebs,
    "pd.csi.storage.gke.io": _pd,
    "disk.csi.azure.com": _azure_disk,
    "file.csi.azure.com": _azure_file,
    "blob.csi.azure.com": _azure_blob,
    "azurelustre.csi.azure.com": _azure_lustre,
    "filestore.csi.storage.gke.io": _filestore,
    "lustre.csi.storage.gke.io": _gcp_lustre,
    "s3.csi.aws.com": _s3,
    "gcsfuse.csi.storage.gke.io": _gcs,
    "csi.weka.io": _weka,
    "csi.vastdata.com": _vast,
    "exa.csi.ddn.com": _exa,
    "beegfs.csi.netapp.com": _beegfs,
    "cephfs.csi.ceph.com": _cephfs,
    "smb.csi.k8s.io": _smb,
}
"""Driver → how it names its volumes. A driver that is not here names a volume by its handle alone."""


def store(item: Item) -> Any:
    """The store of a volume by name."""
    found = backend(item)
    return found.store if isinstance(found, Backend) else MISSING


def path(item: Item) -> Any:
    """The directory of the store that a volume is; empty where an access point decides."""
    found = backend(item)
    return found.path if isinstance(found, Backend) else MISSING


def point(item: Item) -> Any:
    """The access point of a volume, empty for none."""
    found = backend(item)
    return found.point if isinstance(found, Backend) else MISSING
