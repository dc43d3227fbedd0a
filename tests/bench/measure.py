"""Wall time and peak memory of commands."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """Of one run."""

    seconds: float
    mebibytes: float
    """Peak resident memory of the process; children it waited for count where they are larger."""
    status: int


# NOTE: a child's peak counts what its parent held when it was forked, so a small process stands between.
BETWEEN = """
import json, resource, subprocess, sys, time
start = time.perf_counter()
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(json.dumps([time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, status]))
"""


def once(command: Sequence[str], environment: Mapping[str, str] | None = None) -> Cost:
    done = subprocess.run(
        [sys.executable, "-c", BETWEEN, *command], env={**os.environ, **(environment or {})}, capture_output=True, check=True
    )
    return Cost(*json.loads(done.stdout))


def median(command: Sequence[str], times: int = 7, environment: Mapping[str, str] | None = None) -> Cost:
    """The median of several runs, after one that warms the caches."""
    once(command, environment)
    runs = [once(command, environment) for _ in range(times)]
    return Cost(statistics.median(r.seconds for r in runs), max(r.mebibytes for r in runs), max(r.status for r in runs))
