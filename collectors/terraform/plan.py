"""The interpreter of plan tables: a plan in, resources, gaps and coverage out, one by one. No network, no credentials.

What will be known only after apply is a gap, unless the configuration proves it (`references.py`) or the provider documents what
holds where nobody sets it (`absent=` of a field). A sensitive value is a gap and is dropped before anything is read.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path, PurePath
from typing import IO, Any

from collectors.demand import Demand
from collectors.repository import Repository, joined
from collectors.table import PlanTable
from collectors.terraform import document as files
from collectors.terraform import origin
from collectors.terraform.configuration import Plan
from collectors.terraform.identities import GROUPS, SUBNETS, VPCS
from collectors.terraform.outside import outside
from collectors.terraform.rows import Reader
from collectors.terraform.sources import Sources
from collectors.terraform.tables import TABLES, WITHIN_NETWORKS
from scanner.model import BartizanError, Coverage, Extent, Gap, Inline, Reason, Resource, Source, frozen

UNNAMED = ("plan", "tfplan", "")
"""File stems that name no plan: the folder's name is used instead."""
DEFERRED_SHOWN = 5
"""Addresses of deferred changes that the problem names."""


@frozen
class PlanEstate:
    """What a plan says will be."""

    source: Source
    resources: tuple[Resource, ...]
    coverage: tuple[Coverage, ...]
    problems: tuple[str, ...] = ()
    """What the reader should know: the plan failed half-way, or leaves things out."""
    types: Mapping[str, int] = field(default_factory=dict)
    """Terraform resource type → how many the plan has, recognised or not."""
    waivers: tuple[Inline, ...] = ()
    """Those in comments of its configuration."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Id that a resource had in the state → the one that it has now, empty where Terraform lets go of it."""


Progress = Callable[[str, int, int], None]
"""Told a native type, the types that are done, and their total."""


class Reading:
    """A plan, read as it is asked for: first its resources, then what is to be said of them all."""

    def __init__(self, plan: Plan, reader: Reader, tables: Sequence[PlanTable], demand: Demand) -> None:
        self.source = reader.source
        self.types: Mapping[str, int] = plan.seen
        self.moved: Mapping[str, str] = {f"plan/{old}": new and f"plan/{new}" for old, new in plan.moved.items()}
        self._plan = plan
        self._reader = reader
        self._tables = [t for t in tables if demand is None or t.native_type in demand]
        self._demand = demand
        self._late: dict[tuple[str, str], Gap] = {}
        self._counts: dict[tuple[str, str], int] = {}

    def resources(self, progress: Progress | None = None) -> Iterator[Resource]:
        """The resources, type by type."""
        filled = [t for t in self._tables if t.type in self._plan.by_type]
        for number, table in enumerate(filled, 1):
            for resource in self._reader.table(table, self._asked(table), self._late):
                key = (resource.native_type, resource.kind)
                self._counts[key] = self._counts.get(key, 0) + 1
                yield resource
            if progress:
                progress(table.native_type, number, len(filled))
        for table, planned, gap in outside(self._reader.estate, self._tables):
            self._late.setdefault((table.native_type, table.kind), gap)
            yield self._reader.outside(table, planned, self._asked(table))

    def _asked(self, table: PlanTable) -> frozenset[str] | None:
        """The facts that are wanted of a type; None for all."""
        return None if self._demand is None else self._demand[table.native_type]

    def coverage(self) -> Iterator[Coverage]:
        """How far each native type was seen, once all resources are."""
        problems = _problems(self._plan.document, self._plan.unread)
        within = _networked(self._plan, self._tables, self._counts, self._late)
        return _coverage(self._counts, self._late, self.source, problems, within)

    def problems(self) -> Iterator[str]:
        """What the reader should know, once all resources are read."""
        yield from _problems(self._plan.document, self._plan.unread)
        if self._reader.sources is not None:
            yield from self._reader.sources.problems
            yield from self._reader.sources.texts.problems

    def waivers(self) -> Iterator[Inline]:
        """Those in comments of the files that were looked into, once all resources are read."""
        for found in self._reader.sources.waivers if self._reader.sources is not None else ():
            yield dataclasses.replace(found, source=self.source.id)


def open_plan(  # noqa: PLR0913 - what a caller may say of it, by name
    path_or_stream: str | Path | IO[bytes] | IO[str],
    *,
    name: str = "",
    demand: Demand = None,
    max_bytes: int = files.MAX_BYTES,
    max_depth: int = files.MAX_DEPTH,
    now: str = "",
    tables: Sequence[PlanTable] = TABLES,
    source: str | Path | None = None,
    search: bool = False,
    repository: Repository | None = None,
) -> Reading:
    """Begin to read the JSON of `terraform show -json` (Terraform or OpenTofu).

    `name` is the scope; without it the file's stem, or its folder's name. `now` (RFC 3339) is when the plan counts as seen;
    without it the plan's own timestamp. `source` is the folder of its configuration, or the binary plan, for the lines of what
    is found; without it, and where `search` is set, the working folder or the plan's own, if it is certain to be it. Files are
    called as the `repository` calls them; without it by where they are in the folder of the configuration. A fault of the file is a `BartizanError`; a plan without any known resource one with code 3.
    """
    file = str(path_or_stream) if isinstance(path_or_stream, (str, Path)) else ""
    label = file or name or "<stdin>"
    document = files.load(path_or_stream, label=label, max_bytes=max_bytes, max_depth=max_depth)
    plan = Plan(document)
    _check_recognised(plan, label, tables)
    scope = name or plan_name(file)
    seer = Source(
        id=f"plan:{scope}", mode="plan", provider="aws", scope=scope,
        collected_at=now or _timestamp(document), tool=_tool(document),
    )  # fmt: skip
    sources, note = _sources(plan, source, file, repository, search=search)
    return Reading(plan, Reader(plan, seer, _shown(file, repository), sources, note), tables, demand)


def read_plan(path_or_stream: str | Path | IO[bytes] | IO[str], **options: Any) -> PlanEstate:
    """All of a plan at once; see `open_plan`."""
    reading = open_plan(path_or_stream, **options)
    resources = sorted(reading.resources(), key=lambda r: (r.kind, r.id))
    return PlanEstate(
        reading.source,
        tuple(resources),
        tuple(reading.coverage()),
        tuple(reading.problems()),
        dict(reading.types),
        tuple(reading.waivers()),
        reading.moved,
    )


def _sources(
    plan: Plan, source: str | Path | None, file: str, repository: Repository | None, *, search: bool
) -> tuple[Sources | None, str]:
    """(the configuration, or why there is none)."""
    if source is not None:
        return origin.named(plan, Path(source), file, repository), ""
    return origin.nearby(plan, file, repository) if search else (None, "")


def plan_name(file: str) -> str:
    """The scope's name where the user gives none."""
    path = PurePath(file.replace("\\", "/"))
    stem = path.name.split(".", 1)[0]
    if stem not in UNNAMED:
        return stem
    parent = path.parent.name or Path(file).resolve().parent.name if file else ""
    return parent or "plan"


def _shown(file: str, repository: Repository | None) -> str:
    """The file as a report names it: as the repository does, or as given where that is relative, else its base name."""
    if file and repository and (folder := repository.called(Path(file).parent)):
        return joined(folder, Path(file).name)
    path = PurePath(file.replace("\\", "/"))
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix() if file else ""


def _timestamp(document: files.Document) -> str:
    try:
        datetime.datetime.fromisoformat(document.timestamp)
    except ValueError:
        return ""
    return document.timestamp


def _tool(document: files.Document) -> str:
    return f"terraform {document.terraform_version}" if document.terraform_version else ""


def _check_recognised(plan: Plan, label: str, tables: Sequence[PlanTable]) -> None:
    known = {t.type for t in tables} | {join.type for t in tables for join in t.joins.values()}
    if known & plan.by_type.keys():
        return
    if not plan.seen:
        msg = f"{label}: nothing to judge: the plan changes no resource (outputs, data sources, drift or a refresh only)"
    elif not plan.by_type:
        gone = ", ".join(sorted(plan.seen))
        msg = f"{label}: nothing to judge: the plan only destroys or forgets ({gone})"
    else:
        seen = ", ".join(f"{kind} ({count})" for kind, count in sorted(plan.seen.items()))
        msg = f"{label}: no resource of a known type; seen: {seen[:2000]}"
    raise BartizanError(msg, code=3)


def _problems(document: files.Document, unread: Sequence[str]) -> tuple[str, ...]:
    found = []
    if unread:
        names = ", ".join(name[:200] for name in unread[:DEFERRED_SHOWN])
        found.append(f"{len(unread)} entries of `resource_changes` say nothing that can be read and were not judged: {names}.")
    if document.errored:
        found.append("The plan failed half-way: resources are missing from it. Mend the configuration and plan again.")
    elif not document.complete:
        found.append("The plan is not complete (-target, or deferred changes): resources are missing from it.")
    if document.deferred:
        names = ", ".join(address[:200] for address in document.deferred[:DEFERRED_SHOWN])
        found.append(f"{len(document.deferred)} changes are deferred to a later plan and were not judged: {names}.")
    return tuple(found)


def _coverage(
    counted: Mapping[tuple[str, str], int],
    late: Mapping[tuple[str, str], Gap],
    source: Source,
    problems: Sequence[str],
    within: Mapping[str, str],
) -> Iterator[Coverage]:
    """One row for each native type that the plan holds. Of other types a plan says nothing, so there is no row.

    `within` (native type → kind) are the types of which a plan that makes its networks says all, even that there are none.
    """
    for (native, kind), count in sorted({**dict.fromkeys((*late, *within.items()), 0), **counted}.items()):
        gap = late.get((native, kind))
        if problems:
            gap = Gap(Reason.TRUNCATED, "", problems[0])
        extent = Extent.PARTIAL if gap else Extent.COMPLETE
        yield Coverage(native, kind, source.scope, "", extent, gap, count, source.id)


def _networked(
    plan: Plan, tables: Sequence[PlanTable], counted: Mapping[tuple[str, str], int], late: dict[tuple[str, str], Gap]
) -> dict[str, str]:
    """Types that live in networks, where the plan makes all its networks, subnets and groups itself: then it says all of them.

    Of places that exist already a plan shows only what its own configuration put there, so the listing of these types is partial.
    """
    places = [p for kind in (*VPCS, *SUBNETS, *GROUPS) for p in plan.by_type.get(kind, ())]
    kinds = {t.native_type: t.kind for t in tables if t.native_type in WITHIN_NETWORKS}
    old = next((p for p in places if not p.created), None)
    if old is None:
        return kinds if any(p.type in VPCS for p in places) else {}
    for native in {native for native, _ in counted} & kinds.keys():
        gap = Gap(
            Reason.NOT_OFFERED, old.address, "Scan the account.", "of a network that exists already a plan shows only its own part"
        )
        late.setdefault((native, kinds[native]), gap)
    return {}
