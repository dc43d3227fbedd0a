"""Which workloads and namespaces are in a service mesh, and where its settings for everyone stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.policies.index import labels_of_namespace
from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.types import NAMESPACE, from_manifests, namespace_of, object_id, unseen
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

MUTATING = "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration"
CONFIG_MAP = "v1/ConfigMap"
ISTIO = frozenset({"istio", "istio-ambient"})
ROOT = "istio-system"
IGNORED = frozenset({"kube-system", "kube-public", "kube-node-lease", "local-path-storage"})
"""Namespaces that the injector leaves alone: https://istio.io/latest/docs/ops/common-problems/injection/"""
READS: Mapping[str, tuple[str, ...]] = {
    NAMESPACE: ("mesh_settings",),
    MUTATING: ("webhooks",),
    CONFIG_MAP: ("namespace", "settings"),
}
NEEDS = ("namespace", "pod_labels", "host_network", "mesh_settings", "mesh_sidecar")
"""Facts of a workload that tell its mesh."""
NOTHING: Mapping[str, Any] = {
    "istio": "",
    "istio_pod": "",
    "istio_revision": "",
    "dataplane": "",
    "linkerd": "",
    "linkerd_policy": "",
    "linkerd_skipped": [],
    "istio_excluded": [],
}


def picks(selector: Mapping[str, Any], pod: Resource, world: World) -> Truth:
    """Whether a label selector picks the pods of a workload."""
    labels = world.fact(pod, "pod_labels")
    if isinstance(labels, Gap):
        return labels
    return selects(selector, Labels(labels, pod.native_type.removeprefix("v1/Pod")))


def namespace_settings(subject: Resource, world: World) -> Mapping[str, Any] | Gap:
    """What the namespace of a resource says of meshes."""
    name = namespace_of(subject)
    found = subject if subject.native_type == NAMESPACE else world.get("namespace", object_id(subject.scope, "Namespace", "", name))
    if found is not None:
        return world.fact(found, "mesh_settings")
    return unseen(world, subject, NAMESPACE, f"the namespace {name}") or NOTHING


def _webhooks(world: World, scope: str) -> tuple[list[Mapping[str, Any]], Gap | None]:
    """The mutating webhooks, and why there may be more."""
    found: list[Mapping[str, Any]] = []
    gap: Gap | None = None
    for resource in world.all("admission_policy", scope):
        if resource.native_type == MUTATING:
            value: Any = world.fact(resource, "webhooks")
            if isinstance(value, Gap):
                gap = gap or value
            else:
                found += value
    return found, gap


def injects(subject: Resource, suffix: str, world: World) -> Truth:
    """Whether some injector takes pods of a workload, or pods of a namespace that say nothing themselves.

    Labels without one do nothing: a revision that is gone, or `istio-injection` where only revisions are installed, injects nothing.
    In manifests labels are taken at their word. https://istio.io/latest/docs/setup/upgrade/canary/
    """
    if from_manifests(subject):
        return True
    scope = subject.scope
    found, gap = world.memo(f"mesh.injectors {scope}", lambda: _webhooks(world, scope))
    labels = world.fact(subject, "pod_labels") if subject.kind == "workload" else {}
    own = Labels(gap=labels) if isinstance(labels, Gap) else Labels(labels, subject.native_type.removeprefix("v1/Pod"))
    around = labels_of_namespace(world, subject, namespace_of(subject))
    taken = any_of(
        all_of((selects(w["namespace_selector"], around), selects(w["object_selector"], own)))
        for w in found
        if w["name"].endswith(suffix)
    )
    return taken if taken is True else gap or world.listing(MUTATING, scope) or taken


INJECTOR = "sidecar-injector.istio.io"
BY_DEFAULT = "auto.sidecar-injector.istio.io"
LINKERD_INJECTOR = "linkerd-proxy-injector.linkerd.io"
"""How the webhooks are called that put proxies into pods."""


def _injected(subject: Resource, own: Mapping[str, Any], world: World) -> Truth:
    """Whether Istio puts a proxy into pods: a word against it wins, then a word for it, then the default of the installation.

    https://istio.io/latest/docs/setup/additional-setup/sidecar-injection/#controlling-the-injection-policy
    """
    if own["istio_pod"] == "disabled" or namespace_of(subject) in IGNORED:
        return False
    around = namespace_settings(subject, world)
    if isinstance(around, Gap):
        return around
    if around["istio"] == "disabled":
        return False
    wanted = own["istio_pod"] == "enabled" or own["istio_revision"] or around["istio"] == "enabled" or around["istio_revision"]
    if wanted:
        return injects(subject, INJECTOR, world)
    # NOTE: enableNamespacesByDefault is off unless the installation says otherwise, which the name of a webhook shows
    return False if from_manifests(subject) else injects(subject, BY_DEFAULT, world)


def _ambient(subject: Resource, own: Mapping[str, Any], world: World) -> Truth:
    """Whether the ambient mesh takes pods in: https://istio.io/latest/docs/ambient/usage/add-workloads/ ."""
    if own["dataplane"]:
        return bool(own["dataplane"] == "ambient")
    around = namespace_settings(subject, world)
    return around if isinstance(around, Gap) else around["dataplane"] == "ambient"


def _linkerd(subject: Resource, own: Mapping[str, Any], world: World) -> Truth:
    """Whether Linkerd puts a proxy into pods: https://linkerd.io/2/features/proxy-injection/ ."""
    said = own["linkerd"]
    if not said:
        around = namespace_settings(subject, world)
        if isinstance(around, Gap):
            return around
        said = around["linkerd"]
    return injects(subject, LINKERD_INJECTOR, world) if said in ("enabled", "ingress") else False


def mesh_of(subject: Resource, world: World) -> str | Gap:
    """The mesh that a workload, or pods of a namespace, are in: `istio`, `istio-ambient`, `istio-gateway`, `linkerd` or `none`."""
    if subject.kind != "workload":
        return _first(_words(subject, NOTHING, world))
    # NOTE: a serving runtime or a patch may change a pod, but puts no proxy of a mesh into it, nor takes it off its network
    proxy = subject.facts.get("mesh_sidecar")
    if proxy:
        return str(proxy)
    if subject.facts.get("host_network") is True:
        return "none"
    own = world.fact(subject, "mesh_settings")
    if isinstance(own, Gap):
        return own
    if subject.native_type == "v1/Pod" and not from_manifests(subject):
        return _first([("istio-ambient", _ambient(subject, own, world))])  # proxies are put into a pod when it is made
    return _first(_words(subject, own, world))


def _words(subject: Resource, own: Mapping[str, Any], world: World) -> Sequence[tuple[str, Truth]]:
    return [
        ("istio", _injected(subject, own, world)),
        ("istio-ambient", _ambient(subject, own, world)),
        ("linkerd", _linkerd(subject, own, world)),
    ]


def _first(found: Sequence[tuple[str, Truth]]) -> str | Gap:
    sure = next((name for name, truth in found if truth is True), None)
    truth = any_of(truth for _, truth in found)
    return sure or (truth if isinstance(truth, Gap) else "none")


# ---- settings of a whole mesh


def _components(world: World, scope: str) -> dict[str, list[tuple[Resource, Mapping[str, Any]]]]:
    """Component → the configurations that are its own, each with its settings."""
    found: dict[str, list[tuple[Resource, Mapping[str, Any]]]] = {}
    for resource in world.all("configuration", scope):
        settings = world.fact(resource, "settings")
        if not isinstance(settings, Gap) and settings.get("component"):
            found.setdefault(str(settings["component"]), []).append((resource, settings))
    return found


def component(subject: Resource, name: str, world: World) -> list[tuple[Resource, Mapping[str, Any]]]:
    """The configurations of a component of the cluster."""
    scope = subject.scope
    index = world.memo(f"mesh.components {scope}", lambda: _components(world, scope))
    return index.get(name, [])


def root_namespace(subject: Resource, world: World) -> str | Gap:
    """Where policies for the whole mesh stand. In manifests without its configuration it is the default of Istio."""
    found = {settings.get("root_namespace") for _, settings in component(subject, "istio", world)}
    names = {str(n) for n in found if n}
    if len(names) == 1 and None not in found:
        return names.pop()
    if found:
        return Gap(
            Reason.UNPARSABLE,
            "",
            "Write rootNamespace plainly.",
            "the root namespace of the mesh is not clear from its configuration",
        )
    if from_manifests(subject):
        return ROOT
    return world.listing(CONFIG_MAP, subject.scope) or Gap(
        Reason.NOT_OFFERED, "", "Look at the installation of Istio.", "no ConfigMap istio tells the root namespace of the mesh"
    )
