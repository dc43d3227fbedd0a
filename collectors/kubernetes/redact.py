"""Redaction of Kubernetes objects, before anything else reads them."""

from __future__ import annotations

import re
from typing import Any

from collectors.kubernetes.annotated import PREFIX as WAIVER_PREFIX
from collectors.kubernetes.commands import bare_script, bare_words
from collectors.kubernetes.kept import ANNOTATION_PREFIX, ANNOTATIONS, ENV, Kept, settings
from collectors.kubernetes.kept.access import signing_request
from collectors.kubernetes.marks import MARKS, PLAIN, SECRET, marks_in, mask, named_secret, value_class
from collectors.kubernetes.noted import noted
from scanner.model.inline import LONG

_QUERY = re.compile(r"([?&](?:[\w-]*(?:token|key|secret|password|signature)|sig)=)[^&#]+", re.IGNORECASE)
LABELS = frozenset({"labels", "matchLabels", "nodeSelector", "selector"})
"""Mappings of labels, which are kept as they are."""


def clean(item: Any) -> Any:
    """`item` itself, with everything that may be secret in it replaced in place.

    The values of variables and of all that is written as `name` and `value`, command lines, the data of Secrets and ConfigMaps, what
    stands under a key that is called like a secret, annotations that no table reads, and managed fields.
    """
    if not isinstance(item, dict):
        return item
    _clean_kind(item)
    todo: list[Any] = [item]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # an aliased part of a manifest is one object
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            _clean_mapping(node)
            todo += [v for k, v in node.items() if isinstance(v, dict | list) and k not in LABELS and not isinstance(v, Kept)]
        else:
            todo += [value for value in node if isinstance(value, dict | list)]
    return item


def _clean_kind(item: dict[str, Any]) -> None:
    """What is special about a kind."""
    if item.get("kind") == "ConfigMap" and ("data" in item or "binaryData" in item) and not isinstance(item.get("kept"), Kept):
        item["kept"] = settings(item)
    if item.get("kind") == "CertificateSigningRequest" and not isinstance(item.get("kept"), Kept):
        item["kept"] = Kept(signing_request(item))
        if isinstance(item.get("spec"), dict):
            item["spec"].pop("request", None)
    if isinstance(item.get("status"), dict):
        _clean_status(item["status"], signing=item.get("kind") == "CertificateSigningRequest")
    if item.get("kind") in ("Secret", "ConfigMap"):
        for key in ("data", "stringData", "binaryData"):
            if isinstance(item.get(key), dict):
                item[key] = dict.fromkeys(item[key], PLAIN)


STATES = ("running", "terminated", "waiting")


def _clean_status(status: dict[str, Any], *, signing: bool) -> None:
    """Of containers the name and the state, of signing requests what was decided: messages may hold anything."""
    containers, conditions = status.get("ephemeralContainerStatuses"), status.get("conditions")
    if isinstance(containers, list):
        status["ephemeralContainerStatuses"] = [
            {"name": c.get("name"), "state": {s: {} for s in STATES if isinstance(c.get("state"), dict) and s in c["state"]}}
            for c in containers
            if isinstance(c, dict)
        ]
    if signing and isinstance(conditions, list):
        status["conditions"] = [{k: c[k] for k in ("type", "status") if k in c} for c in conditions if isinstance(c, dict)]


COMMANDS = frozenset({"args", "command", "source", "entrypoint", "runtimeEnvYAML", "serveConfigV2", "podSpecPatch"})
VARIABLES = frozenset({"env", "envVars", "extraEnv", "env_vars"})


def _clean_mapping(node: dict[str, Any]) -> None:
    if not isinstance(node.get("kept"), Kept):
        found = noted(node)
        if found is not None:
            node["kept"] = found
    if isinstance(node.get("name"), str) and "value" in node:
        node["value"] = _variable(node["name"], node["value"])
    for key, value in node.items():
        if isinstance(value, str):
            node[key] = _clean_text(str(key), value)
        elif key in COMMANDS and isinstance(value, list):
            value[:] = bare_words(value)
        elif key in VARIABLES and isinstance(value, list):
            value[:] = [_clean_entry(entry) for entry in value]
        elif key in VARIABLES and isinstance(value, dict):
            node[key] = {name: _variable(str(name), text) for name, text in value.items()}
        elif key == "metadata" and isinstance(value, dict):
            _clean_metadata(value)


def _clean_text(key: str, value: str) -> str:
    if key in COMMANDS:
        return bare_script(value)
    if value and value not in MARKS and named_secret(key):
        return SECRET
    return _QUERY.sub(rf"\1{SECRET}", value) if "?" in value else value


def _clean_entry(entry: Any) -> Any:
    """One element of a list of variables."""
    if isinstance(entry, str):
        return marks_in(mask(entry))
    if isinstance(entry, dict) and "value" in entry and not isinstance(entry.get("name"), str):
        entry["value"] = _variable("", entry["value"])
    return entry


def _clean_metadata(meta: dict[str, Any]) -> None:
    meta.pop("managedFields", None)
    notes = meta.get("annotations")
    if isinstance(notes, dict):
        meta["annotations"] = {name: _bounded(name, text) if _kept(name) else PLAIN for name, text in notes.items()}


def _kept(annotation: Any) -> bool:
    name = str(annotation)
    return name in ANNOTATIONS or name.startswith((ANNOTATION_PREFIX, WAIVER_PREFIX))


def _bounded(annotation: Any, text: Any) -> Any:
    """A waiver no longer than it may be: whoever writes one means it to be read."""
    return text[: LONG + 1] if isinstance(text, str) and str(annotation).startswith(WAIVER_PREFIX) else text


def _variable(name: str, value: Any) -> Any:
    """What is kept of a variable's value: its class, and the settings that rules read."""
    if value in (None, ""):
        return value
    known = ENV.get(name)
    return value if known and known.fullmatch(str(value)) else value_class(name, str(value))
