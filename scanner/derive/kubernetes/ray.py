"""Ray clusters: who reaches the head, what protects their traffic, and whether they are isolated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes import encryption, exposure, floors, network
from scanner.derive.kubernetes.servers import REACH, READS, joined, lacking_of
from scanner.derive.kubernetes.types import NOT_HERE, POD_LIKE, POLICY, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

RAY = ("ray.io/v1/RayCluster", "ray.io/v1/RayJob", "ray.io/v1/RayService")
OPERATOR = "kuberay-operator"
TLS_GATE = "RayClusterMTLS"
POLICY_GATE = "RayClusterNetworkPolicy"
"""Feature gates of the operator, off unless they are turned on.

https://github.com/ray-project/kuberay/blob/master/ray-operator/pkg/features/features.go
"""


def gate(ray: Resource, name: str, world: World) -> Truth:
    """Whether a feature gate of the operator is on. Without it the field that it guards does nothing."""
    gates: dict[str, Truth] = world.memo(f"kubernetes.ray.gates {ray.scope} {name}", lambda: {"": _gate(ray.scope, name, world)})
    return gates[""]


def _gate(scope: str, name: str, world: World) -> Truth:
    told: list[Truth] = []
    for pod in world.all("workload", scope):
        servers: Any = world.fact(pod, "servers")
        for server in () if isinstance(servers, Gap) else servers:
            if server["product"] == OPERATOR:
                hidden = Gap(
                    Reason.NOT_OFFERED, "", "Name its feature gates in its arguments.", f"{pod.name} does not tell its gates"
                )
                told.append(name in server["gates"] if server["gates_known"] else hidden)
    if told and all(t == told[0] for t in told):
        return told[0]
    return Gap(
        Reason.NOT_OFFERED, "", f"Turn {name} on, and look whether it works.", f"the operator's feature gate {name} was not seen"
    )


def pods_of(ray: Resource, world: World) -> list[Resource]:
    """The head and the workers of a cluster, as far as they were seen."""
    groups: Any = world.fact(ray, "worker_groups")
    labels = ["head", *(() if isinstance(groups, Gap) else groups)]
    return [pod for label in labels if (pod := world.get("workload", f"{ray.id}#{label}")) is not None]


# ---- who reaches the head


def exposed(ray: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The ways from outside the cluster to the ports of the head that let a caller run code."""
    dangerous: Any = world.fact(ray, "head_ports")
    asked: Any = world.fact(ray, "head_ways")
    if isinstance(dangerous, Gap):
        return {"exposed_by": dangerous, "exposure_settled": dangerous}
    head = world.get("workload", f"{ray.id}#head")
    seen, gap = (
        exposure.ways_to(head, world) if head is not None else ([], Gap(Reason.NOT_OFFERED, "", NOT_HERE, "its head was not seen"))
    )
    found: list[JSON] = []
    ways: set[JSON] = set()
    for way in seen:
        ports = way["ports"] if isinstance(way["ports"], list) else []
        reached = sorted(set(ports) & set(dangerous)) if ports else sorted(dangerous)
        ways.add(way["way"])
        if not reached or _internal(way) or way["authenticated"] == "yes":
            continue
        if way["authenticated"] == "unknown":
            gap = gap or Gap(Reason.NOT_OFFERED, "", "Look at what it is told to do.", f"{way['through']} may ask who a caller is")
        else:
            found.append({**way, "ports": reached})
    own = {"through": ray.id, "paths": [exposure.EVERYTHING], "authenticated": "no"}
    found += [{**own, **w} for w in (() if isinstance(asked, Gap) else asked) if w["way"] not in ways and not _internal(w)]
    return {"exposed_by": found, "exposure_settled": (asked if isinstance(asked, Gap) else gap) or True}


def _internal(way: Mapping[str, JSON]) -> bool:
    return (way["way"], way["internet"]) == ("load balancer", "no")


# ---- what protects its traffic


def protection(ray: Resource, world: World) -> str | Gap:
    """What encrypts the traffic between its parts. Ray's TLS does not cover the dashboard."""
    setting = world.fact(ray, "tls_setting")
    own: Truth = setting if isinstance(setting, Gap) else setting == "variables"
    if setting == "operator":
        own = gate(ray, TLS_GATE, world)
    if own is True:
        return "tls"
    pods = pods_of(ray, world)
    around = all_of(_covered(pod, world) for pod in pods) if pods else False
    if around is True:
        return "mesh"
    return own if isinstance(own, Gap) else around if isinstance(around, Gap) else "none"


def _covered(pod: Resource, world: World) -> Truth:
    clear = encryption.in_clear(pod, world)
    return clear if isinstance(clear, Gap) else not clear


# ---- isolation


def isolation(ray: Resource, world: World) -> str | Gap:
    """Whether the policies that were asked for are there, or others do the same."""
    mode = world.fact(ray, "policy_mode")
    if isinstance(mode, Gap):
        return mode
    made: Truth = _made(ray, world) if mode == "DenyAll" else False
    other: Truth = True if made is True else _isolated(ray, world)
    if other is True:
        wide = _wide(ray, world)
        return wide if isinstance(wide, Gap) else "open" if wide else "policies" if made is True else "equivalent"
    gap = made if isinstance(made, Gap) else other if isinstance(other, Gap) else None
    return gap or {"none": "none", "DenyAll": "missing"}.get(str(mode), "partial")


def _isolated(ray: Resource, world: World) -> Truth:
    pods = pods_of(ray, world)
    if not pods:
        return Gap(Reason.NOT_OFFERED, "", NOT_HERE, "its pods were not seen")
    if any(world.fact(pod, "host_network") is True for pod in pods):
        return False  # policies do not bind the host's network
    return all_of(network.isolated(_labelled(pod, world), way, world) for pod in pods for way in ("Ingress", "Egress"))


def _wide(ray: Resource, world: World) -> Truth:
    """Whether policies that select its pods admit everyone: they isolate by name alone."""
    pods = [_labelled(pod, world) for pod in pods_of(ray, world)]
    found = [network.open_by(pod, way, world) for pod in pods for way in ("Ingress", "Egress")]
    return any_of(names if isinstance(names, Gap) else bool(names) for names in found)


def _labelled(pod: Resource, world: World) -> Resource:
    """A workload with the labels that the operator gives its pods."""
    labels = exposure.labels_of(pod, world)
    return pod if isinstance(labels, Gap) else pod.replace(facts={**pod.facts, "pod_labels": dict(labels)})


def _made(ray: Resource, world: World) -> Truth:
    """Whether the policies of the operator are there: for the head, and for each group of workers.

    One of the same name that is somebody else's leaves the cluster open, so it is the selector that counts:
    https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/networkpolicy_controller.go
    """
    groups: Any = world.fact(ray, "worker_groups")
    if isinstance(groups, Gap):
        return groups
    name = re.escape(ray.name) + ("" if ray.native_type == RAY[0] else r"-(?:raycluster-)?[a-z0-9]{5}")
    wanted: list[tuple[str, str]] = [("head", ""), *(("worker", str(g)) for g in groups)]
    there = world.memo(f"kubernetes.ray.policies {ray.scope}", lambda: _selectors(ray.scope, world))
    mine = {
        (kind, "" if kind == "head" else group)
        for space, cluster, kind, group in there
        if space == namespace_of(ray) and re.fullmatch(name, cluster)
    }
    if all(part in mine for part in wanted):
        return True
    if from_manifests(ray):
        return gate(ray, POLICY_GATE, world)
    return unseen(world, ray, POLICY, "its network policies", namespace_of(ray)) or False


def _selectors(scope: str, world: World) -> set[tuple[str, str, str, str]]:
    """(namespace, cluster, kind of node, group) that policies isolate both ways."""
    found = set()
    for policy in world.all("network_policy", scope):
        if policy.native_type != POLICY:
            continue
        selector, types = world.fact(policy, "selector"), world.fact(policy, "policy_types")
        if isinstance(selector, dict) and isinstance(types, list) and {"Ingress", "Egress"} <= set(types):
            labels = selector.get("matchLabels")
            labels = labels if isinstance(labels, dict) else {}
            parts = [str(labels.get(f"ray.io/{key}") or "") for key in ("cluster", "node-type", "group")]
            found.add((namespace_of(policy), parts[0], parts[1], parts[2]))
    return found


# ---- versions


def versions(ray: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What its version lacks: the image decides, and what the object says of itself where the image does not tell."""
    for fact, told_by in (("image_version", "image"), ("version", "rayVersion")):
        version = world.fact(ray, fact)
        if isinstance(version, Gap):
            continue
        lacking = floors.below("ray", str(version))
        if isinstance(lacking, Gap):
            return {"advisories": [], "advisories_settled": lacking}
        entry = [lacking_of("", "ray", str(version), told_by, lacking)] if lacking is not None else []
        return {"advisories": entry, "advisories_settled": True}
    return {
        "advisories": [],
        "advisories_settled": Gap(Reason.NOT_OFFERED, "", "Write rayVersion.", "neither image nor rayVersion tell it"),
    }


def of_ray(ray: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What takes more than the object itself."""
    return {
        **exposed(ray, world),
        "traffic_protection": protection(ray, world),
        "isolation": isolation(ray, world),
        **versions(ray, world),
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "model_service",
        ("exposed_by", "exposure_settled", "traffic_protection", "isolation", "advisories", "advisories_settled"),
        of_ray,
        needs=("head_ports", "head_ways", "tls_setting", "policy_mode", "worker_groups", "image_version", "version"),
        reads=joined(
            READS, encryption.MESH_READS, encryption.CNI_READS, dict.fromkeys(POD_LIKE, (*REACH, *encryption.POD_FACTS, "rdma"))
        ),
        native_types=RAY,
    ),
)
