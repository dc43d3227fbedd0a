"""Of a control plane that cannot be seen there is a verdict all the same: one a rule, on the cluster itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collectors.kubernetes.live import collect_cluster
from scanner.evaluate import Plan, evaluate
from scanner.model import Reason, Status, Verdict
from scanner.rules.library import load
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.apiserver import ApiServer, serving
from tests.collectors.kubernetes.objects import pod, thing

CLUSTER = "kubernetes/v1/Cluster"
LIBRARY = load()
RULES = tuple(r for r in LIBRARY.rules.values() if CLUSTER in r.covers and "v1/Pod" in r.covers)


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving() as running:
        yield running


def verdicts(server: ApiServer, folder: Path) -> list[Verdict]:
    path = folder / "cluster.snapshot"
    with Snapshot.create(path) as snapshot:
        collect_cluster(snapshot, kubeconfig=server.kubeconfig(folder), now="2026-11-30T00:00:00Z")
        snapshot.finish()
    params = {rule.id: rule.params for rule in RULES if rule.params}
    found = evaluate(Plan(path, RULES, LIBRARY.modules, params)).verdicts
    return [v for v in found if v.native_type == CLUSTER]


def test_there_are_such_rules() -> None:
    assert {"encryption.k8s_secrets_kms", "iam.k8s_authorization_mode", "logging.k8s_audit_log", "transit.k8s_etcd_tls"} <= {
        r.id for r in RULES
    }


def test_a_provider_runs_it(server: ApiServer, tmp_path: Path) -> None:
    server.version = "v1.35.2-eks-7f9249a"
    found = verdicts(server, tmp_path)
    assert {v.rule for v in found} == {r.id for r in RULES}
    assert {v.status for v in found} == {Status.NOT_APPLICABLE}
    assert {v.message for v in found} == {
        "exempt: its provider runs the control plane: the rules about the provider's cluster judge it"
    }


def test_nobody_shows_it(server: ApiServer, tmp_path: Path) -> None:
    server.version = "v1.35.2+k3s1"
    server.add(thing("v1", "Node", "n", None), pod("coredns", namespace="kube-system"))
    found = verdicts(server, tmp_path)
    assert {v.rule for v in found} == {r.id for r in RULES}
    assert {v.status for v in found} == {Status.UNKNOWN}
    assert all("no pod of kube-system shows how" in v.message for v in found)


def test_its_pods_may_not_be_listed(server: ApiServer, tmp_path: Path) -> None:
    server.version = "v1.35.2-eks-7f9249a"  # EKS Anywhere has the same version, and pods that would show it
    server.deny = {("", "pods")}
    found = verdicts(server, tmp_path)
    assert {v.rule for v in found} == {r.id for r in RULES}
    assert {v.status for v in found} == {Status.UNKNOWN}
    assert {g.reason for v in found for g in v.gaps} == {Reason.DENIED}
