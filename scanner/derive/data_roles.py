"""Which buckets hold the data of the AI factory, and as what: from their tags, and from the jobs, models and file systems that name them.

A URI is `s3://bucket/prefix`, or the canonical id of a bucket where that is all that is known (a plan's `plan/<address>`). Buckets that
a live account names may belong to any account, so live resources share one index; a plan is looked at by itself. Jobs outside AWS's
managed services (pods, instances) name no bucket that anyone could read, so their buckets are known by their tags alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.names import ARN, missed, planned
from scanner.derive.three import Truth
from scanner.derive.words import by_name, telling
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

BUCKET = "AWS::S3::Bucket"
ROLES = ("input", "output", "checkpoint", "model", "golden")
WORDS: Mapping[str, re.Pattern[str]] = {
    "input": re.compile(r"\b(data ?sets?|corpus|corpora|training data|features?|embeddings?|vectors?)\b"),
    "output": re.compile(r"\b((training|job|model|inference) outputs?|(data|inference) captures?)\b"),
    "checkpoint": re.compile(r"\b(checkpoints?|ckpts?)\b"),
    "model": re.compile(r"\b(models?(?! serv)|weights)\b"),
    "golden": re.compile(r"\bgolden\b"),
}
"""Role → words of the values of telling tags."""
GOLDEN = "golden"
OFF = ("", "0", "false", "no", "none")


@frozen
class Naming:
    """A fact that holds URIs."""

    fact: str
    role: str
    writes: bool = False
    """What names it there puts data there."""


_JOB = (Naming("input_uris", "input"), Naming("output_uris", "output", writes=True))
NAMERS: Mapping[str, tuple[str, tuple[Naming, ...]]] = {
    "AWS::SageMaker::TrainingJob": ("model_service", (*_JOB, Naming("checkpoint_uris", "checkpoint", writes=True))),
    "AWS::SageMaker::ProcessingJob": ("model_service", _JOB),
    "AWS::SageMaker::Model": ("model_service", (Naming("input_uris", "model"),)),
    "AWS::SageMaker::EndpointConfig": ("model_service", (Naming("output_uris", "output", writes=True),)),
    "AWS::Bedrock::CustomModel": ("model_service", _JOB),
    "AWS::Bedrock::ImportedModel": ("model_service", (Naming("input_uris", "model"),)),
    "AWS::Bedrock::DataSource": ("model_service", (Naming("input_uris", "input"),)),
    "AWS::FSx::FileSystem": ("data_store", (Naming("repository_uris", "input"),)),
    "AWS::FSx::DataRepositoryAssociation": ("data_store", (Naming("uri", "input"),)),
}
"""Native type → its kind, and its facts that name places in buckets."""


@frozen
class Place:
    """A place in a bucket that something names."""

    prefix: str
    role: str
    writes: bool


@dataclass(slots=True)
class Places:
    """All places that are named, and what may have been missed."""

    at: dict[tuple[str, str], list[Place]] = field(default_factory=dict)
    """(plan, or empty for live; name or id of a bucket) → its places."""
    missed: dict[str, Gap] = field(default_factory=dict)
    """Scope → why what some resource names is unknown."""
    names: dict[tuple[str, str], str] = field(default_factory=dict)
    """(plan, name of a bucket) → id, for plans."""


def places(world: World) -> Places:
    """The index, made once a world."""
    return world.memo("data_roles.places", lambda: _index(world))


def _index(world: World) -> Places:
    found = Places()
    for kind in sorted({kind for kind, _ in NAMERS.values()}):
        for resource in world.all(kind):
            for naming in NAMERS.get(resource.native_type, ("", ()))[1]:
                _take(found, resource, naming, world)
            if resource.native_type == BUCKET and planned(resource):
                found.names[resource.scope, resource.name] = resource.id
    return found


def _take(found: Places, resource: Resource, naming: Naming, world: World) -> None:
    value = world.fact(resource, naming.fact)
    seen = resource.facts.get(naming.fact)
    for uri in seen if isinstance(seen, list) else [seen] if seen else []:
        bucket, prefix = split(str(uri))
        place = Place(prefix, naming.role, naming.writes)
        found.at.setdefault((_space(resource), bucket), []).append(place)
    if isinstance(value, Gap):
        known = found.missed.get(resource.scope)
        if known is None or known.reason is Reason.NOT_OFFERED:
            found.missed[resource.scope] = value


def _space(resource: Resource) -> str:
    return resource.scope if planned(resource) else ""


def split(uri: str) -> tuple[str, str]:
    """Bucket (name, or id of a plan) and prefix of a URI; the prefix ends with `/` unless it is empty."""
    if uri.startswith("plan/"):
        return uri, ""
    match = ARN.match(uri)
    path = match["resource"] if match else re.sub(r"^(s3[an]?|https)://", "", uri)
    bucket, _, prefix = path.partition("/")
    prefix = prefix.strip("/")
    return bucket, f"{prefix}/" if prefix else ""


@frozen
class Held:
    """What a bucket holds."""

    roles: frozenset[str]
    """Those that are certain, without `golden` where only the lack of writers would make it so."""
    written: bool
    """Something puts data there."""
    gap: Gap | None
    """Why there may be more of both."""


def held(bucket: Resource, world: World) -> Held:
    """What tags say of a bucket, and the jobs, models and file systems that name it."""
    keys = (bucket.id, bucket.name) if planned(bucket) else (split(bucket.id)[0],)
    named = [place for key in keys for place in places(world).at.get((_space(bucket), key), ())]
    roles = frozenset({place.role for place in named} | tagged(bucket.tags))
    return Held(roles, any(place.writes for place in named), bucket.gaps.get("tags") or _unseen(bucket, world))


def holds_data(bucket: Resource, world: World) -> Truth:
    """Something says that a bucket holds data of the factory."""
    found = held(bucket, world)
    return bool(found.roles) or found.gap or False


def golden(bucket: Resource, world: World) -> Truth:
    """A bucket is golden where its tags say so, or where it holds input and nothing writes to it."""
    found = held(bucket, world)
    if GOLDEN in found.roles:
        return True
    if "tags" in bucket.gaps:
        return bucket.gaps["tags"]
    return False if found.written else found.gap or "input" in found.roles


def tagged(tags: Mapping[str, str]) -> set[str]:
    """Roles that tags say."""
    known = by_name(tags)
    found = {role for value in telling(known) for role, words in WORDS.items() if words.search(value)}
    return found | ({GOLDEN} if known.get(GOLDEN, "").lower() not in OFF else set())


def _unseen(bucket: Resource, world: World) -> Gap | None:
    """Why something that names a bucket may have been missed; failures before what nobody asked for.

    In a plan its own resources count only. Jobs read and write in their own region, so a bucket's region is asked about:
    https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_S3DataSource.html
    """
    return world.memo(f"data_roles.unseen {bucket.scope} {bucket.region}", lambda: _gap(bucket, world))


def _gap(bucket: Resource, world: World) -> Gap | None:
    gaps = [gap for gap in (places(world).missed.get(bucket.scope),) if gap is not None]
    if not planned(bucket):
        gaps += _listings(bucket.scope, bucket.region, world)
    return min(gaps, key=lambda gap: gap.reason is Reason.NOT_OFFERED, default=None)


def _listings(scope: str, region: str, world: World) -> Iterator[Gap]:
    return missed(world.listing(native, scope, region) for native in NAMERS)


def facts(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """`holds_data`, `data_roles` and `golden` of a bucket. Roles that are not all known are none, for a rule may ask for one only."""
    found, pure = held(bucket, world), golden(bucket, world)
    roles = {*found.roles} | ({GOLDEN} if pure is True else set())
    return {
        "holds_data": holds_data(bucket, world),
        "data_roles": found.gap or [role for role in ROLES if role in roles],
        "golden": pure,
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        ("holds_data", "data_roles", "golden"),
        facts,
        reads={native: tuple(n.fact for n in namings) for native, (_, namings) in NAMERS.items()},
        native_types=(BUCKET,),
    ),
)
