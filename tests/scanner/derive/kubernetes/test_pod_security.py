"""The Pod Security Standards of pods and namespaces, and runtime classes."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.pod_security import BASELINE, RESTRICTED, met, violations
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, one, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "", "Allow it.")
SOUND = {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}
POD = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}


def spec(own: dict[str, Any] | None = None, first: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A pod spec that meets `restricted`, changed."""
    return {
        "securityContext": {**POD, **(own or {})},
        "containers": [container(securityContext={**SOUND, **(first or {})})],
        **more,
    }


def said(level: str, minor: int, **change: Any) -> list[str]:
    return violations(one(pod(spec=spec(**change))).facts, level, minor)


@pytest.mark.parametrize(
    ("change", "level", "minor", "expected"),
    [
        ({}, RESTRICTED, 37, []),
        # the effect of containers that override is sound, admission refuses the pod all the same
        ({"own": {"runAsNonRoot": False}, "first": {"runAsNonRoot": True}}, RESTRICTED, 34, ["the pod sets runAsNonRoot to false"]),
        ({"own": {"runAsUser": 0}, "first": {"runAsUser": 5}}, RESTRICTED, 34, ["the pod sets runAsUser to 0"]),
        ({"own": {"runAsUser": 0}, "first": {"runAsUser": 5}}, RESTRICTED, 22, []),
        (
            {"own": {"seLinuxOptions": {"type": "spc_t"}}, "first": {"seLinuxOptions": {"type": "container_t"}}},
            BASELINE,
            34,
            ["the pod sets the SELinux type spc_t"],
        ),
        # https://github.com/kubernetes/kubernetes/pull/132157
        ({"first": {"runAsUser": 0}, "hostUsers": False}, RESTRICTED, 34, ["container main sets runAsUser to 0"]),
        ({"first": {"runAsUser": 0}, "hostUsers": False}, RESTRICTED, 35, []),
        ({"first": {"procMount": "Unmasked"}, "hostUsers": False}, BASELINE, 34, ["container main mounts /proc as Unmasked"]),
        ({"first": {"procMount": "Unmasked"}, "hostUsers": False}, BASELINE, 35, []),
        ({"first": {"procMount": "Unmasked"}, "hostUsers": False}, RESTRICTED, 35, ["container main mounts /proc as Unmasked"]),
        (
            {"own": {"sysctls": [{"name": "net.ipv4.tcp_rmem", "value": "1"}]}},
            BASELINE,
            31,
            ["the pod sets the sysctl net.ipv4.tcp_rmem"],
        ),
        ({"own": {"sysctls": [{"name": "net.ipv4.tcp_rmem", "value": "1"}]}}, BASELINE, 32, []),
        (
            {"own": {"sysctls": [{"name": "net.ipv4.tcp_notsent_lowat", "value": "1"}]}},
            BASELINE,
            36,
            ["the pod sets the sysctl net.ipv4.tcp_notsent_lowat"],
        ),
        ({"own": {"sysctls": [{"name": "net.ipv4.tcp_notsent_lowat", "value": "1"}]}}, BASELINE, 37, []),
        ({"own": {"sysctls": [{"name": "kernel.msgmax", "value": "1"}]}}, BASELINE, 37, ["the pod sets the sysctl kernel.msgmax"]),
        (
            {"first": {"seLinuxOptions": {"type": "container_engine_t"}}},
            BASELINE,
            30,
            ["container main sets the SELinux type container_engine_t"],
        ),
        ({"first": {"seLinuxOptions": {"type": "container_engine_t"}}}, BASELINE, 31, []),
        ({"first": {"ulimits": [{"name": "nofile"}]}}, BASELINE, 36, []),
        ({"first": {"ulimits": [{"name": "nofile"}]}}, BASELINE, 37, ["container main sets ulimits"]),
        ({"volumes": [{"name": "v", "nfs": {"server": "s", "path": "/"}}]}, BASELINE, 37, []),
        ({"volumes": [{"name": "v", "nfs": {"server": "s", "path": "/"}}]}, RESTRICTED, 37, ["the pod has a volume of type nfs"]),
        ({"volumes": [{"name": "v", "image": {"reference": "r"}}]}, RESTRICTED, 37, []),
        (
            {"own": {"windowsOptions": {"hostProcess": True}}, "first": {"windowsOptions": {"hostProcess": False}}},
            BASELINE,
            37,
            ["the pod sets hostProcess"],
        ),
        ({"first": {"capabilities": {"drop": ["ALL"], "add": ["CAP_CHOWN"]}}}, BASELINE, 37, ["a container adds CAP_CHOWN"]),
    ],
)
def test_versions_of_the_standards(change: dict[str, Any], level: str, minor: int, expected: list[str]) -> None:
    assert said(level, minor, **change) == expected


@pytest.mark.parametrize("key", ["initContainers", "ephemeralContainers"])
def test_every_list_of_containers_counts(key: str) -> None:
    other = container("other", livenessProbe={"httpGet": {"host": "10.0.0.1"}})
    kind = {"initContainers": "init container", "ephemeralContainers": "ephemeral container"}[key]
    assert said(BASELINE, 33, **{key: [other]}) == []
    assert said(BASELINE, 34, **{key: [other]}) == [f"{kind} other has the kubelet call 10.0.0.1"]
    assert said(RESTRICTED, 33, **{key: [other]}) == [
        f"{kind} other does not set allowPrivilegeEscalation to false",
        f"{kind} other does not drop ALL capabilities",
    ]


def test_windows() -> None:
    bare = pod(spec={"os": {"name": "windows"}, "securityContext": {"runAsNonRoot": True}})
    assert violations(one(bare).facts, RESTRICTED, 25) == []
    assert len(violations(one(bare).facts, RESTRICTED, 24)) == 3


def test_levels() -> None:
    assert [met(one(pod(spec=s)).facts, 37) for s in (spec(), {}, {"hostPID": True})] == ["restricted", "baseline", "privileged"]
    assert violations(one(pod(spec={"hostPID": True})).facts, "privileged", 37) == []


# ---- namespaces

LABEL = "pod-security.kubernetes.io/enforce"


def namespace(level: str = "", version: str = "") -> dict[str, Any]:
    labels = ({LABEL: level} if level else {}) | ({f"{LABEL}-version": version} if version else {})
    return thing("v1", "Namespace", "team", None, metadata={"labels": labels})


CLUSTER = Resource(
    "k8s/c/Cluster.kubernetes//c",
    "cluster",
    "kubernetes/v1/Cluster",
    "kubernetes",
    "c",
    "",
    "c",
    facts={"version": "v1.36.2-eks-1"},
)


def rollup(
    *items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False, cluster: Resource | None = CLUSTER
) -> list[Any]:
    """(violations by workload, settled, met)"""
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    of = MemoryWorld([*found, *([cluster] if cluster else [])], gaps or {}, DERIVATIONS)
    (subject,) = of.all("namespace")
    facts = [of.fact(subject, f"pod_security_{n}") for n in ("violations", "settled", "met")]
    facts[0] = facts[0] if isinstance(facts[0], Gap) else {v["workload"].rpartition("/")[2]: v["violations"] for v in facts[0]}
    return [f.reason if isinstance(f, Gap) else f for f in facts]


HOST = ["the pod sets hostPID"]


def test_namespaces() -> None:
    assert rollup(namespace("baseline")) == [{}, True, "restricted"]
    assert rollup(namespace("baseline"), deployment()) == [{}, True, "baseline"]
    assert rollup(namespace("baseline"), deployment(), pod("p", {"hostPID": True})) == [{"p": HOST}, True, "privileged"]
    assert rollup(namespace("restricted"), deployment("d", spec()), pod("p", spec(hostPID=True))) == [
        {"p": HOST},
        True,
        "privileged",
    ]
    assert rollup(namespace(), pod("p", {"hostPID": True})) == [{}, True, "privileged"]
    assert rollup(namespace("privileged"), pod("p", {"hostPID": True})) == [{}, True, "privileged"]
    assert rollup(namespace("baseline"), pod("p", {"hostPID": True}, namespace="other")) == [{}, True, "restricted"]


def test_what_does_not_run_is_not_judged() -> None:
    template = thing("v1", "PodTemplate", "t", template={"spec": {"hostPID": True, "containers": [container()]}})
    ended = {**pod("p", {"hostPID": True}), "status": {"phase": "Failed"}}
    assert rollup(namespace("baseline"), template, ended) == [{}, True, "restricted"]


PROBE = deployment("d", spec(containers=[container(securityContext=SOUND, livenessProbe={"httpGet": {"host": "10.0.0.1"}})]))
CALLS = ["container main has the kubelet call 10.0.0.1"]


def test_the_version_that_counts() -> None:
    assert rollup(namespace("baseline", "v1.33"), PROBE) == [{}, True, "restricted"]
    assert rollup(namespace("baseline", "v1.34"), PROBE) == [{"d": CALLS}, True, "privileged"]
    assert rollup(namespace("baseline"), PROBE) == [{"d": CALLS}, True, "privileged"]
    old = CLUSTER.replace(facts={"version": "v1.33.0"})
    assert rollup(namespace("baseline"), PROBE, cluster=old) == [{}, True, "restricted"]
    # of manifests the version of the cluster is not known, and here it matters
    assert rollup(namespace("baseline"), PROBE, cluster=None) == [{}, Reason.NOT_OFFERED, Reason.NOT_OFFERED]
    assert rollup(namespace("baseline"), pod("p", {"hostPID": True}), cluster=None) == [{"p": HOST}, True, "privileged"]
    assert rollup(namespace("baseline", "newest"), PROBE) == [{}, Reason.NOT_OFFERED, Reason.NOT_OFFERED]


def test_what_was_not_seen() -> None:
    assert rollup(namespace("baseline"), deployment(), gaps={"v1/Pod": DENIED}) == [{}, Reason.DENIED, Reason.DENIED]
    assert rollup(namespace("baseline"), deployment(spec={"hostPID": True}), gaps={"v1/Pod": DENIED}) == [
        {"d": HOST},
        Reason.DENIED,
        "privileged",
    ]
    assert rollup(namespace("baseline"), deployment(), manifests=True, cluster=None) == [{}, Reason.NOT_OFFERED, Reason.NOT_OFFERED]
    served = thing(
        "serving.kserve.io/v1beta1", "InferenceService", "i", spec={"predictor": {"model": {"modelFormat": {"name": "x"}}}}
    )
    assert rollup(namespace("baseline"), served) == [{}, Reason.NOT_OFFERED, Reason.NOT_OFFERED]


def test_workloads_are_read_once_a_world() -> None:
    found = [
        r for n in range(30) for r in projected(thing("v1", "Namespace", f"n{n}", None)) + projected(deployment(namespace=f"n{n}"))
    ]
    of = MemoryWorld(found, {}, DERIVATIONS)
    subjects = list(of.all("namespace"))
    of.reads = 0
    for subject in subjects:
        of.fact(subject, "pod_security_met")
    assert of.reads < 100


# ---- runtime classes


def handler(*items: dict[str, Any], name: str = "sandbox", gaps: dict[str, Gap] | None = None, manifests: bool = False) -> Any:
    found = [r for i in (deployment(spec={"runtimeClassName": name} if name else {}), *items) for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    of = MemoryWorld(found, gaps or {}, DERIVATIONS)
    (subject,) = of.all("workload")
    fact = of.fact(subject, "runtime_handler")
    return fact.reason if isinstance(fact, Gap) else fact


def test_handlers() -> None:
    kata = thing("node.k8s.io/v1", "RuntimeClass", "sandbox", None, handler="kata-qemu")
    assert handler(kata) == "kata-qemu"
    assert handler(kata, name="") == ""
    assert handler() == ""
    assert handler(gaps={"node.k8s.io/v1/RuntimeClass": DENIED}) is Reason.DENIED
    assert handler(manifests=True) is Reason.NOT_OFFERED
    assert handler(kata, manifests=True) == "kata-qemu"
