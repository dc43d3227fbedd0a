"""Facts of the GPU and Network Operators, of nodes with GPUs, and of claims of devices."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.client import slim
from collectors.kubernetes.kept.gpu import sharing
from collectors.kubernetes.redact import clean
from collectors.kubernetes.tables.gpu import admin_requests, components, device_settings
from scanner.model import Reason
from tests.collectors.kubernetes.objects import deployment, one, thing

UNKNOWN = object()


def told(item: dict[str, Any], name: str) -> Any:
    resource = one(clean(copy.deepcopy(item)))
    return resource.facts.get(name, UNKNOWN) if name not in resource.gaps else UNKNOWN


def policy(**spec: Any) -> dict[str, Any]:
    return thing("nvidia.com/v1", "ClusterPolicy", "cluster-policy", None, spec=spec)


# ---- operators


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, {"toolkit_enabled": True, "toolkit_version": "", "cdi_setting": "default", "exporter_enabled": True}),
        (
            {"toolkit": {"enabled": False, "version": "v1.20.0"}, "cdi": {"enabled": False, "default": True}},
            {"toolkit_enabled": False, "toolkit_version": "v1.20.0", "cdi_setting": "off"},
        ),
        ({"cdi": {"enabled": True, "nriPluginEnabled": True}}, {"cdi_setting": "on"}),
        ({"driver": {}}, {"driver_enabled": True, "driver_by_object": False, "driver_version": "", "driver_type": "gpu"}),
        ({"driver": {"enabled": False, "useNvidiaDriverCRD": True}}, {"driver_enabled": False, "driver_by_object": True}),
        ({"dcgmExporter": {"enabled": False}}, {"exporter_enabled": False}),
        # a template, or a text that says false, is no switch
        (
            {"cdi": {"enabled": "{{ .Values.cdi }}"}, "toolkit": {"enabled": "false"}},
            {"cdi_setting": UNKNOWN, "toolkit_enabled": UNKNOWN},
        ),
    ],
)
def test_a_cluster_policy(spec: dict[str, Any], expected: dict[str, Any]) -> None:
    assert {name: told(policy(**spec), name) for name in expected} == expected


def test_settings_of_components_survive_redaction_and_secrets_do_not() -> None:
    env = [
        {"name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED", "value": "false"},
        {"name": "NVIDIA_RUNTIME_SET_AS_DEFAULT", "value": "maybe"},
        {"name": "PROXY_PASSWORD", "value": "hunter2hunter2"},
        {"name": "CONTAINERD_CONFIG", "value": "/var/lib/k0s/containerd.toml"},
    ]
    item = policy(toolkit={"env": env})
    settings = told(item, "toolkit_settings")
    assert settings["ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED"] == "false"
    assert settings["NVIDIA_RUNTIME_SET_AS_DEFAULT"] == "?"
    assert "hunter2" not in json.dumps(settings)
    assert "k0s" not in json.dumps(settings)


def part(name: str, repository: str = "", image: str = "", version: str = "", **more: bool) -> dict[str, Any]:
    found = {"name": name, "repository": repository, "image": image, "version": version}
    return {**found, "host_network": False, "host_pid": False, **more}


def test_components_of_a_cluster_policy() -> None:
    item = policy(
        driver={
            "repository": "nvcr.io/nvidia",
            "image": "driver",
            "version": "595.91.07",
            "manager": {"repository": "mirror.example/x"},
        },
        dcgmExporter={"hostPID": True, "serviceMonitor": {"enabled": True}},
        gfd={"hostNetwork": True, "enabled": True},
        gds={"repository": "docker.io/someone"},  # off unless it says otherwise
        ccManager={"enabled": True, "repository": "docker.io/someone"},
        toolkit={"enabled": False, "repository": "docker.io/someone"},
        validator={"image": "mirror.example/gpu-operator@sha256:00"},
        operator={"runtimeClass": "nvidia"},
    )
    assert components(item) == [
        part("driver", "nvcr.io/nvidia", "driver", "595.91.07"),
        part("driver.manager", "mirror.example/x"),
        part("dcgmExporter", host_pid=True),
        part("gfd", host_network=True),
        part("ccManager", "docker.io/someone"),
        part("validator", "mirror.example", "gpu-operator@sha256:00"),
    ]


def test_components_of_the_others() -> None:
    driver = thing(
        "nvidia.com/v1alpha1",
        "NVIDIADriver",
        "d",
        None,
        spec={"repository": "nvcr.io/nvidia", "image": "driver", "version": "580.1"},
    )
    assert components(driver) == [part("", "nvcr.io/nvidia", "driver", "580.1")]
    nic = thing("mellanox.com/v1alpha1", "NicClusterPolicy", "n", None)
    nic["spec"] = {
        "global": {"repository": "nvcr.io/nvstaging/mellanox", "version": "v1"},
        "ofedDriver": {"image": "doca-driver", "repository": "nvcr.io/nvidia/mellanox", "version": "v2"},
        "secondaryNetwork": {"multus": {"image": "multus-cni"}},
    }
    assert components(nic) == [
        part("ofedDriver", "nvcr.io/nvidia/mellanox", "doca-driver", "v2"),
        part("secondaryNetwork.multus", "nvcr.io/nvstaging/mellanox", "multus-cni", "v1"),
    ]
    cluster = thing("nvidia.com/v1alpha1", "GPUCluster", "gpu-cluster", None)
    cluster["spec"] = {
        "dcgm": {"repository": "a.example"},
        "draDriver": {"repository": "nvcr.io/nvidia", "image": "dra", "version": "v0.5.0"},
    }
    assert components(cluster) == [part("draDriver", "nvcr.io/nvidia", "dra", "v0.5.0")]
    assert told(cluster, "exporter_enabled") is True


def test_an_nvidia_driver() -> None:
    item = thing("nvidia.com/v1alpha1", "NVIDIADriver", "d", None, spec={"version": "580.1", "nodeSelector": {"pool": "a"}})
    names = ("driver_enabled", "driver_by_object", "driver_version", "driver_type", "node_selector")
    assert [told(item, n) for n in names] == [True, False, "580.1", "gpu", {"pool": "a"}]


# ---- nodes and namespaces


def node(capacity: dict[str, str] | None = None, **labels: str) -> dict[str, Any]:
    marks = {k.replace("__", "/").replace("_", "."): v for k, v in labels.items()}
    return thing("v1", "Node", "n", None, metadata={"labels": marks}, status={} if capacity is None else {"capacity": capacity})


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (node({"nvidia.com/gpu": "8"}), True),
        (node({"nvidia.com/mig-1g.10gb": "7"}), True),
        (node({"nvidia.com/gpu": "0"}), False),
        (node({"amd.com/gpu": "8"}), False),
        (node({"cpu": "8"}), False),
        # resources of the Network Operator have the same prefix
        (node({"nvidia.com/hostdev": "8"}), False),
        (node({"cpu": "8"}, nvidia_com__gpu_present="true"), True),
        (node(None, nvidia_com__gpu_present="false"), UNKNOWN),
        (node(None), UNKNOWN),
    ],
)
def test_nvidia_gpu(item: dict[str, Any], expected: Any) -> None:
    assert told(item, "nvidia_gpu") == expected


@pytest.mark.parametrize(
    ("marks", "expected"),
    [
        ({"nvidia.com/cuda.driver-version.full": "580.95.05"}, "580.95.05"),
        (
            {f"nvidia.com/cuda.driver-version.{k}": v for k, v in (("major", "580"), ("minor", "95"), ("revision", "05"))},
            "580.95.05",
        ),
        ({f"nvidia.com/cuda.driver.{k}": v for k, v in (("major", "470"), ("minor", "82"), ("rev", "01"))}, "470.82.01"),
        ({f"nvidia.com/cuda.driver.{k}": v for k, v in (("major", "515"), ("minor", "65"), ("rev", ""))}, "515.65"),
        ({"nvidia.com/cuda.driver.major": "515"}, UNKNOWN),
        ({}, UNKNOWN),
    ],
)
def test_the_driver_of_a_node(marks: dict[str, str], expected: Any) -> None:
    assert told(thing("v1", "Node", "n", None, metadata={"labels": marks}), "driver_version") == expected


@pytest.mark.parametrize(
    ("marks", "capable", "strategy", "state"),
    [
        ({"nvidia.com/mig.capable": "true"}, True, "none", UNKNOWN),
        (
            {"nvidia.com/mig.capable": "true", "nvidia.com/mig.strategy": "mixed", "nvidia.com/mig.config.state": "success"},
            True,
            "mixed",
            "success",
        ),
        ({"nvidia.com/mig.capable": "false"}, False, "none", UNKNOWN),
        ({"nvidia.com/mig.config.state": "failed"}, True, UNKNOWN, "failed"),
        ({"nvidia.com/gpu.present": "true"}, UNKNOWN, UNKNOWN, UNKNOWN),
        ({}, False, UNKNOWN, UNKNOWN),
    ],
)
def test_partitions(marks: dict[str, str], capable: Any, strategy: Any, state: Any) -> None:
    item = thing("v1", "Node", "n", None, metadata={"labels": marks}, status={"capacity": {"cpu": "1"}})
    assert [told(item, n) for n in ("mig_capable", "mig_strategy", "mig_state")] == [capable, strategy, state]


def test_admin_labels_are_case_sensitive() -> None:
    marks = {"resource.kubernetes.io/admin-access": "True", "resource.k8s.io/admin-access": "true"}
    assert told(thing("v1", "Namespace", "n", None, metadata={"labels": marks}), "admin_labels") == ["resource.k8s.io/admin-access"]
    assert told(thing("v1", "Namespace", "n", None), "admin_labels") == []


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"desiredNumberScheduled": 3, "numberReady": 2}, {"wanted": 3, "ready": 2}),
        ({"desiredNumberScheduled": 3}, {"wanted": 3, "ready": 0}),
        ({}, UNKNOWN),
        ({"desiredNumberScheduled": "3"}, UNKNOWN),
    ],
)
def test_daemons(status: dict[str, Any], expected: Any) -> None:
    item = {**deployment("d"), "kind": "DaemonSet", "status": {**status, "conditions": []}}
    kept = slim({"apiVersion": "apps/v1", "kind": "DaemonSetList", "metadata": {}, "items": [item]})["items"][0]
    assert told(kept, "daemons") == expected


# ---- claims


def claim(request: dict[str, Any], version: str = "v1", kind: str = "ResourceClaim", **more: Any) -> dict[str, Any]:
    spec = {"devices": {"requests": [request], **more}}
    return thing(f"resource.k8s.io/{version}", kind, "c", spec={"spec": spec} if kind == "ResourceClaimTemplate" else spec)


@pytest.mark.parametrize(
    ("item", "requests"),
    [
        (claim({"name": "g", "exactly": {"deviceClassName": "x", "adminAccess": True}}), ["g"]),
        (claim({"name": "g", "exactly": {"deviceClassName": "x", "adminAccess": True}}, "v1beta2"), ["g"]),
        (claim({"name": "g", "deviceClassName": "x", "adminAccess": True}, "v1beta1"), ["g"]),
        (
            claim({"name": "g", "exactly": {"deviceClassName": "x", "adminAccess": True}}, kind="ResourceClaimTemplate"),
            ["g"],
        ),
        (claim({"name": "g", "exactly": {"deviceClassName": "x", "adminAccess": False}}), []),
        (claim({"name": "g", "exactly": {"deviceClassName": "x"}}), []),
        (
            claim({"name": "g", "firstAvailable": [{"name": "a", "deviceClassName": "x"}, {"name": "b", "deviceClassName": "y"}]}),
            [],
        ),
        (claim({"name": "g", "exactly": {"deviceClassName": "x", "adminAccess": "true"}}), []),
    ],
)
def test_requests(item: dict[str, Any], requests: list[str]) -> None:
    assert told(item, "admin_requests") == requests
    assert one(item).native_type.startswith("resource.k8s.io/v1/")


def test_what_was_given_is_proof() -> None:
    item = claim({"name": "g", "exactly": {"deviceClassName": "x"}})
    item["status"] = {
        "allocation": {"devices": {"results": [{"request": "g", "adminAccess": True}, {"request": "h"}]}},
        "reservedFor": [],
    }
    kept = slim({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **item})["items"][0]
    assert told(kept, "admin_requests") == ["g"]


def test_a_claim_without_a_spec_is_unknown() -> None:
    found = one(thing("resource.k8s.io/v1", "ResourceClaim", "c"))
    assert found.gaps["admin_requests"].reason is Reason.NOT_OFFERED


def test_settings_of_drivers() -> None:
    opaque = {"driver": "gpu.nvidia.com", "parameters": {"kind": "GpuConfig", "sharing": {"strategy": "TimeSlicing"}}}
    config = [{"opaque": opaque}, {"opaque": {"driver": "gpu.nvidia.com", "parameters": {"kind": "GpuConfig"}}}, {"other": {}}]
    expected = [{"driver": "gpu.nvidia.com", "strategy": "TimeSlicing"}, {"driver": "gpu.nvidia.com", "strategy": ""}]
    item = thing("resource.k8s.io/v1", "DeviceClass", "c", None, spec={"config": config})
    assert told(item, "device_settings") == expected
    assert told(item, "claim_type") == "class"
    assert told(thing("resource.k8s.io/v1", "DeviceClass", "c", None, spec={}), "device_settings") == []


anything = st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda c: st.lists(c, max_size=3) | st.dictionaries(st.sampled_from(["name", "exactly", "adminAccess", "devices", "requests", "opaque", "parameters", "sharing", "strategy", "repository", "image", "enabled"]), c, max_size=4), max_leaves=12)  # fmt: skip


@given(anything)
def test_no_shape_breaks_the_readers(value: Any) -> None:
    admin_requests({"devices": {"requests": value}}, value)
    device_settings(value)
    components({"spec": value if isinstance(value, dict) else {}})


# ---- the device plugin's configuration


def test_sharing_of_the_device_plugin() -> None:
    shared = {
        "renameByDefault": True,
        "resources": [{"name": "nvidia.com/gpu", "replicas": 4}, {"name": "nvidia.com/mig-1g", "replicas": 1}],
    }
    data = {
        "any": yaml.safe_dump({"version": "v1", "sharing": {"timeSlicing": shared}}),
        "mps": yaml.safe_dump({"sharing": {"mps": {"resources": [{"name": "nvidia.com/gpu", "replicas": 2}]}}}),
        "none": "version: v1\nflags: {migStrategy: none}\n",
        "broken": "{{ nothing",
    }
    assert sharing(data) == {
        "sharing": {
            "any": [{"strategy": "time-slicing", "resource": "nvidia.com/gpu", "replicas": 4}],
            "mps": [{"strategy": "mps", "resource": "nvidia.com/gpu", "replicas": 2}],
            "none": [],
        }
    }
    item = thing("v1", "ConfigMap", "time-slicing-config", data={"any": data["any"], "token": "hunter2hunter2"})
    assert told(item, "settings") == {"sharing": {"any": sharing(data)["sharing"]["any"]}}
