"""Facts of everything but pods."""

from __future__ import annotations

import json
from typing import Any

import pytest

from collectors.kubernetes.names import Type, type_of
from collectors.kubernetes.tables import POD_LIKE, TABLES, by_type
from scanner.derive.kubernetes import types as kubernetes_types
from scanner.model import Reason
from tests.collectors.kubernetes.objects import container, one, projected, thing

RBAC = "rbac.authorization.k8s.io/v1"
UNKNOWN = object()


def facts(item: dict[str, Any], kind: str = "") -> dict[str, Any]:
    return dict(one(item, kind).facts)


def test_tables_name_kinds_and_facts_of_the_vocabulary(root: Any) -> None:
    for table in TABLES:
        properties = json.loads((root / "policies" / "kinds" / f"{table.kind}.json").read_text())["properties"]
        assert set(table.facts) - set(properties) == set(), table.native_type
        assert [f for f in table.facts if properties[f].get("x-derived")] == []


def test_derivations_know_the_same_types() -> None:
    assert {type_of(n) for n in kubernetes_types.POD_LIKE} == POD_LIKE
    assert len(kubernetes_types.POD_LIKE) == len(POD_LIKE)


def test_versions_do_not_matter() -> None:
    assert by_type()[Type("kubeflow.org", "MPIJob")][0].native_type == "kubeflow.org/v1/MPIJob"
    assert (
        one(thing("policy.networking.k8s.io/v1beta1", "AdminNetworkPolicy", "x", None)).native_type
        == "policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy"
    )


AWS = "service.beta.kubernetes.io/aws-load-balancer-"


@pytest.mark.parametrize(
    ("spec", "notes", "status", "expected"),
    [
        ({"type": "LoadBalancer"}, {}, [], True),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "true"}, [], False),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": True}, [], False),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "0.0.0.0/0"}, [], False),
        ({"type": "LoadBalancer"}, {f"{AWS}scheme": "internal"}, [], False),
        ({"type": "LoadBalancer", "loadBalancerClass": "service.k8s.aws/nlb"}, {}, [], False),
        ({"type": "LoadBalancer", "loadBalancerClass": "service.k8s.aws/nlb"}, {f"{AWS}scheme": "internet-facing"}, [], True),
        ({"type": "LoadBalancer"}, {f"{AWS}type": "external"}, [], False),
        ({"type": "LoadBalancer"}, {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}, [], False),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "10.0.0.0/8"}, [], False),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "false"}, [], True),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": ""}, [], True),
        ({"type": "LoadBalancer"}, {"service.beta.kubernetes.io/openstack-internal-load-balancer": "true"}, [], False),
        ({"type": "LoadBalancer"}, {"service.kubernetes.io/ibm-load-balancer-cloud-provider-ip-type": "private"}, [], False),
        ({"type": "LoadBalancer"}, {"service.beta.kubernetes.io/alibaba-cloud-loadbalancer-address-type": "intranet"}, [], False),
        ({"type": "LoadBalancer"}, {"networking.gke.io/load-balancer-type": "Internal"}, [], False),
        ({"type": "LoadBalancer"}, {"cloud.google.com/load-balancer-type": "Internal"}, [], False),
        ({"type": "LoadBalancer", "loadBalancerClass": "example.com/lb"}, {}, [], UNKNOWN),
        # what the cluster has beats what the annotations ask for
        ({"type": "LoadBalancer"}, {}, [{"ip": "10.1.2.3"}], False),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "true"}, [{"ip": "8.8.8.8"}], True),
        ({"type": "LoadBalancer"}, {}, [{"hostname": "internal-a1.eu-west-1.elb.amazonaws.com"}], False),
        ({"type": "LoadBalancer"}, {}, [{"hostname": "a1.eu-west-1.elb.amazonaws.com"}], True),
        # the names of Network Load Balancers do not tell: the annotations do
        ({"type": "LoadBalancer"}, {}, [{"hostname": "a1.elb.eu-west-1.amazonaws.com"}], True),
        ({"type": "LoadBalancer"}, {f"{AWS}internal": "true"}, [{"hostname": "a1.elb.eu-west-1.amazonaws.com"}], False),
        ({"type": "LoadBalancer"}, {f"{AWS}scheme": "internal"}, [{"hostname": "a1.elb.eu-west-1.amazonaws.com"}], False),
        ({"type": "LoadBalancer"}, {}, [{"hostname": "lb.example"}], True),
        ({"type": "LoadBalancer", "loadBalancerClass": "example.com/lb"}, {}, [{"ip": "192.168.1.1"}], False),
        ({"type": "ClusterIP"}, {}, [], False),
        ({}, {}, [], False),
        ({"type": "NodePort"}, {}, [], UNKNOWN),
        ({"externalIPs": ["198.51.100.1"]}, {}, [], UNKNOWN),
    ],
)
def test_services_on_the_internet(spec: dict[str, Any], notes: dict[str, Any], status: list[Any], expected: Any) -> None:
    found = one(
        thing("v1", "Service", "s", metadata={"annotations": notes}, spec=spec, status={"loadBalancer": {"ingress": status}})
    )
    assert found.facts.get("internet_facing", UNKNOWN) == expected
    if expected is UNKNOWN:
        assert found.gaps["internet_facing"].reason is Reason.NOT_OFFERED


def test_an_address_that_is_none_is_unknown() -> None:
    found = one(
        thing("v1", "Service", "s", spec={"type": "LoadBalancer"}, status={"loadBalancer": {"ingress": [{"ip": "somewhere"}]}})
    )
    assert found.gaps["internet_facing"].reason is Reason.UNPARSABLE


def test_service_facts() -> None:
    spec = {
        "type": "NodePort",
        "selector": {"app": "a"},
        "ports": [{"port": 80, "nodePort": 30080}, {"port": 8265}],
        "externalIPs": ["198.51.100.1"],
        "loadBalancerSourceRanges": [" 10.0.0.0/8"],
    }
    found = facts(thing("v1", "Service", "s", spec=spec))
    assert {k: found[k] for k in ("endpoint_type", "service_type", "selector", "ports", "external_ips", "node_port", "source_ranges", "namespace")} == {
        "endpoint_type": "service", "service_type": "NodePort", "selector": {"app": "a"}, "ports": [80, 8265], "external_ips": ["198.51.100.1"],
        "node_port": True, "source_ranges": ["10.0.0.0/8"], "namespace": "team",
    }  # fmt: skip
    ranges = {"service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, 192.168.0.0/16"}
    assert facts(thing("v1", "Service", "s", metadata={"annotations": ranges}, spec={}))["source_ranges"] == [
        "10.0.0.0/8",
        "192.168.0.0/16",
    ]
    assert facts(thing("v1", "Service", "s", spec={"type": "LoadBalancer"}))["node_port"] is True
    assert (
        facts(thing("v1", "Service", "s", spec={"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False}))["node_port"]
        is False
    )


@pytest.mark.parametrize(
    ("spec", "notes", "expected"),
    [
        ({"rules": [{"host": "a.example"}]}, {}, ["a.example"]),
        ({"rules": [{"host": "a.example"}, {"host": "b.example"}], "tls": [{"hosts": ["a.example"]}]}, {}, ["b.example"]),
        ({"rules": [{"host": "a.b.example"}], "tls": [{"hosts": ["*.b.example"]}]}, {}, []),
        ({"rules": [{"host": "x.a.b.example"}], "tls": [{"hosts": ["*.b.example"]}]}, {}, ["x.a.b.example"]),
        ({"rules": [{"host": "*.b.example"}], "tls": [{"hosts": ["*.b.example"]}]}, {}, []),
        ({"rules": [{}], "tls": [{"hosts": ["a.example"]}]}, {}, ["*"]),
        ({"defaultBackend": {"service": {}}}, {}, ["*"]),
        ({"rules": [{"host": "a.example"}], "tls": [{"secretName": "s"}]}, {}, []),
        ({"rules": [{"host": "a.example"}]}, {"alb.ingress.kubernetes.io/certificate-arn": "arn:x"}, []),
        ({"rules": [{"host": "a.example"}]}, {"alb.ingress.kubernetes.io/listen-ports": '[{"HTTPS": 443}]'}, []),
        ({"rules": [{"host": "a.example"}]}, {"alb.ingress.kubernetes.io/listen-ports": '[{"HTTP": 80}]'}, ["a.example"]),
        ({"rules": [{"host": "a.example"}]}, {"networking.gke.io/managed-certificates": "c"}, []),
        ({"rules": [{"host": "a.example"}]}, {"traefik.ingress.kubernetes.io/router.tls": "true"}, []),
        ({"rules": [{"host": "a.example"}]}, {"traefik.ingress.kubernetes.io/router.tls": "false"}, ["a.example"]),
        ({}, {}, []),
    ],
)
def test_ingress_hosts(spec: dict[str, Any], notes: dict[str, str], expected: list[str]) -> None:
    found = facts(thing("networking.k8s.io/v1", "Ingress", "i", metadata={"annotations": notes}, spec=spec))
    assert found["hosts_without_tls"] == expected
    assert found["endpoint_type"] == "ingress"


@pytest.mark.parametrize(
    ("provisioner", "parameters", "encrypted", "key"),
    [
        ("ebs.csi.aws.com", {}, False, ""),
        ("ebs.csi.aws.com", {"encrypted": "true"}, True, ""),
        ("ebs.csi.aws.com", {"encrypted": True, "KmsKeyId": "arn:k"}, True, "arn:k"),
        ("ebs.csi.aws.com", {"encrypted": "yes"}, False, ""),
        ("pd.csi.storage.gke.io", None, True, ""),
        ("pd.csi.storage.gke.io", {"disk-encryption-kms-key": "projects/p"}, True, "projects/p"),
        ("disk.csi.azure.com", {"diskEncryptionSetID": "/subscriptions/s"}, True, "/subscriptions/s"),
        ("fsx.csi.aws.com", {"kmsKeyId": "arn:k"}, True, "arn:k"),
        ("filestore.csi.storage.gke.io", {"instance-encryption-kms-key": "k"}, True, "k"),
        ("rancher.io/local-path", {}, UNKNOWN, UNKNOWN),
        ("efs.csi.aws.com", {}, UNKNOWN, UNKNOWN),
    ],
)
def test_storage_classes(provisioner: str, parameters: Any, encrypted: Any, key: Any) -> None:
    resource = one(thing("storage.k8s.io/v1", "StorageClass", "c", None, provisioner=provisioner, parameters=parameters))
    assert resource.facts.get("encrypted", UNKNOWN) == encrypted
    assert resource.facts.get("key_id", UNKNOWN) == key
    assert resource.facts["provisioner"] == provisioner
    assert resource.id == "k8s/c/StorageClass.storage.k8s.io//c"


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, ["Ingress"]),
        ({"policyTypes": []}, ["Ingress"]),
        ({"ingress": []}, ["Ingress"]),
        ({"egress": []}, ["Ingress"]),
        ({"egress": [{}]}, ["Ingress", "Egress"]),
        ({"policyTypes": ["Egress"]}, ["Egress"]),
        ({"policyTypes": ["Ingress"], "egress": [{}]}, ["Ingress"]),
    ],
)
def test_policy_types(spec: dict[str, Any], expected: list[str]) -> None:
    assert (
        facts(thing("networking.k8s.io/v1", "NetworkPolicy", "n", spec={"podSelector": None, **spec}))["policy_types"] == expected
    )


def test_network_policies() -> None:
    spec = {"podSelector": {"matchLabels": {"a": "b"}}, "ingress": [{"from": []}, None], "policyTypes": ["Ingress"]}
    found = facts(thing("networking.k8s.io/v1", "NetworkPolicy", "n", spec=spec))
    assert (found["selector"], found["ingress"], found["egress"]) == ({"matchLabels": {"a": "b"}}, [{"from": []}, {}], [])
    assert one(thing("networking.k8s.io/v1", "NetworkPolicy", "n")).gaps["policy_types"].reason is Reason.NOT_OFFERED


def test_roles_and_bindings() -> None:
    raw = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}
    role = facts(
        thing(RBAC, "ClusterRole", "r", None, rules=[raw], aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]})
    )
    assert role["rules"] == [
        {"verbs": ["get"], "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}
    ]
    assert (role["aggregated"], role["selectors"], role["system"]) == (True, [{"matchLabels": {"a": "b"}}], False)
    assert facts(thing(RBAC, "Role", "r", rules=None))["rules"] == []
    binding = thing(
        RBAC,
        "RoleBinding",
        "b",
        roleRef={"kind": "ClusterRole", "name": "edit"},
        subjects=[{"kind": "ServiceAccount", "name": "s"}],
    )
    found = facts(binding)
    assert (found["namespace"], found["cluster_wide"], found["role"]) == ("team", False, {"kind": "ClusterRole", "name": "edit"})
    assert found["subjects"] == [{"kind": "ServiceAccount", "name": "s", "namespace": "", "system": False}]
    wide = facts(thing(RBAC, "ClusterRoleBinding", "b", None, roleRef={"kind": "ClusterRole", "name": "x"}))
    assert (wide["namespace"], wide["cluster_wide"], wide["subjects"]) == ("", True, [])


BOOTSTRAP = {"labels": {"kubernetes.io/bootstrapping": "rbac-defaults"}}


@pytest.mark.parametrize(
    ("name", "meta", "subject", "system"),
    [
        ("cluster-admin", BOOTSTRAP, {"kind": "Group", "name": "system:masters"}, True),
        ("x", {}, {"kind": "Group", "name": "system:nodes"}, True),
        ("x", {}, {"kind": "User", "name": "system:kube-scheduler"}, True),
        ("x", {}, {"kind": "User", "name": "system:kube-anything"}, False),
        ("x", {}, {"kind": "User", "name": "system:masters"}, False),
        ("x", {}, {"kind": "ServiceAccount", "name": "system:masters", "namespace": "team"}, False),
        ("system:controller:x", BOOTSTRAP, {"kind": "ServiceAccount", "name": "x", "namespace": "kube-system"}, True),
        ("system:controller:x", {}, {"kind": "ServiceAccount", "name": "x", "namespace": "kube-system"}, False),
        ("system:controller:x", BOOTSTRAP, {"kind": "ServiceAccount", "name": "x", "namespace": "team"}, False),
        ("mine", BOOTSTRAP, {"kind": "ServiceAccount", "name": "x", "namespace": "kube-system"}, False),
        ("x", BOOTSTRAP, {"kind": "Group", "name": "system:authenticated"}, False),
    ],
)
def test_identities_of_the_control_plane(name: str, meta: dict[str, Any], subject: dict[str, str], system: bool) -> None:  # noqa: FBT001 - a column of the table
    binding = thing(
        RBAC, "ClusterRoleBinding", name, None, metadata=meta, roleRef={"kind": "ClusterRole", "name": "r"}, subjects=[subject]
    )
    assert [s["system"] for s in facts(binding)["subjects"]] == [system]


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (None, None),
        ([], None),
        ([{"verbs": ["get"], "apiGroups": None}], None),
        # what the API server would refuse, or what a template still has to fill in, may grant anything
        ({"verbs": ["*"]}, Reason.UNPARSABLE),
        (["*"], Reason.UNPARSABLE),
        ([{"verbs": "*", "apiGroups": ["*"], "resources": ["*"]}], Reason.UNPARSABLE),
        ([{"verbs": [True], "apiGroups": ["*"], "resources": ["*"]}], Reason.UNPARSABLE),
        ([{"verbs": ["$(VERB)"], "apiGroups": ["*"], "resources": ["*"]}], Reason.UNPARSABLE),
        ([{"verbs": ["get"], "apiGroups": [""], "resources": ["{{ .Values.resource }}"]}], Reason.UNPARSABLE),
    ],
)
def test_rules_of_odd_shapes(rules: Any, reason: Reason | None) -> None:
    found = one(thing(RBAC, "ClusterRole", "r", None, rules=rules))
    gap = found.gaps.get("rules")
    assert (gap and gap.reason) == reason
    assert ("rules" in found.facts) == (reason is None)


@pytest.mark.parametrize(
    ("subjects", "reason"),
    [
        (None, None),
        ([], None),
        ({"kind": "User"}, Reason.UNPARSABLE),
        (["system:anonymous"], Reason.UNPARSABLE),
        ([{"kind": "Group", "name": "${GROUP}"}], Reason.UNPARSABLE),
    ],
)
def test_subjects_of_odd_shapes(subjects: Any, reason: Reason | None) -> None:
    found = one(thing(RBAC, "ClusterRoleBinding", "r", None, subjects=subjects, roleRef={"kind": "ClusterRole", "name": "x"}))
    gap = found.gaps.get("subjects")
    assert (gap and gap.reason) == reason


def test_namespaces_accounts_and_tokens() -> None:
    def level(value: str) -> Any:
        return one(
            thing("v1", "Namespace", "n", None, metadata={"labels": {"pod-security.kubernetes.io/enforce": value}})
        ).facts.get("pod_security_enforce", UNKNOWN)

    assert [level(v) for v in ("privileged", "baseline", "restricted", "strict")] == [
        "privileged",
        "baseline",
        "restricted",
        UNKNOWN,
    ]
    plain = facts(thing("v1", "Namespace", "kube-system", None))
    assert (plain["pod_security_enforce"], plain["system"]) == ("none", True)
    account = thing(
        "v1",
        "ServiceAccount",
        "s",
        metadata={"annotations": {"eks.amazonaws.com/role-arn": "arn:r"}},
        automountServiceAccountToken=False,
    )
    assert {k: facts(account)[k] for k in ("identity_type", "automount_token", "cloud_identity")} == {
        "identity_type": "service_account", "automount_token": False, "cloud_identity": "arn:r",
    }  # fmt: skip
    bare = facts(thing("v1", "ServiceAccount", "s"))
    assert (bare["automount_token"], bare["cloud_identity"]) == (True, "")
    token = thing(
        "v1",
        "Secret",
        "t",
        metadata={"labels": {"kubernetes.io/legacy-token-invalid-since": "2026-01-01"}},
        type="kubernetes.io/service-account-token",
    )
    found = one(token, "credential")
    assert (found.facts["active"], found.facts["expires"]) == (False, "never")
    assert found.gaps["owner"].reason is Reason.NOT_OFFERED
    plain = one(thing("v1", "Secret", "t", type="Opaque", data={}))
    assert (plain.kind, dict(plain.facts)) == ("configuration", {"configuration_type": "secret", "namespace": "team"})


def ray(kind: str, key: str, cluster: dict[str, Any]) -> dict[str, Any]:
    spec = {key: cluster} if key else cluster
    return thing("ray.io/v1", kind, "r", spec=spec)


def group(*env: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"template": {"spec": {"containers": [container(env=list(env), **more)]}}}


TOKEN = {"name": "RAY_AUTH_MODE", "value": "token"}


@pytest.mark.parametrize(("kind", "key"), [("RayCluster", ""), ("RayJob", "rayClusterSpec"), ("RayService", "rayClusterConfig")])
@pytest.mark.parametrize(
    ("cluster", "mode"),
    [
        ({"headGroupSpec": group()}, "none"),
        ({"headGroupSpec": group(), "authOptions": {}}, "none"),
        ({"headGroupSpec": group(), "authOptions": {"mode": "disabled"}}, "none"),
        ({"headGroupSpec": group(), "authOptions": {"mode": "token"}}, "token"),
        ({"headGroupSpec": group(TOKEN)}, "token"),
        ({"headGroupSpec": group(TOKEN), "workerGroupSpecs": [group()]}, "none"),
        ({"headGroupSpec": group(TOKEN), "workerGroupSpecs": [group(TOKEN), group(TOKEN)]}, "token"),
        ({"headGroupSpec": group({"name": "RAY_AUTH_MODE", "valueFrom": {}})}, UNKNOWN),
        ({"headGroupSpec": group(envFrom=[{"configMapRef": {"name": "x"}}])}, UNKNOWN),
        ({"headGroupSpec": group(envFrom=[{"configMapRef": {"name": "x"}}]), "authOptions": {"mode": "token"}}, "token"),
    ],
)
def test_ray_authentication(kind: str, key: str, cluster: dict[str, Any], mode: Any) -> None:
    found = one(ray(kind, key, cluster), "model_service")
    assert found.facts.get("auth_mode", UNKNOWN) == mode
    assert found.native_type == f"ray.io/v1/{kind}"
    assert (found.facts["service_type"], found.facts["suspended"]) == ("ray", False)


@pytest.mark.parametrize(
    ("more", "image", "expected"),
    [
        ({"rayVersion": "2.52.0"}, "registry.example/ray:2.52.1-gpu", "2.52.0"),
        ({"rayVersion": "2.52.0"}, "registry.example/train:1.4.0", "2.52.0"),
        ({"rayVersion": "2.52.0"}, "registry.example/ray-ml:2.9.0", UNKNOWN),
        ({"rayVersion": "nightly"}, "registry.example/ray:2.52.0", UNKNOWN),
        ({}, "registry.example/train:1.4.0", UNKNOWN),
        ({}, "registry.example/ray:2.9.0-py310-gpu", UNKNOWN),
        ({}, "registry.example/rayproject/ray:2.9.0-py310-gpu", "2.9.0"),
        ({}, "registry.example:5000/ray:nightly", UNKNOWN),
        ({}, "registry.example/ray@sha256:0", UNKNOWN),
    ],
)
def test_ray_versions(more: dict[str, Any], image: str, expected: Any) -> None:
    found = one(
        ray("RayCluster", "", {"headGroupSpec": {"template": {"spec": {"containers": [{"name": "h", "image": image}]}}}, **more}),
        "model_service",
    )
    assert found.facts.get("version", UNKNOWN) == expected


def test_a_ray_job_on_another_cluster_is_none_itself() -> None:
    job = thing("ray.io/v1", "RayJob", "r", spec={"clusterSelector": {"ray.io/cluster": "x"}, "suspend": True})
    assert projected(job, "model_service") == []


def test_operators_and_owners() -> None:
    policy = thing(
        "nvidia.com/v1", "ClusterPolicy", "cluster-policy", None, metadata={"uid": "u"}, status={"namespace": "gpu-operator"}
    )
    found = one(policy)
    assert found.id == "k8s/c/ClusterPolicy.nvidia.com//cluster-policy"
    own = {name: found.facts[name] for name in ("product", "uid", "operand_namespace")}
    assert own == {"product": "NVIDIA GPU Operator", "uid": "u", "operand_namespace": "gpu-operator"}
    owner = [{"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy", "name": "cluster-policy", "uid": "u", "controller": True}]
    daemon = thing(
        "apps/v1", "DaemonSet", "d", metadata={"ownerReferences": owner}, spec={"template": {"spec": {"containers": [container()]}}}
    )
    assert facts(daemon)["controller_id"] == found.id
