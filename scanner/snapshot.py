"""A snapshot: what was seen of an estate, in one SQLite file that anyone can open.

Every page that a collector hands over is one transaction, so a killed scan loses at most the page in flight. The file is
created 0600, holds no secret (`scanner.redact`), and has a logical digest over its canonical rows: two snapshots with the same
digest are the same estate, whatever the order in which their pages came.
"""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import os
import sqlite3
import stat
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from scanner import codec
from scanner.asked import Asked, asked_out
from scanner.model import JSON, BartizanError, Call, Coverage, Extent, Gap, Inline, Reason, Resource, Source
from scanner.redact import hinted, redact, scrub
from scanner.stored import VERSION, Stored, faults

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
LATER = "CREATE TABLE IF NOT EXISTS waiver(source TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY(source, body)) WITHOUT ROWID"
"""What came to the schema without a new version: a reader that does not know it finds more open, never less."""
MAGIC = b"SQLite format 3\x00"
UNEXPLAINED = Gap(Reason.BUG, "", "This is a fault of bartizan; report it.", "the listing is not complete, and nobody said why")
INTERRUPTED = Gap(Reason.TRUNCATED, "", "Run the same command with --resume.", "the collection was interrupted")


UNKEPT = (ValueError, TypeError, RecursionError)
"""What `codec.dumps` raises on values that JSON cannot hold."""


def is_snapshot(path: Path) -> bool:
    """Whether a file begins as snapshots do. Raises OSError where it cannot be read.

    A pipe is none, and nothing is taken from it: `--baseline <(git show main:bartizan.json)` is read by who comes next.
    """
    if stat.S_ISFIFO(path.stat().st_mode):
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


class Snapshot(Stored):
    """One snapshot file. Writers may be many threads; each method is one transaction."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        self.asking: Asked | None = None
        """What the source that comes next is asked."""
        self._clashes: set[tuple[str, str]] = set()

    @classmethod
    def create(cls, path: Path, *, resume: bool = False, lasting: bool = True) -> Self:
        """A new snapshot for writing; with `resume` an unfinished one is continued. One that is not `lasting` may be lost with the power.

        Raises BartizanError where the file exists (without `resume`), cannot be written, or is in use.
        """
        fresh = _reserved(path, resume=resume)
        if not fresh:
            cls.open(path).close()  # NOTE: its checks come first, so a foreign file is never written to
        with faults(path):
            db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=2)
            db.execute("PRAGMA locking_mode=EXCLUSIVE")
            db.execute(f"PRAGMA journal_mode={'WAL' if lasting else 'MEMORY'}")
            db.execute(f"PRAGMA synchronous={'NORMAL' if lasting else 'OFF'}")
            db.execute("BEGIN IMMEDIATE")
            if fresh:
                for statement in TABLES.split(";\n"):
                    db.execute(statement)
                db.execute("INSERT INTO meta VALUES('schema', ?)", (str(VERSION),))
            db.execute(LATER)
            db.execute("INSERT OR REPLACE INTO meta VALUES('state', 'collecting')")
            db.execute("DELETE FROM meta WHERE key='digest'")  # NOTE: of rows that are about to change
            db.execute("COMMIT")
        return cls(path, db)

    @classmethod
    def open(cls, path: Path) -> Self:
        """A snapshot for reading. Raises BartizanError that says what is wrong with the file."""
        try:
            ordinary = stat.S_ISREG(path.stat().st_mode)  # NOTE: opening a pipe would wait for its other end
            known = ordinary and is_snapshot(path)
        except (OSError, ValueError) as error:
            raise BartizanError(f"{path}: cannot read the snapshot: {getattr(error, 'strerror', None) or error}.") from error
        if not known:
            raise BartizanError(f"{path}: is not a snapshot (no SQLite file). `bartizan collect … --snapshot PATH` makes one.")
        with faults(path):
            # NOTE: a snapshot whose writer was killed has a write-ahead log beside it, which only a writable handle replays
            mode = "rw" if os.access(path, os.W_OK) else "ro"
            db = sqlite3.connect(
                f"file:{_quoted(path)}?mode={mode}", uri=True, check_same_thread=False, isolation_level=None, timeout=2
            )
            db.execute("PRAGMA query_only=ON")
            db.execute("PRAGMA trusted_schema=OFF")  # the file may be anyone's
            version = db.execute("SELECT value FROM meta WHERE key='schema'").fetchone()
        if version is None or not str(version[0]).isdecimal():
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
        with self._lock, faults(self.path):
            if not self._db.execute("PRAGMA query_only").fetchone()[0]:
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._db.execute("PRAGMA journal_mode=DELETE")
            self._db.close()

    # ---- writing

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, faults(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:  # NOTE: a full disk has ended it already
                    self._db.execute("ROLLBACK")

    def source(self, source: Source) -> None:
        """Say who looks, and what `asking` says it is asked."""
        with self._transaction() as db:
            identity = codec.clean(source.id)
            db.execute("INSERT OR REPLACE INTO source VALUES(?, ?)", (identity, kept(codec.source_out(source))))
            if self.asking is not None:
                db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (f"asked:{identity}", codec.dumps(asked_out(self.asking))))

    def forget(self, source: str) -> None:
        """Drop what a source said, since it is read again."""
        with self._transaction() as db:
            db.execute("DELETE FROM coverage WHERE source=?", (source,))
            db.execute("DELETE FROM waiver WHERE source=?", (source,))
            db.execute("DELETE FROM resource WHERE json_extract(body, '$.source')=?", (source,))
            db.execute("DELETE FROM source WHERE id=?", (source,))
            db.execute("DELETE FROM meta WHERE key=?", (f"moved:{source}",))

    def expect(self, rows: Iterable[Coverage]) -> None:
        """Say what will be listed. Until the listing ends it counts as interrupted, so a killed scan is never a clean one."""
        with self._transaction() as db:
            for row in rows:
                if row.region:
                    # NOTE: an earlier run could not get into the scope at all, and said so once for all its regions
                    where = "source=? AND native_type=? AND kind=? AND region=''"
                    db.execute(f"DELETE FROM coverage WHERE {where}", (row.source, row.native_type, row.kind))  # noqa: S608 - fixed text
                self._cover(
                    db, Coverage(row.native_type, row.kind, row.scope, row.region, Extent.ABSENT, INTERRUPTED, 0, row.source)
                )

    def page(self, resources: Sequence[Resource]) -> None:
        """Keep resources. One that is there already is replaced; that another source put it there is a problem of the snapshot."""
        rows = [
            (*map(codec.clean, (r.kind, r.id, r.native_type, r.scope, r.region, redact(r.name))), _body(r), codec.clean(r.source))
            for r in resources
        ]
        with self._transaction() as db:
            before = db.total_changes
            db.executemany("INSERT OR IGNORE INTO resource VALUES(?,?,?,?,?,?,?)", (row[:7] for row in rows))
            if db.total_changes - before < len(rows):
                self._replace(db, rows)

    def _replace(self, db: sqlite3.Connection, rows: Sequence[tuple[str, ...]]) -> None:
        for row in rows:
            found = db.execute(
                "SELECT body, json_extract(body, '$.source') FROM resource WHERE kind=? AND id=?", row[:2]
            ).fetchone()
            if found[0] == row[6]:
                continue
            clash = (str(found[1]), row[7])
            if clash[0] != clash[1] and clash not in self._clashes:
                self._clashes.add(clash)
                text = f"{clash[0]} and {clash[1]} both have {row[1]} (and perhaps more): only the latter's is judged. Collect them into two snapshots."
                db.execute("INSERT OR IGNORE INTO problem VALUES(?)", (redact(text),))
            db.execute("INSERT OR REPLACE INTO resource VALUES(?,?,?,?,?,?,?)", row[:7])

    def call(self, call: Call, answer: JSON = None) -> None:
        """Keep a call and its (already redacted) answer."""
        self.calls([(call, answer)])

    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None:
        """Keep many calls with their answers in one transaction."""
        rows, answers = [], []
        for call, answer in pairs:
            body = call
            if answer is not None:
                text = _answer(answer).encode()
                digest = hashlib.sha256(text).hexdigest()
                answers.append((digest, zlib.compress(text, 1)))
                body = dataclasses.replace(call, digest=digest)
            named = map(codec.clean, (body.id, body.service, body.operation))
            rows.append((*named, body.outcome.value, kept(codec.call_out(body))))
        with self._transaction() as db:
            db.executemany("INSERT OR IGNORE INTO answer VALUES(?, ?)", answers)
            db.executemany("INSERT OR REPLACE INTO call VALUES(?,?,?,?,?)", rows)

    def coverage(self, row: Coverage) -> None:
        """Say how a listing ended."""
        with self._transaction() as db:
            self._cover(db, row)

    @staticmethod
    def _cover(db: sqlite3.Connection, row: Coverage) -> None:
        if row.extent is not Extent.COMPLETE and row.gap is None:
            row = dataclasses.replace(row, gap=UNEXPLAINED)
        named = map(codec.clean, (row.native_type, row.kind, row.scope, row.region, row.source))
        db.execute(
            "INSERT OR REPLACE INTO coverage VALUES(?,?,?,?,?,?,?)", (*named, row.extent.value, kept(codec.coverage_out(row)))
        )

    def problem(self, text: str) -> None:
        """Keep something that went wrong, for every report made from this snapshot."""
        with self._transaction() as db:
            db.execute("INSERT OR IGNORE INTO problem VALUES(?)", (redact(codec.clean(text)),))

    def waivers(self, found: Iterable[Inline]) -> None:
        """Keep the waivers of a source's own text, as they stand there."""
        rows = [(codec.clean(each.source), kept(codec.inline_out(each))) for each in found]
        with self._transaction() as db:
            db.executemany("INSERT OR IGNORE INTO waiver VALUES(?, ?)", rows)

    def moved(self, source: str, moves: Mapping[str, str]) -> None:
        """Keep what a source moves: id that a resource had → id that it has now, empty where it is let go."""
        if moves:
            with self._transaction() as db:
                db.execute("INSERT OR REPLACE INTO meta VALUES(?, ?)", (f"moved:{codec.clean(source)}", codec.dumps(dict(moves))))

    def cured(self, start: str) -> None:
        """Forget the problems that begin with `start`: what they speak of is tried again."""
        with self._transaction() as db:
            db.execute("DELETE FROM problem WHERE substr(text, 1, length(?))=?", (start, start))

    def finish(self) -> str:
        """Mark the snapshot as complete and return its digest."""
        digest = self.digest()
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES('state', 'complete')")
            db.execute("INSERT OR REPLACE INTO meta VALUES('digest', ?)", (digest,))
        return digest


def kept(value: JSON) -> str:
    """Canonical JSON without secrets."""
    text = codec.dumps(value)
    return codec.dumps(scrub(value)) if hinted(text) else text


def _answer(answer: JSON) -> str:
    """An answer as it is kept; one that JSON cannot hold is evidence that is missing, and no reason to stop."""
    try:
        return kept(answer)
    except UNKEPT as error:
        return codec.dumps(f"(not kept: {type(error).__name__})")


def _body(resource: Resource) -> str:
    """A resource's body; facts that JSON cannot hold (NaN, a thousand levels) are unknown."""
    try:
        return kept(codec.resource_out(resource))
    except UNKEPT:
        facts, gaps = {}, dict(resource.gaps)
        for name, value in resource.facts.items():
            try:
                codec.dumps(value)
            except UNKEPT as error:
                gaps[name] = Gap(
                    Reason.UNPARSABLE, "", "Report it with the answer's shape.", f"{type(error).__name__}: {error}"[:200]
                )
            else:
                facts[name] = value
        return kept(codec.resource_out(resource.replace(facts=facts, gaps=gaps)))


def _reserved(path: Path, *, resume: bool) -> bool:
    """Make sure of a private, ordinary file at `path`; whether it is new. Links are not followed: they may be anyone's, to anywhere."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags, 0o600)
    except (OSError, ValueError) as error:
        link = getattr(error, "errno", None) == errno.ELOOP
        cause = "it is a link" if link else getattr(error, "strerror", None) or error
        raise BartizanError(f"{path}: cannot write the snapshot: {cause}.") from error
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise BartizanError(f"{path}: cannot write the snapshot: it is no ordinary file.")
        if status.st_size and not resume:
            raise BartizanError(f"{path}: exists already. Remove it, give another --snapshot PATH, or continue it with --resume.")
        os.chmod(handle if os.chmod in os.supports_fd else path, 0o600)  # noqa: PTH101 - the file that was checked, not its name
    except OSError as error:
        raise BartizanError(f"{path}: cannot write the snapshot: {error.strerror}.") from error
    finally:
        os.close(handle)
    return not status.st_size


def _quoted(path: Path) -> str:
    """A path for an SQLite URI, whatever bytes it has."""
    return quote(os.fsencode(path.absolute()))
