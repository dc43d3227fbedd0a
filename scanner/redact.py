"""The last look before anything is written: values that are secrets by their own shape are replaced.

Collectors drop what they know to be secret by its place (user data, environment values). This net catches what got past them,
wherever it stands. It keeps identifiers (access key ids are needed as evidence, canonical ids join resources) and never the secret half.
"""

from __future__ import annotations

import re

from scanner.model import JSON

MARK = "«redacted»"

PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        r"\bhf_[A-Za-z0-9]{30,}\b",  # https://huggingface.co/docs/hub/security-tokens
        # not `sk-learn-training-data-bucket`: the old form has no hyphen, the newer ones say what they are for
        r"(?<![\w-])sk-(?:(?:proj|ant|svcacct|admin|or)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})",
        r"\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36,}\b",  # https://docs.github.com/authentication token formats
        r"\bgithub_pat_[A-Za-z0-9_]{50,}\b",
        r"\bglpat-[A-Za-z0-9_-]{20,}",
        r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
        r"\bnvapi-[A-Za-z0-9_-]{40,}",
        r"\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
        r"(?<=://)[^/\s:@\"']{1,64}:[^/\s:@\"']{1,128}(?=@)",
        r"(?i)(?<=aws_secret_access_key[=:])\s*[A-Za-z0-9/+]{40}",
    )
)
HINTS = (
    "PRIVATE KEY",
    "hf_",
    "sk-",
    "ghp_",
    "gho_",
    "ghu_",
    "ghs_",
    "ghr_",
    "github_pat_",
    "glpat-",
    "xox",
    "nvapi-",
    "eyJ",
    "://",
)
"""What stands in every text that some pattern matches, but for one whose case does not matter."""


SECRET_KEY = "secret_access_key"  # noqa: S105 - a name
"""Whatever its case."""

IDENTIFIER = re.compile(r"(?:arn:[a-z-]+:|plan/|k8s/)\S*")
"""A whole canonical id: as a column and as a fact of another resource it has to stay the same text, or the two are not joined."""


def hinted(text: str) -> bool:
    """Whether a text may hold a secret that some pattern matches: quick, as nearly every text holds none."""
    for hint in HINTS:  # NOTE: a loop, since every value of an estate comes this way
        if hint in text:
            return True
    return SECRET_KEY in (text.lower() if text.isascii() else text.casefold())


def redact(text: str) -> str:
    """`text` without the secrets that are recognisable by their shape."""
    if not hinted(text) or IDENTIFIER.fullmatch(text):
        return text
    for pattern in PATTERNS:
        text = pattern.sub(MARK, text)
    return text


def scrub(value: JSON) -> JSON:
    """`value` with every text in it redacted, one by one: a secret's end in one text must not swallow what stands before it."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list | tuple):
        return [scrub(item) for item in value]
    if isinstance(value, dict):
        found: dict[str, JSON] = {}
        for key, item in value.items():
            name = redact(key) if isinstance(key, str) else key
            while name in found:
                name = f"{name}'"  # two secrets as keys must not become one entry
            found[name] = scrub(item)
        return found
    return value
