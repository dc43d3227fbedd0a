"""What a cluster serves: only a whole and sound answer says that a type is not there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.live import collect_cluster
from scanner.model import Coverage, Extent, Reason
from tests.collectors.kubernetes.apiserver import ApiServer, Reply, serving, status
from tests.collectors.kubernetes.sinks import MemorySink

CILIUM = "cilium.io/v2/CiliumNetworkPolicy"
RAY = "ray.io/v1/RayJob"
LISTING = "/apis/cilium.io/v2/ciliumnetworkpolicies"
DEMAND = {CILIUM: frozenset({"namespace"}), RAY: frozenset({"host_pid"})}


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving() as found:
        yield found


def look(server: ApiServer, folder: Path) -> MemorySink:
    sink = MemorySink()
    cluster = Cluster(connect(server.kubeconfig(folder), None), sleep=lambda _: None, attempts=2)
    collect_cluster(sink, cluster=cluster, demand=DEMAND)
    return sink


def cilium(sink: MemorySink) -> Coverage:
    return sink.rows[CILIUM, "network_policy", ""]


def without_cilium(server: ApiServer) -> None:
    for key in [k for k in server.served if k[0] == "cilium.io"]:
        del server.served[key]


@pytest.mark.parametrize("aggregated", [True, False])
def test_a_type_that_is_not_served_has_no_objects(server: ApiServer, tmp_path: Path, *, aggregated: bool) -> None:
    without_cilium(server)
    server.aggregated = aggregated
    sink = look(server, tmp_path)
    assert (cilium(sink).extent, cilium(sink).gap, cilium(sink).count) == (Extent.COMPLETE, None, 0)
    assert LISTING not in server.calls


def discovered(server: ApiServer, group: str, **more: Any) -> dict[str, Any]:
    types = [(v, p) for (g, p), (v, _, _) in server.served.items() if g == group]
    versions = [{"version": v, "resources": [{"resource": p} for w, p in types if w == v], **more} for v in {v for v, _ in types}]
    return {"metadata": {"name": group}, "versions": versions}


def aggregated_with(server: ApiServer, *more: Any) -> dict[str, Any]:
    groups = [discovered(server, g) for g in sorted({g for g, _ in server.served if g})]
    return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": [*groups, *more]}


STALE = {"metadata": {"name": "cilium.io"}, "versions": [{"version": "v2", "resources": [], "freshness": "Stale"}]}


@pytest.mark.parametrize(
    "reply",
    [
        (403, {}, status(403, "Forbidden")),
        (406, {}, status(406, "NotAcceptable")),
        (500, {}, status(500, "InternalError")),
        (503, {}, status(503, "ServiceUnavailable")),
        (429, {}, status(429, "TooManyRequests")),
        (0, {}, None),
        (200, {}, b"<html>a proxy's page</html>"),
        (200, {}, []),
        (200, {}, {"kind": "Status"}),
        (200, {}, {"kind": "APIGroupDiscoveryList"}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "items": None}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "items": []}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "items": {"apps": {}}}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "items": [{"versions": []}]}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "items": [None]}),
        (200, {}, {"kind": "APIGroupDiscoveryList", "metadata": {"continue": "2"}, "items": [{"metadata": {"name": "apps"}}]}),
        (200, {}, {"kind": "APIGroupList"}),
        (200, {}, {"kind": "APIGroupList", "groups": []}),
        (200, {}, {"kind": "APIGroupList", "groups": [{"versions": []}]}),
    ],
    ids=lambda r: f"{r[0]} {str(r[2])[:60]}",
)
def test_a_failed_discovery_is_no_absence(server: ApiServer, tmp_path: Path, reply: Reply) -> None:
    server.faults["/apis"] = [reply] * 9
    server.faults[LISTING] = [(503, {}, status(503, "ServiceUnavailable"))] * 9
    found = cilium(look(server, tmp_path))
    assert found.extent is Extent.ABSENT
    assert found.gap is not None
    assert found.gap.reason is Reason.TIMEOUT


@pytest.mark.parametrize(
    "group",
    [
        STALE,
        {"metadata": {"name": "cilium.io"}},
        {"metadata": {"name": "cilium.io"}, "versions": []},
        {"metadata": {"name": "cilium.io"}, "versions": [{"version": "v2", "resources": "?"}]},
    ],
)
def test_a_group_whose_server_is_down_is_no_absence(server: ApiServer, tmp_path: Path, group: dict[str, Any]) -> None:
    without_cilium(server)
    server.faults["/apis"] = [(200, {}, aggregated_with(server, group))]
    server.faults[LISTING] = [(503, {}, status(503, "ServiceUnavailable"))] * 9
    sink = look(server, tmp_path)
    assert cilium(sink).gap is not None
    assert sink.rows[RAY, "workload", ""].extent is Extent.COMPLETE  # the other groups are known all the same


@pytest.mark.parametrize(
    "reply", [(503, {}, status(503, "ServiceUnavailable")), (403, {}, status(403, "Forbidden")), (200, {}, {})]
)
def test_a_group_that_does_not_answer_is_no_absence(server: ApiServer, tmp_path: Path, reply: Reply) -> None:
    server.aggregated = False
    server.faults["/apis/cilium.io/v2"] = [reply] * 9
    server.faults[LISTING] = [(503, {}, status(503, "ServiceUnavailable"))] * 9
    sink = look(server, tmp_path)
    assert cilium(sink).gap is not None
    assert sink.rows[RAY, "workload", ""].extent is Extent.COMPLETE


def test_what_a_stale_group_remembers_is_asked_for(server: ApiServer, tmp_path: Path) -> None:
    stale = discovered(server, "cilium.io", freshness="Stale")
    server.faults["/apis"] = [(200, {}, {"kind": "APIGroupDiscoveryList", "items": [stale]})]
    assert cilium(look(server, tmp_path)).extent is Extent.COMPLETE
    assert server.calls[LISTING] == 1


CONSTRAINT = "constraints.gatekeeper.sh/v1beta1/Constraint"
CONSTRAINTS = "constraints.gatekeeper.sh"


def constraints(server: ApiServer, folder: Path) -> tuple[MemorySink, Coverage]:
    sink = MemorySink()
    cluster = Cluster(connect(server.kubeconfig(folder), None), sleep=lambda _: None, attempts=2)
    collect_cluster(sink, cluster=cluster, demand={CONSTRAINT: frozenset({"enforces"})})
    return sink, sink.rows[CONSTRAINT, "admission_policy", ""]


def constraint(kind: str) -> dict[str, Any]:
    return {"apiVersion": f"{CONSTRAINTS}/v1beta1", "kind": kind, "metadata": {"name": "c"}, "spec": {}}


@pytest.mark.parametrize("aggregated", [True, False])
def test_every_type_of_a_group(server: ApiServer, tmp_path: Path, aggregated: bool) -> None:  # noqa: FBT001 - a column
    """Gatekeeper makes a type for each template: discovery tells which there are."""
    server.aggregated = aggregated
    server.add(constraint("K8sAllowedRepos"), constraint("K8sRequiredProbes"))
    sink, row = constraints(server, tmp_path)
    assert (row.extent, row.gap, row.count) == (Extent.COMPLETE, None, 2)
    assert sorted(i for _, i in sink.resources) == [
        "k8s/factory/K8sAllowedRepos.constraints.gatekeeper.sh//c",
        "k8s/factory/K8sRequiredProbes.constraints.gatekeeper.sh//c",
    ]
    found = sink.resources["admission_policy", "k8s/factory/K8sAllowedRepos.constraints.gatekeeper.sh//c"]
    assert (found.native_type, found.facts) == (CONSTRAINT, {"enforces": True})
    assert found.where.locator == "k8sallowedrepos.constraints.gatekeeper.sh/c"


def test_a_group_that_is_not_served_has_no_objects(server: ApiServer, tmp_path: Path) -> None:
    server.served = {key: value for key, value in server.served.items() if key[0] != CONSTRAINTS}
    assert (constraints(server, tmp_path)[1].extent, constraints(server, tmp_path)[1].gap) == (Extent.COMPLETE, None)


def test_one_type_of_a_group_may_be_refused(server: ApiServer, tmp_path: Path) -> None:
    server.add(constraint("K8sAllowedRepos"), constraint("K8sRequiredProbes"))
    server.deny = {(CONSTRAINTS, "k8sallowedrepos")}
    sink, row = constraints(server, tmp_path)
    assert row.extent is Extent.PARTIAL
    assert row.gap is not None
    assert (row.gap.reason, len(sink.resources)) == (Reason.DENIED, 1)


def test_types_of_a_group_that_discovery_does_not_tell(server: ApiServer, tmp_path: Path) -> None:
    server.add(constraint("K8sAllowedRepos"))
    server.faults["/apis"] = [(403, {}, status(403, "Forbidden"))]
    row = constraints(server, tmp_path)[1]
    assert row.extent is Extent.ABSENT
    assert row.gap is not None
    assert row.gap.call == "constraints.gatekeeper.sh:*"
