"""Rows of a listing on their way to resources: the detail calls, batches and side listings that complete them."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from collectors.jobs import Pools
from collectors.project import UNREADABLE, Parts, look, part_of
from collectors.table import Batch, Call, Side, Table
from scanner.model import Gap

UNMATCHED = object()
"""Where entries of a side listing stand whose key is not of the documented shape."""


@dataclass(slots=True)
class Answer:
    """What a question takes of an answer, or a gap; and the call it came from."""

    value: Any = None
    gap: Gap | None = None
    call: str = ""


class Asker(Protocol):
    """Asks one question about one row, in one scope."""

    context: Mapping[str, str]
    """The row's `context` part, but for the region."""

    def one(self, question: Call, row: Mapping[str, Any], region: str, redact: Sequence[str]) -> Answer:
        """The taken answer; several pages of lists are joined."""

    def unreadable(self, question: Call, error: Exception) -> Gap:
        """The gap of an answer that is not of the documented shape."""


class Rows:
    """Completes rows. Side listings are kept, so that all tables and pages of a region share them."""

    def __init__(self, asker: Asker, pool: Pools) -> None:
        self._asker = asker
        self._pool = pool
        self._sides: dict[str, Answer] = {}
        self._indexes: dict[tuple[str, str], Mapping[Any, list[Any]]] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def complete(self, table: Table, names: Sequence[str], region: str, rows: Sequence[Parts]) -> None:
        """Ask for the parts called `names` of every row: shared ones once, own ones a row at a time, many rows at once."""
        shared = [p for p in names if isinstance(table.detail[p], Batch | Side)]
        # NOTE: a batch or side that is matched by what a detail call answers has to wait for it
        late = [p for p in shared if part_of(getattr(table.detail[p], "on")) in table.detail]  # noqa: B009 - Call has no `on`
        own = [p for p in names if p not in shared]
        for part in shared:
            if part not in late:
                self._shared(table, part, region, rows)
        if own:
            list(self._pool.map(table.list.service, lambda parts: self._describe(table, own, region, parts), rows))
        for part in late:
            self._shared(table, part, region, rows)

    def _describe(self, table: Table, own: Sequence[str], region: str, parts: Parts) -> None:
        """The detail calls of one row, in the table's order: a later one may need an earlier one's answer."""
        for part in own:
            question = table.detail[part]
            if not isinstance(question, Call):
                continue
            read = [part_of(p) for p in (*question.args.values(), question.region) if p]
            earlier = tuple(p for p in own[: own.index(part)]) if question.when and not question.needs else question.needs
            blocked = next((parts.gaps[p] for p in (*read, *earlier) if p in parts.gaps), None)
            wanted = False
            if blocked is None:
                try:
                    wanted = question.when is None or question.when(parts.row)
                except UNREADABLE as error:
                    blocked = self._asker.unreadable(question, error)
            if wanted:
                _put(parts, part, self._asked(question, parts.row, region, table.redact))
            elif blocked is not None:
                parts.gaps[part] = blocked

    def _shared(self, table: Table, part: str, region: str, rows: Sequence[Parts]) -> None:
        detail = table.detail[part]
        if isinstance(detail, Batch):
            found = self._batch(detail, region, table.redact, rows)
            for parts in rows:
                blocked = parts.gaps.get(part_of(detail.on))
                value = look(detail.on, parts.row)
                if blocked is None and not isinstance(value, Hashable):
                    blocked = self._asker.unreadable(detail.call, TypeError(f"{detail.on} is {type(value).__name__}"))
                _put(parts, part, Answer(gap=blocked) if blocked else found.get(value, Answer()))  # none to ask with: no answer
        elif isinstance(detail, Side):
            key, answer = self._once(detail.call, region, table.redact)
            index = self._index(key, detail, answer)
            # NOTE: whom an entry belongs to that has a key of no documented shape is unknown, so it may be anyone's
            stray = self._asker.unreadable(detail.call, TypeError(f"{detail.key} has no text")) if UNMATCHED in index else None
            for parts in rows:
                gap = answer.gap or stray or parts.gaps.get(part_of(detail.on))
                found_all: list[Any] = []
                for value in _each(look(detail.on, parts.row)):
                    if isinstance(value, Hashable):
                        found_all += index.get(value, [])
                    else:
                        gap = gap or self._asker.unreadable(detail.call, TypeError(f"{detail.on} is {type(value).__name__}"))
                _put(parts, part, Answer(None if gap else found_all, gap, answer.call))

    def _asked(self, call: Call, row: Mapping[str, Any], region: str, redact: Sequence[str]) -> Answer:
        """The answer to a detail call. One that takes nothing of the row (a setting of the account) is the same for all of them."""
        if call.args or call.region:
            return self._asker.one(call, row, region, redact)
        return self._once(call, region, redact)[1]

    def _once(self, call: Call, region: str, redact: Sequence[str]) -> tuple[str, Answer]:
        """A call that is made once a region, however many rows, tables and pages want it."""
        key = json.dumps(
            [
                call.service,
                call.operation,
                call.take,
                dict(call.fixed),
                dict(call.args),
                sorted(call.means),
                sorted(call.reduce),
                region,
            ],
            default=str,
        )
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._sides:
                row = {"context": {**self._asker.context, "region": region}}
                self._sides[key] = self._asker.one(call, row, region, redact)
            return key, self._sides[key]

    def _index(self, key: str, side: Side, answer: Answer) -> Mapping[Any, list[Any]]:
        """Value → entries of a side listing, made once."""
        path = side.key
        with self._lock:
            if (key, path) not in self._indexes:
                index: dict[Any, list[Any]] = {}
                for entry in answer.value or []:
                    for value in _each(look(path, entry)):
                        made = side.read(value) if side.read and isinstance(value, str) else value
                        index.setdefault(made if isinstance(made, Hashable) else UNMATCHED, []).append(entry)
                self._indexes[key, path] = index
            return self._indexes[key, path]

    def _batch(self, batch: Batch, region: str, redact: Sequence[str], rows: Sequence[Parts]) -> dict[Any, Answer]:
        """Value → its own answer; every distinct value is asked for once."""
        found: dict[Any, Answer] = {}
        seen = (look(batch.on, parts.row) for parts in rows)
        values = list(dict.fromkeys(v for v in seen if v is not None and isinstance(v, Hashable)))
        for start in range(0, len(values), batch.size):
            found |= self._block(batch, values[start : start + batch.size], region, redact)
        return found

    def _block(self, batch: Batch, block: Sequence[Any], region: str, redact: Sequence[str]) -> dict[Any, Answer]:
        """Value → its own answer, for values asked for in one call; where one of them spoils it, in smaller blocks."""
        call = batch.call
        asked = dataclasses.replace(call, fixed={**call.fixed, batch.parameter: list(block)})
        answer = self._asker.one(asked, {}, region, redact)
        if answer.gap is None and answer.value is None and len(block) > 1:
            half = len(block) // 2
            return {v: a for part in (block[:half], block[half:]) for v, a in self._block(batch, part, region, redact).items()}
        by_key = {k: entry for entry in answer.value or [] if isinstance(k := look(batch.key, entry), Hashable)}
        found: dict[Any, Answer] = {}
        for value in block:
            gap = answer.gap
            if gap is None and value not in by_key:  # NOTE: asked for and left out is no answer, so no default holds
                gap = self._asker.unreadable(call, LookupError(f"the answer leaves out {value}"))
            found[value] = Answer(by_key.get(value), gap, answer.call)
        return found


def _each(value: Any) -> Iterator[Any]:
    yield from value if isinstance(value, list) else (value,)


def _put(parts: Parts, part: str, answer: Answer) -> None:
    if answer.gap is not None:
        parts.gaps[part] = answer.gap
    parts.row[part] = answer.value
    parts.calls[part] = answer.call
