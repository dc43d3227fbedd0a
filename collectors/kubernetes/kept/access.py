"""Of who gets in: the identity mappings of EKS, and the subjects of signing requests."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.kubernetes.yamldoc import Bounds, Document, documents

FLAGS: Mapping[str, str] = {}
ENV: Mapping[str, str] = {}
WORDS: frozenset[str] = frozenset()
ANNOTATIONS: frozenset[str] = frozenset()

_ARN = re.compile(r"arn:[\w:/+=,.@*-]{1,2000}")
_GROUP = re.compile(r"[\w:.@/{}-]{1,253}")
_BOUNDS = Bounds(depth=10, nodes=100_000)
_MAPS = (("mapRoles", "rolearn"), ("mapUsers", "userarn"))
"""https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html"""


def identity_mappings(data: Mapping[str, str]) -> dict[str, Any]:
    """Of `aws-auth`: who of AWS is in which groups, and which entries could not be read. Each is YAML in a text."""
    found: list[dict[str, Any]] = []
    unreadable: list[str] = []
    for key, arn in _MAPS:
        text = data.get(key)
        if text is None or not text.strip():
            continue
        value = _parsed(text)
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            unreadable.append(key)
            continue
        for entry in mappings(value):
            groups = [str(g) for g in sequence(entry.get("groups"))]
            found.append({"arn": _only(_ARN, entry.get(arn)), "map": key, "groups": [g for g in groups if _GROUP.fullmatch(g)]})
            if "groups" in entry and not isinstance(entry["groups"], list | None):
                unreadable.append(key)
    return {"identity_mappings": found, "unreadable": sorted(set(unreadable))}


def _only(pattern: re.Pattern[str], value: Any) -> str:
    return value if isinstance(value, str) and pattern.fullmatch(value) else ""


def _parsed(text: str) -> Any:
    """The value of the one document of a text; None where it is not one that can be read."""
    found = list(documents(text, _BOUNDS))
    one = found[0] if len(found) == 1 else None
    return one.value if isinstance(one, Document) and not one.faults else None


SETTINGS: Mapping[str, Callable[[Mapping[str, str]], dict[str, Any]]] = {"aws-auth": identity_mappings}


# ---- signing requests

_PEM = re.compile(rb"-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----")
_SEQUENCE, _SET, _OID = 0x30, 0x31, 0x06
_COMMON_NAME, _ORGANISATION = bytes.fromhex("550403"), bytes.fromhex("55040a")
_STRINGS = frozenset({0x0C, 0x13, 0x14, 0x16, 0x1E})
"""Tags of UTF8String, PrintableString, TeletexString, IA5String, BMPString."""
_LONG = 0x80
MOST = 64 * 1024
"""Bytes of a request that are read."""


def signing_request(item: Mapping[str, Any]) -> dict[str, Any]:
    """Whom a CertificateSigningRequest would make: `user` and `groups`; empty where its request cannot be read.

    The subject's common name becomes the user and its organisations the groups:
    https://kubernetes.io/docs/reference/access-authn-authz/authentication/#x509-client-certificates
    """
    request = mapping(item.get("spec")).get("request")
    try:
        pem = base64.b64decode(str(request or ""), validate=True)[:MOST]
        inner = _PEM.search(pem)
        return _subject(base64.b64decode(inner.group(1))) if inner else {}
    except (binascii.Error, ValueError, IndexError):
        return {}


def _subject(der: bytes) -> dict[str, Any]:
    """Common name and organisations of a PKCS #10 request (RFC 2986). Raises ValueError where it is none."""
    _, outer, end = _element(der, 0, len(der))
    _, info, end = _element(der, outer, end)
    parts = list(_elements(der, info, end))
    (_, names, names_end) = parts[1]
    users: list[str] = []
    groups: list[str] = []
    for tag, start, stop in _elements(der, names, names_end):
        if tag != _SET:
            raise ValueError("a name that is no sequence of sets")
        for _, at, to in _elements(der, start, stop):
            (kind, oid, oid_end), (form, text, text_end) = list(_elements(der, at, to))[:2]
            if kind != _OID or form not in _STRINGS:
                continue
            word = der[text:text_end].decode("utf-16-be" if form == 0x1E else "utf-8")  # noqa: PLR2004 - BMPString
            if der[oid:oid_end] == _COMMON_NAME:
                users.append(word)
            elif der[oid:oid_end] == _ORGANISATION:
                groups.append(word)
    return {"user": users[0] if users else "", "groups": sorted(set(groups))}


def _elements(der: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """(tag, start, end) of the elements one after another."""
    while at < end:
        tag, start, stop = _element(der, at, end)
        yield tag, start, stop
        at = stop


def _element(der: bytes, at: int, end: int) -> tuple[int, int, int]:
    """(tag, start, end) of the contents of one element. Raises ValueError where it is longer than what holds it."""
    tag, length, start = der[at], der[at + 1], at + 2
    if length >= _LONG:
        count = length - _LONG
        length = int.from_bytes(der[start : start + count], "big")
        start += count
    if start + length > end or start > end:
        raise ValueError("an element that ends outside")
    return tag, start, start + length
