"""A collection of a cluster that is interrupted, and continued."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.live import ELSEWHERE, collect_cluster
from collectors.kubernetes.tables import CLUSTER, TABLES
from scanner.cli import run
from scanner.model import Extent
from scanner.snapshot import INTERRUPTED, Snapshot
from tests.collectors.kubernetes.apiserver import ApiServer, serving
from tests.collectors.kubernetes.objects import deployment, pod, thing

BINDING = "rbac.authorization.k8s.io/v1/RoleBinding"
PODS = "/api/v1/pods"
DEPLOYMENTS = "/apis/apps/v1/deployments"
NODES = "/api/v1/nodes"


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving() as found:
        yield found


class Killed(Exception):  # noqa: N818 - what happened
    """The process ends here."""


def collect(server: ApiServer, path: Path, *, until: str = "", **options: Any) -> None:
    """Into a snapshot; ended without a word as soon as a listing of the type `until` would be written down."""

    class Ended(Snapshot):
        def coverage(self, row: Any) -> None:
            if until and row.native_type == until and row.region != ELSEWHERE:
                raise Killed
            super().coverage(row)

    with Ended.create(path, resume=path.exists()) as snapshot:
        done = frozenset((r.native_type, r.scope, r.region) for r in snapshot.listings() if r.extent is Extent.COMPLETE)
        cluster = Cluster(connect(server.kubeconfig(path.parent), None), sleep=lambda _: None)
        collect_cluster(snapshot, cluster=cluster, done=done, **options)


def extents(path: Path) -> dict[str, Extent]:
    with Snapshot.open(path) as snapshot:
        return {r.native_type: r.extent for r in snapshot.listings() if r.region != ELSEWHERE}


def owned(name: str) -> dict[str, Any]:
    item = pod(name)
    item["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d", "uid": "u1", "controller": True}
    ]
    return item


def test_what_was_to_be_listed_is_known_from_the_start(server: ApiServer, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with pytest.raises(Killed):
        collect(server, path, until="v1/Namespace")
    assert set(extents(path)) == {t.native_type for t in TABLES}
    assert {extent for native, extent in extents(path).items() if native != CLUSTER.native_type} == {Extent.ABSENT}
    with Snapshot.open(path) as snapshot:
        assert {r.gap for r in snapshot.listings() if r.native_type != CLUSTER.native_type} == {INTERRUPTED}
    collect(server, path)
    assert {n for n, e in extents(path).items() if e is not Extent.COMPLETE} == {"v1/Secret"}


def test_what_is_complete_is_not_asked_for_again(server: ApiServer, tmp_path: Path) -> None:
    path = tmp_path / "s"
    server.add(thing("v1", "Node", "n", None), deployment("d", uid="u1"), owned("d-1"), pod("alone"))
    collect(server, path)
    before = server.calls.copy()
    collect(server, path)
    assert {p for p, n in server.calls.items() if n > before[p]} == {
        "/version",
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        "/api/v1/namespaces/kube-system",
        "/apis",
    }
    assert extents(path)["v1/Pod"] is Extent.COMPLETE


def test_owners_are_listed_again_where_pods_are_missing(server: ApiServer, tmp_path: Path) -> None:
    path = tmp_path / "s"
    server.add(thing("v1", "Node", "n", None), deployment("d", uid="u1"), owned("d-1"), pod("alone"))
    with pytest.raises(Killed):
        collect(server, path, until="v1/Pod")
    assert extents(path)["apps/v1/Deployment"] is Extent.COMPLETE
    assert extents(path)["v1/Pod"] is Extent.ABSENT
    collect(server, path)
    assert (server.calls[NODES], server.calls[DEPLOYMENTS], server.calls[PODS]) == (1, 2, 2)
    with Snapshot.open(path) as snapshot:
        assert [r.name for r in snapshot.resources("workload")] == ["d", "alone"]
    assert extents(path)["v1/Pod"] is Extent.COMPLETE


def test_what_is_left_out_is_known_from_the_start(server: ApiServer, tmp_path: Path) -> None:
    path = tmp_path / "s"
    with pytest.raises(Killed):
        collect(server, path, until="v1/Namespace", namespaces=("team",))
    with Snapshot.open(path) as snapshot:
        assert [r.region for r in snapshot.listings() if r.native_type == BINDING] == [ELSEWHERE, "team"]
    collect(server, path, namespaces=("team",))
    with Snapshot.open(path) as snapshot:
        rows = {r.region: r for r in snapshot.listings() if r.native_type == BINDING}
    assert rows["team"].extent is Extent.COMPLETE
    assert rows[ELSEWHERE].gap is not None


def test_a_killed_process(server: ApiServer, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s"
    server.add(*(pod(f"p{i:04}", {"hostPID": False}) for i in range(1200)))
    server.expire = _Hang()
    options = ["--kubeconfig", server.kubeconfig(tmp_path), "--rule", "workload.host_pid", "--snapshot", str(path)]
    child = subprocess.Popen(
        [sys.executable, "-m", "scanner", "collect", "k8s", *options],
        env={**os.environ, "PYTHONPATH": str(root)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 30
    while time.monotonic() < end and not server.expire.reached:
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL, "it had ended before it was killed"
    server.expire = set()
    with Snapshot.open(path) as snapshot:
        assert snapshot.state == "collecting"
        assert 0 < len(list(snapshot.resources("workload"))) < 1200
        assert {r.native_type for r in snapshot.listings() if r.extent is not Extent.COMPLETE} >= {"v1/Pod"}
    assert run(["evaluate", str(path), "--rule", "workload.host_pid", "--fail-on", "none"]) == 4
    assert "interrupted" in capsys.readouterr().out
    assert run(["collect", "k8s", *options, "--resume"]) == 0
    with Snapshot.open(path) as snapshot:
        assert len(list(snapshot.resources("workload"))) == 1200
        assert snapshot.verify() == []
        assert [r.native_type for r in snapshot.listings() if r.gap == INTERRUPTED] == []
        assert {r.extent for r in snapshot.listings() if r.native_type in ("v1/Pod", "v1/Node")} == {Extent.COMPLETE}
    assert server.calls[NODES] == 1


class _Hang(set[str]):
    """Holds the second page of pods back."""

    reached = False

    def __contains__(self, path: object) -> bool:
        if path == PODS and not self.reached:
            self.reached = True
            time.sleep(1)
        return False
