"""Flags that several commands share, and what they mean together."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from scanner.config import Config, load_config, parse
from scanner.gate import parse_allowed
from scanner.model import BartizanError, Rule, Severity, Waiver, frozen
from scanner.rules.library import Library, Selection, load, select
from scanner.textfile import read_bounded

if TYPE_CHECKING:
    from scanner.assess import Terms

F = TypeVar("F", bound=Callable[..., Any])
SEVERITIES = click.Choice([s.value for s in Severity])
OPA_KEYS = {"opa_url": "url", "opa_token": "token", "opa_ca": "ca", "opa_cert": "cert"}


def stack(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several decorators as one, in the order in which --help shows them."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


config_option = click.option(
    "--config", "config_path", type=click.Path(path_type=Path), help="Configuration; default bartizan.yaml where there is one."
)

selection_options = stack(
    click.option(
        "--rules",
        "folders",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of your own rules, besides the shipped ones.",
    ),
    click.option("--rule", "rule", multiple=True, metavar="ID", help="Rule id or pattern (encryption.*); repeatable."),
    click.option("--domain", "domain", multiple=True, metavar="NAME", help="Rules of a domain; repeatable."),
    click.option("--tag", "tag", multiple=True, metavar="NAME", help="Rules with a tag; repeatable."),
    click.option(
        "--framework",
        "framework",
        multiple=True,
        metavar="NAME[:CONTROL]",
        help="Rules of a framework, or of one of its controls; repeatable.",
    ),
    click.option("--severity", type=SEVERITIES, help="Rules of this severity and above."),
)

judge_options = stack(
    click.option(
        "-o",
        "--output",
        "outputs",
        multiple=True,
        metavar="FORMAT[=PATH]",
        help="terminal, json, sarif, sarif-audit, junit, gitlab, github, markdown, csv; stdout without a PATH; repeatable.",
    ),
    click.option(
        "--fail-on", type=click.Choice([*SEVERITIES.choices, "none"]), help="Lowest severity that fails the gate; default high."
    ),
    click.option(
        "--allow-unknown",
        metavar="REASONS",
        help="Unknowns that do not stop the gate: reasons joined by commas, all, none, or +REASON and -REASON to change the default "
        "(known_after_apply, not_offered, region_off, service_off, sensitive).",
    ),
    click.option(
        "--baseline",
        "baseline_path",
        type=click.Path(path_type=Path),
        metavar="PREVIOUS",
        help="Say what is new since a JSON report, a snapshot or a baseline file.",
    ),
    click.option("--new-only", is_flag=True, help="Gate on what the baseline does not know, and on nothing else."),
    click.option("--no-baseline", is_flag=True, help="Compare with nothing, whatever the configuration says."),
    click.option(
        "--category", metavar="NAME", help="SARIF: what tells this run from others of the same commit, as of other folders."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit 0 whatever the gate says."),
    click.option(
        "--waivers",
        "waivers_path",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Waivers, besides those of the configuration.",
    ),
    click.option(
        "--waivers-from",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Waivers, and no others: a pull request cannot exempt itself where FILE is of its base branch.",
    ),
    click.option("--no-inline-waivers", is_flag=True, help="Waivers in comments and annotations do not count."),
    click.option(
        "--engine",
        type=click.Choice(["regorus", "opa"]),
        default="regorus",
        show_default=True,
        help="Embedded engine, or OPA (a child, or --opa-url).",
    ),
    click.option("--opa-url", metavar="URL", help="An OPA server."),
    click.option(
        "--opa-token", metavar="TOKEN", help="Its bearer token; better in BARTIZAN_OPA_TOKEN.", envvar="BARTIZAN_OPA_TOKEN"
    ),
    click.option("--opa-ca", metavar="FILE", help="CA certificate of its TLS."),
    click.option("--opa-cert", metavar="FILE", help="Client certificate for mutual TLS."),
    click.option("--workers", type=click.IntRange(1, 256), help="Processes that evaluate; default one a core."),
    click.option("-q", "--quiet", is_flag=True, help="Only the gate's answer."),
    click.option("-v", "--verbose", is_flag=True, help="Passes and evidence as well."),
)


@frozen
class Chosen:
    """Configuration, rules, and which of them were selected."""

    config: Config
    library: Library
    rules: tuple[Rule, ...]


def choose(options: dict[str, Any]) -> Chosen:
    """Read configuration and rules; flags replace what the configuration says. Raises BartizanError (exit 3 for no rule)."""
    config = load_config(options.get("config_path"))
    wanted = config.get("rules", {})
    folders = list(options.get("folders") or ()) or [config.folder / name for name in wanted.get("folders", [])]
    library = load(folders)

    def either(name: str) -> tuple[str, ...]:
        return tuple(options.get(name) or wanted.get(name, ()))

    severity = options.get("severity") or wanted.get("severity")
    selection = Selection(
        either("rule"), either("domain"), either("tag"), either("framework"), Severity(severity) if severity else None
    )
    rules = select(library.rules.values(), selection)
    if not rules:
        raise BartizanError("No rule is left after --rule, --domain, --tag, --framework and --severity.", code=3)
    return Chosen(config, library, tuple(rules))


def terms(options: dict[str, Any], chosen: Chosen, *, compared: bool = False) -> Terms:
    """How to judge, from flags and configuration. Of what is `compared` already only --baseline names another baseline."""
    from scanner.assess import Terms, utc_now  # noqa: PLC0415 - pulls in the engine's parts

    fail_on = options.get("fail_on") or chosen.config.get("fail_on") or "high"
    allowed = options.get("allow_unknown")
    if allowed is None and "allow_unknown" in chosen.config.data:
        allowed = ",".join(chosen.config.get("allow_unknown", [])) or "none"
    opa = {key: options[flag] for flag, key in OPA_KEYS.items() if options.get(flag)}
    said = {key for key in opa if key != "token" or os.environ.get("BARTIZAN_OPA_TOKEN") != opa["token"]}
    if said and options["engine"] != "opa":
        raise BartizanError("--opa-url and its like need --engine opa.")
    if said and "url" not in opa:
        raise BartizanError("--opa-token, --opa-ca and --opa-cert need --opa-url.")
    waivers, problems, inline = _waivers(options, chosen, utc_now().date())
    judging = Terms(
        fail_on=None if fail_on == "none" else Severity(fail_on),
        allowed=parse_allowed(allowed),
        engine=options["engine"],
        opa=opa if "url" in opa else {},
        waivers=tuple(waivers),
        only_these=bool(options.get("waivers_from")),
        inline=inline and chosen.config.waiver_policy("inline", default=True) and not options.get("no_inline_waivers"),
        waivers_unreadable=bool(problems),
        problems=tuple(problems),
        workers=options.get("workers") or 0,
    )
    return compared_with(options, chosen, judging, compared=compared)


def compared_with(options: dict[str, Any], chosen: Chosen, judging: Terms, *, compared: bool) -> Terms:
    """The same, with the baseline read: before anything is scanned, so that a missing one costs no hour."""
    from scanner.cli.baseline import previous  # noqa: PLC0415 - reads reports

    named = options.get("baseline_path")
    if options.get("no_baseline"):
        if named or options.get("new_only"):
            raise BartizanError("--no-baseline contradicts --baseline and --new-only: leave one out.")
        return judging
    if named is None and not compared and (configured := chosen.config.get("baseline")):
        named = chosen.config.folder / configured
    new_only = bool(options.get("new_only") or chosen.config.get("new_only"))
    if named is None:
        if compared:
            return replace(judging, new_only=new_only)
        if new_only:
            raise BartizanError("--new-only needs --baseline PREVIOUS (or `baseline:` in bartizan.yaml): new since when?")
        return judging
    return replace(judging, baseline=previous(named, chosen, judging), new_only=new_only)


def _waivers(options: dict[str, Any], chosen: Chosen, today: datetime.date) -> tuple[list[Waiver], list[str], bool]:
    """The waivers of a file of their own, why it could not be read, and whether it lets those count that stand in what is judged."""
    beside, only = options.get("waivers_path"), options.get("waivers_from")
    if beside and only:
        raise BartizanError("--waivers and --waivers-from do not go together: the latter says that no others count.")
    path = beside or only
    if path is None:
        return [], [], True
    try:
        given = parse(path, read_bounded(path))
    except BartizanError as error:
        return [], [f"{'--waivers' if beside else '--waivers-from'} {error}"], True
    limits = given.limits(today, chosen.library.rules)
    if beside and given.waiver_policy("max_days") is None:
        limits = chosen.config.limits(today, chosen.library.rules)
    return given.waivers(limits), [], given.waiver_policy("inline", default=True)
