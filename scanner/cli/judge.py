"""`evaluate`, `report` and `explain`: the half of the work that needs no cloud."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from scanner.cli.options import choose, config_option, judge_options, selection_options, terms
from scanner.cli.output import deliver, exit_code, judged, refuse_overwriting
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
    refuse_overwriting(outputs, {**options, "file": snapshot})
    judging = terms(options, chosen)
    report = judged(snapshot, chosen, judging, options)
    deliver(report, outputs, options)
    return exit_code(report, options)


@click.command(short_help="Render a snapshot or a JSON report again, and ask its gate again.")
@click.argument("file", type=click.Path(path_type=Path))
@config_option
@selection_options
@judge_options
@click.pass_context
def report(context: click.Context, /, file: Path, **options: Any) -> int:
    """Render FILE again: a JSON report as it was judged, or a snapshot, which is judged now.

    With --fail-on, --allow-unknown, --baseline, --new-only, --waivers and their like, or with --config, the gate of a JSON report is
    asked again; what is not given is the configuration's, as for `evaluate`. What was judged stays: for other rules or parameters judge
    a snapshot.
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

    asked = _asked(context, options)
    outputs = requested(options["outputs"])
    loaded = load(file)
    if asked:
        loaded = _again(loaded, file, options)
    deliver(loaded, outputs, options)
    return exit_code(loaded, options)


JUDGED = ("folders", "rule", "domain", "tag", "framework", "severity")
ENGINE = ("engine", "opa_url", "opa_token", "opa_ca", "opa_cert", "workers")
SHOWN = ("file", "outputs", "quiet", "verbose", "exit_zero")


def _asked(context: click.Context, options: dict[str, Any]) -> bool:
    """Whether the gate of a JSON report is asked again. Raises BartizanError for what would mean something for a snapshot alone."""
    default = (click.core.ParameterSource.DEFAULT, click.core.ParameterSource.DEFAULT_MAP)
    given = {
        each.name: each.opts[0]
        for each in context.command.params
        if each.name and context.get_parameter_source(each.name) not in default
    }
    if context.get_parameter_source("opa_token") is click.core.ParameterSource.ENVIRONMENT:
        given.pop("opa_token")  # NOTE: it stands there for other commands
    for name in JUDGED:
        if name in given:
            raise BartizanError(
                f"{given[name]}: a JSON report is judged already, by the rules that it names. Judge its snapshot: `bartizan evaluate`."
            )
    for name in ENGINE:
        if name in given and not _judges(options["baseline_path"]):
            raise BartizanError(
                f"{given[name]}: nothing is judged of a JSON report, unless --baseline is a snapshot. Leave it out."
            )
    return bool(given.keys() - {*SHOWN, *ENGINE})


def _judges(baseline: Path | None) -> bool:
    """Whether a baseline is a snapshot, and so is judged now."""
    from scanner.snapshot import is_snapshot  # noqa: PLC0415

    try:
        return baseline is not None and is_snapshot(baseline)
    except OSError:
        return False  # NOTE: told where it is read


def _again(loaded: Report, file: Path, options: dict[str, Any]) -> Report:
    """A report that was judged before, with the answer of the gate to what is asked now."""
    from scanner.again import LIMITLESS, Asked, again, not_evaluated, refuse_other  # noqa: PLC0415 - not for --help
    from scanner.assess import utc_now  # noqa: PLC0415
    from scanner.baseline import bare  # noqa: PLC0415
    from scanner.reports.text import visible  # noqa: PLC0415

    chosen = choose(options)
    config, every = chosen.config, {*chosen.library.rules, *(rule.id for rule in loaded.rules)}
    refuse_other(loaded, config, every, visible(str(file)))
    limits, own = replace(config.limits(utc_now().date(), every), max_days=LIMITLESS), None
    if options["config_path"]:
        if config.get("rules"):
            not_evaluated(loaded, chosen.rules, visible(str(file)))
        limits = config.limits(utc_now().date(), every)
        own = config.waivers(limits)
    if options["no_baseline"]:
        loaded = bare(loaded)
    same = {rule.id for rule in loaded.rules}
    rules = tuple(
        rule for rule in chosen.library.rules.values() if rule.id in same
    )  # NOTE: by them a snapshot is judged for --baseline
    judging = terms(options, replace(chosen, rules=rules), compared=loaded.baseline is not None)
    return again(loaded, Asked(judging, limits, own))


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
