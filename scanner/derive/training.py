"""Identities that train models, and what of their training data they may change.

Jobs outside SageMaker (pods, instances) name no data that anyone could read, so their identities are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive import data_roles
from scanner.derive.circumstances import can
from scanner.derive.deputies import services
from scanner.derive.effective import Policy, Sharing, Unseen
from scanner.derive.escalations import EVERY
from scanner.derive.identities import POLICY, ROLE
from scanner.derive.names import SCAN_ACCOUNT, account_of, missed, planned
from scanner.derive.organisation import READS
from scanner.derive.principals import NEEDS
from scanner.derive.privileges import Look
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

JOB, BUCKET = "AWS::SageMaker::TrainingJob", "AWS::S3::Bucket"
OBJECT_ACTIONS = ("s3:PutObject", "s3:DeleteObject")
BUCKET_ACTIONS = ("s3:PutBucketPolicy", "s3:PutLifecycleConfiguration")
"""With these a bucket's data go as well: who may write to it, and when they expire."""
URIS = ("input_uris", "output_uris", "checkpoint_uris")


@dataclass(slots=True)
class Work:
    """What the training jobs of one identity read and write."""

    reads: set[tuple[str, str]] = field(default_factory=set)
    """(bucket, prefix)."""
    writes: set[tuple[str, str]] = field(default_factory=set)
    missed: Gap | None = None
    """Why there may be more."""


@dataclass(slots=True)
class Jobs:
    """Training jobs, by the identity that they run as."""

    of: dict[str, Work] = field(default_factory=dict)
    missed: dict[str, Gap] = field(default_factory=dict)
    """Scope → why the identity of some job is not known."""


def jobs(world: World) -> Jobs:
    """All training jobs of the snapshot."""
    return world.memo("training.jobs", lambda: _jobs(world))


def _jobs(world: World) -> Jobs:
    found = Jobs()
    for job in world.all("model_service"):
        if job.native_type != JOB:
            continue
        who = world.fact(job, "identity")
        if isinstance(who, Gap):
            found.missed.setdefault(job.scope, who)
            continue
        work = found.of.setdefault(str(who), Work())
        for name in URIS:
            value = world.fact(job, name)
            if isinstance(value, Gap):
                work.missed = work.missed or value
            places = work.reads if name == "input_uris" else work.writes
            places.update(data_roles.split(str(uri)) for uri in job.facts.get(name) or ())
    return found


def trains(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a training job runs as the role. A role that SageMaker may not take runs none."""
    statements = world.fact(role, "trust_statements")
    if isinstance(statements, Gap):
        return {"trains": statements}
    if not services(statements, ("sagemaker",)):
        return {"trains": False}
    found = jobs(world)
    if role.id in found.of:
        return {"trains": True}
    if planned(role):
        return {"trains": Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "a plan does not say which training jobs will run as it")}
    gap = found.missed.get(role.scope) or world.listing(JOB, role.scope)
    return {"trains": next(missed([gap]), False)}


def training_writes(role: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a role may do to the data that its training jobs read, and to golden datasets, except where the jobs keep their results."""
    work = jobs(world).of.get(role.id)
    if work is None:
        return {"training_writes": []}
    look = Look(role, world)
    known: list[str] = []
    gap = work.missed or world.listing(BUCKET, role.scope)
    golden = world.memo(f"training.golden {role.scope}", lambda: dict(_golden(role.scope, world)))
    read = {bucket for bucket, _ in work.reads}
    for bucket, prefix in sorted({*work.reads, *((name, "") for name in golden if name not in read)}):
        maybe = golden.get(bucket) if bucket not in read else None
        for action, target in _asked(bucket, prefix, work, look):
            truth = can(look.subject, action.lower(), [target], look.context, *_theirs(bucket, look, world))
            if truth is not False and isinstance(maybe, Gap):
                gap = gap or maybe
            elif truth is True:
                known.append(f"{action} on s3://{bucket}/{prefix if action in OBJECT_ACTIONS else ''}".rstrip("/"))
            elif isinstance(truth, Gap):
                gap = gap or truth
    return {"training_writes": sorted(set(known)) if known or gap is None else gap}


def _golden(scope: str, world: World) -> Iterator[tuple[str, Truth]]:
    """Buckets that are golden, or that may be."""
    for bucket in world.all("data_store", scope):
        truth = data_roles.golden(bucket, world) if bucket.native_type == BUCKET else False
        if truth is not False:
            yield bucket.name, truth


def _asked(bucket: str, prefix: str, work: Work, look: Look) -> Iterator[tuple[str, str]]:
    """Actions, and what they would be done to: some object of the data, unless the jobs keep their results all over it."""
    name = f"arn:{look.partition}:s3:::{bucket}"
    key = f"{prefix}{EVERY}"
    if not any(place == bucket and key.startswith(where) for place, where in work.writes):
        yield from ((action, f"{name}/{key}") for action in OBJECT_ACTIONS)
    yield from ((action, name) for action in BUCKET_ACTIONS)


def _theirs(bucket: str, look: Look, world: World) -> tuple[Policy | Unseen, Sharing]:
    """The bucket's own policy, and what it has to say."""
    name = f"arn:{look.partition}:s3:::{bucket}"
    resource = world.get("data_store", name)
    if resource is None:
        missed = world.listing(BUCKET, look.identity.scope)
        if missed is not None:
            return Unseen(missed), "either"  # NOTE: it may be the account's own, and then its policy is enough
        gap = Gap(Reason.NOT_OFFERED, "", "Scan the account that owns it as well.", f"the policy of {bucket} was not seen")
        return Unseen(gap), "both"
    statements = world.fact(resource, "policy_statements")
    same = account_of(resource) == look.subject.account
    if isinstance(statements, Gap):
        return Unseen(statements), "either" if same else "both"
    found = world.memo(f"training.policy {name}", lambda: Policy(statements))
    return found, "either" if same else "both"


_READS: Mapping[str, tuple[str, ...]] = {
    JOB: ("identity", *URIS),
    BUCKET: ("policy_statements", "golden"),
    POLICY: ("statements",),
    **READS,
}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("identity", ("trains",), trains, needs=("trust_statements",), reads={JOB: ("identity",)}, native_types=(ROLE,)),
    Derivation("identity", ("training_writes",), training_writes, needs=NEEDS, reads=_READS, native_types=(ROLE,)),
)
