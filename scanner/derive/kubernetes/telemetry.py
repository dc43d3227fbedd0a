"""Services that give out metrics of accelerators and models, and who reaches them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes import exposure, network
from scanner.derive.kubernetes.exposure import Pair, Service, services
from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.servers import REACH, READS, joined
from scanner.derive.kubernetes.types import POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

EXPORTERS = {9400: "dcgm-exporter", 8002: "triton"}
"""Ports of which the number tells.

https://docs.nvidia.com/datacenter/dcgm/latest/gpu-telemetry/dcgm-exporter.html
https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/user_guide/metrics.html
"""
METERED = frozenset({"vllm", "triton", "tgi", "sglang", "nim", "dcgm-exporter", "lmdeploy", "torchserve", "llama.cpp"})
"""Servers whose metrics tell of models, prompts or accelerators."""
MONITOR = "monitoring.coreos.com/v1/ServiceMonitor"


@dataclass(slots=True)
class Pods:
    """The workloads of a namespace."""

    every: list[Resource] = field(default_factory=list)
    wide: list[Resource] = field(default_factory=list)
    """Those of which the labels are not known beforehand."""
    by_label: dict[Pair, list[Resource]] = field(default_factory=dict)


def _pods(scope: str, world: World) -> dict[str, Pods]:
    found: dict[str, Pods] = {}
    for pod in world.all("workload", scope):
        if pod.native_type not in POD_LIKE:
            continue
        near = found.setdefault(namespace_of(pod), Pods())
        near.every.append(pod)
        labels = exposure.labels_of(pod, world)
        if isinstance(labels, Gap) or exposure.wide(pod):
            near.wide.append(pod)
        else:
            for pair in labels.items():
                near.by_label.setdefault(pair, []).append(pod)
    return found


def behind(service: Service, resource: Resource, world: World) -> tuple[list[Resource], Gap | None]:
    """The workloads that a Service leads to, and why there may be more."""
    if not service.selector:
        return [], Gap(Reason.NOT_OFFERED, "", "Look at its endpoints.", f"{service.name} has no selector: it may lead to any pod")
    near = world.memo(f"kubernetes.pods {resource.scope}", lambda: _pods(resource.scope, world)).get(namespace_of(resource), Pods())
    label = exposure.anchor(service)
    found, gap = [], None
    for pod in near.every if label is None else (*near.by_label.get(label, ()), *near.wide):
        labels = exposure.labels_of(pod, world)
        truth = labels if isinstance(labels, Gap) else exposure.leads_to(service, pod, labels)
        if truth is True:
            found.append(pod)
        elif isinstance(truth, Gap):
            gap = gap or truth
    gaps = (unseen(world, resource, native, "what it leads to", namespace_of(resource)) for native in POD_LIKE)
    return found, gap or (None if found and from_manifests(resource) else next((g for g in gaps if g is not None), None))


def metrics(service: Service, pods: Iterable[Resource], *, scraped: Iterable[str], world: World) -> dict[int, str]:
    """Ports of a Service that give out metrics → of what. `scraped` are the names and numbers of those that are scraped, `*` for all."""
    found: dict[int, str] = {}
    wanted = set(scraped)
    servers = [s for pod in pods for s in _servers(pod, world) if s["product"] in METERED]
    for port in service.ports:
        target = str(port["target"])
        number = int(target) if target.isdigit() else port["port"]
        what = EXPORTERS.get(number) or EXPORTERS.get(port["port"])
        if what is None and wanted & {"*", str(port["name"]), str(port["port"]), target}:
            what = next((str(s["product"]) for s in servers if not s["ports"] or number in s["ports"]), None)
        if what is not None:
            found[int(port["port"])] = what
    return found


def _perhaps(
    service: Service, resource: Resource, pods: Iterable[Resource], *, scraped: set[str], hidden: Gap | None, world: World
) -> Gap | None:
    """Why a Service may give out metrics all the same: it is scraped, or may be, and what it leads to is not known."""
    gaps = [hidden, *(s for s in (world.fact(pod, "servers") for pod in pods) if isinstance(s, Gap))]
    if scraped:
        return next((g for g in gaps if g is not None), None)
    if not metrics(service, pods, scraped=("*",), world=world):
        return None
    return next(
        (
            f
            for m in world.all("configuration", resource.scope)
            if m.native_type == MONITOR
            for f in _told(m, world)
            if isinstance(f, Gap)
        ),
        unseen(world, resource, MONITOR, "a ServiceMonitor"),
    )


def _servers(pod: Resource, world: World) -> list[dict[str, Any]]:
    found: Any = world.fact(pod, "servers")
    return [] if isinstance(found, Gap) else found


def monitored(resource: Resource, world: World) -> set[str]:
    """Ports of a Service that a ServiceMonitor has scraped."""
    found: set[str] = set()
    for selector, ports, spaces in world.memo(f"kubernetes.monitors {resource.scope}", lambda: _monitors(resource.scope, world)):
        if {"*", namespace_of(resource)} & spaces and selects(selector, Labels(resource.tags)) is True:
            found |= ports
    return found


def _monitors(scope: str, world: World) -> list[tuple[dict[str, Any], set[str], set[str]]]:
    found = []
    for monitor in world.all("configuration", scope):
        if monitor.native_type == MONITOR:
            facts = _told(monitor, world)
            if not any(isinstance(f, Gap) for f in facts):
                found.append((facts[0], set(facts[1]), set(facts[2])))
    return found


def _told(monitor: Resource, world: World) -> list[Any]:
    return [world.fact(monitor, f) for f in ("selector", "monitored_ports", "monitored_namespaces")]


def of_service(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The metrics of a Service, and who reaches them."""
    service = services(world).by_id.get(resource.id)
    if service is None or service.gap is not None:
        gap = service.gap if service and service.gap else None
        return {} if gap is None else dict.fromkeys(("telemetry", "telemetry_open", "telemetry_settled"), gap)
    pods, hidden = behind(service, resource, world)
    scraped = monitored(resource, world)
    if world.fact(resource, "scraped") is True:
        scraped |= {"*"}
    found = metrics(service, pods, scraped=scraped, world=world)
    given = [{"port": p, "what": w} for p, w in sorted(found.items())]
    if not found:
        unknown = _perhaps(service, resource, pods, scraped=scraped, hidden=hidden, world=world)
        return {"telemetry": unknown or [], "telemetry_open": unknown or [], "telemetry_settled": unknown or True}
    open_, gap = _open(service, found, pods, world)
    return {"telemetry": given, "telemetry_open": open_, "telemetry_settled": gap or hidden or _others(resource, world) or True}


def _open(service: Service, ports: Mapping[int, str], pods: Iterable[Resource], world: World) -> tuple[list[JSON], Gap | None]:
    """How the metrics are reached from where they should not be, and why it may be in more ways."""
    found: list[JSON] = []
    gaps: list[Gap] = []
    for number in sorted(ports):
        port = next(p for p in service.ports if p["port"] == number)
        found += [
            {"port": number, "way": way.way}
            for way in service.ways
            if way.port in ("", str(number), port["name"]) and (way.way, way.internet) != ("load balancer", "no")
        ]
        for pod in pods:
            targets = _targets(str(port["target"]), pod, world)
            if isinstance(targets, Gap):
                gaps.append(targets)
                continue
            for target in targets:
                truth = network.port_open_across_namespaces(pod, target, world)
                if truth is True and {"port": number, "way": "other namespaces"} not in found:
                    found.append({"port": number, "way": "other namespaces"})
                elif isinstance(truth, Gap):
                    gaps.append(truth)
    return found, next(iter(gaps), None)


def _targets(target: str, pod: Resource, world: World) -> list[int] | Gap:
    """The ports of a pod that a port of a Service leads to: none where it has no port of that name, as Kubernetes has it."""
    if target.isdigit():
        return [int(target)]
    declared: Any = world.fact(pod, "container_ports")
    return declared if isinstance(declared, Gap) else [p["port"] for p in declared if p["name"] == target]


def _others(resource: Resource, world: World) -> Gap | None:
    """Why other ways to a Service may be there: routes that were not seen."""
    spaces = {exposure.INGRESS: namespace_of(resource), **dict.fromkeys(exposure.ROUTES, "")}
    gaps = (unseen(world, resource, native, "a route to it", space) for native, space in spaces.items())
    return next((g for g in gaps if g is not None), services(world).gaps.get(resource.scope))


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "endpoint",
        ("telemetry", "telemetry_open", "telemetry_settled"),
        of_service,
        needs=(*exposure.SERVICE_FACTS, "scraped"),
        reads=joined(
            READS,
            dict.fromkeys(POD_LIKE, REACH),
            {MONITOR: ("namespace", "selector", "monitored_ports", "monitored_namespaces")},
        ),
        native_types=(exposure.SERVICE,),
    ),
)
