"""Node agents of operators and of the platform: exempt only where the snapshot shows whose they are."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
NVIDIA, MELLANOX = "nvidia.com/v1alpha1", "mellanox.com/v1alpha1"


def operator_of(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> Any:
    """What is said of the first item."""
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    of = MemoryWorld(found, gaps or {}, DERIVATIONS)
    told = of.fact(found[0], "operator")
    return told.reason if isinstance(told, Gap) else told


def owned(api: str, owner: str, name: str = "agent", kind: str = "DaemonSet", namespace: str = "home") -> dict[str, Any]:
    references = [{"apiVersion": api, "kind": owner, "name": "o", "uid": "u", "controller": True}]
    if kind == "Pod":
        return pod(name, namespace=namespace, ownerReferences=references)
    return {**deployment(name, namespace=namespace, ownerReferences=references), "kind": kind}


def owner(api: str, kind: str, status: str = "home") -> dict[str, Any]:
    return thing(api, kind, "o", None, metadata={"uid": "u"}, spec={}, status={"namespace": status} if status else {})


CLUSTER_POLICY = (
    *("gpu-feature-discovery", "nvidia-cc-manager", "nvidia-container-toolkit-daemonset", "nvidia-dcgm-exporter", "nvidia-dcgm"),
    *("nvidia-device-plugin-daemonset", "nvidia-driver-daemonset", "nvidia-kata-sandbox-device-plugin-daemonset"),
    *("nvidia-kata-manager", "nvidia-mig-manager", "nvidia-device-plugin-mps-control-daemon", "nvidia-node-status-exporter"),
    *("nvidia-operator-validator", "nvidia-sandbox-device-plugin-daemonset", "nvidia-sandbox-validator", "nvidia-vfio-manager"),
    *("nvidia-vgpu-device-manager", "nvidia-vgpu-manager-daemonset"),
)
"""Privileged DaemonSets of https://github.com/NVIDIA/gpu-operator/tree/v26.7.0/assets."""
GPU_CLUSTER = ("nvidia-dcgm-exporter-dra", "nvidia-dcgm-dra", "nvidia-dra-driver-kubelet-plugin")
"""And of https://github.com/NVIDIA/gpu-operator/tree/v26.7.0/manifests, the driver's apart."""
NIC_CLUSTER_POLICY = (
    *("cni-plugins-ds", "doca-telemetry-service", "kube-ipoib-cni-ds", "kube-multus-ds", "nic-configuration-daemon"),
    *("nic-feature-discovery-ds", "nv-ipam-node", "mofed-ubuntu24.04-ds", "rdma-shared-dp-ds", "spectrum-x-flowcontroller"),
    "network-operator-sriov-device-plugin",
)
"""Privileged DaemonSets of https://github.com/Mellanox/network-operator/tree/master/manifests."""


@pytest.mark.parametrize(
    ("api", "kind", "names", "product"),
    [
        ("nvidia.com/v1", "ClusterPolicy", CLUSTER_POLICY, "NVIDIA GPU Operator"),
        (NVIDIA, "GPUCluster", GPU_CLUSTER, "NVIDIA GPU Operator"),
        (NVIDIA, "NVIDIADriver", ("nvidia-gpu-driver-ubuntu24.04-6f7d",), "NVIDIA GPU Operator"),
        (MELLANOX, "NicClusterPolicy", NIC_CLUSTER_POLICY, "NVIDIA Network Operator"),
        (MELLANOX, "NicNodePolicy", ("mofed-ubuntu24.04-ds",), "NVIDIA Network Operator"),
    ],
)
def test_the_operands_of_operators(api: str, kind: str, names: tuple[str, ...], product: str) -> None:
    for name in names:
        assert operator_of(owned(api, kind, name), owner(api, kind)) == product
        assert operator_of(owned(api, kind, name)) == "", "its owner is not in the snapshot"
        assert operator_of(owned(api, kind, name), manifests=True) is Reason.NOT_OFFERED


def test_pods_that_try_out_what_was_installed() -> None:
    """The validator gives its own owner to them; those of other operators come from DaemonSets.

    https://github.com/NVIDIA/gpu-operator/blob/v26.7.0/validator/manifests/cuda-workload-validation.yaml
    """
    validator = owned("nvidia.com/v1", "ClusterPolicy", "nvidia-cuda-validator-x", kind="Pod")
    assert operator_of(validator, owner("nvidia.com/v1", "ClusterPolicy")) == "NVIDIA GPU Operator"
    assert operator_of(validator, owner("nvidia.com/v1", "ClusterPolicy", "elsewhere")) == ""
    assert operator_of(owned(NVIDIA, "GPUCluster", kind="Pod"), owner(NVIDIA, "GPUCluster")) == "NVIDIA GPU Operator"
    assert operator_of(owned(MELLANOX, "NicClusterPolicy", kind="Pod"), owner(MELLANOX, "NicClusterPolicy")) == ""
    assert operator_of(owned(NVIDIA, "NVIDIADriver", kind="Pod"), owner(NVIDIA, "NVIDIADriver")) == ""


def test_agents_live_where_their_operator_does() -> None:
    """A NicClusterPolicy does not say where; anyone may write its uid into a DaemonSet of a namespace of their own."""
    agent, policy = owned(MELLANOX, "NicClusterPolicy"), owner(MELLANOX, "NicClusterPolicy", "")
    spec = {"containers": [{"name": "m", "image": "nvcr.io/nvidia/cloud-native/network-operator:v26.7.0"}]}
    assert operator_of(agent, policy) == "", "no operator runs"
    assert operator_of(agent, policy, manifests=True) == "NVIDIA Network Operator"
    assert operator_of(agent, policy, gaps={"apps/v1/Deployment": DENIED}) is Reason.DENIED
    assert operator_of(agent, policy, deployment("o", spec, namespace="home")) == "NVIDIA Network Operator"
    assert operator_of(agent, policy, deployment("o", spec, namespace="nvidia-network-operator")) == ""


@pytest.mark.parametrize("kind", ["NVIDIADriver", "GPUCluster"])
def test_agents_of_the_gpu_operator_live_beside_it(kind: str) -> None:
    agent, told = owned(NVIDIA, kind), owner(NVIDIA, kind, "")
    spec = {"containers": [{"name": "m", "image": "nvcr.io/nvidia/gpu-operator:v26.7.0"}]}
    assert operator_of(agent, told, deployment("o", spec, namespace="home")) == "NVIDIA GPU Operator"
    assert operator_of(agent, told, deployment("o", spec, namespace="gpu-operator")) == ""
    assert operator_of(agent, told) == ""


def test_agents_of_calico_have_a_namespace_of_their_own() -> None:
    """Its Installation does not say where: whoever reads its uid may write it into a DaemonSet anywhere."""
    tigera = "operator.tigera.io/v1"
    assert operator_of(owned(tigera, "Installation", namespace="calico-system"), owner(tigera, "Installation", "")) == "Calico"
    assert operator_of(owned(tigera, "Installation", namespace="team"), owner(tigera, "Installation", "")) == ""


def tenants_own(name: str) -> dict[str, Any]:
    return thing("v1", "Namespace", name, None, metadata={"labels": {"tenant": "a"}})


def test_no_agents_live_in_the_namespace_of_a_tenant() -> None:
    """Whoever may name a namespace, or make the object of an operator in his own, exempts nothing by it."""
    sriov = "sriovnetwork.openshift.io/v1"
    agent = owned(sriov, "SriovOperatorConfig")
    told = {**owner(sriov, "SriovOperatorConfig", ""), "metadata": {"name": "o", "namespace": "home", "uid": "u"}}
    assert operator_of(agent, told) == "SR-IOV Network Operator"
    assert operator_of(agent, told, tenants_own("home")) == ""
    driver = {**deployment("nvidia-dra-driver-gpu-kubelet-plugin", namespace="nvidia-dra-driver-gpu"), "kind": "DaemonSet"}
    gpus = thing("resource.k8s.io/v1", "DeviceClass", "gpu.nvidia.com", None, spec={})
    assert operator_of(driver, gpus, tenants_own("nvidia-dra-driver-gpu")) == ""


SYSTEM = thing("v1", "Namespace", "kube-system", None)


@pytest.mark.parametrize(
    ("name", "driver", "expected"),
    [
        ("kube-multus-ds", "", "Multus"),
        ("antrea-agent", "", "Antrea"),
        ("cilium-envoy", "", "Cilium"),
        ("rdma-shared-dp-ds", "", "RDMA shared device plugin"),
        ("s3-csi-node", "s3.csi.aws.com", "CSI driver s3.csi.aws.com"),
        ("csi-nfs-node", "nfs.csi.k8s.io", "CSI driver nfs.csi.k8s.io"),
        ("csi-nfs-node", "smb.csi.k8s.io", ""),
    ],
)
def test_agents_of_the_platform(name: str, driver: str, expected: str) -> None:
    agent = {**deployment(name, namespace="kube-system"), "kind": "DaemonSet"}
    more = [thing("storage.k8s.io/v1", "CSIDriver", driver, None)] if driver else []
    assert operator_of(agent, SYSTEM, *more) == expected
    assert operator_of({**deployment(name, namespace="team"), "kind": "DaemonSet"}, SYSTEM, *more) == ""


@pytest.mark.parametrize("namespace", ["nvidia-dra-driver-gpu", "dra-driver-nvidia-gpu"])
def test_the_dra_driver_without_the_gpu_operator(namespace: str) -> None:
    agent = {**deployment(f"{namespace}-kubelet-plugin", namespace=namespace), "kind": "DaemonSet"}
    gpus = thing("resource.k8s.io/v1", "DeviceClass", "gpu.nvidia.com", None, spec={})
    assert operator_of(agent, gpus) == "NVIDIA DRA driver"
    assert operator_of(agent) == ""
    assert operator_of(agent, manifests=True) is Reason.NOT_OFFERED
    assert operator_of(agent, gaps={"resource.k8s.io/v1/DeviceClass": DENIED}) is Reason.DENIED
    assert operator_of({**deployment("other", namespace=namespace), "kind": "DaemonSet"}, gpus) == ""
    assert operator_of({**deployment(f"{namespace}-kubelet-plugin", namespace="team"), "kind": "DaemonSet"}, gpus) == ""
