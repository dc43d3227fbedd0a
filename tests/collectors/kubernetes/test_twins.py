"""The same objects through files and through a live cluster: the same facts, and the same verdicts where nothing is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.manifests import read_manifests
from collectors.kubernetes.tables import CLUSTER
from scanner.model import Resource
from tests.collectors.kubernetes.apiserver import serving
from tests.collectors.kubernetes.objects import container, deployment, pod, thing
from tests.collectors.kubernetes.sinks import MemorySink

RBAC = "rbac.authorization.k8s.io/v1"


def estate() -> list[dict[str, Any]]:
    template = {
        "metadata": {"labels": {"a": "b"}},
        "spec": {"containers": [container(resources={"limits": {"nvidia.com/gpu": 8}})]},
    }
    env = [{"name": "HF_TOKEN", "value": "x9"}, {"name": "NVIDIA_VISIBLE_DEVICES", "value": "all"}]
    return [
        thing("v1", "Namespace", "team", None, metadata={"labels": {"pod-security.kubernetes.io/enforce": "baseline"}}),
        thing("v1", "ServiceAccount", "trainer", automountServiceAccountToken=False),
        deployment(
            "chat", {"hostPID": True, "serviceAccountName": "trainer", "containers": [container(env=env, args=["--api-key", "k9"])]}
        ),
        pod("bare", {"volumes": [{"name": "h", "hostPath": {"path": "/run"}}], "initContainers": [container("i")]}),
        thing("batch/v1", "CronJob", "c", spec={"jobTemplate": {"spec": {"template": template}}}),
        thing("kubeflow.org/v1", "PyTorchJob", "j", spec={"pytorchReplicaSpecs": {"Worker": {"template": template}}}),
        thing(
            "ray.io/v1",
            "RayCluster",
            "r",
            spec={
                "rayVersion": "2.52.0",
                "headGroupSpec": {"template": template},
                "workerGroupSpecs": [{"groupName": "g", "template": template}],
            },
        ),
        thing("argoproj.io/v1alpha1", "Workflow", "w", spec={"templates": [{"name": "t", "container": container()}]}),
        thing("serving.kserve.io/v1beta1", "InferenceService", "llm", spec={"predictor": {"model": {"storageUri": "s3://x"}}}),
        thing("v1", "Service", "s", spec={"type": "LoadBalancer", "ports": [{"port": 80}]}),
        thing("networking.k8s.io/v1", "Ingress", "i", spec={"rules": [{"host": "a.example"}]}),
        thing("networking.k8s.io/v1", "NetworkPolicy", "deny", spec={"podSelector": {}, "policyTypes": ["Ingress"]}),
        thing(RBAC, "ClusterRole", "reader", None, rules=[{"apiGroups": [""], "resources": ["secrets"], "verbs": ["list"]}]),
        thing(
            RBAC,
            "ClusterRoleBinding",
            "readers",
            None,
            roleRef={"kind": "ClusterRole", "name": "reader"},
            subjects=[{"kind": "ServiceAccount", "name": "trainer", "namespace": "team"}],
        ),
        thing("storage.k8s.io/v1", "StorageClass", "fast", None, provisioner="ebs.csi.aws.com", parameters={"encrypted": "true"}),
        thing("nvidia.com/v1", "ClusterPolicy", "cluster-policy", None),
    ]


def comparable(resources: Mapping[tuple[str, str], Resource]) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Everything of a resource but where it was seen; the scope's name is left out of the ids in its facts as well."""

    def plain(value: Any) -> Any:
        return yaml.safe_load(yaml.safe_dump(value).replace("k8s/factory/", "k8s/manifests/"))

    return {
        (kind, plain(identity)): (
            r.native_type,
            r.name,
            dict(r.tags),
            plain(dict(r.facts)),
            {f: (g.reason, g.detail) for f, g in r.gaps.items()},
        )
        for (kind, identity), r in resources.items()
    }


def test_live_and_manifests_tell_the_same(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(yaml.safe_dump_all(estate()))
    files = {(r.kind, r.id): r for r in read_manifests([tmp_path / "all.yaml"]).resources}
    sink = MemorySink()
    with serving() as server:
        server.add(*estate())
        collect_cluster(sink, cluster=Cluster(connect(server.kubeconfig(tmp_path), None), page=1), now="")
    left, right = (
        comparable(files),
        comparable({key: r for key, r in sink.resources.items() if r.native_type != CLUSTER.native_type}),
    )
    assert set(left) == set(right)
    for key, expected in left.items():
        assert right[key] == expected, key
    assert len(left) == 19
