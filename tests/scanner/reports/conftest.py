from __future__ import annotations

import os
from pathlib import Path

import pytest

from scanner.model import Report
from tests.conftest import ROOT, STRICT
from tests.scanner.reports import golden as made


@pytest.fixture
def golden() -> Report:
    return made.report()


@pytest.fixture(scope="session")
def multitool() -> Path:
    """Microsoft's SARIF validator."""
    given = os.environ.get("SARIF_MULTITOOL")
    found = [Path(given)] if given else [*(ROOT / ".cache" / "sarif-multitool").rglob("Sarif.Multitool")]
    if found and found[0].is_file():
        return found[0]
    missing = "Microsoft's SARIF validator is missing. Run .ci/install-multitool, or set SARIF_MULTITOOL to the program"
    if STRICT:
        pytest.fail(missing)
    pytest.skip(missing)
