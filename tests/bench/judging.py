"""What judging costs as the estate grows, embedded against an OPA server: time, memory, and that both say the same."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

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
