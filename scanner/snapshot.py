"""A snapshot: what was seen of an estate, in one SQLite file that anyone can open.

Every page that a collector hands over is one transaction, so a killed scan loses at most the page in flight. The file is
created 0600, holds no secret (`scanner.redact`), and has a logical digest over its canonical rows: two snapshots with the same
digest are the same estate, whatever the order in which their pages came.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from scanner import codec
from scanner.model import JSON, BartizanError, Call, Coverage, Extent, Gap, Reason, Resource, Source
from scanner.redact import redact

VERSION = 1
"""Of the schema. A newer file is refused; an older one would be migrated here."""

TABLES = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source(id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE resource(
  kind TEXT NOT NULL, id TEXT NOT NULL, native_type TEXT NOT NULL, scope TEXT NOT NULL, region TEXT NOT NULL,
  name TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY(kind, id)) WITHOUT ROWID;
CREATE INDEX resource_scope ON resource(scope, kind, id);
CREATE TABLE call(id TEXT PRIMARY KEY, service TEXT NOT NULL, operation TEXT NOT NULL, outcome TEXT NOT NULL, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE coverage(
  native_type TEXT NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL, region TEXT NOT NULL, source TEXT NOT NULL,
  extent TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY(native_type, kind, scope, region, source)) WITHOUT ROWID;
CREATE TABLE answer(digest TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE problem(text TEXT PRIMARY KEY) WITHOUT ROWID;
"""
COLUMNS = "id, kind, native_type, scope, region, name"
MAGIC = b"SQLite format 3\x00"
INTERRUPTED = Gap(Reason.TRUNCATED, "", "Run the same command with --resume.", "the collection was interrupted")


class Snapshot:
    """One snapshot file. Writers may be many threads; each method is one transaction."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._lock = threading.Lock()

    @classmethod
    def create(cls, path: Path, *, resume: bool = False) -> Self:
        """A new snapshot for writing; with `resume` an unfinished one is continued.

        Raises BartizanError where the file exists (without `resume`), cannot be written, or is in use.
        """
        if path.exists() and path.stat().st_size and not resume:
            raise BartizanError(f"{path}: exists already. Remove it, give another --snapshot PATH, or continue it with --resume.")
        fresh = not path.exists() or not path.stat().st_size
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            path.chmod(0o600)
        except OSError as error:
            raise BartizanError(f"{path}: cannot write the snapshot: {error.strerror}.") from error
        if not fresh:
            cls.open(path).close()  # NOTE: its checks come first, so a foreign file is never written to
        with _faults(path):
            db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2)
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=NORMAL")
            db.execute("BEGIN IMMEDIATE")
            if fresh:
                for statement in TABLES.split(";\n"):
                    db.execute(statement)
                db.execute("INSERT INTO meta VALUES('schema', ?)", (str(VERSION),))
            db.execute("INSERT OR REPLACE INTO meta VALUES('state', 'collecting')")
            db.execute("COMMIT")
        return cls(path, db)

    @classmethod
    def open(cls, path: Path) -> Self:
        """A snapshot for reading. Raises BartizanError that says what is wrong with the file."""
        try:
            with path.open("rb") as file:
                head = file.read(16)
        except OSError as error:
            raise BartizanError(f"{path}: cannot read the snapshot: {error.strerror}.") from error
        if head != MAGIC:
            raise BartizanError(f"{path}: is not a snapshot (no SQLite file). `bartizan collect … --snapshot PATH` makes one.")
        with _faults(path):
            # NOTE: a snapshot whose writer was killed has a write-ahead log beside it, which only a writable handle replays
            mode = "rw" if os.access(path, os.W_OK) else "ro"
            db = sqlite3.connect(
                f"file:{_quoted(path)}?mode={mode}", uri=True, check_same_thread=False, isolation_level=None, timeout=2
            )
            db.execute("PRAGMA query_only=ON")
            version = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if version is None or not version[0].isdigit():
            raise BartizanError(f"{path}: has no schema version, so it is not a whole snapshot.")
        if int(version[0]) > VERSION:
            raise BartizanError(
                f"{path}: has schema version {version[0]}, this bartizan reads up to {VERSION}. Install the release that wrote it, or a newer one."
            )
        return cls(path, db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; a writer's log is folded in."""
        with self._lock, _faults(self.path):
            if not self._db.execute("PRAGMA query_only").fetchone()[0]:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._db.execute("PRAGMA journal_mode=DELETE")
            self._db.close()

    # ---- writing

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _faults(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except sqlite3.Error:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def source(self, source: Source) -> None:
        """Say who looks."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO source VALUES(?, ?)", (source.id, redact(codec.dumps(codec.source_out(source)))))

    def expect(self, rows: Iterable[Coverage]) -> None:
        """Say what will be listed. Until the listing ends it counts as interrupted, so a killed scan is never a clean one."""
        with self._transaction() as db:
            for row in rows:
                self._cover(
                    db, Coverage(row.native_type, row.kind, row.scope, row.region, Extent.ABSENT, INTERRUPTED, 0, row.source)
                )

    def page(self, resources: Sequence[Resource]) -> None:
        """Keep resources. One that is there already is replaced."""
        rows = [
            (
                *map(codec.clean, (r.kind, r.id, r.native_type, r.scope, r.region, redact(r.name))),
                redact(codec.dumps(codec.resource_out(r))),
            )
            for r in resources
        ]
        with self._transaction() as db:
            db.executemany("INSERT OR REPLACE INTO resource VALUES(?,?,?,?,?,?,?)", rows)

    def call(self, call: Call, answer: JSON = None) -> None:
        """Keep a call and its (already redacted) answer."""
        self.calls([(call, answer)])

    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None:
        """Keep many calls with their answers in one transaction."""
        rows, answers = [], []
        for call, answer in pairs:
            body = call
            if answer is not None:
                text = redact(codec.dumps(answer)).encode()
                digest = hashlib.sha256(text).hexdigest()
                answers.append((digest, zlib.compress(text, 1)))
                body = Call(
                    call.id,
                    call.service,
                    call.operation,
                    call.scope,
                    call.region,
                    call.outcome,
                    call.reason,
                    call.detail,
                    call.ms,
                    call.retries,
                    digest,
                )
            rows.append((body.id, body.service, body.operation, body.outcome.value, redact(codec.dumps(codec.call_out(body)))))
        with self._transaction() as db:
            db.executemany("INSERT OR IGNORE INTO answer VALUES(?, ?)", answers)
            db.executemany("INSERT OR REPLACE INTO call VALUES(?,?,?,?,?)", rows)

    def coverage(self, row: Coverage) -> None:
        """Say how a listing ended."""
        with self._transaction() as db:
            self._cover(db, row)

    @staticmethod
    def _cover(db: sqlite3.Connection, row: Coverage) -> None:
        db.execute(
            "INSERT OR REPLACE INTO coverage VALUES(?,?,?,?,?,?,?)",
            (
                row.native_type,
                row.kind,
                row.scope,
                row.region,
                row.source,
                row.extent.value,
                redact(codec.dumps(codec.coverage_out(row))),
            ),
        )

    def problem(self, text: str) -> None:
        """Keep something that went wrong, for every report made from this snapshot."""
        with self._transaction() as db:
            db.execute("INSERT OR IGNORE INTO problem VALUES(?)", (redact(codec.clean(text)),))

    def finish(self) -> str:
        """Mark the snapshot as complete and return its digest."""
        digest = self.digest()
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES('state', 'complete')")
            db.execute("INSERT OR REPLACE INTO meta VALUES('digest', ?)", (digest,))
        return digest

    # ---- reading

    def _rows(self, query: str, values: Sequence[str | int] = ()) -> Iterator[tuple[str, ...]]:
        """Rows of a query, fetched in blocks so that writers on other threads get their turn."""
        with self._lock, _faults(self.path):
            cursor = self._db.execute(query, values)
        while True:
            with self._lock, _faults(self.path):
                block = cursor.fetchmany(1000)
            if not block:
                return
            yield from block

    @property
    def state(self) -> str:
        """`collecting` (unfinished) or `complete`."""
        return next((row[0] for row in self._rows("SELECT value FROM meta WHERE key='state'")), "collecting")

    def sources(self) -> tuple[Source, ...]:
        """Who looked, by id."""
        return tuple(codec.source_in(json.loads(body)) for (body,) in self._rows("SELECT body FROM source ORDER BY id"))

    def problems(self) -> tuple[str, ...]:
        """What went wrong while collecting."""
        return tuple(text for (text,) in self._rows("SELECT text FROM problem ORDER BY text"))

    def listings(self) -> tuple[Coverage, ...]:
        """All coverage rows."""
        query = "SELECT body FROM coverage ORDER BY native_type, kind, scope, region, source"
        return tuple(codec.coverage_in(json.loads(body)) for (body,) in self._rows(query))

    def get(self, kind: str, id: str) -> Resource | None:  # noqa: A002 - the field's name
        """One resource."""
        for row in self._rows(f"SELECT {COLUMNS}, body FROM resource WHERE kind=? AND id=?", (kind, id)):  # noqa: S608 - constant
            return codec.resource_in(row[:6], row[6])  # type: ignore[arg-type]
        return None

    def resources(self, kind: str = "", scope: str = "", after: str = "", limit: int = -1) -> Iterator[Resource]:
        """Resources of a kind (all kinds), of one scope (all scopes), ordered by kind and id, starting behind the id `after`."""
        # NOTE: only the conditions that are there, so that SQLite can use its indexes: a chunk must not cost a scan of the table
        wanted = {"kind=?": kind, "scope=?": scope, "id>?": after}
        used = {condition: value for condition, value in wanted.items() if value}
        where = f"WHERE {' AND '.join(used)}" if used else ""
        query = f"SELECT {COLUMNS}, body FROM resource {where} ORDER BY kind, id LIMIT ?"  # noqa: S608 - constants
        for row in self._rows(query, (*used.values(), limit)):
            yield codec.resource_in(row[:6], row[6])  # type: ignore[arg-type]

    def ids(self, kind: str, scope: str) -> Iterator[tuple[str, str]]:
        """(id, native type) of the resources of a kind in a scope, by id."""
        yield from self._rows("SELECT id, native_type FROM resource WHERE scope=? AND kind=? ORDER BY id", (scope, kind))  # type: ignore[misc]

    def kinds(self, scope: str) -> tuple[str, ...]:
        """Kinds that a scope has resources of."""
        return tuple(k for (k,) in self._rows("SELECT DISTINCT kind FROM resource WHERE scope=? ORDER BY kind", (scope,)))

    def find(self, text: str) -> Iterator[Resource]:
        """Resources whose id or name is `text`, or whose id ends with it."""
        query = (
            f"SELECT {COLUMNS}, body FROM resource WHERE id=? OR name=? OR substr(id, -length(?))=? ORDER BY id=? DESC, kind, id"  # noqa: S608 - constant
        )
        for row in self._rows(query, (text, text, text, text, text)):
            yield codec.resource_in(row[:6], row[6])  # type: ignore[arg-type]

    def failed_calls(self) -> tuple[Call, ...]:
        """Calls that got no answer."""
        return tuple(
            codec.call_in(json.loads(b)) for (b,) in self._rows("SELECT body FROM call WHERE outcome='failed' ORDER BY id")
        )

    def find_call(self, id: str) -> Call | None:  # noqa: A002 - the field's name
        """One call."""
        for (body,) in self._rows("SELECT body FROM call WHERE id=?", (id,)):
            return codec.call_in(json.loads(body))
        return None

    def answer(self, digest: str) -> JSON:
        """The redacted answer kept under a digest, None where there is none."""
        for (body,) in self._rows("SELECT body FROM answer WHERE digest=?", (digest,)):
            return json.loads(zlib.decompress(body))  # type: ignore[arg-type]
        return None

    def size(self) -> tuple[int, int]:
        """Numbers of resources and of calls."""
        (resources,) = next(self._rows("SELECT count(*) FROM resource"))
        (calls,) = next(self._rows("SELECT count(*) FROM call"))
        return int(resources), int(calls)

    def export(self, out: TextIO) -> None:
        """Write everything but the answers as JSON Lines, in canonical order."""
        out.writelines(codec.dumps(row) + "\n" for row in self._canonical())

    def _canonical(self) -> Iterator[JSON]:
        yield {"bartizan": "snapshot", "schema": VERSION}
        for source in self.sources():
            yield {"source": codec.source_out(source)}
        for listing in self.listings():
            yield {"coverage": codec.coverage_out(listing)}
        for (text,) in self._rows("SELECT text FROM problem ORDER BY text"):
            yield {"problem": text}
        for (body,) in self._rows("SELECT body FROM call ORDER BY id"):
            yield {
                "call": {k: v for k, v in json.loads(body).items() if k not in ("ms", "retries")}
            }  # how long it took is not what was seen
        for kind, identity, native_type, scope, region, name, body in self._rows("SELECT * FROM resource ORDER BY kind, id"):
            columns = {"id": identity, "kind": kind, "native_type": native_type, "scope": scope, "region": region, "name": name}
            yield {"resource": {**columns, **json.loads(body)}}

    def digest(self) -> str:
        """Hex SHA-256 over the canonical rows."""
        total = hashlib.sha256()
        for row in self._canonical():
            total.update(codec.dumps(row).encode() + b"\n")
        return total.hexdigest()

    def kept_digest(self) -> str:
        """The digest written when the snapshot was finished; of an unfinished one, computed now."""
        return next((row[0] for row in self._rows("SELECT value FROM meta WHERE key='digest'")), "") or self.digest()

    def verify(self) -> list[str]:
        """What is wrong with the file: damaged pages, changed rows, answers that are not what their digest says."""
        wrong = [f"SQLite: {text}" for (text,) in self._rows("PRAGMA integrity_check") if text != "ok"]
        kept = next((row[0] for row in self._rows("SELECT value FROM meta WHERE key='digest'")), "")
        if self.state != "complete":
            wrong.append("the collection was interrupted; continue it with --resume")
        elif kept != self.digest():
            wrong.append("the rows are not those that were collected (their digest differs)")
        for digest, body in self._rows("SELECT digest, body FROM answer"):
            try:
                text = zlib.decompress(body)  # type: ignore[arg-type]
            except zlib.error:
                text = b""
            if hashlib.sha256(text).hexdigest() != digest:
                wrong.append(f"the answer {digest[:16]}… is not what was received")
        return wrong


def _quoted(path: Path) -> str:
    """A path for an SQLite URI."""
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")


@contextmanager
def _faults(path: Path) -> Iterator[None]:
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
