"""Reports to where they were asked for, and the exit status that goes with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.model import Report
from scanner.reports.formats import Output, hush, write


def deliver(report: Report, outputs: Sequence[Output], options: Mapping[str, Any]) -> None:
    """Write every report. A reader of standard output that goes away early changes nothing: files are written, the gate's answer holds."""
    try:
        write(report, outputs, quiet=options["quiet"], verbose=options["verbose"])
    except BrokenPipeError:
        hush()


def exit_code(report: Report, options: Mapping[str, Any]) -> int:
    """The gate's answer, unless --exit-zero says not to use it."""
    return 0 if options["exit_zero"] else report.exit_code
