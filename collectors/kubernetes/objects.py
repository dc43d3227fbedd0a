"""From one Kubernetes object to its resources: the same way for a live cluster and for manifests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from enum import Enum
from typing import Any

from collectors.demand import Demand
from collectors.kubernetes.names import ANY, DEFAULT_NAMESPACE, Owner, Type, metadata, name_of, object_id, object_type, owner_of
from collectors.kubernetes.places import Marks, places
from collectors.kubernetes.pods import DEBUGGING, LISTS, hazards
from collectors.kubernetes.reads import text_map
from collectors.kubernetes.serving import SERVICE, Runtimes, completed
from collectors.kubernetes.shapes import Pod, pods_of
from collectors.kubernetes.tables import DEBUGGED, POD_LIKE, by_type
from collectors.kubernetes.within import mapping
from collectors.project import Parts, project
from collectors.table import ObjectTable
from scanner.model import Gap, Reason, Resource, Source, Where, frozen

ELSEWHERE = Gap(
    Reason.NOT_OFFERED, "", "Judge the pods that it makes, in the live cluster.", "the pod spec does not stand in this object"
)


@frozen
class Placed:
    """An object and where it stands."""

    item: Mapping[str, Any]
    where: Where = field(default_factory=Where)
    marks: Marks = field(default_factory=dict)
    call: str = ""
    """Id of the call that listed it."""


class Told(Enum):
    """What the owner of an object tells of its pods."""

    NOTHING = "nothing"
    ALL = "all"
    BUT_DEBUGGING = "all but the ephemeral containers"
    """Which no template can have."""


class Projector:
    """Makes resources of objects for one source."""

    def __init__(self, source: Source, demand: Demand = None) -> None:
        self.source = source
        self.demand = completed(demand)
        self.tables = by_type()
        self.runtimes = Runtimes(files=source.mode == "manifest")

    def wanted(self, table: ObjectTable) -> frozenset[str] | None:
        """The facts that are asked of a type, None where nobody asks for it."""
        return frozenset(table.facts) if self.demand is None else self.demand.get(table.native_type)

    def known(self, kind: Type | None) -> bool:
        """Whether some table reads the type."""
        return bool(self.tables_of(kind))

    def tables_of(self, kind: Type | None) -> tuple[ObjectTable, ...]:
        """The tables of a type: its own, or those of every type of its group."""
        if kind is None:
            return ()
        return self.tables.get(kind) or self.tables.get(Type(kind.group, ANY), ())

    def resources(self, placed: Placed, told: Told = Told.NOTHING) -> list[Resource]:
        """The resources of one (redacted) object; none where no table wants it, few where its owner was seen."""
        kind = object_type(placed.item)
        found: list[Resource] = []
        for table in self.tables_of(kind):
            if table.owned or told is Told.NOTHING:
                found += self.resources_of(table, placed)
        return found + (self.resources_of(DEBUGGED, _debugging(placed)) if told is Told.BUT_DEBUGGING else [])

    def resources_of(self, table: ObjectTable, placed: Placed) -> list[Resource]:
        """The resources that one table makes of an object."""
        wanted = self.wanted(table)
        if wanted is None or (table.keep is not None and not table.keep(placed.item)):
            return []
        pods: list[Pod | None] = [*self._pods(placed.item, table)] if table.pod else []
        return [self._resource(table, placed, wanted, pod) for pod in pods or [None]]

    def asked(self, item: Mapping[str, Any]) -> frozenset[str] | None:
        """What the pods of an object ask of the host; None where it makes none, or where its pods stand elsewhere.

        What such an object owns is judged by itself: the JobSet of a TrainJob, the Deployment of a model whose runtime is not known.
        """
        kind = object_type(item)
        table = next((t for t in self.tables_of(kind) if t.pod), None)
        if table is None:
            return None
        pods = self._pods(item, table)
        if not pods or (table.native_type == SERVICE and any(pod.unsure for pod in pods)):
            return None
        return frozenset[str]().union(*(hazards(pod.spec) for pod in pods))

    def _pods(self, item: Mapping[str, Any], table: ObjectTable) -> list[Pod]:
        return self.runtimes.resolved(item, pods_of(item, table.native_type, table.pod))

    def identity(self, item: Mapping[str, Any], table: ObjectTable) -> tuple[str, str, str]:
        """(canonical id, namespace, name) of an object."""
        name = name_of(item)
        namespace = str(metadata(item).get("namespace") or DEFAULT_NAMESPACE) if table.namespaced else ""
        kind = object_type(item)
        assert kind is not None  # noqa: S101 - only typed objects come here
        return object_id(self.source.scope, kind, namespace, name), namespace, name

    def _resource(self, table: ObjectTable, placed: Placed, wanted: frozenset[str], pod: Pod | None) -> Resource:
        item = placed.item
        identity, namespace, name = self.identity(item, table)
        label = pod.label if pod else ""
        row: dict[str, Any] = {"item": item, "context": {"scope": self.source.scope, "namespace": namespace}}
        parts = Parts(row, {}, {"item": placed.call, "pod": placed.call, "template": placed.call, "pod_meta": placed.call})
        if table.pod:
            self._put_pod(parts, pod)
        bare = Resource(
            id=f"{identity}#{label}" if label else identity,
            kind=table.kind,
            native_type=table.native_type,
            provider="kubernetes",
            scope=self.source.scope,
            region="",
            name=f"{name}/{label}" if label else name,
            source=self.source.id,
            tags=text_map(metadata(item).get("labels")),
            where=placed.where,
            places=self._places(table, placed, wanted, pod),
        )
        return project(parts, table.facts, wanted=wanted, resource=bare)

    @staticmethod
    def _put_pod(parts: Parts, pod: Pod | None) -> None:
        if pod is None:
            parts.gaps.update(dict.fromkeys(("pod", "template", "pod_meta"), ELSEWHERE))
            return
        parts.row.update(pod=pod.spec, template=pod.spec, pod_meta=pod.meta)
        if pod.unsure:
            gap = Gap(Reason.NOT_OFFERED, "", ELSEWHERE.remedy, pod.unsure)
            parts.gaps.update(dict.fromkeys(("pod", "template"), gap))

    @staticmethod
    def _places(table: ObjectTable, placed: Placed, wanted: frozenset[str], pod: Pod | None) -> dict[str, Where]:
        spec = (pod.written or pod.spec) if pod else None
        roots = {"item": placed.item, "pod": spec, "template": spec, "pod_meta": pod.meta if pod else None}
        return places(table.facts, wanted, roots, pod, placed.marks, placed.where.file)


def _debugging(placed: Placed) -> Placed:
    """A pod without what its owner tells of it."""
    others: dict[str, Any] = {key: [] for _, key in LISTS[:2]}
    return replace(placed, item={**placed.item, "spec": {**mapping(placed.item.get("spec")), **others}})


@frozen
class _Known:
    uid: str
    hazards: frozenset[str]


class Seen:
    """Objects seen so far that make pods: what they own is judged on them, unless it asks for more than they do."""

    def __init__(self) -> None:
        self._uids: dict[str, _Known] = {}
        self._names: dict[tuple[Type, str, str], _Known] = {}
        self._drifts: set[tuple[Type, str, str, frozenset[str]]] = set()

    def add(self, item: Mapping[str, Any], asked: frozenset[str]) -> None:
        """Remember an object and what its pods ask of the host."""
        kind = object_type(item)
        if kind is None:
            return
        known = _Known(str(metadata(item).get("uid") or ""), asked)
        if known.uid:
            self._uids[known.uid] = known
        self._names[kind, _namespace(item), name_of(item)] = known

    def covers(self, item: Mapping[str, Any], asked: frozenset[str]) -> Told:
        """What an object's owner tells of it.

        Anyone who may create a pod may write any owner into it, and admission may have added to it: so one that asks for more than
        its owner's template is a resource of its own, once for all that differ in the same way. One that has nothing more than
        ephemeral containers is looked at for these alone.
        """
        owner = owner_of(item)
        known = self._owner(owner, _namespace(item)) if owner else None
        if owner is None or known is None:
            return Told.NOTHING
        if asked <= known.hazards or mapping(item.get("spec")).get("replicas") == 0:
            return Told.ALL
        more = frozenset(a for a in asked - known.hazards if not a.startswith(DEBUGGING))
        drift = (owner.type, _namespace(item), owner.name, more)
        if not more or drift in self._drifts:
            return Told.BUT_DEBUGGING if any(a.startswith(DEBUGGING) for a in asked) else Told.ALL
        self._drifts.add(drift)
        return Told.NOTHING

    def _owner(self, owner: Owner, namespace: str) -> _Known | None:
        """One with another uid is another object of the same name."""
        if owner.type not in POD_LIKE:
            return None
        known = self._uids.get(owner.uid) or self._names.get((owner.type, namespace, owner.name))
        return None if known is None or (known.uid and owner.uid and known.uid != owner.uid) else known


def _namespace(item: Mapping[str, Any]) -> str:
    return str(metadata(item).get("namespace") or DEFAULT_NAMESPACE)


def locator(item: Mapping[str, Any], plural: str) -> str:
    """How `kubectl` calls an object: `-n team-a deployments.apps/trainer`."""
    kind = object_type(item)
    namespace = mapping(item.get("metadata")).get("namespace")
    group = f".{kind.group}" if kind and kind.group else ""
    return f"{f'-n {namespace} ' if namespace else ''}{plural}{group}/{name_of(item)}"
