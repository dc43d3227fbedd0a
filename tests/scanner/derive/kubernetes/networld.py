"""Short ways to make worlds with network policies of every engine, and to ask who may connect."""

from __future__ import annotations

import ipaddress
from typing import Any

from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.network import admits
from scanner.derive.kubernetes.policies.someone import Someone
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

POLICY = "networking.k8s.io/v1/NetworkPolicy"
CILIUM = "cilium.io/v2/CiliumNetworkPolicy"
CALICO = "projectcalico.org/v3/NetworkPolicy"
DENIED = Gap(Reason.DENIED, "networking.k8s.io/v1:networkpolicies", "Allow it.")
STRANGER, ANYWHERE = Someone.STRANGER, Someone.ANYWHERE
METADATA = ipaddress.ip_address("169.254.169.254")
PORTS = [{"containerPort": 8080, "name": "http"}, {"containerPort": 53, "name": "dns", "protocol": "UDP"}]
APP = pod("app", {"containers": [container(ports=PORTS)]}, labels={"app": "chat"})


def policy(name: str = "np", namespace: str = "team", **spec: Any) -> dict[str, Any]:
    return thing("networking.k8s.io/v1", "NetworkPolicy", name, namespace, spec={"podSelector": {}, **spec})


def cnp(name: str = "cnp", namespace: str | None = "team", **spec: Any) -> dict[str, Any]:
    kind = "CiliumNetworkPolicy" if namespace else "CiliumClusterwideNetworkPolicy"
    return thing("cilium.io/v2", kind, name, namespace, spec={"endpointSelector": {}, **spec})


def calico(name: str = "gnp", namespace: str | None = None, **spec: Any) -> dict[str, Any]:
    return thing("projectcalico.org/v3", "NetworkPolicy" if namespace else "GlobalNetworkPolicy", name, namespace, spec=spec)


def anp(name: str = "anp", priority: int = 10, **spec: Any) -> dict[str, Any]:
    body = {"priority": priority, "subject": {"namespaces": {}}, **spec}
    return thing("policy.networking.k8s.io/v1alpha1", "AdminNetworkPolicy", name, None, spec=body)


def banp(**spec: Any) -> dict[str, Any]:
    body = {"subject": {"namespaces": {}}, **spec}
    return thing("policy.networking.k8s.io/v1alpha1", "BaselineAdminNetworkPolicy", "default", None, spec=body)


def cluster_policy(name: str = "knp", tier: str = "Admin", priority: int = 10, **spec: Any) -> dict[str, Any]:
    body = {"tier": tier, "priority": priority, "subject": {"namespaces": {}}, **spec}
    return thing("policy.networking.k8s.io/v1alpha2", "ClusterNetworkPolicy", name, None, spec=body)


def space(name: str, **labels: str) -> dict[str, Any]:
    return thing("v1", "Namespace", name, None, metadata={"labels": labels})


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def subject(of: MemoryWorld, kind: str = "workload", name: str = "") -> Resource:
    (resource,) = (r for r in of.all(kind) if name in ("", r.name))
    return resource


def fact(name: str, *items: dict[str, Any], **options: Any) -> Any:
    of = world(*items, **options)
    found = of.fact(subject(of), name)
    return found.reason if isinstance(found, Gap) else found


def asked(direction: str, peer: Any, *items: dict[str, Any], port: int = 80, protocol: str = "TCP", **options: Any) -> Any:
    """What the policies among `items` say of the pod `APP` and a peer: an address, someone, or the name of another pod of `items`."""
    of = world(APP, *items, **options)
    if isinstance(peer, str):
        other: Any = ipaddress.ip_address(peer) if peer[0].isdigit() else subject(of, name=peer)
    else:
        other = peer
    found = admits(subject(of, name="app"), direction, other, port, protocol, of)
    return found.reason if isinstance(found, Gap) else found


def ingress(peer: Any, *items: dict[str, Any], **options: Any) -> Any:
    return asked("Ingress", peer, *items, **options)


def egress(peer: Any, *items: dict[str, Any], **options: Any) -> Any:
    return asked("Egress", peer, *items, **options)


__all__ = ["deployment"]
