"""Who is beside whom: tenants on one node, on one shared GPU, and under one cloud identity."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from scanner.derive.kubernetes.tenants import PLATFORM, READS, tenant_of
from scanner.derive.kubernetes.types import ACCOUNT, NOT_HERE, from_manifests, namespace_of, object_id, unseen
from scanner.derive.three import Truth
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

POD, NODE, RUNTIME = "v1/Pod", "v1/Node", "node.k8s.io/v1/RuntimeClass"
SANDBOX = re.compile(r"(?:.*[-_.])?(?:kata|runsc|gvisor|firecracker|cloud-hypervisor)(?:[-_.].*)?", re.IGNORECASE)
"""Handlers that give a pod a kernel of its own. https://kubernetes.io/docs/concepts/containers/runtime-class/"""
CLAIMED = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look at its claims with `kubectl get resourceclaims`.",
    "a pod has devices by a claim, which names no resource",
)


@frozen
class Pod:
    """What matters of a pod on a node; many pods are alike."""

    namespace: str
    runtime_class: str
    accelerators: tuple[str, ...]
    claims: bool


@dataclass(slots=True)
class Placed:
    """The pods of a cluster by node."""

    on: dict[str, set[Pod]] = field(default_factory=dict)
    gap: Gap | None = None


def _placed(world: World, scope: str) -> Placed:
    found = Placed()
    for pod in world.all("placement", scope):
        facts: dict[str, JSON] = {name: world.fact(pod, name) for name in ("node", "namespace", "runtime_class", "accelerators")}
        gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
        if gap is not None:
            found.gap = found.gap or gap
            continue
        claims = isinstance(world.fact(pod, "accelerators_settled"), Gap)
        one = Pod(str(facts["namespace"]), str(facts["runtime_class"]), tuple(map(str, facts["accelerators"] or ())), claims)
        found.on.setdefault(str(facts["node"]), set()).add(one)
    return found


@dataclass(slots=True)
class Tenants:
    """Whose some pods are."""

    known: set[str] = field(default_factory=set)
    gap: Gap | None = None
    """Why there may be more."""


def whose(namespaces: Iterable[str], scope: str, world: World) -> Tenants:
    """The tenants of namespaces, without the platform. A namespace that is alone has one tenant, whoever that is."""
    found, nameless = Tenants(), []
    for namespace in sorted(set(namespaces)):
        tenant = tenant_of(namespace, scope, world)
        if isinstance(tenant, Gap):
            nameless.append((namespace, tenant))
        elif tenant != PLATFORM:
            found.known.add(tenant)
    if len(nameless) == 1 and not found.known:
        found.known.add(f"namespace {nameless[0][0]}")
    elif nameless:
        found.gap = nameless[0][1]
    return found


def sandboxed(runtime_class: str, near: Resource, world: World) -> Truth:
    """Whether a runtime class gives pods a kernel of their own; the default runtime does not."""
    if not runtime_class:
        return False
    found = world.get("runtime_class", object_id(near.scope, "RuntimeClass.node.k8s.io", "", runtime_class))
    if found is None:
        return unseen(world, near, RUNTIME, f"the runtime class {runtime_class}") or False
    handler = world.fact(found, "handler")
    return handler if isinstance(handler, Gap) else SANDBOX.fullmatch(str(handler)) is not None


def of_node(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The tenants on a node, and those on each of its shared GPU resources."""
    placed = world.memo(f"kubernetes.placed {node.scope}", lambda: _placed(world, node.scope))
    missing = (
        Gap(Reason.NOT_OFFERED, "", NOT_HERE, "which pods run on it is not in these manifests") if from_manifests(node) else None
    )
    missing = missing or world.listing(POD, node.scope) or placed.gap
    pods = placed.on.get(node.name, set())
    everyone = whose((p.namespace for p in pods), node.scope, world)
    bare: set[str] = set()
    unsure: Gap | None = None
    for pod in pods:
        boxed = sandboxed(pod.runtime_class, node, world)
        if isinstance(boxed, Gap):
            unsure = unsure or boxed
        elif not boxed:
            bare.add(pod.namespace)
    sharers, gap = _sharers(node, pods, world)
    return {
        "tenants": sorted(everyone.known),
        "unsandboxed_tenants": sorted(whose(bare, node.scope, world).known),
        "tenants_settled": missing or _settled(everyone, bare, unsure),
        "sharers": sharers,
        "sharers_settled": missing or gap or True,
    }


def _settled(everyone: Tenants, bare: set[str], unsure: Gap | None) -> bool | Gap:
    """What is not known matters only where somebody on the node's kernel may have another beside them."""
    if not bare and unsure is None:
        return True
    if everyone.gap is not None:
        return everyone.gap
    return unsure if unsure is not None and len(everyone.known) > 1 else True


def _sharers(node: Resource, pods: set[Pod], world: World) -> tuple[list[dict[str, JSON]], Gap | None]:
    sharing = world.fact(node, "gpu_sharing")
    found: list[dict[str, JSON]] = []
    gap: Gap | None = None
    for entry in sharing if isinstance(sharing, list) else ():
        names = {entry["resource"], f"{entry['resource']}.shared"}  # renameByDefault
        users = whose((p.namespace for p in pods if names & set(p.accelerators)), node.scope, world)
        claimed = CLAIMED if any(p.claims for p in pods) and len({p.namespace for p in pods}) > 1 else None
        found.append({"resource": entry["resource"], "tenants": sorted(users.known)})
        gap = gap or users.gap or claimed
    return found, gap


# ---- identities


def _users(world: World, scope: str) -> dict[str, set[str]]:
    """Cloud identity → namespaces of the service accounts that may become it."""
    found: dict[str, set[str]] = {}
    for account in world.all("identity", scope):
        identity = account.facts.get("cloud_identity") if account.native_type == ACCOUNT else None
        if identity:
            found.setdefault(str(identity), set()).add(namespace_of(account))
    return found


def of_account(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Other tenants whose service accounts may become the same cloud identity."""
    identity = world.fact(account, "cloud_identity")
    if isinstance(identity, Gap):
        return dict.fromkeys(("identity_shared_with", "identity_shared_with_settled"), identity)
    if not identity:
        return {"identity_shared_with": [], "identity_shared_with_settled": True}
    users = world.memo(f"kubernetes.identities {account.scope}", lambda: _users(world, account.scope))
    shared = world.memo(f"kubernetes.identity {account.scope} {identity}", lambda: _tenants(users[str(identity)], account, world))
    own = tenant_of(namespace_of(account), account.scope, world)
    others = sorted(shared.known - {str(own) or "the platform"}) if not isinstance(own, Gap) else []
    missing = unseen(world, account, ACCOUNT, "every other service account")
    beside = own if isinstance(own, Gap) and len(users[str(identity)]) > 1 else None
    return {"identity_shared_with": others, "identity_shared_with_settled": beside or shared.gap or missing or True}


def _tenants(namespaces: set[str], near: Resource, world: World) -> Tenants:
    """Tenants of namespaces, the platform among them: it should not share an identity with a tenant either."""
    found = Tenants()
    for namespace in sorted(namespaces) if len(namespaces) > 1 else ():
        tenant = tenant_of(namespace, near.scope, world)
        if isinstance(tenant, Gap):
            found.gap = found.gap or tenant
        else:
            found.known.add(tenant or "the platform")
    return found


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "node",
        ("tenants", "unsandboxed_tenants", "tenants_settled", "sharers", "sharers_settled"),
        of_node,
        needs=("gpu_sharing",),
        reads={POD: ("node", "namespace", "runtime_class", "accelerators", "accelerators_settled"), RUNTIME: ("handler",), **READS},
        native_types=(NODE,),
    ),
    Derivation(
        "identity",
        ("identity_shared_with", "identity_shared_with_settled"),
        of_account,
        needs=("cloud_identity", "namespace"),
        reads={ACCOUNT: ("cloud_identity", "namespace"), **READS},
        native_types=(ACCOUNT,),
    ),
)
