"""FSx: Lustre, ONTAP, OpenZFS and Windows file systems, and what Lustre exchanges with buckets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws import arn
from collectors.aws.backup import PROTECTED
from collectors.table import MISSING, Call, Const, Field, Side, Table

AT_REST = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/encryption-at-rest.html"
DEPLOYMENT = "https://docs.aws.amazon.com/fsx/latest/APIReference/API_LustreFileSystemConfiguration.html"
CREATE = "https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemLustreConfiguration.html"
REPOSITORY = "https://docs.aws.amazon.com/fsx/latest/APIReference/API_DataRepositoryConfiguration.html"
EXPORT = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/autoexport-data-repo-dra.html"
SQUASH = "https://docs.aws.amazon.com/fsx/latest/LustreGuide/root-squash.html"

LUSTRE = "LUSTRE"
LASTS = {"SCRATCH": False, "PERSISTENT": True}
"""Family of a deployment of Lustre → what is on it outlives a server: DEPLOYMENT."""
GONE = ("DELETING", "FAILED")
OVERWRITES = {"CHANGED", "DELETED"}
"""Events of an export that changes what is there already: https://docs.aws.amazon.com/fsx/latest/APIReference/API_AutoExportPolicy.html"""
DAYS = 30
"""How long ONTAP, OpenZFS and Windows file systems keep backups where nobody says:
https://docs.aws.amazon.com/fsx/latest/APIReference/API_CreateFileSystemOntapConfiguration.html"""


def exists(thing: Mapping[str, Any]) -> bool:
    """It is there to stay."""
    return thing.get("Lifecycle") not in GONE


def of_file_system(association: Mapping[str, Any]) -> bool:
    """The association links a file system, not a cache, to its repository."""
    return exists(association) and bool(association.get("FileSystemId"))


def persistent(engine: str, deployment: str | None) -> bool:
    """Not a scratch deployment, which Lustre has where nobody says. KeyError for a deployment of neither family."""
    return engine != LUSTRE or LASTS[(deployment or "SCRATCH_1").partition("_")[0]]


def store_type(engine: str, deployment: str | None) -> str:
    """`scratch` takes no key of the customer's, and no backup."""
    return "filesystem" if persistent(engine, deployment) else "scratch"


def backed_up(engine: str, *days: int | None) -> bool:
    """Automatic backups are kept; Lustre makes none unless told to."""
    said = next((d for d in days if d is not None), None)
    return (DAYS if engine != LUSTRE else 0) > 0 if said is None else said > 0


def plain(uri: str | None) -> str:
    """A repository without the slash at its end."""
    return (uri or "").rstrip("/")


def overwritten(imported: str | None, exported: str | None) -> str:
    """Where exports write over what was imported: the export path, where it is the import path."""
    return plain(exported) if exported and plain(exported) == plain(imported) else ""


def linked(*uris: str | None) -> list[str]:
    """Repositories, each once."""
    return sorted({plain(u) for u in uris if u})


def has_link(associations: list[Mapping[str, Any]] | None, imported: str | None) -> bool:
    """Linked to a repository, by itself or by an association."""
    return bool(imported) or any(exists(a) for a in associations or [])


def changes_go_to(uri: str, events: list[str] | None) -> str:
    """The repository, where changed or deleted files are exported to it."""
    return plain(uri) if OVERWRITES & set(events or []) else ""


def exported(associations: list[Mapping[str, Any]] | None) -> list[str]:
    """Repositories that new files go to by themselves."""
    return linked(
        *(
            a["DataRepositoryPath"]
            for a in associations or []
            if exists(a) and "NEW" in ((a.get("S3") or {}).get("AutoExportPolicy") or {}).get("Events", [])
        )
    )


def squashed(engine: str, squash: str | None) -> Any:
    """Root of a client becomes somebody else; `0:0` is root again. Only Lustre tells."""
    if engine != LUSTRE:
        return MISSING
    return bool(squash) and squash != "0:0"


_TYPE = ("item.FileSystemType", "item.LustreConfiguration.DeploymentType")
_LINK = "item.LustreConfiguration.DataRepositoryConfiguration"

LISTED = Call("fsx", "describe_data_repository_associations", take="Associations", token=("NextToken", "NextToken"))

FILE_SYSTEMS = Table(
    kind="data_store",
    native_type="AWS::FSx::FileSystem",
    list=Call("fsx", "describe_file_systems", take="FileSystems"),
    keep=exists,
    id=Field("item.ResourceARN"),
    name=arn.named("item.FileSystemId"),
    tags=arn.tags(),
    detail={
        "links": Side(LISTED, on="item.FileSystemId", key="FileSystemId"),
        "backups": Side(PROTECTED, on="item.ResourceARN", key="ResourceArn"),
    },
    facts={
        "store_type": Field(_TYPE, store_type, source=DEPLOYMENT),
        "engine": Field("item.FileSystemType", str.lower),
        "encrypted": Field("item.FileSystemId", lambda _: True, source=AT_REST),
        "key_id": arn.key("item.KmsKeyId", source=AT_REST),
        "key_selectable": Field(_TYPE, persistent, source=AT_REST),
        "persistent": Field(_TYPE, persistent, source=DEPLOYMENT),
        "backup_enabled": Field(
            (
                "item.FileSystemType",
                "item.LustreConfiguration.AutomaticBackupRetentionDays",
                "item.OntapConfiguration.AutomaticBackupRetentionDays",
                "item.OpenZFSConfiguration.AutomaticBackupRetentionDays",
                "item.WindowsConfiguration.AutomaticBackupRetentionDays",
            ),
            backed_up,
            source=CREATE,
        ),
        "recovery_points": Field("backups", bool),
        "automatic_exports": Field("links", exported, source=EXPORT),
        "linked": Field(("links", f"{_LINK}.ImportPath"), has_link, source=REPOSITORY),
        "repository_uris": Field((f"{_LINK}.ImportPath", f"{_LINK}.ExportPath"), linked, absent=[], source=REPOSITORY),
        "export_uri": Field((f"{_LINK}.ImportPath", f"{_LINK}.ExportPath"), overwritten, absent="", source=REPOSITORY),
        "root_squash": Field(
            ("item.FileSystemType", "item.LustreConfiguration.RootSquashConfiguration.RootSquash"), squashed, source=SQUASH
        ),
        "subnet_ids": arn.many("subnet", "item.SubnetIds"),
    },
    redact=("FsxAdminPassword", "Password"),
)

LINKS = Table(
    kind="data_store",
    native_type="AWS::FSx::DataRepositoryAssociation",
    list=LISTED,
    keep=of_file_system,
    id=Field("item.ResourceARN"),
    name=arn.named("item.AssociationId"),
    tags=arn.tags(),
    facts={
        "store_type": Const("repository_link"),
        "file_system_id": arn.one("file-system", "item.FileSystemId", service="fsx"),
        "uri": Field("item.DataRepositoryPath", plain),
        "export_uri": Field(("item.DataRepositoryPath", "item.S3.AutoExportPolicy.Events"), changes_go_to, source=EXPORT),
    },
)

TABLES: tuple[Table, ...] = (FILE_SYSTEMS, LINKS)
