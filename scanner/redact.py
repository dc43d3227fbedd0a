"""The last look before anything is written: values that are secrets by their own shape are replaced.

Collectors drop what they know to be secret by its place (user data, environment values). This net catches what got past them,
wherever it stands. It keeps identifiers (access key ids are needed as evidence) and never the secret half.
"""

from __future__ import annotations

import re

MARK = "«redacted»"

PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)",
        r"\bhf_[A-Za-z0-9]{30,}\b",  # https://huggingface.co/docs/hub/security-tokens
        r"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{20,}",
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
HINT = re.compile(r"PRIVATE KEY|hf_|sk-|gh[pousr]_|github_pat_|glpat-|xox|nvapi-|eyJ|://|(?i:secret_access_key)")


def redact(text: str) -> str:
    """`text` without the secrets that are recognisable by their shape."""
    if not HINT.search(text):
        return text
    for pattern in PATTERNS:
        text = pattern.sub(MARK, text)
    return text
