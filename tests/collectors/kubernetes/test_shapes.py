"""Objects whose pods are not pod specs as they stand."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from tests.collectors.kubernetes.objects import container, one, projected, thing

SPEC = {"containers": [container()]}
PATCHED = {"podSpecPatch": "{}", "templates": [{"name": "a", "container": container()}]}
SERVED = {"predictor": {"model": {"modelFormat": {"name": "huggingface"}}}}
COMPLETED = {"templateDefaults": {"securityContext": {"runAsUser": 0}}, "templates": [{"name": "a", "container": container()}]}


@pytest.mark.parametrize(
    ("version", "kind", "spec"),
    [
        ("argoproj.io/v1alpha1", "Workflow", PATCHED),
        ("argoproj.io/v1alpha1", "Workflow", COMPLETED),
        ("serving.kserve.io/v1beta1", "InferenceService", SERVED),
    ],
)
def test_what_may_be_added_to_a_pod_is_not_taken_as_absent(version: str, kind: str, spec: dict[str, Any]) -> None:
    resource = one(thing(version, kind, "x", spec=spec), "workload")
    unsure = {"containers", "host_pid", "host_ipc", "host_network", "host_users", "host_paths", "sysctls", "os", "service_account"}
    unsure |= {"automount_token", "projects_token", "secret_refs", "rdma_settled"}
    assert unsure <= set(resource.gaps)
    assert {"namespace", "finished", "pod_labels"} <= set(resource.facts)


def test_labels_that_the_object_hands_down() -> None:
    meta = {"labels": {"team": "a", "app": "x"}}
    service = thing(
        "serving.kserve.io/v1beta1", "InferenceService", "x", metadata=meta, spec={"predictor": {**SPEC, "labels": {"app": "y"}}}
    )
    assert one(service, "workload").facts["pod_labels"] == {"team": "a", "app": "y"}
    notebook = thing("kubeflow.org/v1", "Notebook", "x", metadata=meta, spec={"template": {"spec": SPEC}})
    assert one(notebook, "workload").facts["pod_labels"] == {"team": "a", "app": "x"}
    template = {"name": "t", "container": container(), "metadata": {"labels": {"app": "y"}}}
    workflow = thing("argoproj.io/v1alpha1", "Workflow", "x", spec={"podMetadata": meta, "templates": [template]})
    assert one(workflow, "workload").facts["pod_labels"] == {"team": "a", "app": "y"}


def test_spark_fields_beside_the_template_count() -> None:
    driver = {
        "hostNetwork": True,
        "serviceAccount": "spark",
        "securityContext": {"privileged": True},
        "podSecurityContext": {"runAsNonRoot": True},
        "envVars": {"AWS_SECRET_ACCESS_KEY": "k"},
        "gpu": {"name": "nvidia.com/gpu", "quantity": 1},
        "sidecars": [container("side")],
        "initContainers": [container("setup")],
        "labels": {"app": "x"},
        "template": {"spec": {"hostPID": True, "volumes": [{"name": "a", "hostPath": {"path": "/a"}}]}},
    }
    spec = {"driver": driver, "executor": {"image": "i"}, "volumes": [{"name": "b", "hostPath": {"path": "/b"}}]}
    item = clean(thing("sparkoperator.k8s.io/v1beta2", "SparkApplication", "x", spec=spec))
    first, second = projected(item, "workload")
    assert [(c["name"], c["type"]) for c in first.facts["containers"]] == [
        ("spark-kubernetes-driver", "container"),
        ("side", "container"),
        ("setup", "init"),
    ]
    main = first.facts["containers"][0]
    assert (main["privileged"], main["run_as_non_root"], main["accelerator"], main["cloud_keys"]) == (
        True,
        True,
        True,
        ["AWS_SECRET_ACCESS_KEY"],
    )
    assert (first.facts["host_network"], first.facts["host_pid"], first.facts["pod_labels"]) == (True, True, {"app": "x"})
    assert [v["path"] for v in first.facts["host_paths"]] == ["/a", "/b"]
    assert (first.facts["service_account"], second.facts["service_account"]) == ("spark", "spark")
    assert (second.facts["host_network"], [v["path"] for v in second.facts["host_paths"]]) == (False, ["/b"])
    patched = {**spec, "sparkConf": {"spark.kubernetes.driver.podTemplateFile": "s3a://x"}}
    unsure = projected(thing("sparkoperator.k8s.io/v1beta2", "SparkApplication", "x", spec=patched), "workload")
    assert all("containers" in r.gaps for r in unsure)


def test_a_ray_head_that_scales_has_an_account_of_its_own() -> None:
    cluster = {
        "enableInTreeAutoscaling": True,
        "headGroupSpec": {"template": {"spec": SPEC}},
        "workerGroupSpecs": [{"groupName": "w", "template": {"spec": SPEC}}],
    }
    head, worker = projected(thing("ray.io/v1", "RayCluster", "r", spec=cluster), "workload")
    assert (head.facts["service_account"], worker.facts["service_account"]) == ("r", "default")
    job = projected(thing("ray.io/v1", "RayJob", "j", spec={"rayClusterSpec": cluster}), "workload")
    assert "service_account" in job[0].gaps  # the cluster of a job has a made-up name
    own = {**cluster, "headGroupSpec": {"template": {"spec": {**SPEC, "serviceAccountName": "mine"}}}}
    assert projected(thing("ray.io/v1", "RayCluster", "r", spec=own), "workload")[0].facts["service_account"] == "mine"


def test_what_a_ray_job_runs_counts_on_its_head() -> None:
    spec = {
        "runtimeEnvYAML": 'env_vars: {"WANDB_API_KEY": "k", "A": "b"}',
        "entrypoint": "python t.py --api-key abc",
        "rayClusterSpec": {"headGroupSpec": {"template": {"spec": SPEC}}},
    }
    (head,) = projected(clean(thing("ray.io/v1", "RayJob", "j", spec=copy.deepcopy(spec))), "workload")
    assert head.facts["containers"][0]["hub_tokens"] == ["entrypoint[0]", "runtimeEnvYAML[0]"]
