"""What bounds the tenants: quotas, limits, priorities and queues, by namespace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scanner.derive.kubernetes.tenants import READS, is_platform
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, namespace_of, object_id, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

QUOTA, LIMITS, PRIORITY = "v1/ResourceQuota", "v1/LimitRange", "scheduling.k8s.io/v1/PriorityClass"
CLUSTER_QUEUE, LOCAL_QUEUE = "kueue.x-k8s.io/v1beta2/ClusterQueue", "kueue.x-k8s.io/v1beta2/LocalQueue"
QUEUES = {
    "volcano": ("scheduling.volcano.sh/v1beta1/Queue", "Queue.scheduling.volcano.sh"),
    "kai": ("scheduling.run.ai/v2/Queue", "Queue.scheduling.run.ai"),
}
"""System → type and kind of its queues, which are of the whole cluster."""
CONFIG, CONFIG_NAME = "v1/ConfigMap", "kueue-manager-config"
BUILT_IN = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""
DEVICES = ".deviceclass.resource.k8s.io/devices"
PARTLY = Gap(
    Reason.NOT_OFFERED,
    "",
    "Bound it by a quota without scopes.",
    "only a quota with scopes bounds it, which may not apply to every pod",
)
CLAIMED = Gap(
    Reason.NOT_OFFERED, "", f"Bound the class by <class>{DEVICES}.", "a workload has devices by a claim, which names no resource"
)
NO_CONFIG = Gap(
    Reason.NOT_OFFERED, "", f"Let the scan read ConfigMaps ({CONFIG_NAME}).", "the configuration of Kueue was not found"
)


# ---- indexes


@dataclass(slots=True)
class Bounds:
    """The quotas and limits of one namespace."""

    quotas: list[Resource] = field(default_factory=list)
    ranges: list[Resource] = field(default_factory=list)


def _bounds(world: World, scope: str) -> dict[str, Bounds]:
    found: dict[str, Bounds] = {}
    for quota in world.all("quota", scope):
        if quota.native_type in (QUOTA, LIMITS):
            mine = found.setdefault(namespace_of(quota), Bounds())
            (mine.quotas if quota.native_type == QUOTA else mine.ranges).append(quota)
    return found


def bounds(namespace: str, scope: str, world: World) -> Bounds:
    """The quotas and limits of a namespace."""
    return world.memo(f"kubernetes.bounds {scope}", lambda: _bounds(world, scope)).get(namespace, Bounds())


@dataclass(slots=True)
class Asked:
    """What the workloads of one namespace ask for."""

    free: set[str] = field(default_factory=set)
    """Accelerators that some workload asks for without a queue."""
    queued: dict[str, Gap] = field(default_factory=dict)
    """Accelerators that workloads ask for in a queue that was not seen."""
    gap: Gap | None = None
    any: bool = False


def _asked(world: World, scope: str) -> dict[str, Asked]:
    found: dict[str, Asked] = {}
    for workload in world.all("workload", scope):
        if workload.native_type not in POD_LIKE:
            continue
        mine = found.setdefault(namespace_of(workload), Asked())
        names = world.fact(workload, "accelerators")
        if isinstance(names, Gap):
            mine.gap = mine.gap or names
            continue
        if isinstance(world.fact(workload, "accelerators_settled"), Gap):
            mine.gap = mine.gap or CLAIMED
        if not names:
            continue
        mine.any = True
        governed = queue_known(workload, world)
        if governed is False:
            mine.free |= set(names)
        elif isinstance(governed, Gap):
            mine.queued |= dict.fromkeys(map(str, names), governed)
    return found


# ---- queues


def queue_known(workload: Resource, world: World) -> bool | Gap:
    """Whether a workload waits in a queue that is there. A label for a queueing system that is not installed does nothing."""
    named = world.fact(workload, "queue")
    if isinstance(named, Gap):
        return named
    system, _, name = str(named).partition("/")
    if system == "kueue":
        native, identity = LOCAL_QUEUE, object_id(workload.scope, "LocalQueue.kueue.x-k8s.io", namespace_of(workload), name)
    elif system in QUEUES:
        native, kind = QUEUES[system]
        identity = object_id(workload.scope, kind, "", name)
    else:
        return _defaulted(workload, world)
    if world.get("quota", identity) is not None:
        return True
    return unseen(world, workload, native, f"the queue {name}", namespace_of(workload) if system == "kueue" else "") or False


def _defaulted(workload: Resource, world: World) -> bool | Gap:
    """A workload without a queue waits in the one that its namespace calls `default`, or in none; or Kueue manages it all the same.

    https://kueue.sigs.k8s.io/docs/tasks/manage/enforce_job_management/setup_default_local_queue/
    """
    if not _installed(workload.scope, world):
        return False
    own = object_id(workload.scope, "LocalQueue.kueue.x-k8s.io", namespace_of(workload), "default")
    if world.get("quota", own) is not None:
        return True
    every = _manages_all(workload, world)
    if every is not False:
        return every
    return unseen(world, workload, LOCAL_QUEUE, "a queue called default", namespace_of(workload)) or False


def _installed(scope: str, world: World) -> bool:
    """Whether a ClusterQueue was seen: without one Kueue admits nothing."""
    return world.memo(f"kubernetes.kueue {scope}", lambda: any(q.native_type == CLUSTER_QUEUE for q in world.all("quota", scope)))


def _manages_all(workload: Resource, world: World) -> bool | Gap:
    """`manageJobsWithoutQueueName` of Kueue's configuration, wherever that is installed.

    https://kueue.sigs.k8s.io/docs/reference/kueue-config.v1beta2/
    """
    found = world.memo(f"kubernetes.kueue config {workload.scope}", lambda: _config(world, workload.scope))
    if found is None:
        return unseen(world, workload, CONFIG, f"the ConfigMap {CONFIG_NAME}") or NO_CONFIG
    settings = world.fact(found, "settings")
    if isinstance(settings, Gap):
        return settings
    told = settings.get("manages_all") if isinstance(settings, dict) else None
    return told if isinstance(told, bool) else NO_CONFIG


def _config(world: World, scope: str) -> Resource | None:
    return next((c for c in world.all("configuration", scope) if c.native_type == CONFIG and c.name == CONFIG_NAME), None)


def queueing(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a workload with accelerators waits in a queue (`queued`), goes past Kueue (`bypassed`), or there is no Kueue (`none`)."""
    return {"queueing": _queueing(workload, world)}


def _queueing(workload: Resource, world: World) -> str | Gap:
    if world.fact(workload, "accelerator") is False or is_platform(namespace_of(workload), workload.scope, world) is True:
        return "none"
    known, named = queue_known(workload, world), world.fact(workload, "queue")
    if known is True:
        return "queued"
    if not _installed(workload.scope, world):
        return unseen(world, workload, CLUSTER_QUEUE, "a ClusterQueue") or "none"
    if isinstance(known, Gap):
        return known
    # NOTE: Kueue holds back what names a queue that is not there
    return "queued" if str(named).startswith("kueue/") else "bypassed"


# ---- facts


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What bounds a namespace."""
    asked = world.memo(f"kubernetes.asked {namespace.scope}", lambda: _asked(world, namespace.scope)).get(namespace.name, Asked())
    missing = next((g for native in POD_LIKE if (g := unseen(world, namespace, native, "a workload of it", namespace.name))), None)
    free, gap = _unbounded(namespace, asked, world)
    return {
        "uses_accelerators": True if asked.any else asked.gap or missing or False,
        "accelerators_unbounded": free,
        "accelerators_unbounded_settled": gap or asked.gap or missing or True,
    }


def _unbounded(namespace: Resource, asked: Asked, world: World) -> tuple[list[str], Gap | None]:
    mine = bounds(namespace.name, namespace.scope, world).quotas
    whole, partly, gap = _bounded(mine, world)
    missing = unseen(world, namespace, QUOTA, "a quota of it", namespace.name)
    free: list[str] = []
    for name in sorted(asked.free | asked.queued.keys()):
        if f"requests.{name}" in whole:
            continue
        unsure = asked.queued.get(name) if name not in asked.free else None
        unsure = unsure or (PARTLY if f"requests.{name}" in partly else None) or missing or gap
        if unsure is None:
            free.append(name)
        gap = gap or unsure
    return free, gap


def _bounded(quotas: Iterable[Resource], world: World) -> tuple[set[str], set[str], Gap | None]:
    """What quotas bound: for every pod, for some, and why that may not be all.

    Extended resources are bounded by `requests.` alone.
    """
    whole: set[str] = set()
    partly: set[str] = set()
    gap: Gap | None = None
    for quota in quotas:
        hard, scopes = world.fact(quota, "bounded"), world.fact(quota, "scopes")
        if isinstance(hard, Gap) or isinstance(scopes, Gap):
            gap = gap or (hard if isinstance(hard, Gap) else scopes)
            continue
        (partly if scopes else whole).update(map(str, hard or ()))
    return whole, partly, gap


def limited(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a LimitRange is about the pods of a namespace."""
    return {"limit_range": _limited(namespace, world)}


def _limited(namespace: Resource, world: World) -> bool | Gap:
    gap: Gap | None = None
    for limits in bounds(namespace.name, namespace.scope, world).ranges:
        types = world.fact(limits, "limited")
        if isinstance(types, Gap):
            gap = gap or types
        elif {"Container", "Pod"} & set(types or ()):
            return True
    return gap or unseen(world, namespace, LIMITS, "a LimitRange of it", namespace.name) or False


def in_platform(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a workload lives in a namespace of the platform's own."""
    return {"in_platform": is_platform(namespace_of(workload), workload.scope, world)}


def priority_of(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The priority of a workload, and what bounds it."""
    name = world.fact(workload, "priority_class")
    value, preempts = _priority(workload, name, world)
    bounded = name if isinstance(name, Gap) else _scoped(workload, str(name), world)
    return {"priority": value, "priority_preempts": preempts, "priority_bounded": bounded}


def _priority(workload: Resource, name: JSON | Gap, world: World) -> tuple[JSON | Gap, JSON | Gap]:
    """The value of a class, and whether it preempts; a pod that names none is judged on the default class itself."""
    if isinstance(name, Gap):
        return name, name
    if not name or name in BUILT_IN:
        return BUILT_IN.get(str(name), 0), bool(name)
    found = world.get("quota", object_id(workload.scope, "PriorityClass.scheduling.k8s.io", "", str(name)))
    if found is None:
        gap = unseen(world, workload, PRIORITY, f"the priority class {name}")
        gap = gap or Gap(Reason.NOT_OFFERED, "", "Name one that is there.", f"there is no priority class {name}")
        return gap, gap
    return world.fact(found, "priority"), world.fact(found, "preempts")


def _scoped(workload: Resource, name: str, world: World) -> bool | Gap:
    """Whether a quota of the namespace is about a priority class.

    https://kubernetes.io/docs/concepts/policy/resource-quotas/#resource-quota-per-priorityclass
    """
    gap: Gap | None = None
    for quota in bounds(namespace_of(workload), workload.scope, world).quotas:
        scopes, hard = world.fact(quota, "scopes"), world.fact(quota, "bounded")
        if isinstance(scopes, Gap) or isinstance(hard, Gap):
            gap = gap or (scopes if isinstance(scopes, Gap) else hard)
        elif hard and any(_about(scope, name) for scope in scopes or ()):
            return True
    return gap or unseen(world, workload, QUOTA, "a quota of its namespace", namespace_of(workload)) or False


def _about(scope: Mapping[str, JSON], name: str) -> bool:
    if scope["name"] != "PriorityClass":
        return False
    match scope["operator"]:
        case "Exists":
            return True
        case "In":
            return name in scope["values"]
        case "NotIn":
            return name not in scope["values"]
    return False


QUEUED: Mapping[str, tuple[str, ...]] = {
    CLUSTER_QUEUE: ("quota_type",),
    LOCAL_QUEUE: ("namespace",),
    CONFIG: ("settings",),
    **{native: ("quota_type",) for native, _ in QUEUES.values()},
}
"""What it takes to know whether a queue is there."""
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "namespace",
        ("uses_accelerators", "accelerators_unbounded", "accelerators_unbounded_settled"),
        of_namespace,
        reads={
            QUOTA: ("namespace", "bounded", "scopes"),
            **QUEUED,
            **dict.fromkeys(POD_LIKE, ("namespace", "accelerators", "accelerators_settled", "queue")),
        },
        native_types=(NAMESPACE,),
    ),
    Derivation("namespace", ("limit_range",), limited, reads={LIMITS: ("namespace", "limited")}, native_types=(NAMESPACE,)),
    Derivation("workload", ("in_platform",), in_platform, needs=("namespace",), reads=READS, native_types=POD_LIKE),
    Derivation(
        "workload",
        ("priority", "priority_preempts", "priority_bounded"),
        priority_of,
        needs=("namespace", "priority_class"),
        reads={QUOTA: ("namespace", "bounded", "scopes"), PRIORITY: ("priority", "preempts")},
        native_types=POD_LIKE,
    ),
    Derivation(
        "workload",
        ("queueing",),
        queueing,
        needs=("namespace", "queue", "accelerator"),
        reads={**QUEUED, **READS},
        native_types=POD_LIKE,
    ),
)
