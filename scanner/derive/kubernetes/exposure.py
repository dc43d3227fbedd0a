"""By which services, ingresses and routes a workload is reached, and from where.

A way leads from outside the cluster to ports of a pod: a load balancer, a node port, an external address or a port of the host, and
whatever leads to a service that selects the pod. Filters on the way (source ranges, network policies) are not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.policies.labels import ADDED_BY_GROUP, ADDED_LABELS, ADDED_PREFIXES, Labels, selects
from scanner.derive.kubernetes.types import NOT_HERE, POD_LIKE, from_manifests, namespace_of
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

SERVICE = "v1/Service"
INGRESS = "networking.k8s.io/v1/Ingress"
ROUTES = (
    "gateway.networking.k8s.io/v1/HTTPRoute",
    "gateway.networking.k8s.io/v1/GRPCRoute",
    "gateway.networking.k8s.io/v1/TLSRoute",
    "gateway.networking.k8s.io/v1alpha2/TCPRoute",
    "networking.istio.io/v1/VirtualService",
)
SERVICE_FACTS = ("namespace", "service_type", "selector", "external_ips", "internet_facing", "service_ports", "external_name")
READS: Mapping[str, tuple[str, ...]] = {
    SERVICE: SERVICE_FACTS,
    INGRESS: ("namespace", "backends", "authenticates", "reach"),
    **dict.fromkeys(ROUTES, ("namespace", "backends", "authenticates", "outward")),
}
MADE_UP = ("ray.io/v1/RayJob", "ray.io/v1/RayService", "ray.io/v1/RayCronJob")
"""Types whose clusters have made-up names."""
EVERYTHING = "/"


@frozen
class Way:
    """A way from outside the cluster to a service, or through it."""

    through: str
    way: str
    internet: str
    authenticated: str = "no"
    port: str = ""
    """The port of the service by number or name, empty for any."""
    paths: tuple[str, ...] = (EVERYTHING,)


@dataclass(slots=True)
class Service:
    """A Service, and the ways to it."""

    id: str
    name: str
    selector: Mapping[str, str]
    ports: Sequence[Mapping[str, Any]]
    ways: list[Way] = field(default_factory=list)
    gap: Gap | None = None
    """Why it is not known where it leads, or how one comes to it."""


Pair = tuple[str, str]


@dataclass(slots=True)
class Services:
    """The services of the snapshot."""

    by_id: dict[str, Service] = field(default_factory=dict)
    by_anchor: dict[tuple[str, str], dict[Pair | None, list[Service]]] = field(default_factory=dict)
    """(scope, namespace) → a label that pods must have (None: any pod may be meant) → services."""
    gaps: dict[str, Gap] = field(default_factory=dict)
    """Scope → why there may be ways that were not read."""


def services(world: World) -> Services:
    """The index, made once a world."""
    return world.memo("kubernetes.services", lambda: _index(world))


def _index(world: World) -> Services:
    found = Services()
    named: dict[tuple[str, str, str], Service] = {}
    aliases: dict[tuple[str, str, str], list[tuple[str, str, str]]] = {}
    leading: list[Resource] = []
    for resource in world.all("endpoint"):
        if resource.native_type == SERVICE:
            facts = {name: world.fact(resource, name) for name in SERVICE_FACTS}
            key = (resource.scope, namespace_of(resource), resource.name)
            service = _service(resource, facts)
            named[key] = service
            found.by_id[service.id] = service
            found.by_anchor.setdefault(key[:2], {}).setdefault(anchor(service), []).append(service)
            other = _alias(facts["external_name"], key)
            if other:
                aliases.setdefault(other, []).append(key)
        elif resource.native_type == INGRESS or resource.native_type in ROUTES:
            leading.append(resource)
    for resource in leading:
        gap = _lead(resource, named, world)
        if gap is not None:
            found.gaps.setdefault(resource.scope, gap)
    for key, others in aliases.items():
        if key in named:
            # NOTE: one step: a name that stands for a name leads no further
            named[key].ways += [w for other in others for w in named[other].ways]
    return found


def _service(resource: Resource, facts: Mapping[str, JSON | Gap]) -> Service:
    gap = next((f for name, f in facts.items() if isinstance(f, Gap) and name != "internet_facing"), None)
    plain: dict[str, Any] = {name: None if isinstance(f, Gap) else f for name, f in facts.items()}
    service = Service(resource.id, resource.name, plain["selector"] or {}, plain["service_ports"] or (), gap=gap)
    public = plain["internet_facing"]
    internet = "unknown" if public is None else "yes" if public else "no"
    kind = plain["service_type"]
    if kind == "LoadBalancer":
        service.ways.append(Way(resource.id, "load balancer", internet))
    elif kind == "NodePort":
        service.ways.append(Way(resource.id, "node port", "unknown"))
    if plain["external_ips"]:
        service.ways.append(Way(resource.id, "external address", "unknown"))
    return service


def _alias(name: JSON | Gap, key: tuple[str, str, str]) -> tuple[str, str, str] | None:
    """The service of the cluster that another one stands for."""
    if isinstance(name, Gap) or not name:
        return None
    first, *rest = str(name).removesuffix(".").split(".")
    return (key[0], rest[0], first) if len(rest) > 1 and rest[1] == "svc" else None


def _lead(resource: Resource, named: Mapping[tuple[str, str, str], Service], world: World) -> Gap | None:
    """Put the ways of an ingress or route to its services. The gap where it is not known where it leads."""
    ingress = resource.native_type == INGRESS
    outward = True if ingress else world.fact(resource, "outward")
    backends: Any = world.fact(resource, "backends")
    if outward is False:
        return None
    if isinstance(backends, Gap) or isinstance(outward, Gap):
        return backends if isinstance(backends, Gap) else outward if isinstance(outward, Gap) else None
    asks, reach = world.fact(resource, "authenticates"), world.fact(resource, "reach") if ingress else "unknown"
    for backend in backends:
        service = named.get((resource.scope, backend["namespace"], backend["name"]))
        if service is not None:
            service.ways.append(
                Way(
                    resource.id,
                    "ingress" if ingress else "route",
                    "unknown" if isinstance(reach, Gap) else str(reach),
                    "unknown" if isinstance(asks, Gap) else str(asks),
                    backend["port"],
                    tuple(backend["paths"]),
                )
            )
    return None


# ---- which pods a service leads to

WIDE = frozenset(ADDED_BY_GROUP) - {"ray.io"}
"""Groups of controllers that add labels with names that others use as well."""


def anchor(service: Service) -> Pair | None:
    """A label of a Service's selector that no controller adds by itself; None where it has none."""
    pairs = ((k, v) for k, v in service.selector.items() if k not in ADDED_LABELS and not k.startswith(ADDED_PREFIXES))
    return next(((k, str(v)) for k, v in pairs if k not in ADDED_BY_GROUP["ray.io"]), None)


def wide(pod: Resource) -> bool:
    """Whether the maker of a workload's pods may add any label."""
    return pod.native_type.partition("/")[0] in WIDE


def _candidates(pod: Resource, labels: Mapping[str, str], index: Services) -> list[Service]:
    """The services that may lead to a workload."""
    near = index.by_anchor.get((pod.scope, namespace_of(pod)), {})
    if wide(pod):
        found = [service for services_ in near.values() for service in services_]
    else:
        found = [service for pair in (None, *labels.items()) for service in near.get(pair, ())]
    return sorted(found, key=lambda service: service.id)


def labels_of(pod: Resource, world: World) -> Mapping[str, str] | Gap:
    """The labels of a workload's pods, with those of its controller that are known beforehand."""
    labels: Any = world.fact(pod, "pod_labels")
    return labels if isinstance(labels, Gap) else {**_made(pod), **labels, **_forced(pod)}


def _made(pod: Resource) -> dict[str, str]:
    name, _, part = pod.name.partition("/")
    if pod.native_type == "kubeflow.org/v1/Notebook":
        return {"statefulset": name, "notebook-name": name}
    if pod.native_type == "batch/v1/Job":
        return {"job-name": name, "batch.kubernetes.io/job-name": name}
    if pod.native_type == "serving.kserve.io/v1beta1/InferenceService":
        return {"serving.kserve.io/inferenceservice": name, "component": part}
    return {}


def _forced(pod: Resource) -> dict[str, str]:
    """Labels that KubeRay sets whatever the template says.

    https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/common/pod.go
    """
    name, _, part = pod.name.partition("/")
    if pod.native_type not in ("ray.io/v1/RayCluster", *MADE_UP) or part == "submitter":
        return {}
    head = part == "head"
    own = (
        {}
        if pod.native_type in MADE_UP
        else {"ray.io/cluster": name, "ray.io/identifier": f"{name}-{'head' if head else 'worker'}"}
    )
    return own | {
        "ray.io/is-ray-node": "yes",
        "ray.io/node-type": "head" if head else "worker",
        "ray.io/group": "headgroup" if head else part,
        "app.kubernetes.io/name": "kuberay",
        "app.kubernetes.io/created-by": "kuberay-operator",
    }


def leads_to(service: Service, pod: Resource, labels: Mapping[str, str]) -> Truth:
    """Whether a Service forwards to a workload's pods; one without a selector forwards to what its endpoints say."""
    if not service.selector:
        return False
    name = pod.name.partition("/")[0]
    cluster = str(service.selector.get("ray.io/cluster") or "")
    if cluster and pod.native_type in MADE_UP:
        # NOTE: the cluster of a job or of a service has the name of it, and five letters of chance
        mine = re.fullmatch(rf"{re.escape(name)}-(?:raycluster-)?[a-z0-9]{{5}}", cluster) is not None
        labels = {**labels, "ray.io/cluster": cluster if mine else ""}
        if mine:
            labels["ray.io/identifier"] = f"{cluster}-{labels['ray.io/node-type']}"
    return selects({"matchLabels": service.selector}, Labels(labels, pod.native_type.removeprefix("v1/Pod")))


def targets(service: Service, way: Way, named: Mapping[str, Sequence[int]]) -> list[int] | Gap:
    """The ports of a pod that a way leads to; empty for all. `named` are the pod's ports by name."""
    if not service.ports:
        return []  # a headless service without ports: what leads to it leads to the pods
    found: list[int] = []
    for port in service.ports:
        if way.port not in ("", port["name"], str(port["port"])):
            continue
        target = str(port["target"])
        if target.isdigit():
            found.append(int(target))
        elif target in named:
            found += named[target]
        else:
            return Gap(Reason.NOT_OFFERED, "", NOT_HERE, f"no container declares the port {target} that {service.name} leads to")
    return sorted(set(found)) or Gap(Reason.NOT_OFFERED, "", "Name a port that it has.", f"{service.name} has no port {way.port}")


def ways_to(pod: Resource, world: World) -> tuple[list[dict[str, JSON]], Gap | None]:
    """The ways to a workload's pods, and why there may be more."""
    index = services(world)
    labels = labels_of(pod, world)
    found = [*_host(pod, world), *_published(pod, world)]
    gap = _unsettled(pod, index, world)
    if isinstance(labels, Gap):
        return found, labels
    declared: Any = world.fact(pod, "container_ports")
    named: dict[str, list[int]] = {}
    for port in () if isinstance(declared, Gap) else declared:
        named.setdefault(port["name"], []).append(port["port"])
    for service in _candidates(pod, labels, index):
        truth = leads_to(service, pod, labels)
        if not service.selector and service.ways:
            gap = gap or Gap(
                Reason.NOT_OFFERED, "", "Look at its endpoints.", f"{service.name} has no selector: it may lead to any pod"
            )
        if truth is False or not (service.ways or service.gap):
            continue
        if isinstance(truth, Gap) or service.gap is not None:
            gap = gap or service.gap or (truth if isinstance(truth, Gap) else None)
            if isinstance(truth, Gap):
                continue
        for way in service.ways:
            ports = targets(service, way, named)
            if isinstance(ports, Gap):
                gap = gap or (declared if isinstance(declared, Gap) else ports)
            else:
                found.append(_told(way, ports))
    return found, gap


def _told(way: Way, ports: Iterable[int]) -> dict[str, JSON]:
    return {
        "through": way.through,
        "way": way.way,
        "internet": way.internet,
        "ports": list(ports),
        "paths": list(way.paths),
        "authenticated": way.authenticated,
    }


def _host(pod: Resource, world: World) -> Iterator[dict[str, JSON]]:
    """The ports of the node that are a pod's own."""
    if world.fact(pod, "host_network") is True:
        yield _told(Way(pod.id, "host port", "unknown"), [])
        return
    declared: Any = world.fact(pod, "container_ports")
    ports = () if isinstance(declared, Gap) else sorted({p["port"] for p in declared if p["host_port"]})
    if ports:
        yield _told(Way(pod.id, "host port", "unknown"), ports)


def _published(pod: Resource, world: World) -> Iterator[dict[str, JSON]]:
    """KServe and Knative publish what they serve through a gateway of their own."""
    host = world.fact(pod, "external_host")
    if host and not isinstance(host, Gap):
        yield _told(Way(pod.id, "route", "unknown"), [])


def _unsettled(pod: Resource, index: Services, world: World) -> Gap | None:
    """Why there may be ways that were not seen."""
    if from_manifests(pod):
        return Gap(Reason.NOT_OFFERED, "", NOT_HERE, "a service or route to it may not be in these manifests")
    host = world.fact(pod, "external_host")
    if isinstance(host, Gap):
        return host
    own = (world.listing(SERVICE, pod.scope, namespace_of(pod)), world.listing(INGRESS, pod.scope, namespace_of(pod)))
    routes = (world.listing(native, pod.scope, "") for native in ROUTES)
    return next((g for g in (*own, *routes, index.gaps.get(pod.scope)) if g is not None), None)


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """How a workload is reached from outside the cluster."""
    found, gap = ways_to(pod, world)
    return {"exposed_by": list(found), "exposure_settled": gap or True}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("exposed_by", "exposure_settled"),
        of_workload,
        needs=("namespace", "pod_labels", "host_network", "container_ports", "external_host"),
        reads=READS,
        native_types=POD_LIKE,
    ),
)
