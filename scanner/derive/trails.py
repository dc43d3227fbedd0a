"""Which audit logs are written to a bucket, and what they record of its objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from scanner.derive.names import NOT_THERE, SCAN_ACCOUNT, planned
from scanner.derive.organisation import ORGANISATION, fellows
from scanner.derive.three import Truth, all_of, any_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

BUCKET, TRAIL, STORE = "AWS::S3::Bucket", "AWS::CloudTrail::Trail", "AWS::CloudTrail::EventDataStore"
FACTS = ("logging", "multi_region", "organization", "object_selectors")
RECORDED = {"read": "object_reads_recorded", "write": "object_writes_recorded"}

Share = Literal["all", "some", "none"]


def object_events(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether reads and writes of a bucket's objects are recorded, by all logs together: what one leaves out another may take in."""
    prefix = _prefix(bucket)
    return {fact: _recorded(bucket, prefix, event, world) for event, fact in RECORDED.items()}


def _prefix(bucket: Resource) -> str:
    """How the ARNs of its objects start; empty where a plan does not name it yet."""
    if not planned(bucket):
        return f"{bucket.id}/"
    partition = "aws-cn" if bucket.region.startswith("cn-") else "aws-us-gov" if bucket.region.startswith("us-gov-") else "aws"
    return f"arn:{partition}:s3:::{bucket.name}/" if "aws_s3_bucket" not in bucket.name else ""


def _recorded(bucket: Resource, prefix: str, event: str, world: World) -> Truth:
    truth = any_of((*(_covers(log, bucket, prefix, event, world) for log in _logs(bucket, world)), *_unseen(bucket, world)))
    if truth is False and planned(bucket):
        return Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "no trail of the plan records it; one of the account may")
    return truth


def _logs(bucket: Resource, world: World) -> list[Resource]:
    """Logs of its account or plan, and those of organisations, whichever account they were seen in."""
    by_scope = world.memo("trails.logs", lambda: _index(world))
    own = by_scope.get(bucket.scope, [])
    return own if planned(bucket) else [*own, *(log for log in by_scope.get("", []) if log.scope != bucket.scope)]


def _index(world: World) -> dict[str, list[Resource]]:
    """Scope → its logs; under the empty scope those of organisations."""
    found: dict[str, list[Resource]] = {}
    for log in world.all("audit_log"):
        if log.native_type in (TRAIL, STORE):
            found.setdefault(log.scope, []).append(log)
            if world.fact(log, "organization") is True and not planned(log):
                found.setdefault("", []).append(log)
    return found


def _unseen(bucket: Resource, world: World) -> Iterator[Truth]:
    if planned(bucket):
        return
    for native in (TRAIL, STORE):
        gap = world.listing(native, bucket.scope)
        if gap is not None and not (native == STORE and gap.reason in NOT_THERE):
            yield gap


def _covers(log: Resource, bucket: Resource, prefix: str, event: str, world: World) -> Truth:
    """The log is on, is one of the bucket's account and region, and some selector takes all of the bucket's objects in."""
    of_account = log.scope == bucket.scope or fellows(bucket.scope, log.scope, world)
    return all_of(
        (is_true(world.fact(log, "logging")), _near(log, bucket, world), of_account, _selected(log, prefix, event, world))
    )


def _near(log: Resource, bucket: Resource, world: World) -> Truth:
    everywhere = is_true(world.fact(log, "multi_region"))
    return True if everywhere is True or log.region == bucket.region else everywhere


def _selected(log: Resource, prefix: str, event: str, world: World) -> Truth:
    selectors = world.fact(log, "object_selectors")
    if isinstance(selectors, Gap):
        return selectors
    shares = [_share(s, prefix) for s in selectors if s["events"] in (event, "both")]
    if "all" in shares:
        return True
    if "some" not in shares:
        return False
    said = f"{log.name} records some objects or events of the bucket only"
    return Gap(Reason.UNPARSABLE, "", "Judge the selectors by hand, or select the whole bucket.", said[:300])


def _share(selector: Mapping[str, Any], prefix: str) -> Share:
    """How much of the bucket a selector takes in: all its conditions must hold."""
    shares = [_met(condition, prefix) for condition in selector["conditions"]]
    if "none" in shares:
        return "none"
    return "some" if "some" in shares or selector["narrowed"] else "all"


def _met(condition: Mapping[str, Any], prefix: str) -> Share:
    """The share of ARNs that start with `prefix` of which a condition holds: one of its values is enough, none may where negated."""
    shares = {_value(condition["test"], str(value), prefix) for value in condition["values"]}
    found: Share = "all" if "all" in shares else "some" if "some" in shares else "none"
    if not condition["negated"]:
        return found
    turned: Mapping[Share, Share] = {"all": "none", "some": "some", "none": "all"}
    return turned[found]


def _value(test: str, value: str, prefix: str) -> Share:
    if not prefix:
        return "some"
    if test == "starts" and prefix.startswith(value):
        return "all"
    return "some" if test == "ends" or value.startswith(prefix) else "none"


def audit_log_of(bucket: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The trails that are written to a bucket."""
    targets, missed = world.memo("trails.targets", lambda: _targets(world))
    found = sorted(targets.get(bucket.id, ()))
    if found or planned(bucket):
        return {"audit_log_of": list(found)}
    gap = missed.get(bucket.scope) or world.listing(TRAIL, bucket.scope)
    return {"audit_log_of": gap if gap is not None else []}


def _targets(world: World) -> tuple[dict[str, set[str]], dict[str, Gap]]:
    """Bucket → trails that are written to it; and scope → why where some trail is written to is not known."""
    targets: dict[str, set[str]] = {}
    missed: dict[str, Gap] = {}
    for trail in world.all("audit_log"):
        if trail.native_type == TRAIL:
            bucket = world.fact(trail, "bucket")
            if isinstance(bucket, Gap):
                missed.setdefault(trail.scope, bucket)
            elif bucket:
                targets.setdefault(str(bucket), set()).add(trail.id)
    return targets, missed


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        tuple(RECORDED.values()),
        object_events,
        reads={TRAIL: FACTS, STORE: FACTS, ORGANISATION: ("organisation_id",)},
        native_types=(BUCKET,),
    ),
    Derivation("data_store", ("audit_log_of",), audit_log_of, reads={TRAIL: ("bucket",)}, native_types=(BUCKET,)),
)
