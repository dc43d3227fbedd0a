"""Resources, calls and the like as plain JSON and back: the form in which a snapshot keeps them."""

from __future__ import annotations

import dataclasses
import functools
import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from scanner.model import JSON, Call, Coverage, Extent, Gap, Inline, Origin, Outcome, Reason, Resource, Source, Where

LONE = re.compile("[\ud800-\udfff]")
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


ROWS = msgspec.json.Encoder(order="sorted")


def clean(text: str) -> str:
    """`text` without lone surrogates: JSON may carry them, UTF-8, SQLite and the engines may not."""
    return text if text.isascii() else LONE.sub("\ufffd", text)


def dumps(value: JSON) -> str:
    """Canonical JSON: sorted keys, no spaces, real characters. Equal values give equal text.

    Raises ValueError (NaN, infinity, endless digits), TypeError or RecursionError where JSON cannot say it.
    """
    return clean(ENCODER.encode(value))


def columns(body: str) -> dict[str, msgspec.Raw]:
    """What `dumps` wrote of a mapping, with its values as they stand there. Raises ValueError where it is no JSON."""
    return msgspec.json.decode(body, type=dict[str, msgspec.Raw])


def joined(row: Mapping[str, JSON | Mapping[str, JSON | msgspec.Raw]]) -> str:
    """What `dumps` would write, of values that partly stand as it wrote them."""
    return ROWS.encode(row).decode()


def gap_out(gap: Gap) -> list[str]:
    """A gap as a list of four strings."""
    return [gap.reason.value, gap.call, gap.remedy, gap.detail]


def gap_in(row: list[str]) -> Gap:
    """The inverse of `gap_out`."""
    return Gap(Reason(row[0]), row[1], row[2], row[3])


def where_out(where: Where) -> list[Any]:
    """A place as a list; what only places in source text have is left out elsewhere."""
    found: list[Any] = [where.file, where.line, where.column, where.locator]
    if where.end_line or where.block != (0, 0) or where.via or where.note:
        found += [where.end_line, where.end_column, list(where.block), [where_out(each) for each in where.via], where.note]
    return found


def where_in(row: list[Any]) -> Where:
    """The inverse of `where_out`."""
    if len(row) <= 4:  # noqa: PLR2004 - without what only places in source text have
        return Where(*row)
    file, line, column, locator, end_line, end_column, block, via, note = row
    return Where(
        file, line, column, locator, end_line, end_column, (block[0], block[1]), tuple(where_in(each) for each in via), note
    )


def resource_out(resource: Resource) -> dict[str, JSON]:
    """The body of a resource: all but the columns by which a snapshot finds it."""
    return {
        "facts": dict(resource.facts),
        "gaps": {name: gap_out(gap) for name, gap in resource.gaps.items()},
        "origins": {name: [o.call, o.pointer] for name, o in resource.origins.items()},
        "places": {name: where_out(w) for name, w in resource.places.items()},
        "provider": resource.provider,
        "source": resource.source,
        "tags": dict(resource.tags),
        "where": where_out(resource.where),
        **({"partial": True} if resource.partial else {}),
    }


def resource_in(columns: tuple[str, str, str, str, str, str], body: str) -> Resource:
    """The inverse of `resource_out`; `columns` are id, kind, native_type, scope, region, name."""
    data = msgspec.json.decode(body)
    identity, kind, native_type, scope, region, name = columns
    return Resource(
        id=identity,
        kind=kind,
        native_type=native_type,
        provider=data["provider"],
        scope=scope,
        region=region,
        name=name,
        source=data["source"],
        tags=data["tags"],
        facts=data["facts"],
        gaps={k: gap_in(v) for k, v in data["gaps"].items()},
        origins={k: _origin(*v) for k, v in data["origins"].items()},
        where=where_in(data["where"]),
        places={k: where_in(v) for k, v in data["places"].items()},
        partial=data.get("partial") is True,
    )


@functools.lru_cache(maxsize=4_096)
def _origin(call: str, pointer: str) -> Origin:
    """An origin. Of resources of a type that a file told of they are all the same."""
    return Origin(call, pointer)


def source_out(source: Source) -> dict[str, JSON]:
    """A source as a mapping."""
    return dataclasses.asdict(source)


def source_in(data: dict[str, Any]) -> Source:
    """The inverse of `source_out`."""
    return Source(**data)


def coverage_out(row: Coverage) -> dict[str, JSON]:
    """A coverage row as a mapping."""
    return {**dataclasses.asdict(row), "extent": row.extent.value, "gap": gap_out(row.gap) if row.gap else None}


def coverage_in(data: dict[str, Any]) -> Coverage:
    """The inverse of `coverage_out`."""
    return Coverage(**{**data, "extent": Extent(data["extent"]), "gap": gap_in(data["gap"]) if data["gap"] else None})


def call_out(call: Call) -> dict[str, JSON]:
    """A call as a mapping."""
    return {**dataclasses.asdict(call), "outcome": call.outcome.value, "reason": call.reason.value if call.reason else None}


def call_in(data: dict[str, Any]) -> Call:
    """The inverse of `call_out`."""
    return Call(**{**data, "outcome": Outcome(data["outcome"]), "reason": Reason(data["reason"]) if data["reason"] else None})


def inline_out(found: Inline) -> dict[str, JSON]:
    """A waiver of a source's text as a mapping."""
    return {**dataclasses.asdict(found), "where": where_out(found.where)}


def inline_in(data: dict[str, Any]) -> Inline:
    """The inverse of `inline_out`."""
    return Inline(**{**data, "where": where_in(data["where"])})
