"""What pods install and load when they start: the facts made of what `noted.py` kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes import models
from collectors.kubernetes.models import Server
from collectors.kubernetes.pods import Spec, raw_containers
from collectors.kubernetes.references import kept
from collectors.kubernetes.shapes import MODEL_FIELDS
from collectors.kubernetes.within import mapping, mappings
from collectors.table import MISSING

Notes = Mapping[str, Any]


def notes(spec: Spec) -> Iterator[tuple[str, Notes]]:
    """(container, what was noted of it); what Ray runs counts on the container that runs Ray."""
    for _, raw in raw_containers(spec):
        for note in (kept(raw), kept({"kept": raw.get("ran")})):
            if note:
                yield str(raw.get("name", "")), note


def _each(spec: Spec, key: str, name: str) -> list[dict[str, str]]:
    return [{"container": container, name: entry} for container, note in notes(spec) for entry in note[key]]


def _settled(spec: Spec, key: str) -> Any:
    return MISSING if any(note[key] for _, note in notes(spec)) else True


def installs(spec: Spec) -> list[dict[str, str]]:
    """The `installs` fact."""
    return [{"container": container, **entry} for container, note in notes(spec) for entry in note["installs"]]


def installs_settled(spec: Spec) -> Any:
    """True where no script is run that stands elsewhere."""
    return _settled(spec, "installs_unseen")


def model_servers(spec: Spec) -> list[dict[str, str]]:
    """The `model_servers` fact."""
    return _each(spec, "servers", "server")


def loaded_models(spec: Spec) -> list[dict[str, str]]:
    """The `models` fact."""
    return [{"container": container, **entry} for container, note in notes(spec) for entry in note["models"]]


def models_settled(spec: Spec) -> Any:
    """True where every model that is loaded is named."""
    return _settled(spec, "models_unseen")


def remote_code(spec: Spec) -> list[dict[str, str]]:
    """The `remote_code` fact."""
    return _each(spec, "remote_code", "how")


def remote_code_settled(spec: Spec) -> Any:
    """True where all arguments of the model servers are known."""
    return _settled(spec, "remote_unseen")


def unsafe_formats(spec: Spec) -> list[dict[str, str]]:
    """The `unsafe_formats` fact."""
    return _each(spec, "unsafe", "how")


def formats_settled(spec: Spec) -> Any:
    """True where it is known of every model how it is read."""
    return _settled(spec, "formats_unseen")


# ---- KServe: https://kserve.github.io/website/docs/reference/crd-api

PARTS = ("predictor", "transformer", "explainer")
UNPICKLES = frozenset({"sklearn", "pytorch", "mlflow"})
"""Model formats that KServe's servers read by unpickling, or that bring code of their own.
https://kserve.github.io/website/docs/model-serving/predictive-inference/frameworks/overview"""
SAFE = frozenset({"onnx"})


def _kserve(item: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(component, model format, model) of an inference service."""
    for part in PARTS:
        component = mapping(mapping(item.get("spec")).get(part))
        for key in MODEL_FIELDS:
            node = component.get(key)
            if isinstance(node, dict):
                name = str(mapping(node.get("modelFormat")).get("name") or "") if key == "model" else key
                yield part, name.lower(), node


def _uris(node: Mapping[str, Any]) -> list[str]:
    several = [str(entry.get("uri") or "") for entry in mappings(node.get("storageUris"))]
    stored = mapping(node.get("storage"))
    named = [str(node["storageUri"])] if node.get("storageUri") else []
    # NOTE: `storage` names an entry of a Secret, which is an object store
    return named + [u for u in several if u] + (["s3://"] if stored.get("path") and not named else [])


def kserve_servers(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The `model_servers` fact."""
    return [{"container": part, "server": name or "unknown"} for part, name, _ in _kserve(item)]


def _of_kserve(item: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for part, _, node in _kserve(item):
        for uri in _uris(node):
            yield part, models.model(uri, "", Server())
        for entry in kept(node).get("models", ()):
            yield part, entry


def kserve_models(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The `models` fact."""
    return [{"container": part, **entry} for part, entry in _of_kserve(item) if entry["flaw"] != "unknown"]


def kserve_models_settled(item: Mapping[str, Any]) -> Any:
    """True where every component says what it loads."""
    named = {part for part, _ in _of_kserve(item)}
    unknown = any(entry["flaw"] == "unknown" for _, entry in _of_kserve(item))
    return MISSING if unknown or any(part not in named for part, _, _ in _kserve(item)) else True


def kserve_remote_code(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The `remote_code` fact."""
    return [{"container": part, "how": how} for part, _, node in _kserve(item) for how in kept(node).get("remote_code", ())]


def kserve_remote_code_settled(item: Mapping[str, Any]) -> Any:
    """True where no argument of the models is a template's."""
    return MISSING if any(kept(node).get("remote_unseen") for _, _, node in _kserve(item)) else True


def _format(name: str, node: Mapping[str, Any]) -> str:
    """How a model is read: `safe`, `unknown`, or by what it is unpickled."""
    uris = _uris(node)
    ending = next((u for u in uris if models.PICKLE_FILE.fullmatch(u)), "")
    if ending:
        return f"a file *.{ending.rpartition('.')[2].lower()}"
    if name in UNPICKLES and uris:
        return f"model format {name}"
    own = kept(node)
    if own.get("unsafe"):
        return str(own["unsafe"][0])
    if (
        name in SAFE
        or (uris and all(models.SAFE_FILE.fullmatch(u) for u in uris))
        or (own.get("servers") and not own["formats_unseen"])
    ):
        return "safe"
    return "unknown"


def kserve_formats(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The `unsafe_formats` fact."""
    found = [(part, _format(name, node)) for part, name, node in _kserve(item)]
    return [{"container": part, "how": how} for part, how in found if how not in ("safe", "unknown")]


def kserve_formats_settled(item: Mapping[str, Any]) -> Any:
    """True where it is known of every model how it is read."""
    return MISSING if any(_format(name, node) == "unknown" for _, name, node in _kserve(item)) else True


# ---- NIM Operator: https://docs.nvidia.com/nim-operator/latest/cache.html


def _of_cache(item: Mapping[str, Any]) -> dict[str, Any] | None:
    """The model that a cache is filled with; None where it is not told."""
    source = mapping(mapping(item.get("spec")).get("source"))
    hub, store = mapping(source.get("hf")), mapping(source.get("dataStore"))
    if isinstance(source.get("ngc"), dict):
        # NOTE: what a NIM loads stands, with its version, in the manifest that is part of its image
        return {"model": "", "origin": "store", "flaw": ""}
    told = hub or store
    name = told.get("modelName") or told.get("datasetName")
    if not told or not name:
        return None
    env = {"HF_ENDPOINT": str(told.get("endpoint") or "")}
    return models.model(f"{told.get('namespace') or 'default'}/{name}", str(told.get("revision") or ""), Server(env=env))


def cached_models(item: Mapping[str, Any]) -> list[dict[str, str]]:
    """The `models` fact."""
    found = _of_cache(item)
    return [] if found is None or found["flaw"] == "unknown" else [{"container": "", **found}]


def cached_models_settled(item: Mapping[str, Any]) -> Any:
    """True where the source is known."""
    found = _of_cache(item)
    return MISSING if found is None or found["flaw"] == "unknown" else True
