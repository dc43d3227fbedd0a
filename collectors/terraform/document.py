"""The plan file: read within bounds, checked to be what it should be, and taken apart. Nothing is interpreted here.

Values stay as the text that they were (`Raw`) until `Document.value` is asked for them: a plan of 200 MB says most things three times,
and of most resources nobody wants to know everything.

Format: https://developer.hashicorp.com/terraform/internals/json-format
"""

from __future__ import annotations

import codecs
import json
import math
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Raw

from scanner.model import BartizanError, frozen

MAX_BYTES = 256 << 20
"""Largest plan read by default. A plan of 10,000 resources has about 15 MB."""
MAX_DEPTH = 200
"""Deepest nesting read by default. Provider schemas and modules stay below 60."""
MAJORS = ("0", "1")
"""Major versions of `format_version` that this reader knows."""
NULL = Raw(b"null")
PIECE = 1 << 20
"""Bytes that are looked at at once."""


def is_object(raw: Raw) -> bool:
    """Whether a value is an object."""
    return bytes(memoryview(raw)[:1]) == b"{"


class Change(msgspec.Struct, frozen=True, eq=False):
    """What becomes of a resource; two are equal only where they are the same."""

    actions: tuple[str, ...] = ()
    before: Raw = NULL
    after: Raw = NULL
    after_unknown: Raw = NULL
    after_sensitive: Raw = NULL


class ResourceChange(msgspec.Struct, frozen=True):
    """An entry of `resource_changes`."""

    address: str
    type: str
    name: str
    change: Change
    mode: str = "managed"
    module_address: str | None = None
    index: str | int | float | None = None
    """A number is a whole one, however it is written (`0.0`, `1e3`)."""
    deposed: str | bool | None = None
    """Its key; Terraform 0.12 wrote `true`."""
    previous_address: str | None = None


class Block(msgspec.Struct, frozen=True, eq=False):
    """A resource or a module call of the configuration; two are equal only where they are the same."""

    address: str | None = None
    provider_config_key: str | None = None
    source: str | None = None
    """Of a module call, as `module` is."""
    expressions: Raw = NULL
    for_each_expression: Raw = NULL
    module: Module | None = None


class Module(msgspec.Struct, frozen=True):
    """A module of the configuration (not an instance of it)."""

    resources: list[Block] | None = None
    outputs: dict[str, Any] | None = None
    variables: dict[str, Any] | None = None
    module_calls: dict[str, Block | None] | None = None


class Configuration(msgspec.Struct, frozen=True):
    """The configuration that was planned."""

    provider_config: dict[str, Any] | None = None
    root_module: Module | None = None


class StateResource(msgspec.Struct, frozen=True):
    """A resource as it was when the plan was made."""

    mode: str | None = None
    type: str | None = None
    values: Raw = NULL


class StateModule(msgspec.Struct, frozen=True):
    """A module instance of the state."""

    address: str | None = None
    resources: list[StateResource] | None = None
    child_modules: list[StateModule] | None = None


class StateValues(msgspec.Struct, frozen=True):
    """The values of a state."""

    root_module: StateModule | None = None


class State(msgspec.Struct, frozen=True):
    """The state before."""

    values: StateValues | None = None


class _File(msgspec.Struct, frozen=True):
    """All that is read of a plan, and what tells that a file is something else."""

    format_version: Any = None
    terraform_version: Any = None
    timestamp: Any = None
    errored: Any = None
    complete: Any = None
    variables: Any = None
    relevant_attributes: Any = None
    deferred_changes: Raw = NULL
    resource_changes: Raw = NULL
    configuration: Raw = NULL
    prior_state: Raw = NULL
    planned_values: Raw = NULL
    values: Raw = NULL
    lineage: Raw = NULL
    serial: Raw = NULL
    level: Raw = msgspec.field(name="@level", default=NULL)


@frozen
class Document:
    """A plan, taken apart."""

    label: str
    max_depth: int
    terraform_version: str
    timestamp: str
    errored: bool
    complete: bool
    variables: Mapping[str, Any]
    relevant_attributes: list[Any] | None
    """What all expressions together draw upon; None where the plan does not tell."""
    deferred: tuple[str, ...]
    """Addresses of changes that a later plan will make."""
    changes: list[ResourceChange]
    configuration: Configuration
    state: StateModule

    def value(self, raw: Raw) -> Any:
        """What a text of the plan says. Raises BartizanError where it is deeper than any plan, or has a number without end."""
        text = bytes(raw)
        if text == b"null":
            return None
        try:
            value = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            value = _parse(text.decode(), self.label)  # NOTE: which says what is wrong
        if text.count(b"[") + text.count(b"{") > self.max_depth:
            _check_depth(value, self.label, self.max_depth)
        return value


_MAKE = "make it with `terraform show -json plan.bin > plan.json`"


class _ResourceAddress(msgspec.Struct, frozen=True):
    address: str | None = None


class _Deferred(msgspec.Struct, frozen=True):
    """An entry of `deferred_changes`."""

    resource_change: _ResourceAddress | None = None


def load(origin: str | Path | IO[bytes] | IO[str], *, label: str, max_bytes: int, max_depth: int) -> Document:
    """The plan, checked in form. Every fault is a `BartizanError` that names `label` and says what to do."""
    raw = _text(_read(origin, label, max_bytes), label)
    try:
        file = msgspec.json.decode(raw, type=_File)
    except (msgspec.DecodeError, RecursionError):
        # NOTE: the standard library tells line and column, and reads half a surrogate pair
        document = _parse(raw.decode(), label)
        if not isinstance(document, dict):
            msg = f"{label}: not a plan: the top level is {_shape(raw)}, not an object; {_MAKE}"
            raise BartizanError(msg) from None
        _check_depth(document, label, max_depth)
        raw = json.dumps(_mended(document)).encode()
        file = _decoded(raw, _File, label, "")
    _check_kind(file, label)
    _check_depth([file.variables, file.relevant_attributes], label, max_depth)
    configuration = _decoded(file.configuration, Configuration | None, label, "configuration") or Configuration()
    _check_depth([configuration.provider_config, *_loose(configuration)], label, max_depth)
    state = _decoded(file.prior_state, State | None, label, "prior_state")
    deferred = _decoded(file.deferred_changes, list[_Deferred | None] | None, label, "deferred_changes") or []
    return Document(
        label=label,
        max_depth=max_depth,
        terraform_version=file.terraform_version if isinstance(file.terraform_version, str) else "",
        timestamp=file.timestamp if isinstance(file.timestamp, str) else "",
        errored=file.errored is True,
        complete=file.complete is not False,
        variables=file.variables if isinstance(file.variables, dict) else {},
        relevant_attributes=file.relevant_attributes if isinstance(file.relevant_attributes, list) else None,
        deferred=tuple((each and each.resource_change and each.resource_change.address) or "" for each in deferred),
        changes=_decoded(file.resource_changes, list[ResourceChange], label, "resource_changes"),
        configuration=configuration,
        state=(state and state.values and state.values.root_module) or StateModule(),
    )


def _loose(configuration: Configuration) -> Iterator[Any]:
    """What of the modules was decoded without a form."""
    pending = [configuration.root_module]
    while pending:
        module = pending.pop()
        if module is not None:
            yield from (module.outputs, module.variables)
            pending += [call.module for call in (module.module_calls or {}).values() if call is not None]


def _decoded(raw: Raw | bytes, form: Any, label: str, part: str) -> Any:
    """A text of the plan in a form. Raises BartizanError that says what has another one."""
    try:
        return msgspec.json.decode(raw, type=form)
    except RecursionError:
        raise BartizanError(f"{label}: nested too deeply to be a plan; {_MAKE}") from None
    except msgspec.DecodeError as error:
        what, _, place = str(error).partition(" - at `$")
        where = f" ({part}{place.rstrip('`')})" if part or place else ""
        msg = f"{label}: not a plan: {what}{where}; {_MAKE}"
        raise BartizanError(msg) from None


def _read(origin: str | Path | IO[bytes] | IO[str], label: str, max_bytes: int) -> bytes:
    try:
        if isinstance(origin, (str, Path)):
            with Path(origin).open("rb") as stream:
                status = os.fstat(stream.fileno())
                # NOTE: room is made for all that is asked for, so a file is asked for its size; a pipe has none
                most = min(status.st_size, max_bytes) if stat.S_ISREG(status.st_mode) else max_bytes
                found = stream.read(most + 1)
                # NOTE: what grows meanwhile, or is made by the kernel and has no size, is more than that
                data: bytes | str = found + stream.read(max_bytes - most) if len(found) > most else found
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


def _text(raw: bytes, label: str) -> bytes:
    """The bytes, which are UTF-8 without a mark, and not blank."""
    if raw.startswith(b"PK\x03\x04"):
        msg = f"{label}: this is a binary plan (zip); run `terraform show -json {label} > plan.json` and give that file"
        raise BartizanError(msg)
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        msg = f"{label}: not UTF-8 but UTF-16, as PowerShell's `>` writes it; run `terraform show -json plan.bin | Out-File -Encoding utf8 plan.json`"
        raise BartizanError(msg)
    raw = raw.removeprefix(codecs.BOM_UTF8)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(raw), PIECE):
            decoder.decode(raw[start : start + PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        at = _fault(raw)
        line = raw.count(b"\n", 0, at) + 1
        msg = f"{label}:{line}: not UTF-8 (byte {at}); {_MAKE}"
        raise BartizanError(msg) from None
    if not raw or raw.isspace():
        msg = f"{label}: empty; {_MAKE} (an empty file is what a failed command leaves behind)"
        raise BartizanError(msg)
    return raw


def _fault(raw: bytes) -> int:
    """Where a text stops being UTF-8."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return error.start
    return len(raw)


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
        raise BartizanError(f"{label}: nested too deeply to be a plan; {_MAKE}") from None
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


def _check_kind(file: _File, label: str) -> None:
    """That it is a plan, of a known version, with resource changes to look at."""
    version = file.format_version
    if version is None:
        if file.terraform_version is not None or file.lineage is not NULL or file.serial is not NULL:
            msg = f"{label}: this is a state file, not a plan; {_MAKE}"
        elif file.level is not NULL:
            msg = f"{label}: this is the log of `terraform plan -json`; {_MAKE}"
        else:
            msg = f"{label}: not a plan: no `format_version`; {_MAKE}"
        raise BartizanError(msg)
    if not isinstance(version, str) or version.split(".", 1)[0] not in MAJORS:
        msg = f"{label}: plan format {version!r} is not known (known: 0.x and 1.x); use a newer bartizan, or a Terraform that writes format 1"
        raise BartizanError(msg)
    changes = bytes(memoryview(file.resource_changes)[:4])
    if changes == b"null":
        if file.values is not NULL:
            msg = f"{label}: this is `terraform show -json` of a state, not of a plan; {_MAKE}"
            raise BartizanError(msg)
        if file.planned_values is not NULL:
            msg = f"{label}: nothing to judge: the plan changes no resource (outputs, checks or a refresh only)"
            raise BartizanError(msg, code=3)
        msg = f"{label}: not a plan: no `resource_changes`; {_MAKE}"
        raise BartizanError(msg)
    if not changes.startswith(b"["):
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


def _shape(text: bytes) -> str:
    """What a JSON text is, by its first letter."""
    names = {b"{": "an object", b"[": "a list", b'"': "a text", b"t": "a boolean", b"f": "a boolean", b"n": "null"}
    return names.get(text.lstrip()[:1], "a number")
