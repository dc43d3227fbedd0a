"""What judging costs as the estate grows, embedded against an OPA server: time, memory, and that both say the same."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.over import SnapshotWorld
from scanner.engine import document
from scanner.engine.embedded import EmbeddedEngine
from scanner.engine.opa import OpaEngine
from scanner.evaluate import chunks
from scanner.rules.library import load
from scanner.snapshot import Snapshot
from tests.bench import estates
from tests.bench.measure import Cost, once

ROOT = Path(__file__).resolve().parents[2]
SIZES = (1_000, 20_000, 200_000)
OPA_MOST = 20_000
"""Larger estates are not given to OPA: it would only be waited for."""


def evaluate(snapshot: Path, engine: str, out: Path) -> Cost:
    path = f"{ROOT / '.cache' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "scanner", "evaluate", str(snapshot), "--engine", engine, "--exit-zero", "-o", f"json={out}"]
    return once(command, {"PYTHONPATH": str(ROOT), "PATH": path})


def verdicts(out: Path) -> list[tuple[str, str, str]]:
    return sorted((v["rule"], v["resource"]["id"], v["status"]) for v in json.loads(out.read_text())["verdicts"])


def engines(snapshot: Path) -> str:
    """The same rules over the same chunks, without anything around them: embedded against an OPA server, one question after the other."""
    library = load()
    rules = tuple(library.rules.values())
    params = {rule.id: rule.params for rule in rules if rule.params}
    with Snapshot.open(snapshot) as opened:
        world = SnapshotWorld(opened, DERIVATIONS)
        work = []
        for chunk in chunks(opened, rules):
            mine = [rule for rule in rules if rule.kind == chunk.kind]
            wanted = {fact for rule in mine for fact in rule.needs}
            some = [world.complete(r, wanted) for r in opened.resources(chunk.kind, chunk.scope, chunk.after, chunk.count)]
            natives = {r.native_type for r in some}
            work.append(([rule for rule in mine if natives & rule.covers.keys()], document(some, params, chunk.now)))
    embedded, opa = EmbeddedEngine(rules, library.modules), OpaEngine(rules, library.modules)
    took = {}
    try:
        for engine in (embedded, opa, embedded, opa):
            began = time.perf_counter()
            for mine, chunk_document in work:
                engine.prove(mine, chunk_document)
            took[engine.name] = min(took.get(engine.name, 1e9), time.perf_counter() - began)
    finally:
        opa.close()
    ours, theirs = took.values()
    return f"        rules alone: {ours:.2f} s, OPA server {theirs:.2f} s ({theirs / ours:.1f} times ours, each with one core)"


def bench() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            snapshot = Path(folder, f"{size}.snapshot")
            count = estates.write(snapshot, size)
            ours = evaluate(snapshot, "regorus", Path(folder, "ours.json"))
            line = f"{count:>7} resources: {ours.seconds:6.1f} s, {ours.seconds / count * 1e6:5.0f} µs each, {ours.mebibytes:5.0f} MiB, status {ours.status}"
            if size <= OPA_MOST and (shutil.which("opa") or (ROOT / ".cache/bin/opa").exists()):
                theirs = evaluate(snapshot, "opa", Path(folder, "theirs.json"))
                same = verdicts(Path(folder, "ours.json")) == verdicts(Path(folder, "theirs.json"))
                line += f"; OPA server {theirs.seconds:6.1f} s ({theirs.seconds / ours.seconds:.1f} times ours), {'same' if same else 'OTHER'} verdicts"
            yield line
            if size == OPA_MOST and (shutil.which("opa") or (ROOT / ".cache/bin/opa").exists()):
                os.environ["PATH"] = f"{ROOT / '.cache' / 'bin'}{os.pathsep}{os.environ['PATH']}"
                yield engines(snapshot)
