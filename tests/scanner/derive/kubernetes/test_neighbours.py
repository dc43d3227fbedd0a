"""Tenants on one node, on one GPU, and under one cloud identity."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import container, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:pods", "Allow it.")
RED, BLUE, BARE = (
    thing("v1", "Namespace", n, None, metadata={"labels": {"tenant": n} if n != "bare" else {}}) for n in ("red", "blue", "bare")
)
SPARE = thing("v1", "Namespace", "spare", None)
GPU = "nvidia.com/gpu"
SHARING = {f"{GPU}.sharing-strategy": "time-slicing", f"{GPU}.replicas": "4"}
KATA = thing("node.k8s.io/v1", "RuntimeClass", "kata", None, handler="kata-qemu-nvidia-gpu")
NVIDIA = thing("node.k8s.io/v1", "RuntimeClass", "nvidia", None, handler="nvidia")


def node(labels: dict[str, str] | None = None) -> dict[str, Any]:
    status = {"capacity": {GPU: "8"}}
    return thing("v1", "Node", "n", None, metadata={"labels": SHARING if labels is None else labels}, status=status)


def runs(namespace: str, name: str = "p", on: str = "n", resource: str = GPU, **spec: Any) -> dict[str, Any]:
    asked = [container(resources={"limits": {resource: 1}})] if resource else [container()]
    return pod(f"{name}-{namespace}", {"nodeName": on, "containers": asked, **spec}, namespace)


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, kind: str, *names: str) -> list[Any]:
    subject = next(iter(of.all(kind)))
    found = [of.fact(subject, name) for name in names]
    return [f.reason if isinstance(f, Gap) else f for f in found]


TENANTS = ("tenants", "unsandboxed_tenants", "tenants_settled")


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([], [[], [], True]),
        ([RED, runs("red")], [["red"], ["red"], True]),
        ([RED, BLUE, runs("red"), runs("blue")], [["blue", "red"], ["blue", "red"], True]),
        ([RED, BLUE, runs("red"), runs("blue", on="other")], [["red"], ["red"], True]),
        ([RED, BLUE, KATA, runs("red", runtimeClassName="kata"), runs("blue")], [["blue", "red"], ["blue"], True]),
        (
            [RED, BLUE, KATA, runs("red", runtimeClassName="kata"), runs("blue", runtimeClassName="kata")],
            [["blue", "red"], [], True],
        ),
        # the runtime class of the device toolkit is no sandbox
        ([RED, NVIDIA, runs("red", runtimeClassName="nvidia")], [["red"], ["red"], True]),
        # the platform does not count, nor does what has no accelerator count less
        ([RED, runs("red", resource=""), runs("kube-system")], [["red"], ["red"], True]),
        # one namespace is one tenant, whoever that is
        ([BARE, runs("bare")], [["namespace bare"], ["namespace bare"], True]),
        ([RED, BARE, runs("red"), runs("bare")], [["red"], ["red"], Reason.NOT_OFFERED]),
        ([BARE, SPARE, runs("bare"), runs("spare")], [[], [], Reason.NOT_OFFERED]),
        ([BARE, SPARE, KATA, runs("bare", runtimeClassName="kata"), runs("spare", runtimeClassName="kata")], [[], [], True]),
        ([RED, BLUE, runs("red", runtimeClassName="gone"), runs("blue")], [["blue", "red"], ["blue", "red"], True]),
    ],
)
def test_tenants_of_a_node(items: list[dict[str, Any]], found: list[Any]) -> None:
    assert told(world(node(), *items), "node", *TENANTS) == found


def test_nodes_of_which_not_everything_was_seen() -> None:
    both = (RED, BLUE, runs("red"), runs("blue"))
    assert told(world(node(), RED, runs("red"), gaps={"v1/Pod": DENIED}), "node", *TENANTS) == [["red"], ["red"], Reason.DENIED]
    assert told(world(node(), *both, gaps={"v1/Pod": DENIED}), "node", *TENANTS) == [
        ["blue", "red"],
        ["blue", "red"],
        Reason.DENIED,
    ]
    assert told(world(node(), *both, manifests=True), "node", *TENANTS)[-1] is Reason.NOT_OFFERED
    unsure = world(
        node(),
        RED,
        BLUE,
        runs("red", runtimeClassName="kata"),
        runs("blue", runtimeClassName="kata"),
        gaps={"node.k8s.io/v1/RuntimeClass": DENIED},
    )
    assert told(unsure, "node", *TENANTS) == [["blue", "red"], [], Reason.DENIED]
    alone = world(node(), RED, runs("red", runtimeClassName="kata"), gaps={"node.k8s.io/v1/RuntimeClass": DENIED})
    assert told(alone, "node", *TENANTS) == [["red"], [], True]


SHARERS = ("sharers", "sharers_settled")


@pytest.mark.parametrize(
    ("items", "tenants", "settled"),
    [
        ([RED, BLUE, runs("red"), runs("blue")], ["blue", "red"], True),
        ([RED, BLUE, runs("red"), runs("blue", resource="nvidia.com/gpu.shared")], ["blue", "red"], True),
        ([RED, BLUE, runs("red"), runs("blue", resource="")], ["red"], True),
        ([RED, BLUE, runs("red"), runs("blue", resource="nvidia.com/mig-1g.5gb")], ["red"], True),
        ([RED, BARE, runs("red"), runs("bare")], ["red"], Reason.NOT_OFFERED),
        ([RED, BLUE, runs("red"), runs("blue", resource="", resourceClaims=[{"name": "g"}])], ["red"], Reason.NOT_OFFERED),
        ([RED, runs("red", resourceClaims=[{"name": "g"}])], ["red"], True),
    ],
)
def test_tenants_of_a_shared_gpu(items: list[dict[str, Any]], tenants: list[str], settled: Any) -> None:
    assert told(world(node(), *items), "node", *SHARERS) == [[{"resource": GPU, "tenants": tenants}], settled]


def test_gpus_that_are_not_shared() -> None:
    whole = {f"{GPU}.sharing-strategy": "none", f"{GPU}.replicas": "1"}
    assert told(world(node(whole), RED, BLUE, runs("red"), runs("blue")), "node", *SHARERS) == [[], True]


def test_an_index_is_made_once() -> None:
    nodes = [thing("v1", "Node", f"n{i}", None, status={"capacity": {GPU: "8"}}) for i in range(20)]
    of = world(*nodes, RED, *(runs("red", f"p{i}", f"n{i}") for i in range(20)))
    for resource in list(of.all("node")):
        of.fact(resource, "tenants")
    assert of.reads <= 20 + 20 + 5


# ---- identities

ROLE = {"eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/train"}
SHARED = ("identity_shared_with", "identity_shared_with_settled")


def account(namespace: str, name: str = "sa", notes: dict[str, str] = ROLE) -> dict[str, Any]:
    return thing("v1", "ServiceAccount", name, namespace, metadata={"annotations": notes})


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ([account("blue")], [[], True]),
        ([account("blue"), account("blue", "sb")], [[], True]),
        ([BLUE, RED, account("blue"), account("red")], [["red"], True]),
        ([BLUE, account("blue"), account("kube-system")], [["the platform"], True]),
        ([BLUE, BARE, account("bare"), account("blue")], [[], Reason.NOT_OFFERED]),
        ([BLUE, RED, BARE, account("blue"), account("red"), account("spare")], [["red"], Reason.NOT_OFFERED]),
        ([BLUE, RED, account("blue"), account("red", notes={"eks.amazonaws.com/role-arn": "other"})], [[], True]),
        ([account("blue", notes={}), account("red", notes={})], [[], True]),
    ],
)
def test_shared_identities(items: list[dict[str, Any]], found: list[Any]) -> None:
    assert told(world(*items), "identity", *SHARED) == found


def test_accounts_that_were_not_seen() -> None:
    gaps = {"v1/ServiceAccount": DENIED}
    assert told(world(account("blue"), gaps=gaps), "identity", *SHARED) == [[], Reason.DENIED]
    assert told(world(BLUE, RED, account("blue"), account("red"), gaps=gaps), "identity", *SHARED) == [["red"], Reason.DENIED]
    assert told(world(account("blue"), manifests=True), "identity", *SHARED) == [[], Reason.NOT_OFFERED]
    assert told(world(account("blue", notes={}), manifests=True), "identity", *SHARED) == [[], True]
