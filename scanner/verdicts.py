"""Verdicts of a run, on disk once they are many: a scan of 200,000 resources makes a million of them.

Failures and unknowns are ordered by danger; passes and the rest stay in the order of their chunks.
"""

from __future__ import annotations

import pickle
import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, overload

from scanner.judge import Shown, recall
from scanner.model import BartizanError, Resource, Rule, Severity, Status, Verdict, frozen


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


HELD = 20_000
"""Verdicts up to this many stay in memory: 20,000 are some 20 MB, and every reporter reads them again."""

Rest = tuple[Sequence[Resource], Sequence[Settled]]


@frozen
class Batch:
    """The verdicts of one chunk."""

    notable: Sequence[tuple[str, Verdict]]
    """(sort key, verdict) of failures and unknowns."""
    rest: Rest
    """Of all others what they are made of: most verdicts are passes, and few readers want them whole."""
    tally: Mapping[Status, int]
    opens: Mapping[Severity, int]


def pack(notable: Iterable[Verdict], resources: Sequence[Resource] = (), rest: Sequence[Settled] = ()) -> Batch:
    """A batch of failures and unknowns, and of what was settled about `resources`."""
    keyed = []
    tally: Counter[Status] = Counter(status for _, _, status, _ in rest)
    opens: Counter[Severity] = Counter()
    for verdict in notable:
        tally[verdict.status] += 1
        if verdict.open:
            opens[verdict.severity] += 1
        keyed.append((order(verdict), verdict))
    return Batch(keyed, (resources, rest), tally, opens)


def _packed(value: Any) -> bytes:
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


class Controls(dict[tuple[str, str], Mapping[str, tuple[str, ...]]]):
    """(rule id, native type) → controls, made when they are asked for: few types of all that the rules cover are there."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        super().__init__()
        self._rules = {rule.id: rule for rule in rules}

    def __missing__(self, key: tuple[str, str]) -> Mapping[str, tuple[str, ...]]:
        found = self[key] = self._rules[key[0]].controls_for(key[1])
        return found


class Verdicts(Sequence[Verdict]):
    """An ordered collection of verdicts. The file behind it is SQLite's own temporary one: it is private and vanishes with us."""

    def __init__(self, rules: Iterable[Rule] = (), severities: Mapping[str, Severity] | None = None) -> None:
        self._rules = {rule.id: rule for rule in rules}
        self._severities = {rule.id: (severities or {}).get(rule.id, rule.severity) for rule in self._rules.values()}
        self._controls = Controls(self._rules.values())
        self._db: sqlite3.Connection | None = None
        """Once they are many."""
        self._held: dict[int, Batch] = {}
        self._tally: Counter[Status] = Counter()
        self._opens: Counter[Severity] = Counter()

    def add(self, number: int, batch: Batch) -> None:
        """Add the batch of chunk `number`."""
        self._held[number] = batch
        self._tally.update(batch.tally)
        self._opens.update(batch.opens)
        if self._db is not None or len(self) > HELD:
            self._store()

    def _store(self) -> None:
        """Move to disk what is held."""
        if self._db is None:
            self._db = sqlite3.connect("", isolation_level=None)
            self._db.execute("PRAGMA cache_size=-16384")
            self._db.execute("CREATE TABLE notable(key TEXT, body BLOB)")
            self._db.execute("CREATE TABLE rest(number INTEGER PRIMARY KEY, body BLOB)")
        try:
            self._db.execute("BEGIN")
            for number, batch in self._held.items():
                self._db.executemany(
                    "INSERT INTO notable VALUES(?, ?)", ((key, _packed(verdict)) for key, verdict in batch.notable)
                )
                self._db.execute("INSERT INTO rest VALUES(?, ?)", (number, zlib.compress(_packed(batch.rest), 1)))
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise BartizanError(f"The verdicts need room among the temporary files: {error}. Set TMPDIR.") from error
        self._held.clear()

    def tally(self) -> Mapping[Status, int]:
        """See `scanner.model.Tallied`."""
        return self._tally

    def opens(self) -> Mapping[Severity, int]:
        """See `scanner.model.Tallied`."""
        return self._opens

    def notable(self) -> Iterator[Verdict]:
        """See `scanner.model.Tallied`: failures, then unknowns, most dangerous first."""
        if self._db is None:
            keyed = [each for batch in self._held.values() for each in batch.notable]
            yield from (verdict for _, verdict in sorted(keyed, key=itemgetter(0)))
            return
        for (body,) in self._db.execute("SELECT body FROM notable ORDER BY key, rowid"):
            yield pickle.loads(body)  # noqa: S301 - our own bytes, from a private file

    def _rest(self) -> Iterator[Rest]:
        """What was settled, in the order of the chunks."""
        if self._db is None:
            yield from (batch.rest for _, batch in sorted(self._held.items(), key=itemgetter(0)))
            return
        for (body,) in self._db.execute("SELECT body FROM rest ORDER BY number"):
            yield pickle.loads(zlib.decompress(body))  # noqa: S301 - our own bytes, from a private file

    def __iter__(self) -> Iterator[Verdict]:
        yield from self.notable()
        for resources, rest in self._rest():
            shown: Shown = {}
            last = -1
            for identity, number, status, message in rest:
                if number != last:
                    shown, last = {}, number
                resource = resources[number]
                controls = self._controls[identity, resource.native_type]
                yield recall(self._rules[identity], resource, (status, message), self._severities[identity], controls, shown)

    def __len__(self) -> int:
        return sum(self._tally.values())

    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Verdict]: ...
    def __getitem__(self, index: int | slice) -> Verdict | Sequence[Verdict]:
        return tuple(self)[index]
