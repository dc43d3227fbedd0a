"""The plan file: read within bounds, decoded, and checked to be what it should be. Nothing is interpreted here.

Format: https://developer.hashicorp.com/terraform/internals/json-format
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import IO, Any

from scanner.model import BartizanError

MAX_BYTES = 256 << 20
"""Largest plan read by default. A plan of 10,000 resources has about 15 MB."""
MAX_DEPTH = 200
"""Deepest nesting read by default. Provider schemas and modules stay below 60."""
MAJORS = ("0", "1")
"""Major versions of `format_version` that this reader knows."""

_MAKE = "make it with `terraform show -json plan.bin > plan.json`"
_LONE = re.compile(r"\\u[dD][89a-fA-F]")


def load(origin: str | Path | IO[bytes] | IO[str], *, label: str, max_bytes: int, max_depth: int) -> dict[str, Any]:
    """The plan as one JSON object, checked in form. Every fault is a `BartizanError` that names `label` and says what to do."""
    text = _decode(_read(origin, label, max_bytes), label)
    document = _parse(text, label)
    if not isinstance(document, dict):
        msg = f"{label}: not a plan: the top level is {_shape(document)}, not an object; {_MAKE}"
        raise BartizanError(msg)
    _check_depth(document, label, max_depth)
    _check_kind(document, label)
    document.pop("planned_values", None)  # NOTE: much of the plan, and `resource_changes` says it again
    return _mended(document) if _LONE.search(text) else document


def _read(origin: str | Path | IO[bytes] | IO[str], label: str, max_bytes: int) -> bytes:
    try:
        if isinstance(origin, (str, Path)):
            with Path(origin).open("rb") as stream:
                data: bytes | str = stream.read(max_bytes + 1)
        else:
            data = origin.read(max_bytes + 1)
    except IsADirectoryError:
        msg = f"{label}: is a folder; give the plan's JSON file ({_MAKE})"
        raise BartizanError(msg) from None
    except OSError as error:
        msg = f"{label}: cannot be read: {error.strerror or error}"
        raise BartizanError(msg) from error
    except UnicodeDecodeError as error:
        msg = f"{label}: not UTF-8 (byte {error.start}); {_MAKE}"
        raise BartizanError(msg) from error
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(raw) > max_bytes:
        msg = f"{label}: larger than the limit of {max_bytes} bytes; raise the limit, or split the configuration"
        raise BartizanError(msg)
    return raw


def _decode(raw: bytes, label: str) -> str:
    if raw.startswith(b"PK\x03\x04"):
        msg = f"{label}: this is a binary plan (zip); run `terraform show -json {label} > plan.json` and give that file"
        raise BartizanError(msg)
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        msg = f"{label}: not UTF-8 but UTF-16, as PowerShell's `>` writes it; run `terraform show -json plan.bin | Out-File -Encoding utf8 plan.json`"
        raise BartizanError(msg)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        msg = f"{label}:{line}: not UTF-8 (byte {error.start}); {_MAKE}"
        raise BartizanError(msg) from None
    if not text.strip():
        msg = f"{label}: empty; {_MAKE} (an empty file is what a failed command leaves behind)"
        raise BartizanError(msg)
    return text


def _refuse(constant: str) -> Any:
    msg = f"{constant} is not JSON"
    raise ValueError(msg)


def _number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        msg = f"the number {text[:20]} is too large"
        raise ValueError(msg)
    return value


def _parse(text: str, label: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse, parse_float=_number)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and '"@level"' in text[:4096]:
            msg = f"{label}: this is the log of `terraform plan -json`; {_MAKE}"
        elif error.pos >= len(text.rstrip()):
            msg = f"{label}:{error.lineno}: the JSON is cut short at column {error.colno}; write the file again ({_MAKE})"
        else:
            msg = f"{label}:{error.lineno}:{error.colno}: not JSON ({error.msg}); {_MAKE}"
        raise BartizanError(msg) from None
    except RecursionError:
        msg = f"{label}: nested too deeply to be a plan; {_MAKE}"
        raise BartizanError(msg) from None
    except ValueError as error:
        msg = f"{label}: not JSON ({error}); {_MAKE}"
        raise BartizanError(msg) from None


def _check_depth(document: Any, label: str, max_depth: int) -> None:
    level = [document]
    for _ in range(max_depth):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list)) and child
        ]
        if not level:
            return
    msg = f"{label}: nested more than {max_depth} levels deep, which no plan is; {_MAKE}"
    raise BartizanError(msg)


def _check_kind(document: dict[str, Any], label: str) -> None:
    """That it is a plan, of a known version, with resource changes to look at."""
    version = document.get("format_version")
    if version is None:
        if "lineage" in document or "terraform_version" in document or "serial" in document:
            msg = f"{label}: this is a state file, not a plan; {_MAKE}"
        elif "@level" in document:
            msg = f"{label}: this is the log of `terraform plan -json`; {_MAKE}"
        else:
            msg = f"{label}: not a plan: no `format_version`; {_MAKE}"
        raise BartizanError(msg)
    if not isinstance(version, str) or version.split(".", 1)[0] not in MAJORS:
        msg = f"{label}: plan format {version!r} is not known (known: 0.x and 1.x); use a newer bartizan, or a Terraform that writes format 1"
        raise BartizanError(msg)
    changes = document.get("resource_changes")
    if changes is None:
        if "values" in document:
            msg = f"{label}: this is `terraform show -json` of a state, not of a plan; {_MAKE}"
            raise BartizanError(msg)
        if "planned_values" in document:
            msg = f"{label}: nothing to judge: the plan changes no resource (outputs, checks or a refresh only)"
            raise BartizanError(msg, code=3)
        msg = f"{label}: not a plan: no `resource_changes`; {_MAKE}"
        raise BartizanError(msg)
    if not isinstance(changes, list):
        msg = f"{label}: not a plan: `resource_changes` is {_shape(changes)}, not a list; {_MAKE}"
        raise BartizanError(msg)


def _mended(value: Any) -> Any:
    """The same without lone surrogates, which JSON can spell and nothing can encode."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_mended(v) for v in value]
    if isinstance(value, dict):
        return {_mended(k): _mended(v) for k, v in value.items()}
    return value


def _shape(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
