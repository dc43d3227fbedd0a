"""What stands behind a volume: who else has it, whether a pod can write to it, and how the cloud keeps it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.kubernetes.tenants import PLATFORM, READS, tenant_of
from scanner.derive.kubernetes.types import POD_LIKE, namespace_of, object_id, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

VOLUME, CLAIM = "v1/PersistentVolume", "v1/PersistentVolumeClaim"
CLOUD: Mapping[str, str] = {
    "AWS::EC2::Volume": "ebs",
    "AWS::EFS::FileSystem": "efs",
    "AWS::FSx::FileSystem": "fsx",
    "AWS::S3::Bucket": "s3",
}
"""Native type → how its store is called here."""
TAIL = re.compile(r"[^:/]+$")
UNBOUND = Gap(Reason.NOT_OFFERED, "", "Scan the live cluster once it is bound.", "the claim is not bound to a volume yet")
ELSEWHERE = "Scan the account of the cloud in the same run."

# ---- who has it


@frozen
class Holder:
    """Who has some files: a tenant, or a namespace of which nobody says whose it is."""

    tenant: str
    namespace: str = ""
    """Set where the tenant is not known."""


@frozen
class Held:
    """One of the volumes by which a holder has them."""

    volume: str
    path: str
    writes: bool


Holders = dict[Holder, Held]


def _put(holders: Holders, holder: Holder, held: Held) -> None:
    """Of each holder one volume is remembered, one that can be written to if there is."""
    if holder not in holders or (held.writes and not holders[holder].writes):
        holders[holder] = held


@dataclass(slots=True)
class Store:
    """The volumes of one store."""

    at: dict[str, Holders] = field(default_factory=dict)
    below: dict[str, Holders] = field(default_factory=dict)
    """Directory → whoever has it or something in it."""
    points: dict[str, Holders] = field(default_factory=dict)
    anywhere: Holders = field(default_factory=dict)
    """Whoever comes by an access point: where in the store was not told."""


@dataclass(slots=True)
class Stores:
    """All volumes of a cluster that are bound, by store."""

    by_name: dict[str, Store] = field(default_factory=dict)
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Driver → why a volume of it may be of any store."""
    tenant_gaps: dict[str, Gap] = field(default_factory=dict)
    """Namespace → why its tenant is not known."""


def _above(path: str) -> Iterator[str]:
    """A directory and all that it is in."""
    parts = [p for p in path.split("/") if p]
    for count in range(len(parts), -1, -1):
        yield "/" + "/".join(parts[:count])


def _claims(world: World, scope: str) -> dict[str, str]:
    """Volume → namespace of the claim that names it."""
    return {
        str(c.facts["volume"]): namespace_of(c)
        for c in world.all("data_store", scope)
        if c.native_type == CLAIM and c.facts.get("volume")
    }


def holder_namespace(volume: Resource, world: World) -> str | Gap:
    """The namespace of the claim that a volume is bound to; empty where it is not bound."""
    claim = world.fact(volume, "claim")
    if isinstance(claim, Gap) or claim:
        return claim if isinstance(claim, Gap) else str(claim).split("/")[-2]
    named = world.memo(f"kubernetes.claims {volume.scope}", lambda: _claims(world, volume.scope)).get(volume.id)
    return named if named is not None else unseen(world, volume, CLAIM, "the claim of it") or ""


def _stores(world: World, scope: str) -> Stores:
    found = Stores()
    for volume in world.all("data_store", scope):
        if volume.native_type == VOLUME:
            _add(found, volume, world)
    return found


def _add(found: Stores, volume: Resource, world: World) -> None:
    namespace = holder_namespace(volume, world)
    if not namespace:
        return
    facts = {name: world.fact(volume, name) for name in ("backend_store", "backend_path", "backend_point", "read_only")}
    gap = next((f for f in (namespace, *facts.values()) if isinstance(f, Gap)), None)
    if gap is not None or isinstance(namespace, Gap):
        found.gaps.setdefault(str(volume.facts.get("driver") or ""), gap or UNBOUND)
        return
    tenant = tenant_of(namespace, volume.scope, world)
    if isinstance(tenant, Gap):
        found.tenant_gaps[namespace] = tenant
    if tenant == PLATFORM:
        return
    holder = Holder("", namespace) if isinstance(tenant, Gap) else Holder(tenant)
    store = found.by_name.setdefault(str(facts["backend_store"]), Store())
    path = str(facts["backend_path"])
    held = Held(volume.id, path, facts["read_only"] is False)
    if facts["backend_point"]:
        _put(store.points.setdefault(str(facts["backend_point"]), {}), holder, held)
        _put(store.anywhere, holder, held)
        return
    _put(store.at.setdefault(path, {}), holder, held)
    for directory in _above(path):
        _put(store.below.setdefault(directory, {}), holder, held)


def _beside(store: Store, path: str, point: str) -> tuple[list[Holders], list[Holders]]:
    """Whoever has the same files for certain, and whoever may have."""
    if point:
        return [store.points.get(point, {}), store.at.get("/", {})], [store.below.get("/", {})]
    sure = [store.below.get(path, {}), *(store.at.get(directory, {}) for directory in _above(path))]
    return ([*sure, store.anywhere], []) if path == "/" else (sure, [store.anywhere])


def shared(volume: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The volumes of other tenants that lead to the same files."""
    index = world.memo(f"kubernetes.stores {volume.scope}", lambda: _stores(world, volume.scope))
    namespace = holder_namespace(volume, world)
    facts = {name: world.fact(volume, name) for name in ("backend_store", "backend_path", "backend_point", "read_only", "driver")}
    gap = next((f for f in (namespace, *facts.values()) if isinstance(f, Gap)), None)
    tenant = namespace if isinstance(namespace, Gap) else tenant_of(namespace, volume.scope, world) if namespace else PLATFORM
    if gap is not None or tenant == PLATFORM or isinstance(namespace, Gap):
        return {"tenant": tenant, "shared_with": [], "shared_with_settled": gap or True}
    mine = Holder("", namespace) if isinstance(tenant, Gap) else Holder(tenant)
    store = index.by_name.get(str(facts["backend_store"]), Store())
    sure, perhaps = _beside(store, str(facts["backend_path"]), str(facts["backend_point"]))
    writes = facts["read_only"] is False
    found: dict[str, Held] = {}
    for holder, held in _others(sure, mine, writes=writes):
        if holder.namespace or mine.namespace:
            gap = gap or index.tenant_gaps.get(holder.namespace or mine.namespace)
        else:
            found[holder.tenant] = held
    if any(holder.namespace or holder.tenant not in found for holder, _ in _others(perhaps, mine, writes=writes)):
        gap = gap or Gap(
            Reason.NOT_OFFERED, "", "Look where the access points lead.", "the directory of an access point is not told"
        )
    gap = gap or index.gaps.get(str(facts["driver"])) or unseen(world, volume, VOLUME, "every other volume")
    shown = [{"volume": h.volume, "tenant": t, "path": h.path} for t, h in sorted(found.items())]
    return {"tenant": tenant, "shared_with": shown, "shared_with_settled": gap or True}


def _others(holders: Iterable[Holders], mine: Holder, *, writes: bool) -> Iterator[tuple[Holder, Held]]:
    """Holders beside one, where one of the two can write."""
    for group in holders:
        yield from ((holder, held) for holder, held in group.items() if holder != mine and (writes or held.writes))


# ---- who can write


def writable(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The mounts that neither pod nor volume makes read-only."""
    mounts = world.fact(workload, "volume_mounts")
    if isinstance(mounts, Gap):
        return dict.fromkeys(("writable_mounts", "writable_mounts_settled"), mounts)
    found: list[dict[str, JSON]] = []
    gap: Gap | None = None
    for mount in mounts or ():
        can = False if mount["read_only"] else _can_write(workload, str(mount["claim"]), world)
        if isinstance(can, Gap):
            gap = gap or can
        elif can:
            found.append({key: mount[key] for key in ("container", "path", "claim", "volume")})
    return {"writable_mounts": found, "writable_mounts_settled": gap or True}


def _can_write(workload: Resource, name: str, world: World) -> bool | Gap:
    """Whether the volume behind a claim takes writes; what the pod names itself does unless it says otherwise."""
    if not name:
        return True
    claim = world.get("data_store", object_id(workload.scope, "PersistentVolumeClaim", namespace_of(workload), name))
    if claim is None:
        return unseen(world, workload, CLAIM, f"the claim {name}", namespace_of(workload)) or UNBOUND
    identity = world.fact(claim, "volume")
    if isinstance(identity, Gap) or not identity:
        return identity if isinstance(identity, Gap) else UNBOUND
    volume = world.get("data_store", str(identity))
    if volume is None:
        return unseen(world, workload, VOLUME, f"the volume of the claim {name}") or UNBOUND
    sealed = world.fact(volume, "read_only")
    return sealed if isinstance(sealed, Gap) else sealed is False


# ---- how the cloud keeps it


def _backings(world: World) -> dict[str, Resource]:
    """Store by its name here → the cloud's own resource."""
    found: dict[str, Resource] = {}
    for store in world.all("data_store"):
        kind = CLOUD.get(store.native_type)
        tail = TAIL.search(store.id) if kind else None
        if tail is not None:
            found.setdefault(f"{kind}:{tail.group()}", store)
    return found


def backing(volume: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Encryption at rest of the cloud's store that a volume is; not known where no cloud was looked at."""
    names = ("backing_id", "backing_encrypted", "backing_key_manager")
    name = world.fact(volume, "backend_store")
    if isinstance(name, Gap):
        return dict.fromkeys(names, name)
    found = world.memo("kubernetes.backings", lambda: _backings(world)).get(str(name))
    if found is None:
        return dict.fromkeys(names, Gap(Reason.NOT_OFFERED, "", ELSEWHERE, f"the store behind it ({name}) was not seen"))
    return {
        "backing_id": found.id,
        "backing_encrypted": world.fact(found, "encrypted"),
        "backing_key_manager": world.fact(found, "key_manager"),
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        ("tenant", "shared_with", "shared_with_settled"),
        shared,
        needs=("backend_store", "backend_path", "backend_point", "read_only", "driver", "claim"),
        reads={
            VOLUME: ("backend_store", "backend_path", "backend_point", "read_only", "driver", "claim"),
            CLAIM: ("namespace", "volume"),
            **READS,
        },
        native_types=(VOLUME,),
    ),
    Derivation(
        "data_store",
        ("backing_id", "backing_encrypted", "backing_key_manager"),
        backing,
        needs=("backend_store",),
        reads=dict.fromkeys(CLOUD, ("encrypted", "key_manager")),
        native_types=(VOLUME,),
    ),
    Derivation(
        "workload",
        ("writable_mounts", "writable_mounts_settled"),
        writable,
        needs=("namespace", "volume_mounts"),
        reads={CLAIM: ("namespace", "volume"), VOLUME: ("read_only",)},
        native_types=POD_LIKE,
    ),
)
