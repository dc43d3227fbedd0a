"""Progress on stderr, on a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Step = Callable[[str, int, int], None]
"""Told a label, what is done, and the total."""


@contextmanager
def progress(title: str, *, quiet: bool) -> Iterator[Step | None]:
    """A bar that `Step` moves; None where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # noqa: PLC0415 - a terminal only
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        TextColumn("{task.fields[title]}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, title=title)

        def step(label: str, done: int, total: int) -> None:
            bar.update(task, description=label, completed=done, total=total)

        yield step
