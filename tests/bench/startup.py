"""How long a person waits for `--help`, against what importing one cloud SDK costs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.measure import median

ROOT = str(Path(__file__).resolve().parents[2])


def bench() -> Iterator[str]:
    here = {"PYTHONPATH": ROOT}
    bare = median([sys.executable, "-c", "pass"])
    sdk = median([sys.executable, "-c", "import boto3"])
    yield f"python -c pass            {bare.seconds * 1000:6.0f} ms"
    yield f"python -c 'import boto3'  {sdk.seconds * 1000:6.0f} ms"
    for arguments in (["--help"], ["--version"], ["rules", "list"]):
        cost = median([sys.executable, "-m", "scanner", *arguments], environment=here)
        own = (cost.seconds - bare.seconds) / max(sdk.seconds - bare.seconds, 0.001)
        yield f"bartizan {' '.join(arguments):<16} {cost.seconds * 1000:6.0f} ms, {own:.2f} of the SDK's import, {cost.mebibytes:.0f} MiB, status {cost.status}"
