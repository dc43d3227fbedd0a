"""Redaction of Kubernetes objects, before anything else reads them, and what a redacted value was.

A literal value is replaced by a mark that says of what class it was: tables then tell a static cloud key from a harmless
setting although the value is gone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

PLAIN = "«redacted»"
CLOUD = "«redacted:cloud-key»"
HUB = "«redacted:hub-token»"
SECRET = "«redacted:credential»"  # noqa: S105 - a mark
MARKS = frozenset({PLAIN, CLOUD, HUB, SECRET})

CLOUD_NAMES = frozenset(
    {
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AZURE_CLIENT_SECRET",
        "AZURE_STORAGE_KEY",
        "AZURE_STORAGE_ACCOUNT_KEY",
        "AZURE_STORAGE_CONNECTION_STRING",
        "GOOGLE_CREDENTIALS",
        "GOOGLE_APPLICATION_CREDENTIALS_JSON",
        "ARM_CLIENT_SECRET",
    }
)
HUB_NAMES = frozenset(
    {
        "HF_TOKEN",
        "HUGGING_FACE_HUB_TOKEN",
        "HUGGINGFACEHUB_API_TOKEN",
        "HUGGINGFACE_TOKEN",
        "WANDB_API_KEY",
        "NGC_API_KEY",
        "NGC_CLI_API_KEY",
        "NVIDIA_API_KEY",
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "COMET_API_KEY",
        "NEPTUNE_API_TOKEN",
        "MLFLOW_TRACKING_PASSWORD",
        "MLFLOW_TRACKING_TOKEN",
        "DATABRICKS_TOKEN",
        "RAY_AUTH_TOKEN",
        "VLLM_API_KEY",
        "KAGGLE_KEY",
        "REPLICATE_API_TOKEN",
        "COHERE_API_KEY",
        "MISTRAL_API_KEY",
    }
)
_DEVICES = r"(?:all|none|void|(?:GPU|MIG)-[0-9a-fA-F/-]{8,80}|\d{1,2}(?::\d{1,2})?)"
KEPT_VALUES = {
    "NVIDIA_VISIBLE_DEVICES": re.compile(rf"{_DEVICES}(?:,{_DEVICES})*|/var/run/nvidia-container-devices"),
    "RAY_AUTH_MODE": re.compile(r"token|disabled|k8s"),
}
"""Variables that rules read → the values that are settings. Anything else there may be a secret, as anywhere."""

_CLOUD_VALUE = re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY|\"type\"\s*:\s*\"service_account\"")
_HUB_VALUE = re.compile(r"\bhf_[A-Za-z0-9]{30,}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|\bnvapi-[A-Za-z0-9_-]{20,}")
_SECRET_VALUE = re.compile(
    r"\bgh[pousr]_[A-Za-z0-9]{36,}|\bglpat-[A-Za-z0-9_-]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|\beyJ[\w-]{10,2000}\.[\w-]{10,2000}\."
)
# NOTE: whole words at the end only: HF_HOME_TOKENIZERS and SECRET_NAME are no credentials
_SECRET_NAME = re.compile(r"(?:^|_)(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY)$", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"\s*|[$]\w+|[$][({].*[)}]|<.*>|\{\{.*\}\}|(?:change|replace)[-_ ]?me.*|your[-_ ].*|x+|\*+|none|null|todo|minio|minioadmin",
    re.IGNORECASE | re.DOTALL,
)
_SECRET_FLAG = r"--?(?:[a-z0-9]+[-_])*(?:api[-_]?key|token|password|passwd|client[-_]?secret|secret[-_]?key|access[-_]?key)"  # noqa: S105 - a pattern
_WORD = r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|\"']+)"
_FLAG = re.compile(_SECRET_FLAG, re.IGNORECASE)
_FLAGGED = re.compile(rf"(?<![\w-])({_SECRET_FLAG})(=|[ \t]+){_WORD}", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(?<![\w-])([A-Za-z_]\w*)([\"']?[ \t]*[=:][ \t]*){_WORD}")

_QUERY = re.compile(r"([?&](?:[\w-]*(?:token|key|secret|password|signature)|sig)=)[^&#]+", re.IGNORECASE)
_LONG_FLAG = re.compile(r"--[A-Za-z][\w.-]*")
_SHORT_FLAG = re.compile(r"-[A-Za-z]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[.\-/]")

KEPT_ANNOTATIONS = frozenset(
    {
        "k8s.v1.cni.cncf.io/networks",
        "service.beta.kubernetes.io/aws-load-balancer-scheme",
        "service.beta.kubernetes.io/aws-load-balancer-internal",
        "service.beta.kubernetes.io/aws-load-balancer-type",
        "service.beta.kubernetes.io/azure-load-balancer-internal",
        "service.beta.kubernetes.io/oci-load-balancer-internal",
        "service.beta.kubernetes.io/openstack-internal-load-balancer",
        "service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type",
        "service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type",
        "service.beta.kubernetes.io/load-balancer-source-ranges",
        "networking.gke.io/load-balancer-type",
        "cloud.google.com/load-balancer-type",
        "alb.ingress.kubernetes.io/certificate-arn",
        "alb.ingress.kubernetes.io/listen-ports",
        "networking.gke.io/managed-certificates",
        "ingress.gcp.kubernetes.io/pre-shared-cert",
        "appgw.ingress.kubernetes.io/appgw-ssl-certificate",
        "traefik.ingress.kubernetes.io/router.tls",
        "eks.amazonaws.com/role-arn",
        "iam.gke.io/gcp-service-account",
        "azure.workload.identity/client-id",
        "kubernetes.io/service-account.name",
    }
)
"""Annotations that tables read. The value of every other one is dropped: tools keep whole objects, Helm values and tokens in them
(kubernetes/kubernetes#23564)."""
KEPT_ANNOTATION_PREFIX = "container.apparmor.security.beta.kubernetes.io/"
LABELS = frozenset({"labels", "matchLabels", "nodeSelector", "selector"})
"""Mappings of labels, which are kept as they are."""


def value_class(name: str, value: str) -> str:
    """The mark for a literal value: of which class it is, by whole name and by pattern. A placeholder is no credential."""
    if value in MARKS:
        return value
    if _PLACEHOLDER.fullmatch(value):
        return PLAIN
    if name in CLOUD_NAMES or _CLOUD_VALUE.search(value):
        return CLOUD
    if name in HUB_NAMES or _HUB_VALUE.search(value):
        return HUB
    if _SECRET_NAME.search(name) or _SECRET_VALUE.search(value):
        return SECRET
    return PLAIN


def mask(text: str) -> str:
    """A command-line word or a script with the values of credentials replaced by their mark."""

    def flagged(match: re.Match[str]) -> str:
        name, between, value = match.groups()
        return f"{name}{between}{_behind_flag(value)}"

    def assigned(match: re.Match[str]) -> str:
        name, between, value = match.groups()
        found = value_class(name, value.strip("\"'"))
        return match.group() if found == PLAIN else f"{name}{between}{found}"

    text = _ASSIGNED.sub(assigned, _FLAGGED.sub(flagged, text))
    for pattern, put in ((_CLOUD_VALUE, CLOUD), (_HUB_VALUE, HUB), (_SECRET_VALUE, SECRET)):
        text = pattern.sub(put, text)
    return text


def _behind_flag(value: str) -> str:
    """What stands behind `--api-key` and the like: a token of a service, unless it is a placeholder or another flag."""
    bare = value.strip("\"'")
    if _PLACEHOLDER.fullmatch(bare) or bare.startswith("-") or bare.isdigit():
        return value
    found = value_class("TOKEN", bare)
    return HUB if found in (PLAIN, SECRET) else found


def mask_words(words: Iterable[Any]) -> list[str]:
    """Arguments with the values of credentials masked, also where flag and value are two words."""
    masked: list[str] = []
    flag = False
    for word in words:
        text = str(word)
        masked.append(_behind_flag(text) if flag else mask(text))
        flag = _FLAG.fullmatch(text) is not None
    return masked


def bare_words(words: Iterable[Any]) -> list[str]:
    """Of a command line what tells something and is no value: names of flags, and the marks of credentials."""
    return [_bare(text) for text in mask_words(words)]


def _bare(text: str) -> str:
    found = marks_in(text)
    flag = _LONG_FLAG.match(text) or _SHORT_FLAG.fullmatch(text)
    if flag is None:
        return found
    return flag.group() if flag.group() == text else f"{flag.group()}={found}"


def marks_in(text: str) -> str:
    """The marks of the credentials in a masked text; nothing else of it is kept."""
    return " ".join(mark for mark in (CLOUD, HUB, SECRET) if mark in text) or PLAIN


@functools.lru_cache(maxsize=4096)
def named_secret(key: str) -> bool:
    """Whether a key is called like a secret: `clientSecret`, `spark.hadoop.fs.s3a.secret.key`."""
    return _SECRET_NAME.search(_HUMP.sub("_", key)) is not None


def clean(item: Any) -> Any:
    """`item` itself, with everything that may be secret in it replaced in place.

    The values of variables and of all that is written as `name` and `value`, command lines, the data of Secrets and ConfigMaps, what
    stands under a key that is called like a secret, annotations that no table reads, and managed fields.
    """
    if not isinstance(item, dict):
        return item
    if item.get("kind") in ("Secret", "ConfigMap"):
        for key in ("data", "stringData", "binaryData"):
            if isinstance(item.get(key), dict):
                item[key] = dict.fromkeys(item[key], PLAIN)
    todo: list[Any] = [item]
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        if id(node) in seen:  # an aliased part of a manifest is one object
            continue
        seen.add(id(node))
        if isinstance(node, dict):
            _clean_mapping(node)
            todo += [value for key, value in node.items() if key not in LABELS]
        elif isinstance(node, list):
            todo += node
    return item


COMMANDS = frozenset({"args", "command", "source", "entrypoint", "runtimeEnvYAML", "podSpecPatch"})
VARIABLES = frozenset({"env", "envVars", "extraEnv", "env_vars"})


def _clean_mapping(node: dict[str, Any]) -> None:
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
        return marks_in(mask(value))
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
        meta["annotations"] = {name: text if _kept(name) else PLAIN for name, text in notes.items()}


def _kept(annotation: Any) -> bool:
    name = str(annotation)
    return name in KEPT_ANNOTATIONS or name.startswith(KEPT_ANNOTATION_PREFIX)


def _variable(name: str, value: Any) -> Any:
    """What is kept of a variable's value: its class, and the settings that rules read."""
    if value in (None, ""):
        return value
    known = KEPT_VALUES.get(name)
    return value if known and known.fullmatch(str(value)) else value_class(name, str(value))
