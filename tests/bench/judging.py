"""What judging costs as the estate grows, embedded against an OPA server: time, memory, and that both say the same."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.over import SnapshotWorld
from scanner.engine import Engine, document
from scanner.engine.embedded import EmbeddedEngine
from scanner.engine.opa import OpaEngine
from scanner.evaluate import chunks
from scanner.model import Rule
from scanner.rules.library import load
from scanner.snapshot import Snapshot
from tests.bench import estates
from tests.bench.measure import Cost, once

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1_000, 20_000, 200_000)
OPA_MOST = 20_000
"""Larger estates are not given to OPA: it would only be waited for."""


def evaluate(snapshot: Path, engine: str, out: Path | None = None) -> Cost:
    """The whole command; the report that names every verdict is written only where it is asked for."""
    path = f"{ROOT / '.cache' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "scanner", "evaluate", str(snapshot), "--engine", engine, "--exit-zero", "--quiet"]
    return once([*command, *(["-o", f"json={out}"] if out else [])], {"PYTHONPATH": str(ROOT), "PATH": path})


def verdicts(out: Path) -> list[tuple[str, str, str]]:
    return sorted((v["rule"], v["resource"]["id"], v["status"]) for v in json.loads(out.read_text())["verdicts"])


Work = list[tuple[list[Rule], Any]]


def questions(snapshot: Path, part: int = 0, parts: int = 1) -> tuple[tuple[Rule, ...], Mapping[str, str], Work]:
    """Rules, modules, and every n-th chunk as (its rules, its document)."""
    library = load()
    rules = tuple(library.rules.values())
    params = {rule.id: rule.params for rule in rules if rule.params}
    work: Work = []
    with Snapshot.open(snapshot) as opened:
        world = SnapshotWorld(opened, DERIVATIONS)
        for chunk in list(chunks(opened, rules))[part::parts]:
            mine = [rule for rule in rules if rule.kind == chunk.kind]
            wanted = {fact for rule in mine for fact in rule.needs}
            some = [world.complete(r, wanted) for r in opened.part(chunk.kind, chunk.scope, chunk.after, chunk.count)]
            natives = {r.native_type for r in some}
            able = [rule for rule in mine if natives & rule.covers.keys()]
            declared = frozenset(fact for rule in able for fact in rule.needs)
            work.append((able, document(some, params, chunk.now, declared)))
    return rules, library.modules, work


def proved(engine: Engine, work: Work) -> float:
    """Seconds that it takes to prove every chunk: the better of two."""
    took = []
    for _ in range(2):
        began = time.perf_counter()
        for mine, chunk in work:
            engine.prove(mine, chunk)
        took.append(time.perf_counter() - began)
    return min(took)


def share(snapshot: Path, part: int, parts: int) -> float:
    rules, modules, work = questions(snapshot, part, parts)
    return proved(EmbeddedEngine(rules, modules), work)


def engines(snapshot: Path) -> Iterator[str]:
    """The same rules over the same chunks, without anything around them."""
    rules, modules, work = questions(snapshot)
    alone = proved(EmbeddedEngine(rules, modules), work)
    opa = OpaEngine(rules, modules)
    try:
        theirs = proved(opa, work)
    finally:
        opa.close()
    cores = os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(cores) as pool:
        together = max(pool.starmap(share, [(snapshot, part, cores) for part in range(cores)]))
    yield f"        rules alone: {alone:.2f} s in one process, {together:.2f} s in {cores}; OPA server {theirs:.2f} s"
    yield f"        that is {theirs / alone:.1f} and {theirs / together:.1f} times ours"


def bench() -> Iterator[str]:
    has_opa = bool(shutil.which("opa")) or (ROOT / ".cache/bin/opa").exists()
    os.environ["PATH"] = f"{ROOT / '.cache' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            snapshot = Path(folder, f"{size}.snapshot")
            count = estates.write(snapshot, size)
            ours = evaluate(snapshot, "regorus")
            each = ours.seconds / count * 1e6
            yield f"{count:>7} resources: {ours.seconds:6.1f} s, {each:5.0f} µs each, {ours.mebibytes:5.0f} MiB, status {ours.status}"
            if has_opa and size <= OPA_MOST:
                theirs = evaluate(snapshot, "opa")
                yield f"        with an OPA server {theirs.seconds:6.1f} s, {theirs.seconds / ours.seconds:.1f} times ours"
            if has_opa and size == SIZES[0]:
                reports = [Path(folder, f"{engine}.json") for engine in ("regorus", "opa")]
                for report in reports:
                    evaluate(snapshot, report.stem, report)
                yield f"        {'the same' if verdicts(reports[0]) == verdicts(reports[1]) else 'OTHER'} verdicts"
            if has_opa and size == OPA_MOST:
                yield from engines(snapshot)
