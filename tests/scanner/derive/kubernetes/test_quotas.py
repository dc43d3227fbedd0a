"""What bounds a namespace and what runs in it."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import container, deployment, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:resourcequotas", "Allow it.")
GPU = "nvidia.com/gpu"
QUOTA, CONFIG = "v1/ResourceQuota", "v1/ConfigMap"
CLUSTER_QUEUE, LOCAL_QUEUE = "kueue.x-k8s.io/v1beta2/ClusterQueue", "kueue.x-k8s.io/v1beta2/LocalQueue"
KUEUE = thing("kueue.x-k8s.io/v1beta2", "ClusterQueue", "big", None, spec={"namespaceSelector": {}})
SPACE = thing("v1", "Namespace", "team", None)


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(clean(i))]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, kind: str, *names: str) -> list[Any]:
    (subject,) = [r for r in of.all(kind) if kind != "namespace" or r.name == "team"]
    found = [of.fact(subject, name) for name in names]
    return [f.reason if isinstance(f, Gap) else f for f in found]


def trainer(resource: str = GPU, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    return deployment("t", {"containers": [container(resources={"limits": {resource: 1}})], **spec}, labels=labels)


def quota(*hard: str, scopes: Any = None, selector: Any = None, namespace: str = "team") -> dict[str, Any]:
    spec = {
        "hard": dict.fromkeys(hard, "8"),
        "scopes": scopes,
        "scopeSelector": {"matchExpressions": selector} if selector else None,
    }
    return thing("v1", "ResourceQuota", "q", namespace, spec=spec)


def local(name: str = "q", namespace: str = "team") -> dict[str, Any]:
    return thing("kueue.x-k8s.io/v1beta2", "LocalQueue", name, namespace, spec={"clusterQueue": "big"})


def config(text: str) -> dict[str, Any]:
    return thing("v1", "ConfigMap", "kueue-manager-config", "kueue-system", data={"controller_manager_config.yaml": text})


LABEL = {"kueue.x-k8s.io/queue-name": "q"}


@pytest.mark.parametrize(
    ("items", "unbounded"),
    [
        ([trainer()], [GPU]),
        ([trainer(), quota(f"requests.{GPU}")], []),
        # extended resources are bounded by `requests.` alone
        ([trainer(), quota(GPU, f"limits.{GPU}", "requests.memory", "pods")], [GPU]),
        ([trainer(), quota(f"requests.{GPU}", namespace="other")], [GPU]),
        ([trainer("nvidia.com/mig-1g.5gb"), quota(f"requests.{GPU}")], ["nvidia.com/mig-1g.5gb"]),
        ([trainer(labels=LABEL), KUEUE, local()], []),
        # a label for a queue that is not there, or of a system that is not installed
        ([trainer(labels=LABEL), KUEUE], [GPU]),
        ([trainer(labels=LABEL)], [GPU]),
        ([trainer(), KUEUE, local("default")], []),
        ([trainer(), KUEUE, local(), config("manageJobsWithoutQueueName: true")], []),
        ([trainer(), KUEUE, local(), config("manageJobsWithoutQueueName: false")], [GPU]),
        ([trainer(schedulerName="volcano"), thing("scheduling.volcano.sh/v1beta1", "Queue", "default", None)], []),
        ([trainer(labels={"kai.scheduler/queue": "k"}), thing("scheduling.run.ai/v2", "Queue", "k", None)], []),
    ],
)
def test_accelerators_that_nothing_bounds(items: list[dict[str, Any]], unbounded: list[str]) -> None:
    of = world(SPACE, *items)
    assert told(of, "namespace", "uses_accelerators", "accelerators_unbounded", "accelerators_unbounded_settled") == [
        True,
        unbounded,
        True,
    ]


def test_a_quota_with_scopes_may_not_apply() -> None:
    for scoped in (
        quota(f"requests.{GPU}", scopes=["NotTerminating"]),
        quota(f"requests.{GPU}", selector=[{"scopeName": "PriorityClass"}]),
    ):
        of = world(SPACE, trainer(), scoped)
        assert told(of, "namespace", "accelerators_unbounded", "accelerators_unbounded_settled") == [[], Reason.NOT_OFFERED]


def test_quotas_that_were_not_seen() -> None:
    names = ("uses_accelerators", "accelerators_unbounded", "accelerators_unbounded_settled")
    assert told(world(SPACE, trainer(), gaps={QUOTA: DENIED}), "namespace", *names) == [True, [], Reason.DENIED]
    assert told(world(SPACE, trainer(), manifests=True), "namespace", *names) == [True, [], Reason.NOT_OFFERED]
    bounded = world(SPACE, trainer(), quota(f"requests.{GPU}"), manifests=True)
    assert told(bounded, "namespace", *names) == [True, [], Reason.NOT_OFFERED]  # there may be other workloads
    assert told(world(SPACE, trainer(labels=LABEL), gaps={LOCAL_QUEUE: DENIED}), "namespace", *names) == [True, [], Reason.DENIED]


def test_claims_and_nothing() -> None:
    claimed = deployment("t", {"resourceClaims": [{"name": "g", "resourceClaimTemplateName": "gpu"}]})
    names = ("uses_accelerators", "accelerators_unbounded_settled")
    assert told(world(SPACE, claimed), "namespace", *names) == [Reason.NOT_OFFERED, Reason.NOT_OFFERED]
    assert told(world(SPACE, deployment("d")), "namespace", *names) == [False, True]
    assert told(world(SPACE, gaps={"v1/Pod": DENIED}), "namespace", *names) == [Reason.DENIED, Reason.DENIED]


def ranged(kind: str, namespace: str = "team") -> dict[str, Any]:
    return thing("v1", "LimitRange", "l", namespace, spec={"limits": [{"type": kind, "max": {"cpu": "1"}}]})


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([], False),
        ([ranged("Container")], True),
        ([ranged("Pod")], True),
        ([ranged("PersistentVolumeClaim")], False),
        ([ranged("Container", "other")], False),
    ],
)
def test_limit_ranges(items: list[dict[str, Any]], found: bool) -> None:  # noqa: FBT001 - a column of the table
    assert told(world(SPACE, *items), "namespace", "limit_range") == [found]


def test_a_limit_range_that_was_not_seen() -> None:
    assert told(world(SPACE, manifests=True), "namespace", "limit_range") == [Reason.NOT_OFFERED]
    assert told(world(SPACE, ranged("Pod"), manifests=True), "namespace", "limit_range") == [True]
    assert told(world(SPACE, gaps={"v1/LimitRange": DENIED}), "namespace", "limit_range") == [Reason.DENIED]


# ---- priorities


def ranked(value: int = 2_000_000, **more: Any) -> dict[str, Any]:
    return thing("scheduling.k8s.io/v1", "PriorityClass", "high", None, value=value, **more)


def about(operator: str, *values: str) -> dict[str, Any]:
    return quota("pods", selector=[{"scopeName": "PriorityClass", "operator": operator, "values": list(values)}])


PRIORITY = ("priority", "priority_preempts", "priority_bounded")


@pytest.mark.parametrize(
    ("name", "items", "found"),
    [
        (None, [], [0, False, False]),
        ("high", [ranked()], [2_000_000, True, False]),
        ("high", [ranked(preemptionPolicy="Never")], [2_000_000, False, False]),
        ("high", [ranked(), about("In", "high")], [2_000_000, True, True]),
        ("high", [ranked(), about("In", "other")], [2_000_000, True, False]),
        ("high", [ranked(), about("Exists")], [2_000_000, True, True]),
        ("high", [ranked(), about("NotIn", "high")], [2_000_000, True, False]),
        ("high", [ranked(), about("DoesNotExist")], [2_000_000, True, False]),
        ("high", [ranked(), quota("pods", scopes=["PriorityClass"])], [2_000_000, True, True]),
        ("high", [ranked(), quota("pods")], [2_000_000, True, False]),
        # allowed outside kube-system since 1.17 unless the admission of quotas limits it
        ("system-node-critical", [], [2_000_001_000, True, False]),
        ("gone", [], [Reason.NOT_OFFERED, Reason.NOT_OFFERED, False]),
    ],
)
def test_priorities(name: str | None, items: list[dict[str, Any]], found: list[Any]) -> None:
    spec = {"priorityClassName": name} if name else {}
    assert told(world(deployment("d", spec), *items), "workload", *PRIORITY) == found


def test_priorities_that_were_not_seen() -> None:
    item = deployment("d", {"priorityClassName": "high"})
    assert told(world(item, manifests=True), "workload", *PRIORITY) == [Reason.NOT_OFFERED] * 3
    gaps = {"scheduling.k8s.io/v1/PriorityClass": DENIED, QUOTA: DENIED}
    assert told(world(item, gaps=gaps), "workload", *PRIORITY) == [Reason.DENIED] * 3


def test_the_platform_of_a_workload() -> None:
    assert told(world(deployment("d")), "workload", "in_platform") == [False]
    assert told(world(deployment("d", namespace="kube-system")), "workload", "in_platform") == [True]
    assert told(world(deployment("d", namespace="kueue-system"), manifests=True), "workload", "in_platform") == [Reason.NOT_OFFERED]


# ---- queues


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([trainer()], "none"),
        ([deployment("d"), KUEUE], "none"),
        ([deployment("d", {"containers": [container(resources={"limits": {GPU: 1}})]}, "kube-system"), KUEUE], "none"),
        ([trainer(), KUEUE, config("")], Reason.NOT_OFFERED),
        ([trainer(), KUEUE], Reason.NOT_OFFERED),
        ([trainer(), KUEUE, config("kind: Configuration")], "bypassed"),
        ([trainer(), KUEUE, config("manageJobsWithoutQueueName: true")], "queued"),
        ([trainer(), KUEUE, local("default"), config("kind: Configuration")], "queued"),
        ([trainer(labels=LABEL), KUEUE, local(), config("kind: Configuration")], "queued"),
        # Kueue holds back what names a queue that is not there
        ([trainer(labels=LABEL), KUEUE, config("kind: Configuration")], "queued"),
        ([trainer(schedulerName="volcano"), KUEUE, config("kind: Configuration")], "bypassed"),
        (
            [trainer(schedulerName="volcano"), KUEUE, thing("scheduling.volcano.sh/v1beta1", "Queue", "default", None)],
            "queued",
        ),
    ],
)
def test_queueing(items: list[dict[str, Any]], found: Any) -> None:
    assert told(world(*items), "workload", "queueing") == [found]


def test_queueing_that_was_not_seen() -> None:
    assert told(world(trainer(), manifests=True), "workload", "queueing") == [Reason.NOT_OFFERED]
    assert told(world(trainer(), gaps={CLUSTER_QUEUE: DENIED}), "workload", "queueing") == [Reason.DENIED]
    assert told(world(trainer(), KUEUE, gaps={CONFIG: DENIED}), "workload", "queueing") == [Reason.DENIED]
    assert told(world(trainer(), KUEUE, config("kind: Configuration"), gaps={LOCAL_QUEUE: DENIED}), "workload", "queueing") == [
        Reason.DENIED
    ]
