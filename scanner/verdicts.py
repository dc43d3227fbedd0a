"""Verdicts of a run, kept on disk once they are many: a scan of 200,000 resources makes a million of them.

Failures and unknowns are ordered by danger; passes and the rest stay in the order of their chunks.
"""

from __future__ import annotations

import pickle
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from scanner.judge import recall
from scanner.model import BartizanError, Resource, Rule, Severity, Status, Verdict


def order(verdict: Verdict) -> str:
    """The sort key: open failures, then waived ones, then unknowns; the more severe, then the AI factory's, first."""
    place = 0 if verdict.open else 1 if verdict.status is Status.FAIL else 2
    return "\0".join(
        (
            f"{place}{verdict.severity.rank}{0 if verdict.ai_role else 1}",
            verdict.rule,
            verdict.scope,
            verdict.subject,
            verdict.fingerprint,
        )
    )


Settled = tuple[str, int, Status, str]
"""Rule id, number of the resource, and what `scanner.judge.settle` said."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The verdicts of one chunk, packed by the process that made them."""

    notable: tuple[tuple[str, bytes], ...]
    """(sort key, packed verdict) of failures and unknowns."""
    rest: bytes
    """Of all others what they are made of, packed together: most verdicts are passes, and few readers want them whole."""
    tally: Mapping[Status, int]
    opens: Mapping[Severity, int]


def pack(notable: Iterable[Verdict], resources: Sequence[Resource] = (), rest: Sequence[Settled] = ()) -> Batch:
    """A batch of failures and unknowns, and of what was settled about `resources`."""
    packed = []
    tally: Counter[Status] = Counter(status for _, _, status, _ in rest)
    opens: Counter[Severity] = Counter()
    for verdict in notable:
        tally[verdict.status] += 1
        if verdict.open:
            opens[verdict.severity] += 1
        packed.append((order(verdict), pickle.dumps(verdict, pickle.HIGHEST_PROTOCOL)))
    return Batch(tuple(packed), zlib.compress(pickle.dumps((resources, rest), pickle.HIGHEST_PROTOCOL), 1), tally, opens)


class Verdicts(Sequence[Verdict]):
    """An ordered collection of verdicts. The file behind it is SQLite's own temporary one: it is private and vanishes with us."""

    def __init__(self, rules: Iterable[Rule] = (), severities: Mapping[str, Severity] | None = None) -> None:
        self._rules = {rule.id: rule for rule in rules}
        self._severities = {rule.id: (severities or {}).get(rule.id, rule.severity) for rule in self._rules.values()}
        self._controls = {(rule.id, native): rule.controls_for(native) for rule in self._rules.values() for native in rule.covers}
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA cache_size=-16384")
        self._db.execute("CREATE TABLE notable(key TEXT, body BLOB)")
        self._db.execute("CREATE TABLE rest(number INTEGER PRIMARY KEY, body BLOB)")
        self._tally: Counter[Status] = Counter()
        self._opens: Counter[Severity] = Counter()

    def add(self, number: int, batch: Batch) -> None:
        """Add the batch of chunk `number`."""
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT INTO notable VALUES(?, ?)", batch.notable)
            self._db.execute("INSERT INTO rest VALUES(?, ?)", (number, batch.rest))
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise BartizanError(f"The verdicts need room among the temporary files: {error}. Set TMPDIR.") from error
        self._tally.update(batch.tally)
        self._opens.update(batch.opens)

    def tally(self) -> Mapping[Status, int]:
        """See `scanner.model.Tallied`."""
        return self._tally

    def opens(self) -> Mapping[Severity, int]:
        """See `scanner.model.Tallied`."""
        return self._opens

    def notable(self) -> Iterator[Verdict]:
        """See `scanner.model.Tallied`: failures, then unknowns, most dangerous first."""
        for (body,) in self._db.execute("SELECT body FROM notable ORDER BY key"):
            yield pickle.loads(body)  # noqa: S301 - our own bytes, from a private file

    def __iter__(self) -> Iterator[Verdict]:
        yield from self.notable()
        for (body,) in self._db.execute("SELECT body FROM rest ORDER BY number"):
            resources, rest = pickle.loads(zlib.decompress(body))  # noqa: S301 - our own bytes, from a private file
            for identity, number, status, message in rest:
                resource = resources[number]
                controls = self._controls[identity, resource.native_type]
                yield recall(self._rules[identity], resource, (status, message), self._severities[identity], controls)

    def __len__(self) -> int:
        return sum(self._tally.values())

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | Sequence[Verdict]:
        return tuple(self)[index]
