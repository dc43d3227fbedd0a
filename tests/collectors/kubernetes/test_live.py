"""The live collector, through the real client, against an API server on the loopback address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.names import FILES
from collectors.kubernetes.permissions import cluster_role, preflight
from collectors.kubernetes.tables import CLUSTER, MADE, TABLES
from collectors.run import Limits
from scanner.model import BartizanError, Coverage, Extent, Outcome, Reason
from tests.collectors.kubernetes.apiserver import USER, ApiServer, serving, status
from tests.collectors.kubernetes.objects import container, deployment, pod, thing
from tests.collectors.kubernetes.sinks import MemorySink

NOW = "2026-11-30T00:00:00Z"
PODS = "/api/v1/pods"
DEPLOYMENTS = "/apis/apps/v1/deployments"


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving() as found:
        found.add(
            thing("v1", "Namespace", "kube-system", None, metadata={"uid": "cluster-uid"}), thing("v1", "Namespace", "team", None)
        )
        yield found


def look(server: ApiServer, folder: Path, *, page: int = 500, attempts: int = 3, **options: Any) -> MemorySink:
    sink = MemorySink()
    cluster = Cluster(connect(server.kubeconfig(folder), None), page=page, sleep=lambda _: None, attempts=attempts)
    collect_cluster(sink, cluster=cluster, now=NOW, **options)
    return sink


def row(sink: MemorySink, native_type: str, kind: str = "workload", region: str = "") -> Coverage:
    return sink.rows[native_type, kind, region]


def named(sink: MemorySink, kind: str = "workload") -> list[str]:
    return sorted(r.name for (k, _), r in sink.resources.items() if k == kind)


def test_a_cluster(server: ApiServer, tmp_path: Path) -> None:
    server.add(deployment("d", uid="u1"), pod("alone"))
    sink = look(server, tmp_path)
    (source,) = sink.sources
    assert (source.id, source.mode, source.scope, source.identity, source.collected_at) == (
        "k8s:factory",
        "live",
        "factory",
        USER,
        NOW,
    )
    assert source.tool == "Kubernetes v1.34.2, kube-system uid cluster-uid"
    assert named(sink) == ["alone", "d"]
    found = sink.resources["workload", "k8s/factory/Deployment.apps/team/d"]
    assert found.where.locator == "-n team deployments.apps/d"
    assert found.source == "k8s:factory"
    call = next(c for c, _ in sink.answers if c.id == found.origins["containers"].call)
    assert (call.service, call.operation, call.outcome) == ("apps/v1", "deployments", Outcome.OK)
    types = {t.native_type for t in TABLES}
    assert {n for n, _, _ in sink.rows} == types == {r.native_type for r in sink.expected}
    assert {r.native_type for r in sink.rows.values() if r.gap is not None} == {"v1/Secret"}


def test_secrets_are_never_asked_for(server: ApiServer, tmp_path: Path) -> None:
    server.add(thing("v1", "Secret", "s", data={"a": "dmFsdWU="}))
    sink = look(server, tmp_path)
    assert [p for _, p, _ in server.requests if "secret" in p] == []
    found = row(sink, "v1/Secret", "credential")
    assert found.extent is Extent.ABSENT
    assert found.gap is not None
    assert found.gap.reason is Reason.NOT_OFFERED
    assert "manifests" in found.gap.remedy


def test_pages(server: ApiServer, tmp_path: Path) -> None:
    server.add(*(pod(f"p{i:03}") for i in range(25)))
    sink = look(server, tmp_path, page=10)
    assert named(sink) == [f"p{i:03}" for i in range(25)]
    assert [q for _, p, q in server.requests if p == PODS] == [
        {"limit": "10"},
        {"limit": "10", "continue": "10"},
        {"limit": "10", "continue": "20"},
    ]
    assert [n for n in sink.pages if n] == [1, 2, 10, 10, 5]
    assert row(sink, "v1/Pod").count == 25


@pytest.mark.parametrize("carries_token", [True, False])
def test_an_expired_listing_goes_on(server: ApiServer, tmp_path: Path, *, carries_token: bool) -> None:
    server.add(*(pod(f"p{i:03}") for i in range(25)))
    server.expire, server.expired_token = {PODS}, carries_token
    sink = look(server, tmp_path, page=10)
    assert len(named(sink)) == 25
    assert row(sink, "v1/Pod").extent is Extent.COMPLETE
    tokens = [q.get("continue") for _, p, q in server.requests if p == PODS]
    assert tokens == [None, "10", "fresh-10", "20"] if carries_token else [None, "10", None, "10", "20"]


def test_a_listing_that_expires_for_ever_is_partial(server: ApiServer, tmp_path: Path) -> None:
    server.add(*(pod(f"p{i:03}") for i in range(25)))
    server.faults[PODS] = []

    class Always(set[str]):
        def discard(self, _: str) -> None:
            """Never."""

    server.expire, server.expired_token = Always({PODS}), False
    found = row(look(server, tmp_path, page=10), "v1/Pod")
    assert (found.extent, found.count) == (Extent.PARTIAL, 20)
    assert found.gap is not None
    assert found.gap.reason is Reason.TRUNCATED


def test_a_refused_listing_names_the_verb(server: ApiServer, tmp_path: Path) -> None:
    server.add(deployment("d"), pod("p"))
    server.deny = {("apps", "deployments"), ("", "namespaces")}
    sink = look(server, tmp_path)
    found = row(sink, "apps/v1/Deployment")
    assert found.extent is Extent.ABSENT
    assert found.gap is not None
    assert found.gap.reason is Reason.DENIED
    assert found.gap.call == "apps/v1:deployments"
    assert found.gap.remedy == f'Allow verbs [get, list] on deployments of apiGroups ["apps"] to {USER}.'
    assert "403 Forbidden" in found.gap.detail
    assert row(sink, "v1/Namespace", "namespace").gap is not None
    assert named(sink) == ["p"]
    assert row(sink, "v1/Pod").extent is Extent.COMPLETE
    (failed,) = [c for c, _ in sink.answers if c.operation == "deployments"]
    assert (failed.outcome, failed.reason) == (Outcome.FAILED, Reason.DENIED)


def test_a_type_that_is_not_served_has_no_objects(server: ApiServer, tmp_path: Path) -> None:
    server.served = {k: v for k, v in server.served.items() if k[0] != "ray.io" and k != ("kubeflow.org", "mpijobs")}
    sink = look(server, tmp_path)
    for native, kind in (
        ("ray.io/v1/RayCluster", "workload"),
        ("ray.io/v1/RayCluster", "model_service"),
        ("kubeflow.org/v1/MPIJob", "workload"),
    ):
        found = row(sink, native, kind)
        assert (found.extent, found.gap, found.count) == (Extent.COMPLETE, None, 0)
    assert [p for _, p, _ in server.requests if "ray" in p or "mpi" in p] == []


@pytest.mark.parametrize("aggregated", [True, False])
def test_the_version_that_is_served_is_asked_for(server: ApiServer, tmp_path: Path, *, aggregated: bool) -> None:
    server.aggregated = aggregated
    server.served["kubeflow.org", "mpijobs"] = ("v2beta1", True, "MPIJob")
    server.add(
        thing(
            "kubeflow.org/v2beta1",
            "MPIJob",
            "m",
            spec={"mpiReplicaSpecs": {"Worker": {"template": {"spec": {"containers": [container()]}}}}},
        )
    )
    sink = look(server, tmp_path)
    assert named(sink) == ["m/Worker"]
    assert server.calls["/apis/kubeflow.org/v2beta1/mpijobs"] == 1
    assert {r.gap for r in sink.rows.values() if r.native_type != "v1/Secret"} == {None}


def test_without_discovery_every_type_is_tried(server: ApiServer, tmp_path: Path) -> None:
    server.add(deployment("d"))
    server.faults["/apis"] = [(403, {}, status(403, "Forbidden"))]
    del server.served["ray.io", "rayjobs"]
    sink = look(server, tmp_path)
    assert named(sink) == ["d"]
    gap = row(sink, "ray.io/v1/RayJob").gap
    assert gap is not None
    assert gap.reason is Reason.SERVICE_OFF


def test_a_group_that_cannot_be_discovered_is_tried(server: ApiServer, tmp_path: Path) -> None:
    server.aggregated = False
    server.broken_groups = {"apps"}
    server.add(deployment("d"))
    assert named(look(server, tmp_path, attempts=1)) == ["d"]


@pytest.mark.parametrize(
    "fault",
    [
        (429, {"Retry-After": "1"}, status(429, "TooManyRequests")),
        (503, {}, status(503, "ServiceUnavailable")),
        (500, {}, b"oops"),
        (0, {}, None),
    ],
    ids=["429", "503", "500", "broken connection"],
)
def test_load_is_waited_out(server: ApiServer, tmp_path: Path, fault: Any) -> None:
    server.add(pod("p"))
    server.faults[PODS] = [fault, fault]
    sink = look(server, tmp_path)
    assert named(sink) == ["p"]
    assert server.calls[PODS] == 3
    assert [c.retries for c, _ in sink.answers if c.operation == "pods"] == [2]


def test_waiting_obeys_the_server_within_bounds(server: ApiServer, tmp_path: Path) -> None:
    waits: list[float] = []
    server.faults[PODS] = [(429, {"Retry-After": str(s)}, status(429, "TooManyRequests")) for s in (2, 9999)]
    cluster = Cluster(connect(server.kubeconfig(tmp_path), None), sleep=waits.append)
    collect_cluster(MemorySink(), cluster=cluster, demand={"v1/Pod": frozenset()})
    assert waits == [2.0, 30.0]


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ((429, {}, status(429, "TooManyRequests")), Reason.THROTTLED),
        ((503, {}, status(503, "ServiceUnavailable")), Reason.TIMEOUT),
        ((0, {}, None), Reason.TIMEOUT),
        ((200, {}, b"<html>"), Reason.UNPARSABLE),
        ((200, {}, b"[" * 200_000), Reason.UNPARSABLE),
        ((200, {}, []), Reason.UNPARSABLE),
        ((200, {}, {"kind": "PodList", "items": [1]}), Reason.UNPARSABLE),
        ((200, {}, {"kind": "PodList", "items": {"a": 1}}), Reason.UNPARSABLE),
        ((422, {}, status(422, "Invalid")), Reason.UNPARSABLE),
    ],
)
def test_what_does_not_mend_is_a_gap(server: ApiServer, tmp_path: Path, fault: Any, reason: Reason) -> None:
    server.add(pod("p"), deployment("d"))
    server.faults[PODS] = [fault] * 9
    sink = look(server, tmp_path)
    found = row(sink, "v1/Pod")
    assert found.extent is Extent.ABSENT
    assert found.gap is not None
    assert found.gap.reason is reason
    assert named(sink) == ["d"]


def test_an_empty_list_may_be_null(server: ApiServer, tmp_path: Path) -> None:
    server.faults[PODS] = [(200, {}, {"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": None})]
    assert row(look(server, tmp_path), "v1/Pod").extent is Extent.COMPLETE


def test_a_page_lost_on_the_way_is_partial(server: ApiServer, tmp_path: Path) -> None:
    server.add(*(pod(f"p{i:03}") for i in range(25)))
    original = server.expire

    class Later(set[str]):
        def __contains__(self, path: object) -> bool:
            if path == PODS:
                server.faults[PODS] = [(403, {}, status(403, "Forbidden"))]
            return path in original

    server.expire = Later()
    found = row(look(server, tmp_path, page=10), "v1/Pod")
    assert (found.extent, found.count) == (Extent.PARTIAL, 20)


def test_expired_credentials_end_the_scan(server: ApiServer, tmp_path: Path) -> None:
    kubeconfig = Path(server.kubeconfig(tmp_path))
    kubeconfig.write_text(kubeconfig.read_text().replace("made-up-token", "old-token"))
    sink = MemorySink()
    cluster = Cluster(connect(str(kubeconfig), None), sleep=lambda _: None)
    collect_cluster(sink, cluster=cluster, now=NOW)
    gaps = {r.gap for r in sink.rows.values() if r.native_type not in {"v1/Secret", *FILES}}
    assert {g.reason for g in gaps if g} == {Reason.DENIED}
    assert None not in gaps
    assert {g.remedy for g in gaps if g} == {"Log in to the cluster again."}
    assert sum(server.calls[p] for p in server.calls if p.endswith("s") and p.count("/") > 2) <= 2


def test_nothing_listens(tmp_path: Path, server: ApiServer) -> None:
    kubeconfig = Path(server.kubeconfig(tmp_path))
    kubeconfig.write_text(kubeconfig.read_text().replace(str(server.server_address[1]), "9"))
    sink = MemorySink()
    collect_cluster(
        sink,
        cluster=Cluster(connect(str(kubeconfig), None), sleep=lambda _: None, attempts=2),
        demand={"v1/Pod": frozenset({"host_pid"})},
    )
    gap = row(sink, "v1/Pod").gap
    assert gap is not None
    assert gap.reason is Reason.TIMEOUT


def test_waivers_in_annotations(server: ApiServer, tmp_path: Path) -> None:
    note = 'until=2027-01-31 reason="the driver" owner=ml'
    server.add(pod("p", {"containers": [container()]}, annotations={"bartizan.io/waive.workload.privileged": note}))
    sink = look(server, tmp_path)
    (found,) = sink.inline
    (workload,) = [r for (k, _), r in sink.resources.items() if k == "workload"]
    assert (found.text, found.resource, found.where.block) == (f"workload.privileged {note}", workload.id, (0, 0))
    assert found.source == sink.sources[0].id


def test_evidence_holds_no_secret(server: ApiServer, tmp_path: Path) -> None:
    env = [{"name": "HF_TOKEN", "value": "hf-s3cret"}, {"name": "MODE", "value": "pl41n"}]
    server.add(
        pod(
            "p",
            {"containers": [container(env=env, args=["--api-key", "k3y"])]},
            annotations={"kubectl.kubernetes.io/last-applied-configuration": "l4st"},
            managedFields=[{"m4naged": 1}],
        )
    )
    server.objects["", "pods"][0]["status"] = {"phase": "Running", "podIP": "st4tus"}
    sink = look(server, tmp_path)
    text = json.dumps([a for _, a in sink.answers]) + repr(sink.resources)
    assert [s for s in ("hf-s3cret", "pl41n", "k3y", "l4st", "m4naged", "st4tus") if s in text] == []
    (found,) = [r for (k, _), r in sink.resources.items() if k == "workload"]
    assert found.facts["containers"][0]["hub_tokens"] == ["HF_TOKEN", "args[1]"]


def test_owned_pods_are_judged_on_their_owner(server: ApiServer, tmp_path: Path) -> None:
    def owned(item: dict[str, Any], kind: str, api: str, uid: str) -> dict[str, Any]:
        item["metadata"]["ownerReferences"] = [{"apiVersion": api, "kind": kind, "name": "x", "uid": uid, "controller": True}]
        return item

    replica_set = owned({**deployment("d-1", uid="u2"), "kind": "ReplicaSet"}, "Deployment", "apps/v1", "u1")
    old = owned({**deployment("d-0", {"hostPID": True}, uid="u3"), "kind": "ReplicaSet"}, "Deployment", "apps/v1", "u1")
    old["spec"]["replicas"] = 0
    server.add(
        deployment("d", uid="u1"),
        replica_set,
        old,
        owned(pod("d-1-a"), "ReplicaSet", "apps/v1", "u2"),
        owned(pod("d-1-b", {"hostNetwork": True}), "ReplicaSet", "apps/v1", "u2"),
        owned(pod("d-1-c", {"hostNetwork": True}), "ReplicaSet", "apps/v1", "u2"),
        owned(pod("stranger"), "Thing", "example.com/v1", "u9"),
    )
    assert named(look(server, tmp_path)) == ["d", "d-1-b", "stranger"]


def test_an_owner_that_could_not_be_listed_speaks_for_nobody(server: ApiServer, tmp_path: Path) -> None:
    item = pod("p")
    item["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "s", "uid": "u", "controller": True}
    ]
    server.add(item)
    server.deny = {("apps", "statefulsets")}
    sink = look(server, tmp_path)
    (found,) = [r for (k, _), r in sink.resources.items() if k == "workload"]
    assert (found.name, found.facts["controller"]) == ("p", "StatefulSet/s")


def test_status_that_tables_read(server: ApiServer, tmp_path: Path) -> None:
    service = thing("v1", "Service", "s", spec={"type": "LoadBalancer"}, status={"loadBalancer": {"ingress": [{"ip": "10.0.0.7"}]}})
    node = thing(
        "v1",
        "Node",
        "n",
        None,
        status={"capacity": {"nvidia.com/gpu": "8"}, "nodeInfo": {"kubeletVersion": "v1.34.2"}, "images": ["x"]},
    )
    server.add(service, node)
    sink = look(server, tmp_path)
    assert sink.resources["endpoint", "k8s/factory/Service/team/s"].facts["internet_facing"] is False
    found = sink.resources["node", "k8s/factory/Node//n"].facts
    assert (found["accelerator"], found["kubelet_version"]) == (True, "v1.34.2")


def test_some_namespaces(server: ApiServer, tmp_path: Path) -> None:
    server.add(
        pod("a", namespace="team"),
        pod("b", namespace="other"),
        thing("storage.k8s.io/v1", "StorageClass", "fast", None, provisioner="x"),
    )
    server.deny = {("", "nothing")}
    sink = look(server, tmp_path, namespaces=("team", "ghost"))
    assert named(sink) == ["a"]
    assert named(sink, "namespace") == ["team"]
    assert named(sink, "data_store") == ["fast"]
    assert PODS not in server.calls
    assert server.calls["/api/v1/namespaces/team/pods"] == 1
    assert "/api/v1/namespaces" not in server.calls
    assert row(sink, "v1/Pod", region="team").extent is Extent.COMPLETE
    assert row(sink, "v1/Pod", region="ghost").extent is Extent.COMPLETE
    assert sink.problems == ["k8s: --namespaces ghost: the cluster has no such namespace"]
    assert row(sink, "v1/Namespace", "namespace").extent is Extent.COMPLETE
    # a route of another namespace may lead to a service of this one, and so on
    for native, kind in (
        ("rbac.authorization.k8s.io/v1/RoleBinding", "grant"),
        ("networking.istio.io/v1/VirtualService", "endpoint"),
        ("projectcalico.org/v3/NetworkSet", "configuration"),
    ):
        others = row(sink, native, kind, "(other namespaces)")
        assert others.gap is not None
        assert others.gap.reason is Reason.NOT_OFFERED


def test_only_what_is_asked_for(server: ApiServer, tmp_path: Path) -> None:
    server.add(pod("a"))
    sink = look(server, tmp_path, demand={"v1/Pod": frozenset({"host_pid"})})
    assert {p for _, p, _ in server.requests} == {
        "/version",
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        "/api/v1/namespaces/kube-system",
        "/apis",
        PODS,
    }
    (found,) = sink.resources.values()
    assert dict(found.facts) == {"host_pid": False}


def test_the_deadline(server: ApiServer, tmp_path: Path) -> None:
    sink = look(server, tmp_path, limits=Limits(deadline=1e-9))
    gaps = [r.gap for r in sink.rows.values() if r.native_type not in {"v1/Secret", CLUSTER.native_type, *FILES}]
    assert {g.reason if g else None for g in gaps} == {Reason.TRUNCATED}


def test_progress(server: ApiServer, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    look(server, tmp_path, demand={"v1/Pod": frozenset(), "v1/Node": frozenset()}, progress=lambda *step: seen.append(step))
    assert seen == [("v1/Node", 1, 2), ("v1/Pod", 2, 2)]


# ---- configuration


def test_contexts(server: ApiServer, tmp_path: Path) -> None:
    kubeconfig = server.kubeconfig(tmp_path, name="arn:aws:eks:eu-west-1:111122223333:cluster/factory")
    assert connect(kubeconfig, "main").name == "arn:aws:eks:eu-west-1:111122223333:cluster/factory"
    with pytest.raises(BartizanError, match="no context 'other'; it has: main"):
        connect(kubeconfig, "other")


@pytest.mark.parametrize("content", [None, "", "a: [", "apiVersion: v1\nkind: Config\n", "clusters: 1\ncontexts: 2\n"])
def test_no_usable_kubeconfig(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "kubeconfig"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BartizanError) as error:
        connect(str(path), None)
    assert error.value.code == 2
    assert "--kubeconfig" in str(error.value)


def test_no_kubeconfig_at_all() -> None:
    with pytest.raises(BartizanError):
        connect(None, None)


# ---- permissions


def test_the_least_role() -> None:
    role = cluster_role(
        {
            "v1/Pod": frozenset({"host_pid"}),
            "apps/v1/Deployment": frozenset(),
            "v1/Secret": frozenset(),
            "AWS::KMS::Key": frozenset(),
        }
    )
    assert role == {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "bartizan"},
        "rules": [
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]},
            {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]},
        ],
    }
    every = {(r["apiGroups"][0], p) for r in cluster_role()["rules"] for p in r["resources"]}
    assert ("", "secrets") not in every
    with_secrets = cluster_role({"v1/Secret": frozenset()}, secret_metadata=True)["rules"]
    assert with_secrets == [{"apiGroups": [""], "resources": ["secrets"], "verbs": ["get", "list"]}]
    assert {verb for r in cluster_role()["rules"] for verb in r["verbs"]} == {"get", "list"}
    assert len(every) == len({t.native_type for t in TABLES} - FILES - MADE) - 1


def test_the_least_role_is_enough(server: ApiServer, tmp_path: Path) -> None:
    role = cluster_role()
    allowed = {(r["apiGroups"][0], p) for r in role["rules"] for p in r["resources"]}
    server.deny = {(g, p) for g, p in server.served if not {(g, p), (g, "*")} & allowed}
    assert {r.gap for r in look(server, tmp_path).rows.values() if r.native_type != "v1/Secret"} == {None}


def test_preflight(server: ApiServer, tmp_path: Path) -> None:
    del server.served["ray.io", "rayjobs"]
    server.deny = {("apps", "deployments"), ("", "pods")}
    cluster = Cluster(connect(server.kubeconfig(tmp_path), None), sleep=lambda _: None)
    demand = dict.fromkeys(("v1/Pod", "apps/v1/Deployment", "ray.io/v1/RayJob", "v1/Service", "v1/Secret"), frozenset[str]())
    found = preflight(demand, cluster=cluster)
    assert {(n, g.reason) for n, g in found} == {
        ("v1/Pod", Reason.DENIED),
        ("apps/v1/Deployment", Reason.DENIED),
        ("v1/Secret", Reason.NOT_OFFERED),
    }
    remedy = next(g.remedy for n, g in found if n == "apps/v1/Deployment")
    assert remedy == 'Allow verbs [get, list] on deployments of apiGroups ["apps"].'
    assert [p for _, p, _ in server.requests if p in (PODS, DEPLOYMENTS)] == []


def test_preflight_that_cannot_ask(server: ApiServer, tmp_path: Path) -> None:
    path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
    server.faults[path] = [(403, {}, status(403, "Forbidden"))]
    cluster = Cluster(connect(server.kubeconfig(tmp_path), None), sleep=lambda _: None)
    ((native, gap),) = preflight({"v1/Pod": frozenset()}, cluster=cluster)
    assert (native, gap.reason, gap.call) == ("v1/Pod", Reason.DENIED, "authorization.k8s.io/v1:selfsubjectaccessreviews")


def test_preflight_by_namespace(server: ApiServer, tmp_path: Path) -> None:
    server.deny = {("", "pods")}
    cluster = Cluster(connect(server.kubeconfig(tmp_path), None))
    found = preflight({"v1/Pod": frozenset(), "v1/Namespace": frozenset()}, cluster=cluster, namespaces=("a", "b"))
    assert [g.remedy.rsplit(" ", 1)[1] for _, g in found] == ["a.", "b."]


def test_of_secrets_the_metadata_alone(server: ApiServer, tmp_path: Path) -> None:
    note = {"kubectl.kubernetes.io/last-applied-configuration": '{"data": {"k": "s3cr3t"}}'}
    server.add(
        {**thing("v1", "Secret", "plain", metadata={"annotations": note}, data={"k": "s3cr3t"}), "type": "Opaque"},
        {
            **thing(
                "v1",
                "Secret",
                "token",
                metadata={"annotations": {"kubernetes.io/service-account.name": "bot"}},
                data={"token": "s3cr3t"},
            ),
            "type": "kubernetes.io/service-account-token",
        },
    )
    sink = look(
        server, tmp_path, demand={"v1/Secret": frozenset({"applied_copies", "owner", "credential_type"})}, secret_metadata=True
    )
    assert {(r.kind, r.name): dict(r.facts) for r in sink.resources.values()} == {
        ("configuration", "plain"): {"applied_copies": [*note]},
        ("configuration", "token"): {"applied_copies": []},
        ("credential", "token"): {"credential_type": "service_account_token", "owner": "k8s/factory/ServiceAccount/team/bot"},
    }
    assert {r.extent for r in sink.rows.values() if r.native_type == "v1/Secret"} == {Extent.COMPLETE}
    assert "s3cr3t" not in repr((sink.resources, sink.answers))
    queries = [query["fieldSelector"] for _, path, query in server.requests if path == "/api/v1/secrets"]
    assert queries == ["type=kubernetes.io/service-account-token", "type!=kubernetes.io/service-account-token"]


def test_a_server_that_gives_more_than_metadata_is_not_listened_to(server: ApiServer, tmp_path: Path) -> None:
    server.metadata_only = False
    server.add(thing("v1", "Secret", "plain", data={"k": "s3cr3t"}))
    sink = look(server, tmp_path, demand={"v1/Secret": frozenset({"applied_copies"})}, secret_metadata=True)
    assert not [r for r in sink.resources.values() if r.native_type == "v1/Secret"]
    assert {r.gap.reason for r in sink.rows.values() if r.native_type == "v1/Secret" and r.gap} == {Reason.NOT_OFFERED}
    assert "s3cr3t" not in repr(sink.answers)
