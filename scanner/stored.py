"""The reading half of a snapshot: rows as nouns, and whether the file is whole."""

from __future__ import annotations

import functools
import hashlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from scanner import codec
from scanner.asked import UNASKED, Asked, asked_in
from scanner.model import JSON, BartizanError, Call, Coverage, Extent, Gap, Inline, Reason, Resource, Source

T = TypeVar("T")
VERSION = 1
"""Of the schema. A newer file is refused; an older one would be migrated here."""
COLUMNS = "id, kind, native_type, scope, region, name"
MOST_ANSWER = 512_000_000
"""Bytes of one unpacked answer: a file from elsewhere may claim any."""
NEVER_LISTED = Gap(Reason.TRUNCATED, "", "Collect again.", "the snapshot does not say how the listing ended")


class Stored:
    """The rows of one snapshot file. Readers may be many threads."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._lock = threading.Lock()
        self._unread: dict[str, Mapping[tuple[str, str], frozenset[str]]] | None = None

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> Iterator[tuple[str, ...]]:
        """Rows of a query, fetched in blocks so that writers on other threads get their turn."""
        with self._lock, faults(self.path):
            cursor = self._db.execute(query, values)
        while True:
            with self._lock, faults(self.path):
                block = cursor.fetchmany(1000)
            if not block:
                return
            yield from block

    def _made(self, make: Callable[[], T]) -> T:
        """What a row says. Raises BartizanError where it is no JSON, or of another shape than ours."""
        try:
            return make()
        except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
            fault = f"{type(error).__name__}: {error}"[:200]
            raise BartizanError(
                f"{self.path}: the snapshot is damaged (a row is not as written: {fault}). Collect it again."
            ) from error

    def _read(self, make: Callable[[Any], T], body: str) -> T:
        return self._made(lambda: make(json.loads(body)))

    def _meta(self, key: str) -> str:
        return next((str(row[0]) for row in self._rows("SELECT value FROM meta WHERE key=?", (key,))), "")

    def _by_source(self, what: str) -> Iterator[tuple[str, str]]:
        """(source id, text) of what is kept for each source under a name."""
        rows = self._rows("SELECT key, value FROM meta WHERE key LIKE ? ORDER BY key", (f"{what}:%",))
        return ((key.partition(":")[2], str(body)) for key, body in rows)

    @property
    def state(self) -> str:
        """`collecting` (unfinished) or `complete`."""
        return self._meta("state") or "collecting"

    def sources(self) -> tuple[Source, ...]:
        """Who looked, by id."""
        return tuple(self._read(codec.source_in, body) for (body,) in self._rows("SELECT body FROM source ORDER BY id"))

    def asked(self) -> dict[str, Asked]:
        """Source id → what it was asked, where that is known."""
        return {source: self._read(asked_in, body) for source, body in self._by_source("asked")}

    def problems(self) -> tuple[str, ...]:
        """What went wrong while collecting."""
        return tuple(text for (text,) in self._rows("SELECT text FROM problem ORDER BY text"))

    def inline(self) -> tuple[Inline, ...]:
        """Waivers that stand in the sources' own texts. A snapshot of an older release has no table of them."""
        if not any(self._rows("SELECT 1 FROM sqlite_master WHERE type='table' AND name='waiver'")):
            return ()
        return tuple(self._read(codec.inline_in, body) for (body,) in self._rows("SELECT body FROM waiver ORDER BY source, body"))

    def moves(self) -> dict[str, dict[str, str]]:
        """Source → id that a resource had → id that it has now, empty where it was let go."""
        return {source: self._read(_texts, body) for source, body in self._by_source("moved")}

    def named(self) -> Iterator[tuple[str, str, str, str]]:
        """(kind, native type, id, name) of every resource."""
        yield from self._rows("SELECT kind, native_type, id, name FROM resource")  # type: ignore[misc]

    def listings(self) -> tuple[Coverage, ...]:
        """All coverage rows, and one for every type that a source could have listed and has none of: it was not asked, or never told."""
        rows = self._listed()
        there = {(row.source, row.native_type, row.kind) for row in rows}
        asked = self.asked()
        for source in self.sources():
            questions = asked.get(source.id, Asked())
            missing = dict.fromkeys(questions.unlisted(), UNASKED)
            if source.mode == "live":  # NOTE: of a file a type that has no row is a type that the file has nothing of
                missing |= dict.fromkeys(questions.listed(), NEVER_LISTED)
            rows += [
                Coverage(native, kind, source.scope, "", Extent.ABSENT, gap, 0, source.id)
                for (native, kind), gap in missing.items()
                if (source.id, native, kind) not in there
            ]
        return tuple(rows)

    def _listed(self) -> list[Coverage]:
        query = "SELECT body FROM coverage ORDER BY native_type, kind, scope, region, source"
        return [self._read(codec.coverage_in, body) for (body,) in self._rows(query)]

    def _resource(self, row: Sequence[Any]) -> Resource:
        """A resource; facts that its source would have told and was not asked for have their gap."""
        found = self._made(lambda: codec.resource_in((row[0], row[1], row[2], row[3], row[4], row[5]), row[6]))
        if self._unread is None:
            self._unread = {source: asked.unread() for source, asked in self.asked().items()}
        unread = self._unread.get(found.source, {}).get((found.native_type, found.kind))
        if not unread:
            return found
        gaps = dict.fromkeys(sorted(unread - found.facts.keys()), UNASKED)
        return found.replace(gaps={**gaps, **found.gaps})

    def get(self, kind: str, id: str) -> Resource | None:  # noqa: A002 - the field's name
        """One resource."""
        for row in self._rows(f"SELECT {COLUMNS}, body FROM resource WHERE kind=? AND id=?", (kind, id)):  # noqa: S608 - constant
            return self._resource(row)
        return None

    def resources(self, kind: str = "", scope: str = "") -> Iterator[Resource]:
        """Resources of a kind (all kinds), of one scope (all scopes), ordered by kind and id."""
        # NOTE: only the conditions that are there, so that SQLite can use its indexes
        used = {condition: value for condition, value in {"kind=?": kind, "scope=?": scope}.items() if value}
        where = f"WHERE {' AND '.join(used)}" if used else ""
        query = f"SELECT {COLUMNS}, body FROM resource {where} ORDER BY kind, id"  # noqa: S608 - constants
        yield from map(self._resource, self._rows(query, tuple(used.values())))

    def part(self, kind: str, scope: str, after: str | None, limit: int) -> Iterator[Resource]:
        """At most `limit` resources of a kind in a scope by id, behind `after`. Any text is a scope or an id here, the empty one too."""
        behind, values = ("", ()) if after is None else ("AND id>?", (after,))
        query = f"SELECT {COLUMNS}, body FROM resource WHERE scope=? AND kind=? {behind} ORDER BY id LIMIT ?"  # noqa: S608 - constants
        yield from map(self._resource, self._rows(query, (scope, kind, *values, limit)))

    def ids(self, kind: str, scope: str) -> Iterator[tuple[str, str]]:
        """(id, native type) of the resources of a kind in a scope, by id."""
        yield from self._rows("SELECT id, native_type FROM resource WHERE scope=? AND kind=? ORDER BY id", (scope, kind))  # type: ignore[misc]

    def scopes(self) -> tuple[str, ...]:
        """Scopes that have resources, whether a source has them or not."""
        return tuple(scope for (scope,) in self._rows("SELECT DISTINCT scope FROM resource ORDER BY scope"))

    def kinds(self, scope: str) -> tuple[str, ...]:
        """Kinds that a scope has resources of."""
        return tuple(k for (k,) in self._rows("SELECT DISTINCT kind FROM resource WHERE scope=? ORDER BY kind", (scope,)))

    def natives(self) -> frozenset[str]:
        """Native types that there are resources of."""
        return frozenset(native for (native,) in self._rows("SELECT DISTINCT native_type FROM resource"))

    def find(self, text: str) -> Iterator[Resource]:
        """Resources whose id or name is `text`, or whose id ends with it."""
        query = (
            f"SELECT {COLUMNS}, body FROM resource WHERE id=? OR name=? OR substr(id, -length(?))=? ORDER BY id=? DESC, kind, id"  # noqa: S608 - constant
        )
        yield from map(self._resource, self._rows(query, (text, text, text, text, text)))

    def failed_calls(self) -> tuple[Call, ...]:
        """Calls that got no answer."""
        rows = self._rows("SELECT body FROM call WHERE outcome='failed' ORDER BY id")
        return tuple(self._read(codec.call_in, body) for (body,) in rows)

    def find_call(self, id: str) -> Call | None:  # noqa: A002 - the field's name
        """One call."""
        for (body,) in self._rows("SELECT body FROM call WHERE id=?", (id,)):
            return self._read(codec.call_in, body)
        return None

    def answer(self, digest: str) -> JSON:
        """The redacted answer kept under a digest, None where there is none."""
        for (body,) in self._rows("SELECT body FROM answer WHERE digest=?", (digest,)):
            return self._read(lambda data: data, _unpacked(body).decode("utf-8", "replace"))
        return None

    def size(self) -> tuple[int, int]:
        """Numbers of resources and of calls."""
        (resources,) = next(self._rows("SELECT count(*) FROM resource"))
        (calls,) = next(self._rows("SELECT count(*) FROM call"))
        return int(resources), int(calls)

    def export(self, out: TextIO) -> None:
        """Write everything but the answers as JSON Lines, in canonical order."""
        out.writelines(row + "\n" for row in self._canonical())

    def _canonical(self) -> Iterator[str]:
        yield from map(codec.dumps, self._few())
        for kind, identity, native_type, scope, region, name, body in self._rows("SELECT * FROM resource ORDER BY kind, id"):
            columns = {"id": identity, "kind": kind, "native_type": native_type, "scope": scope, "region": region, "name": name}
            # NOTE: its body is canonical as it stands, and there are many
            yield codec.joined({"resource": {**columns, **self._made(functools.partial(codec.columns, body))}})

    def _few(self) -> Iterator[JSON]:
        """All rows but those of resources."""
        yield {"bartizan": "snapshot", "schema": VERSION}
        for source in self.sources():
            yield {"source": codec.source_out(source)}
        for asked, body in self._by_source("asked"):
            yield {"asked": {"source": asked, **self._read(dict, body)}}
        for moved, ids in self.moves().items():
            yield {"moved": {"source": moved, "ids": ids}}
        for listing in self._listed():
            yield {"coverage": codec.coverage_out(listing)}
        for (text,) in self._rows("SELECT text FROM problem ORDER BY text"):
            yield {"problem": text}
        for found in self.inline():
            yield {"waiver": codec.inline_out(found)}
        for (body,) in self._rows("SELECT body FROM call ORDER BY id"):
            # NOTE: how long it took is not what was seen
            yield {"call": {k: v for k, v in self._read(dict, body).items() if k not in ("ms", "retries")}}

    def digest(self) -> str:
        """Hex SHA-256 over the canonical rows."""
        total = hashlib.sha256()
        for row in self._canonical():
            total.update(row.encode() + b"\n")
        return total.hexdigest()

    def kept_digest(self) -> str:
        """The digest written when the snapshot was finished; of an unfinished one, computed now."""
        return self._meta("digest") or self.digest()

    def verify(self) -> list[str]:
        """What is wrong with the file: damaged pages, changed rows, answers that are not what their digest says."""
        wrong = [f"SQLite: {text}" for (text,) in self._rows("PRAGMA integrity_check") if text != "ok"]
        if self.state != "complete":
            wrong.append("the collection was interrupted; continue it with --resume")
        elif self._meta("digest") != self.digest():
            wrong.append("the rows are not those that were collected (their digest differs)")
        for digest, body in self._rows("SELECT digest, body FROM answer"):
            if hashlib.sha256(_unpacked(body)).hexdigest() != digest:
                wrong.append(f"the answer {digest[:16]}… is not what was received")
        return wrong


def _texts(data: Any) -> dict[str, str]:
    """A mapping of texts."""
    return {str(key): str(value) for key, value in data.items()}


def _unpacked(body: Any) -> bytes:
    """An answer's text; empty where it is damaged or unreasonably large."""
    try:
        return zlib.decompressobj().decompress(body, MOST_ANSWER)
    except (zlib.error, TypeError):
        return b""


@contextmanager
def faults(path: Path) -> Iterator[None]:
    """SQLite's errors in words."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise BartizanError(
                f"{path}: another bartizan is writing this snapshot. Wait for it, or give another --snapshot PATH."
            ) from error
        raise BartizanError(f"{path}: cannot use the snapshot: {text}.") from error
    except sqlite3.DatabaseError as error:
        raise BartizanError(f"{path}: the snapshot is damaged ({error}). Collect it again.") from error
