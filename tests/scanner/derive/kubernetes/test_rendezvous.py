"""Where training jobs meet, and who else may come."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Gap, Reason
from tests.collectors.kubernetes.objects import container, deployment, pod, thing
from tests.scanner.derive.kubernetes.networld import DENIED, POLICY, fact, policy, world

GPU: dict[str, Any] = {"resources": {"limits": {"nvidia.com/gpu": 1}}}


def job(kind: str, replicas: str, part: str = "Master", ports: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    template = {"metadata": {"labels": {"job": "j"}}, "spec": {"containers": [container(ports=ports or [])]}}
    return thing("kubeflow.org/v1", kind, "j", spec={replicas: {part: {"template": template}}})


def ray(**parts: Any) -> dict[str, Any]:
    template = {"spec": {"containers": [container()]}}
    return thing("ray.io/v1", "RayCluster", "r", spec={"headGroupSpec": {"template": template}, **parts})


@pytest.mark.parametrize(
    ("item", "ports"),
    [
        (job("PyTorchJob", "pytorchReplicaSpecs"), [23456]),
        (job("PyTorchJob", "pytorchReplicaSpecs", "Worker"), []),
        (job("PyTorchJob", "pytorchReplicaSpecs", "Worker", [{"containerPort": 29500}]), [29500]),
        (job("PyTorchJob", "pytorchReplicaSpecs", ports=[{"containerPort": 7777, "name": "pytorchjob-port"}]), [7777]),
        (job("PyTorchJob", "pytorchReplicaSpecs", ports=[{"containerPort": 29500}]), [23456, 29500]),
        (job("TFJob", "tfReplicaSpecs", "PS"), [2222]),
        (job("XGBoostJob", "xgbReplicaSpecs"), [9999]),
        (job("PaddleJob", "paddleReplicaSpecs"), [36543]),
        (job("JAXJob", "jaxReplicaSpecs", "Worker"), [6666]),
        (thing("trainer.kubeflow.org/v1alpha1", "TrainJob", "t", spec={}), [29500]),
        (ray(), [6379, 10001]),
        (pod(spec={"containers": [container(ports=[{"containerPort": 29500}])]}), [29500]),
        (pod(spec={"containers": [container(ports=[{"containerPort": 29500, "protocol": "UDP"}])]}), []),
        # 6379 is Redis' port as well
        (deployment(spec={"containers": [container(ports=[{"containerPort": 6379}])]}), []),
        (deployment(spec={"containers": [container(ports=[{"containerPort": 6379}], **GPU)]}), [6379]),
        (deployment(spec={"containers": [container(ports=[{"containerPort": 50001}], **GPU)]}), [50001]),
        (deployment(), []),
        # whatever makes the pods
        (
            thing(
                "apps/v1",
                "ReplicaSet",
                "x",
                spec={"template": {"spec": {"containers": [container(ports=[{"containerPort": 29500}])]}}},
            ),
            [29500],
        ),
        (thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec={"predictor": {"model": {}}}), []),
    ],
)
def test_ports(item: dict[str, Any], ports: list[int]) -> None:
    assert fact("rendezvous_ports", item) == ports


def test_only_the_head_of_a_ray_cluster_listens() -> None:
    template = {"spec": {"containers": [container()]}}
    of = world(ray(workerGroupSpecs=[{"groupName": "w", "template": template}]))
    assert {r.name: of.fact(r, "rendezvous_ports") for r in of.all("workload")} == {"r/head": [6379, 10001], "r/w": []}


def test_who_may_come() -> None:
    item = job("PyTorchJob", "pytorchReplicaSpecs")
    own = policy(podSelector={"matchLabels": {"job": "j"}}, ingress=[{"from": [{"podSelector": {"matchLabels": {"job": "j"}}}]}])
    assert fact("rendezvous_open", item) == [23456]
    assert fact("rendezvous_open", item, own) == []
    assert fact("rendezvous_open", item, policy()) == []
    wide = policy("wide", ingress=[{"from": [{"namespaceSelector": {}}], "ports": [{"port": 23456}]}])
    assert fact("rendezvous_open", item, own, wide) == [23456]
    other = policy("wide", ingress=[{"from": [{"namespaceSelector": {}}], "ports": [{"port": 8080}]}])
    assert fact("rendezvous_open", item, own, other) == []
    everyone = policy("wide", ingress=[{"from": [{"ipBlock": {"cidr": "0.0.0.0/0"}}]}])
    assert fact("rendezvous_open", item, own, everyone) == [23456]
    named = policy("named", ingress=[{"from": [{"namespaceSelector": {"matchLabels": {"team": "a"}}}]}])
    assert fact("rendezvous_open", item, own, named) == []


def test_what_is_not_known() -> None:
    item = job("PyTorchJob", "pytorchReplicaSpecs")
    assert fact("rendezvous_open", item, policy(), manifests=True) is Reason.NOT_OFFERED
    assert fact("rendezvous_open", item, gaps={POLICY: DENIED}) is Reason.DENIED
    assert fact("rendezvous_open", item, policy(ingress=[{}]), manifests=True) == [23456]
    hosted = job("PyTorchJob", "pytorchReplicaSpecs")
    hosted["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["hostNetwork"] = True
    assert fact("rendezvous_open", hosted, policy()) is Reason.NOT_OFFERED
    assert fact("rendezvous_open", deployment()) == []
    claims = pod(spec={"containers": [container(ports=[{"containerPort": 6379}], resources={"claims": [{"name": "g"}]})]})
    of = world(claims)
    (found,) = of.all("workload")
    assert isinstance(of.fact(found, "rendezvous_ports"), Gap) == isinstance(of.fact(found, "accelerator"), Gap)
