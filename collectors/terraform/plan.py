"""The interpreter of plan tables: a plan in, resources, gaps and coverage out. No network, no credentials.

What will be known only after apply is a gap, unless the configuration proves it (`references.py`) or the provider documents what
holds where nobody sets it (`absent=` of a field). A sensitive value is a gap and is dropped before anything is read.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO, Any

from collectors.demand import Demand
from collectors.table import PlanTable
from collectors.terraform import document as files
from collectors.terraform import origin
from collectors.terraform.configuration import Plan
from collectors.terraform.identities import GROUPS, SUBNETS, VPCS
from collectors.terraform.rows import Reader
from collectors.terraform.sources import Sources
from collectors.terraform.tables import TABLES, WITHIN_NETWORKS
from scanner.model import BartizanError, Coverage, Extent, Gap, Inline, Reason, Resource, Source

UNNAMED = ("plan", "tfplan", "")
"""File stems that name no plan: the folder's name is used instead."""
DEFERRED_SHOWN = 5
"""Addresses of deferred changes that the problem names."""


@dataclass(frozen=True, slots=True)
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


def read_plan(  # noqa: PLR0913 - what a caller may say of it, by name
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
) -> PlanEstate:
    """Read the JSON of `terraform show -json` (Terraform or OpenTofu).

    `name` is the scope; without it the file's stem, or its folder's name. `now` (RFC 3339) is when the plan counts as seen;
    without it the plan's own timestamp. `source` is the folder of its configuration, or the binary plan, for the lines of what
    is found; without it, and where `search` is set, the working folder or the plan's own, if it is certain to be it. A fault of
    the file is a `BartizanError`; a plan without any known resource one with code 3.
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
    sources, note = _sources(plan, source, file, search=search)
    reader = Reader(plan, seer, _shown(file), sources, note)
    wanted = [t for t in tables if demand is None or t.native_type in demand]
    resources: list[Resource] = []
    late: dict[tuple[str, str], Gap] = {}
    for table in wanted:
        resources += reader.table(table, None if demand is None else demand[table.native_type], late)
    resources.sort(key=lambda r: (r.kind, r.id))
    problems = _problems(document)
    within = _networked(plan, wanted, resources, late)
    coverage = tuple(_coverage(resources, late, seer, problems, within))
    lines = tuple(sources.problems) + tuple(sources.texts.problems) if sources is not None else ()
    waivers = tuple(dataclasses.replace(found, source=seer.id) for found in sources.waivers) if sources is not None else ()
    return PlanEstate(seer, tuple(resources), coverage, (*problems, *lines), dict(plan.seen), waivers)


def _sources(plan: Plan, source: str | Path | None, file: str, *, search: bool) -> tuple[Sources | None, str]:
    """(the configuration, or why there is none)."""
    if source is not None:
        return origin.named(plan, Path(source), file), ""
    return origin.nearby(plan, file) if search else (None, "")


def plan_name(file: str) -> str:
    """The scope's name where the user gives none."""
    path = PurePath(file.replace("\\", "/"))
    stem = path.name.split(".", 1)[0]
    if stem not in UNNAMED:
        return stem
    parent = path.parent.name or Path(file).resolve().parent.name if file else ""
    return parent or "plan"


def _shown(file: str) -> str:
    """The file as a report names it: as given where that is relative, else its base name."""
    path = PurePath(file.replace("\\", "/"))
    return path.name if path.is_absolute() or ".." in path.parts else path.as_posix() if file else ""


def _timestamp(document: Mapping[str, Any]) -> str:
    stamp = document.get("timestamp")
    if isinstance(stamp, str):
        try:
            datetime.datetime.fromisoformat(stamp)
        except ValueError:
            return ""
        return stamp
    return ""


def _tool(document: Mapping[str, Any]) -> str:
    version = document.get("terraform_version")
    return f"terraform {version}" if isinstance(version, str) else ""


def _check_recognised(plan: Plan, label: str, tables: Sequence[PlanTable]) -> None:
    known = {t.type for t in tables}
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


def _problems(document: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    if document.get("errored") is True:
        found.append("The plan failed half-way: resources are missing from it. Mend the configuration and plan again.")
    elif document.get("complete") is False:
        found.append("The plan is not complete (-target, or deferred changes): resources are missing from it.")
    deferred = document.get("deferred_changes")
    if isinstance(deferred, list) and deferred:
        changes = [d["resource_change"] for d in deferred if isinstance(d, dict) and isinstance(d.get("resource_change"), dict)]
        names = ", ".join(str(c.get("address"))[:200] for c in changes[:DEFERRED_SHOWN])
        found.append(f"{len(deferred)} changes are deferred to a later plan and were not judged: {names}.")
    return tuple(found)


def _coverage(
    resources: Sequence[Resource],
    late: Mapping[tuple[str, str], Gap],
    source: Source,
    problems: Sequence[str],
    within: Mapping[str, str],
) -> Iterator[Coverage]:
    """One row for each native type that the plan holds. Of other types a plan says nothing, so there is no row.

    `within` (native type → kind) are the types of which a plan that makes its networks says all, even that there are none.
    """
    counts: dict[tuple[str, str], int] = dict.fromkeys(within.items(), 0)
    for resource in resources:
        counts[resource.native_type, resource.kind] = counts.get((resource.native_type, resource.kind), 0) + 1
    for (native, kind), count in sorted({**dict.fromkeys(late, 0), **counts}.items()):
        gap = late.get((native, kind))
        if problems:
            gap = Gap(Reason.TRUNCATED, "", problems[0])
        extent = Extent.PARTIAL if gap else Extent.COMPLETE
        yield Coverage(native, kind, source.scope, "", extent, gap, count, source.id)


def _networked(
    plan: Plan, tables: Sequence[PlanTable], resources: Sequence[Resource], late: dict[tuple[str, str], Gap]
) -> dict[str, str]:
    """Types that live in networks, where the plan makes all its networks, subnets and groups itself: then it says all of them.

    Of places that exist already a plan shows only what its own configuration put there, so the listing of these types is partial.
    """
    places = [p for kind in (*VPCS, *SUBNETS, *GROUPS) for p in plan.by_type.get(kind, ())]
    kinds = {t.native_type: t.kind for t in tables if t.native_type in WITHIN_NETWORKS}
    old = next((p for p in places if not p.created), None)
    if old is None:
        return kinds if any(p.type in VPCS for p in places) else {}
    for native in {r.native_type for r in resources} & kinds.keys():
        gap = Gap(
            Reason.NOT_OFFERED, old.address, "Scan the account.", "of a network that exists already a plan shows only its own part"
        )
        late.setdefault((native, kinds[native]), gap)
    return {}
