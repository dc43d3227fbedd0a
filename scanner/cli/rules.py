"""`rules`: list, show, test and scaffold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from scanner.cli.options import choose, config_option, selection_options
from scanner.model import BartizanError, Rule


@click.group(short_help="List, show, test and scaffold rules.")
def rules() -> None:
    """The rules: Rego files with METADATA, one file a rule."""


@rules.command("list")
@config_option
@selection_options
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def list_rules(*, as_json: bool, **options: Any) -> int:
    """List the rules that the selection flags leave."""
    chosen = choose(options).rules
    if as_json:
        click.echo(json.dumps([_plain(rule) for rule in chosen], indent=1))
        return 0
    from rich.console import Console  # noqa: PLC0415 - not for --help
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False)
    for name in ("rule", "severity", "kind", "title"):
        table.add_column(name, overflow="fold", no_wrap=name != "title")
    for rule in chosen:
        table.add_row(Text(rule.id, "bold"), Text(rule.severity.value), Text(rule.kind), Text(rule.title))
    console = Console(highlight=False)
    console.print(table)
    console.print(f"{len(chosen)} rules")
    return 0


def _plain(rule: Rule) -> dict[str, Any]:
    covers = {
        native: {
            "catalog": list(c.catalog),
            "controls": {k: list(v) for k, v in rule.controls_for(native).items()},
            "fix": dict(c.fix),
        }
        for native, c in rule.covers.items()
    }
    return {
        "id": rule.id, "title": rule.title, "description": rule.description, "severity": rule.severity.value, "kind": rule.kind,
        "scope_on": list(rule.scope_on), "fail_on": list(rule.fail_on), "params": dict(rule.params), "covers": covers,
        "references": list(rule.references), "tags": list(rule.tags), "file": rule.file,
    }  # fmt: skip


@rules.command("show")
@click.argument("rule_id")
@config_option
@click.option("--rules", "folders", multiple=True, type=click.Path(path_type=Path), metavar="DIR", help="Folder of your own rules.")
@click.option("--source", is_flag=True, help="The Rego text as well.")
def show_rule(rule_id: str, *, source: bool, **options: Any) -> int:
    """Show everything about one rule: why, what it covers, controls, parameters, fix."""
    rule, *more = choose({**options, "rule": (rule_id,)}).rules
    if more:
        raise BartizanError(
            f"{rule_id}: means {1 + len(more)} rules; show one. `bartizan rules list --rule '{rule_id}'` lists them."
        )
    lines = [f"{rule.id}  [{rule.severity.value}]", rule.title, "", *_wrapped(rule.description), ""]
    lines += [
        f"kind        {rule.kind}",
        f"speaks on   {', '.join(rule.scope_on) or 'every one'}",
        f"decided by  {', '.join(rule.fail_on)}",
    ]
    lines += [f"parameter   {name} = {json.dumps(value)}" for name, value in rule.params.items()]
    for native, cover in rule.covers.items():
        lines += ["", native, *([f"  answers   {', '.join(cover.catalog)}"] if cover.catalog else [])]
        lines += [f"  {name}  {', '.join(ids)}" for name, ids in rule.controls_for(native).items()]
        lines += [f"  fix ({name})  {text}" for name, text in cover.fix.items()]
    lines += ["", *(f"see {url}" for url in rule.references), f"file {rule.file}"]
    click.echo("\n".join(lines))
    if source:
        click.echo("\n" + rule.source)
    return 0


def _wrapped(text: str) -> list[str]:
    import textwrap  # noqa: PLC0415

    return textwrap.wrap(text, 96)


@rules.command("test")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--rules", "folders", multiple=True, type=click.Path(path_type=Path), metavar="DIR", help="Folder of your own rules.")
@click.option("-v", "--verbose", is_flag=True, help="Passed tests as well.")
def test_rules(paths: tuple[Path, ...], folders: tuple[Path, ...], *, verbose: bool) -> int:
    """Run `_test.rego` files on the embedded engine: all of them, or those in PATHS."""
    from scanner.engine.embedded import run_tests  # noqa: PLC0415
    from scanner.rules.library import load, policies, read_rego  # noqa: PLC0415

    mine = [p for p in paths if p.is_dir() and not p.resolve().is_relative_to(policies())]
    library = load((*folders, *mine))
    tests = {name: path for name, path in library.tests.items() if not paths or _within(name, paths, policies())}
    without = [path for path in paths if not any(_within(name, [path], policies()) for name in tests)]
    if without or not tests:
        raise BartizanError(f"No _test.rego file in {', '.join(map(str, without)) or 'the rules'}.", code=3)
    modules = {**library.modules, **{rule.file: rule.source for rule in library.rules.values()}}
    results = run_tests(modules, {name: read_rego(path) for name, path in tests.items()})
    for file, name, passed, problem in results:
        if verbose or not passed:
            click.echo(f"{'ok  ' if passed else 'FAIL'} {file}: {name}{'' if passed else f': {problem}'}")
    failed = sum(not passed for _, _, passed, _ in results)
    click.echo(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


def _within(name: str, paths: Iterable[Path], root: Path) -> bool:
    file = (root / name.removeprefix("policies/")).resolve() if name.startswith("policies/") else Path(name).resolve()
    return any(file == p.resolve() or file.is_relative_to(p.resolve()) or name == p.as_posix() for p in paths)


@rules.command("new")
@click.argument("name", metavar="DOMAIN/NAME")
@click.option("--kind", required=True, help="The kind of resource it judges (`policies/kinds/`).")
@click.option("--type", "native", required=True, help="The native type it starts with, such as AWS::KMS::Key.")
@click.option(
    "--into", type=click.Path(path_type=Path), default=Path("policies"), show_default=True, help="Folder of rules to write to."
)
def new_rule(name: str, kind: str, native: str, into: Path) -> int:
    """Write a rule and its test to start from."""
    from scanner.rules.scaffold import scaffold  # noqa: PLC0415

    for path in scaffold(name, kind, native, into):
        click.echo(f"wrote {path}")
    click.echo(f"next: write the rule, then `bartizan rules test {into / name.split('/', maxsplit=1)[0]}`")
    return 0
