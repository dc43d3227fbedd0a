"""Manifests: files, folders and standard input, projected to resources.

A broken file is a problem and the rest is read all the same. What a folder does not contain was not seen: types that are not in it
get no coverage, so nothing is concluded from their absence.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from collectors.demand import Demand
from collectors.kubernetes import annotated, comments
from collectors.kubernetes.files import EMPTY, File, Folder, Problem, content, decoded, files
from collectors.kubernetes.names import FILES, MANIFESTS, metadata, name_of, object_type, type_of
from collectors.kubernetes.objects import Placed, Projector, Seen, Told
from collectors.kubernetes.redact import clean
from collectors.kubernetes.render import Rendered, render
from collectors.kubernetes.tables import TABLES
from collectors.kubernetes.yamldoc import HELM, UNRENDERED, Bounds, Document, Fault, documents
from collectors.repository import Repository
from scanner.model import BartizanError, Coverage, Extent, Inline, Resource, Source, Where, frozen

STDIN = "stdin"
MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 100
MAX_DOCUMENTS = 50_000
MAX_FAULTS = 20
"""Problems told of one file."""
UNNAMED = frozenset(type_of(native) for native in FILES)
CONFIGZ = "kubeletconfig"
"""The one key of what a kubelet answers to `/configz`: https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/"""


@frozen
class ManifestEstate:
    """What the manifests hold."""

    source: Source
    resources: tuple[Resource, ...]
    coverage: tuple[Coverage, ...]
    problems: tuple[str, ...]
    """What was not read, one line each, with file and line."""
    files: int
    documents: int
    ignored: Mapping[str, int]
    """Documents that no rule reads, by type; `` (empty) for documents that are no Kubernetes objects."""
    waivers: tuple[Inline, ...] = ()
    """Those in comments and annotations."""


@dataclass(slots=True)
class _Reading:
    """The state of one reading."""

    bounds: Bounds
    max_documents: int
    projector: Projector
    placed: list[Placed] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    waivers: list[Inline] = field(default_factory=list)
    documents: int = 0


def read_manifests(  # noqa: PLR0913 - the one entry; every argument is an option of the command
    paths: Sequence[str | Path],
    *,
    stdin: BinaryIO | None = None,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    max_documents: int = MAX_DOCUMENTS,
    now: str = "",
    demand: Demand = None,
    rendered: bool = True,
    values: Sequence[str] = (),
    repository: Repository | None = None,
) -> ManifestEstate:
    """The estate that files, folders (recursively) and `-` (standard input) describe.

    Helm charts and Kustomize overlays are `rendered` by their own tools, with the files of `values` for Helm. Files are called as
    the `repository` calls them; without it by where they are in the folder that was named.

    Raises BartizanError where a path does not exist (code 2), or where nothing is a Kubernetes object that a rule reads (code 3; code 2
    where something could not be read: it may have been one).
    """
    source = Source(id=MANIFESTS, mode="manifest", provider="kubernetes", scope=MANIFESTS, collected_at=now)
    reading = _Reading(Bounds(depth=max_depth), max_documents, Projector(source, demand))
    count, charts = 0, False
    empty: list[Problem] = []
    for name, own, text in _texts(paths, stdin, max_bytes, rendered=rendered, repository=repository):
        if isinstance(text, Problem) and text.what == EMPTY:
            empty.append(text)
            continue
        count += 1
        charts = charts or (isinstance(text, Folder) and text.chart)
        if isinstance(text, Problem):
            reading.problems.append(text)
        elif isinstance(text, Folder):
            for part in render(text, max_bytes, values):
                _render(reading, part)
        else:
            _read(reading, name, own, text)
    if values and not charts:
        raise BartizanError(f"--values {values[0]}: no Helm chart is rendered here. Leave it out, or name the folder of a chart.")
    if not reading.placed:
        raise BartizanError(_nothing(paths, count, reading), code=2 if reading.problems else 3)
    reading.problems += empty  # NOTE: beside what was read; alone it is no input that is broken, but nothing to judge
    resources = _resources(reading)
    found = Counter((r.native_type, r.kind) for r in resources)
    coverage = [
        Coverage(t.native_type, t.kind, MANIFESTS, "", Extent.COMPLETE, None, found[t.native_type, t.kind], source.id)
        for t in TABLES
        if found[t.native_type, t.kind]
    ]
    problems = tuple(p.text for p in reading.problems)
    return ManifestEstate(
        source,
        tuple(resources),
        tuple(coverage),
        problems,
        count,
        reading.documents,
        dict(reading.ignored),
        tuple(reading.waivers),
    )


def _texts(
    paths: Sequence[str | Path], stdin: BinaryIO | None, max_bytes: int, *, rendered: bool, repository: Repository | None
) -> Iterator[tuple[str, str, str | Folder | Problem]]:
    if any(str(p) == "-" for p in paths):
        data = (stdin or sys.stdin.buffer).read(max_bytes + 1)
        yield STDIN, STDIN, decoded(STDIN, data, max_bytes) if data.strip() else Problem(STDIN, EMPTY)
    for found in files(paths, rendered=rendered, repository=repository):
        if isinstance(found, Problem):
            yield found.file, found.file, found
        else:
            yield found.name, found.own, content(found, max_bytes) if isinstance(found, File) else found


def _render(reading: _Reading, found: Rendered | Problem) -> None:
    if isinstance(found, Problem):
        reading.problems.append(found)
    else:
        _read(reading, found.name, found.own, found.text, rendered=True)


def _nothing(paths: Sequence[str | Path], count: int, reading: _Reading) -> str:
    shown = ", ".join(str(p) for p in paths) or "no path"
    told = "".join(f"\n  {p.text}" for p in reading.problems[:5])
    kinds = ", ".join(f"{k or 'no Kubernetes object'} ({n})" for k, n in sorted(reading.ignored.items())[:8])
    seen = f" It holds: {kinds}." if kinds else ""
    return f"{shown}: no Kubernetes object that a rule reads in {count} file(s).{seen} Name files or folders with rendered manifests.{told}"


def _read(reading: _Reading, name: str, own: str, text: str, *, rendered: bool = False) -> None:
    """The objects of a text; what needs no name has that of its file. What was `rendered` has no lines: they are those of no file."""
    templated = "{{" in text and not rendered
    problems: list[Problem] = []
    before = len(reading.placed)
    for found in documents(text, reading.bounds):
        if reading.documents >= reading.max_documents:
            problems.append(Problem(name, f"more than {reading.max_documents} documents; the rest is not read"))
            break
        reading.documents += 1
        if isinstance(found, Fault):
            problems.append(Problem(name, found.what, found.line))
            continue
        problems += [Problem(name, fault.what, fault.line) for fault in found.faults]
        for item in _objects(found.value):
            if isinstance(item, dict) and object_type(item) in UNNAMED and not name_of(item):
                item["metadata"] = {"name": own.rpartition(".")[0] or own}
            problem = _take(reading, name, Document(found.value, 0, 0) if rendered else found, item, templated=templated)
            if problem:
                problems.append(problem)
    source = reading.projector.source.id
    starts = frozenset(placed.where.line for placed in reading.placed[before:])
    reading.waivers += comments.rendered(name, text, source) if rendered else comments.inline(name, text, starts, source)
    distinct = list({(p.what if p.what == UNRENDERED else p.text): p for p in reversed(problems)}.values())[::-1]
    reading.problems += distinct[:MAX_FAULTS]
    if len(distinct) > MAX_FAULTS:
        reading.problems.append(Problem(name, f"{len(distinct) - MAX_FAULTS} more problems"))


def _objects(value: Any) -> Iterator[Any]:
    """The objects of a document: itself, or the items of a List. Items of a typed list need not say what they are."""
    todo = [value]
    while todo:
        item = todo.pop()
        kind = item.get("kind") if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(kind, str) and kind.endswith("List") and isinstance(item.get("items"), list):
            for entry in reversed(item["items"]):
                if isinstance(entry, dict) and kind != "List":
                    entry.setdefault("kind", kind.removesuffix("List"))
                    entry.setdefault("apiVersion", item.get("apiVersion"))
                todo.append(entry)
        elif isinstance(item, dict) and set(item) == {CONFIGZ} and isinstance(item[CONFIGZ], dict):
            yield item[CONFIGZ] | {
                "apiVersion": "kubelet.config.k8s.io/v1beta1",
                "kind": "KubeletConfiguration",
                "configz": True,
            }
        elif item is not None:
            yield item


def _take(reading: _Reading, name: str, document: Document, item: Any, *, templated: bool) -> Problem | None:
    """Keep an object that a table reads; otherwise count it, or say what is wrong with it."""
    kind = object_type(item) if isinstance(item, dict) else None
    if kind is None or not reading.projector.known(kind):
        reading.ignored[f"{item['apiVersion']}/{kind.kind}" if kind else ""] += 1
        return None
    line, column = document.starts.get(id(item), (document.line, document.column))
    if templated and _unrendered(item):
        return Problem(name, UNRENDERED, line)
    if not name_of(item):
        return Problem(name, f"a {kind.kind} without metadata.name; not read", line)
    if not isinstance(metadata(item).get("namespace"), str | None):
        return Problem(name, f"a {kind.kind} whose metadata.namespace is not text; not read", line)
    where, projector = Where(name, line, column), reading.projector
    identity = projector.identity(item, projector.tables_of(kind)[0])[0]
    reading.waivers += annotated.inline(item, identity, where, projector.source.id, document.marks)
    reading.placed.append(Placed(clean(item), where, document.marks))
    return None


def _unrendered(item: Mapping[str, Any]) -> bool:
    """Whether an object still has Helm's template language in it. A ConfigMap may hold templates of others."""
    todo: list[Any] = [value for key, value in item.items() if key != "data" or item.get("kind") != "ConfigMap"]
    seen = set()
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            if HELM.search(node):
                return True
        elif id(node) not in seen:
            seen.add(id(node))
            todo += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return False


def _resources(reading: _Reading) -> list[Resource]:
    projector, owners = reading.projector, Seen()
    for placed in reading.placed:
        projector.runtimes.add(placed.item)
    asked = [projector.asked(p.item) for p in reading.placed]
    for placed, hazards in zip(reading.placed, asked, strict=True):
        if hazards is not None and placed.item.get("kind") != "Pod":
            owners.add(placed.item, hazards)
    found: dict[tuple[str, str], Resource] = {}
    for placed, hazards in zip(reading.placed, asked, strict=True):
        told = Told.NOTHING if hazards is None else owners.covers(placed.item, hazards)
        for resource in projector.resources(placed, told):
            named = _distinct(resource, found)
            found[named.kind, named.id] = named
    return list(found.values())


def _distinct(resource: Resource, found: Mapping[tuple[str, str], Resource]) -> Resource:
    """The same object may stand in two files (an overlay and its base): the second one's id names its file as well."""
    identity = resource.id
    if (resource.kind, identity) in found:
        identity = f"{resource.id}@{resource.where.file}"
    number = 2
    while (resource.kind, identity) in found:
        identity = f"{resource.id}@{resource.where.file}#{number}"
        number += 1
    return resource if identity == resource.id else resource.replace(id=identity)
