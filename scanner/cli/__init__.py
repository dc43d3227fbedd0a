"""The command. This package is the composition root: only here are collectors, engine and reports named together."""

from __future__ import annotations

import gc
import importlib
import io
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType, TracebackType

import click

from scanner import __version__
from scanner.model import BartizanError

COMMANDS = {
    # name → (module, one line for --help): modules are imported when their command is called, so that --help is quick
    "scan": ("scan", "Collect, evaluate and report in one go."),
    "collect": ("scan", "Collect into a snapshot, and judge nothing."),
    "evaluate": ("judge", "Judge a snapshot, with today's rules."),
    "report": ("judge", "Render a snapshot or a JSON report again."),
    "baseline": ("baseline", "Keep known findings as a file, to gate on new ones alone."),
    "explain": ("judge", "Show a resource's facts, and the call each came from."),
    "rules": ("rules", "List, show, test and scaffold rules."),
    "permissions": ("access", "Print the least permission a scan takes."),
    "preflight": ("access", "Say which rules would be unknown, for lack of what."),
    "snapshot": ("snapshots", "Export and verify snapshots."),
}
BUG = 70
GARBAGE = 500_000
"""Objects between two searches for cycles: we make millions and hardly a cycle, and the default of 700 costs an eighth of the time."""
INTERRUPTED = 130
PIPE = 141
"""As a shell shows a program that SIGPIPE ended."""


class Lazy(click.Group):
    """Commands by name, imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of a scan."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, from its module."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"scanner.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of --help, without importing anything."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "BARTIZAN", "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", message="bartizan %(version)s")
def bartizan() -> None:
    r"""Security and compliance scanner for AI factories. Silence is not a pass.

    \b
    bartizan scan demo                     the shipped demo AI factory, no cloud needed
    bartizan scan aws --profile audit      a live account
    bartizan scan plan tfplan.json         a Terraform plan, before it is applied
    bartizan scan manifests k8s/           Kubernetes manifests
    bartizan scan                          everything that bartizan.yaml lists

    Exit status: 0 passed, 1 findings at or above --fail-on, 2 usage or bad input, 3 nothing was judged, 4 incomplete, 70 our bug.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command and exit with the status that house rules give it."""
    sys.excepthook = _bug
    gc.set_threshold(GARBAGE)
    _streams()
    told = _signals()
    code = run(argv)
    try:
        sys.stdout.flush()
    except OSError:
        from scanner.reports.formats import hush  # noqa: PLC0415 - for readers that go away

        hush()
    if code == INTERRUPTED:
        # NOTE: calls under way may take minutes more, and their threads would be waited for
        os._exit(128 + told[0] if told else code)
    gc.freeze()  # NOTE: all of it goes with the process, so that nothing has to be looked through for cycles once more
    sys.exit(code)


def _streams() -> None:
    """Make sure of all three: what is closed would be given to the next file that is opened, and a message would go into a snapshot."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # in their order, since a file gets the lowest number that is free
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # whatever the locale can write


def _signals() -> list[int]:
    """Being told to end is like Ctrl-C: the snapshot is closed, a child OPA stopped. The list holds the signal that came."""
    told: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        told.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
    return told


def _bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody caught is our bug, and has an exit status of its own: a gate must not take it for findings."""
    import traceback  # noqa: PLC0415 - for bugs only

    try:
        for line in "".join(traceback.format_exception(kind, error, trace)).splitlines():
            click.echo(_safe(line), err=True)
        click.echo(f"This is a bug of bartizan {__version__}. Report it with what stands above, please.", err=True)
        sys.stdout.flush()
    finally:
        os._exit(BUG)


def _safe(text: str) -> str:
    """A message that may hold what others wrote, on one line and without secrets."""
    from scanner.redact import redact  # noqa: PLC0415 - for errors only
    from scanner.reports.text import visible  # noqa: PLC0415

    return visible(redact(text))


def _refuse_empty(words: Sequence[str]) -> None:
    """An empty word is an unset variable: taken for "not given" it would scan another account, or the working folder."""
    for before, word in zip(["", *words], words, strict=False):
        name, given, value = word.partition("=")
        if not word or (name.startswith("--") and given and not value):
            about = name or (before if before.startswith("-") else "")
            raise click.UsageError(
                f"{about + ': ' if about else ''}an empty word, perhaps of a variable that is not set. Leave it out."
            )


def run(argv: Sequence[str] | None = None) -> int:
    """The command's exit status. Errors are one line on stderr that says what to do; a fault of ours shows where it is."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        _refuse_empty(words)
        code = bartizan.main(args=words, prog_name="bartizan", standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        click.echo("interrupted; a snapshot named with --snapshot is kept: continue it with --resume", err=True)
        return INTERRUPTED
    except BartizanError as error:
        click.echo("error: " + _safe(str(error)), err=True)
        return error.code
    except (BrokenPipeError, SystemExit):  # NOTE: click and rich end with 1 where a reader has gone away, and 1 means findings
        return PIPE
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"error: {_safe(f'{place}{error.strerror or error}')}.", err=True)
        return 2
    return code if isinstance(code, int) else 0
