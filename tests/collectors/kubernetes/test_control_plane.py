"""Facts of the control plane: command lines of static pods, files of nodes, and what is kept of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes import live, permissions
from collectors.kubernetes.client import Access
from collectors.kubernetes.kept.control_plane import ETCD_FLAGS, FLAGS, cluster_info, variable
from collectors.kubernetes.names import FILES
from collectors.kubernetes.redact import clean
from collectors.kubernetes.tables import CLUSTER, by_type
from collectors.kubernetes.tables.control_plane import api_host
from scanner.model import Resource
from tests.collectors.kubernetes.objects import one, pod, projected, read_manifests, thing

KEY = "bWFkZSB1cCBhbmQgbmV2ZXIgdXNlZCBhbnl3aGVyZSEhISE="


def static(
    command: list[str], *, name: str = "kube-apiserver", args: list[str] | None = None, env: list[Any] | None = None, **meta: Any
) -> dict[str, Any]:
    container = {"name": name, "image": f"registry.example/{name}:1", "command": command, "args": args or [], "env": env or []}
    return pod(f"{name}-cp", {"containers": [container]}, "kube-system", **meta)


def parts(item: dict[str, Any]) -> list[Resource]:
    return projected(clean(item), "cluster")


def flags(item: dict[str, Any]) -> Any:
    (found,) = parts(item)
    return found.facts["flags"]


@pytest.mark.parametrize(
    ("item", "component"),
    [
        (static(["kube-apiserver", "--profiling=false"]), "kube-apiserver"),
        (static(["/usr/local/bin/kube-apiserver"]), "kube-apiserver"),
        (static(["/go-runner", "--log-file=/var/log/x.log", "/usr/local/bin/kube-apiserver"]), "kube-apiserver"),
        (static(["/bin/sh", "-c", "exec kube-scheduler --profiling=false 2>&1"], name="x"), "kube-scheduler"),
        (static(["etcd"], name="etcd"), "etcd"),
        (static([], name="etcd", labels={"component": "etcd"}), "etcd"),
        (static(["kube-controller-manager"], ownerReferences=[{"kind": "Node", "name": "n"}]), "kube-controller-manager"),
        (static([], name="backup", labels={"component": "etcd"}), None),
        (static(["etcdctl", "snapshot", "save"], name="backup"), None),
        (static(["kube-apiserver"], ownerReferences=[{"kind": "ReplicaSet", "name": "hosted"}]), None),
        (pod("kube-apiserver", {"containers": [{"name": "a", "image": "b", "command": ["kube-apiserver"]}]}, "tenant"), None),
        (pod("empty", {"containers": []}, "kube-system"), None),
    ],
)
def test_which_pods_are_parts(item: dict[str, Any], component: str | None) -> None:
    assert [r.facts["component"] for r in parts(item)] == ([component] if component else [])


def test_flags_in_every_form() -> None:
    item = static(
        ["kube-apiserver", "--authorization-mode=Node,RBAC", "--tls-min-version", "VersionTLS13"],
        args=[
            "--profiling=false",
            "--anonymous_auth=False",
            "--audit-log-path",
            "-",
            "--service-account-lookup",
            "--tls-cipher-suites=",
        ],
    )
    assert flags(item) == {
        "authorization-mode": "Node,RBAC",
        "tls-min-version": "VersionTLS13",
        "profiling": "false",
        "anonymous-auth": "False",
        "audit-log-path": "-",
        "service-account-lookup": "",
        "tls-cipher-suites": "",
    }


def test_the_last_of_several_counts() -> None:
    assert flags(static(["kube-apiserver", "--anonymous-auth=true", "--anonymous-auth=false"])) == {"anonymous-auth": "false"}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--tls-min-version=$(TLS)"], {"tls-min-version": None}),
        (["--tls-min-version", "$(TLS)"], {"tls-min-version": None}),
        (["--tls-min-version=Version TLS13"], {"tls-min-version": None, "...": None}),
        (["--authorization-mode=hunter2-made-up!"], {"authorization-mode": None}),
        (["$(EXTRA)"], {"...": None}),
        (["--profiling=false", "$EXTRA_ARGS"], {"profiling": "false", "...": None}),
        (["--profiling=false", "made-up"], {"profiling": "false", "...": None}),
        (["--etcd-prefix", "/registry"], {}),
    ],
)
def test_what_is_not_known_is_not_guessed(words: list[str], expected: dict[str, Any]) -> None:
    assert flags(static(["kube-apiserver", *words])) == expected


@pytest.mark.parametrize("rest", ['"$@"', "$*", '"$(cat /flags)"'])
def test_a_script_may_add_flags(rest: str) -> None:
    assert flags(static(["sh", "-c", f"exec kube-apiserver --profiling=false {rest}"])) == {"profiling": "false", "...": None}


def test_a_program_that_is_not_seen_may_have_more_flags() -> None:
    item = static(["/start.sh"], args=["--profiling=false"], labels={"component": "kube-apiserver"})
    assert flags(item) == {"profiling": "false", "...": None}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--authorization-mode=AlwaysAllow", "--authorization-mode=Node,RBAC"], "AlwaysAllow,Node,RBAC"),
        (["--authorization-mode", "AlwaysAllow", "--authorization_mode", "RBAC"], "AlwaysAllow,RBAC"),
        (["--authorization-mode=$(MODE)", "--authorization-mode=RBAC"], None),
    ],
)
def test_a_list_that_is_written_twice_counts_twice(words: list[str], expected: str | None) -> None:
    """https://pkg.go.dev/github.com/spf13/pflag#StringSlice."""
    assert flags(static(["kube-apiserver", *words])) == {"authorization-mode": expected}


def test_etcd_by_variables() -> None:
    env = [
        {"name": "ETCD_CERT_FILE", "value": "/pki/server.crt"},
        {"name": "ETCD_CLIENT_CERT_AUTH", "value": "false"},
        {"name": "ETCD_PEER_CERT_FILE", "valueFrom": {"configMapKeyRef": {"name": "x", "key": "y"}}},
        {"name": "ETCD_NAME", "value": "m1"},
    ]
    item = static(["etcd", "--client-cert-auth"], name="etcd", env=env)
    assert flags(item) == {"cert-file": "/pki/server.crt", "client-cert-auth": "", "peer-cert-file": None}
    item["spec"]["containers"][0]["envFrom"] = [{"configMapRef": {"name": "etcd"}}]
    assert flags(item)["..."] is None
    assert flags(static(["kube-apiserver"], env=[{"name": "ETCD_CERT_FILE", "value": "/x"}])) == {}


def test_a_pod_stays_a_workload_as_well() -> None:
    assert {r.kind for r in projected(static(["etcd"], name="etcd"))} == {"workload", "cluster"}


@given(st.sampled_from(sorted(FLAGS)), st.from_regex(r"[A-Za-z0-9+/=_.,:-]{8,40}", fullmatch=True))
def test_no_other_value_is_kept(flag: str, value: str) -> None:
    item = clean(static(["etcd", f"--{flag}={value}", f"--{flag}", value], name="etcd"))
    if not re.fullmatch(FLAGS[flag], value):
        assert value not in json.dumps(item)


@pytest.mark.parametrize("secret", ["hunter2-made-up", KEY, "s.8FKe2TtBlL9XwQqAPmadeup", "ghp_madeupmadeupmadeup"])
@pytest.mark.parametrize("flag", sorted(FLAGS))
def test_secrets_do_not_look_like_settings(flag: str, secret: str) -> None:
    assert secret not in json.dumps(clean(static(["kube-apiserver", f"--{flag}={secret}"])))


def test_variables_of_etcd() -> None:
    assert variable("peer-cert-file") == "ETCD_PEER_CERT_FILE"
    assert set(ETCD_FLAGS) <= set(FLAGS)


# ---- files


def fact(name: str, api_version: str, kind: str, **body: Any) -> Any:
    found = one(clean({"apiVersion": api_version, "kind": kind, "metadata": {"name": "f"}, **body}))
    return found.facts.get(name, found.gaps[name].reason if name in found.gaps else None)


def test_encryption_providers_in_order_and_without_keys() -> None:
    entries = [
        {
            "resources": ["secrets"],
            "providers": [
                {"kms": {"apiVersion": "v2", "name": "a"}},
                {"kms": {"name": "b"}},
                {"aescbc": {"keys": [{"name": "k", "secret": KEY}]}},
                {"identity": {}},
            ],
        },
        {"resources": ["*.*"], "providers": [{"secretbox": {"keys": [{"name": "k", "secret": KEY}]}}]},
    ]
    item = clean({"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration", "resources": entries})
    assert KEY not in json.dumps(item)
    assert fact("encryption_providers", "apiserver.config.k8s.io/v1", "EncryptionConfiguration", resources=entries) == [
        {"resources": ["secrets"], "providers": ["kms_v2", "kms_v1", "aescbc", "identity"]},
        {"resources": ["*.*"], "providers": ["secretbox"]},
    ]


@pytest.mark.parametrize(
    "resources",
    [
        None,
        [{"resources": ["secrets"]}],
        [{"resources": ["a"], "providers": [{"x": {}}]}],
        [{"resources": ["secrets"], "providers": [{"kms": {"apiVersion": "{{ .version }}"}}]}],
        [7],
    ],
)
def test_odd_encryption_configurations(resources: Any) -> None:
    assert (
        fact("encryption_providers", "apiserver.config.k8s.io/v1", "EncryptionConfiguration", resources=resources) == "unparsable"
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, "flag"),
        ({"anonymous": {"enabled": False}}, "off"),
        ({"anonymous": {"enabled": True}}, "on"),
        ({"anonymous": {"enabled": True, "conditions": [{"path": "/livez"}]}}, "paths"),
        ({"anonymous": {"enabled": "yes"}}, "unparsable"),
        ({"anonymous": {"enabled": True, "conditions": [{}]}}, "unparsable"),
    ],
)
def test_anonymous_requests(body: dict[str, Any], expected: str) -> None:
    assert fact("anonymous_config", "apiserver.config.k8s.io/v1beta1", "AuthenticationConfiguration", **body) == expected


def test_authorizers() -> None:
    found = [{"type": "Webhook", "name": "w"}, {"type": "RBAC", "name": "r"}]
    assert fact("authorizers", "apiserver.config.k8s.io/v1", "AuthorizationConfiguration", authorizers=found) == ["Webhook", "RBAC"]
    assert fact("authorizers", "apiserver.config.k8s.io/v1", "AuthorizationConfiguration") == "unparsable"


def test_audit_rules_with_the_stages_of_the_policy() -> None:
    rules = [
        {"level": "None", "users": ["u"], "userGroups": ["g"], "verbs": ["get"], "namespaces": ["n"], "nonResourceURLs": ["/x*"]},
        {"level": "Metadata", "resources": [{"resources": ["secrets"], "resourceNames": ["a"]}], "omitStages": ["ResponseStarted"]},
    ]
    assert fact("audit_rules", "audit.k8s.io/v1", "Policy", rules=rules, omitStages=["RequestReceived"]) == [
        {
            "level": "None",
            "resources": [],
            "omit": ["RequestReceived"],
            "users": ["u"],
            "groups": ["g"],
            "verbs": ["get"],
            "namespaces": ["n"],
            "urls": ["/x*"],
        },
        {
            "level": "Metadata",
            "resources": [{"group": "", "resources": ["secrets"], "names": ["a"]}],
            "omit": ["RequestReceived", "ResponseStarted"],
            "users": [],
            "groups": [],
            "verbs": [],
            "namespaces": [],
            "urls": [],
        },
    ]
    wrong: Any
    narrow: dict[str, Any] = {"level": "Metadata"}
    for wrong in (
        None,
        [{}],
        [{"level": "Everything"}],
        [{"level": "None", "users": [7]}],
        [{**narrow, "verbs": "get"}],
        [{**narrow, "resources": "secrets"}],
        [{**narrow, "resources": [{"resources": "secrets"}]}],
        [{**narrow, "resources": ["secrets"]}],
    ):
        assert fact("audit_rules", "audit.k8s.io/v1", "Policy", rules=wrong) == "unparsable"


def test_settings_of_a_kubelet() -> None:
    written = {
        "authentication": {"anonymous": {"enabled": True}, "x509": {"clientCAFile": "/pki/ca.crt"}},
        "authorization": {"mode": "Webhook"},
        "featureGates": {"RotateKubeletServerCertificate": False, "Other": True},
        "readOnlyPort": 0,
        "tlsCertFile": "/pki/kubelet.crt",
        "tlsPrivateKeyFile": "/pki/kubelet.key",
        "tlsCipherSuites": ["TLS_AES_128_GCM_SHA256"],
        "maxPods": 110,
    }
    assert fact("kubelet", "kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", **written) == {
        "anonymous": True,
        "authorization": "Webhook",
        "read_only_port": 0,
        "server_rotation": False,
        "certificate": "/pki/kubelet.crt",
        "client_ca": "/pki/ca.crt",
        "ciphers": ["TLS_AES_128_GCM_SHA256"],
    }


@pytest.mark.parametrize("written", [{"authentication": []}, {"authentication": {"anonymous": True}}, {"featureGates": "x"}])
def test_odd_settings_of_a_kubelet(written: dict[str, Any]) -> None:
    assert fact("kubelet", "kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", **written) == "unparsable"


def test_files_need_no_name(tmp_path: Path) -> None:
    (tmp_path / "nodes" / "gpu-1").mkdir(parents=True)
    (tmp_path / "nodes" / "gpu-1" / "config.yaml").write_text(
        "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
    )
    answer = {"kubeletconfig": {"readOnlyPort": 10255, "authentication": {"anonymous": {"enabled": False}}}}
    (tmp_path / "nodes" / "gpu-2.json").write_text(json.dumps(answer))
    two = [{"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "rules": [{"level": "Metadata"}]}] * 2
    (tmp_path / "audit.yml").write_text(yaml.safe_dump_all(two))
    estate = read_manifests([tmp_path])
    assert estate.problems == ()
    found = {r.id: (r.kind, r.facts.get("kubelet"), r.facts.get("kubelet_effective"), r.where.file) for r in estate.resources}
    kubelet = "k8s/manifests/KubeletConfiguration.kubelet.config.k8s.io//nodes"
    assert found == {
        "k8s/manifests/Policy.audit.k8s.io//audit": ("cluster", None, None, "audit.yml"),
        "k8s/manifests/Policy.audit.k8s.io//audit@audit.yml": ("cluster", None, None, "audit.yml"),
        f"{kubelet}/gpu-1/config": ("node", {}, False, "nodes/gpu-1/config.yaml"),
        f"{kubelet}/gpu-2": ("node", {"read_only_port": 10255, "anonymous": False}, True, "nodes/gpu-2.json"),
    }


def test_others_still_need_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []\n---\napiVersion: v1\nkind: Pod\nspec: {}\n"
    )
    assert read_manifests([tmp_path]).problems == ("a.yaml:5: a Pod without metadata.name; not read",)


# ---- the cluster itself, and what is asked of it


@pytest.mark.parametrize(
    ("server", "indirect", "host"),
    [
        ("https://10.0.0.1:6443", False, "10.0.0.1"),
        ("https://[fd00::1]:6443", False, "fd00::1"),
        ("https://ABC.gr7.us-east-1.eks.amazonaws.com", False, "abc.gr7.us-east-1.eks.amazonaws.com"),
        ("https://10.0.0.1:6443", True, ""),
    ],
)
def test_whom_the_scan_asked(server: str, indirect: bool, host: str) -> None:  # noqa: FBT001 - columns of the table
    assert api_host({"server": server, "indirect": indirect}) == host


def test_asked_from_within_or_through_a_proxy() -> None:
    class Configuration:
        host = "https://10.0.0.1"
        proxy: str | None = None

    class Api:
        configuration = Configuration()

    assert (Access(Api(), "factory").indirect, Access(Api(), "").indirect) == (False, True)
    Configuration.proxy = "http://proxy.example:3128"
    assert Access(Api(), "factory").indirect is True


def test_files_are_never_listed() -> None:
    asked = {t.native_type for t in permissions.listed(None)}
    assert asked & FILES == set()
    assert {t.native_type for tables in by_type().values() for t in tables} >= FILES
    assert FILES & live.NOT_LISTED.keys() == set()
    assert "nodes/proxy" not in json.dumps(permissions.cluster_role())
    assert "kubelet.config.k8s.io" not in json.dumps(permissions.cluster_role())
    assert CLUSTER.facts.keys() == {"version", "component", "api_host"}


@pytest.mark.parametrize(
    ("kubeconfig", "expected"),
    [
        (
            "clusters:\n- cluster:\n    certificate-authority-data: QUJD\n    server: https://10.0.0.1:6443\n",
            {"server": "https://10.0.0.1:6443"},
        ),
        ("clusters:\n- cluster:\n    server: 'https://api.example:6443'\n", {"server": "https://api.example:6443"}),
        ("clusters:\n- cluster:\n    server: https://user:made-up@api.example\n", {}),
        ("nothing", {}),
        ("", {}),
    ],
)
def test_cluster_info(kubeconfig: str, expected: dict[str, str]) -> None:
    assert cluster_info({"kubeconfig": kubeconfig}) == expected
    item = thing("v1", "ConfigMap", "cluster-info", "kube-public", data={"kubeconfig": kubeconfig, "jws-kubeconfig-abc": "made-up"})
    assert one(clean(item), "configuration").facts["settings"] == expected


@pytest.mark.parametrize(
    ("spec", "local", "verified"),
    [
        ({}, True, True),
        ({"service": None}, True, True),
        ({"service": {"name": "a", "namespace": "b"}}, False, True),
        ({"service": {"name": "a", "namespace": "b"}, "insecureSkipTLSVerify": False}, False, True),
        ({"service": {"name": "a", "namespace": "b"}, "insecureSkipTLSVerify": True}, False, False),
    ],
)
def test_api_services(spec: dict[str, Any], local: bool, verified: bool) -> None:  # noqa: FBT001 - columns of the table
    found = one(thing("apiregistration.k8s.io/v1", "APIService", "v1.x", None, spec=spec))
    assert found.facts == {"endpoint_type": "api_service", "local": local, "tls_verified": verified}


@pytest.mark.parametrize(
    ("spec", "gap"),
    [
        ({"service": {"name": "a"}, "insecureSkipTLSVerify": "true"}, "tls_verified"),
        ({"service": "{{ .Values.service }}", "insecureSkipTLSVerify": True}, "local"),
    ],
)
def test_odd_api_services(spec: Any, gap: str) -> None:
    assert gap in one(thing("apiregistration.k8s.io/v1", "APIService", "v1.x", None, spec=spec)).gaps
