"""Which mutual TLS Istio asks of callers of a workload.

https://istio.io/latest/docs/reference/config/security/peer_authentication/
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.membership import ISTIO, NEEDS, READS, ROOT, mesh_of, picks, root_namespace
from scanner.derive.kubernetes.types import POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

PEER = "security.istio.io/v1/PeerAuthentication"
PEER_FACTS = ("namespace", "selector", "mtls_mode", "port_modes", "created")
DEFAULT = "PERMISSIVE"
AGE = Gap(
    Reason.NOT_OFFERED,
    "",
    "Leave one of them.",
    "the oldest of several policies counts, and these manifests do not tell which it is",
)


@frozen
class Peer:
    """One PeerAuthentication, or why it could not be read."""

    age: tuple[str, str]
    """Sorts the oldest first."""
    labels: Mapping[str, str]
    mode: str
    ports: Mapping[str, str]
    gap: Gap | None = None


def _index(world: World) -> dict[tuple[str, str], list[Peer]]:
    found: dict[tuple[str, str], list[Peer]] = {}
    for resource in world.all("mesh_policy"):
        if resource.native_type == PEER:
            facts: dict[str, Any] = {name: world.fact(resource, name) for name in PEER_FACTS}
            gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
            peer = (
                Peer(("", ""), {}, "", {}, gap)
                if gap is not None
                else Peer(
                    (facts["created"], resource.name), facts["selector"]["matchLabels"], facts["mtls_mode"], facts["port_modes"]
                )
            )
            found.setdefault((resource.scope, namespace_of(resource)), []).append(peer)
    return {key: sorted(peers, key=lambda p: p.age) for key, peers in found.items()}


def _peers(subject: Resource, namespace: str, world: World) -> list[Peer]:
    return world.memo("mesh.peers", lambda: _index(world)).get((subject.scope, namespace), [])


def _broken(subject: Resource, namespace: str, world: World) -> Gap | None:
    return next((p.gap for p in _peers(subject, namespace, world) if p.gap is not None), None)


def _own(pod: Resource, world: World) -> Peer | Gap | None:
    """The oldest policy that picks a workload by its labels. Those of the root namespace are ignored (istio/api#3604)."""
    chosen = [p for p in _peers(pod, namespace_of(pod), world) if p.labels]
    if not chosen:
        return None
    root = root_namespace(pod, world)
    if namespace_of(pod) == (ROOT if isinstance(root, Gap) else root):
        return root if isinstance(root, Gap) else None
    found: list[Peer] = []
    for peer in chosen:
        picked = picks({"matchLabels": peer.labels}, pod, world)
        if isinstance(picked, Gap):
            return picked
        if picked:
            found.append(peer)
            if peer.age[0]:
                break
    return _oldest(found)


def _oldest(found: Sequence[Peer]) -> Peer | Gap | None:
    """The first of policies; in files, which tell no age, those that do not say the same leave it open."""
    if any(not p.age[0] and (p.mode, p.ports) != (found[0].mode, found[0].ports) for p in found):
        return AGE
    return found[0] if found else None


def _wide(pod: Resource, namespace: str, world: World) -> str | Gap:
    """What the oldest policy for all of a namespace says, `UNSET` where it says nothing."""
    found = _oldest([p for p in _peers(pod, namespace, world) if not p.labels])
    return found if isinstance(found, Gap) else found.mode if found else "UNSET"


def effective(pod: Resource, world: World) -> tuple[str, Peer | None] | Gap:
    """The mode in force for a workload, and the policy of its own: workload, then namespace, then root namespace, then PERMISSIVE."""
    blind = None if from_manifests(pod) else world.listing(PEER, pod.scope, namespace_of(pod))
    blind = blind or _broken(pod, namespace_of(pod), world)
    if blind is not None:
        return blind
    own = _own(pod, world)
    if isinstance(own, Gap):
        return own
    if own and own.mode != "UNSET":
        return own.mode, own
    mode = _wide(pod, namespace_of(pod), world)
    if mode != "UNSET":
        return mode if isinstance(mode, Gap) else (mode, own)
    root = root_namespace(pod, world)
    if isinstance(root, Gap):
        return root
    blind = _broken(pod, root, world)
    if blind is not None:
        return blind
    mode = _wide(pod, root, world)
    if mode != "UNSET":
        return mode if isinstance(mode, Gap) else (mode, own)
    return unseen(world, pod, PEER, "a policy for the namespace or the mesh", root) or (DEFAULT, own)


def mtls_mode(pod: Resource, world: World) -> str | Gap:
    """The mode in force. The ambient mesh knows no DISABLE.

    https://istio.io/latest/docs/ambient/usage/l4-policy/
    """
    found = effective(pod, world)
    if isinstance(found, Gap):
        return found
    return DEFAULT if found[0] == "DISABLE" and mesh_of(pod, world) == "istio-ambient" else found[0]


def weak_ports(pod: Resource, world: World) -> list[str] | Gap:
    """Ports on which a workload serves and that take callers without mutual TLS although the rest may not, or bypass the proxy."""
    found = effective(pod, world)
    if isinstance(found, Gap):
        return found
    mode, own = found
    modes = {port: mode if said == "UNSET" else said for port, said in own.ports.items()} if own else {}
    weak = {int(port) for port, said in modes.items() if said != "STRICT" and port.isdigit()}
    settings = world.fact(pod, "mesh_settings")
    if isinstance(settings, Gap):
        return settings
    ranges = [] if mesh_of(pod, world) == "istio-ambient" else settings["istio_excluded"]
    if not weak and not ranges:
        return []
    serving = world.fact(pod, "listens_on")
    if isinstance(serving, Gap):
        return serving
    ports = {int(p["port"]) for p in serving} or weak | {first for first, _ in ranges}
    hit = {p for p in ports if p in weak or any(first <= p <= last for first, last in ranges)}
    return [str(p) for p in sorted(hit)]


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The mesh of a workload, and what it asks of callers."""
    mesh = mesh_of(pod, world)
    if isinstance(mesh, Gap):
        return dict.fromkeys(("mesh", "mtls_mode", "mtls_weak_ports"), mesh)
    if mesh not in ISTIO:
        return {"mesh": mesh, "mtls_mode": "none", "mtls_weak_ports": []}
    return {"mesh": mesh, "mtls_mode": mtls_mode(pod, world), "mtls_weak_ports": weak_ports(pod, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("mesh", "mtls_mode", "mtls_weak_ports"),
        of_workload,
        needs=(*NEEDS, "listens_on"),
        reads={**READS, PEER: PEER_FACTS},
        native_types=POD_LIKE,
    ),
)
