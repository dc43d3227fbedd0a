"""Worker processes for evaluation: chunks in parallel, and a rule that runs away is stopped by its name."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from scanner.evaluate import Chunk, Evaluator, Plan, Result, make_engine
from scanner.model import BartizanError

TICK = 0.25
SAFE = "PYTHONSAFEPATH"


@dataclass(slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection
    rule: Synchronized[int]
    """Index of the rule that runs now, -1 for none."""
    chunk: Chunk | None = None
    seen: int = -1
    since: float = 0.0


def _serve(plan: Plan, pipe: Connection, rule: Synchronized[int]) -> None:
    """The worker's life: chunks in, results out, until None comes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group: the parent ends us when it has told the user
    numbers = {r.id: n for n, r in enumerate(plan.rules)}
    try:
        engine = make_engine(plan)
        engine.watch = lambda name: setattr(rule, "value", numbers.get(name, -1))  # type: ignore[attr-defined]
        evaluator = Evaluator(plan, engine)
        while (task := pipe.recv()) is not None:
            pipe.send(evaluator.chunk(*task))
        evaluator.close()
    except BartizanError as error:
        pipe.send(error)
    except (EOFError, OSError):
        return  # the parent is gone, or has closed its end


class _Pool:
    """The workers of one run, and the chunks that wait for them."""

    def __init__(self, plan: Plan, todo: Sequence[Chunk], number: int, context: SpawnContext) -> None:
        self.plan = plan
        self.context = context
        self.waiting = list(reversed(todo))
        self.broken: dict[str, str] = {}
        """Rules that must not run any more, and why."""
        self.workers = [self._start() for _ in range(number)]
        for worker in self.workers:
            self.feed(worker)

    def busy(self) -> list[_Worker]:
        """Workers that have a chunk."""
        return [w for w in self.workers if w.chunk is not None]

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        rule: Any = self.context.Value("i", -1)
        process = self.context.Process(target=_serve, args=(self.plan, theirs, rule), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, rule)

    def feed(self, worker: _Worker) -> None:
        """Give a worker its next chunk, or the word that there is none."""
        worker.chunk = self.waiting.pop() if self.waiting else None
        worker.seen, worker.since = -1, time.monotonic()
        with suppress(OSError):  # NOTE: a worker that has died is met, and replaced, by `answer`
            worker.pipe.send((worker.chunk, dict(self.broken)) if worker.chunk else None)

    def answer(self, worker: _Worker) -> Result | None:
        """What a worker sent; None where it died, and was replaced."""
        try:
            result = worker.pipe.recv()
        except (EOFError, OSError):
            self.replace(worker, "brought its process down")
            return None
        if isinstance(result, BartizanError):
            raise result
        found: Result = result
        return found

    def watch(self, worker: _Worker) -> None:
        """Replace a worker whose rule has been running for too long."""
        if worker.rule.value != worker.seen:
            worker.seen, worker.since = worker.rule.value, time.monotonic()
        elif worker.seen >= 0 and time.monotonic() - worker.since > self.plan.rule_seconds:
            count = worker.chunk.count if worker.chunk else 0
            self.replace(worker, f"took longer than {self.plan.rule_seconds:g} s over {count} resources")

    def replace(self, worker: _Worker, reason: str) -> None:
        """Stop a worker, blame the rule it was in, and have its chunk done again without that rule."""
        at = worker.rule.value
        worker.process.kill()
        worker.process.join()
        if at < 0:
            raise BartizanError(f"a worker process {reason} outside of any rule. Report it with the snapshot's `verify`.", code=70)
        self.broken[self.plan.rules[at].id] = f"the rule {reason}"
        if worker.chunk is not None:
            self.waiting.append(worker.chunk)
        fresh = self._start()
        self.workers[self.workers.index(worker)] = fresh
        self.feed(fresh)

    def close(self) -> None:
        """Let the workers that have nothing to do end, and end the others: each has at most one chunk, which nobody waits for."""
        for worker in self.workers:
            worker.pipe.close()
            if worker.chunk is not None:
                worker.process.kill()
        end = time.monotonic() + 1
        for worker in self.workers:
            worker.process.join(timeout=max(0.0, end - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()


def run(plan: Plan, todo: Sequence[Chunk], take: Callable[[Result, Chunk], None], number: int, context: SpawnContext) -> None:
    """Evaluate `todo` in `number` processes and hand each result to `take`.

    A rule that takes longer than the plan allows is stopped with its process; its verdicts are then unknown, in that chunk and all
    later ones, and the chunk is done again without it. Raises BartizanError where a worker cannot work.
    """
    with _trusted_path():
        _run(_Pool(plan, todo, number, context), take)


@contextmanager
def _trusted_path() -> Iterator[None]:
    """Children look for their modules where we do, and not in the working folder first.

    That is what `python -c` does, by which `multiprocessing` starts them: whoever may write a `multiprocessing.py` or `signal.py` into
    a repository would run code in the job that scans it. https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH
    """
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before


def _run(pool: _Pool, take: Callable[[Result, Chunk], None]) -> None:
    """Feed the workers until there is nothing to do."""
    try:
        while busy := pool.busy():
            ready = wait([w.pipe for w in busy], timeout=TICK)
            for worker in busy:
                chunk = worker.chunk
                if worker.pipe not in ready:
                    pool.watch(worker)
                elif (result := pool.answer(worker)) is not None and chunk is not None:
                    take(result, chunk)
                    pool.feed(worker)
    finally:
        pool.close()
