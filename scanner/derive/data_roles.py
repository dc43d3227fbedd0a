"""Which buckets hold the data of the AI factory, and as what: from their tags, and from the jobs, models and file systems that name them.

A URI is `s3://bucket/prefix`, or the canonical id of a bucket where that is all that is known (a plan's `plan/<address>`). Buckets that
a live account names may belong to any account, so live resources share one index; a plan is looked at by itself. Jobs outside AWS's
managed services (pods, instances) name no bucket that anyone could read, so their buckets are known by their tags alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.names import ARN, planned
from scanner.derive.three import Truth
from scanner.derive.words import by_name, telling
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

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


@dataclass(frozen=True, slots=True)
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
NOT_THERE = (Reason.SERVICE_OFF, Reason.REGION_OFF)
"""Where a service is not offered, nothing of it names a bucket."""


@dataclass(frozen=True, slots=True)
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


def of_bucket(bucket_id: str, scope: str, world: World) -> frozenset[str] | Gap:
    """What a bucket holds, as far as it is known: `input`, `output`, `checkpoint`, `model`, `golden`.

    Empty where nothing says that it holds data of the factory; the gap of what could have said it, where that was not seen. `golden`
    is among the roles only where it is certain (see `golden`).
    """
    bucket = world.get("data_store", bucket_id)
    keys = _keys(bucket_id, bucket)
    return _answer(bucket, [p for key in keys for p in places(world).at.get((_plan(bucket_id, scope), key), ())], scope, world)


def of_uri(uri: str, resource: Resource, world: World) -> frozenset[str] | Gap:
    """As `of_bucket`, for a place that `resource` names: places above and below it count, others of the bucket do not.

    The tags of the bucket speak of all of it. A bucket that was not seen (another account's) is known by its use alone.
    """
    name, prefix = split(uri)
    space = _space(resource)
    index = places(world)
    bucket_id = index.names.get((space, name), name) if space else _arn(name, resource)
    bucket = world.get("data_store", bucket_id)
    named = [
        place
        for key in {name, *_keys(bucket_id, bucket)}
        for place in index.at.get((space, key), ())
        if place.prefix.startswith(prefix) or prefix.startswith(place.prefix)
    ]
    return _answer(bucket, named, bucket.scope if bucket is not None else resource.scope, world, resource)


def golden(bucket_id: str, scope: str, world: World) -> Truth:
    """A bucket is golden where its tags say so, or where it holds input and nothing writes to it."""
    roles = of_bucket(bucket_id, scope, world)
    if isinstance(roles, Gap):
        return roles
    if GOLDEN in roles or "input" not in roles:
        return GOLDEN in roles
    bucket = world.get("data_store", bucket_id)
    keys = _keys(bucket_id, bucket)
    named = [p for key in keys for p in places(world).at.get((_plan(bucket_id, scope), key), ())]
    return False if any(p.writes for p in named) else _unseen(bucket, scope, world) or False


def _answer(
    bucket: Resource | None, named: Iterable[Place], scope: str, world: World, asker: Resource | None = None
) -> frozenset[str] | Gap:
    named = list(named)
    roles = {p.role for p in named} | (tagged(bucket.tags) if bucket is not None else set())
    gap = _unseen(bucket or asker, scope, world)
    if not roles:
        untagged = bucket.gaps.get("tags") if bucket is not None else None
        return untagged or gap or frozenset()
    if "input" in roles and gap is None and not any(p.writes for p in named):
        roles.add(GOLDEN)
    return frozenset(roles)


def tagged(tags: Mapping[str, str]) -> set[str]:
    """Roles that tags say."""
    known = by_name(tags)
    found = {role for value in telling(known) for role, words in WORDS.items() if words.search(value)}
    return found | ({GOLDEN} if known.get(GOLDEN, "").lower() not in OFF else set())


def _unseen(near: Resource | None, scope: str, world: World) -> Gap | None:
    """Why something that names a bucket may have been missed; failures before what nobody asked for.

    In a plan its own resources count only. Jobs read and write in their own region, so a bucket's region is asked about:
    https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_S3DataSource.html
    """
    region = near.region if near is not None else ""
    return world.memo(f"data_roles.unseen {scope} {region}", lambda: _gap(near, scope, region, world))


def _gap(near: Resource | None, scope: str, region: str, world: World) -> Gap | None:
    gaps = [gap for gap in (places(world).missed.get(scope),) if gap is not None]
    if near is None or not planned(near):
        gaps += _listings(scope, region, world)
    return min(gaps, key=lambda gap: gap.reason is Reason.NOT_OFFERED, default=None)


def _listings(scope: str, region: str, world: World) -> Iterator[Gap]:
    for native in NAMERS:
        gap = world.listing(native, scope, region)
        if gap is not None and gap.reason not in NOT_THERE:
            yield gap


def _plan(bucket_id: str, scope: str) -> str:
    return scope if bucket_id.startswith("plan/") else ""


def _keys(bucket_id: str, bucket: Resource | None) -> tuple[str, ...]:
    """What URIs call a bucket."""
    if bucket_id.startswith("plan/"):
        return (bucket_id, bucket.name) if bucket is not None else (bucket_id,)
    return (split(bucket_id)[0],)


def _arn(name: str, resource: Resource) -> str:
    match = ARN.match(resource.id)
    return f"arn:{match['partition'] if match else 'aws'}:s3:::{name}"


def facts(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """`data_roles` and `golden` of a bucket."""
    roles = of_bucket(bucket.id, bucket.scope, world)
    return {
        "data_roles": roles if isinstance(roles, Gap) else [role for role in ROLES if role in roles],
        "golden": golden(bucket.id, bucket.scope, world),
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        ("data_roles", "golden"),
        facts,
        reads={native: tuple(n.fact for n in namings) for native, (_, namings) in NAMERS.items()},
        native_types=(BUCKET,),
    ),
)
