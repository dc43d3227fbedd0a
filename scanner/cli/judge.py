"""`evaluate`, `report` and `explain`: the half of the work that needs no cloud."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from scanner.cli.options import choose, config_option, judge_options, selection_options, terms
from scanner.cli.output import deliver, exit_code, judged
from scanner.model import BartizanError, Report


@click.command(short_help="Judge a snapshot, with today's rules.")
@click.argument("snapshot", type=click.Path(path_type=Path))
@config_option
@selection_options
@judge_options
def evaluate(snapshot: Path, **options: Any) -> int:
    """Judge a SNAPSHOT that `collect` or `scan --snapshot` made, with today's rules, parameters and waivers."""
    from scanner.reports.formats import requested  # noqa: PLC0415 - not for --help

    chosen = choose(options)
    outputs = requested(options["outputs"] or chosen.config.get("outputs", []))
    judging = terms(options, chosen)
    report = judged(snapshot, chosen, judging, options)
    deliver(report, outputs, options)
    return exit_code(report, options)


@click.command(short_help="Render a snapshot or a JSON report again.")
@click.argument("file", type=click.Path(path_type=Path))
@config_option
@selection_options
@judge_options
@click.pass_context
def report(context: click.Context, /, file: Path, **options: Any) -> int:
    """Render FILE again: a JSON report as it was judged, or a snapshot, which is judged now.

    With --baseline a JSON report is compared anew, and its gate is asked again.
    """
    from scanner.snapshot import is_snapshot  # noqa: PLC0415

    try:
        judge_now = is_snapshot(file)
    except OSError as error:
        raise BartizanError(f"{file}: cannot be read: {error.strerror}.") from error
    if judge_now:
        code: int = context.invoke(evaluate, snapshot=file, **options)
        return code
    from scanner.reports.formats import requested  # noqa: PLC0415
    from scanner.reports.json_reader import load  # noqa: PLC0415

    loaded = load(file)
    if options["baseline_path"] or options["new_only"] or options["no_baseline"]:
        loaded = _compared(loaded, options)
    deliver(loaded, requested(options["outputs"]), options)
    return exit_code(loaded, options)


def _compared(report: Report, options: dict[str, Any]) -> Report:
    """A report that was judged before, compared with another baseline or with none, and the gate's answer to that."""
    from scanner.baseline import bare, compare  # noqa: PLC0415 - not for --help
    from scanner.gate import gate  # noqa: PLC0415

    judging = terms(options, choose(options))
    found = compare(report, judging.baseline, new_only=judging.new_only) if judging.baseline else bare(report)
    code, reason = gate(found, judging.fail_on, judging.allowed)
    return found.replace(exit_code=code, exit_reason=reason)


@click.command(short_help="Show a resource's facts, and the call each came from.")
@click.argument("resource")
@click.option("--snapshot", "path", type=click.Path(path_type=Path), required=True, metavar="PATH", help="The snapshot to look in.")
@click.option("--raw", is_flag=True, help="The redacted answers as well.")
@config_option
@selection_options
def explain(resource: str, path: Path, *, raw: bool, **options: Any) -> int:
    """Show RESOURCE (id, name or end of an id) of a snapshot: every fact and gap, the call it came from, and what rules say."""
    from rich.console import Console  # noqa: PLC0415 - not for --help

    from scanner.assess import Terms, assess, utc_now  # noqa: PLC0415
    from scanner.cli.explained import show  # noqa: PLC0415
    from scanner.snapshot import Snapshot  # noqa: PLC0415

    chosen = choose(options)
    with Snapshot.open(path) as snapshot:
        found = list(snapshot.find(resource))
        if not found:
            raise BartizanError(f"{path}: holds no resource {resource!r}. `bartizan snapshot export {path}` lists all.")
        judged = assess(path, chosen.library, chosen.rules, chosen.config, Terms(), now=utc_now())
        ids = {r.id for r in found}
        verdicts = [v for v in judged.verdicts if v.subject in ids]
        show(Console(highlight=False, soft_wrap=True), snapshot, found, verdicts, chosen.config.settings(), raw=raw)
    return 0
