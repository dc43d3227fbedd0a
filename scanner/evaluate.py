"""From a snapshot to verdicts: chunk by chunk, derive, prove, judge. Memory is bounded by the chunk, time by the resources."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scanner.derive.over import SnapshotWorld
from scanner.engine import Engine, UnfitError, document
from scanner.judge import Proof, judge, listing_unknowns, settle, within
from scanner.model import JSON, Resource, Rule, Severity, Verdict, Waiver, frozen
from scanner.snapshot import Snapshot
from scanner.verdicts import Batch, Controls, Settled, Verdicts, pack
from scanner.waivers import Waivers

CHUNK = 1_000
"""Resources evaluated at once: 7 MB of facts take about 50 MB inside the engine."""
ALONE = 2_500
"""Up to so many resources are evaluated in this process: starting others would take longer."""
RULE_SECONDS = 60.0
"""For one rule over one chunk; a rule that takes longer is stopped and its verdicts are unknown."""


@frozen
class Plan:
    """All that an evaluation depends on. It is handed to worker processes, so it holds plain values only."""

    snapshot: Path
    rules: tuple[Rule, ...]
    modules: Mapping[str, str]
    params: Mapping[str, Mapping[str, JSON]]
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """Rule id → severity, where `bartizan.yaml` says another."""
    waivers: tuple[Waiver, ...] = ()
    settings: Mapping[str, JSON] = field(default_factory=dict)
    engine: str = "regorus"
    opa: Mapping[str, str | None] = field(default_factory=dict)
    """`url token ca cert` of an OPA server; empty for a child of ours."""
    isolated: bool = False
    """Always use worker processes: rules that are not ours may run away."""
    workers: int = 0
    """0 for one a core."""
    rule_seconds: float = RULE_SECONDS


@frozen
class Chunk:
    """Some resources of one kind in one scope."""

    number: int
    scope: str
    kind: str
    after: str | None
    """Id behind which it starts; None for the first."""
    count: int
    now: str


@frozen
class Result:
    """What became of a chunk."""

    number: int
    batch: Batch
    resources: int
    waived: Mapping[int, int]


@dataclass(slots=True)
class Evaluation:
    """The verdicts of a run."""

    verdicts: Verdicts
    engine: str
    resources: int
    """Resources that some rule speaks about."""
    waived: Counter[int]
    """Index of a waiver → failures it marks."""


def make_engine(plan: Plan) -> Engine:
    """The engine that the plan names."""
    if plan.engine == "opa":
        from scanner.engine.opa import OpaEngine  # noqa: PLC0415 - pulls in HTTP clients

        return OpaEngine(plan.rules, plan.modules, **plan.opa)
    from scanner.engine.embedded import EmbeddedEngine  # noqa: PLC0415

    return EmbeddedEngine(plan.rules, plan.modules)


class Evaluator:
    """Evaluates chunks in one process."""

    def __init__(self, plan: Plan, engine: Engine) -> None:
        from scanner.derive.needed import derivations  # noqa: PLC0415

        self.plan = plan
        self.engine = engine
        self._snapshot = Snapshot.open(plan.snapshot)
        self._world = SnapshotWorld(self._snapshot, derivations(self._snapshot.natives()), plan.settings)
        self._by_kind: dict[str, list[Rule]] = {}
        for rule in plan.rules:
            self._by_kind.setdefault(rule.kind, []).append(rule)
        self._controls = Controls(plan.rules)

    def chunk(self, chunk: Chunk, broken: Mapping[str, str]) -> Result:
        """Verdicts of a chunk. `broken` holds rules that must not run any more, and why."""
        rules = self._by_kind[chunk.kind]
        covered = {native for rule in rules for native in rule.covers}
        wanted = {fact for rule in rules for fact in rule.needs} | {"ai_role", "zone"}
        found = self._world.part(chunk.kind, chunk.scope, chunk.after, chunk.count)
        resources = [self._world.complete(r, wanted) for r in found if r.native_type in covered]
        waivers = Waivers(self.plan.waivers)
        notable: list[Verdict] = []
        rest: list[Settled] = []
        if resources:
            natives = {r.native_type for r in resources}
            rules = [rule for rule in rules if natives & rule.covers.keys()]
            able = [rule for rule in rules if rule.id not in broken]
            stopped = {rule.id: Proof(error=broken[rule.id]) for rule in rules if rule.id in broken}
            number = -1
            for block, found_out in self._proved(able, resources, chunk.now):
                proofs = {**found_out, **stopped}
                for resource in block:
                    number += 1
                    for rule in rules:
                        if resource.native_type not in rule.covers:
                            continue
                        if resource.partial and resource.id not in proofs[rule.id].fail:
                            continue  # NOTE: its listing says that it was not seen whole
                        settled = settle(rule, resource, proofs[rule.id])
                        if settled is not None:
                            rest.append((rule.id, number, *settled))
                        else:
                            notable += (waivers.apply(v, resource.where) for v in self._judge(rule, resource, proofs[rule.id]))
        return Result(chunk.number, pack(notable, resources, rest), len(resources), waivers.matches)

    def _proved(
        self, rules: Sequence[Rule], resources: Sequence[Resource], now: str
    ) -> Iterator[tuple[Sequence[Resource], Mapping[str, Proof]]]:
        """Resources in their order, with what the rules prove about them.

        One that the engine cannot read (a number without end, a hundred levels) must not blind the others: then halves are tried.
        """
        try:
            declared = frozenset(fact for rule in rules for fact in rule.needs)
            proofs = self.engine.prove(rules, document(resources, self.plan.params, now, declared))
        except UnfitError as error:
            if len(resources) == 1:
                yield resources, {rule.id: Proof(error=f"the engine cannot read the resource: {error}") for rule in rules}
                return
            middle = len(resources) // 2
            yield from self._proved(rules, resources[:middle], now)
            yield from self._proved(rules, resources[middle:], now)
            return
        given = frozenset(resource.id for resource in resources)
        yield resources, {rule: within(proof, given) for rule, proof in proofs.items()}

    def _judge(self, rule: Rule, resource: Resource, proof: Proof) -> Iterator[Verdict]:
        return judge(rule, resource, proof, self.plan.severities.get(rule.id), self._controls[rule.id, resource.native_type])

    def close(self) -> None:
        """Let go of engine and file."""
        self.engine.close()
        self._snapshot.close()


def chunks(snapshot: Snapshot, rules: Sequence[Rule]) -> Iterator[Chunk]:
    """The chunks of a snapshot that some rule speaks about, in a fixed order."""
    covered: dict[str, set[str]] = {}
    for rule in rules:
        covered.setdefault(rule.kind, set()).update(rule.covers)
    times = dict.fromkeys(snapshot.scopes(), "")  # NOTE: not those of the sources, or what has another scope is never judged
    for source in snapshot.sources():
        times[source.scope] = max(times.get(source.scope, ""), source.collected_at)
    number = 0
    for scope in sorted(times):
        for kind in snapshot.kinds(scope):
            if kind not in covered:
                continue
            after: str | None = None
            last: str | None = None
            count, useful = 0, False
            for identity, native in snapshot.ids(kind, scope):
                count, last = count + 1, identity
                useful = useful or native in covered[kind]
                if count == CHUNK:
                    if useful:
                        yield Chunk(number, scope, kind, after, count, times[scope])
                        number += 1
                    after, count, useful = last, 0, False
            if useful:
                yield Chunk(number, scope, kind, after, count, times[scope])
                number += 1


def evaluate(plan: Plan, progress: Callable[[int, int], None] | None = None) -> Evaluation:
    """Judge every resource of the snapshot. `progress` is told resources done and their total.

    Raises BartizanError where the snapshot or the engine cannot be used.
    """
    with Snapshot.open(plan.snapshot) as snapshot:
        todo = list(chunks(snapshot, plan.rules))
        coverage = snapshot.listings()
        natives = snapshot.natives()
    total = sum(c.count for c in todo)
    verdicts = Verdicts(plan.rules, plan.severities)
    waived: Counter[int] = Counter()
    done = judged = 0

    def take(result: Result, chunk: Chunk) -> None:
        nonlocal done, judged
        verdicts.add(result.number, result.batch)
        waived.update(result.waived)
        done += chunk.count
        judged += result.resources
        if progress:
            progress(done, total)

    every = plan.rules
    if not plan.isolated:  # NOTE: our own rules parse; those that nothing here is for need not be compiled to know it
        plan = replace(plan, rules=tuple(rule for rule in every if natives & rule.covers.keys()))
    engine = make_engine(plan)  # NOTE: made here in any case, so that a rule that does not parse is told before any work
    name = engine.name
    if plan.engine == "opa" or (total <= ALONE and not plan.isolated):
        evaluator = Evaluator(plan, engine)
        try:
            for chunk in todo:
                take(evaluator.chunk(chunk, {}), chunk)
        finally:
            evaluator.close()
    else:
        import multiprocessing  # noqa: PLC0415 - needed for large estates only

        from scanner.workers import run  # noqa: PLC0415

        engine.close()
        run(plan, todo, take, min(plan.workers or os.cpu_count() or 1, max(1, len(todo))), multiprocessing.get_context("spawn"))
    scopes = [v for rule in every for v in listing_unknowns(rule, coverage, plan.severities.get(rule.id))]
    verdicts.add(len(todo), pack(scopes))
    return Evaluation(verdicts, name, judged, waived)
