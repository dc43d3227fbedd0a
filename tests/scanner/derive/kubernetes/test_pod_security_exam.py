"""Kubernetes' own examples of pods that meet, and do not meet, each Pod Security Standard in each version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from scanner.derive.kubernetes.pod_security import violations
from tests.collectors.kubernetes.control_plane import HINT
from tests.collectors.kubernetes.objects import one
from tests.conftest import ROOT, STRICT

EXAMPLES = ROOT / ".cache" / "pod-security"
OLDEST = 19
"""Versions before read seccomp profiles from annotations, which nothing has done since v1.27."""
FEWEST = {"pass": 450, "fail": 1_200}


@pytest.fixture(scope="module")
def examples() -> Path:
    if not EXAMPLES.is_dir():
        missing = f"Kubernetes' examples of pods are missing. {HINT}"
        if STRICT:
            pytest.fail(missing)
        pytest.skip(missing)
    return EXAMPLES


def files(examples: Path, expected: str) -> Iterator[tuple[str, int, Path]]:
    """(level, minor version, file)."""
    for path in sorted(examples.glob(f"*/v1.*/{expected}/*.yaml")):
        level, version = path.parts[-4], int(path.parts[-3].removeprefix("v1."))
        if version >= OLDEST:
            yield level, version, path


@pytest.mark.parametrize("expected", ["pass", "fail"])
def test_exam(examples: Path, expected: str) -> None:
    wrong, count = [], 0
    for level, version, path in files(examples, expected):
        pod = yaml.load(path.read_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - safe ones
        found = violations(one(pod, "workload").facts, level, version)
        count += 1
        if (not found) is not (expected == "pass"):
            wrong.append(f"{path.relative_to(examples)}: {found}")
    assert wrong == []
    assert count > FEWEST[expected]
