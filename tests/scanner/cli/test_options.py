"""No option of any command is accepted and ignored.

Each is given once, with a value that is not its default, and something has to differ from the same command without it: the exit status,
what is printed, the files that are left, or what reaches those who do the work (collectors, judging, reports), which stand-ins write
down. It can only show that an option goes somewhere, not that it does there what its help says: that is for the tests of each.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pytest

from scanner import assess
from scanner.cli import bartizan, gather, options, run, sources
from scanner.config import Config
from scanner.model import Call, Origin, Outcome, Report, Rule, Source
from scanner.reports.json_reader import load as load_report
from scanner.rules.library import Library
from scanner.rules.library import load as load_rules
from scanner.snapshot import Snapshot, is_snapshot
from tests.scanner.builders import NOW, key, rule_text, write_snapshot

SHOWS = {"--help", "--version"}
OPA = ("--engine", "opa", "--opa-url", "https://opa.example")
VALUES: dict[str, tuple[str, ...]] = {
    "--config": ("other.yaml",),
    "--rules": ("own",),
    "--rule": ("encryption.cmk_rotation",),
    "--domain": ("encryption",),
    "--tag": ("mesh",),
    "--framework": ("pci_dss_4",),
    "--severity": ("critical",),
    "--output": ("csv",),
    "--category": ("net",),
    "--fail-on": ("low",),
    "--allow-unknown": ("none",),
    "--baseline": ("r.json",),
    "--waivers": ("w.yaml",),
    "--waivers-from": ("w.yaml",),
    "--engine": ("opa",),
    "--opa-url": ("https://opa.example",),
    "--opa-token": ("t",),
    "--opa-ca": ("ca.pem",),
    "--opa-cert": ("cert.pem",),
    "--workers": ("2",),
    "--snapshot": ("kept",),
    "--concurrency": ("3",),
    "--deadline": ("9",),
    "--max-rate": ("7",),
    "--max-bytes": ("100000",),
    "--profile": ("audit",),
    "--role": ("arn:aws:iam::123456789012:role/audit",),
    "--external-id": ("x",),
    "--regions": ("eu-west-1",),
    "--accounts": ("123456789012",),
    "--kubeconfig": ("kube",),
    "--context": ("gpu",),
    "--namespaces": ("team",),
    "--name": ("net",),
    "--source": ("tf",),
    "--json": ("plan.json",),
    "--values": ("v.yaml",),
    "--org-role": ("audit",),
    "--to": ("out.jsonl",),
    "--kind": ("data_store",),
    "--type": ("AWS::S3::Bucket",),
    "--into": ("elsewhere",),
}
"""Option → its value; of flags nothing is needed. An option that is not here fails the test: say what it is to be given."""
WITH: dict[tuple[str, str], tuple[str, ...]] = {
    ("", "--rules"): ("--rule", "mine.own"),
    ("rules test", "--rules"): (),
    ("rules show", "--rules"): (),
    ("", "--category"): ("--output", "sarif"),
    ("", "--new-only"): ("--baseline", "base.json"),
    ("", "--opa-url"): ("--engine", "opa"),
    ("", "--opa-token"): OPA,
    ("", "--opa-ca"): OPA,
    ("", "--opa-cert"): OPA,
    ("", "--resume"): ("--snapshot", "half"),
    ("", "--external-id"): ("--role", "r"),
    ("", "--accounts"): ("--role", "audit"),
    ("", "--org"): ("--role", "audit"),
    ("report r.json", "--opa-url"): ("--engine", "opa", "--baseline", "s"),
    ("report r.json", "--opa-token"): (*OPA, "--baseline", "s"),
    ("report r.json", "--opa-ca"): (*OPA, "--baseline", "s"),
    ("report r.json", "--opa-cert"): (*OPA, "--baseline", "s"),
    ("report r.json", "--workers"): ("--baseline", "s"),
    ("report r.json", "--engine"): ("--baseline", "s"),
    ("report r.json", "--no-baseline"): ("--fail-on", "low"),
}
"""(command, option) → what goes with it; the empty command is any."""
ARGUMENTS: dict[str | tuple[str, str], tuple[str, ...]] = {
    "scan plan": ("plan.json",),
    "collect plan": ("plan.json",),
    "scan manifests": ("pod.yaml",),
    "collect manifests": ("pod.yaml",),
    "evaluate": ("s",),
    "report": ("s",),
    "report r.json": (),
    "baseline write": ("r.json",),
    "explain": ("bad", "--snapshot", "s"),
    "rules show": ("encryption.cmk_rotation",),
    ("rules show", "--rules"): ("mine.own",),
    ("rules show", "--config"): ("mine.own",),
    ("baseline write", "--output"): ("r.json", "--partial"),
    "rules test": ("own",),
    ("rules test", "--rules"): ("own/mine/own_test.rego",),
    "rules new": ("mine/buckets", "--kind", "key", "--type", "AWS::KMS::Key"),
    "snapshot export": ("s",),
    "snapshot verify": ("s",),
}
"""Command, or command and option → what the command needs."""
NEEDED = {("explain", "--snapshot"), ("rules new", "--kind"), ("rules new", "--type")}
"""Options that the command needs, so that they stand among its arguments: another value of theirs is given."""


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """All commands, with their names."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield " ".join((*path, name)), command
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


FOUND = dict(commands(bartizan))
CASES = [
    (name, option.opts[0] if option.opts[0].startswith("--") else next(o for o in option.opts if o.startswith("--")))
    for name, command in [*FOUND.items(), ("report r.json", FOUND["report"])]
    for option in command.params
    if isinstance(option, click.Option) and option.opts[0] not in SHOWS
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the values name."""
    here = tmp_path_factory.mktemp("made")
    bad = key("bad", rotation_enabled=False).replace(origins={"rotation_enabled": Origin("c", "x")})
    write_snapshot(here / "s", [key(), bad])
    with Snapshot.create(here / "s", resume=True) as snapshot:
        snapshot.call(Call("c", "kms", "GetKeyRotationStatus", "1", "us-east-1", Outcome.OK), {"KeyRotationEnabled": False})
        snapshot.finish()
    shutil.copy(here / "s", here / "kept.s")
    Snapshot.create(here / "half").close()
    (here / "own" / "mine").mkdir(parents=True)
    (here / "own" / "mine" / "own.rego").write_text(rule_text())
    (here / "own" / "mine" / "own_test.rego").write_text("package policies.mine.own_test\nimport rego.v1\ntest_it if { true }\n")
    (here / "estate" / "manifests").mkdir(parents=True)
    (here / "estate" / "terraform").mkdir()
    for name, text in FILES.items():
        (here / name).write_text(text)
    shutil.copy(here / "pod.yaml", here / "estate" / "manifests")
    shutil.copy(here / "plan.json", here / "estate")
    with contextlib.chdir(here), contextlib.redirect_stdout(io.StringIO()):
        assert run(["evaluate", "s", "--no-baseline", "--rule", "encryption.*", "-o", "json=r.json"]) == 1
    shutil.copy(here / "r.json", here / "base.json")
    return here


FILES = {
    "bartizan.yaml": "scopes: [{aws: {}}, {plan: {file: plan.json}}]\nbaseline: base.json\n",
    "other.yaml": "scopes: [{k8s: {}}]\nfail_on: medium\nrules: {folders: [own], rule: ['encryption.cmk_*']}\n",
    "w.yaml": "waivers: [{rule: encryption.cmk_rotation, resource: bad, reason: r, owner: o, expires: 2026-12-20}]\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: []}\n",
    "plan.json": json.dumps(
        {
            "format_version": "1.2",
            "resource_changes": [
                {
                    "address": "aws_kms_key.k", "mode": "managed", "type": "aws_kms_key", "name": "k", "provider_name": "p/aws",
                    "change": {"actions": ["create"], "before": None, "after": {}},
                }
            ],
            "configuration": {"root_module": {}},
        }
    ),
}  # fmt: skip
COLLECTORS = (
    "collectors.aws.collect.collect_account",
    "collectors.aws.accounts.collect_accounts",
    "collectors.kubernetes.live.collect_cluster",
)
READERS = ("collectors.kubernetes.manifests.read_manifests", "collectors.terraform.plan.open_plan")


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch, made: Path) -> list[str]:
    """What reaches those who do the work: live sources and the judging of snapshots are stand-ins that write it down."""
    seen: list[str] = []

    def asked(name: str, /, *given: Any, **more: Any) -> None:
        plain = [each for each in given if not isinstance(each, Snapshot)]
        seen.append(repr((name, plain, {k: v for k, v in more.items() if k not in ("progress", "stdin")})))

    def collector(name: str) -> Callable[..., None]:
        def collect(*given: Any, **more: Any) -> None:
            asked(name, *given, **more)
            (sink,) = (each for each in given if isinstance(each, Snapshot))
            sink.source(Source("aws:1", "live", "aws", "1", "me", NOW))

        return collect

    def reader(name: str, read: Callable[..., Any]) -> Callable[..., Any]:
        def told(*given: Any, **more: Any) -> Any:
            asked(name, *given, **more)
            return read(*given, **more)

        return told

    def judge(path: Path, library: Library, rules: Sequence[Rule], config: Config, terms: Any, **more: Any) -> Report:
        del path, more
        seen.append(repr((len(library.rules), [rule.id for rule in rules], config.path, terms)))
        return report.replace(verdicts=report.verdicts)

    report = load_report(made / "r.json")
    for name in COLLECTORS:
        monkeypatch.setattr(name, collector(name))
    for name in READERS:
        module, _, attribute = name.rpartition(".")
        monkeypatch.setattr(name, reader(name, getattr(importlib.import_module(module), attribute)))
    monkeypatch.setattr(
        "collectors.kubernetes.permissions.preflight", lambda *given, **more: asked("preflight", *given, **more) or []
    )
    monkeypatch.setattr("collectors.aws.demo.start", lambda estate: ("http://127.0.0.1:9", lambda: seen.append(estate.name)))
    monkeypatch.setattr(sources, "ESTATE", str(made / "estate"))
    monkeypatch.setattr(assess, "assess", judge)
    monkeypatch.setattr(gather, "progress", lambda title, *, quiet: contextlib.nullcontext(seen.append(f"{title} {quiet}")))
    now = assess.utc_now()
    for module in (assess, gather):
        monkeypatch.setattr(module, "utc_now", lambda: now)
    monkeypatch.setattr(options, "load", lambda folders: _rules(tuple(folders)))
    return seen


@functools.cache
def _rules(folders: tuple[Path, ...]) -> Library:
    """The rules, read once: that is most of the time of a command that does nothing else."""
    return load_rules(folders)


def left(here: Path) -> dict[str, object]:
    """The files of a folder. Of a snapshot it is enough that it is there."""
    every = {path.relative_to(here).as_posix(): path for path in here.rglob("*") if path.is_file()}
    return {name: None if is_snapshot(path) else path.read_bytes() for name, path in every.items()}


@pytest.fixture
def outcome(
    made: Path, tmp_path: Path, reached: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Any:
    """Runs a command in a fresh folder, always of the same name: what it comes to."""

    def run_once(words: Sequence[str]) -> tuple[Any, ...]:
        here = tmp_path / "here"
        shutil.rmtree(here, ignore_errors=True)
        shutil.copytree(made, here)
        monkeypatch.chdir(here)
        reached.clear()
        capsys.readouterr()
        code = run(words)
        said = capsys.readouterr()
        return code, said.out, said.err, [*reached], left(here)

    return run_once


@pytest.fixture(scope="module")
def before() -> dict[tuple[str, ...], Any]:
    """What commands come to without the option."""
    return {}


def words_of(name: str, option: str) -> tuple[list[str], list[str]]:
    """The command without an option, and with it."""
    command = FOUND[name.removesuffix(" r.json")]
    (parameter,) = (each for each in command.params if option in each.opts)
    assert isinstance(parameter, click.Option)
    value = () if parameter.is_flag else VALUES[option]
    base = [
        *name.split(),
        *ARGUMENTS.get((name, option), ARGUMENTS.get(name, ())),
        *WITH.get((name, option), WITH.get(("", option), ())),
    ]
    return base, [*base, option, *value]


@pytest.mark.parametrize(("name", "option"), CASES)
def test_no_option_is_accepted_and_ignored(name: str, option: str, outcome: Any, before: dict[tuple[str, ...], Any]) -> None:
    without, with_it = words_of(name, option)
    if tuple(without) not in before:
        before[tuple(without)] = outcome(without)
        assert outcome(without) == before[tuple(without)], "the command itself says something else each time"
    first = before[tuple(without)]
    found = outcome(with_it)
    assert found != first, f"`{' '.join(with_it)}` is what it is without {option}"
