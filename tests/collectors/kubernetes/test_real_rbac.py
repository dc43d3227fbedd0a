"""Who may do what: what is concluded from roles and bindings is what the server's own authorizer says."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from collectors.kubernetes.live import collect_cluster
from scanner.derive.catalogue import DERIVATIONS
from scanner.derive.kubernetes.grants import Bindings, Held, Key, bindings, effective, may, on
from scanner.derive.over import SnapshotWorld
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes import rbac_worlds
from tests.collectors.kubernetes.control_plane import ADMIN, HINT, Kubernetes, running
from tests.conftest import tool

pytestmark = pytest.mark.xdist_group("kube-apiserver")
SUBJECTS: Mapping[Key, tuple[str, list[str]]] = {
    **{
        ("account", n, a): (
            f"system:serviceaccount:{n}:{a}",
            ["system:serviceaccounts", f"system:serviceaccounts:{n}", "system:authenticated"],
        )
        for n in rbac_worlds.NAMESPACES
        for a in rbac_worlds.ACCOUNTS
    },
    ("user", "jane"): ("jane", ["system:authenticated"]),
}
"""Subject → how the server knows it."""
ASKED = [
    *itertools.product(
        ("", "apps", "ray.io"),
        ("pods", "pods/exec", "secrets", "deployments", "rayclusters"),
        ("get", "create"),
        ("", "alpha", "beta"),
    ),
    *itertools.product((rbac_worlds.RBAC,), ("clusterroles",), ("escalate", "bind"), ("",)),
    *itertools.product(("",), ("nodes/proxy", "serviceaccounts/token"), ("get", "create"), ("", "beta")),
]
"""(API group, resource, verb, namespace)."""


@pytest.fixture(scope="module")
def kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kubernetes]:
    programs = {name: tool(name, HINT) for name in ("etcd", "kube-apiserver", "kube-controller-manager")}
    with running(programs, tmp_path_factory.mktemp("rbac"), {}) as cluster:
        yield cluster


def allowed(held: list[Held], spaces: Mapping[str, str], group: str, resource: str, verb: str, namespace: str) -> bool:
    """Whether some binding grants it for every object of the namespace, or of the cluster."""
    return any(
        (h.wide or (namespace and spaces[h.grant] == namespace))
        and on(rule, (group,), (resource,))
        and may(rule, (verb,))
        and not rule["resource_names"]
        for h in held
        for rule in h.rules
    )


@pytest.mark.parametrize("seed", [1, 2])
def test_the_authorizer_agrees(kubernetes: Kubernetes, tmp_path: Path, seed: int) -> None:
    for path in (
        "clusterrolebindings",
        "clusterroles",
        *(f"namespaces/{n}/{p}" for n in rbac_worlds.NAMESPACES for p in ("roles", "rolebindings")),
    ):
        kubernetes.ask("DELETE", f"/apis/{rbac_worlds.RBAC}/v1/{path}?labelSelector=!kubernetes.io/bootstrapping")
    kubernetes.add(*rbac_worlds.objects(seed))
    time.sleep(2)  # the controller gathers roles, and the authorizer hears of it
    with Snapshot.create(tmp_path / "s") as snapshot:
        collect_cluster(snapshot, kubeconfig=kubernetes.kubeconfig(ADMIN), now="2026-11-30T00:00:00Z")
        snapshot.finish()
    with Snapshot.open(tmp_path / "s") as snapshot:
        world = SnapshotWorld(snapshot, DERIVATIONS)
        [scope] = {s.scope for s in snapshot.sources()}
        of: Bindings = bindings(world, scope)
        spaces = {g.id: str(g.facts.get("namespace") or "") for g in world.all("grant", scope)}
        differ, granted = [], 0
        for (key, (user, groups)), (group, resource, verb, namespace) in itertools.product(SUBJECTS.items(), ASKED):
            name, _, sub = resource.partition("/")
            attributes = {"group": group, "resource": name, "subresource": sub, "verb": verb, "namespace": namespace}
            theirs = kubernetes.allowed(user, groups, attributes)
            ours = allowed(effective(key, of), spaces, group, resource, verb, namespace)
            granted += theirs
            if theirs is not ours:
                differ.append((key, attributes, theirs))
    assert differ == []
    assert 20 < granted < len(SUBJECTS) * len(ASKED) - 20
