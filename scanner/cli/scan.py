"""`scan` and `collect`: the sources as subcommands, and what happens to what they saw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from scanner.cli import sources
from scanner.cli.options import choose, config_option, judge_options, selection_options, stack, terms
from scanner.cli.output import deliver, exit_code, judged, refuse_overwriting, scratch
from scanner.model import BartizanError

kept_options = stack(
    click.option("--snapshot", "snapshot_path", type=click.Path(path_type=Path), metavar="PATH", help="Keep the snapshot there."),
    click.option("--resume", is_flag=True, help="Continue an interrupted collection in --snapshot."),
)
live_options = stack(
    click.option("--concurrency", type=click.IntRange(1, 128), default=12, show_default=True, help="Calls under way at once."),
    click.option(
        "--deadline", type=click.FloatRange(min=1), metavar="SECONDS", help="Stop asking after so long; what is missing is unknown."
    ),
    click.option(
        "--max-rate", type=click.FloatRange(min=0.1), metavar="N", help="Most calls a second to one service in one region."
    ),
)
file_options = stack(
    click.option("--max-bytes", type=click.IntRange(min=1), metavar="N", help="Largest input file that is read."),
)


def _listed(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    """The parts of `A,B`. A list of nothing is refused: it would mean all that there is."""
    found = tuple(filter(None, (part.strip() for part in (value or "").split(","))))
    if value is not None and not found:
        raise click.BadParameter("names nothing.")
    return found


SOURCES: dict[str, tuple[str, list[Callable[[Any], Any]]]] = {
    "aws": (
        "A live AWS account: every enabled region, or those given.",
        [
            click.option("--profile", help="Profile of the AWS configuration."),
            click.option(
                "--role", metavar="ARN|NAME", help="Role to assume: its ARN, or with --org or --accounts its name in each."
            ),
            click.option("--external-id", metavar="ID", help="ExternalId that the role's trust asks for."),
            click.option(
                "--regions",
                callback=_listed,
                metavar="A,B",
                help="Only these regions.",
            ),
            click.option(
                "--accounts",
                callback=_listed,
                metavar="ID,ID",
                help="These accounts, by assuming --role in each.",
            ),
            click.option("--org", is_flag=True, help="Every account of the organisation, by assuming --role in each."),
        ],
    ),
    "k8s": (
        "A live Kubernetes cluster.",
        [
            click.option("--kubeconfig", metavar="FILE", help="Default: KUBECONFIG, ~/.kube/config, or the pod's own account."),
            click.option("--context", help="Context of the kubeconfig."),
            click.option(
                "--namespaces",
                callback=_listed,
                metavar="A,B",
                help="Only these namespaces.",
            ),
            click.option(
                "--secret-metadata",
                is_flag=True,
                help="Also list names, dates and annotations of Secrets. Whoever may do that may read their values too.",
            ),
        ],
    ),
    "plan": (
        "A Terraform or OpenTofu plan: the output of `terraform show -json`. - reads standard input.",
        [
            click.argument("file"),
            click.option("--name", help="Name of the plan's scope; default the file's."),
            click.option(
                "--source",
                metavar="DIR|PLAN.bin",
                help="Where its .tf files are, for the lines of findings: their folder or one around it, or the binary plan. "
                "Default: the working folder or the plan's, where they declare all that the plan has.",
            ),
            click.option("--json", metavar="PLAN.json", help="FILE is the binary plan, and this its `terraform show -json`."),
        ],
    ),
    "manifests": (
        "Kubernetes manifests, Helm charts and Kustomize overlays: files, folders, - for standard input.",
        [
            click.argument("paths", nargs=-1, required=True),
            click.option("--values", multiple=True, metavar="FILE", help="Values for Helm charts; repeat for several."),
            click.option(
                "--no-render", is_flag=True, help="Read charts and overlays as they stand; run neither helm nor kustomize."
            ),
        ],
    ),
    "demo": ("The shipped demo AI factory; no cloud needed.", []),
}


def _refuse_early(context: click.Context) -> None:
    """Options before the source would reach nobody: a --fail-on that is silently dropped is worse than an error."""
    source = context.invoked_subcommand
    for parameter in context.command.params:
        if not parameter.name:
            continue
        given = context.get_parameter_source(parameter.name)
        if given is click.core.ParameterSource.ENVIRONMENT and not parameter.envvar:
            name = f"{context.auto_envvar_prefix}_{parameter.name.upper()}"
            raise click.UsageError(f"{name} does not reach `{context.info_name} {source}`: give {parameter.opts[0]}, or unset it.")
        if given is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"{parameter.opts[0]} goes behind the source: {context.info_name} {source} … {parameter.opts[0]} …"
            )


def _group(
    name: str, text: str, run: Callable[[list[sources.Wanted], dict[str, Any]], int], common: Callable[[Any], Any]
) -> click.Group:
    """`scan` or `collect`: a group whose subcommands are the sources; without one, what bartizan.yaml lists."""

    @click.group(name, invoke_without_command=True, help=text)
    @stack(common, live_options, file_options)
    @click.pass_context
    def group(context: click.Context, /, **options: Any) -> int | None:
        if context.invoked_subcommand is not None:
            _refuse_early(context)
            return None
        from scanner.config import load_config  # noqa: PLC0415 - not for --help

        wanted = sources.configured(load_config(options["config_path"]))
        _refuse_idle(context, {"live" if each.live else "file" for each in wanted})
        return run(wanted, options)

    for source, (line, own) in SOURCES.items():
        group.add_command(_source(source, line, [*own, *OF[source]], run, common))
    return group


OF = {
    "aws": [live_options],
    "k8s": [live_options],
    "plan": [file_options],
    "manifests": [file_options],
    "demo": [live_options, file_options],
}
"""What a source can be told about how it is read."""
IDLE = {"concurrency": "live", "deadline": "live", "max_rate": "live", "max_bytes": "file"}


def _refuse_idle(context: click.Context, kinds: set[str]) -> None:
    """Options for sources of which the configuration lists none."""
    for parameter in context.command.params:
        needs = IDLE.get(parameter.name or "")
        if (
            needs
            and needs not in kinds
            and context.get_parameter_source(parameter.name or "") is not click.core.ParameterSource.DEFAULT
        ):
            what = "live accounts and clusters" if needs == "live" else "files"
            raise click.UsageError(f"{parameter.opts[0]} is for {what}, and the configuration lists none.")


def _source(
    name: str,
    text: str,
    own: Sequence[Callable[[Any], Any]],
    run: Callable[[list[sources.Wanted], dict[str, Any]], int],
    shared: Callable[[Any], Any],
) -> click.Command:
    def call(**options: Any) -> int:
        if name != "demo":
            return run([getattr(sources, name)(options)], options)
        with ExitStack() as held:
            return run(sources.demo(held), options)

    for decorator in reversed(own):
        call = decorator(call)
    command: click.Command = click.command(name, help=text, short_help=text)(shared(call))
    return command


def _check_paths(options: dict[str, Any]) -> None:
    if options.get("resume") and not options.get("snapshot_path"):
        raise BartizanError("--resume needs --snapshot PATH: the collection to continue.")


def scan_sources(wanted: list[sources.Wanted], options: dict[str, Any]) -> int:
    """The whole of `scan`."""
    from scanner.cli.gather import gather  # noqa: PLC0415
    from scanner.reports.formats import requested  # noqa: PLC0415

    _check_paths(options)
    chosen = choose(options)
    outputs = requested(options["outputs"] or chosen.config.get("outputs", []))
    refuse_overwriting(outputs, options)
    judging = terms(options, chosen)
    with scratch() as folder:
        path = options["snapshot_path"] or folder / "scan.snapshot"
        gather(wanted, options, chosen, path, lasting=bool(options["snapshot_path"]))
        report = judged(path, chosen, judging, options)
        deliver(report, outputs, options)
    return exit_code(report, options)


def collect_sources(wanted: list[sources.Wanted], options: dict[str, Any]) -> int:
    """The whole of `collect`."""
    from scanner.cli.gather import gather  # noqa: PLC0415
    from scanner.reports.text import visible  # noqa: PLC0415
    from scanner.snapshot import Snapshot  # noqa: PLC0415

    path = options["snapshot_path"] or Path("bartizan.snapshot")
    chosen = choose(options)
    gather(wanted, options, chosen, path)
    with Snapshot.open(path) as snapshot:
        resources, calls = snapshot.size()
        failed = len(snapshot.failed_calls())
        problems = snapshot.problems()
        click.echo(
            f"{visible(str(path))}: {resources} resources, {calls} calls ({failed} failed), digest {snapshot.kept_digest()[:16]}"
        )
    for problem in problems:
        click.echo(f"problem: {visible(problem)}", err=True)
    return 4 if problems else 0


scan = _group(
    "scan",
    "Collect, evaluate and report in one go. Without a source: everything that bartizan.yaml lists.",
    scan_sources,
    stack(config_option, kept_options, selection_options, judge_options),
)
collect = _group(
    "collect",
    "Collect into a snapshot, and judge nothing.",
    collect_sources,
    stack(config_option, kept_options, selection_options, click.option("-q", "--quiet", is_flag=True, help="No progress.")),
)
