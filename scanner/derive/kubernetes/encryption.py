"""Who encrypts what pods send each other: the network plugin, the mesh, the servers themselves, or the links between machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scanner.derive.kubernetes import istio, linkerd
from scanner.derive.kubernetes.membership import CONFIG_MAP, ISTIO, NEEDS, component, mesh_of
from scanner.derive.kubernetes.types import NAMESPACE, POD_LIKE, from_manifests, namespace_of, unseen
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

FELIX = ("crd.projectcalico.org/v1/FelixConfiguration", "projectcalico.org/v3/FelixConfiguration")
OPENSHIFT = "operator.openshift.io/v1/Network"
NODE = "v1/Node"
NODE_FACTS = ("accelerator", "cloud", "fabric_encrypted", "wireguard_keys", "dual_stack", "flannel_backend")
CNI_READS: Mapping[str, tuple[str, ...]] = {
    CONFIG_MAP: ("namespace", "settings"),
    **dict.fromkeys(FELIX, ("settings",)),
    OPENSHIFT: ("settings",),
    NODE: NODE_FACTS,
    "apps/v1/DaemonSet": ("namespace",),
}
PLAIN = frozenset({"aws-node", "kindnet", "azure-cns", "kube-router"})
"""Node agents of network plugins that encrypt nothing."""
MANAGED = {"azure": "kubernetes.azure.com/cluster", "gce": "cloud.google.com/gke-nodepool"}
"""Clouds whose clusters come with a Cilium of their own → the label that their nodes have."""
PER_NAMESPACE = Gap(
    Reason.NOT_OFFERED, "", "Look at which namespaces are enrolled.", "Cilium encrypts by ztunnel, for namespaces that are enrolled"
)
BY_THE_CLOUD = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look at the cluster's transit encryption in the cloud.",
    "the cloud manages this Cilium; its API tells whether traffic is encrypted",
)


def nodes(subject: Resource, world: World) -> list[Resource]:
    """The Kubernetes nodes of the cluster."""
    scope = subject.scope
    return world.memo(f"mesh.nodes {scope}", lambda: [n for n in world.all("node", scope) if n.native_type == NODE])


# ---- what each plugin is set to


def cilium(resource: Resource, settings: Mapping[str, Any], world: World) -> str | Gap:
    """https://docs.cilium.io/en/stable/security/network/encryption/ : `wireguard`, `ipsec`, `none`, or `both`, with which no agent starts."""
    modes = {name: settings.get(name, "off") for name in ("wireguard", "ipsec", "ztunnel")}
    if "unreadable" in modes.values():
        return Gap(Reason.UNPARSABLE, "", "Write true or false.", "a switch of cilium-config is neither true nor false")
    if modes["wireguard"] == modes["ipsec"] == "on":
        return "both"
    on = next((name for name in ("wireguard", "ipsec") if modes[name] == "on"), "")
    if on:
        return on
    return PER_NAMESPACE if modes["ztunnel"] == "on" else _managed(resource, world) or "none"


def _managed(resource: Resource, world: World) -> Gap | None:
    """Why the settings of a Cilium do not say everything: a cloud runs it."""
    if from_manifests(resource) or resource.tags.get("app.kubernetes.io/managed-by") == "Helm":
        return None
    for node in nodes(resource, world):
        cloud = world.fact(node, "cloud")
        label = "" if isinstance(cloud, Gap) else MANAGED.get(str(cloud), "")
        if label and label in node.tags:
            return BY_THE_CLOUD
    return world.listing(NODE, resource.scope)


def pod_encryption(resource: Resource, world: World) -> str | Gap:
    """How a network plugin encrypts what pods send each other; empty for a configuration of something else."""
    settings: Any = world.fact(resource, "settings")
    if isinstance(settings, Gap):
        return settings
    name = settings.get("component")
    if name == "cilium":
        return cilium(resource, settings, world)
    if name == "calico":
        return "wireguard" if settings["wireguard"] else "none"
    if name == "antrea":
        return {"ipsec": "ipsec", "wireguard": "wireguard", "none": "none"}.get(
            settings["mode"], Gap(Reason.UNPARSABLE, "", "Correct trafficEncryptionMode.", "the mode is not one of Antrea's")
        )
    return str(settings["mode"]) if name == "ovn" else ""


def strict(settings: Mapping[str, Any]) -> bool | Gap:
    """Whether Cilium drops what would leave a node in clear."""
    said = [settings.get(name, "off") for name in ("strict", "strict_egress")]
    if "unreadable" in said:
        return Gap(Reason.UNPARSABLE, "", "Write true or false.", "a switch of cilium-config is neither true nor false")
    return "on" in said


def nodes_in_clear(resource: Resource, world: World) -> list[str] | Gap:
    """Nodes that take no part in Calico's encryption: an override turns it off, or they have published no key.

    https://docs.tigera.io/calico/latest/network-policy/encrypt-cluster-pod-traffic
    """
    default: Any = world.fact(resource, "settings")
    if isinstance(default, Gap):
        return default
    gap = unseen(world, resource, NODE, "every node") or world.listing(resource.native_type, resource.scope)
    if gap is not None:
        return gap
    overrides = {
        other.name.removeprefix("node."): settings
        for other, settings in component(resource, "calico", world)
        if other.name.startswith("node.") and other.native_type == resource.native_type
    }
    found: list[str] = []
    for node in nodes(resource, world):
        keys, dual = world.fact(node, "wireguard_keys"), world.fact(node, "dual_stack")
        if isinstance(keys, Gap) or isinstance(dual, Gap):
            return keys if isinstance(keys, Gap) else dual
        own = overrides.get(node.name, {"written": []})
        on = {name: (own if name in own["written"] else default)[name] for name in ("wireguard", "wireguard_v6")}
        second = not dual or (on["wireguard_v6"] and "6" in keys)
        if not (on["wireguard"] and "4" in keys and second):
            found.append(node.name)
    return sorted(found)


def of_configuration(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a configuration says of encryption between pods."""
    settings: Any = world.fact(resource, "settings")
    if isinstance(settings, Gap):
        return dict.fromkeys(("plugin", "pod_encryption", "drops_clear", "nodes_in_clear"), settings)
    plugin = settings.get("component") if settings.get("component") in ("cilium", "calico", "antrea", "ovn") else ""
    if plugin == "calico" and (resource.name != "default" or _mirrored(resource, world)):
        plugin = ""  # the settings of one node, or of another purpose: they count where the nodes are looked at
    return {
        "plugin": plugin,
        "pod_encryption": pod_encryption(resource, world) if plugin else "",
        "drops_clear": strict(settings) if plugin == "cilium" else False,
        "nodes_in_clear": nodes_in_clear(resource, world) if plugin == "calico" and settings["wireguard"] else [],
    }


def _mirrored(resource: Resource, world: World) -> bool:
    """Whether Calico's own API server shows the same object as well, in its other group: one verdict for one object.

    https://docs.tigera.io/calico/latest/operations/install-apiserver
    """
    stored, shown = FELIX
    if resource.native_type != stored or from_manifests(resource):
        return False
    return any(r.native_type == shown and r.name == resource.name for r, _ in component(resource, "calico", world))


# ---- what covers a workload


def _plugins(subject: Resource, world: World, *, host: bool) -> list[Truth]:
    """For each network plugin of the cluster whether it encrypts between nodes; for pods on the host's network, whether them too."""
    found: list[Truth] = []
    for name in ("cilium", "calico", "antrea", "ovn"):
        for resource, settings in component(subject, name, world):
            if name == "calico" and (resource.name != "default" or _mirrored(resource, world)):
                continue
            mode = pod_encryption(resource, world)
            on: Truth = mode if isinstance(mode, Gap) else mode in ("wireguard", "ipsec")
            if on is True and name == "calico":
                left = nodes_in_clear(resource, world)
                on = left if isinstance(left, Gap) else not left
            hosts = settings.get("nodes") == "on" or settings.get("host_encryption") is True
            found.append(on if not host or hosts else False)
    backends = {world.fact(n, "flannel_backend") for n in nodes(subject, world) if "flannel_backend" in n.facts} - {""}
    if backends:
        found.append(not host and backends <= {"wireguard", "ipsec"})
    return found


def plugin_encrypts(subject: Resource, world: World, *, host: bool = False) -> Truth:
    """Whether the network plugin encrypts what pods send to other nodes."""
    key = f"mesh.plugin {subject.scope} {host} {from_manifests(subject)}"
    return world.memo(key, lambda: _plugin(subject, world, host=host))


def _plugin(subject: Resource, world: World, *, host: bool) -> Truth:
    found = _plugins(subject, world, host=host)
    truth = any_of(found)
    if truth is not False:
        return truth
    gaps = (unseen(world, subject, t, "the configuration of the network plugin") for t in (CONFIG_MAP, *FELIX, OPENSHIFT, NODE))
    gap = next((g for g in gaps if g is not None), None)
    scope = subject.scope
    plain = world.memo(
        f"mesh.plain {scope}",
        lambda: any(w.name in PLAIN and namespace_of(w) == "kube-system" for w in world.all("workload", scope)),
    )
    if gap is not None or found or plain:
        return gap or False
    return Gap(Reason.NOT_OFFERED, "", "Look at the network plugin.", "which network plugin carries the traffic is not known")


LINKS = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look at the fabric: MACsec, IPsec or PSP offload, or instances that encrypt in transit.",
    "whether the links between the machines are encrypted is not told by the cluster",
)


def links_encrypt(subject: Resource, world: World) -> Truth:
    """Whether the machines with accelerators encrypt what they send each other in hardware: AWS instances of one cluster do so."""
    key = f"mesh.links {subject.scope} {from_manifests(subject)}"
    return world.memo(key, lambda: _links(subject, world))


def _links(subject: Resource, world: World) -> Truth:
    found: list[Truth] = []
    for node in nodes(subject, world):
        accelerated = world.fact(node, "accelerator")
        if accelerated is not False:
            told = world.fact(node, "fabric_encrypted")
            found.append(LINKS if isinstance(told, Gap) else told is True)
    gap = unseen(world, subject, NODE, "every node")
    truth = all_of(found)
    return False if truth is False else gap or (truth if found else LINKS)


def in_clear(pod: Resource, world: World) -> Truth:
    """Whether nothing encrypts what a workload sends to other machines; RDMA passes by plugin, mesh and server, not by the link."""
    links = links_encrypt(pod, world)
    if links is True:
        return False
    rdma = world.fact(pod, "rdma")
    over = [_mesh(pod, world), _tls(pod, world), plugin_encrypts(pod, world, host=world.fact(pod, "host_network") is True), links]
    covered = all_of([any_of(over), links if rdma is True else rdma if isinstance(rdma, Gap) else True])
    if not isinstance(covered, Gap):
        return not covered
    wanted = [links] if rdma is True and any_of(over) is True else [*over, rdma]
    return missing(g for g in wanted if isinstance(g, Gap))


def missing(gaps: Iterable[Gap]) -> Gap:
    """One gap that lists the evidence that is missing."""
    found = list(dict.fromkeys(gaps))
    details = "; ".join(dict.fromkeys(g.detail or g.text for g in found))
    first = found[0]
    return Gap(first.reason, first.call, first.remedy, details[:600])


def _mesh(pod: Resource, world: World) -> Truth:
    mesh = mesh_of(pod, world)
    if isinstance(mesh, Gap):
        return mesh
    if mesh in ISTIO:
        mode, past = istio.mtls_mode(pod, world), istio.weak_ports(pod, world)
        return all_of([mode if isinstance(mode, Gap) else mode == "STRICT", past if isinstance(past, Gap) else not past])
    if mesh == "linkerd":
        open_, past = linkerd.accepts_unauthenticated(pod, world), linkerd.bypassed_ports(pod, world)
        return all_of([open_ if isinstance(open_, Gap) else not open_, past if isinstance(past, Gap) else not past])
    return False


def _tls(pod: Resource, world: World) -> Truth:
    found = world.fact(pod, "speaks_tls")
    return found if isinstance(found, Gap) else found is True


def _accelerated(world: World, scope: str) -> dict[str, list[Resource]]:
    """Namespace → its workloads that ask for accelerators, or may."""
    found: dict[str, list[Resource]] = {}
    for pod in world.all("workload", scope):
        if pod.facts.get("accelerator") is not False and pod.facts.get("finished") is not True and pod.native_type in POD_LIKE:
            found.setdefault(namespace_of(pod), []).append(pod)
    return found


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a namespace computes on accelerators, and which of its workloads send in clear."""
    scope = namespace.scope
    here = world.memo(f"mesh.accelerated {scope}", lambda: _accelerated(world, scope)).get(namespace.name, [])
    sure = [pod for pod in here if world.fact(pod, "accelerator") is True]
    doubts = [g for pod in here if isinstance(g := world.fact(pod, "accelerator"), Gap)]
    gaps = [*doubts, *(g for t in POD_LIKE if (g := unseen(world, namespace, t, "a workload of it", namespace.name)) is not None)]
    if not sure:
        return {"accelerated": gaps[0] if gaps else False, "accelerators_in_clear": []}
    truths = [(pod.name, in_clear(pod, world)) for pod in sure]
    clear = sorted({name for name, truth in truths if truth is True})
    unsure = [*gaps, *(truth for _, truth in truths if isinstance(truth, Gap))]
    return {"accelerated": True, "accelerators_in_clear": clear or (missing(unsure) if unsure else [])}


MESH_READS = {k: v for d in (*istio.DERIVATIONS, *linkerd.DERIVATIONS) for k, v in d.reads.items()}
POD_FACTS = tuple(dict.fromkeys((*NEEDS, "listens_on", "accelerator", "rdma", "speaks_tls", "finished")))
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "configuration",
        ("plugin", "pod_encryption", "drops_clear", "nodes_in_clear"),
        of_configuration,
        needs=("settings",),
        reads={NODE: NODE_FACTS, **dict.fromkeys(FELIX, ("settings",))},
        native_types=(CONFIG_MAP, *FELIX, OPENSHIFT),
    ),
    Derivation(
        "namespace",
        ("accelerated", "accelerators_in_clear"),
        of_namespace,
        needs=("mesh_settings",),
        reads={**MESH_READS, **CNI_READS, **dict.fromkeys(POD_LIKE, POD_FACTS)},
        native_types=(NAMESPACE,),
    ),
)
