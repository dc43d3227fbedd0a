"""Versions, modes and telemetry of the GPU stack, what nodes must be, and who shares devices or makes pods beside the operators."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import deployment, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
RBAC = "rbac.authorization.k8s.io/v1"
DAEMON_SET = "apps/v1/DaemonSet"


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, name: str, kind: str = "operator", native: str = "") -> Any:
    resource = next(r for r in of.all(kind) if r.native_type.endswith(native))
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def policy(**spec: Any) -> dict[str, Any]:
    return thing(
        "nvidia.com/v1", "ClusterPolicy", "p", None, metadata={"uid": "u"}, spec=spec, status={"namespace": "gpu-operator"}
    )


def daemon(image: str, ready: int | None = None, owner: str = "ClusterPolicy", name: str = "d") -> dict[str, Any]:
    references = [{"apiVersion": "nvidia.com/v1", "kind": owner, "name": "p", "uid": "u", "controller": True}] if owner else []
    item = deployment(
        name, {"containers": [{"name": "main", "image": image}]}, namespace="gpu-operator", ownerReferences=references
    )
    status = {} if ready is None else {"status": {"desiredNumberScheduled": 2, "numberReady": ready}}
    return {**item, "kind": "DaemonSet", **status}


def operator(tag: str = ":v26.7.0", **labels: str) -> dict[str, Any]:
    spec = {"containers": [{"name": "gpu-operator", "image": f"nvcr.io/nvidia/gpu-operator{tag}"}]}
    item = deployment("gpu-operator", spec, namespace="gpu-operator")
    item["metadata"]["labels"] = labels
    return item


def old(version: str, fixed: str) -> dict[str, Any]:
    return {"version": version, "fixed": fixed}


def outdated(found: Any) -> Any:
    return [{k: v for k, v in entry.items() if k in ("version", "fixed")} for entry in found] if isinstance(found, list) else found


# ---- the container toolkit

TOOLKIT = "nvcr.io/nvidia/k8s/container-toolkit"


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([policy(toolkit={"version": "v1.20.0"})], []),
        ([policy(toolkit={"version": "v1.19.1"})], []),
        ([policy(toolkit={"version": "v1.17.8-ubuntu20.04"})], [old("v1.17.8-ubuntu20.04", "1.19.1")]),
        ([policy(toolkit={"version": "v1.16.1-ubi8"})], [old("v1.16.1-ubi8", "1.19.1")]),
        # no version: the release's own default, which its DaemonSet shows
        ([policy(), daemon(f"{TOOLKIT}:v1.18.0")], [old("v1.18.0", "1.19.1")]),
        ([policy(), daemon(f"{TOOLKIT}:v1.20.0")], []),
        # the rollout is not complete
        ([policy(toolkit={"version": "v1.20.0"}), daemon(f"{TOOLKIT}:v1.18.0")], [old("v1.18.0", "1.19.1")]),
        ([policy(), daemon(f"{TOOLKIT}:v1.18.0", owner="")], Reason.NOT_OFFERED),
        ([policy()], Reason.NOT_OFFERED),
        ([policy(), daemon(f"{TOOLKIT}@sha256:00")], Reason.NOT_OFFERED),
        ([policy(toolkit={"version": "v1.20.0"}), daemon(f"{TOOLKIT}@sha256:00")], Reason.NOT_OFFERED),
        ([policy(toolkit={"version": "v1.18.0"}), daemon(f"{TOOLKIT}@sha256:00")], [old("v1.18.0", "1.19.1")]),
        ([policy(toolkit={"version": "sha256:0011"})], Reason.NOT_OFFERED),
        ([policy(toolkit={"version": "latest"})], Reason.NOT_OFFERED),
        # the nodes bring their own
        ([policy(toolkit={"enabled": False, "version": "v1.20.0"})], Reason.NOT_OFFERED),
    ],
)
def test_the_toolkit(items: list[dict[str, Any]], expected: Any) -> None:
    assert outdated(told(world(*items), "toolkit_outdated")) == expected


def test_a_toolkit_that_was_not_seen() -> None:
    assert told(world(policy(), gaps={DAEMON_SET: DENIED}), "toolkit_outdated") is Reason.DENIED
    assert told(world(policy(), manifests=True), "toolkit_outdated") is Reason.NOT_OFFERED


@pytest.mark.parametrize(
    ("item", "products", "expected"),
    [
        (operator(":v25.3.0"), ["nvidia-gpu-operator"], [old("v25.3.0", "26.3.2")]),
        (operator(":v26.3.2"), ["nvidia-gpu-operator"], []),
        (operator("@sha256:00", **{"app.kubernetes.io/version": "v26.3.1"}), ["nvidia-gpu-operator"], [old("v26.3.1", "26.3.2")]),
        (operator("@sha256:00"), ["nvidia-gpu-operator"], Reason.NOT_OFFERED),
        (daemon(f"{TOOLKIT}:v1.17.3"), ["nvidia-container-toolkit"], [old("v1.17.3", "1.19.1")]),
        # another vendor's operator, and images that only sound alike
        (daemon("docker.io/rocm/gpu-operator:v1.0.0"), [], []),
        (daemon("nvcr.io/nvidia/gpu-operator-validator:v24.9.0"), [], []),
        (daemon("registry.example:5000/nvidia/container-toolkit:v1.20.0@sha256:00"), ["nvidia-container-toolkit"], []),
    ],
)
def test_workloads(item: dict[str, Any], products: list[str], expected: Any) -> None:
    of = world(item)
    assert told(of, "gpu_stack", "workload") == products
    assert outdated(told(of, "gpu_stack_outdated", "workload")) == expected


# ---- drivers: compared inside their branch alone


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("535.309.01", []),
        ("535.288.01", [old("535.288.01", "535.309.01")]),
        ("570.211.01", [old("570.211.01", "")]),
        ("550.90.07", [old("550.90.07", "")]),
        ("590.48.01", [old("590.48.01", "")]),
        ("580.178.04", []),
        ("580.159.03", [old("580.159.03", "580.178.04")]),
        ("595.91.07", []),
        ("610.43.02", [old("610.43.02", "610.57.04")]),
        ("615.71.09-ubuntu24.04", []),
        ("700.10.01", Reason.NOT_OFFERED),
        ("580", Reason.NOT_OFFERED),  # a precompiled driver: the branch alone
        ("570", [old("570", "")]),
    ],
)
def test_drivers(version: str, expected: Any) -> None:
    assert outdated(told(world(policy(driver={"version": version})), "driver_outdated")) == expected
    node = thing("v1", "Node", "n", None, metadata={"labels": {"nvidia.com/cuda.driver-version.full": version}})
    assert outdated(told(world(node), "driver_outdated", "node")) == expected


def test_the_host_driver_of_virtual_gpus_has_numbers_of_its_own() -> None:
    def driver(kind: str) -> dict[str, Any]:
        return thing("nvidia.com/v1alpha1", "NVIDIADriver", "d", None, spec={"version": "595.91.04", "driverType": kind})

    assert outdated(told(world(driver("vgpu-host-manager")), "driver_outdated")) == []
    assert outdated(told(world(driver("vgpu")), "driver_outdated")) == [old("595.91.04", "595.91.07")]


def test_a_driver_without_a_version() -> None:
    assert outdated(told(world(policy(), daemon("nvcr.io/nvidia/driver:580.95.05-ubuntu22.04")), "driver_outdated")) == [
        old("580.95.05-ubuntu22.04", "580.178.04")
    ]
    assert told(world(policy()), "driver_outdated") is Reason.NOT_OFFERED


def test_what_a_node_was_told() -> None:
    def driver(name: str, version: str, **selector: str) -> dict[str, Any]:
        return thing("nvidia.com/v1alpha1", "NVIDIADriver", name, None, spec={"version": version, "nodeSelector": selector})

    node = thing("v1", "Node", "n", None, metadata={"labels": {"pool": "a"}})
    assert told(world(node, policy(driver={"version": "580.1"})), "driver_asked", "node") == "580.1"
    assert told(world(node, policy(driver={"version": "580.1", "enabled": False})), "driver_asked", "node") == ""
    by_object = policy(driver={"version": "580.1", "useNvidiaDriverCRD": True})
    every = [by_object, driver("any", "1.1"), driver("mine", "2.2", pool="a"), driver("other", "3.3", pool="b")]
    assert told(world(node, *every), "driver_asked", "node") == "2.2"


# ---- CDI and the choice by a variable


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([policy(cdi={"enabled": True})], "on"),
        ([policy(cdi={"enabled": False}), operator()], "off"),
        ([policy(), operator()], "on"),
        ([policy(), operator(":v25.10.0")], "on"),
        ([policy(), operator(":v25.3.4")], "off"),
        ([policy(), operator("@sha256:00", **{"app.kubernetes.io/version": "v24.9.2"})], "off"),
        ([policy(), operator("@sha256:00")], Reason.NOT_OFFERED),
        ([policy()], Reason.NOT_OFFERED),
    ],
)
def test_cdi(items: list[dict[str, Any]], expected: Any) -> None:
    assert told(world(*items), "cdi") == expected


def test_the_release_by_the_label_of_the_policy() -> None:
    item = policy()
    item["metadata"]["labels"] = {"app.kubernetes.io/version": "v25.3.0"}
    assert told(world(item), "cdi") == "off"
    assert told(world(policy(), gaps={"apps/v1/Deployment": DENIED}), "cdi") is Reason.DENIED
    assert told(world(policy(), manifests=True), "cdi") is Reason.NOT_OFFERED


def env(**values: str) -> dict[str, Any]:
    return {"env": [{"name": name, "value": value} for name, value in values.items()]}


ACCEPT = "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"cdi": {"enabled": False}}, True),
        ({"cdi": {"enabled": False}, "toolkit": env(**{ACCEPT: "false"})}, False),
        ({"cdi": {"enabled": False}, "toolkit": env(**{ACCEPT: "0"})}, False),
        ({"cdi": {"enabled": False}, "toolkit": env(**{ACCEPT: "true"})}, True),
        ({"cdi": {"enabled": False}, "toolkit": env(**{ACCEPT: "«…»"})}, Reason.NOT_OFFERED),
        ({"cdi": {"enabled": True}}, False),
        # the NVIDIA runtime is the default one all the same
        ({"cdi": {"enabled": True}, "toolkit": env(NVIDIA_RUNTIME_SET_AS_DEFAULT="true")}, True),
        ({"cdi": {"enabled": True}, "toolkit": env(NVIDIA_RUNTIME_SET_AS_DEFAULT="true", **{ACCEPT: "False"})}, False),
        ({"cdi": {"enabled": True}, "toolkit": env(NVIDIA_RUNTIME_SET_AS_DEFAULT="?")}, Reason.NOT_OFFERED),
        ({}, Reason.NOT_OFFERED),
        # the config.toml of the nodes is theirs
        ({"cdi": {"enabled": True}, "toolkit": {"enabled": False}}, Reason.NOT_OFFERED),
    ],
)
def test_choice_by_a_variable(spec: dict[str, Any], expected: Any) -> None:
    assert told(world(policy(**spec)), "env_selection") == expected


# ---- telemetry

EXPORTER = "nvcr.io/nvidia/k8s/dcgm-exporter:4.6.0-4.8.3-distroless"
GPU_NODE = thing("v1", "Node", "n", None, status={"capacity": {"nvidia.com/gpu": "8"}})
OTHER_NODE = thing("v1", "Node", "n", None, status={"capacity": {"cpu": "8"}})
OFF = policy(dcgmExporter={"enabled": False})


def nowhere(item: dict[str, Any]) -> dict[str, Any]:
    return {**item, "status": {"desiredNumberScheduled": 0, "numberReady": 0}}


def test_telemetry() -> None:
    managed = {**daemon(EXPORTER, owner=""), "metadata": {"name": "dcgm-exporter", "namespace": "gke-managed-system"}}
    for manifests in (False, True):
        assert told(world(policy(), manifests=manifests), "exporter_state") == "on"
        assert told(world(OFF, daemon(EXPORTER, owner=""), manifests=manifests), "exporter_state") == "off"
        assert told(world(OFF, managed, manifests=manifests), "exporter_state") is Reason.NOT_OFFERED


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([OTHER_NODE], "none"),
        ([thing("v1", "Node", "n", None)], Reason.NOT_OFFERED),
        ([GPU_NODE], "off"),
        ([GPU_NODE, OFF], "off"),
        ([GPU_NODE, policy()], "off"),
        ([GPU_NODE, daemon(EXPORTER, 2, owner="")], "on"),
        ([GPU_NODE, policy(), daemon(EXPORTER, 2)], "on"),
        ([GPU_NODE, daemon(EXPORTER, 1)], "not_ready"),
        ([GPU_NODE, daemon(EXPORTER)], Reason.NOT_OFFERED),
        # for no node, while some have GPUs
        ([GPU_NODE, nowhere(daemon(EXPORTER, 0))], "not_ready"),
    ],
)
def test_telemetry_of_a_cluster(items: list[dict[str, Any]], expected: Any) -> None:
    of = world(*items)
    cluster = projected(GPU_NODE)[0].replace(kind="cluster", native_type="kubernetes/v1/Cluster", id="k8s/c", facts={})
    of.resources[cluster.kind, cluster.id] = cluster
    assert told(of, "gpu_telemetry", "cluster") == expected
    denied = {"off": DAEMON_SET, "none": "v1/Node"}.get(str(expected))
    if denied:
        of.gaps = {denied: DENIED}
        assert told(of, "gpu_telemetry", "cluster") is Reason.DENIED


# ---- what is demanded of nodes


@pytest.mark.parametrize(
    ("marks", "mig", "confidential"),
    [
        ({}, False, False),
        ({"nvidia.com/mig.capable": "true", "nvidia.com/cc.capable": "true"}, False, False),
        ({"nvidia.com/mig.capable": "true", "example.com/mig-required": "true"}, True, False),
        ({"nvidia.com/mig.capable": "true", "example.com/mig-required": "false"}, False, False),
        ({"nvidia.com/mig.capable": "false", "example.com/mig-required": "true"}, False, False),
        ({"nvidia.com/gpu.present": "true", "example.com/mig-required": "true"}, Reason.NOT_OFFERED, False),
        ({"nvidia.com/mig.capable": "true", "nvidia.com/mig.config": "all-1g.10gb"}, True, False),
        ({"nvidia.com/mig.capable": "true", "nvidia.com/mig.config": "all-disabled"}, False, False),
        ({"nvidia.com/cc.capable": "true", "example.com/confidential-computing": "required"}, False, True),
        ({"nvidia.com/cc.capable": "true", "nvidia.com/cc.mode": "on"}, False, True),
        ({"nvidia.com/cc.capable": "true", "nvidia.com/cc.mode": "off"}, False, False),
        ({"nvidia.com/cc.capable": "false", "nvidia.com/cc.mode": "on"}, False, False),
        ({"nvidia.com/cc.mode.state": "off", "cc-required": "yes"}, False, True),
    ],
)
def test_demands(marks: dict[str, str], mig: Any, confidential: Any) -> None:
    of = world(thing("v1", "Node", "n", None, metadata={"labels": marks}, status={"capacity": {"cpu": "1"}}))
    assert [told(of, name, "node") for name in ("mig_required", "cc_required")] == [mig, confidential]


# ---- dynamic resource allocation


@pytest.mark.parametrize(
    ("key", "value", "version", "expected"),
    [
        ("resource.kubernetes.io/admin-access", "true", "v1.36.1", True),
        ("resource.kubernetes.io/admin-access", "true", "", True),
        ("resource.kubernetes.io/admin-access", "True", "v1.36.1", False),
        # renamed in 1.34: https://github.com/kubernetes/kubernetes/blob/master/CHANGELOG/CHANGELOG-1.34.md
        ("resource.k8s.io/admin-access", "true", "v1.33.4-eks-1", True),
        ("resource.k8s.io/admin-access", "true", "v1.34.0", False),
        ("resource.k8s.io/admin-access", "true", "", Reason.NOT_OFFERED),
        ("other", "true", "", False),
    ],
)
def test_admin_access_of_a_namespace(key: str, value: str, version: str, expected: Any) -> None:
    of = world(thing("v1", "Namespace", "n", None, metadata={"labels": {key: value}}))
    if version:
        cluster = projected(GPU_NODE)[0].replace(
            kind="cluster", native_type="kubernetes/v1/Cluster", id="k8s/c", facts={"version": version}
        )
        of.resources[cluster.kind, cluster.id] = cluster
    assert told(of, "dra_admin", "namespace") == expected


def namespace(name: str, tenant: str = "") -> dict[str, Any]:
    return thing("v1", "Namespace", name, None, metadata={"labels": {"tenant": tenant} if tenant else {}})


def device_class(driver: str = "gpu.nvidia.com", strategy: str = "TimeSlicing") -> dict[str, Any]:
    config = [{"opaque": {"driver": driver, "parameters": {"sharing": {"strategy": strategy}}}}]
    return thing("resource.k8s.io/v1", "DeviceClass", "x", None, spec={"config": config})


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (device_class(), ["TimeSlicing"]),
        (device_class(strategy="MPS"), ["MPS"]),
        (device_class(strategy=""), []),
        (device_class(driver="gpu.example.com"), Reason.NOT_OFFERED),
        (device_class(driver="compute-domain.nvidia.com", strategy=""), []),
        (thing("resource.k8s.io/v1", "DeviceClass", "x", None, spec={}), []),
    ],
)
def test_sharing(item: dict[str, Any], expected: Any) -> None:
    assert told(world(item), "sharing", "device_claim") == expected


def test_who_may_use_a_class() -> None:
    two = [namespace("team-a", "a"), namespace("team-b", "b"), namespace("kube-system")]
    assert told(world(device_class(), *two), "usable_by", "device_claim") == ["a", "b"]
    assert told(world(device_class(), *two, manifests=True), "usable_by", "device_claim") == ["a", "b"]
    assert told(world(device_class(), two[0]), "usable_by", "device_claim") == ["a"]
    assert told(world(device_class(), two[0], manifests=True), "usable_by", "device_claim") is Reason.NOT_OFFERED
    # nobody knows whose the third is, but two are enough
    assert told(world(device_class(), *two, namespace("whose")), "usable_by", "device_claim") == ["a", "b"]
    assert told(world(device_class(), two[0], namespace("whose")), "usable_by", "device_claim") is Reason.NOT_OFFERED
    assert told(world(device_class(), two[0], gaps={"v1/Namespace": DENIED}), "usable_by", "device_claim") is Reason.DENIED


def test_a_claim_is_of_one_tenant() -> None:
    claim = thing("resource.k8s.io/v1", "ResourceClaim", "c", "team-a", spec={"devices": {}})
    assert told(world(claim, namespace("team-a", "a"), namespace("team-b", "b")), "usable_by", "device_claim") == ["a"]
    assert told(world(claim, namespace("team-a")), "usable_by", "device_claim") is Reason.NOT_OFFERED


# ---- who makes pods beside the operators


def role(rules: list[dict[str, Any]], name: str = "r", where: str | None = "gpu-operator") -> dict[str, Any]:
    return thing(RBAC, "Role" if where else "ClusterRole", name, where, rules=rules)


def binding(subject: dict[str, str], where: str | None = "gpu-operator", role_name: str = "r", kind: str = "") -> dict[str, Any]:
    reference = {"kind": kind or ("Role" if where else "ClusterRole"), "name": role_name}
    return thing(RBAC, "RoleBinding" if where else "ClusterRoleBinding", "b", where, roleRef=reference, subjects=[subject])


def rule(resource: str, group: str = "", verb: str = "create", **more: Any) -> dict[str, Any]:
    return {"apiGroups": [group], "resources": [resource], "verbs": [verb], **more}


GROUP = {"kind": "Group", "name": "researchers"}
FOUND = [{"kind": "Group", "name": "researchers", "binding": "b", "namespace": "gpu-operator"}]


def account(name: str, where: str) -> dict[str, str]:
    return {"kind": "ServiceAccount", "name": name, "namespace": where}


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        ([role([rule("pods")]), binding(GROUP)], FOUND),
        ([role([rule("*")]), binding(GROUP)], FOUND),
        ([role([rule("daemonsets", "apps")]), binding(GROUP)], FOUND),
        ([role([rule("cronjobs", "batch", "*")]), binding(GROUP)], FOUND),
        ([role([rule("pods")], where=None), binding(GROUP, where=None)], FOUND),
        ([role([rule("pods")], where=None), binding(GROUP, kind="ClusterRole")], FOUND),
        # names cannot be granted for what is not there yet
        ([role([rule("pods", resourceNames=["x"])]), binding(GROUP)], []),
        ([role([rule("pods", verb="get")]), binding(GROUP)], []),
        ([role([rule("pods/exec")]), binding(GROUP)], []),
        ([role([rule("daemonsets")]), binding(GROUP)], []),
        ([role([rule("pods")], where="team"), binding(GROUP, where="team")], []),
        # administrators of everything
        ([role([rule("*", "*", "*")], where=None), binding(GROUP, where=None)], []),
        ([binding(GROUP, where=None, role_name="cluster-admin")], []),
        # the operator's own accounts, those of the platform, and those of tenants
        ([role([rule("pods")]), binding(account("gpu-operator", "gpu-operator"))], []),
        ([role([rule("pods")], where=None), binding(account("job-controller", "kube-system"), where=None)], []),
        ([role([rule("pods")]), binding(account("x", "whose"))], Reason.NOT_OFFERED),
        (
            [role([rule("pods")]), binding(account("x", "team-a")), namespace("team-a", "a")],
            [{"kind": "ServiceAccount", "name": "x", "binding": "b", "namespace": "gpu-operator"}],
        ),
        ([], []),
    ],
)
def test_who_makes_pods(items: list[dict[str, Any]], expected: Any) -> None:
    assert told(world(policy(), *items), "pod_creators") == expected


def test_bindings_that_were_not_seen() -> None:
    seen = [role([rule("pods")]), binding(GROUP)]
    gaps = {f"{RBAC}/RoleBinding": DENIED}
    assert told(world(policy(), gaps=gaps), "pod_creators") is Reason.DENIED
    assert told(world(policy(), *seen, gaps=gaps), "pod_creators") == FOUND
    assert told(world(policy(), manifests=True), "pod_creators") is Reason.NOT_OFFERED
    assert told(world(policy(), *seen, manifests=True), "pod_creators") == FOUND
    assert told(world(policy(), binding(GROUP), manifests=True), "pod_creators") is Reason.NOT_OFFERED


def test_where_the_network_operator_lives() -> None:
    nic = thing("mellanox.com/v1alpha1", "NicClusterPolicy", "nic", None, spec={})
    spec = {"containers": [{"name": "m", "image": "nvcr.io/nvidia/cloud-native/network-operator:v26.7.0"}]}
    seen = [role([rule("pods")], where="nvidia-network-operator"), binding(GROUP, where="nvidia-network-operator")]
    of = world(nic, deployment("network-operator", spec, namespace="nvidia-network-operator"), *seen)
    assert told(of, "pod_creators") == [{**FOUND[0], "namespace": "nvidia-network-operator"}]
    assert told(world(nic, *seen), "pod_creators") is Reason.NOT_OFFERED
    agent = {**deployment("multus", namespace="nvidia-network-operator"), "kind": "DaemonSet"}
    agent["metadata"]["ownerReferences"] = [
        {"apiVersion": "mellanox.com/v1alpha1", "kind": "NicClusterPolicy", "name": "nic", "controller": True}
    ]
    assert told(world(nic, agent, *seen), "pod_creators") == [{**FOUND[0], "namespace": "nvidia-network-operator"}]
    assert told(world(nic, *seen, gaps={"apps/v1/Deployment": DENIED}), "pod_creators") is Reason.DENIED
