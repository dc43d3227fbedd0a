"""A real API server: what it answers is read as our own files are, with the least rights, through its pages, refusals and expiries."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from collectors.kubernetes.client import Cluster, connect
from collectors.kubernetes.live import collect_cluster
from collectors.kubernetes.manifests import MANIFESTS, read_manifests
from collectors.kubernetes.names import ANY, FILES, split
from collectors.kubernetes.permissions import cluster_role, preflight
from collectors.kubernetes.tables import CLUSTER, OTHERS, WORKLOADS
from scanner.model import Extent, Reason
from tests.collectors.kubernetes.control_plane import ADMIN, HINT, Kubernetes, running
from tests.collectors.kubernetes.objects import container, deployment, pod, thing
from tests.collectors.kubernetes.sinks import MemorySink
from tests.conftest import tool

SCANNER, NOBODY = "scanner-made-up-token", "nobody-made-up-token"
USERS = {SCANNER: ("scanner", ["auditors"]), NOBODY: ("nobody", [])}
PODS = 25
pytestmark = pytest.mark.xdist_group("kube-apiserver")


@pytest.fixture(scope="module")
def kubernetes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kubernetes]:
    programs = {name: tool(name, HINT) for name in ("etcd", "kube-apiserver", "kube-controller-manager")}
    with running(programs, tmp_path_factory.mktemp("kubernetes"), USERS) as cluster:
        for table in (*OTHERS, *WORKLOADS):
            group, version, kind = split(table.native_type)
            if (group, kind) not in cluster.plurals and "." in group and table.plural != ANY:
                cluster.define(group, version, kind, table.plural, namespaced=table.namespaced)
        defined = cluster.ask("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")["items"]
        for item in defined:
            cluster.wait(f"/apis/{item['spec']['group']}/{item['spec']['versions'][0]['name']}/{item['spec']['names']['plural']}")
        cluster.discover()
        cluster.add(*objects())
        yield cluster


def objects() -> list[dict[str, Any]]:
    role = cluster_role()
    assert isinstance(role, dict)
    binding = thing(
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        "bartizan",
        None,
        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "bartizan"},
        subjects=[{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "auditors"}],
    )
    note = {"kubectl.kubernetes.io/last-applied-configuration": '{"x": "s3cr3t"}'}
    chat = deployment("chat", {"hostPID": True, "containers": [container()]}, annotations=note)
    chat["spec"]["selector"] = {"matchLabels": chat["spec"]["template"]["metadata"]["labels"]}
    return [
        role,
        binding,
        *(pod(f"p{i}", {"containers": [container(env=[{"name": "TOKEN", "value": "s3cr3t"}])]}) for i in range(PODS)),
        chat,
        thing("ray.io/v1", "RayCluster", "r", spec={"headGroupSpec": {"template": {"spec": {"containers": [container()]}}}}),
        thing("v1", "Secret", "s", stringData={"password": "s3cr3t"}),
    ]


def look(kubernetes: Kubernetes, token: str = SCANNER, page: int = 10) -> tuple[MemorySink, Cluster]:
    sink = MemorySink()
    cluster = Cluster(connect(kubernetes.kubeconfig(token), None), page=page, sleep=lambda _: None)
    collect_cluster(sink, cluster=cluster, now="")
    return sink, cluster


def test_the_least_role_sees_everything_and_no_secret(kubernetes: Kubernetes) -> None:
    sink, _ = look(kubernetes)
    short = {r.native_type: r.gap for r in sink.rows.values() if r.extent is not Extent.COMPLETE}
    assert set(short) == {"v1/Secret"}
    names = {r.name for r in sink.resources.values() if r.native_type == "v1/Pod"}
    assert names >= {f"p{i}" for i in range(PODS)}
    assert "s3cr3t" not in repr(sink.resources)
    with pytest.raises(urllib.error.HTTPError) as refused:
        kubernetes.ask("GET", "/api/v1/secrets", token=SCANNER)
    assert refused.value.code == 403


def test_what_it_is(kubernetes: Kubernetes) -> None:
    sink, _ = look(kubernetes)
    [cluster] = [r for r in sink.resources.values() if r.native_type == CLUSTER.native_type]
    assert cluster.facts["version"] == "v1.36.3"
    [source] = sink.sources
    assert source.identity == "scanner"


def test_somebody_without_rights(kubernetes: Kubernetes) -> None:
    sink, _ = look(kubernetes, NOBODY)
    asked = {t.native_type for t in (*OTHERS, *WORKLOADS) if t.plural != ANY} - {"v1/Secret", *FILES}
    gaps = {r.native_type: r.gap for r in sink.rows.values() if r.native_type in asked}
    assert {g.reason if g else None for g in gaps.values()} == {Reason.DENIED}
    refused = dict(preflight(cluster=Cluster(connect(kubernetes.kubeconfig(NOBODY), None))))
    assert set(refused) == set(gaps) | {"v1/Secret"}
    assert preflight({"v1/Pod": frozenset()}, cluster=Cluster(connect(kubernetes.kubeconfig(SCANNER), None))) == []


def test_pages_that_expire_on_the_way(kubernetes: Kubernetes) -> None:
    """The token of a page names a revision of etcd; once that is compacted, the server answers 410 with a token that goes on."""

    class Forgetful(Cluster):
        compacted = 0

        def request(self, method: str, path: str, query: Any = None, body: Any = None, accept: str = "application/json") -> Any:
            if path == "/api/v1/pods" and query and "continue" in query and not self.compacted:
                type(self).compacted += 1
                kubernetes.add(thing("v1", "Namespace", "later", None))
                kubernetes.compact()
            return super().request(method, path, query, body, accept)

    sink = MemorySink()
    cluster = Forgetful(connect(kubernetes.kubeconfig(SCANNER), None), page=10, sleep=lambda _: None)
    collect_cluster(sink, cluster=cluster, now="", demand={"v1/Pod": frozenset({"namespace"})})
    assert Forgetful.compacted == 1
    assert {r.name for r in sink.resources.values()} >= {f"p{i}" for i in range(PODS)}


GROUPS = {t.native_type for t in OTHERS if t.plural == ANY}
"""Types of which the real server has none: a group without custom resources."""
ESTATES = ("estates/ai_factory/manifests", "manifests")
ASSIGNED = frozenset({"uid", "controller_uid", "created", "pod_labels", "daemons", "taints"})
"""Facts that the server itself completes."""
REFUSED = {
    "ResourceClaimTemplate/profiler": "admin access to devices requires",
    "Pod/looked-into": "ephemeralContainers: Forbidden",
    "CertificateSigningRequest/ada": "updates may not add a condition",
}
"""Examples that the server does not take → what it says: faults that are there to be found in files, and what is only added later."""


@pytest.fixture
def granting(kubernetes: Kubernetes) -> Iterator[Kubernetes]:
    """What the examples grant is taken back: some of it is granted to everyone."""
    yield kubernetes
    kubernetes.ask("DELETE", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings?labelSelector=!kubernetes.io/bootstrapping")
    kubernetes.add(*objects()[:2])


@pytest.mark.usefixtures("granting")
@pytest.mark.parametrize("estate", ESTATES)
def test_our_examples_are_real_and_read_as_from_files(kubernetes: Kubernetes, estate: str, root: Path) -> None:
    """The server refuses what is no valid object; what it takes and gives back tells the same facts as the file."""
    folder = root / "fixtures" / estate
    items = [i for f in sorted(folder.glob("*.yaml")) for i in yaml.safe_load_all(f.read_text()) if i and "metadata" in i]
    served = [i for i in items if (i["apiVersion"].rpartition("/")[0], i["kind"]) in kubernetes.plurals]
    refused = {}
    for item in sorted(served, key=lambda i: str(i["kind"]) != "Namespace"):
        try:
            (kubernetes.add if item["kind"] == "Namespace" else kubernetes.put)(item)
        except AssertionError as error:
            refused[f"{item['kind']}/{item['metadata']['name']}"] = str(error)
    assert {name: text for name, text in refused.items() if REFUSED.get(name, "-") not in text} == {}
    sink, _ = look(kubernetes, ADMIN, page=500)
    live = {(kind, identity.replace("k8s/factory/", f"k8s/{MANIFESTS}/")): r for (kind, identity), r in sink.resources.items()}
    for resource in read_manifests([folder]).resources:
        named = f"{resource.native_type.rpartition('/')[2]}/{resource.name}"
        if resource.native_type == "v1/Secret" or resource.native_type in {*FILES, *GROUPS} or named in refused:
            continue
        found = json.loads(json.dumps(dict(live[resource.kind, resource.id].facts)).replace("k8s/factory/", f"k8s/{MANIFESTS}/"))
        differ = {f for f in set(found) | set(resource.facts) if found.get(f) != resource.facts.get(f)}
        assert differ <= ASSIGNED, (resource.id, {f: (found.get(f), resource.facts.get(f)) for f in differ - ASSIGNED})


def test_metadata_of_secrets(kubernetes: Kubernetes) -> None:
    sink = MemorySink()
    token = thing("v1", "Secret", "bot", metadata={"annotations": {"kubernetes.io/service-account.name": "bot"}})
    kubernetes.add({**token, "type": "kubernetes.io/service-account-token"})
    cluster = Cluster(connect(kubernetes.kubeconfig(ADMIN), None), page=1, sleep=lambda _: None)
    collect_cluster(
        sink, cluster=cluster, now="", demand={"v1/Secret": frozenset({"applied_copies", "owner"})}, secret_metadata=True
    )
    assert {(r.kind, r.name) for r in sink.resources.values()} >= {
        ("configuration", "s"),
        ("configuration", "bot"),
        ("credential", "bot"),
    }
    assert ("credential", "s") not in {(r.kind, r.name) for r in sink.resources.values()}
    assert "s3cr3t" not in repr((sink.resources, sink.answers))
