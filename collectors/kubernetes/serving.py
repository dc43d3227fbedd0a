"""Serving runtimes of KServe: which one an InferenceService gets, and the pod that becomes of the two.

The runtime that is named, in the namespace before the cluster; else the only one that chooses itself for the model's format. Where
several do, what the controller has chosen stands in the status.
https://github.com/kserve/kserve/blob/master/pkg/controller/v1beta1/inferenceservice/components/predictor.go
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from collectors.demand import Demand
from collectors.kubernetes.kept import Kept
from collectors.kubernetes.names import DEFAULT_NAMESPACE, Type, metadata, name_of, object_type, type_of
from collectors.kubernetes.shapes import MODEL_FIELDS, Pod, merged
from collectors.kubernetes.within import mapping, mappings, sequence

SERVICE = "serving.kserve.io/v1beta1/InferenceService"
RUNTIME = "serving.kserve.io/v1alpha1/ServingRuntime"
CLUSTER_RUNTIME = "serving.kserve.io/v1alpha1/ClusterServingRuntime"
RUNTIMES = (RUNTIME, CLUSTER_RUNTIME)
_KINDS: Mapping[Type, str] = {type_of(native): native for native in RUNTIMES}
MAIN, TRANSFORMER = "kserve-container", "transformer-container"
UNSEEN = ("installs_unseen", "models_unseen", "remote_unseen", "formats_unseen")
POD_KEYS = ("volumes", "nodeSelector", "affinity", "tolerations", "imagePullSecrets", "schedulerName", "resourceClaims")
"""What a runtime gives to a pod beside containers: its hostIPC is left out (`MergePodSpec`)."""
MERGED_BY: Mapping[str, str] = {
    "env": "name",
    "imagePullSecrets": "name",
    "ports": "containerPort",
    "resourceClaims": "name",
    "volumeDevices": "devicePath",
    "volumeMounts": "mountPath",
    "volumes": "name",
}
"""Lists of a pod spec that are merged → the key of their entries; others are replaced.
https://kubernetes.io/docs/tasks/manage-kubernetes-objects/update-api-object-kubectl-patch/"""


def completed(demand: Demand) -> Demand:
    """A demand that asks for serving runtimes wherever it asks for what they complete."""
    if demand is None or SERVICE not in demand:
        return demand
    return {**dict.fromkeys(RUNTIMES, frozenset()), **demand}


class Runtimes:
    """The serving runtimes that were seen, and where all of them were."""

    def __init__(self, *, files: bool = False) -> None:
        self._files = files
        self._specs: dict[str, dict[str, Mapping[str, Any]]] = {}
        self._whole: set[tuple[str, str]] = set()

    def add(self, item: Mapping[str, Any]) -> None:
        """Remember a runtime; anything else is let pass."""
        native = _KINDS.get(object_type(item) or Type("", ""))
        if native is not None:
            self._specs.setdefault(_place(item, native), {})[name_of(item)] = mapping(item.get("spec"))

    def whole(self, native_type: str, namespace: str) -> None:
        """All runtimes of a type (of a namespace, empty for every one) were seen."""
        if native_type in RUNTIMES:
            self._whole.add((native_type, namespace))

    def resolved(self, item: Mapping[str, Any], pods: Sequence[Pod]) -> list[Pod]:
        """The pods of an object; what an InferenceService leaves to a runtime that is known is completed by it."""
        if object_type(item) != type_of(SERVICE):
            return list(pods)
        return [self._completed(item, pod) if pod.unsure and pod.label == "predictor" else pod for pod in pods]

    def _completed(self, item: Mapping[str, Any], pod: Pod) -> Pod:
        part = mapping(mapping(item.get("spec")).get("predictor"))
        model = part.get("model")
        others = any(isinstance(part.get(key), Mapping) for key in MODEL_FIELDS if key != "model")
        if not isinstance(model, Mapping) or others or part.get("workerSpec") is not None:
            return pod
        runtime = self._chosen(item, model)
        if runtime is None or runtime.get("multiModel") is True or runtime.get("workerSpec") is not None:
            return pod
        containers = _containers(runtime, part, model)
        if containers is None:
            return pod
        shared = {key: runtime[key] for key in POD_KEYS if runtime.get(key) is not None}
        spec = {**_over(shared, {k: v for k, v in part.items() if k != "model"}), "containers": containers}
        return replace(pod, spec=spec, meta=merged(runtime, pod.meta), unsure="")

    def _chosen(self, item: Mapping[str, Any], model: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The spec of the runtime; None where it is not known which it is."""
        namespace = str(metadata(item).get("namespace") or DEFAULT_NAMESPACE)
        own, shared = self._specs.get(namespace, {}), self._specs.get("", {})
        status = mapping(item.get("status"))
        for key, known in (("servingRuntimeName", own), ("clusterServingRuntimeName", shared)):
            if status.get(key):
                return known.get(str(status[key]))
        name = model.get("runtime")
        if name:
            # NOTE: a runtime of the namespace hides one of the cluster; in files what is named is what is meant
            alone = self._files or self._all(RUNTIME, namespace)
            return own.get(str(name)) or (shared.get(str(name)) if alone else None)
        if not self._all(RUNTIME, namespace) or not self._all(CLUSTER_RUNTIME, ""):
            return None
        fitting = [spec for spec in (*own.values(), *shared.values()) if _chooses_itself(spec, model)]
        return fitting[0] if len(fitting) == 1 else None

    def _all(self, native_type: str, namespace: str) -> bool:
        return bool(self._whole & {(native_type, ""), (native_type, namespace)})


def _place(item: Mapping[str, Any], native: str) -> str:
    return str(metadata(item).get("namespace") or DEFAULT_NAMESPACE) if native == RUNTIME else ""


def _chooses_itself(spec: Mapping[str, Any], model: Mapping[str, Any]) -> bool:
    """https://kserve.github.io/website/docs/concepts/resources/servingruntime ."""
    wanted = mapping(model.get("modelFormat"))
    if spec.get("disabled") is True or spec.get("multiModel") is True or spec.get("workerSpec") is not None:
        return False
    return any(
        entry.get("name") == wanted.get("name")
        and entry.get("autoSelect") is True
        and wanted.get("version") in (None, entry.get("version"))
        for entry in mappings(spec.get("supportedModelFormats"))
    )


def _containers(runtime: Mapping[str, Any], part: Mapping[str, Any], model: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Those of the runtime, completed by the service's own, and the others of both; None where the runtime has none for the model."""
    given = {str(c.get("name")): c for c in mappings(runtime.get("containers"))}
    if MAIN not in given:
        return None
    own = list(mappings(part.get("containers")))
    found = [_container(given[MAIN], {k: v for k, v in model.items() if k != "name"})]
    version = model.get("runtimeVersion")
    if version and "@" not in str(found[0].get("image")):
        found[0]["image"] = f"{_untagged(str(found[0].get('image') or ''))}:{version}"
    asked = next((c for c in own if c.get("name") == TRANSFORMER), None)
    if TRANSFORMER in given or asked is not None:
        found.append(_container(given.get(TRANSFORMER, {}), asked or {}))
    found += [dict(c) for name, c in given.items() if name not in (MAIN, TRANSFORMER)]
    return [*found, *(c for c in own if c.get("name") != TRANSFORMER)]


def _untagged(image: str) -> str:
    path, colon, tag = image.rpartition(":")
    return path if colon and "/" not in tag else image


def _container(runtime: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """A container of a runtime with what the service says of it: arguments are added, the rest is merged."""
    found = _over(runtime, own)
    if "args" in runtime or "args" in own:
        found["args"] = [*sequence(runtime.get("args")), *sequence(own.get("args"))]
    notes = [c["kept"] for c in (runtime, own) if isinstance(c.get("kept"), Kept) and c["kept"]]
    if len(notes) > 1:
        # NOTE: a command line was noted in two halves, and each may change what the other one says
        found["kept"] = Kept(_noted(notes) | dict.fromkeys(UNSEEN, True))
    elif notes:
        found["kept"] = Kept(notes[0] | (dict.fromkeys(UNSEEN, True) if own.get("args") and runtime.get("args") else {}))
    return found


def _noted(notes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for note in notes:
        for key, value in note.items():
            found[key] = (
                [*found.get(key, []), *(v for v in value if v not in found.get(key, []))] if isinstance(value, list) else value
            )
    return found


def _over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One mapping with another laid over it, as a strategic merge does."""
    found = dict(below)
    for key, value in above.items():
        if value is None:
            continue
        under = below.get(key)
        if isinstance(value, Kept) or isinstance(under, Kept):
            found[key] = value
        elif isinstance(value, Mapping) and isinstance(under, Mapping):
            found[key] = _over(under, value)
        elif key in MERGED_BY and isinstance(value, list) and isinstance(under, list):
            found[key] = list(_entries(under, value, MERGED_BY[key]))
        else:
            found[key] = value
    return found


def _entries(below: Sequence[Any], above: Sequence[Any], by: str) -> Iterator[Mapping[str, Any]]:
    """Entries of two lists; those with the same key are one. A variable's value and its reference hide each other."""
    upper = {str(e.get(by)): e for e in mappings(above)}
    for entry in mappings(below):
        yield upper.pop(str(entry.get(by)), entry)
    yield from upper.values()
