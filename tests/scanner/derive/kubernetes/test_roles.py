"""Whose a workload is, and what it is there for."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False, settings: Any = None) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS, settings)


def told(of: MemoryWorld, name: str, kind: str = "workload") -> Any:
    (resource,) = of.all(kind)
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def owned(
    kind: str = "DaemonSet",
    namespace: str = "gpu-operator",
    uid: str = "u",
    api: str = "nvidia.com/v1",
    owner: str = "ClusterPolicy",
) -> dict[str, Any]:
    references = [{"apiVersion": api, "kind": owner, "name": "cluster-policy", "uid": uid, "controller": True}]
    item = deployment("driver", namespace=namespace, ownerReferences=references)
    return {**item, "kind": kind}


def cluster_policy(uid: str = "u", namespace: str = "gpu-operator") -> dict[str, Any]:
    return thing(
        "nvidia.com/v1",
        "ClusterPolicy",
        "cluster-policy",
        None,
        metadata={"uid": uid} if uid else {},
        status={"namespace": namespace},
    )


@pytest.mark.parametrize(
    ("daemon", "owner", "expected"),
    [
        (owned(), cluster_policy(), "NVIDIA GPU Operator"),
        # anyone can write an owner reference: it must name the very object, in the operator's namespace, on a DaemonSet
        (owned(uid="forged"), cluster_policy(), ""),
        (owned(uid=""), cluster_policy(), ""),
        (owned(uid=""), cluster_policy(uid=""), ""),
        (owned(namespace="tenant"), cluster_policy(), ""),
        (owned(kind="Deployment"), cluster_policy(), ""),
        (owned(api="example.com/v1"), cluster_policy(), ""),
        (owned(owner="SomethingElse"), cluster_policy(), ""),
    ],
)
def test_operators(daemon: dict[str, Any], owner: dict[str, Any], expected: str) -> None:
    assert told(world(daemon, owner), "operator") == expected


def test_owners_that_are_not_there() -> None:
    native = "nvidia.com/v1/ClusterPolicy"
    assert told(world(owned()), "operator") == ""
    assert told(world(owned(), gaps={native: DENIED}), "operator") is Reason.DENIED
    assert told(world(owned(), manifests=True), "operator") is Reason.NOT_OFFERED
    assert told(world(owned(uid=""), cluster_policy(uid=""), manifests=True), "operator") == "NVIDIA GPU Operator"
    assert told(world(deployment()), "operator") == ""
    assert told(world(deployment(), manifests=True), "operator") == ""


@pytest.mark.parametrize("kind", ["NicClusterPolicy", "NicNodePolicy"])
def test_the_network_operator(kind: str) -> None:
    daemon = owned(api="mellanox.com/v1alpha1", owner=kind, namespace="nvidia-network-operator")
    policy = thing("mellanox.com/v1alpha1", kind, "cluster-policy", None, metadata={"uid": "u"})
    image = {"containers": [{"name": "m", "image": "nvcr.io/nvidia/cloud-native/network-operator:v26.7.0"}]}
    operator = deployment("o", image, namespace="nvidia-network-operator")
    of = world(daemon, policy, operator)
    found = next(r for r in of.all("workload") if r.native_type == "apps/v1/DaemonSet")
    assert of.fact(found, "operator") == "NVIDIA Network Operator"


SYSTEM = thing("v1", "Namespace", "kube-system", None)


def agent(name: str, namespace: str = "kube-system", kind: str = "DaemonSet") -> dict[str, Any]:
    return {**deployment(name, namespace=namespace), "kind": kind}


def test_agents_of_the_platform() -> None:
    driver = thing("storage.k8s.io/v1", "CSIDriver", "ebs.csi.aws.com", None)
    assert told(world(agent("kube-proxy"), SYSTEM), "operator") == "kube-proxy"
    assert told(world(agent("ebs-csi-node"), SYSTEM, driver), "operator") == "CSI driver ebs.csi.aws.com"
    assert told(world(agent("ebs-csi-node"), SYSTEM), "operator") == ""
    assert told(world(agent("kube-proxy", namespace="team"), SYSTEM), "operator") == ""
    assert told(world(agent("kube-proxy", kind="Deployment"), SYSTEM), "operator") == ""
    assert told(world(agent("my-agent"), SYSTEM), "operator") == ""
    # a pull request cannot call its own DaemonSet kube-proxy
    assert told(world(agent("kube-proxy"), manifests=True), "operator") is Reason.NOT_OFFERED
    assert told(world(agent("kube-proxy"), gaps={"v1/Namespace": DENIED}), "operator") is Reason.DENIED


def test_static_pods() -> None:
    mirror = pod(
        "kube-apiserver-n1",
        namespace="kube-system",
        ownerReferences=[{"apiVersion": "v1", "kind": "Node", "name": "n1", "uid": "x", "controller": True}],
    )
    node = thing("v1", "Node", "n1", None)
    assert told(world(mirror, node), "operator") == "kubelet (static pod)"
    assert told(world(mirror), "operator") == ""
    mirror["metadata"]["namespace"] = "team"
    assert told(world(mirror, node), "operator") == ""


GPU = {"containers": [container(resources={"limits": {"nvidia.com/gpu": 1}})]}


def workload(version: str, kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return thing(version, kind, "x", spec={"template": {"spec": {"containers": [container()], **spec}}})


@pytest.mark.parametrize(
    ("item", "role"),
    [
        (workload("batch/v1", "Job", GPU), "training"),
        (workload("batch/v1", "Job", {}), "none"),
        (workload("apps/v1", "Deployment", GPU), "inference"),
        (workload("apps/v1", "StatefulSet", GPU), "inference"),
        (workload("apps/v1", "Deployment", {}), "none"),
        (
            workload("apps/v1", "Deployment", {"containers": [{"name": "m", "image": "registry.example/vllm-openai:v1"}]}),
            "inference",
        ),
        (
            workload("batch/v1", "Job", {"containers": [{**GPU["containers"][0], "image": "registry.example/tritonserver:26.03"}]}),
            "inference",
        ),
        (workload("apps/v1", "DaemonSet", GPU), "management"),
        (workload("kubeflow.org/v1", "Notebook", {}), "training"),
        (pod(spec=GPU), "training"),
        (
            thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": {"containers": [container()]}}),
            "inference",
        ),
        (
            thing(
                "kubeflow.org/v1",
                "PyTorchJob",
                "x",
                spec={"pytorchReplicaSpecs": {"Master": {"template": {"spec": {"containers": [container()]}}}}},
            ),
            "training",
        ),
        (thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "x", spec={}), "training"),
    ],
)
def test_parts_of_the_factory(item: dict[str, Any], role: str) -> None:
    assert told(world(item), "ai_role") == role


def test_a_label_and_a_zone_come_first() -> None:
    job = workload("batch/v1", "Job", GPU)
    job["metadata"]["labels"] = {"example.com/ai-role": "data"}
    assert told(world(job), "ai_role") == "data"
    zones = {"zones": [{"name": "front", "role": "management", "namespaces": ["te*"]}]}
    assert told(world(workload("batch/v1", "Job", GPU), settings=zones), "ai_role") == "management"
    assert (
        told(world(workload("batch/v1", "Job", GPU), settings={"zones": [{"name": "front", "namespaces": ["te*"]}]}), "ai_role")
        == "training"
    )


def test_operators_manage() -> None:
    assert told(world(owned(), cluster_policy()), "ai_role") == "management"


def test_namespaces_in_use() -> None:
    namespace = thing("v1", "Namespace", "team", None)
    assert told(world(namespace, deployment()), "has_workloads", "namespace") is True
    assert told(world(namespace), "has_workloads", "namespace") is False
    assert told(world(namespace, deployment(namespace="other")), "has_workloads", "namespace") is False
    assert told(world(namespace, gaps={"batch/v1/Job": DENIED}), "has_workloads", "namespace") is Reason.DENIED
    assert told(world(namespace, manifests=True), "has_workloads", "namespace") is Reason.NOT_OFFERED
