"""What admission enforces: policies of the API server, and of engines behind webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.kubernetes.encryption import NODE, nodes
from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.roles import has_workloads
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

REGISTRATION = "admissionregistration.k8s.io/v1"
VALIDATING = f"{REGISTRATION}/ValidatingWebhookConfiguration"
MUTATING = f"{REGISTRATION}/MutatingWebhookConfiguration"
NATIVE = f"{REGISTRATION}/ValidatingAdmissionPolicy"
BINDING = f"{REGISTRATION}/ValidatingAdmissionPolicyBinding"
CONSTRAINT = "constraints.gatekeeper.sh/v1beta1/Constraint"
SIGSTORE = "policy.sigstore.dev/v1beta1/ClusterImagePolicy"
KYVERNO = (
    "kyverno.io/v1/ClusterPolicy",
    "kyverno.io/v1/Policy",
    "policies.kyverno.io/v1/ValidatingPolicy",
    "policies.kyverno.io/v1/NamespacedValidatingPolicy",
)
KYVERNO_IMAGES = (
    "policies.kyverno.io/v1/ImageValidatingPolicy",
    "policies.kyverno.io/v1/NamespacedImageValidatingPolicy",
)
CLUSTER = "kubernetes/v1/Cluster"
OPENSHIFT = "operator.openshift.io/v1/Network"
WEBHOOK_FACTS = ("engine", "webhooks")
READS: Mapping[str, tuple[str, ...]] = {
    VALIDATING: WEBHOOK_FACTS,
    MUTATING: WEBHOOK_FACTS,
    NATIVE: ("on_pods",),
    BINDING: ("policy_name", "actions"),
    CONSTRAINT: ("enforces", "on_pods", "may_verify_images"),
    SIGSTORE: ("verifies_images",),
    **dict.fromkeys(KYVERNO[:2], ("enforces", "on_pods", "verifies_images")),
    **dict.fromkeys(KYVERNO[2:], ("enforces", "on_pods")),
    **dict.fromkeys(KYVERNO_IMAGES, ("enforces", "on_pods", "verifies_images")),
}
READ = frozenset({"Gatekeeper", "Kyverno", "Sigstore policy-controller", "GKE Warden", ""})
"""Engines whose policies are read, or that have none of the user's."""
VERIFIERS = frozenset(
    {"Connaisseur", "Portieris", "Ratify", "Kubewarden", "StackRox", "Aqua", "Prisma Cloud", "OPA", "jsPolicy", "NeuVector"}
)
"""Engines whose policies are not read and that can look at signatures."""


def policies(subject: Resource, world: World) -> list[Resource]:
    """Everything of the cluster that decides on requests."""
    scope = subject.scope
    return world.memo(f"mesh.admission {scope}", lambda: list(world.all("admission_policy", scope)))


def _of(subject: Resource, world: World, *types: str) -> list[Resource]:
    return [p for p in policies(subject, world) if p.native_type in types]


def _truth(resource: Resource, name: str, world: World) -> Truth:
    found = world.fact(resource, name)
    return found if isinstance(found, Gap) else found is True


def _unlisted(subject: Resource, world: World, types: Iterable[str]) -> Gap | None:
    return next((g for t in types if (g := world.listing(t, subject.scope)) is not None), None)


def guards(subject: Resource, engine: str, world: World) -> Truth:
    """Whether an engine's own webhook sees pods, or what makes them: its policies do nothing without."""
    found: list[Truth] = []
    for resource in _of(subject, world, VALIDATING, MUTATING):
        named = world.fact(resource, "engine")
        hooks: Any = world.fact(resource, "webhooks")
        if named == engine:
            found.append(hooks if isinstance(hooks, Gap) else any(w["guards"] for w in hooks))
    return any_of([*found, _unlisted(subject, world, (VALIDATING, MUTATING)) or False])


def native_enforced(subject: Resource, world: World) -> Truth:
    """Whether a policy of the API server that speaks of pods is bound with Deny."""
    bound: dict[str, list[Truth]] = {}
    for binding in _of(subject, world, BINDING):
        name, actions = world.fact(binding, "policy_name"), world.fact(binding, "actions")
        if not isinstance(name, Gap):
            bound.setdefault(str(name), []).append(actions if isinstance(actions, Gap) else "Deny" in actions)
    found = [all_of([_truth(p, "on_pods", world), any_of(bound.get(p.name, []))]) for p in _of(subject, world, NATIVE)]
    return any_of([*found, _unlisted(subject, world, (NATIVE, BINDING)) or False])


def _by_engine(subject: Resource, engine: str, types: tuple[str, ...], facts: tuple[str, ...], world: World) -> Truth:
    """Whether some policy of an engine has all of some facts, and the engine is there to enforce it."""
    found = [all_of([_truth(p, fact, world) for fact in facts]) for p in _of(subject, world, *types)]
    wanted = any_of([*found, _unlisted(subject, world, types) or False])
    return all_of([wanted, guards(subject, engine, world)])


def _strangers(subject: Resource, world: World, engines: frozenset[str] | None) -> Gap | None:
    """A validating webhook before pods whose policies are not read: of one of these engines, or of any that is not known."""
    for resource in _of(subject, world, VALIDATING):
        named, hooks = world.fact(resource, "engine"), world.fact(resource, "webhooks")
        if isinstance(hooks, Gap) or not any(w["guards"] for w in hooks):
            continue
        if isinstance(named, Gap) or (named not in READ if engines is None else named in engines):
            who = resource.name if isinstance(named, Gap) else named
            return Gap(Reason.NOT_OFFERED, "", "Look at its policies.", f"what {who} enforces is not read")
    return None


def enforced(subject: Resource, world: World) -> Truth:
    """Whether some policy about pods is enforced, and not only reported."""
    found = any_of(
        [
            native_enforced(subject, world),
            _by_engine(subject, "Gatekeeper", (CONSTRAINT,), ("enforces", "on_pods"), world),
            _by_engine(subject, "Kyverno", (*KYVERNO, *KYVERNO_IMAGES), ("enforces", "on_pods"), world),
            all_of([_any(subject, SIGSTORE, "verifies_images", world), guards(subject, "Sigstore policy-controller", world)]),
        ]
    )
    return found if found is not False else _strangers(subject, world, None) or False


def _any(subject: Resource, native: str, fact: str, world: World) -> Truth:
    found = [_truth(p, fact, world) for p in _of(subject, world, native)]
    return any_of([*found, _unlisted(subject, world, (native,)) or False])


# ---- signatures


def _included(subject: Resource, world: World) -> Truth:
    """Whether some namespace with workloads is looked at by the policy-controller: it is opt-in, by a label of the namespace."""
    selectors = [
        w["namespace_selector"]
        for r in _of(subject, world, VALIDATING)
        if world.fact(r, "engine") == "Sigstore policy-controller" and not isinstance(world.fact(r, "webhooks"), Gap)
        for w in r.facts["webhooks"]
        if w["guards"]
    ]
    found = [
        selects(selector, Labels(_labels(namespace)))
        for namespace in world.all("namespace", subject.scope)
        if namespace.facts.get("system") is not True
        for selector in selectors
    ]
    return any_of([*found, _unlisted(subject, world, (NAMESPACE, VALIDATING)) or False])


def _labels(namespace: Resource) -> dict[str, str]:
    return {"kubernetes.io/metadata.name": namespace.name, **namespace.tags}


def _elsewhere(subject: Resource, world: World) -> Gap | None:
    """Why signatures may be looked at where the cluster's API does not show it."""
    clouds = {"gce": "Binary Authorization of GKE", "azure": "Image Integrity of AKS"}
    for node in nodes(subject, world):
        cloud = world.fact(node, "cloud")
        if not isinstance(cloud, Gap) and cloud in clouds:
            return Gap(Reason.NOT_OFFERED, "", "Look at it in the cloud.", f"{clouds[str(cloud)]} may verify signatures")
    if any(r.native_type == OPENSHIFT for r in world.all("configuration", subject.scope)):
        return Gap(Reason.NOT_OFFERED, "", "Look at its ClusterImagePolicy.", "the nodes of OpenShift may verify signatures")
    for constraint in _of(subject, world, CONSTRAINT):
        if world.fact(constraint, "may_verify_images") is True and world.fact(constraint, "enforces") is not False:
            return Gap(Reason.NOT_OFFERED, "", "Look at its template.", f"the constraint {constraint.name} may verify signatures")
    return _unlisted(subject, world, (NODE, CONSTRAINT))


def signatures(subject: Resource, world: World) -> Truth:
    """Whether images that nobody known has signed are kept out somewhere."""
    sigstore = all_of(
        [
            _any(subject, SIGSTORE, "verifies_images", world),
            guards(subject, "Sigstore policy-controller", world),
            _included(subject, world),
        ]
    )
    kyverno = _by_engine(subject, "Kyverno", (*KYVERNO[:2], *KYVERNO_IMAGES), ("verifies_images",), world)
    found = any_of([sigstore, kyverno])
    return found if found is not False else _strangers(subject, world, VERIFIERS) or _elsewhere(subject, world) or False


def of_cluster(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the admission of a cluster enforces."""
    return {"policies_enforced": enforced(cluster, world), "signatures_enforced": signatures(cluster, world)}


# ---- webhooks


def skipped(resource: Resource, world: World) -> list[str] | Gap:
    """Namespaces with workloads that no guarding webhook of a configuration sees, other than those of the system."""
    hooks: Any = world.fact(resource, "webhooks")
    if isinstance(hooks, Gap):
        return hooks
    chosen = [w["namespace_selector"] for w in hooks if w["guards"]]
    if not chosen or any(not s for s in chosen):
        return []
    if from_manifests(resource):
        return Gap(
            Reason.NOT_OFFERED,
            "",
            "Scan the live cluster.",
            "which namespaces the webhook leaves out, their labels in the cluster say",
        )
    found: list[str] = []
    gap = world.listing(NAMESPACE, resource.scope)
    for namespace in world.all("namespace", resource.scope):
        if namespace.facts.get("system") is True:
            continue
        seen = any_of(selects(s, Labels(_labels(namespace))) for s in chosen)
        used = has_workloads(namespace, world)
        if seen is False and used is True:
            found.append(namespace.name)
        gap = gap or next((t for t in (seen, used) if isinstance(t, Gap) and seen is not True), None)
    return sorted(found) or gap or []


def of_webhooks(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a webhook configuration leaves out."""
    return {"skipped_namespaces": skipped(resource, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "cluster",
        ("policies_enforced", "signatures_enforced"),
        of_cluster,
        reads={**READS, NAMESPACE: ("system",), NODE: ("cloud",), OPENSHIFT: ("settings",)},
        native_types=(CLUSTER,),
    ),
    Derivation(
        "admission_policy",
        ("skipped_namespaces",),
        of_webhooks,
        needs=("webhooks",),
        reads={NAMESPACE: ("system",), **dict.fromkeys(POD_LIKE, ("namespace",))},
        native_types=(VALIDATING, MUTATING),
    ),
)
