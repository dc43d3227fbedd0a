"""From an object to its pod specs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from collectors.kubernetes.pods import Spec
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING
from scanner.model import frozen


@frozen
class Pod:
    """One pod spec of an object."""

    label: str
    """Which of several (`head`, a group's name), empty where there is only one."""
    spec: Spec
    meta: Mapping[str, Any] = field(default_factory=dict)
    unsure: str = ""
    """Why what will run may differ from it; empty where it does not."""
    written: Spec | None = None
    """The mapping that stands in the object, where `spec` is made from it."""


def pods_at(item: Mapping[str, Any], path: str) -> Iterator[Pod]:
    """The pod specs at a path such as `head=spec.headGroupSpec.template.spec + spec.workerGroupSpecs[groupName].template.spec`.

    `*` steps through a mapping and `[name]` through a list; the key, or the element's `name`, then labels the pod.
    """
    for choice in path.split(" + "):
        label, _, steps = choice.rpartition("=")
        yield from _walk(item, item, steps.split("."), (label,) if label else ())


def _walk(node: Any, parent: Any, steps: Sequence[str], labels: tuple[str, ...]) -> Iterator[Pod]:
    if not isinstance(node, Mapping):
        return
    if not steps:
        yield Pod("/".join(labels), node, mapping(mapping(parent).get("metadata")))
        return
    step, rest = steps[0], steps[1:]
    if step == "*":
        for key, value in node.items():
            yield from _walk(value, node, rest, (*labels, str(key)))
    elif step.endswith("]"):
        key, _, label = step[:-1].partition("[")
        for index, value in enumerate(sequence(node.get(key))):
            yield from _walk(value, node, rest, (*labels, str(mapping(value).get(label) or index)))
    else:
        yield from _walk(node.get(step), node, rest, labels)


MODEL_FIELDS = (
    "model",
    "huggingface",
    "triton",
    "pytorch",
    "tensorflow",
    "onnx",
    "sklearn",
    "xgboost",
    "lightgbm",
    "paddle",
    "pmml",
    "mlflow",
)


def inference_service(item: Mapping[str, Any]) -> Iterator[Pod]:
    """KServe: each component is a pod spec written inline; a `model` gets its container from a serving runtime."""
    for name in ("predictor", "transformer", "explainer"):
        part = mapping(item.get("spec")).get(name)
        if not isinstance(part, Mapping):
            continue
        models = [{"name": "kserve-container", **part[key]} for key in MODEL_FIELDS if isinstance(part.get(key), Mapping)]
        why = "the container comes from a serving runtime, which may set more" if models else ""
        spec = {**part, "containers": [*mappings(part.get("containers")), *models]}
        yield Pod(name, spec, merged(mapping(item.get("metadata")), part), why, part)


def notebook(item: Mapping[str, Any]) -> Iterator[Pod]:
    """Kubeflow notebooks: their pods have the labels of the notebook as well."""
    for pod in pods_at(item, "spec.template.spec"):
        yield replace(pod, meta=merged(mapping(item.get("metadata")), pod.meta))


def merged(*metas: Mapping[str, Any]) -> dict[str, Any]:
    """Labels and annotations of several; a later one wins."""
    keys = ("labels", "annotations")
    return {key: {k: v for meta in metas for k, v in mapping(meta.get(key)).items()} for key in keys}


def ray(item: Mapping[str, Any], path: str) -> Iterator[Pod]:
    """Ray: what a job runs runs on the head; a head that scales its cluster has an account of its own, named as the cluster.

    https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/configuring-autoscaling.html
    """
    spec = mapping(item.get("spec"))
    spec = mapping(spec.get("jobTemplate")) or spec
    cluster = mapping(spec.get("rayClusterSpec")) or mapping(spec.get("rayClusterConfig")) or spec
    # NOTE: clusters of jobs and services have made-up names
    account = mapping(item.get("metadata")).get("name") if item.get("kind") == "RayCluster" else MISSING
    runs = {key: spec[key] for key in ("runtimeEnvYAML", "serveConfigV2", "entrypoint") if isinstance(spec.get(key), str)}
    runs |= {"ran": spec["kept"]} if "kept" in spec else {}
    for pod in pods_at(item, path):
        made = dict(pod.spec)
        own = made.get("serviceAccountName") or made.get("serviceAccount")
        if pod.label == "head" and cluster.get("enableInTreeAutoscaling") is True and not own:
            made["serviceAccountName"] = account
        if pod.label == "head" and runs and mappings(made.get("containers")):
            first, *others = mappings(made["containers"])
            made["containers"] = [{**first, **runs}, *others]
        yield pod if made == pod.spec else replace(pod, spec=made, written=pod.spec)


def spark(item: Mapping[str, Any]) -> Iterator[Pod]:
    """Spark: driver and executors, of which the pod template is one part and the fields beside it are the other.

    https://www.kubeflow.org/docs/components/spark-operator/user-guide/writing-sparkapplication/
    """
    spec = mapping(item.get("spec"))
    patched = any(str(key).startswith("spark.kubernetes.") for key in mapping(spec.get("sparkConf")))
    why = "sparkConf changes the pod" if patched else ""
    for role in ("driver", "executor"):
        part = spec.get(role)
        if not isinstance(part, Mapping):
            continue
        template = mapping(part.get("template"))
        base = mapping(template.get("spec"))
        first, *others = mappings(base.get("containers")) or [{}]
        pod = {
            **base,
            **{k: part[k] for k in ("hostNetwork", "automountServiceAccountToken") if part.get(k) is not None},
            "securityContext": part.get("podSecurityContext") or base.get("securityContext"),
            "serviceAccountName": part.get("serviceAccount")
            or base.get("serviceAccountName")
            or mapping(spec.get("driver")).get("serviceAccount"),
            "containers": [_spark_main(role, part, first, str(spec.get("image") or "")), *others, *mappings(part.get("sidecars"))],
            "initContainers": [*mappings(base.get("initContainers")), *mappings(part.get("initContainers"))],
            "volumes": [*mappings(base.get("volumes")), *mappings(spec.get("volumes"))],
        }
        meta = merged(mapping(template.get("metadata")), part)
        yield Pod(role, {k: v for k, v in pod.items() if v is not None}, meta, why, base or part)


def _spark_main(role: str, part: Spec, first: Spec, image: str) -> dict[str, Any]:
    """The container that runs Spark."""
    gpu = mapping(part.get("gpu"))
    # NOTE: Spark itself always asks for cores and bounds the memory
    limits = {"memory": "set"} | ({str(gpu["name"]): gpu.get("quantity")} if gpu.get("name") else {})
    variables = [{"name": k, "value": v} for k, v in mapping(part.get("envVars")).items()]
    return {
        "name": f"spark-kubernetes-{role}",
        "image": part.get("image") or image,
        "resources": {"limits": limits, "requests": {"cpu": "set"}},
        **first,
        **{k: part[k] for k in ("securityContext", "lifecycle", "ports") if part.get(k) is not None},
        "env": [*mappings(first.get("env")), *mappings(part.get("env")), *variables],
        "envFrom": [*mappings(first.get("envFrom")), *mappings(part.get("envFrom"))],
        "volumeMounts": [*mappings(first.get("volumeMounts")), *mappings(part.get("volumeMounts"))],
    }


def argo(item: Mapping[str, Any]) -> Iterator[Pod]:
    """Argo Workflows: each template that runs a container is a pod; the workflow gives it its pod-level settings."""
    spec = mapping(item.get("spec"))
    spec = mapping(spec.get("workflowSpec")) or spec
    for template in mappings(spec.get("templates")):
        several = mappings(mapping(template.get("containerSet")).get("containers"))
        own = [c for c in (template.get("container"), template.get("script")) if isinstance(c, Mapping)]
        if not own and not several:
            continue  # steps, dag, suspend, http: no container of its own
        pod = {
            key: template.get(key, spec.get(key))
            for key in (
                "securityContext",
                "serviceAccountName",
                "automountServiceAccountToken",
                "hostNetwork",
                "hostPID",
                "hostIPC",
                "runtimeClassName",
            )
        }
        pod["containers"] = [*({"name": "main", **c} for c in own), *several, *mappings(template.get("sidecars"))]
        pod["initContainers"] = template.get("initContainers")
        pod["volumes"] = [*mappings(spec.get("volumes")), *mappings(template.get("volumes"))]
        pod["imagePullSecrets"] = spec.get("imagePullSecrets")
        patched = spec.get("podSpecPatch") or template.get("podSpecPatch")
        why = "podSpecPatch changes the pod after the template" if patched else ""
        if not why and mapping(spec.get("templateDefaults")):
            why = "templateDefaults complete the template"
        meta = merged(mapping(spec.get("podMetadata")), mapping(template.get("metadata")))
        yield Pod(str(template.get("name", "")), {k: v for k, v in pod.items() if v is not None}, meta, why)


SHAPES = {
    "kubeflow.org/v1/Notebook": notebook,
    "sparkoperator.k8s.io/v1beta2/SparkApplication": spark,
    "serving.kserve.io/v1beta1/InferenceService": inference_service,
    "argoproj.io/v1alpha1/Workflow": argo,
    "argoproj.io/v1alpha1/WorkflowTemplate": argo,
    "argoproj.io/v1alpha1/ClusterWorkflowTemplate": argo,
    "argoproj.io/v1alpha1/CronWorkflow": argo,
}
"""Types whose pods are not pod specs as they stand."""


def pods_of(item: Mapping[str, Any], native_type: str, path: str) -> list[Pod]:
    """The pod specs of an object; none where they stand in another object."""
    shape = SHAPES.get(native_type)
    if shape:
        return list(shape(item))
    return list(ray(item, path) if native_type.startswith("ray.io/") else pods_at(item, path))
