"""The Pod Security Standards, in every version that differs, and which namespaces meet what they enforce.

https://kubernetes.io/docs/concepts/security/pod-security-standards/ , and what the admission plugin makes of it:
https://github.com/kubernetes/kubernetes/tree/master/staging/src/k8s.io/pod-security-admission/policy . Seccomp profiles in annotations,
which versions before v1.19 look at, are not seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.kubernetes.types import NAMESPACE, NOT_HERE, POD_LIKE, namespace_of, object_id, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

Facts = Mapping[str, Any]
BASELINE, RESTRICTED, PRIVILEGED = "baseline", "restricted", "privileged"
LEVELS = (PRIVILEGED, BASELINE, RESTRICTED)
NEEDED = (
    "os",
    "host_pid",
    "host_ipc",
    "host_network",
    "host_users",
    "host_paths",
    "containers",
    "sysctls",
    "pod_settings",
    "volume_types",
)
"""Facts of a workload that `violations` reads."""
CAPABILITIES = frozenset(
    {
        "AUDIT_WRITE",
        "CHOWN",
        "DAC_OVERRIDE",
        "FOWNER",
        "FSETID",
        "KILL",
        "MKNOD",
        "NET_BIND_SERVICE",
        "SETFCAP",
        "SETGID",
        "SETPCAP",
        "SETUID",
        "SYS_CHROOT",
    }
)
SYSCTLS: Mapping[str, int] = {
    "kernel.shm_rmid_forced": 0,
    "net.ipv4.ip_local_port_range": 0,
    "net.ipv4.tcp_syncookies": 0,
    "net.ipv4.ping_group_range": 0,
    "net.ipv4.ip_unprivileged_port_start": 0,
    "net.ipv4.ip_local_reserved_ports": 27,
    "net.ipv4.tcp_keepalive_time": 29,
    "net.ipv4.tcp_fin_timeout": 29,
    "net.ipv4.tcp_keepalive_intvl": 29,
    "net.ipv4.tcp_keepalive_probes": 29,
    "net.ipv4.tcp_rmem": 32,
    "net.ipv4.tcp_wmem": 32,
    "net.ipv4.tcp_slow_start_after_idle": 37,
    "net.ipv4.tcp_notsent_lowat": 37,
}
"""Kernel settings that are allowed → since which minor version."""
SELINUX_TYPES: Mapping[str, int] = {"": 0, "container_t": 0, "container_init_t": 0, "container_kvm_t": 0, "container_engine_t": 31}
PROFILES = frozenset({"RuntimeDefault", "Localhost"})
VOLUMES = frozenset(
    {"configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "image", "persistentVolumeClaim", "projected", "secret"}
)
PROBES, WINDOWS, DROPPED, NOT_ROOT, NO_ESCALATION, SECCOMP, USER_NAMESPACES, ULIMITS = 34, 25, 22, 23, 8, 19, 35, 37
"""Minor versions since which: hosts of probes count, Windows is spared, capabilities are to be dropped, user 0 counts, escalation
counts, a seccomp profile is asked for, `hostUsers: false` relaxes, ulimits count."""
CHANGES = (29, 31, 32, 34, 35, 37)
"""Minor versions in which something changed, the first for all that are older and still in use."""


# ---- one pod


def violations(facts: Facts, level: str, minor: int) -> list[str]:
    """What keeps a pod from a level of the standards in version v1.`minor`; empty where it meets it.

    `facts` are those of a workload (`NEEDED`), all of them known.
    """
    if level == PRIVILEGED:
        return []
    found = [*_pod_baseline(facts, minor)]
    for container in facts["containers"]:
        found += [f"{_title(container)} {what}" for what in _container_baseline(facts, container, minor)]
    if level == RESTRICTED:
        found += _pod_restricted(facts, minor)
        for container in facts["containers"]:
            found += [f"{_title(container)} {what}" for what in _container_restricted(facts, container, minor)]
    return list(dict.fromkeys(found))


def met(facts: Facts, minor: int) -> str:
    """The highest level that a pod meets."""
    return next(level for level in reversed(LEVELS) if not violations(facts, level, minor))


def _title(container: Mapping[str, Any]) -> str:
    return f"{ {'container': 'container', 'init': 'init container', 'ephemeral': 'ephemeral container'}[container['type']] } {container['name']}"


def _own_namespace(facts: Facts, minor: int) -> bool:
    """The pod has a user namespace of its own, and the version makes something of it."""
    return facts["host_users"] is False and minor >= USER_NAMESPACES


def _pod_baseline(facts: Facts, minor: int) -> Iterator[str]:
    pod = facts["pod_settings"]
    for fact, key in (("host_network", "hostNetwork"), ("host_pid", "hostPID"), ("host_ipc", "hostIPC")):
        if facts[fact] is True:
            yield f"the pod sets {key}"
    if pod["host_process"]:
        yield "the pod sets hostProcess"
    yield from (f"the pod mounts {v['path']} of the host" for v in facts["host_paths"])
    yield from (f"the pod sets the sysctl {name}" for name in facts["sysctls"] if SYSCTLS.get(name, minor + 1) > minor)
    yield from (f"the pod {what}" for what in _labels(pod, minor))
    yield from (f"a container adds {name}" for name in pod["misspelt_capabilities"])
    if minor >= ULIMITS:
        yield from (f"container {name} sets ulimits" for name in pod["ulimits"])


def _labels(settings: Mapping[str, Any], minor: int) -> Iterator[str]:
    """SELinux, AppArmor and seccomp, as a pod or a container sets them."""
    if SELINUX_TYPES.get(settings["selinux_type"], minor + 1) > minor:
        yield f"sets the SELinux type {settings['selinux_type']}"
    for part in ("user", "role"):
        if settings[f"selinux_{part}"]:
            yield f"sets the SELinux {part}"
    for name, key in (("AppArmor", "apparmor"), ("seccomp", "seccomp")):
        if settings[key] not in PROFILES | {""}:
            yield f"sets the {name} profile {settings[key]}"


def _container_baseline(facts: Facts, container: Mapping[str, Any], minor: int) -> Iterator[str]:
    if container["privileged"]:
        yield "is privileged"
    yield from (f"adds {name}" for name in container["cap_add"] if name not in CAPABILITIES)
    yield from (f"publishes port {port} of the host" for port in container["host_ports"])
    yield from _labels(container, minor)
    if container["proc_mount"] != "Default" and not _own_namespace(facts, minor):
        yield f"mounts /proc as {container['proc_mount']}"
    if minor >= PROBES:
        yield from (f"has the kubelet call {host}" for host in container["probe_hosts"])


def _pod_restricted(facts: Facts, minor: int) -> Iterator[str]:
    pod = facts["pod_settings"]
    yield from (f"the pod has a volume of type {v['type']}" for v in facts["volume_types"] if v["type"] not in VOLUMES)
    if _own_namespace(facts, minor):
        return
    if pod["run_as_non_root"] is False:
        yield "the pod sets runAsNonRoot to false"
    if pod["run_as_user"] == 0 and minor >= NOT_ROOT:
        yield "the pod sets runAsUser to 0"


def _container_restricted(facts: Facts, container: Mapping[str, Any], minor: int) -> Iterator[str]:
    windows = facts["os"] == "windows" and minor >= WINDOWS
    if container["allow_privilege_escalation"] and not windows and minor >= NO_ESCALATION:
        yield "does not set allowPrivilegeEscalation to false"
    if not windows and minor >= DROPPED:
        if "ALL" not in container["cap_drop"]:
            yield "does not drop ALL capabilities"
        yield from (f"adds {name}" for name in container["cap_add"] if name != "NET_BIND_SERVICE")
    if container["seccomp"] not in PROFILES and not windows and minor >= SECCOMP:
        yield "has no seccomp profile"
    if container["proc_mount"] != "Default":
        yield f"mounts /proc as {container['proc_mount']}"
    if _own_namespace(facts, minor):
        return
    if not container["run_as_non_root"]:
        yield "does not set runAsNonRoot to true"
    if container["run_as_user"] == 0 and minor >= NOT_ROOT:
        yield "sets runAsUser to 0"


# ---- namespaces

UNSTARTED = frozenset(
    {
        "v1/PodTemplate",
        "argoproj.io/v1alpha1/WorkflowTemplate",
        "argoproj.io/v1alpha1/ClusterWorkflowTemplate",
        "argoproj.io/v1alpha1/CronWorkflow",
    }
)
"""Types that run no pods by themselves."""
RUNNING = tuple(native for native in POD_LIKE if native not in UNSTARTED)


@dataclass(slots=True)
class _Tally:
    """What the workloads of one namespace say."""

    wrong: list[dict[str, JSON]] = field(default_factory=list)
    levels: set[str] = field(default_factory=set)
    """Levels that single workloads meet."""
    gap: Gap | None = None
    """Why a workload may meet the enforced level, or not."""
    unknown: Gap | None = None
    """Why the level that a workload meets is not known."""


def minors_of(namespace: Resource, world: World) -> Sequence[int] | Gap:
    """The minor versions whose standards a namespace may enforce: one where it is known, else all that differ."""
    version = world.fact(namespace, "pod_security_version")
    if isinstance(version, Gap):
        return version
    if version != "latest":
        return (int(str(version).removeprefix("v1.")),)
    own = world.memo(f"kubernetes.minor {namespace.scope}", lambda: _cluster_minor(world, namespace.scope))
    return CHANGES if own is None else (own,)


def _cluster_minor(world: World, scope: str) -> int | None:
    """The minor version of a live cluster: that is its `latest`."""
    for cluster in world.all("cluster", scope):
        if cluster.native_type == "kubernetes/v1/Cluster":
            version = world.fact(cluster, "version")
            found = None if isinstance(version, Gap) else re.match(r"v1\.(\d{1,3})", str(version))
            return int(found.group(1)) if found else None
    return None


def _tallies(world: World, scope: str) -> Mapping[str, _Tally]:
    """One pass over the workloads of a cluster."""
    asked: dict[str, tuple[str | Gap, Sequence[int] | Gap]] = {}
    for namespace in world.all("namespace", scope):
        if namespace.native_type == NAMESPACE:
            level = world.fact(namespace, "pod_security_enforce")
            asked[namespace.name] = (level if isinstance(level, Gap) else str(level), minors_of(namespace, world))
    found: dict[str, _Tally] = {name: _Tally() for name in asked}
    for pod in world.all("workload", scope):
        name = namespace_of(pod)
        if name in found and pod.native_type in RUNNING and world.fact(pod, "finished") is not True:
            level, minors = asked[name]
            _add(found[name], pod, world, level, minors)
    return found


def _add(tally: _Tally, pod: Resource, world: World, level: str | Gap, minors: Sequence[int] | Gap) -> None:
    facts = {name: world.fact(pod, name) for name in NEEDED}
    gap = next((f for f in facts.values() if isinstance(f, Gap)), minors if isinstance(minors, Gap) else None)
    if gap is not None or isinstance(minors, Gap):
        tally.gap = tally.gap or gap
        tally.unknown = tally.unknown or gap
        return
    reached = _agreed(lambda minor: met(facts, minor), minors)
    if isinstance(reached, Gap):
        tally.unknown = tally.unknown or reached
    else:
        tally.levels.add(reached)
    if isinstance(level, Gap):
        tally.gap = tally.gap or level
        return
    if level not in LEVELS:
        return
    ways = [violations(facts, level, minor) for minor in minors]
    if all(ways):
        tally.wrong.append({"workload": pod.id, "violations": [w for w in ways[0] if all(w in way for way in ways)] or ways[0]})
    elif any(ways):
        tally.gap = tally.gap or _version_gap(minors)


def _agreed(of: Callable[[int], str], minors: Sequence[int]) -> str | Gap:
    said = {of(minor) for minor in minors}
    return said.pop() if len(said) == 1 else _version_gap(minors)


def _version_gap(minors: Sequence[int]) -> Gap:
    spelled = ", ".join(f"v1.{m}" for m in minors)
    return Gap(
        Reason.NOT_OFFERED, "", NOT_HERE, f"it depends on the version of the standards, which is that of the cluster ({spelled})"
    )


def of_namespace(namespace: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The Pod Security facts of a namespace."""
    tallies = world.memo(f"kubernetes.pod_security {namespace.scope}", lambda: _tallies(world, namespace.scope))
    tally = tallies.get(namespace.name, _Tally())
    more = next(
        (g for g in (unseen(world, namespace, native, "a workload of it", namespace.name) for native in RUNNING) if g is not None),
        None,
    )
    lowest = next((level for level in LEVELS if level in tally.levels), RESTRICTED)
    unknown = tally.unknown or more
    return {
        "pod_security_violations": tally.wrong,
        "pod_security_settled": tally.gap or more or True,
        "pod_security_met": lowest if lowest == PRIVILEGED or unknown is None else unknown,
    }


# ---- runtime classes

RUNTIME_CLASS = "node.k8s.io/v1/RuntimeClass"


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What runs a workload's containers: a name alone says nothing, the class behind it names the handler."""
    name = world.fact(pod, "runtime_class")
    if isinstance(name, Gap) or not name:
        return {"runtime_handler": name}
    found = world.get("runtime_class", object_id(pod.scope, "RuntimeClass.node.k8s.io", "", str(name)))
    if found is None:
        return {"runtime_handler": unseen(world, pod, RUNTIME_CLASS, f"the RuntimeClass {name}") or ""}
    return {"runtime_handler": world.fact(found, "handler")}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("runtime_handler",),
        of_workload,
        needs=("runtime_class",),
        reads={RUNTIME_CLASS: ("handler",)},
        native_types=POD_LIKE,
    ),
    Derivation(
        "namespace",
        ("pod_security_violations", "pod_security_settled", "pod_security_met"),
        of_namespace,
        needs=("pod_security_enforce", "pod_security_version"),
        reads={**dict.fromkeys(RUNNING, ("namespace", "finished", *NEEDED)), "kubernetes/v1/Cluster": ("version",)},
        native_types=(NAMESPACE,),
    ),
)
