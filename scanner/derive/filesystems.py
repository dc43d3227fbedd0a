"""File systems: what they hold, whether it can be brought back, what they write into buckets, and whether clients must speak TLS.

https://docs.aws.amazon.com/fsx/latest/LustreGuide/fsx-data-repositories.html
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scanner.derive import data_roles
from scanner.derive.conditions import Operator
from scanner.derive.globs import any_covers
from scanner.derive.names import missed, planned, unseen
from scanner.derive.three import Truth, any_of
from scanner.derive.words import by_name, telling
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

FSX, EFS, LINK = "AWS::FSx::FileSystem", "AWS::EFS::FileSystem", "AWS::FSx::DataRepositoryAssociation"
PASSING = re.compile(r"\b(caches?|scratch|ephemeral|staging|temp(orary)?|transient)\b")
"""Words of telling tags that call a file system a passing place."""
MOUNT = "elasticfilesystem:clientmount"
"""Without it nothing can be read or written: https://docs.aws.amazon.com/efs/latest/ug/iam-access-control-nfs-efs.html"""
BY_MOUNT_TARGET = "elasticfilesystem:accessedviamounttarget"
"""True of every NFS client, so a Deny that asks for it as well lets none of them off."""
HOLDERS = {
    native: tuple(naming.fact for naming in namings)
    for native, (kind, namings) in data_roles.NAMERS.items()
    if kind == "model_service"
}
"""Jobs and models → their facts that name places in buckets."""


def tls_only(statements: Iterable[Mapping[str, Any]]) -> bool:
    """A policy of EFS keeps everyone from mounting without TLS."""
    return any(
        s["effect"] == "Deny"
        and "*" in s["principals"]
        and not s["not_resources"]
        and any_covers([a.lower() for a in s["actions"]], MOUNT)
        and _in_clear(s["conditions"])
        for s in statements
    )


def _in_clear(conditions: Sequence[Mapping[str, Any]]) -> bool:
    """The conditions hold of every NFS client that does not speak TLS."""
    found = {c["key"]: c for c in conditions}
    if len(found) < len(conditions):
        return False
    clear = found.pop("aws:securetransport", None)
    other = found.pop(BY_MOUNT_TARGET, None)
    return not found and clear is not None and _is(clear, "false") and (other is None or _is(other, "true"))


def _is(condition: Mapping[str, Any], value: str) -> bool:
    operator = Operator.parse(condition["operator"])
    values = {str(v).lower() for v in condition["values"]}
    same = operator.base in ("bool", "stringequals", "stringequalsignorecase", "stringlike") and not operator.quantifier
    return same and (value not in values if operator.negated else value in values)


def efs_facts(system: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether clients must speak TLS."""
    statements = world.fact(system, "policy_statements")
    return {"tls_only": statements if isinstance(statements, Gap) else tls_only(statements)}


def data_facts(system: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a file system holds."""
    untagged = system.gaps.get("tags")
    tier: Truth
    if any(PASSING.search(words) for words in telling(by_name(system.tags))):
        tier = False
    elif untagged is not None:
        tier = untagged  # NOTE: a tag that nobody saw may call it a scratch space
    else:
        role = world.fact(system, "ai_role")
        tier = any_of([role if isinstance(role, Gap) else role == "data", _linked(system, world)])
    return {"data_tier": tier, "holds_checkpoints": _checkpoints(system, world, tier, untagged)}


def _linked(system: Resource, world: World) -> Truth:
    if system.native_type != FSX:
        return False
    linked = world.fact(system, "linked")
    return linked if isinstance(linked, Gap) else linked is True


def _checkpoints(system: Resource, world: World, tier: Truth, untagged: Gap | None) -> Truth:
    if tier is False:
        return False
    if "checkpoint" in data_roles.tagged(system.tags):
        return True
    if untagged is not None:
        return untagged
    return any_of(_holds(uri, "checkpoint", system, world) for uri in _exports(system, world))


def _exports(system: Resource, world: World) -> list[str | Gap]:
    if system.native_type != FSX:
        return []
    exports = world.fact(system, "automatic_exports")
    return [exports] if isinstance(exports, Gap) else [str(uri) for uri in exports]


def _holds(uri: str | Gap, role: str, near: Resource, world: World) -> Truth:
    if isinstance(uri, Gap):
        return uri
    roles = roles_of(uri, near, world)
    return roles if isinstance(roles, Gap) else role in roles


def backup_facts(system: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether what is lost can be brought back. Any way is enough."""
    ways = [world.fact(system, "backup_enabled"), world.fact(system, "recovery_points")]
    if system.native_type == FSX:
        ways.append(world.fact(system, "automatic_exports"))
    return {"backed_up": any_of(way if isinstance(way, Gap) else bool(way) for way in ways)}


def export_facts(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether what changes is written over training data."""
    uri = world.fact(resource, "export_uri")
    if isinstance(uri, Gap) or not uri:
        return {"overwrites_dataset": uri if isinstance(uri, Gap) else False}
    roles = roles_of(str(uri), resource, world)
    if isinstance(roles, Gap) or roles:
        return {"overwrites_dataset": roles if isinstance(roles, Gap) else bool(roles & {"golden", "input"})}
    said = f"neither tags nor jobs say what {uri} holds"
    return {"overwrites_dataset": Gap(Reason.NOT_OFFERED, "", "Tag the bucket with its role: dataset, checkpoints, models.", said)}


def roles_of(uri: str, near: Resource, world: World) -> frozenset[str] | Gap:
    """What a place in a bucket holds, going by the bucket's tags, else by the jobs and models that name the place.

    Not by the file systems that do: they are what is judged. What jobs write to is no input, whoever reads it later.
    """
    name, prefix = data_roles.split(uri)
    space = near.scope if planned(near) else ""
    bucket_id = data_roles.places(world).names.get((space, name), name) if space else f"arn:{_partition(near)}:s3:::{name}"
    bucket = world.get("data_store", bucket_id)
    said = data_roles.tagged(bucket.tags) if bucket is not None else set()
    if said:
        both = "input" in said and "golden" not in said and said & {"checkpoint", "output"}
        return _mixed(bucket_id) if both else frozenset(said)
    if bucket is not None and "tags" in bucket.gaps:
        return bucket.gaps["tags"]
    index = world.memo("filesystems.holders", lambda: _holders(world))
    names = {name, bucket_id, *([bucket.name] if bucket is not None else [])}
    named = [p for n in names for p in index.get((space, n), ()) if p.prefix.startswith(prefix) or prefix.startswith(p.prefix)]
    roles = {p.role for p in named}
    if any(p.writes for p in named):
        return frozenset(roles - {"input"})
    return frozenset(roles) or _missed(near, bucket, world) or frozenset()


def _mixed(bucket_id: str) -> Gap:
    said = f"the tags of {bucket_id} speak of input and of checkpoints, not of the place that is written to"
    return Gap(Reason.UNPARSABLE, "", "Keep them in buckets of their own.", said)


def _partition(near: Resource) -> str:
    return near.id.split(":")[1] if near.id.startswith("arn:") else "aws"


def _holders(world: World) -> dict[tuple[str, str], list[data_roles.Place]]:
    """(plan, or empty for live; bucket) → places in it that jobs and models name."""
    found: dict[tuple[str, str], list[data_roles.Place]] = {}
    for service in world.all("model_service"):
        for naming in data_roles.NAMERS.get(service.native_type, ("", ()))[1]:
            uris = service.facts.get(naming.fact)
            for uri in uris if isinstance(uris, list) else [uris] if uris else []:
                bucket, prefix = data_roles.split(str(uri))
                space = service.scope if planned(service) else ""
                found.setdefault((space, bucket), []).append(data_roles.Place(prefix, naming.role, naming.writes))
    return found


def _missed(near: Resource, bucket: Resource | None, world: World) -> Gap | None:
    """Why something that says what the place holds may not have been seen: its bucket, or a job."""
    if bucket is None:
        return unseen(world, data_roles.BUCKET, near, "the bucket that is written to")
    if planned(near):
        return None
    gaps = (world.listing(native, near.scope, near.region) for native in HOLDERS)
    return next(missed(gaps), None)


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("data_store", ("tls_only",), efs_facts, needs=("policy_statements",), native_types=(EFS,)),
    Derivation(
        "data_store",
        ("data_tier", "holds_checkpoints"),
        data_facts,
        needs=("ai_role", "linked", "automatic_exports"),
        reads={data_roles.BUCKET: (), **HOLDERS},
        native_types=(FSX, EFS),
    ),
    Derivation(
        "data_store",
        ("backed_up",),
        backup_facts,
        needs=("backup_enabled", "recovery_points", "automatic_exports"),
        native_types=(FSX, EFS),
    ),
    Derivation(
        "data_store",
        ("overwrites_dataset",),
        export_facts,
        needs=("export_uri",),
        reads={data_roles.BUCKET: (), **HOLDERS},
        native_types=(FSX, LINK),
    ),
)
