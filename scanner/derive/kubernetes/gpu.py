"""Accelerators: operators, drivers, telemetry, and the nodes that have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scanner.derive.kubernetes import claims, confined
from scanner.derive.kubernetes.floors import Floor, below, numbers
from scanner.derive.kubernetes.gpu_stack import (
    DAEMON_SET,
    DEPLOYMENT,
    DRIVER,
    EXPORTER,
    OPERATOR,
    STACK,
    TOOLKIT,
    Part,
    not_all,
    owned,
    parts_of,
    stack,
)
from scanner.derive.kubernetes.types import namespace_of, unseen
from scanner.derive.three import Truth, any_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

CLUSTER_POLICY = "nvidia.com/v1/ClusterPolicy"
NVIDIA_DRIVER = "nvidia.com/v1alpha1/NVIDIADriver"
GPU_CLUSTER = "nvidia.com/v1alpha1/GPUCluster"
CLUSTER = "kubernetes/v1/Cluster"
NODE = "v1/Node"
CRITICAL = frozenset({TOOLKIT, OPERATOR})
"""Products through whose weaknesses an image takes the host."""
ON_NODES = Gap(
    Reason.NOT_OFFERED,
    "",
    "Look on the nodes: `nvidia-ctk --version`, and /etc/nvidia-container-runtime/config.toml.",
    "the nodes bring their own container toolkit, which does not show in the cluster",
)
TRUE, FALSE = frozenset({"true", "1", "t"}), frozenset({"false", "0", "f"})
"""How a variable says yes and no: https://pkg.go.dev/strconv#ParseBool"""
CDI_DEFAULT = (25, 10)
"""From this release on containers get GPUs by CDI unless a ClusterPolicy says no (`IsEnabled` of CDIConfigSpec, v25.3.4 and v25.10.0).
https://github.com/NVIDIA/gpu-operator/blob/v25.10.0/api/nvidia/v1/clusterpolicy_types.go"""


# ---- versions


def lacking(product: str, versions: Iterable[str], unknown: Gap | None) -> JSON | Gap:
    """Versions without all fixes, and from which one on they are there (empty: never in this branch)."""
    found: list[JSON] = []
    for version in sorted(set(versions)):
        floor = below(product, version)
        if isinstance(floor, Floor):
            found.append({"version": version, "fixed": floor.fixed, "ids": list(floor.ids)})
        elif isinstance(floor, Gap):
            unknown = unknown or floor
    return found or unknown or []


def versions(policy: Resource, fact: str, product: str, world: World) -> tuple[list[str], Gap | None]:
    """The version that an operator's object asks for, and those that its DaemonSets have: a rollout may not be complete."""
    asked = world.fact(policy, fact)
    if isinstance(asked, Gap):
        return [], asked
    running = [p.version for p in owned(policy, product, world)]
    found = [v for v in (str(asked), *running) if v]
    if found and all(running):
        return found, None
    if running:
        return found, Gap(Reason.NOT_OFFERED, "", "Look up the release of the digest.", f"{product} is pinned by a digest alone")
    missing = Gap(Reason.NOT_OFFERED, "", "Write the version.", f"it names no version, and no DaemonSet of it has {product}")
    return [], not_all(policy, f"the DaemonSet of {product}", world) or missing


def toolkit_outdated(policy: Resource, world: World) -> JSON | Gap:
    """Versions of the container toolkit that lack fixes."""
    managed = is_true(world.fact(policy, "toolkit_enabled"))
    if managed is not True:
        return managed if isinstance(managed, Gap) else ON_NODES
    return lacking(TOOLKIT, *versions(policy, "toolkit_version", TOOLKIT, world))


def driver_outdated(policy: Resource, world: World) -> JSON | Gap:
    """Versions of the driver that lack fixes of their branch."""
    kind = world.fact(policy, "driver_type")
    if isinstance(kind, Gap):
        return kind
    product = "nvidia-vgpu-manager" if kind == "vgpu-host-manager" else DRIVER
    return lacking(product, *versions(policy, "driver_version", DRIVER, world))


def release(policy: Resource, world: World) -> str | Gap:
    """The release of the GPU Operator: what its Deployment runs, else what a label says."""
    parts, gap = stack(policy.scope, world)
    running = [
        p.version or p.workload.tags.get("app.kubernetes.io/version", "")
        for p in parts
        if p.product == OPERATOR and p.workload.native_type == DEPLOYMENT
    ]
    found = next((v for v in running if numbers(v)), "") or str(policy.facts.get("release") or "")
    if numbers(found):
        return found
    missing = Gap(Reason.NOT_OFFERED, "", "Write what it says by default.", "the release of the GPU Operator is not known")
    return unseen(world, policy, DEPLOYMENT, "the GPU Operator's Deployment") or gap or missing


def cdi(policy: Resource, world: World) -> str | Gap:
    """Whether containers get GPUs by CDI: what the object says, else the default of the release."""
    said = world.fact(policy, "cdi_setting")
    if isinstance(said, Gap) or said != "default":
        return said if isinstance(said, Gap) else str(said)
    installed = release(policy, world)
    if isinstance(installed, Gap):
        return installed
    return "on" if numbers(installed) >= CDI_DEFAULT else "off"


def env_selection(policy: Resource, world: World) -> Truth:
    """Whether an unprivileged container gets the GPUs that its variables name.

    With CDI only where the NVIDIA runtime is the default one all the same (`transformToolkitCtrForCDI`).
    https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/controllers/object_controls.go
    """
    managed = is_true(world.fact(policy, "toolkit_enabled"))
    settings = world.fact(policy, "toolkit_settings")
    if managed is not True or isinstance(settings, Gap):
        return ON_NODES if managed is False else managed if isinstance(managed, Gap) else settings
    accepted = _setting(settings, "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED", otherwise=True)
    if accepted is False:
        return False
    mode = cdi(policy, world)
    if isinstance(mode, Gap):
        return mode
    reads = True if mode == "off" else _setting(settings, "NVIDIA_RUNTIME_SET_AS_DEFAULT", otherwise=False)
    return False if reads is False else reads if isinstance(reads, Gap) else accepted


def _setting(settings: Mapping[str, str], name: str, *, otherwise: bool) -> Truth:
    value = settings.get(name, "").lower()
    known = {**dict.fromkeys(TRUE, True), **dict.fromkeys(FALSE, False), "": otherwise}
    return known.get(value, Gap(Reason.NOT_OFFERED, "", f"Write the value of {name}.", f"the value of {name} is not known"))


# ---- telemetry

MANAGED = "gke-managed-system"
"""https://cloud.google.com/kubernetes-engine/docs/how-to/dcgm-metrics"""


def gpu_nodes(cluster: Resource, world: World) -> Truth:
    """Whether some node has GPUs of NVIDIA."""
    truth = any_of(is_true(world.fact(n, "nvidia_gpu")) for n in world.all("node", cluster.scope) if n.native_type == NODE)
    return truth if truth is not False else world.listing(NODE, cluster.scope) or False


def running(parts: Iterable[Part], world: World) -> str | Gap:
    """Whether DaemonSets are ready on all their nodes: `on`, `not_ready`, or `off` where there are none."""
    states: list[str | Gap] = []
    for part in parts:
        counts = world.fact(part.workload, "daemons")
        # NOTE: one that is for no node at all leaves every GPU out
        states.append(counts if isinstance(counts, Gap) else "on" if counts["ready"] >= counts["wanted"] > 0 else "not_ready")
    for state in ("on", "not_ready"):
        if state in states:
            return state
    return next((s for s in states if isinstance(s, Gap)), "off")


def exporter_state(policy: Resource, world: World) -> str | Gap:
    """Whether an object of the operator exports metrics of GPUs: `on` or `off`; a gap where the provider does it in its stead."""
    enabled = is_true(world.fact(policy, "exporter_enabled"))
    if enabled is not False:
        return enabled if isinstance(enabled, Gap) else "on"
    managed = any(p.product == EXPORTER and namespace_of(p.workload) == MANAGED for p in stack(policy.scope, world)[0])
    return Gap(Reason.NOT_OFFERED, "", "Look at the metrics of the provider.", "the provider exports them") if managed else "off"


def gpu_telemetry(cluster: Resource, world: World) -> str | Gap:
    """Whether metrics of the GPUs of a cluster are exported: `on`, `not_ready`, `off`; `none` where it has no GPUs."""
    nodes = gpu_nodes(cluster, world)
    if nodes is not True:
        return nodes if isinstance(nodes, Gap) else "none"
    parts, gap = stack(cluster.scope, world)
    state = running([p for p in parts if p.product == EXPORTER], world)
    return state if state != "off" else world.listing(DAEMON_SET, cluster.scope) or gap or "off"


# ---- nodes

DEMANDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "mig_required": (frozenset({"migrequired", "requiremig", "gpuisolation"}), frozenset({"true", "yes", "required", "mig"})),
    "cc_required": (
        frozenset({"ccrequired", "requirecc", "confidential", "confidentialcomputing", "confidentialcomputingrequired"}),
        frozenset({"true", "yes", "required", "on"}),
    ),
}
"""Labels of a node that demand something of it, without their prefix and punctuation, and their values."""
LAYOUT, MODE = "nvidia.com/mig.config", "nvidia.com/cc.mode"
"""Labels by which an administrator asks for a layout of MIG devices, and for a mode of confidential computing."""


def demanded(node: Resource, name: str) -> bool:
    """Whether a label of a node demands something of it."""
    keys, values = DEMANDS[name]
    return any(_plain(k.rpartition("/")[2]) in keys and _plain(v) in values for k, v in node.tags.items())


def required(node: Resource, fact: str, world: World, *, asked: bool) -> Truth:
    """What is asked of a node, where its GPUs can."""
    return is_true(world.fact(node, fact)) if asked else False


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def drivers(scope: str, world: World) -> list[tuple[Mapping[str, str], str]]:
    """(labels of nodes, version) of everything that installs a driver; the narrowest comes first."""

    def build() -> list[tuple[Mapping[str, str], str]]:
        found: list[tuple[Mapping[str, str], str]] = []
        for policy in world.all("operator", scope):
            facts = policy.facts
            if facts.get("driver_enabled") is True and facts.get("driver_by_object") is False and facts.get("driver_version"):
                found.append((facts.get("node_selector") or {}, str(facts["driver_version"])))
        return sorted(found, key=lambda f: (-len(f[0]), f[1]))

    return world.memo(f"kubernetes.gpu_drivers {scope}", build)


def of_node(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a node lacks, and what is demanded of it."""
    version = world.fact(node, "driver_version")
    asked = next((v for selector, v in drivers(node.scope, world) if selector.items() <= dict(node.tags).items()), "")
    layout, mode = node.tags.get(LAYOUT, ""), node.tags.get(MODE, "")
    return {
        "driver_outdated": version if isinstance(version, Gap) else lacking(DRIVER, [str(version)], None),
        "driver_asked": asked,
        "mig_required": required(
            node, "mig_capable", world, asked=demanded(node, "mig_required") or layout not in ("", "all-disabled")
        ),
        "cc_required": required(node, "cc_capable", world, asked=demanded(node, "cc_required") or mode in ("on", "ppcie")),
    }


# ---- facts of policies and workloads


def of_policy(policy: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The derived facts of a ClusterPolicy, but for its driver."""
    return {
        "toolkit_outdated": toolkit_outdated(policy, world),
        "cdi": cdi(policy, world),
        "env_selection": env_selection(policy, world),
    }


def of_driver(policy: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the driver lacks that an object installs."""
    return {"driver_outdated": driver_outdated(policy, world)}


def of_exporter(policy: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What becomes of telemetry."""
    return {"exporter_state": exporter_state(policy, world)}


def of_cluster(cluster: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Telemetry of a cluster."""
    return {"gpu_telemetry": gpu_telemetry(cluster, world)}


def of_workload(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Products of the stack in a workload, and what they lack."""
    parts = parts_of(workload, world)
    if isinstance(parts, Gap):
        return dict.fromkeys(("gpu_stack", "gpu_stack_outdated"), parts)
    mine = [p for p in parts if p.product in CRITICAL and p.trusted]
    found: list[JSON] = []
    gap: Gap | None = None
    for part in mine:
        version = part.version or workload.tags.get("app.kubernetes.io/version", "")
        floor = below(part.product, version)
        gap = floor if isinstance(floor, Gap) else gap
        if isinstance(floor, Floor):
            found.append({"container": part.container, "product": part.product, "version": version, "fixed": floor.fixed})
    return {"gpu_stack": sorted({p.product for p in mine}), "gpu_stack_outdated": found or gap or []}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "operator",
        ("toolkit_outdated", "cdi", "env_selection"),
        of_policy,
        needs=("toolkit_enabled", "toolkit_version", "toolkit_settings", "cdi_setting", "release"),
        reads=STACK,
        native_types=(CLUSTER_POLICY,),
    ),
    Derivation(
        "operator",
        ("driver_outdated",),
        of_driver,
        needs=("driver_type", "driver_version"),
        reads=STACK,
        native_types=(CLUSTER_POLICY, NVIDIA_DRIVER),
    ),
    Derivation(
        "operator",
        ("exporter_state",),
        of_exporter,
        needs=("exporter_enabled",),
        reads=STACK,
        native_types=(CLUSTER_POLICY, GPU_CLUSTER),
    ),
    Derivation("cluster", ("gpu_telemetry",), of_cluster, reads={**STACK, NODE: ("nvidia_gpu",)}, native_types=(CLUSTER,)),
    Derivation(
        "node",
        ("driver_outdated", "driver_asked", "mig_required", "cc_required"),
        of_node,
        needs=("driver_version", "mig_capable", "cc_capable"),
        reads=dict.fromkeys(
            (CLUSTER_POLICY, NVIDIA_DRIVER), ("driver_enabled", "driver_by_object", "driver_version", "node_selector")
        ),
        native_types=(NODE,),
    ),
    Derivation(
        "workload",
        ("gpu_stack", "gpu_stack_outdated"),
        of_workload,
        needs=("containers",),
        native_types=(DAEMON_SET, DEPLOYMENT),
    ),
    *confined.DERIVATIONS,
    *claims.DERIVATIONS,
)
