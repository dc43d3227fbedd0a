"""How a volume is mounted: for reading alone, and encrypted on the way or not. Defaults are those that the drivers document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from collectors.kubernetes.pods import Spec, raw_containers
from collectors.kubernetes.storage import BUCKET, FILE, TYPES, Attributes, Item, attributes, clean, driver, option, options
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING


def read_only(item: Item) -> bool:
    """Whether whoever mounts a volume can but read. The access mode ReadOnlyMany does not make it so on every driver.

    https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes
    """
    spec = mapping(item.get("spec"))
    source = mapping(spec.get("csi")) or mapping(spec.get(str(driver(item))))
    given = options(item)
    told = attributes(item).get("readonly") == "true"
    return (
        source.get("readOnly") is True or told or any(option(given, name) is not None for name in ("ro", "read-only", "readonly"))
    )


def _nfs_transit(given: Sequence[str]) -> bool:
    """Kerberos with privacy, or TLS under NFS.

    https://man7.org/linux/man-pages/man5/nfs.5.html
    """
    return option(given, "sec") == "krb5p" or option(given, "xprtsec") in ("tls", "mtls")


def _smb_transit(given: Sequence[str]) -> Any:
    """SMB before 3.0 cannot encrypt; `seal` demands it.

    https://man7.org/linux/man-pages/man8/mount.cifs.8.html
    """
    if option(given, "seal") is not None:
        return True
    version = option(given, "vers")
    return False if version and version[0] in "12" else MISSING


def _ceph_transit(given: Sequence[str]) -> Any:
    # https://docs.ceph.com/en/latest/man/8/mount.ceph/
    return {"secure": True, "crc": False, "legacy": False}.get(option(given, "ms-mode") or "", MISSING)


TRUTH = {**dict.fromkeys(("1", "t", "true"), True), **dict.fromkeys(("0", "f", "false"), False)}


def _switch(told: Attributes, name: str, *, absent: bool) -> Any:
    """An attribute that says yes or no: drivers read it by https://pkg.go.dev/strconv#ParseBool ."""
    return TRUTH.get(told[name].lower(), MISSING) if name in told else absent


def _nfs(_told: Attributes, given: Sequence[str]) -> Any:
    return _nfs_transit(given)


def _efs(told: Attributes, _options: Sequence[str]) -> Any:
    # https://github.com/kubernetes-sigs/aws-efs-csi-driver/blob/master/docs/parameters.md#encryption-in-transit
    return _switch(told, "encryptintransit", absent=True)


def _speaks_nfs(told: Attributes) -> bool:
    return told.get("protocol", "").lower().startswith("nfs") or told.get("fstype", "").lower() == "nfs"


def _azure_file(told: Attributes, given: Sequence[str]) -> Any:
    # https://learn.microsoft.com/azure/aks/azure-csi-files-storage-provision: NFS is in clear unless encryptInTransit says true
    return _switch(told, "encryptintransit", absent=False) if _speaks_nfs(told) else _smb_transit(given)


def _smb(_told: Attributes, given: Sequence[str]) -> Any:
    return _smb_transit(given)


def _azure_blob(told: Attributes, given: Sequence[str]) -> Any:
    # https://learn.microsoft.com/azure/storage/blobs/network-file-system-protocol-known-issues; blobfuse speaks HTTPS by itself
    return False if _speaks_nfs(told) else option(given, "use-https") != "false"


def _s3(told: Attributes, given: Sequence[str]) -> Any:
    # https://github.com/awslabs/mountpoint-s3/blob/main/doc/CONFIGURATION.md: TLS unless an endpoint of its own is in clear
    return not (option(given, "endpoint-url") or told.get("endpoint-url", "")).lower().startswith("http://")


def _gcs(_told: Attributes, given: Sequence[str]) -> Any:
    # https://docs.cloud.google.com/storage/docs/cloud-storage-fuse/cli-options
    return not (option(given, "custom-endpoint") or "").lower().startswith("http://")


def _cephfs(told: Attributes, given: Sequence[str]) -> Any:
    return _ceph_transit([*given, *told.get("kernelmountoptions", "").split(",")])


TRANSIT: Mapping[str, Callable[[Attributes, Sequence[str]], Any]] = {
    "nfs": _nfs,
    "nfs.csi.k8s.io": _nfs,
    "efs.csi.aws.com": _efs,
    "file.csi.azure.com": _azure_file,
    "azureFile": _smb,
    "kubernetes.io/azure-file": _smb,
    "smb.csi.k8s.io": _smb,
    "blob.csi.azure.com": _azure_blob,
    "s3.csi.aws.com": _s3,
    "gcsfuse.csi.storage.gke.io": _gcs,
    "cephfs.csi.ceph.com": _cephfs,
}
"""Drivers whose mounts tell it. Of Lustre, WEKA, VAST, BeeGFS and Filestore servers and networks decide: FSx for Lustre encrypts between
some sizes of machines only, Azure Managed Lustre in networks that do
(https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-in-transit-fsxl.html,
https://learn.microsoft.com/azure/azure-managed-lustre/vnet-encryption)."""


def in_transit(item: Item) -> Any:
    """Whether a file system or bucket is mounted encrypted; not known where driver and server settle it between them."""
    read = TRANSIT.get(str(driver(item)))
    given = options(item)
    if read is not None:
        return read(attributes(item), given)
    return True if _nfs_transit(given) else MISSING


def volume_mounts(spec: Spec) -> list[dict[str, Any]]:
    """Where containers mount claims, and file systems and buckets that the pod names itself.

    `read_only` by the word of the pod: of the mount, or of the volume.
    """
    volumes = {str(v.get("name", "")): found for v in mappings(spec.get("volumes")) if (found := _volume(v)) is not None}
    return [
        {
            "container": str(raw.get("name", "")),
            "volume": name,
            "path": clean(str(mount.get("mountPath") or "")),
            **volumes[name],
            "read_only": mount.get("readOnly") is True or volumes[name]["read_only"],
        }
        for _, raw in raw_containers(spec)
        for mount in mappings(raw.get("volumeMounts"))
        if (name := str(mount.get("name", ""))) in volumes
    ]


def _volume(volume: Item) -> dict[str, Any] | None:
    claim, csi, nfs = (volume.get(key) for key in ("persistentVolumeClaim", "csi", "nfs"))
    if isinstance(claim, dict):
        return {"claim": str(claim.get("claimName") or ""), "read_only": claim.get("readOnly") is True}
    if isinstance(nfs, dict):
        return {"claim": "", "read_only": nfs.get("readOnly") is True}
    if isinstance(csi, dict) and TYPES.get(str(csi.get("driver"))) in (FILE, BUCKET):
        given = str(mapping(csi.get("volumeAttributes")).get("mountOptions") or "").split(",")
        return {"claim": "", "read_only": csi.get("readOnly") is True or option(given, "ro") is not None}
    return None
