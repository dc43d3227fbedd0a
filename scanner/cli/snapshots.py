"""`snapshot`: export and verify."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.group(short_help="Export and verify snapshots.")
def snapshot() -> None:
    """Snapshots are single SQLite files: open to anyone's SQL, and to these."""


@snapshot.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--to", type=click.Path(path_type=Path), metavar="FILE", help="Default: standard output.")
def export(path: Path, to: Path | None) -> int:
    """Write PATH as JSON Lines, in canonical order: equal estates give equal text."""
    from scanner.reports.formats import replacing  # noqa: PLC0415 - not for --help
    from scanner.snapshot import Snapshot  # noqa: PLC0415

    with Snapshot.open(path) as opened:
        if to is None:
            opened.export(sys.stdout)
        else:
            with replacing(to) as out:
                opened.export(out)
    return 0


@snapshot.command()
@click.argument("path", type=click.Path(path_type=Path))
def verify(path: Path) -> int:
    """Check that PATH is whole: pages, digest, answers."""
    from scanner.snapshot import Snapshot  # noqa: PLC0415

    with Snapshot.open(path) as opened:
        wrong = opened.verify()
        resources, calls = opened.size()
        digest = opened.kept_digest()
    for text in wrong:
        click.echo(f"{path}: {text}", err=True)
    click.echo(f"{path}: {'damaged' if wrong else 'whole'}, {resources} resources, {calls} calls, digest {digest}")
    return 4 if wrong else 0
