"""Pods, through reader, derivations, rules and judge, against what the Pod Security Standards say of them.

The cases follow the fixtures of k8s.io/pod-security-admission (v1.37): every control, in every list of containers.
"""

from __future__ import annotations

import functools
import io
from typing import Any

import pytest
import yaml

from collectors.kubernetes.manifests import read_manifests
from scanner.derive.kubernetes import DERIVATIONS
from scanner.engine import document
from scanner.engine.embedded import EmbeddedEngine
from scanner.judge import judge
from scanner.model import Gap, Resource, Rule, Status
from scanner.rules.library import load
from tests.collectors.kubernetes.objects import container, pod
from tests.scanner.derive.worlds import MemoryWorld

BASELINE = {
    "privileged", "host_pid", "host_ipc", "host_network", "host_path", "host_port", "capabilities_added", "ipc_lock_without_rdma",
    "unsafe_settings", "probe_host",
}  # fmt: skip
RESTRICTED = {"privilege_escalation", "capabilities_dropped", "run_as_root", "seccomp"}
SOUND = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
POD = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}


@functools.cache
def engine() -> tuple[list[Rule], EmbeddedEngine]:
    library = load()
    rules = [library.rules[f"workload.{name}"] for name in sorted(BASELINE | RESTRICTED)]
    return rules, EmbeddedEngine(rules, library.modules)


def verdicts(item: dict[str, Any]) -> dict[str, Status]:
    """Rule → verdict on a pod."""
    estate = read_manifests(["-"], stdin=io.BytesIO(yaml.safe_dump(item).encode()))
    world = MemoryWorld(estate.resources, {}, DERIVATIONS)

    def complete(resource: Resource) -> Resource:
        owner = world.fact(resource, "operator")
        return (
            resource.replace(gaps={**resource.gaps, "operator": owner})
            if isinstance(owner, Gap)
            else resource.replace(facts={**resource.facts, "operator": owner})
        )

    (resource,) = [complete(r) for r in estate.resources]
    rules, made = engine()
    proofs = made.prove(rules, document([resource], {r.id: r.params for r in rules if r.params}, "2026-11-30T00:00:00Z"))
    return {r.id.partition(".")[2]: v.status for r in rules for v in judge(r, resource, proofs[r.id])}


def failed(item: dict[str, Any]) -> set[str]:
    return {name for name, verdict in verdicts(item).items() if verdict is Status.FAIL}


def sound(spec: dict[str, Any] | None = None, **security: Any) -> dict[str, Any]:
    """A pod that meets `restricted`, changed."""
    return pod(spec={"securityContext": {**POD, **security}, "containers": [container(securityContext=SOUND)], **(spec or {})})


def in_list(key: str, **change: Any) -> dict[str, Any]:
    """A sound pod with one more container in a list."""
    item = sound()
    security = {**SOUND, **change.pop("securityContext", {})}
    item["spec"][key] = [*item["spec"].get(key, []), container("other", securityContext=security, **change)]
    return item


def test_a_sound_pod_meets_everything() -> None:
    assert failed(sound()) == set()
    assert set(verdicts(sound()).values()) <= {Status.PASS, Status.NOT_APPLICABLE}


def test_a_pod_that_says_nothing_meets_the_baseline_only() -> None:
    assert failed(pod()) == RESTRICTED


@pytest.mark.parametrize("key", ["containers", "initContainers", "ephemeralContainers"])
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"securityContext": {"privileged": True}}, {"privileged"}),
        ({"securityContext": {"windowsOptions": {"hostProcess": True}}}, {"privileged"}),
        ({"securityContext": {"capabilities": {"drop": ["ALL"], "add": ["NET_BIND_SERVICE"]}}}, set()),
        ({"securityContext": {"capabilities": {"drop": ["ALL"], "add": ["CHOWN"]}}}, {"capabilities_dropped"}),
        (
            {"securityContext": {"capabilities": {"drop": ["ALL"], "add": ["SYS_ADMIN"]}}},
            {"capabilities_added", "capabilities_dropped"},
        ),
        (
            {"securityContext": {"capabilities": {"drop": ["ALL"], "add": ["IPC_LOCK"]}}},
            {"ipc_lock_without_rdma", "capabilities_dropped"},
        ),
        ({"securityContext": {"capabilities": {"drop": ["all"]}}}, {"capabilities_dropped"}),
        ({"securityContext": {"capabilities": None}}, {"capabilities_dropped"}),
        ({"securityContext": {"allowPrivilegeEscalation": None}}, {"privilege_escalation"}),
        ({"securityContext": {"allowPrivilegeEscalation": True}}, {"privilege_escalation"}),
        ({"securityContext": {"runAsNonRoot": False}}, {"run_as_root"}),
        ({"securityContext": {"runAsUser": 0}}, {"run_as_root"}),
        ({"securityContext": {"runAsUser": 1000}}, set()),
        ({"securityContext": {"seccompProfile": {"type": "Unconfined"}}}, {"seccomp"}),
        ({"securityContext": {"seccompProfile": {"type": "Localhost", "localhostProfile": "x"}}}, set()),
        ({"securityContext": {"procMount": "Unmasked"}}, {"unsafe_settings"}),
        ({"securityContext": {"procMount": "Default"}}, set()),
        ({"securityContext": {"seLinuxOptions": {"type": "container_init_t"}}}, set()),
        ({"securityContext": {"seLinuxOptions": {"type": "spc_t"}}}, {"unsafe_settings"}),
        ({"securityContext": {"seLinuxOptions": {"user": "sysadm_u"}}}, {"unsafe_settings"}),
        ({"securityContext": {"appArmorProfile": {"type": "Unconfined"}}}, {"unsafe_settings"}),
        ({"securityContext": {"appArmorProfile": {"type": "RuntimeDefault"}}}, set()),
        ({"ports": [{"containerPort": 80, "hostPort": 80}]}, {"host_port"}),
        ({"ports": [{"containerPort": 80, "hostPort": 0}]}, set()),
        ({"livenessProbe": {"httpGet": {"host": "10.0.0.1", "port": 80}}}, {"probe_host"}),
        ({"lifecycle": {"preStop": {"tcpSocket": {"host": "10.0.0.1", "port": 80}}}}, {"probe_host"}),
        ({"livenessProbe": {"httpGet": {"port": 80}}}, set()),
    ],
)
def test_controls_of_containers(key: str, change: dict[str, Any], expected: set[str]) -> None:
    assert failed(in_list(key, **change)) == expected


@pytest.mark.parametrize(
    ("spec", "security", "expected"),
    [
        ({"hostPID": True}, {}, {"host_pid"}),
        ({"hostIPC": True}, {}, {"host_ipc"}),
        ({"hostNetwork": True}, {}, {"host_network"}),
        ({"volumes": [{"name": "v", "hostPath": {"path": "/"}}]}, {}, {"host_path"}),
        ({"volumes": [{"name": "v", "emptyDir": {}}]}, {}, set()),
        (
            {},
            {"sysctls": [{"name": "kernel.shm_rmid_forced", "value": "0"}, {"name": "net.ipv4.tcp_notsent_lowat", "value": "1"}]},
            set(),
        ),
        ({}, {"sysctls": [{"name": "net.core.somaxconn", "value": "1"}]}, {"unsafe_settings"}),
        ({}, {"seLinuxOptions": {"role": "sysadm_r"}}, {"unsafe_settings"}),
        ({}, {"appArmorProfile": {"type": "Unconfined"}}, {"unsafe_settings"}),
        ({}, {"windowsOptions": {"hostProcess": True}}, {"privileged"}),
        ({}, {"runAsNonRoot": None}, {"run_as_root"}),
        ({}, {"runAsNonRoot": False}, {"run_as_root"}),
        ({}, {"runAsUser": 0}, {"run_as_root"}),
        ({}, {"seccompProfile": None}, {"seccomp"}),
        ({}, {"seccompProfile": {"type": "Unconfined"}}, {"seccomp"}),
    ],
)
def test_controls_of_pods(spec: dict[str, Any], security: dict[str, Any], expected: set[str]) -> None:
    assert failed(sound(spec, **security)) == expected


@pytest.mark.parametrize("security", [{"runAsUser": 0}, {"runAsNonRoot": None}])
def test_a_user_namespace_makes_root_harmless(security: dict[str, Any]) -> None:
    # v1.35: kubernetes/kubernetes#132157
    assert failed(sound({"hostUsers": False}, **security)) == set()
    assert verdicts(sound({"hostUsers": False}, **security))["run_as_root"] is Status.NOT_APPLICABLE
    assert failed(sound({"hostUsers": True}, **security)) == {"run_as_root"}


def test_a_user_namespace_may_unmask_proc() -> None:
    item = in_list("containers", securityContext={"procMount": "Unmasked"})
    item["spec"]["hostUsers"] = False
    assert failed(item) == set()


def test_windows_has_no_linux_controls() -> None:
    assert failed(pod(spec={"os": {"name": "windows"}})) == set()
    assert {n for n, v in verdicts(pod(spec={"os": {"name": "windows"}})).items() if v is Status.NOT_APPLICABLE} >= RESTRICTED


def test_ports_that_the_server_copied_are_not_told_twice() -> None:
    item = in_list("containers", ports=[{"containerPort": 80, "hostPort": 80}])
    item["spec"]["hostNetwork"] = True
    assert failed(item) == {"host_network"}


def test_rdma_may_lock_memory() -> None:
    # the device plugin's own example: IPC_LOCK with an RDMA device and a GPU
    resources = {"limits": {"rdma/rdma_shared_device_a": 1, "nvidia.com/gpu": 1}}
    item = in_list("containers", securityContext={"capabilities": {"drop": ["ALL"], "add": ["IPC_LOCK"]}}, resources=resources)
    assert failed(item) == set()
    assert verdicts(item)["ipc_lock_without_rdma"] is Status.PASS


def test_a_claim_leaves_memory_locks_open() -> None:
    item = in_list(
        "containers",
        securityContext={"capabilities": {"drop": ["ALL"], "add": ["IPC_LOCK"]}},
        resources={"claims": [{"name": "nic"}]},
    )
    assert verdicts(item)["ipc_lock_without_rdma"] is Status.UNKNOWN
