"""Whom the policies of a mesh let in.

https://istio.io/latest/docs/reference/config/security/authorization-policy/ : where an ALLOW policy is for a workload, only what some
ALLOW rule matches gets through; a policy without rules matches nothing, an empty rule everything. DENY and CUSTOM are asked before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes import linkerd
from scanner.derive.kubernetes.membership import ISTIO, READS, mesh_of, picks, root_namespace
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

POLICY = "security.istio.io/v1/AuthorizationPolicy"
PROFILE = "kubeflow.org/v1/Profile"
POLICY_FACTS = ("namespace", "selector", "targets", "action", "authorization_rules")
WORKLOAD_FACTS = ("namespace", "pod_labels", "host_network", "mesh_settings", "mesh_sidecar", "listens_on")
AUTHORISED: Mapping[str, tuple[str, ...]] = {**READS, **linkerd.POLICIES, POLICY: POLICY_FACTS}
"""What `authorised` reads besides the workload's own facts (`WORKLOAD_FACTS`)."""
HARMLESS = frozenset(
    {
        "/health",
        "/healthz",
        "/livez",
        "/readyz",
        "/ready",
        "/ping",
        "/metrics",
        "/wait-for-drain",
        "/v2/health/live",
        "/v2/health/ready",
    }
)
"""Paths that a rule may open to everyone: they answer whether a server is well."""
IDENTITIES = ("source.principal", "source.namespace", "source.serviceAccount", "request.auth.")
"""Beginnings of keys of conditions that name who calls."""
TOKENS = ("request.auth.",)
"""Those of them that speak of whoever sent the request first, behind a gateway as well."""
LOGIN = ("/dex", "/oauth2", "/.well-known")
"""Where those who are not known yet come to be: beginnings of paths that a policy may leave out."""
SOME = Gap(Reason.NOT_OFFERED, "", "Look at its pods' labels.", "a policy speaks of some workloads of the namespace only")
ONE_OF_THEM = Gap(
    Reason.NOT_OFFERED, "", "Look at which gateway publishes it.", "one gateway of the mesh asks who calls, another does not"
)
WAYPOINT = Gap(Reason.NOT_OFFERED, "", "Judge the waypoint.", "a policy is attached to a waypoint or a gateway")


@frozen
class Policy:
    """One AuthorizationPolicy, or why it could not be read."""

    name: str
    labels: Mapping[str, str]
    attached: bool
    action: str
    rules: Sequence[Mapping[str, Any]]
    gap: Gap | None = None


def _index(world: World) -> dict[tuple[str, str], list[Policy]]:
    found: dict[tuple[str, str], list[Policy]] = {}
    for resource in world.all("mesh_policy"):
        if resource.native_type != POLICY:
            continue
        facts: dict[str, Any] = {name: world.fact(resource, name) for name in POLICY_FACTS}
        gap = next((f for f in facts.values() if isinstance(f, Gap)), None)
        policy = (
            Policy(resource.name, {}, attached=False, action="", rules=(), gap=gap)
            if gap is not None
            else Policy(
                resource.name,
                facts["selector"]["matchLabels"],
                attached=bool(facts["targets"]),
                action=facts["action"],
                rules=facts["authorization_rules"],
            )
        )
        found.setdefault((resource.scope, namespace_of(resource)), []).append(policy)
    return found


def policies(subject: Resource, namespace: str, world: World) -> list[Policy]:
    """The policies of a namespace."""
    return world.memo("mesh.authorization", lambda: _index(world)).get((subject.scope, namespace), [])


# ---- rules


def opens(rule: Mapping[str, Any], *, outside: bool = False) -> bool:
    """Whether a rule matches requests of callers that prove nothing; from `outside`, what a gateway passes on proves nothing."""
    if rule["paths"] and set(rule["paths"]) <= HARMLESS:
        return False
    if any(key.startswith(TOKENS if outside else IDENTITIES) for key in rule["when"]):
        return False
    return not rule["sources"] or any(not s["known"] or (outside and s["relays"]) for s in rule["sources"])


def _everywhere(rule: Mapping[str, Any]) -> bool:
    """Whether no operation limits a rule, but for the way to log in."""
    return rule["everywhere"] or (bool(rule["not_paths"]) and all(p.startswith(LOGIN) for p in rule["not_paths"]))


def matches_all(rule: Mapping[str, Any]) -> bool:
    """Whether a rule matches every request."""
    return not rule["sources"] and rule["everywhere"] and not rule["when"] and not rule["when_not"]


def by_header(rule: Mapping[str, Any]) -> bool:
    """Whether nothing but a header says who calls: whoever reaches the workload may write it."""
    return opens(rule) and any(key.startswith("request.headers[") for key in rule["when"])


def _open_to_tenants(rule: Mapping[str, Any]) -> bool:
    """Whether a rule lets in whoever is in the mesh, or outside of it."""
    return (opens(rule) and not by_header(rule)) or any(source["anyone"] for source in rule["sources"])


def _shuts_out(rule: Mapping[str, Any]) -> bool:
    """Whether a DENY rule turns everyone away who proves nothing."""
    sources = rule["sources"]
    only = bool(sources) and all(s["strangers"] and not s["known"] and not s["other"] for s in sources)
    return only and _everywhere(rule) and not rule["when"] and not rule["when_not"]


def _hands_over(rule: Mapping[str, Any]) -> bool:
    """Whether a CUSTOM rule has somebody else decide on every request."""
    return matches_all({**rule, "everywhere": _everywhere(rule)})


# ---- workloads


def _chosen(subject: Resource, world: World, *, ambient: bool) -> list[tuple[Policy, Truth]] | Gap:
    """The policies for a workload, or for all of a namespace, each with whether it is: its own namespace's, and the root's."""
    root = root_namespace(subject, world)
    if isinstance(root, Gap):
        return root
    found: list[tuple[Policy, Truth]] = []
    for namespace in dict.fromkeys((namespace_of(subject), root)):
        for policy in policies(subject, namespace, world):
            if policy.gap is not None:
                found.append((policy, policy.gap))
            elif policy.attached:
                found += [(policy, WAYPOINT)] if ambient else []
            elif not policy.labels:
                found.append((policy, True))
            else:
                chosen = picks({"matchLabels": policy.labels}, subject, world) if subject.kind == "workload" else SOME
                found.append((policy, chosen))
    return found


def guarded(subject: Resource, world: World, *, ambient: bool = False, outside: bool = False) -> Truth:
    """Whether Istio's policies let only callers with an identity through to a workload, or to all workloads of a namespace.

    `ambient`: policies that are attached to a waypoint or a gateway may count. `outside`: see `opens`.
    """
    found = _chosen(subject, world, ambient=ambient)
    if isinstance(found, Gap):
        return found
    before = any_of(
        truth
        for policy, truth in found
        if truth is not False
        and (
            policy.gap is not None
            or (policy.action == "CUSTOM" and any(_hands_over(r) for r in policy.rules))
            or (policy.action == "DENY" and any(_shuts_out(r) for r in policy.rules))
        )
    )
    if before is True:
        return True
    allow = [(policy, truth) for policy, truth in found if truth is not False and (policy.action == "ALLOW" or policy.gap)]
    unread = (
        None
        if from_manifests(subject)
        else next(
            (
                g
                for n in (namespace_of(subject), root_namespace(subject, world))
                if (g := world.listing(POLICY, subject.scope, str(n)))
            ),
            None,
        )
    )
    gap = (before if isinstance(before, Gap) else None) or unread
    sure = [policy for policy, truth in allow if truth is True]
    if any(opens(rule, outside=outside) for policy in sure for rule in policy.rules):
        return gap or False
    # NOTE: beside one that admits only who is known, another counts only where it would open more
    doubtful = [
        (p, t) for p, t in allow if isinstance(t, Gap) and (not sure or p.gap or any(opens(r, outside=outside) for r in p.rules))
    ]
    unsure = next((t for _, t in doubtful if isinstance(t, Gap)), None)
    if not sure:
        return gap or unsure or unseen(world, subject, POLICY, "a policy for it", namespace_of(subject)) or False
    return gap or unsure or True


def authorised(subject: Resource, world: World, *, outside: bool = False) -> Truth:
    """Whether some mesh policy admits only known principals to a workload, or to all workloads of a namespace.

    With `outside`, callers of the outside must be known as such: that a gateway of the mesh passes them on says nothing.
    """
    mesh = mesh_of(subject, world)
    if isinstance(mesh, Gap):
        return mesh
    if mesh in ISTIO or mesh == "istio-gateway":
        return guarded(subject, world, ambient=mesh != "istio", outside=outside)
    if mesh == "linkerd" and subject.kind == "workload":
        open_ = linkerd.accepts_unauthenticated(subject, world)
        bypassed = linkerd.bypassed_ports(subject, world)
        if open_ is True or (not isinstance(bypassed, Gap) and bypassed):
            return False
        return next((g for g in (open_, bypassed) if isinstance(g, Gap)), True)
    return False


def _gateways(world: World, scope: str) -> list[Resource]:
    return [w for w in world.all("workload", scope) if w.facts.get("mesh_sidecar") == "istio-gateway"]


def gateway_asks(subject: Resource, world: World) -> Truth:
    """Whether a gateway of the mesh admits only known callers to what it publishes."""
    scope = subject.scope
    found = world.memo(f"mesh.gateways {scope}", lambda: _gateways(world, scope))
    truths = [guarded(gateway, world, ambient=True) for gateway in found]
    if any(t is True for t in truths):
        return True if all(t is True for t in truths) else next((t for t in truths if isinstance(t, Gap)), ONE_OF_THEM)
    truth = any_of(truths)
    # NOTE: the policies of other namespaces tell of a scan that is limited to some: gateways of others were not seen either
    return truth or unseen(world, subject, POLICY, "the gateway of the mesh") or False


# ---- profiles of Kubeflow


def is_profile(namespace: Resource, world: World) -> Truth:
    """Whether Kubeflow made a namespace for somebody."""
    found = world.fact(namespace, "kubeflow_profile")
    if found is True:
        return True
    scope = namespace.scope
    names = world.memo(
        f"mesh.profiles {scope}", lambda: {r.name for r in world.all("configuration", scope) if r.native_type == PROFILE}
    )
    if namespace.name in names:
        return True
    # NOTE: the namespace carries the label as well, so that in files its absence says enough
    unlisted = None if from_manifests(namespace) else world.listing(PROFILE, scope)
    return found if isinstance(found, Gap) else unlisted or False


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whom the policies of a namespace, and those of the whole mesh, let in to it."""
    mesh = mesh_of(namespace, world)
    first: dict[str, JSON | Gap] = {"profile": is_profile(namespace, world), "mesh": mesh}
    found = _chosen(namespace, world, ambient=False)
    if isinstance(found, Gap):
        return first | dict.fromkeys(("denies_by_default", "open_policies", "header_policies"), found)
    allow = [p for p, truth in found if truth is True and p.action == "ALLOW"]
    own = [p for p in policies(namespace, namespace.name, world) if p.gap is None and p.action == "ALLOW"]
    gap = next((p.gap for p, _ in found if p.gap is not None), None)
    unread = None if from_manifests(namespace) else world.listing(POLICY, namespace.scope)
    blind = gap or unread
    open_ = sorted({p.name for p in (*allow, *own) if any(_open_to_tenants(r) for r in p.rules)})
    headers = sorted({p.name for p in own if any(by_header(r) for r in p.rules)})
    denies: Truth = True if allow else blind or unseen(world, namespace, POLICY, "a policy for it", namespace.name) or False
    return first | {
        "denies_by_default": denies,
        "open_policies": open_ or blind or [],
        "header_policies": headers or blind or [],
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "namespace",
        ("profile", "mesh", "denies_by_default", "open_policies", "header_policies"),
        of_namespace,
        needs=("mesh_settings", "kubeflow_profile"),
        reads={**READS, POLICY: POLICY_FACTS, PROFILE: ("configuration_type",)},
        native_types=(NAMESPACE,),
    ),
)
__all__ = ["AUTHORISED", "DERIVATIONS", "POD_LIKE", "WORKLOAD_FACTS", "authorised", "gateway_asks", "guarded"]
