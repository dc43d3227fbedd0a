"""The one interpreter of live tables: asks what the tables need and the rules want, and writes every page as it comes."""

from __future__ import annotations

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from collectors.ask import Client, Fault, Sink
from collectors.demand import Demand
from collectors.jobs import Job, Limits, Page, Pools, Scope, jobs_for, share, together
from collectors.project import UNREADABLE, Parts, look, project, read
from collectors.rate import Buckets
from collectors.redact import strip
from collectors.rows import Answer, Rows
from collectors.table import MISSING, Field, Table
from collectors.table import Call as Question
from scanner.model import JSON, Call, Coverage, Extent, Gap, Outcome, Reason, Resource, Source, Where

__all__ = ("PAGE", "PAUSES", "Collection", "Limits", "Scope", "answer", "collect")

BATCH, PATIENCE = 64, 1.0
"""Calls written at once, and seconds that one waits for others: a scan that is killed loses no more."""
PAGE = 1_000
"""Rows completed and written at once."""
PAUSES = (0, 1, 2, 4, 8, 15, 30)
"""Seconds between the attempts at an answer that the service must prepare first (`Call.retry`)."""
REMEDIES = {
    Reason.THROTTLED: "Scan again later, or slower with --max-rate.",
    Reason.TIMEOUT: "Check the connection to the service, then scan again with --resume.",
    Reason.TRUNCATED: "Give the scan more time with --deadline, then --resume.",
    Reason.REGION_OFF: "Enable the region for the account, or leave it out with --regions.",
    Reason.SERVICE_OFF: "Nothing to do where the service is not used there.",
    Reason.UNPARSABLE: "Report it with the service and operation; the answer was not of the documented shape.",
    Reason.BUG: "This is a fault of bartizan; report it with -v.",
}


def answer(client: Client, step: Callable[[], Any]) -> Any:
    """`step()`, None where it is exhausted, or the `Fault` that it met: the only place where any exception whatever is an answer."""
    try:
        return step()
    except StopIteration:
        return None
    except Exception as error:  # noqa: BLE001 - whatever a client library raises is a reason why something is unknown
        return client.fault(error)


class Collection:
    """One run over one scope. `collect` drives it; tests and preflight may too."""

    def __init__(
        self,
        client: Client,
        scope: Scope,
        source: Source,
        sink: Sink,
        limits: Limits,
        stop: threading.Event | None = None,
    ) -> None:
        self.client = client
        self.scope = scope
        self.source = source
        self.sink = sink
        self.limits = limits
        self._stopped = stop or threading.Event()
        self._buckets = Buckets(limits.rate, self._wait)
        self._slots = threading.BoundedSemaphore(limits.concurrency)
        self._end = time.monotonic() + limits.deadline if limits.deadline else None
        self._fatal: Fault | None = None
        self.context: Mapping[str, str] = {**scope.context, "scope": scope.id}
        self._rows = Pools(limits.concurrency)
        self._details = Rows(self, self._rows)
        self._made: list[tuple[Call, JSON]] = []
        self._flushed = time.monotonic()
        self._keeping = threading.Lock()

    def stop(self) -> None:
        """Ask nothing more: the user gave up, or nothing can be kept. Who waits for a turn stops waiting."""
        self._stopped.set()

    def _wait(self, seconds: float) -> None:
        """Wait, though not beyond the deadline or the end."""
        left = seconds if self._end is None else min(seconds, self._end - time.monotonic())
        self._stopped.wait(max(0.0, left))

    # ---- one question

    def attempt(self, step: Callable[[], Any]) -> Any:
        """`step()`, or the `Fault` that it met; after a fatal one, past the deadline or when stopped, nothing is asked any more."""
        with self._slots:
            if self._fatal:
                return self._fatal
            if self._stopped.is_set():
                return Fault(Reason.TRUNCATED, "Stopped", "the scan was stopped")
            if self._end is not None and time.monotonic() >= self._end:
                return Fault(Reason.TRUNCATED, "Deadline", "the scan's deadline has passed")
            got = answer(self.client, step)
        if isinstance(got, Fault) and got.fatal:
            self._fatal = got
        return got

    def ask(self, question: Question, args: Mapping[str, Any], region: str, redact: Sequence[str]) -> Iterator[Answer]:
        """Pages of a question, each with what the question takes of it; the last one has the gap where the question failed."""
        bucket = self._buckets.get(self.scope.id, region, question.service)
        pages = self.client.pages(question, args, region)
        number = 0
        pauses = iter(PAUSES)
        while True:
            bucket.take()
            began = time.monotonic()
            got = self.attempt(partial(next, pages))
            if got is None:
                if number == 0:  # NOTE: no page at all is no answer, and must not read as an empty one
                    yield Answer(None, self.unreadable(question, LookupError("no answer came")))
                return
            identity = self._identity(question, args, region, number)
            if isinstance(got, Fault) and got.code in question.retry:
                # NOTE: an attempt that came too early is no call to keep: the one that is answered has the same identity
                pause = next(pauses, None)
                if pause is not None:
                    gap = self._prepare(question.retry[got.code], region, pause)
                    if gap is None:
                        pages = self.client.pages(question, args, region)
                        continue
                    yield Answer(None, gap, identity)
                    return
                got = replace(got, reason=Reason.TIMEOUT)
            ms = round((time.monotonic() - began) * 1000, 1)
            if isinstance(got, Fault):
                absent = got.code in question.means
                gap = None if absent else self.gap(question, got)
                if got.reason is Reason.THROTTLED:
                    bucket.slow()
                outcome = Outcome.ABSENT if absent else Outcome.FAILED
                reason = None if absent else got.reason
                detail = f"{got.code}: {got.detail}"[:300]
                self._keep(
                    Call(identity, question.service, question.operation, self.scope.id, region, outcome, reason, detail, ms), None
                )
                yield Answer(question.means[got.code] if absent else None, gap, identity)
                return
            said, retries = got
            said = strip(said, redact, question.reduce)
            self._keep(
                Call(identity, question.service, question.operation, self.scope.id, region, Outcome.OK, None, "", ms, retries), said
            )
            try:
                taken = Answer(look(question.take, said), None, identity)
            except UNREADABLE as error:
                yield Answer(None, self.unreadable(question, error), identity)
                return
            yield taken
            number += 1

    def one(self, question: Question, row: Mapping[str, Any], region: str, redact: Sequence[str]) -> Answer:
        """The taken answer to a question about one row; several pages of lists are joined."""
        try:
            args = self._args(question, row)
        except LookupError as error:
            title = self.client.title(question)
            return Answer(gap=Gap(Reason.NOT_OFFERED, title, "The listing gave nothing to ask with.", f"no {error}"))
        where = (look(question.region, row) if question.region else region) or region
        joined: Any = None
        call = ""
        for page in self.ask(question, args, where, redact):
            call = call or page.call
            if page.gap is not None:
                return page
            if isinstance(joined, list) and isinstance(page.value, list):
                joined += page.value
            elif joined is None:
                joined = [*page.value] if isinstance(page.value, list) else page.value
        return Answer(joined, None, call)

    def _prepare(self, question: Question | None, region: str, seconds: float) -> Gap | None:
        """Make the service prepare an answer, and give it time; why it does not, where it does not."""
        for page in self.ask(question, question.fixed, region, ()) if question else ():
            if page.gap is not None:
                return page.gap
        self._wait(seconds)
        return None

    def gap(self, question: Question, fault: Fault) -> Gap:
        """A fault as the value that stands where a fact would stand."""
        remedy = fault.remedy or REMEDIES.get(fault.reason, "")
        if fault.reason is Reason.DENIED and not fault.remedy:
            remedy = f"Allow {', '.join(self.client.actions(question))} to {self.source.identity or 'the scanning identity'}."
        return Gap(fault.reason, self.client.title(question), remedy, f"{fault.code}: {fault.detail}"[:200])

    def unreadable(self, question: Question, error: Exception) -> Gap:
        """See `collectors.rows.Asker`."""
        text = f"{type(error).__name__}: {error}"[:200]
        return Gap(Reason.UNPARSABLE, self.client.title(question), REMEDIES[Reason.UNPARSABLE], text)

    def _identity(self, question: Question, args: Mapping[str, Any], region: str, number: int) -> str:
        asked = [question.service, question.operation, self.scope.id, region, dict(args), number]
        return hashlib.sha256(json.dumps(asked, sort_keys=True, default=str).encode()).hexdigest()[:16]

    def _keep(self, call: Call, answer: JSON) -> None:
        with self._keeping:
            self._made.append((call, answer))
        if len(self._made) >= BATCH or time.monotonic() > self._flushed + PATIENCE:
            self.flush()

    def flush(self) -> None:
        """Write the calls made so far: before the resources that they tell of, and when all is done."""
        with self._keeping:
            made, self._made, self._flushed = self._made, [], time.monotonic()
        if made:
            self.sink.calls(made)

    def _args(self, question: Question, row: Mapping[str, Any]) -> dict[str, Any]:
        args = dict(question.fixed)
        for name, path in question.args.items():
            value = look(path, row)
            if value is None:
                raise LookupError(path)
            args[name] = value
        return args

    # ---- one listing

    def run(self, job: Job) -> None:
        """List, describe, project and write, a page at a time; then say how complete the listing was."""
        table = job.table
        context = {**self.context, "region": job.region}
        for items, call, gap in self._first(job, context):
            if gap is not None:
                job.gaps.append(gap)
                break
            if table.each is None:
                self._page(job, [{"context": context, "item": item} for item in items], call)
            else:
                self._page(job, *self._inner(job, table.each, items, context))
        if self._stopped.is_set():
            return  # it stays what `expect` said: interrupted
        self.flush()
        extent = Extent.COMPLETE if not job.gaps else Extent.PARTIAL if job.count else Extent.ABSENT
        self.sink.coverage(self._coverage(job, extent, job.gaps[0] if job.gaps else None))

    def _first(self, job: Job, context: Mapping[str, str]) -> Iterable[Page]:
        """The job's own listing, or the one that it shares with others."""

        def ask() -> Iterable[Page]:
            return itertools.islice(self._items(job, job.table.list, {"context": context}), 1 if self.limits.sample else None)

        return job.shared.take(ask) if job.shared else ask()

    def _inner(
        self, job: Job, question: Question, parents: list[Any], context: Mapping[str, str]
    ) -> tuple[list[dict[str, Any]], str]:
        """The rows of the listings made per parent, which run at the same time; a parent whose listing failed leaves a gap."""

        def pages(parent: Any) -> list[Page]:
            return list(self._items(job, question, {"context": context, "parent": parent}))

        rows: list[dict[str, Any]] = []
        call = ""
        for parent, found in zip(parents, self._rows.map(question.service, pages, parents), strict=True):
            for items, identity, gap in found:
                call = call or identity
                if gap is not None:
                    job.gaps.append(gap)
                rows += [{"context": context, "parent": parent, "item": item} for item in items]
        return rows, call

    def _coverage(self, job: Job, extent: Extent, gap: Gap | None) -> Coverage:
        return Coverage(job.table.native_type, job.table.kind, self.scope.id, job.shown, extent, gap, job.count, self.source.id)

    def _items(self, job: Job, question: Question, row: Mapping[str, Any]) -> Iterator[Page]:
        """Items of a listing, a page at a time."""
        try:
            if question.when is not None and not question.when(row):
                return
        except UNREADABLE as error:
            yield [], "", self.unreadable(question, error)
            return
        try:
            args = self._args(question, row)
        except LookupError as error:
            yield [], "", Gap(Reason.UNPARSABLE, self.client.title(question), REMEDIES[Reason.UNPARSABLE], f"no {error}")
            return
        where = (look(question.region, row) if question.region else job.region) or job.region
        for page in self.ask(question, args, where, job.table.redact):
            if page.gap is not None:
                yield [], page.call, page.gap
                return
            taken = page.value if page.value is None or isinstance(page.value, list) else [page.value]
            try:
                items = [i for i in taken or [] if self._keeps(job.table, question, i)]
            except UNREADABLE as error:
                yield [], page.call, self.unreadable(question, error)
                return
            yield (items[:1] if self.limits.sample else items), page.call, None

    @staticmethod
    def _keeps(table: Table, question: Question, item: Any) -> bool:
        return question is not (table.each or table.list) or table.keep is None or table.keep(item)

    def _page(self, job: Job, rows: list[dict[str, Any]], call: str) -> None:
        """Complete and write rows, so many at a time that a listing that comes whole needs no more memory than one in pages."""
        table = job.table
        for start in range(0, len(rows), PAGE):
            drafts = _once_each([Parts(row, {}, {"item": call, "parent": call}) for row in rows[start : start + PAGE]], table.id)
            self._details.complete(job.table, job.parts, job.region, drafts)
            resources = [r for parts in drafts if (r := self._resource(job, parts)) is not None]
            self.flush()
            self.sink.page(resources)
            job.count += len(resources)

    def _resource(self, job: Job, parts: Parts) -> Resource | None:
        table = job.table
        identity, gap = read(table.id, parts)
        if not isinstance(identity, str) or not identity:
            title = self.client.title(table.list)
            known = gap if gap and gap.reason is not Reason.NOT_OFFERED else None
            job.gaps.append(known or Gap(Reason.UNPARSABLE, title, REMEDIES[Reason.UNPARSABLE], f"no {table.id.path}"))
            return None  # it cannot be judged, so its listing is not complete
        name, _ = read(table.name, parts)
        region, _ = read(table.region, parts) if table.region else (job.shown, None)
        tags, untagged = read(table.tags, parts) if table.tags else ({}, None)
        bare = Resource(
            id=identity,
            kind=table.kind,
            native_type=table.native_type,
            provider=self.source.provider,
            scope=self.scope.id,
            region=region if isinstance(region, str) else job.shown,
            name=name if isinstance(name, str) and name else identity,
            source=self.source.id,
            tags={} if tags is MISSING else tags,
        )
        made = project(parts, table.facts, wanted=job.wanted, resource=bare)
        # NOTE: tags decide what belongs to the AI factory, so a refused look at them must not read as "none"
        unseen = untagged is not None and untagged.reason is not Reason.NOT_OFFERED
        gaps = {**made.gaps, "tags": untagged} if unseen and untagged else made.gaps
        return made.replace(where=Where(locator=made.id), gaps=gaps)

    def finish(self) -> None:
        """Let go of the threads; what still waits for one is not done."""
        self._rows.shutdown(wait=not self._stopped.is_set())
        self.flush()


def _once_each(drafts: list[Parts], identity: Field) -> list[Parts]:
    """Rows without those that the listing repeats (a version of a launch template that is both the latest and the default one)."""
    made: dict[Any, Parts] = {}
    for number, parts in enumerate(drafts):
        known, _ = read(identity, parts)
        made.setdefault(known if isinstance(known, str) else number, parts)
    return list(made.values())


def collect(  # noqa: PLR0913 - the one entry of live collection
    tables: Sequence[Table],
    client: Client,
    scope: Scope,
    source: Source,
    sink: Sink,
    *,
    demand: Demand = None,
    limits: Limits | None = None,
    done: frozenset[tuple[str, str]] = frozenset(),
    progress: Callable[[str, int, int], None] | None = None,
    stop: threading.Event | None = None,
) -> None:
    """Look at one scope and write what was seen to `sink`; whoever sets `stop` ends it.

    `demand` says which facts of which native types are wanted (None: all). `done` holds (native type, region) of listings that an
    interrupted run has completed. `progress` is told a label, the listings finished and their total.
    """
    limits = limits or Limits()
    run = Collection(client, scope, source, sink, limits, stop)
    jobs = jobs_for(tables, scope, demand)
    todo = [job for job in jobs if (job.table.native_type, job.shown) not in done]
    share(todo)
    sink.source(source)
    sink.expect([run._coverage(job, Extent.ABSENT, None) for job in todo])  # noqa: SLF001 - same module
    finished = len(jobs) - len(todo)
    lock = threading.Lock()

    def work(job: Job) -> None:
        nonlocal finished
        run.run(job)
        with lock:
            finished += 1
            if progress:
                progress(f"{job.table.native_type} {job.shown}", finished, len(jobs))

    try:
        together([partial(work, job) for job in todo], max(4, limits.concurrency), "listing", run.stop)
    finally:
        run.finish()
