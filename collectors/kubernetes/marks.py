"""What a redacted value was: marks, and the classes of values that they stand for.

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
TEMPLATE = "«redacted:template»"
"""A template fills it in later, with a credential by its name. `$(NAME)` is no such: Kubernetes itself fills in another variable."""
MARKS = frozenset({PLAIN, CLOUD, HUB, SECRET, TEMPLATE})

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
_TEMPLATE = re.compile(r"\$\w+|\$\{.*\}|\{\{.*\}\}", re.DOTALL)
_SECRET_FLAG = r"--?(?:[a-z0-9]+[-_])*(?:api[-_]?key|token|password|passwd|client[-_]?secret|secret[-_]?key|access[-_]?key)"  # noqa: S105 - a pattern
_WORD = r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s;&|\"']+)"
_FLAG = re.compile(_SECRET_FLAG, re.IGNORECASE)
_FLAGGED = re.compile(rf"(?<![\w-])({_SECRET_FLAG})(=|[ \t]+){_WORD}", re.IGNORECASE)
_ASSIGNED = re.compile(rf"(?<![\w-])([A-Za-z_]\w*)([\"']?[ \t]*[=:][ \t]*){_WORD}")

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[.\-/]")


def value_class(name: str, value: str) -> str:
    """The mark for a literal value: of which class it is, by whole name and by pattern. A placeholder is no credential."""
    if value in MARKS:
        return value
    if _TEMPLATE.fullmatch(value) and (name in CLOUD_NAMES or name in HUB_NAMES):
        return TEMPLATE
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
        return match.group() if found in (PLAIN, TEMPLATE) else f"{name}{between}{found}"

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


def marks_in(text: str) -> str:
    """The marks of the credentials in a masked text; nothing else of it is kept."""
    return " ".join(mark for mark in (CLOUD, HUB, SECRET) if mark in text) or PLAIN


@functools.lru_cache(maxsize=4096)
def named_secret(key: str) -> bool:
    """Whether a key is called like a secret: `clientSecret`, `spark.hadoop.fs.s3a.secret.key`."""
    return _SECRET_NAME.search(_HUMP.sub("_", key)) is not None
