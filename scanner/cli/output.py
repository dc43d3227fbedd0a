"""Reports to where they were asked for, the exit status that goes with them, and a place for what nobody asked to keep."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scanner.model import BartizanError, Report
from scanner.reports.formats import Output, hush, write


def deliver(report: Report, outputs: Sequence[Output], options: Mapping[str, Any]) -> None:
    """Write every report. A reader of standard output that goes away early changes nothing: files are written, the gate's answer holds."""
    try:
        write(report, outputs, quiet=options["quiet"], verbose=options["verbose"])
    except BrokenPipeError:
        hush()


@contextmanager
def scratch() -> Iterator[Path]:
    """A private folder that is gone afterwards. Raises BartizanError where the machine has no place for one."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="bartizan-")
    except OSError as error:
        raise BartizanError(
            f"There is no folder for temporary files: {error.strerror or error}. Set TMPDIR, or give --snapshot PATH."
        ) from error
    with folder as name:
        yield Path(name)


def exit_code(report: Report, options: Mapping[str, Any]) -> int:
    """The gate's answer, unless --exit-zero says not to use it."""
    return 0 if options["exit_zero"] else report.exit_code
