"""One function a source: what it is asked with, and how what it saw gets into the snapshot."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from collectors.repository import repository
from scanner.asked import Offers
from scanner.cli import demand
from scanner.config import Config
from scanner.model import BartizanError, Coverage, Inline, Resource, Source, frozen
from scanner.snapshot import Snapshot

Demand = Mapping[str, frozenset[str]]
PAGE = 1_000
ESTATE = "fixtures/estates/ai_factory"


@frozen
class Context:
    """What every source gets."""

    snapshot: Snapshot
    demand: Demand
    now: str
    done: frozenset[tuple[str, str, str]] = frozenset()
    """(native type, scope, region) of listings that an interrupted run completed."""
    concurrency: int = 12
    deadline: float | None = None
    rate: float | None = None
    max_bytes: int | None = None
    sample: bool = False
    progress: Callable[[str, int, int], None] | None = None
    before: set[str] = field(default_factory=set)
    """Ids of sources that an interrupted run wrote, and this one has not written yet."""


@frozen
class Wanted:
    """A source with its options."""

    label: str
    collect: Callable[[Context], None]
    offers: Callable[[], Offers]
    """What it could tell."""
    live: bool = False
    """Whether it is asked rather than read."""
    alone: bool = False
    """Whether it needs nothing but the words of its own types, if it is the only one: a plan has one reader, and is read at once."""


def aws(options: Mapping[str, Any]) -> Wanted:
    """A live AWS account, or several."""
    if options.get("external_id") and not options.get("role"):
        raise BartizanError("--external-id needs --role: it is for the role's trust.")

    def collect(context: Context) -> None:
        from collectors.aws.accounts import collect_accounts  # noqa: PLC0415 - only when asked for
        from collectors.aws.collect import Options, collect_account  # noqa: PLC0415
        from collectors.run import Limits  # noqa: PLC0415

        asked = Options(
            profile=options.get("profile"),
            role=options.get("role"),
            external_id=options.get("external_id"),
            regions=tuple(options.get("regions") or ()),
            accounts=tuple(options.get("accounts") or ()),
            organization=bool(options.get("org")),
            endpoint=options.get("endpoint"),
            credentials=options.get("credentials"),
        )
        limits = Limits(context.concurrency, context.deadline, context.rate, context.sample)
        look = collect_accounts if asked.accounts or asked.organization else collect_account
        look(
            asked,
            context.snapshot,
            now=context.now,
            demand=context.demand,
            limits=limits,
            done=context.done,
            progress=context.progress,
        )

    return Wanted("aws", collect, demand.aws, live=True)


def k8s(options: Mapping[str, Any]) -> Wanted:
    """A live Kubernetes cluster."""

    def collect(context: Context) -> None:
        from collectors.kubernetes.live import collect_cluster  # noqa: PLC0415 - only when asked for
        from collectors.run import Limits  # noqa: PLC0415

        collect_cluster(
            context.snapshot,
            kubeconfig=options.get("kubeconfig"),
            context=options.get("context"),
            namespaces=tuple(options.get("namespaces") or ()),
            secret_metadata=bool(options.get("secret_metadata")),
            demand=context.demand,
            now=context.now,
            limits=Limits(context.concurrency, context.deadline, context.rate, context.sample),
            done=context.done,
            progress=context.progress,
        )

    return Wanted("k8s", collect, demand.kubernetes, live=True)


def plan(options: Mapping[str, Any]) -> Wanted:
    """A Terraform plan as JSON; `-` reads standard input. A binary plan is where its lines are looked up: the values are in its JSON."""
    file, binary = str(options["file"]), options.get("json")
    source = options.get("source")
    if binary:
        if source:
            raise BartizanError("--source and --json do not go together: the binary plan holds its own configuration.")
        file, source = str(binary), file

    def collect(context: Context) -> None:
        from collectors.terraform.document import MAX_BYTES  # noqa: PLC0415 - only when asked for
        from collectors.terraform.plan import open_plan  # noqa: PLC0415

        given = sys.stdin.buffer if file == "-" else file
        reading = open_plan(
            given,
            name=options.get("name") or "",
            demand=context.demand,
            now=context.now,
            max_bytes=context.max_bytes or MAX_BYTES,
            source=source,
            search=True,
            repository=repository(),
        )
        _keep(context, reading.source, reading.resources(context.progress))
        _tell(context, reading.coverage(), reading.problems(), reading.waivers())
        context.snapshot.moved(reading.source.id, reading.moved)

    return Wanted(f"plan {file}", collect, demand.plan, alone=True)


def manifests(options: Mapping[str, Any]) -> Wanted:
    """Kubernetes manifests, charts and overlays: files, folders, `-` for standard input."""
    paths = tuple(str(p) for p in options["paths"])
    if options.get("values") and options.get("no_render"):
        raise BartizanError("--values and --no-render do not go together: without rendering no values are read.")

    def collect(context: Context) -> None:
        from collectors.kubernetes.manifests import MAX_BYTES, read_manifests  # noqa: PLC0415 - only when asked for

        estate = read_manifests(
            paths,
            stdin=sys.stdin.buffer,
            now=context.now,
            demand=context.demand,
            max_bytes=context.max_bytes or MAX_BYTES,
            rendered=not options.get("no_render"),
            values=tuple(options.get("values") or ()),
            repository=repository(),
        )
        _keep(context, estate.source, estate.resources)
        _tell(context, estate.coverage, estate.problems, estate.waivers)

    return Wanted(f"manifests {' '.join(paths)}", collect, demand.kubernetes)


def _keep(context: Context, source: Source, resources: Iterable[Resource]) -> None:
    """An estate read from files into the snapshot. A second source of the same name would overwrite the first, so it is refused.

    What an interrupted run wrote of it is replaced: files are read whole, as they are now.
    """
    snapshot = context.snapshot
    if source.id in context.before:
        context.before.discard(source.id)
        snapshot.forget(source.id)
    if any(s.id == source.id for s in snapshot.sources()):
        raise BartizanError(f"{source.id}: is in this snapshot already. Give one of the two another --name.")
    snapshot.source(source)
    waiting = iter(resources)
    while page := list(itertools.islice(waiting, PAGE)):
        snapshot.page(page)


def _tell(context: Context, coverage: Iterable[Coverage], problems: Iterable[str], waivers: Iterable[Inline]) -> None:
    """What is to be said of an estate, once its resources are kept."""
    for row in coverage:
        context.snapshot.coverage(row)
    for text in problems:
        context.snapshot.problem(text)
    context.snapshot.waivers(waivers)


def demo(stack: ExitStack) -> list[Wanted]:
    """The shipped demo AI factory: an account on this machine, a cluster's manifests, a plan."""
    estate = Path(__file__).resolve().parents[2] / ESTATE
    if not estate.is_dir():
        raise BartizanError("The demo AI factory is not installed with the package: clone the repository and run `make demo`.")

    def cloud(context: Context) -> None:
        from collectors.aws.demo import CREDENTIALS, start  # noqa: PLC0415 - only when asked for

        endpoint, stop = start(estate)
        stack.callback(stop)
        aws({"endpoint": endpoint, "regions": ("us-east-1", "eu-west-1"), "credentials": CREDENTIALS}).collect(context)

    parts = [Wanted("aws (demo account)", cloud, demand.aws, live=True)]
    parts += [replace(manifests({"paths": [estate / "manifests"]}), label="manifests (demo cluster)")]
    parts += [
        replace(plan({"file": estate / "plan.json", "name": "ai-factory", "source": estate / "terraform"}), label="plan (demo)")
    ]
    return parts


def configured(config: Config) -> list[Wanted]:
    """Everything that bartizan.yaml lists."""
    makers = {"aws": aws, "k8s": k8s, "plan": plan, "manifests": manifests}
    found = []
    for scope in config.get("scopes", []):
        ((name, options),) = scope.items()
        given = dict(options or {})
        for key in ("file", "source", "json"):
            if key in given and given[key] != "-":
                given[key] = config.folder / given[key]
        if "paths" in given:
            given["paths"] = [p if p == "-" else config.folder / p for p in given["paths"]]
        found.append(makers[name](given))
    if not found:
        where = config.path or "bartizan.yaml"
        raise BartizanError(
            f"Nothing to scan: name a source (bartizan scan aws|k8s|plan|manifests|demo), or list `scopes:` in {where}."
        )
    return found
