"""From a snapshot to reports where they were asked for, the exit status, and a place for what nobody asked to keep."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from collectors.repository import repository
from scanner.cli.options import Chosen
from scanner.cli.progress import progress
from scanner.model import BartizanError, Report
from scanner.reports.formats import Output, hush, write
from scanner.reports.text import visible

if TYPE_CHECKING:
    from scanner.assess import Terms


def judged(path: Path, chosen: Chosen, judging: Terms, options: Mapping[str, Any]) -> Report:
    """The report of the snapshot at `path`, with progress on a terminal."""
    from scanner.assess import assess, utc_now  # noqa: PLC0415 - pulls in the engine's parts

    with progress("evaluate", quiet=options["quiet"]) as step:
        told = (lambda done, total: step("resources", done, total)) if step else None
        return assess(path, chosen.library, chosen.rules, chosen.config, judging, now=utc_now(), progress=told)


def deliver(report: Report, outputs: Sequence[Output], options: Mapping[str, Any]) -> None:
    """Write every report. A reader of standard output that goes away early changes nothing: files are written, the gate's answer holds."""
    around = repository()
    try:
        write(
            report,
            outputs,
            quiet=options["quiet"],
            verbose=options["verbose"],
            root=around.root if around else "",
            category=options["category"] or "",
        )
    except BrokenPipeError:
        hush()


READ = ("snapshot_path", "file", "json", "paths", "config_path", "waivers_path", "waivers_from")
"""Options that name what is read or kept."""


def refuse_overwriting(outputs: Sequence[Output], options: Mapping[str, Any]) -> None:
    """Raises BartizanError where a report would take the place of what it is made from."""
    given = [options.get(name) for name in READ]
    read = [Path(each) for one in given if one for each in (one if isinstance(one, tuple) else (one,)) if str(each) != "-"]
    for output in outputs:
        if output.path is not None and any(output.path.resolve() == each.resolve() for each in read):
            raise BartizanError(
                f"-o {output.format.name}={visible(str(output.path))}: would overwrite what is read. Give it another path."
            )


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
    if not options["exit_zero"]:
        return report.exit_code
    if report.exit_code:
        click.echo(f"--exit-zero: the exit status is 0, whatever the gate says ({report.exit_code})", err=True)
    return 0
