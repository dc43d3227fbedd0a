"""Worker processes for evaluation: chunks in parallel, and a rule that runs away is stopped by its name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess
from multiprocessing.sharedctypes import Synchronized
from typing import Any

from scanner.evaluate import Chunk, Evaluator, Plan, Result, make_engine
from scanner.model import BartizanError

TICK = 0.25


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
    numbers = {r.id: n for n, r in enumerate(plan.rules)}
    try:
        engine = make_engine(plan)
        engine.watch = lambda name: setattr(rule, "value", numbers[name])  # type: ignore[attr-defined]
        evaluator = Evaluator(plan, engine)
        while (task := pipe.recv()) is not None:
            result = evaluator.chunk(*task)
            rule.value = -1
            pipe.send(result)
        evaluator.close()
    except BartizanError as error:
        pipe.send(error)
    except (EOFError, KeyboardInterrupt):
        return


def run(plan: Plan, todo: Sequence[Chunk], take: Callable[[Result, Chunk], None], number: int, context: SpawnContext) -> None:
    """Evaluate `todo` in `number` processes and hand each result to `take`.

    A rule that takes longer than the plan allows is stopped with its process; its verdicts are then unknown, in that chunk and all
    later ones, and the chunk is done again without it. Raises BartizanError where a worker cannot work.
    """
    waiting = list(reversed(todo))
    broken: dict[str, str] = {}
    workers: list[_Worker] = []

    def start() -> _Worker:
        ours, theirs = context.Pipe()
        rule: Any = context.Value("i", -1)
        process = context.Process(target=_serve, args=(plan, theirs, rule), daemon=True)
        process.start()
        theirs.close()
        return _Worker(process, ours, rule)

    def feed(worker: _Worker) -> None:
        worker.chunk = waiting.pop() if waiting else None
        worker.seen, worker.since = -1, time.monotonic()
        worker.pipe.send((worker.chunk, dict(broken)) if worker.chunk else None)

    def replace(worker: _Worker, reason: str) -> None:
        """Stop a worker, blame the rule it was in, and do its chunk again."""
        at = worker.rule.value
        worker.process.kill()
        worker.process.join()
        if at < 0:
            raise BartizanError(f"a worker process {reason} outside of any rule. Report it with the snapshot's `verify`.", code=70)
        broken[plan.rules[at].id] = f"the rule {reason}"
        waiting.append(worker.chunk)  # type: ignore[arg-type]
        workers[workers.index(worker)] = fresh = start()
        feed(fresh)

    try:
        for _ in range(number):
            workers.append(start())
        for worker in workers:
            feed(worker)
        while busy := [w for w in workers if w.chunk is not None]:
            ready = wait([w.pipe for w in busy], timeout=TICK)
            for worker in busy:
                if worker.pipe in ready:
                    try:
                        result = worker.pipe.recv()
                    except EOFError:
                        replace(worker, "brought its process down")
                        continue
                    if isinstance(result, BartizanError):
                        raise result
                    take(result, worker.chunk)  # type: ignore[arg-type]
                    feed(worker)
                elif worker.rule.value != worker.seen:
                    worker.seen, worker.since = worker.rule.value, time.monotonic()
                elif worker.seen >= 0 and time.monotonic() - worker.since > plan.rule_seconds:
                    replace(worker, f"took longer than {plan.rule_seconds:g} s over {worker.chunk.count} resources")  # type: ignore[union-attr]
    finally:
        for worker in workers:
            worker.pipe.close()
            worker.process.join(timeout=1)
            if worker.process.is_alive():
                worker.process.kill()
