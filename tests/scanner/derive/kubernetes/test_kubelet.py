"""Kubelets, by files that were given as evidence: which of them is whose, and what holds where one says nothing."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS, kubelet
from scanner.model import Gap, Reason, Resource
from tests.collectors.kubernetes.objects import projected
from tests.scanner.derive.kubernetes.test_control_plane import UNKNOWN, cluster, node, placed, told
from tests.scanner.derive.worlds import MemoryWorld


def file(name: str, **settings: Any) -> Resource:
    item = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", "metadata": {"name": name}, **settings}
    (found,) = projected(item)
    return placed(found, name)


def all_of(subject: Resource, *others: Resource) -> dict[str, Any]:
    return {name: told(subject, name, *others) for name in kubelet.FACTS}


DEFAULTS = {
    "kubelet_anonymous": False,
    "kubelet_authorization": "Webhook",
    "kubelet_read_only_port": 0,
    "kubelet_client_rotation": False,
    "kubelet_serving": "self_signed",
    "kubelet_client_ca": False,
    "kubelet_tls_min_version": "1.2",
    "kubelet_cipher_suites": [],
    "kubelet_seccomp_default": False,
    "kubelet_pids_limit": -1,
}


def test_defaults_of_a_file() -> None:
    assert all_of(file("n1.yaml")) == DEFAULTS


@pytest.mark.parametrize(
    ("settings", "changes"),
    [
        ({"authentication": {"anonymous": {"enabled": True}}}, {"kubelet_anonymous": True}),
        ({"authorization": {"mode": "AlwaysAllow"}}, {"kubelet_authorization": "AlwaysAllow"}),
        ({"readOnlyPort": 10255}, {"kubelet_read_only_port": 10255}),
        ({"rotateCertificates": True}, {"kubelet_client_rotation": True}),
        ({"serverTLSBootstrap": True}, {"kubelet_serving": "issued"}),
        ({"serverTLSBootstrap": True, "featureGates": {"RotateKubeletServerCertificate": True}}, {"kubelet_serving": "issued"}),
        ({"serverTLSBootstrap": True, "featureGates": {"RotateKubeletServerCertificate": False}}, {}),
        ({"tlsCertFile": "/pki/k.crt"}, {"kubelet_serving": "given"}),
        ({"authentication": {"x509": {"clientCAFile": "/pki/ca.crt"}}}, {"kubelet_client_ca": True}),
        ({"authentication": {"x509": {"clientCAFile": ""}}}, {}),
        ({"tlsMinVersion": "VersionTLS13"}, {"kubelet_tls_min_version": "1.3"}),
        ({"tlsMinVersion": "1.3"}, {"kubelet_tls_min_version": Reason.UNPARSABLE}),
        ({"tlsCipherSuites": ["TLS_AES_128_GCM_SHA256"]}, {"kubelet_cipher_suites": ["TLS_AES_128_GCM_SHA256"]}),
        ({"seccompDefault": True}, {"kubelet_seccomp_default": True}),
        ({"podPidsLimit": 4096}, {"kubelet_pids_limit": 4096}),
        ({"podPidsLimit": True}, {"kubelet_pids_limit": Reason.UNPARSABLE}),
        ({"seccompDefault": "true"}, {"kubelet_seccomp_default": Reason.UNPARSABLE}),
        ({"readOnlyPort": "{{ port }}"}, {"kubelet_read_only_port": Reason.UNPARSABLE}),
        ({"serverTLSBootstrap": "yes"}, {"kubelet_serving": Reason.UNPARSABLE}),
    ],
)
def test_settings(settings: dict[str, Any], changes: dict[str, Any]) -> None:
    assert all_of(file("n1.yaml", **settings)) == {**DEFAULTS, **changes}


def test_of_a_part_only_what_it_says_is_known() -> None:
    found = all_of(file("n1/config.json.d/10-x.yaml", readOnlyPort=10255))
    assert found == {**dict.fromkeys(DEFAULTS, UNKNOWN), "kubelet_read_only_port": 10255}


@pytest.mark.parametrize(
    ("files", "port"),
    [
        ([], UNKNOWN),
        ([file("n1.yaml", readOnlyPort=1)], 1),
        ([file("nodes/n1.json", readOnlyPort=1)], 1),
        ([file("nodes/kubelet-n1.yml", readOnlyPort=1)], 1),
        ([file("n1/var/lib/kubelet/config.yaml", readOnlyPort=1)], 1),
        ([file("n10.yaml", readOnlyPort=1)], UNKNOWN),
        ([file("config.yaml", readOnlyPort=1)], UNKNOWN),
        ([file("n1/a.yaml", readOnlyPort=1), file("n1/b.yaml", readOnlyPort=1)], UNKNOWN),
        ([file("n1/a.yaml", readOnlyPort=1), file("n1.json", readOnlyPort=2, configz=True)], 2),
        ([file("n1/config.yaml.d/a.yaml", readOnlyPort=1)], UNKNOWN),
        ([file("n1/a.yaml", readOnlyPort=1), file("n1/conf.d/b.yaml", readOnlyPort=2)], UNKNOWN),
    ],
)
def test_which_file_is_whose(files: list[Resource], port: Any) -> None:
    assert told(node("n1"), "kubelet_read_only_port", cluster(), *files) == port
    assert told(placed(node("n1"), "nodes.yaml"), "kubelet_read_only_port", *files) == port


def test_of_several_clusters_the_folder_tells() -> None:
    clusters = [cluster(), cluster(scope="d")]
    files = [file("c/n1.yaml", readOnlyPort=1), file("d/n1.yaml", readOnlyPort=2)]
    assert told(node("n1"), "kubelet_read_only_port", *clusters, *files) == 1
    assert told(node("n1"), "kubelet_read_only_port", *clusters, file("n1.yaml", readOnlyPort=1)) == UNKNOWN


def test_names_with_dots() -> None:
    name = "ip-10-0-1-5.ec2.internal"
    assert told(node(name), "kubelet_read_only_port", cluster(), file(f"{name}.json", readOnlyPort=1)) == 1


def test_the_gap_says_how_to_give_evidence_and_that_nobody_asks_the_kubelet() -> None:
    subject = node("n1")
    gap = MemoryWorld([subject, cluster()], {}, DERIVATIONS).fact(subject, "kubelet_anonymous")
    assert isinstance(gap, Gap)
    assert (gap.reason, gap.detail) == (Reason.NOT_OFFERED, "no file says how its kubelet is set up")
    assert "kubectl get --raw /api/v1/nodes/NAME/proxy/configz" in gap.remedy
    assert (
        MemoryWorld([node("n2"), cluster()], {}, DERIVATIONS).fact(node("n2"), "kubelet_anonymous") == gap
    )  # one to read, not a thousand


def test_nodes_of_eks_have_no_client_certificate() -> None:
    subject = node("n1", {"eks.amazonaws.com/nodegroup": "gpu"})
    assert told(subject, "kubelet_client_rotation", cluster(), file("n1.yaml")) is True
    assert told(subject, "kubelet_client_rotation", cluster()) == UNKNOWN


@pytest.mark.parametrize(
    ("subject", "alone"),
    [
        (node("n1"), False),
        (node("fargate-ip-10-0-1-5", {"eks.amazonaws.com/compute-type": "fargate"}), True),
        (node("n1", {"eks.amazonaws.com/compute-type": "auto"}), False),
        (node("virtual-node-aci-linux", {"type": "virtual-kubelet"}), True),
        (node("gk3-autopilot-1-pool-2-abc"), True),
        (node("gke-train-pool-abc"), False),
        (file("gk3-x.yaml"), False),
    ],
)
def test_nodes_that_a_provider_runs_alone(subject: Resource, alone: bool) -> None:  # noqa: FBT001 - a column of the table
    assert told(subject, "serverless") is alone


def test_files_are_indexed_once() -> None:
    nodes = [node(f"n{i}") for i in range(50)]
    files = [file(f"n{i}.yaml") for i in range(50)]
    world = MemoryWorld([cluster(), *nodes, *files], {}, DERIVATIONS)
    for one in nodes:
        assert world.fact(one, "kubelet_anonymous") is False
    assert world.reads < 500
