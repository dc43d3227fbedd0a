"""AWS policy documents, normalised: one statement shape whatever the author wrote. No judgement here.

Grammar: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html

A document of the old version, which is meant as well where none is named, knows no variables: `${aws:username}` is these characters.
There the dollar is written `${$}`, as the new version writes it, so that statements mean the same whatever their document's version.
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_version.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

OLD = "2008-10-17"
Statement = dict[str, Any]
"""Keys `effect actions not_actions resources not_resources principals not_principals conditions`, as the kinds describe."""


def statements(document: str | Mapping[str, Any] | None) -> list[Statement]:
    """The statements of a policy document given as JSON text, URL-encoded JSON text (as IAM sends it) or a mapping.

    Raises ValueError where it is not a policy document.
    """
    if document is None or document == "":
        return []
    if isinstance(document, str):
        text = unquote(document) if document.lstrip()[:1] == "%" else document
        document = json.loads(text)
    if not isinstance(document, Mapping):
        msg = "a policy document is a JSON object"
        raise ValueError(msg)  # noqa: TRY004 - callers treat every malformed document alike
    found = document.get("Statement", [])
    literal = document.get("Version") in (None, OLD)
    return [_statement(s, literal=literal) for s in (found if isinstance(found, list) else [found])]


def _statement(raw: Any, *, literal: bool) -> Statement:
    if not isinstance(raw, Mapping) or raw.get("Effect") not in ("Allow", "Deny"):
        msg = f"not a statement: {str(raw)[:80]}"
        raise ValueError(msg)
    return {
        "effect": raw["Effect"],
        "actions": _list(raw.get("Action")),
        "not_actions": _list(raw.get("NotAction")),
        "resources": _texts(raw.get("Resource"), literal=literal),
        "not_resources": _texts(raw.get("NotResource"), literal=literal),
        "principals": _principals(raw.get("Principal")),
        "not_principals": _principals(raw.get("NotPrincipal")),
        "conditions": [
            {"operator": operator, "key": key.lower(), "values": _texts(values, literal=literal)}
            for operator, keys in (raw.get("Condition") or {}).items()
            for key, values in keys.items()
        ],
    }


def _texts(value: Any, *, literal: bool) -> list[str]:
    """Texts in which variables may stand."""
    return [text.replace("${", "${$}{") for text in _list(value)] if literal else _list(value)


def _list(value: Any) -> list[str]:
    if value is None:
        return []
    items = value if isinstance(value, list) else [value]
    return [("true" if i else "false") if isinstance(i, bool) else str(i) for i in items]


def _principals(value: Any) -> list[str]:
    """`*`, or `AWS:<arn>`, `Service:<name>`, `Federated:<arn>`, `CanonicalUser:<id>`; `{"AWS": "*"}` is `*` as well."""
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    found = []
    for kind, names in value.items():
        found += [("*" if kind == "AWS" and name == "*" else f"{kind}:{name}") for name in _list(names)]
    return found
