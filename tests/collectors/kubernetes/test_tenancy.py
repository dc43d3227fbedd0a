"""Quotas, limits, priorities, queues; nodes; and where pods run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.redact import clean
from scanner.model import Reason
from tests.collectors.kubernetes.apiserver import ApiServer, serving
from tests.collectors.kubernetes.objects import container, deployment, one, pod, projected, thing
from tests.collectors.kubernetes.sinks import MemorySink


def facts(item: dict[str, Any], kind: str = "") -> dict[str, Any]:
    return dict(one(item, kind).facts)


def gpu(count: str = "1", name: str = "nvidia.com/gpu") -> dict[str, Any]:
    return container(resources={"limits": {name: count}})


def test_a_quota() -> None:
    item = thing(
        "v1",
        "ResourceQuota",
        "q",
        spec={
            "hard": {"requests.nvidia.com/gpu": 8, "pods": "10"},
            "scopes": ["NotTerminating"],
            "scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In", "values": ["high", "b"]}]},
        },
    )
    assert facts(item) == {
        "quota_type": "resource_quota",
        "namespace": "team",
        "bounded": ["pods", "requests.nvidia.com/gpu"],
        "scopes": [
            {"name": "NotTerminating", "operator": "Exists", "values": []},
            {"name": "PriorityClass", "operator": "In", "values": ["b", "high"]},
        ],
    }
    assert facts(thing("v1", "ResourceQuota", "q"))["bounded"] == []


def test_a_limit_range() -> None:
    limits = [
        {"type": "Container", "default": {"cpu": "1"}},
        {"type": "PersistentVolumeClaim", "max": {"storage": "1Ti"}},
        {"type": "Pod", "maxLimitRequestRatio": {"cpu": "2"}},
    ]
    assert facts(thing("v1", "LimitRange", "l", spec={"limits": limits})) == {
        "quota_type": "limit_range",
        "namespace": "team",
        "limited": ["Container", "PersistentVolumeClaim"],
    }


def test_a_priority_class() -> None:
    item = thing("scheduling.k8s.io/v1", "PriorityClass", "p", None, value=1000, preemptionPolicy="Never")
    assert facts(item) == {"quota_type": "priority_class", "priority": 1000, "global_default": False, "preempts": False}
    odd = one(thing("scheduling.k8s.io/v1", "PriorityClass", "p", None, value="high", globalDefault=True))
    assert (odd.gaps["priority"].reason, odd.facts["global_default"], odd.facts["preempts"]) == (Reason.UNPARSABLE, True, True)


@pytest.mark.parametrize(
    ("spec", "selected"),
    [
        # null admits nobody, {} everybody: https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/#namespace-selector
        ({}, "none"),
        ({"namespaceSelector": None}, "none"),
        ({"namespaceSelector": {}}, "all"),
        ({"namespaceSelector": {"matchLabels": {}}}, "all"),
        ({"namespaceSelector": {"matchLabels": {"a": "b"}}}, "some"),
        ({"namespaceSelector": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}, "some"),
    ],
)
@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_a_cluster_queue(spec: dict[str, Any], selected: str, version: str) -> None:
    groups = {"resourceGroups": [{"coveredResources": ["cpu", "nvidia.com/gpu"]}]}
    found = one(thing(f"kueue.x-k8s.io/{version}", "ClusterQueue", "q", None, spec={**spec, **groups}))
    assert found.native_type == "kueue.x-k8s.io/v1beta2/ClusterQueue"
    assert dict(found.facts) == {
        "quota_type": "queue",
        "queue_system": "kueue",
        "namespaces_selected": selected,
        "bounded": ["cpu", "nvidia.com/gpu"],
    }


def test_other_queues() -> None:
    local = thing("kueue.x-k8s.io/v1beta1", "LocalQueue", "q", spec={"clusterQueue": "big"})
    assert facts(local)["cluster_queue"] == "k8s/c/ClusterQueue.kueue.x-k8s.io//big"
    volcano = one(thing("scheduling.volcano.sh/v1beta1", "Queue", "q", None))
    kai = one(thing("scheduling.run.ai/v2", "Queue", "q", None))
    assert [(r.id, r.facts["queue_system"]) for r in (volcano, kai)] == [
        ("k8s/c/Queue.scheduling.volcano.sh//q", "volcano"),
        ("k8s/c/Queue.scheduling.run.ai//q", "kai"),
    ]


KUEUE = {"kueue.x-k8s.io/queue-name": "q"}


@pytest.mark.parametrize(
    ("item", "queue"),
    [
        (pod(), ""),
        (pod(labels=KUEUE), "kueue/q"),
        (deployment(labels=KUEUE), "kueue/q"),
        ({**deployment(), "metadata": {"name": "d", "namespace": "team", "labels": KUEUE}}, "kueue/q"),
        (
            thing(
                "batch/v1",
                "CronJob",
                "j",
                spec={
                    "jobTemplate": {
                        "metadata": {"labels": KUEUE},
                        "spec": {"template": {"spec": {"containers": [container()]}}},
                    }
                },
            ),
            "kueue/q",
        ),
        (pod(labels={"kai.scheduler/queue": "k"}), "kai/k"),
        (pod(annotations={"scheduling.volcano.sh/queue-name": "v"}, spec={"schedulerName": "volcano"}), "volcano/v"),
        (pod(spec={"schedulerName": "volcano"}), "volcano/default"),
        (
            thing(
                "batch.volcano.sh/v1alpha1",
                "Job",
                "j",
                spec={"queue": "v", "tasks": [{"name": "t", "template": {"spec": {"containers": [container()]}}}]},
            ),
            "volcano/v",
        ),
    ],
)
def test_queues_that_pods_wait_in(item: dict[str, Any], queue: str) -> None:
    assert facts(item, "workload")["queue"] == queue


def test_accelerators_of_pods() -> None:
    both = pod(spec={"containers": [gpu(), container("b", resources={"requests": {"nvidia.com/mig-1g.5gb": 1, "cpu": 1}})]})
    found = facts(both, "workload")
    assert (found["accelerators"], found["accelerators_settled"]) == (["nvidia.com/gpu", "nvidia.com/mig-1g.5gb"], True)
    assert facts(pod(spec={"containers": [gpu("0")]}), "workload")["accelerators"] == []
    claimed = one(pod(spec={"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "g"}]}), "workload")
    assert (claimed.facts["accelerators"], claimed.gaps["accelerators_settled"].reason) == ([], Reason.NOT_OFFERED)


def test_a_priority_that_pods_name() -> None:
    assert facts(pod(spec={"priorityClassName": "high"}), "workload")["priority_class"] == "high"
    assert facts(pod(), "workload")["priority_class"] == ""


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("manageJobsWithoutQueueName: true\nintegrations: {frameworks: [pod]}", {"manages_all": True}),
        ("apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration", {"manages_all": False}),
        ("manageJobsWithoutQueueName: maybe", {}),
        ("a: [", {}),
        ("", {}),
    ],
)
def test_the_configuration_of_kueue(text: str, settings: dict[str, Any]) -> None:
    item = thing("v1", "ConfigMap", "kueue-manager-config", "kueue-system", data={"controller_manager_config.yaml": text})
    assert facts(clean(item))["settings"] == settings


# ---- nodes


def node(labels: dict[str, str] | None = None, taints: Any = None, capacity: Any = None) -> dict[str, Any]:
    return thing(
        "v1",
        "Node",
        "n",
        None,
        metadata={"labels": labels or {}},
        spec={"taints": taints},
        status={"capacity": {"nvidia.com/gpu": "8"} if capacity is None else capacity},
    )


def shared(strategy: str, replicas: int, resource: str = "nvidia.com/gpu") -> list[dict[str, Any]]:
    return [{"resource": resource, "strategy": strategy, "replicas": replicas}]


SHARING = "nvidia.com/gpu.sharing-strategy"
REPLICAS = "nvidia.com/gpu.replicas"


@pytest.mark.parametrize(
    ("labels", "capacity", "found"),
    [
        ({SHARING: "none", REPLICAS: "1"}, None, []),
        ({SHARING: "time-slicing", REPLICAS: "4"}, None, shared("time-slicing", 4)),
        ({SHARING: "mps", REPLICAS: "2"}, None, shared("mps", 2)),
        # one replica is no sharing
        ({SHARING: "time-slicing", REPLICAS: "1"}, None, []),
        ({SHARING: "mps"}, None, shared("mps", 2)),
        # before v0.15 there was no strategy: replicas were time-slicing
        ({REPLICAS: "4"}, None, shared("time-slicing", 4)),
        (
            {"nvidia.com/mig-1g.5gb.sharing-strategy": "time-slicing", "nvidia.com/mig-1g.5gb.replicas": "3"},
            None,
            shared("time-slicing", 3, "nvidia.com/mig-1g.5gb"),
        ),
        (
            {"cloud.google.com/gke-gpu-sharing-strategy": "time-sharing", "cloud.google.com/gke-max-shared-clients-per-gpu": "2"},
            None,
            shared("time-slicing", 2),
        ),
        ({"cloud.google.com/gke-accelerator": "nvidia-h100-80gb"}, None, []),
        ({}, {"amd.com/gpu": "8"}, []),
        ({}, {"cpu": "8"}, []),
    ],
)
def test_how_a_node_shares_its_gpus(labels: dict[str, str], capacity: Any, found: list[dict[str, Any]]) -> None:
    assert facts(node(labels, capacity=capacity))["gpu_sharing"] == found


def test_a_node_that_says_nothing_of_sharing() -> None:
    assert one(node()).gaps["gpu_sharing"].reason is Reason.NOT_OFFERED
    assert one(node({SHARING: "mps", REPLICAS: "many"})).gaps["gpu_sharing"].reason is Reason.UNPARSABLE


def test_taints() -> None:
    assert facts(node())["taints"] == []
    assert facts(node(taints=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule", "timeAdded": "x"}]))[
        "taints"
    ] == [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}]


# ---- volumes


def test_a_volume() -> None:
    spec = {
        "accessModes": ["ReadWriteMany"],
        "storageClassName": "efs",
        "claimRef": {"namespace": "team", "name": "data"},
        "csi": {"driver": "efs.csi.aws.com", "volumeHandle": "fs-1::fsap-2"},
    }
    assert facts(thing("v1", "PersistentVolume", "pv", None, spec=spec)) == {
        "store_type": "volume",
        "driver": "efs.csi.aws.com",
        "backend_type": "file",
        "encrypted_in_transit": True,
        "read_only": False,
        "backend_store": "efs:fs-1",
        "backend_path": "",
        "backend_point": "fsap-2",
        "access_modes": ["ReadWriteMany"],
        "claim": "k8s/c/PersistentVolumeClaim/team/data",
        "storage_class": "efs",
        "provisioned": False,
    }


def test_a_claim() -> None:
    assert facts(thing("v1", "PersistentVolumeClaim", "data", spec={"volumeName": "pv", "storageClassName": ""})) == {
        "store_type": "volume_claim",
        "namespace": "team",
        "volume": "k8s/c/PersistentVolume//pv",
        "access_modes": [],
        "storage_class": "",
    }
    bare = one(thing("v1", "PersistentVolumeClaim", "data", spec={}))
    assert (bare.facts["volume"], "storage_class" in bare.gaps) == ("", True)


# ---- where pods run


def placed(item: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(r.facts) for r in projected(item, "placement")]


def running(name: str = "p", owner: str = "", namespace: str = "team", phase: str = "Running", **spec: Any) -> dict[str, Any]:
    kind, _, owned = owner.partition("/")
    version = {"DaemonSet": "apps/v1", "ReplicaSet": "apps/v1", "Node": "v1"}.get(kind, "batch/v1")
    references = [{"apiVersion": version, "kind": kind, "name": owned, "uid": "u", "controller": True}] if owner else []
    return {**pod(name, {"nodeName": "n", **spec}, namespace, ownerReferences=references), "status": {"phase": phase}}


def test_where_a_pod_runs() -> None:
    assert placed(running(containers=[gpu()], runtimeClassName="kata")) == [
        {
            "node": "n",
            "namespace": "team",
            "runtime_class": "kata",
            "accelerators": ["nvidia.com/gpu"],
            "accelerators_settled": True,
        }
    ]


@pytest.mark.parametrize(
    "item",
    [
        pod(),
        running(phase="Succeeded"),
        running(phase="Failed"),
        running(owner="DaemonSet/agent"),
        running(owner="Node/n"),
        running(namespace="kube-system"),
    ],
)
def test_what_takes_no_part_of_a_node(item: dict[str, Any]) -> None:
    assert placed(item) == []


@pytest.fixture
def server() -> Any:
    with serving() as found:
        yield found


def look(server: ApiServer, folder: Path, **options: Any) -> MemorySink:
    sink = MemorySink()
    collect_cluster(sink, kubeconfig=server.kubeconfig(folder), **options)
    return sink


def test_owned_pods_are_placed_and_judged_on_their_owner(server: ApiServer, tmp_path: Path) -> None:
    server.add(deployment("d"), running("a", "ReplicaSet/d-1"), running("b", "ReplicaSet/d-1"))
    replicas = thing("apps/v1", "ReplicaSet", "d-1", spec={"template": {"spec": {"containers": [container()]}}})
    replicas["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "u", "controller": True}
    ]
    server.add(replicas)
    sink = look(server, tmp_path)
    assert [i for (k, i) in sink.resources if k == "workload"] == ["k8s/factory/Deployment.apps/team/d"]
    assert sorted(i for (k, i) in sink.resources if k == "placement") == ["k8s/factory/Pod/team/a", "k8s/factory/Pod/team/b"]


def test_only_some_namespaces(server: ApiServer, tmp_path: Path) -> None:
    """Who else runs on a node is not known then, and no rule about pods is told of it."""
    server.add(running("a"))
    sink = look(server, tmp_path, namespaces=("team",))
    found = [r for r in sink.rows.values() if r.native_type == "v1/Pod" and r.region == "(other namespaces)"]
    assert [(r.kind, r.gap.reason if r.gap else None) for r in found] == [("placement", Reason.NOT_OFFERED)]
