"""`baseline`: known findings as a file beside the code; and reading what `--baseline` names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scanner.cli.options import choose, config_option
from scanner.model import BartizanError, Report

if TYPE_CHECKING:
    from scanner.assess import Terms
    from scanner.baseline import Baseline
    from scanner.cli.options import Chosen

DEFAULT = Path(".bartizan/baseline.json")
CURE = "Write one with `bartizan baseline write REPORT.json`, or go without: --no-baseline."


def previous(path: Path, chosen: Chosen, judging: Terms) -> Baseline:
    """The baseline at `path`: a JSON report, a snapshot (judged now, with the same rules) or a baseline file.

    Raises BartizanError where there is none or it cannot be read: it is never taken as empty.
    """
    from scanner.baseline import of_report  # noqa: PLC0415 - not for --help
    from scanner.reports import baseline_file, json_reader  # noqa: PLC0415
    from scanner.reports.text import visible  # noqa: PLC0415

    shown = visible(str(path))
    if _is_snapshot(path, f"--baseline {shown}"):
        return of_report(_assessed(path, chosen, judging), shown, "snapshot")
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
    except OSError as error:
        raise BartizanError(f"--baseline {shown}: cannot be read: {error.strerror}. {CURE}") from error
    except (ValueError, RecursionError) as error:
        raise BartizanError(f"--baseline {shown}: is neither a snapshot nor JSON: {visible(str(error))}. {CURE}") from error
    if isinstance(data, dict) and "schema_version" in data:
        report = json_reader.parse(data, f"--baseline {shown}")
        _judged_something(report, f"--baseline {shown}")
        return of_report(report, shown)
    if isinstance(data, dict) and "entries" in data:
        return baseline_file.parse(data, text, f"--baseline {shown}")
    raise BartizanError(f"--baseline {shown}: is no Bartizan report, snapshot or baseline file. {CURE}")


def _is_snapshot(path: Path, name: str) -> bool:
    """Whether a snapshot stands there."""
    from scanner.snapshot import is_snapshot  # noqa: PLC0415 - not for --help

    try:
        return is_snapshot(path)
    except OSError as error:
        raise BartizanError(f"{name}: cannot be read: {error.strerror}. {CURE}") from error


def _assessed(path: Path, chosen: Chosen, judging: Terms) -> Report:
    """The report of a snapshot."""
    import dataclasses  # noqa: PLC0415 - with the engine's parts

    from scanner.assess import assess, utc_now  # noqa: PLC0415

    alone = dataclasses.replace(judging, baseline=None, new_only=False, problems=())
    report = assess(path, chosen.library, chosen.rules, chosen.config, alone, now=utc_now())
    _judged_something(report, f"--baseline {path}")
    return report


def _judged_something(report: Report, name: str) -> None:
    """Refuses what saw nothing: compared with it, all would be new, and nobody would know why."""
    if not report.rules or not len(report.verdicts):
        raise BartizanError(f"{name}: judged nothing, so nothing can be compared with it. Scan again, and give that report.")


@click.group(short_help="Keep known findings as a file beside the code.")
def baseline() -> None:
    """Known findings as a file beside the code, for `--baseline`."""


@baseline.command()
@click.argument("source", metavar="REPORT|SNAPSHOT", type=click.Path(path_type=Path))
@click.option("-o", "--output", "to", type=click.Path(path_type=Path), default=DEFAULT, show_default=True, metavar="PATH")
@click.option("--partial", is_flag=True, help="Also of a filtered or incomplete scan; of the rest the old file's entries stay.")
@config_option
def write(source: Path, to: Path, *, partial: bool, **options: Any) -> int:
    """Write the findings of REPORT (`-o json=PATH`) or SNAPSHOT as known.

    Entries of the file that is there keep the day they were first seen. It is left alone where nothing but the time would change.
    """
    from scanner import __version__  # noqa: PLC0415 - not for --help
    from scanner.assess import Terms  # noqa: PLC0415
    from scanner.baseline import compare, of_report  # noqa: PLC0415
    from scanner.model import State  # noqa: PLC0415
    from scanner.reports import baseline_file, json_reader  # noqa: PLC0415
    from scanner.reports.formats import replacing  # noqa: PLC0415
    from scanner.reports.text import visible  # noqa: PLC0415

    chosen = choose(options)
    shown = visible(str(source))
    report = _assessed(source, chosen, Terms()) if _is_snapshot(source, shown) else json_reader.load(source)
    _judged_something(report, shown)
    old = previous(to, chosen, Terms()) if to.exists() else None
    if old and old.kind != "file":
        raise BartizanError(f"{visible(str(to))}: is a {old.kind}, no baseline file. Give another -o PATH.")
    lacks = baseline_file.lacking(report, [rule.id for rule in chosen.rules], old)
    if lacks and not partial:
        raise BartizanError(
            f"{shown}: is no whole look, so a baseline of it would forget what it did not see: {'; '.join(map(visible, lacks))}. "
            "Scan all of it, or give --partial."
        )
    compared = compare(report, old) if old else report
    new = baseline_file.merged(compared, old, whole=not lacks) if old else of_report(report, "")
    alive = sum(not entry.fixed for entry in new.findings)
    said = f"{visible(str(to))}: {alive} findings, {len(new.unknowns)} unknowns"
    if old and baseline_file.same(new, old):
        click.echo(f"{said}; nothing changed, so it is left as it is")
        return 0
    if to.parent == DEFAULT.parent:
        to.parent.mkdir(exist_ok=True)
    with replacing(to) as out:
        baseline_file.render(new, f"bartizan {__version__}", out)
    if counts := compared.baseline.counts if compared.baseline else None:
        said += f"; {counts[State.NEW] + counts[State.WORSE] + counts[State.REOPENED]} new, {counts[State.FIXED]} fixed"
    click.echo(said)
    return 0
