"""The GPU and Network Operators, claims and classes of devices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.commands import environment
from collectors.kubernetes.names import metadata
from collectors.kubernetes.pods import ACCELERATOR
from collectors.kubernetes.tables.operators import operator
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING, Const, Fact, Field, ObjectTable

Item = Mapping[str, Any]
SPEC = "https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/api/nvidia/v1/clusterpolicy_types.go"
NETWORK_SPEC = "https://github.com/Mellanox/network-operator/blob/master/api/v1alpha1/nicclusterpolicy_types.go"
DRA = "https://kubernetes.io/docs/reference/kubernetes-api/resource/resource-claim-v1/"
LABELS = "https://github.com/NVIDIA/k8s-device-plugin/blob/main/docs/gpu-feature-discovery/README.md"


# ---- components of the operators

OFF = frozenset(
    {"nodeStatusExporter", "vfioManager", "vgpuManager", "vgpuDeviceManager", "sandboxDevicePlugin", "kataSandboxDevicePlugin"}
    | {"kataManager", "ccManager", "gds", "gdrcopy"}
)
"""Components of a ClusterPolicy that are off unless they say otherwise (`IsEnabled` in `SPEC`)."""
IMAGE_KEYS = frozenset({"repository", "image", "version"})


def components(item: Item) -> list[dict[str, Any]]:
    """Every part of an operator's spec that names an image, or asks for something of the host; without those that are off."""
    spec = mapping(item.get("spec"))
    shared = mapping(spec.get("global"))
    own = [("", spec)] if IMAGE_KEYS & spec.keys() else []  # an NVIDIADriver is one itself
    return [_component(name, part, shared) for name, part in (*own, *_parts("", spec, item.get("kind")))]


def _parts(above: str, node: Item, kind: Any) -> Iterator[tuple[str, Item]]:
    for key, value in node.items():
        if not isinstance(value, dict) or key in ("global", "resources", "nodeSelector"):
            continue
        off = key in OFF if kind != "GPUCluster" else key == "dcgm"  # a GPUCluster has the standalone engine off
        if value.get("enabled", not off) is False:
            continue
        name = f"{above}.{key}".removeprefix(".")
        if (IMAGE_KEYS | {"hostPID", "hostNetwork"}) & value.keys() and not isinstance(value.get("image"), dict):
            yield name, value
        yield from _parts(name, value, kind)


def _component(name: str, part: Item, shared: Item) -> dict[str, Any]:
    """One component. An image may be written whole, as `path@digest`; then its path is the repository."""
    image = str(part.get("image") or "")
    repository = str(part.get("repository") or ("" if "/" in image else shared.get("repository")) or "")
    path, _, last = image.rpartition("/")
    return {
        "name": name,
        "repository": f"{repository}/{path}".strip("/"),
        "image": last,
        "version": str(part.get("version") or shared.get("version") or ""),
        "host_network": part.get("hostNetwork") is True,
        "host_pid": part.get("hostPID") is True,
    }


def variables(part: Any) -> dict[str, str]:
    """The variables of a component that are settings; those whose value is not known are `?`."""
    return {name: "?" if value is None else value for name, value in environment(mapping(part)).items()}


def switch(value: Any) -> bool:
    """A switch that says true or false. Raises ValueError on anything else."""
    if not isinstance(value, bool):
        raise ValueError(f"{type(value).__name__} is no switch")  # noqa: TRY004 - of the object, not of the program
    return value


COMPONENTS: Mapping[str, Fact] = {"components": Field("item", components, source=SPEC)}
NIC_CLUSTER_POLICY: Mapping[str, Fact] = {
    **COMPONENTS,
    "manages_partitions": Field("item.spec.ibKubernetes", lambda part: part is not None, absent=False, source=NETWORK_SPEC),
}
CLUSTER_POLICY: Mapping[str, Fact] = {
    **COMPONENTS,
    "toolkit_enabled": Field("item.spec.toolkit.enabled", switch, absent=True, source=SPEC),
    "toolkit_version": Field("item.spec.toolkit.version", str, absent=""),
    "toolkit_settings": Field("item.spec.toolkit", variables, absent={}),
    "driver_enabled": Field("item.spec.driver.enabled", switch, absent=True, source=SPEC),
    "driver_by_object": Field("item.spec.driver.useNvidiaDriverCRD", switch, absent=False, source=SPEC),
    "driver_version": Field("item.spec.driver.version", str, absent=""),
    "driver_type": Const("gpu"),
    "cdi_setting": Field("item.spec.cdi.enabled", lambda v: "on" if switch(v) else "off", absent="default", source=SPEC),
    "exporter_enabled": Field("item.spec.dcgmExporter.enabled", switch, absent=True, source=SPEC),
    "release": Field('item.metadata.labels."app.kubernetes.io/version"', str, absent=""),
}
GPU_CLUSTER: Mapping[str, Fact] = {
    **COMPONENTS,
    "exporter_enabled": Field("item.spec.dcgmExporter.enabled", switch, absent=True, source=SPEC),
}
DRIVER: Mapping[str, Fact] = {
    **COMPONENTS,
    "driver_enabled": Const(True),
    "driver_by_object": Const(False),
    "driver_version": Field("item.spec.version", str, absent=""),
    "driver_type": Field("item.spec.driverType", str, absent="gpu", source=SPEC),
    "node_selector": Field("item.spec.nodeSelector", dict, absent={}),
}
"""https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/api/nvidia/v1alpha1/nvidiadriver_types.go"""


# ---- nodes and namespaces


def labels(item: Item) -> Mapping[str, str]:
    """The labels of an object."""
    return {str(k): str(v) for k, v in mapping(metadata(item).get("labels")).items()}


PROVIDED = (
    "cloud.google.com/gke-accelerator",
    "kubernetes.azure.com/accelerator",
    "karpenter.k8s.aws/instance-gpu-manufacturer",
    "eks.amazonaws.com/instance-gpu-manufacturer",
)
"""Labels by which providers say whose accelerators a node has: they stand there before any driver is installed, and without a
device plugin (dynamic resource allocation) alone.
https://karpenter.sh/docs/concepts/scheduling/#well-known-labels ; https://learn.microsoft.com/azure/aks/use-labels"""


def nvidia_gpu(item: Item) -> Any:
    """Whether a node has GPUs of NVIDIA: what discovery labels say, else its capacity, else what its provider says of its kind."""
    marks = labels(item)
    if marks.get("nvidia.com/gpu.present") == "true" or marks.get("feature.node.kubernetes.io/pci-10de.present") == "true":
        return True
    capacity = mapping(item.get("status")).get("capacity")
    if any(_nvidia(str(k)) and str(v) != "0" for k, v in mapping(capacity).items()):
        return True
    if "nvidia.com/gpu.product" in marks or any(marks.get(key, "").startswith("nvidia") for key in PROVIDED):
        return True
    return False if isinstance(capacity, Mapping) else MISSING


def _nvidia(resource: str) -> bool:
    return resource.startswith("nvidia.com/") and ACCELERATOR.match(resource) is not None


def driver_version(item: Item) -> Any:
    """The driver that runs on a node, as discovery found it; older releases write it in three labels."""
    marks = labels(item)
    full = marks.get("nvidia.com/cuda.driver-version.full")
    if full:
        return full
    for parts in (
        ("driver-version.major", "driver-version.minor", "driver-version.revision"),
        ("driver.major", "driver.minor", "driver.rev"),
    ):
        found = [marks.get(f"nvidia.com/cuda.{part}", "") for part in parts]
        if found[0] and found[1]:
            return ".".join(p for p in found if p)
    return MISSING


def label(key: str, *, absent: Any = MISSING) -> Field:
    """The value of one label."""
    return Field("item", lambda item: labels(item).get(key, absent), source=LABELS)


def node_mig_strategy(item: Item) -> Any:
    """The strategy that discovery found: it writes the label for `single` and `mixed` alone."""
    marks = labels(item)
    return marks.get("nvidia.com/mig.strategy") or ("none" if "nvidia.com/mig.capable" in marks else MISSING)


def capable(key: str, state: str) -> Field:
    """Whether the GPUs of a node can: what the label says, or that they do."""

    def read(item: Item) -> Any:
        marks = labels(item)
        if key in marks or state in marks:
            return marks.get(key, "true") == "true"
        return False if nvidia_gpu(item) is False else MISSING

    return Field("item", read, source=LABELS)


ADMIN = ("resource.kubernetes.io/admin-access", "resource.k8s.io/admin-access")
"""Labels of a namespace that lets claims have admin access: the second before 1.34."""


def admin_labels(item: Item) -> list[str]:
    """Which of them a namespace has; their value is `true`, in small letters.

    https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/#admin-access
    """
    marks = labels(item)
    return [key for key in ADMIN if marks.get(key) == "true"]


def daemons(item: Item) -> Any:
    """On how many nodes a DaemonSet should run, and on how many it is ready."""
    status = mapping(item.get("status"))
    wanted, ready = status.get("desiredNumberScheduled"), status.get("numberReady", 0)
    counts = [n for n in (wanted, ready) if isinstance(n, int) and not isinstance(n, bool)]
    return {"wanted": counts[0], "ready": counts[1]} if len(counts) == 2 else MISSING  # noqa: PLR2004 - both


# ---- dynamic resource allocation


def requests(spec: Any) -> list[tuple[str, Item]]:
    """(name, request) of a claim: below `exactly` from v1beta2 on, flat before; alternatives (`firstAvailable`) as well."""
    found: list[tuple[str, Item]] = []
    for request in mappings(mapping(mapping(spec).get("devices")).get("requests")):
        name = str(request.get("name") or "")
        exact = mapping(request.get("exactly")) or request
        found.append((name, exact))
        found += [(f"{name}/{sub.get('name') or ''}", sub) for sub in mappings(request.get("firstAvailable"))]
    return found


def admin_requests(spec: Any, status: Any = None) -> list[str]:
    """Requests of a claim that ask for admin access, and those that have been given it."""
    asked = {name for name, request in requests(spec) if request.get("adminAccess") is True}
    results = mapping(mapping(mapping(status).get("allocation")).get("devices")).get("results")
    given = {str(r.get("request") or "") for r in mappings(results) if r.get("adminAccess") is True}
    return sorted(asked | given)


def device_settings(config: Any) -> list[dict[str, str]]:
    """What a claim or class tells drivers: the strategy by which devices are shared, empty for none.

    https://github.com/NVIDIA/k8s-dra-driver-gpu/blob/main/api/nvidia.com/resource/v1beta1/sharing.go
    """
    found = []
    for entry in sequence(config):
        opaque = mapping(mapping(entry).get("opaque"))
        sharing = mapping(mapping(opaque.get("parameters")).get("sharing"))
        if opaque:
            found.append({"driver": str(opaque.get("driver") or ""), "strategy": str(sharing.get("strategy") or "")})
    return found


def claim(path: str) -> Mapping[str, Fact]:
    """The facts of a claim whose spec stands at `path`."""
    return {
        "namespace": Field("context.namespace"),
        "admin_requests": Field((path, "item.status"), admin_requests, source=DRA),
        "device_settings": Field(f"{path}.devices.config", device_settings, absent=[], source=DRA),
    }


DAEMON_FACTS: Mapping[str, Fact] = {"daemons": Field("item", daemons)}
"""More facts of DaemonSets."""
NODE_FACTS: Mapping[str, Fact] = {
    "nvidia_gpu": Field("item", nvidia_gpu, source=LABELS),
    "driver_version": Field("item", driver_version, source=LABELS),
    "mig_capable": capable("nvidia.com/mig.capable", "nvidia.com/mig.config.state"),
    "mig_strategy": Field("item", node_mig_strategy, source=LABELS),
    "mig_config": label("nvidia.com/mig.config"),
    "mig_state": label("nvidia.com/mig.config.state"),
    "cc_capable": capable("nvidia.com/cc.capable", "nvidia.com/cc.mode.state"),
    "cc_state": label("nvidia.com/cc.mode.state"),
}
"""More facts of nodes."""
NAMESPACE_FACTS: Mapping[str, Fact] = {"admin_labels": Field("item", admin_labels)}
"""More facts of namespaces."""
GPU = "NVIDIA GPU Operator"
NETWORK = "NVIDIA Network Operator"
TABLES: tuple[ObjectTable, ...] = (
    operator("nvidia.com/v1/ClusterPolicy", "clusterpolicies", GPU, CLUSTER_POLICY),
    operator("nvidia.com/v1alpha1/NVIDIADriver", "nvidiadrivers", GPU, DRIVER),
    operator("nvidia.com/v1alpha1/GPUCluster", "gpuclusters", GPU, GPU_CLUSTER),
    operator("mellanox.com/v1alpha1/NicClusterPolicy", "nicclusterpolicies", NETWORK, NIC_CLUSTER_POLICY),
    operator("mellanox.com/v1alpha1/NicNodePolicy", "nicnodepolicies", NETWORK, COMPONENTS),
    operator(
        "sriovnetwork.openshift.io/v1/SriovOperatorConfig", "sriovoperatorconfigs", "SR-IOV Network Operator", namespaced=True
    ),
    ObjectTable(
        "device_claim", "resource.k8s.io/v1/ResourceClaim", "resourceclaims", {**claim("item.spec"), "claim_type": Const("claim")}
    ),
    ObjectTable(
        "device_claim",
        "resource.k8s.io/v1/ResourceClaimTemplate",
        "resourceclaimtemplates",
        {**claim("item.spec.spec"), "claim_type": Const("template")},
    ),
    ObjectTable(
        "device_claim",
        "resource.k8s.io/v1/DeviceClass",
        "deviceclasses",
        {
            "claim_type": Const("class"),
            "namespace": Const(""),
            "device_settings": Field("item.spec.config", device_settings, absent=[], source=DRA),
        },
        namespaced=False,
    ),
)
