"""Who owns a namespace: the tenant, as `bartizan.yaml` or the marks of a tool that makes tenants tell. Nothing is guessed of a name.

`bartizan.yaml`: `tenants: {namespaces: {PATTERN: TENANT}, labels: [KEY]}`. A namespace is its first pattern's, else that of the first
of the labels it has; the tenant "" is the platform.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase

from scanner.derive.kubernetes.types import NAMESPACE, SYSTEM_NAMESPACES, object_id
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

READS: Mapping[str, tuple[str, ...]] = {NAMESPACE: ("owner",)}
"""What a derivation that asks for tenants reads."""
PLATFORM = ""
"""The tenant that is none: who runs the cluster."""
LABELS = ("bartizan.io/tenant", "capsule.clastix.io/tenant", "tenant")
"""Labels of a namespace that name its tenant. https://projectcapsule.dev/docs/tenants/namespaces/"""
PROFILE = ("app.kubernetes.io/part-of", "kubeflow-profile")
"""Label of the namespaces of Kubeflow's profiles, whose annotation `owner` names the user.
https://www.kubeflow.org/docs/components/central-dash/profiles/"""
PROJECTS = ("field.cattle.io/projectId", "loft.sh/project")
"""Labels of a namespace that name its project; the projects of the platform hold its own namespaces as well."""
TREE = re.compile(r"(?P<root>[^/]+)\.tree\.hnc\.x-k8s\.io/depth")
"""Labels of hierarchical namespaces: how far above each ancestor is.
https://github.com/kubernetes-retired/hierarchical-namespaces/blob/master/docs/user-guide/concepts.md"""
PLATFORMS = (
    *("argocd", "calico-apiserver", "calico-system", "amazon-cloudwatch", "amazon-guardduty", "aws-observability", "azure-arc"),
    *("capsule-system", "cattle-*", "cert-manager", "cilium-secrets", "external-secrets", "falco", "flux-system"),
    *("gatekeeper-system", "gke-managed-*", "gke-gmp-system", "gmp-public", "gmp-system", "gpu-operator", "hnc-system"),
    *("ingress-nginx", "istio-system", "jobset-system", "kai-scheduler", "keda", "knative-eventing", "knative-operator"),
    *("knative-serving", "kserve", "kube-flannel", "kuberay-operator", "kuberay-system", "kubeflow", "kubeflow-system"),
    *("kueue-system", "kyverno", "linkerd", "linkerd-cni", "linkerd-jaeger", "linkerd-multicluster", "linkerd-smi"),
    *("linkerd-viz", "local-path-storage", "longhorn-system", "lws-system", "metallb-system", "monitoring", "network-operator"),
    *("node-feature-discovery", "nvidia-device-plugin", "nvidia-dra-driver-gpu", "nvidia-gpu-operator"),
    *("nvidia-network-operator", "openshift", "openshift-*", "rook-ceph", "tigera-operator", "volcano-system"),
)
"""Namespaces that operators and controllers of an AI factory are installed in by their own instructions. Whole names: a tenant may be called
`nvidia-research`. The patterns are prefixes that Rancher, GKE and OpenShift keep to themselves."""
REMEDY = "Name tenants in bartizan.yaml: `tenants: {namespaces: {PATTERN: TENANT}}`, or `tenants: {labels: [KEY]}`."


def tenant_of(namespace: str, scope: str, world: World) -> str | Gap:
    """The tenant that a namespace belongs to, `""` for the platform's own; a gap where nothing tells it."""
    return world.memo(f"kubernetes.tenant {scope} {namespace}", lambda: _tenant(namespace, scope, world))


def tenants(scope: str, world: World) -> frozenset[str] | Gap:
    """All tenants of a cluster, without the platform; a gap where some namespace is not known, or not known whose."""
    return world.memo(f"kubernetes.tenants {scope}", lambda: _all(scope, world))


def is_platform(namespace: str, scope: str, world: World) -> bool | Gap:
    """Whether a namespace is the platform's own. One that nobody says anything of, and no operator is known to live in, is a tenant's."""
    declared = _declared(namespace, world)
    if declared is not None or namespace in SYSTEM_NAMESPACES:
        return not declared
    if not any(fnmatchcase(namespace, pattern) for pattern in PLATFORMS):
        return False
    tenant = tenant_of(namespace, scope, world)
    return tenant if isinstance(tenant, Gap) else tenant == PLATFORM


def _declared(namespace: str, world: World) -> str | None:
    """The tenant that `bartizan.yaml` gives a namespace by its name."""
    named = _settings(world).get("namespaces") or {}
    return next((str(tenant) for pattern, tenant in named.items() if fnmatchcase(namespace, str(pattern))), None)


def _settings(world: World) -> Mapping[str, JSON]:
    found = world.settings().get("tenants")
    return found if isinstance(found, dict) else {}


def _all(scope: str, world: World) -> frozenset[str] | Gap:
    found = {tenant_of(r.name, scope, world) for r in world.all("namespace", scope) if r.native_type == NAMESPACE}
    gap = next((t for t in found if isinstance(t, Gap)), None) or world.listing(NAMESPACE, scope)
    return gap or frozenset(t for t in found if isinstance(t, str) and t != PLATFORM)


def _tenant(namespace: str, scope: str, world: World) -> str | Gap:
    declared = _declared(namespace, world)
    if declared is not None:
        return declared
    if namespace in SYSTEM_NAMESPACES:
        return PLATFORM
    found = world.get("namespace", object_id(scope, "Namespace", "", namespace))
    if found is None:
        return world.listing(NAMESPACE, scope) or Gap(Reason.NOT_OFFERED, "", REMEDY, f"the namespace {namespace} was not seen")
    told = _marked(found, [str(key) for key in _settings(world).get("labels") or ()], world)
    if told is None:
        return Gap(Reason.NOT_OFFERED, "", REMEDY, f"nothing says whose namespace {namespace} is")
    return told


def _marked(namespace: Resource, labels: list[str], world: World) -> str | Gap | None:
    """What labels and annotations of a namespace say; None where they say nothing."""
    marks = namespace.tags
    named = next((marks[key] for key in (*labels, *LABELS) if marks.get(key)), None)
    if named is not None:
        return named
    if marks.get(PROFILE[0]) == PROFILE[1]:
        owner = world.fact(namespace, "owner")
        if isinstance(owner, Gap) or owner:
            return owner if isinstance(owner, Gap) else str(owner)
    if any(fnmatchcase(namespace.name, pattern) for pattern in PLATFORMS):
        return PLATFORM
    project = next((marks[key] for key in PROJECTS if marks.get(key)), None)
    if project is not None:
        return project
    above = {m["root"]: int(depth) for key, depth in marks.items() if (m := TREE.fullmatch(key)) and depth.isdecimal()}
    if above:
        return max(above, key=lambda root: (above[root], root))
    return namespace.name if namespace.name == "default" else None


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whose a namespace is."""
    return {
        "tenant": tenant_of(namespace.name, namespace.scope, world),
        "platform": is_platform(namespace.name, namespace.scope, world),
    }


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation("namespace", ("tenant", "platform"), of_namespace, needs=("owner",), native_types=(NAMESPACE,)),
)
