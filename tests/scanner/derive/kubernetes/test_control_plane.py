"""The control plane: where each component is judged, what its flags and files say, and how old it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scanner.derive.kubernetes import DERIVATIONS, audit, support
from scanner.derive.kubernetes.control_plane_files import secrets_provider
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:pods", "Allow it.")
CLUSTER = "kubernetes/v1/Cluster"
EKS = "arn:aws:eks:us-east-1:123456789012:cluster/train"
UNKNOWN = Reason.NOT_OFFERED


def cluster(version: str = "v1.36.1", host: str = "10.0.0.1", scope: str = "c") -> Resource:
    facts: Mapping[str, Any] = {"version": version, "api_host": host, "component": ""}
    identity = f"k8s/{scope}/Cluster.kubernetes//{scope}"
    return Resource(identity, "cluster", CLUSTER, "kubernetes", scope, "", scope, f"k8s:{scope}", facts=facts)


def part(component: str = "kube-apiserver", *flags: str, file: str = "", name: str = "", **more: Any) -> Resource:
    item = pod(
        name or f"{component}-cp",
        {"containers": [{"name": component, "image": "x", "command": [component, *flags], **more}]},
        "kube-system",
    )
    (found,) = projected(item, "cluster")
    return placed(found, file) if file else found


def placed(resource: Resource, file: str, scope: str = "manifests") -> Resource:
    """As read from a file."""
    return resource.replace(where=Where(file, 1, 1), scope=scope, id=f"{resource.id}@{file}")


def given_file(api_version: str, kind: str, file: str, **body: Any) -> Resource:
    (found,) = projected({"apiVersion": api_version, "kind": kind, "metadata": {"name": file}, **body})
    return placed(found, file)


def node(name: str = "n1", labels: dict[str, str] | None = None, **info: str) -> Resource:
    (found,) = projected(thing("v1", "Node", name, None, metadata={"labels": labels or {}}, status={"nodeInfo": info}))
    return found


def eks(*, public: bool, cidrs: list[str], name: str = "train") -> Resource:
    identity = f"arn:aws:eks:us-east-1:123456789012:cluster/{name}"
    facts: Mapping[str, Any] = {"api_public": public, "api_cidrs": cidrs}
    return Resource(identity, "cluster", "AWS::EKS::Cluster", "aws", "123456789012", "us-east-1", name, "aws:1", facts=facts)


def told(subject: Resource, name: str, *others: Resource, gaps: dict[str, Gap] | None = None) -> Any:
    found = MemoryWorld([subject, *others], gaps or {}, DERIVATIONS).fact(subject, name)
    return found.reason if isinstance(found, Gap) else found


# ---- where a component is judged


@pytest.mark.parametrize("name", ["api_server", "etcd", "controllers"])
@pytest.mark.parametrize(
    ("subject", "others", "expected"),
    [
        (cluster(), [], UNKNOWN),
        (cluster("v1.31.2-eks-7f9249a"), [], "provider"),
        (cluster("v1.30.5-gke.100"), [], "provider"),
        (cluster(), [node(labels={"kubernetes.azure.com/cluster": "x"})], "provider"),
        (cluster(host="abc.gr7.us-east-1.eks.amazonaws.com"), [], "provider"),
        (cluster(host="train-1234.hcp.eastus.azmk8s.io"), [], "provider"),
        (cluster("v1.33.1+k3s1"), [node(labels={"node.kubernetes.io/instance-type": "k3s"})], UNKNOWN),
    ],
)
def test_where_the_pods_are_not_seen(name: str, subject: Resource, others: list[Resource], expected: Any) -> None:
    assert told(subject, name, *others) == expected


def test_where_the_pods_are_seen() -> None:
    seen = [part("kube-apiserver"), part("etcd"), part("kube-scheduler")]
    for version in ("v1.36.1", "v1.31.2-eks-7f9249a"):  # EKS Anywhere: the provider's build, not its control plane
        for name in ("api_server", "etcd", "controllers"):
            assert told(cluster(version), name, *seen) == "pods"
    for name, here in (("api_server", "kube-apiserver"), ("etcd", "etcd"), ("controllers", "kube-scheduler")):
        assert [told(p, name) for p in seen] == ["here" if p.facts["component"] == here else "elsewhere" for p in seen]
    policy = given_file("audit.k8s.io/v1", "Policy", "a.yaml", rules=[])
    assert [told(policy, name) for name in ("api_server", "etcd", "controllers")] == ["here", "elsewhere", "elsewhere"]


def test_what_was_not_listed_says_nothing() -> None:
    assert told(cluster(), "api_server", gaps={"v1/Pod": DENIED}) == Reason.DENIED
    assert told(cluster("v1.31.2-eks-1"), "api_server", gaps={"v1/Pod": DENIED}) == Reason.DENIED
    assert told(cluster(host="a.eks.amazonaws.com"), "api_server", gaps={"v1/Pod": DENIED}) == "provider"
    assert told(cluster(), "api_server", gaps={"v1/Node": DENIED}) == Reason.DENIED


@pytest.mark.parametrize(
    ("servers", "expected"),
    [
        ("https://10.1.0.1:2379,https://10.1.0.2:2379", "external"),
        ("https://etcd.example:2379", "external"),
        ("https://127.0.0.1:2379", UNKNOWN),
        ("https://localhost:4001", UNKNOWN),
        ("https://[::1]:2379", UNKNOWN),
        ("https://10.1.0.1:2379,https://127.0.0.1:2379", UNKNOWN),
    ],
)
def test_etcd_on_other_machines(servers: str, expected: Any) -> None:
    assert told(cluster(), "etcd", part("kube-apiserver", f"--etcd-servers={servers}")) == expected


def test_etcd_of_an_unknown_server() -> None:
    assert told(cluster(), "etcd", part("kube-apiserver")) == UNKNOWN
    assert told(cluster(), "etcd", part("kube-apiserver", "--etcd-servers=$(ETCD)")) == UNKNOWN


# ---- flags of the API server


@pytest.mark.parametrize(
    ("flags", "name", "expected"),
    [
        ([], "tls_min_version", "1.2"),
        (["--tls-min-version=VersionTLS13"], "tls_min_version", "1.3"),
        (["--tls-min-version", "VersionTLS10"], "tls_min_version", "1.0"),
        (["--tls-min-version=$(V)"], "tls_min_version", UNKNOWN),
        (["$(EXTRA)"], "tls_min_version", UNKNOWN),
        (["$(EXTRA)", "--tls-min-version=VersionTLS13"], "tls_min_version", "1.3"),
        ([], "tls_cipher_suites", []),
        (
            ["--tls-cipher-suites=TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_SHA"],
            "tls_cipher_suites",
            ["TLS_AES_128_GCM_SHA256", "TLS_RSA_WITH_RC4_128_SHA"],
        ),
        ([], "extends_tokens", True),
        (["--service-account-extend-token-expiration=false"], "extends_tokens", False),
        (["--service-account-extend-token-expiration=F"], "extends_tokens", False),
        (["--service-account-extend-token-expiration"], "extends_tokens", True),
        ([], "static_tokens", False),
        (["--token-auth-file=/etc/tokens.csv"], "static_tokens", True),
        ([], "token_lookup", True),
        (["--service-account-lookup=false"], "token_lookup", False),
        ([], "admission_enabled", []),
        (["--enable-admission-plugins=NodeRestriction,AlwaysAdmit"], "admission_enabled", ["NodeRestriction", "AlwaysAdmit"]),
        (["--disable-admission-plugins=PodSecurity"], "admission_disabled", ["PodSecurity"]),
        ([], "audit_sinks", []),
        (["--audit-log-path=-"], "audit_sinks", ["file"]),
        (["--audit-log-path=/a.log", "--audit-webhook-config-file=/w.yaml"], "audit_sinks", ["file", "webhook"]),
        (["--audit-log-path=$(P)"], "audit_sinks", UNKNOWN),
        (["--audit-log-path=$(P)", "--audit-webhook-config-file=/w.yaml"], "audit_sinks", ["webhook"]),
        (["--audit-log-maxage=7"], "audit_days", 0),
        (["--audit-log-path=/a.log", "--audit-log-maxage=7"], "audit_days", 7),
        (["--audit-log-path=/a.log"], "audit_days", 0),
        ([], "audit_policy", False),
        (["--audit-policy-file=/p.yaml"], "audit_policy", True),
        (["--authorization-mode=Node,RBAC"], "authorization_modes", ["Node", "RBAC"]),
        ([], "authorization_modes", ["AlwaysAllow"]),
        (["--authorization-mode=$(M)"], "authorization_modes", UNKNOWN),
        ([], "anonymous_requests", "on"),
        (["--anonymous-auth=false"], "anonymous_requests", "off"),
        (["--anonymous-auth=true"], "anonymous_requests", "on"),
        ([], "secrets_provider", "none"),
    ],
)
def test_flags_of_the_api_server(flags: list[str], name: str, expected: Any) -> None:
    assert told(part("kube-apiserver", *flags), name) == expected


def test_whom_the_api_server_verifies() -> None:
    flags = [
        "--etcd-cafile=/a",
        "--etcd-certfile=/b",
        "--etcd-keyfile=/c",
        "--kubelet-client-certificate=/d",
        "--kubelet-client-key=/e",
    ]
    assert told(part("kube-apiserver", *flags), "peer_flags_missing") == ["kubelet-certificate-authority"]
    assert told(part("kube-apiserver", *flags, "--kubelet-certificate-authority=/f"), "peer_flags_missing") == []
    assert told(part("kube-apiserver", *flags, "--kubelet-certificate-authority=$(F)"), "peer_flags_missing") == UNKNOWN
    assert told(part("kube-apiserver", *flags[1:], "--kubelet-certificate-authority=$(F)"), "peer_flags_missing") == ["etcd-cafile"]


def test_facts_are_those_of_the_component_alone() -> None:
    assert told(part("etcd"), "tls_min_version") == UNKNOWN
    assert told(part("kube-apiserver"), "etcd_clear") == UNKNOWN
    assert told(part("etcd"), "bind_address") == UNKNOWN


# ---- etcd, controllers

SOUND = [
    "--cert-file=/a",
    "--key-file=/b",
    "--trusted-ca-file=/c",
    "--peer-cert-file=/d",
    "--peer-key-file=/e",
    "--peer-trusted-ca-file=/f",
    "--client-cert-auth",
    "--peer-client-cert-auth=true",
    "--listen-client-urls=https://127.0.0.1:2379,https://10.0.0.1:2379",
    "--listen-peer-urls=https://10.0.0.1:2380",
    "--listen-metrics-urls=http://127.0.0.1:2381",
]
ETCD = ("etcd_clear", "etcd_client_certificates", "etcd_peer_certificates", "etcd_self_signed", "etcd_files_missing")


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (SOUND, [[], True, True, False, []]),
        (
            [],
            [
                [],
                False,
                False,
                False,
                ["cert-file", "key-file", "trusted-ca-file", "peer-cert-file", "peer-key-file", "peer-trusted-ca-file"],
            ],
        ),
        ([*SOUND, "--listen-client-urls=http://0.0.0.0:2379"], [["http://0.0.0.0:2379"], True, True, False, []]),
        ([*SOUND, "--listen-client-urls=http://127.0.0.1:2379"], [[], True, True, False, []]),
        ([*SOUND, "--listen-peer-urls=$(P)"], [UNKNOWN, True, True, False, []]),
        ([*SOUND, "--auto-tls"], [[], True, True, True, []]),
        ([*SOUND, "--peer-auto-tls=true"], [[], True, True, True, []]),
        ([*SOUND, "--client-cert-auth=false"], [[], False, True, False, []]),
        ([*SOUND, "--config-file=/etc/etcd.yaml"], [UNKNOWN] * 5),
    ],
)
def test_etcd(flags: list[str], expected: list[Any]) -> None:
    assert [told(part("etcd", *flags), name) for name in ETCD] == expected


def test_etcd_by_variables() -> None:
    env = [{"name": "ETCD_CLIENT_CERT_AUTH", "value": "true"}, {"name": "ETCD_LISTEN_CLIENT_URLS", "value": "http://10.0.0.1:2379"}]
    assert [told(part("etcd", env=env), name) for name in ETCD[:2]] == [["http://10.0.0.1:2379"], True]
    unread = part("etcd", env=env, envFrom=[{"secretRef": {"name": "etcd"}}])
    assert [told(unread, name) for name in ETCD] == [UNKNOWN] * 5  # one of them may name a file, which stands above all


MANAGER = ("bind_address", "profiling", "account_credentials", "controller_files_missing")


@pytest.mark.parametrize(
    ("component", "flags", "expected"),
    [
        ("kube-controller-manager", [], ["0.0.0.0", True, False, ["root-ca-file", "service-account-private-key-file"]]),  # noqa: S104
        (
            "kube-controller-manager",
            [
                "--bind-address=127.0.0.1",
                "--profiling=false",
                "--use-service-account-credentials=true",
                "--root-ca-file=/a",
                "--service-account-private-key-file=/b",
            ],
            ["127.0.0.1", False, True, []],
        ),
        ("kube-scheduler", ["--bind-address=::1", "--profiling=false"], ["::1", False, True, []]),
        ("kube-scheduler", ["--config=/etc/scheduler.yaml", "--profiling=false"], ["0.0.0.0", UNKNOWN, True, []]),  # noqa: S104
    ],
)
def test_controllers(component: str, flags: list[str], expected: list[Any]) -> None:
    assert [told(part(component, *flags), name) for name in MANAGER] == expected


# ---- files


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([], "identity"),
        ([(["configmaps"], ["kms_v2"])], "identity"),
        ([(["secrets"], ["kms_v2", "identity"])], "kms_v2"),
        ([(["secrets"], ["identity", "kms_v2"])], "identity"),
        ([(["secrets"], ["aescbc"]), (["*.*"], ["kms_v2"])], "aescbc"),
        ([(["*.*"], ["kms_v2"]), (["secrets"], ["aescbc"])], "kms_v2"),
        ([(["*."], ["secretbox"])], "secretbox"),
        ([(["*.apps"], ["kms_v2"])], "identity"),
        ([(["events", "secrets"], ["kms_v1"])], "kms_v1"),
    ],
)
def test_what_writes_secrets(entries: list[tuple[list[str], list[str]]], expected: str) -> None:
    assert secrets_provider([{"resources": r, "providers": p} for r, p in entries]) == expected


def encryption(provider: dict[str, Any], file: str = "c/enc.yaml") -> Resource:
    entry = {"resources": ["secrets"], "providers": [provider]}
    return given_file("apiserver.config.k8s.io/v1", "EncryptionConfiguration", file, resources=[entry])


KMS = {"kms": {"apiVersion": "v2", "name": "k"}}
LOCAL: dict[str, Any] = {"aescbc": {}}
FLAG = "--encryption-provider-config=/etc/kubernetes/enc.yaml"


@pytest.mark.parametrize(
    ("subject", "others", "expected"),
    [
        (part("kube-apiserver", FLAG), [cluster()], UNKNOWN),
        (part("kube-apiserver", FLAG), [cluster(), encryption(KMS)], "kms_v2"),
        (part("kube-apiserver", FLAG), [cluster(), encryption(KMS, "c/other.yaml")], UNKNOWN),
        (part("kube-apiserver", FLAG), [cluster(), encryption(KMS, "a/enc.yaml"), encryption(LOCAL, "b/enc.yaml")], UNKNOWN),
        (part("kube-apiserver", FLAG), [cluster(), encryption(KMS, "a/enc.yaml"), encryption(KMS, "b/enc.yaml")], "kms_v2"),
        (part("kube-apiserver", FLAG), [cluster(), cluster(scope="d"), encryption(KMS, "x/enc.yaml")], UNKNOWN),
        (
            part("kube-apiserver", FLAG),
            [cluster(), cluster(scope="d"), encryption(KMS, "c/enc.yaml"), encryption(LOCAL, "d/enc.yaml")],
            "kms_v2",
        ),
        (
            part("kube-apiserver", FLAG, file="m1/manifests/a.yaml"),
            [encryption(KMS, "m1/enc.yaml"), encryption(LOCAL, "m2/enc.yaml")],
            "kms_v2",
        ),
        (part("kube-apiserver", FLAG, file="a.yaml"), [encryption(LOCAL, "enc.yaml")], "aescbc"),
        (encryption(LOCAL), [], "aescbc"),
    ],
)
def test_secrets_at_rest(subject: Resource, others: list[Resource], expected: Any) -> None:
    assert told(subject, "secrets_provider", *others) == expected


def test_where_a_file_is_missing_the_gap_says_which() -> None:
    subject = part("kube-apiserver", FLAG)
    gap = MemoryWorld([subject, cluster()], {}, DERIVATIONS).fact(subject, "secrets_provider")
    assert gap == Gap(
        Reason.NOT_OFFERED,
        "",
        "Give the file beside the cluster: name a folder that holds enc.yaml under `manifests` in bartizan.yaml.",
        "--encryption-provider-config is /etc/kubernetes/enc.yaml: its content was not collected",
    )


def authorization(*types: str) -> Resource:
    entries = [{"type": t, "name": t.lower()} for t in types]
    return given_file("apiserver.config.k8s.io/v1", "AuthorizationConfiguration", "authz.yaml", authorizers=entries)


def authentication(**anonymous: Any) -> Resource:
    body = {"anonymous": anonymous} if anonymous else {}
    return given_file("apiserver.config.k8s.io/v1", "AuthenticationConfiguration", "authn.yaml", **body)


def test_a_file_stands_in_place_of_the_modes() -> None:
    subject = part("kube-apiserver", "--authorization-config=/etc/authz.yaml")
    assert told(subject, "authorization_modes", cluster()) == UNKNOWN
    assert told(subject, "authorization_modes", cluster(), authorization("Node", "RBAC")) == ["Node", "RBAC"]
    assert told(authorization("RBAC"), "authorization_modes") == ["RBAC"]


@pytest.mark.parametrize(
    ("flags", "file", "expected"),
    [
        ([], None, UNKNOWN),
        ([], authentication(), "on"),
        (["--anonymous-auth=false"], authentication(), "off"),
        ([], authentication(enabled=False), "off"),
        ([], authentication(enabled=True), "on"),
        ([], authentication(enabled=True, conditions=[{"path": "/livez"}]), "paths"),
    ],
)
def test_anonymous_requests_by_file_and_flag(flags: list[str], file: Resource | None, expected: Any) -> None:
    subject = part("kube-apiserver", "--authentication-config=/etc/authn.yaml", *flags)
    assert told(subject, "anonymous_requests", cluster(), *([file] if file else [])) == expected


def test_an_authentication_file_alone() -> None:
    assert told(authentication(), "anonymous_requests") == UNKNOWN
    assert told(authentication(enabled=True), "anonymous_requests") == "on"


# ---- audit policies: the first rule that matches decides


def policy(*rules: dict[str, Any], **more: Any) -> Resource:
    return given_file("audit.k8s.io/v1", "Policy", "audit.yaml", rules=list(rules), **more)


def recorded(*rules: dict[str, Any], **more: Any) -> dict[str, tuple[str, str]]:
    return {f["of"]: (f["lowest"], f["highest"]) for f in told(policy(*rules, **more), "audit_levels")}


def rule(level: str, *resources: str, group: str = "", **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"level": level, **more}
    return found | ({"resources": [{"group": group, "resources": list(resources)}]} if resources else {})


META = ("Metadata", "Metadata")
NONE = ("None", "None")


@pytest.mark.parametrize(
    ("rules", "name", "expected"),
    [
        ([], "secrets", NONE),
        ([rule("Metadata")], "secrets", META),
        ([rule("RequestResponse")], "secrets", ("RequestResponse", "RequestResponse")),
        ([rule("Metadata", "secrets"), rule("RequestResponse")], "secrets", META),
        # the order decides: https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/audit/policy/checker.go
        ([rule("RequestResponse"), rule("Metadata", "secrets")], "secrets", ("RequestResponse", "RequestResponse")),
        ([rule("None", "secrets", verbs=["get", "list", "watch"]), rule("Metadata")], "secrets", ("None", "Metadata")),
        ([rule("None", "secrets", users=["system:kube-controller-manager"]), rule("Metadata")], "secrets", META),
        ([rule("None", "secrets", userGroups=["system:nodes"]), rule("Metadata")], "secrets", META),
        ([rule("None", "secrets", userGroups=["system:serviceaccounts"]), rule("Metadata")], "secrets", ("None", "Metadata")),
        ([rule("None", "secrets", userGroups=["system:authenticated"]), rule("Metadata")], "secrets", NONE),
        ([rule("None", "secrets", namespaces=["kube-system"]), rule("Metadata")], "secrets", META),
        ([rule("None", nonResourceURLs=["/healthz*"]), rule("Metadata")], "secrets", META),
        ([{"level": "None", "resources": [{"resources": ["secrets"], "resourceNames": ["x"]}]}, rule("Metadata")], "secrets", META),
        ([{"level": "Metadata", "resources": [{"group": ""}]}], "secrets", META),
        ([{"level": "Metadata", "resources": [{"group": "apps"}]}], "secrets", NONE),
        ([rule("Metadata", "*")], "secrets", META),
        ([rule("Metadata", "pods")], "pods/exec", NONE),
        ([rule("Metadata", "pods/*")], "pods/exec", META),
        ([rule("Metadata", "pods/exec", "pods/attach", "pods/portforward")], "pods/exec", META),
        ([rule("Metadata", "pods/exec")], "pods/exec", ("None", "Metadata")),
        ([rule("Request", "*/exec", "*/attach", "*/portforward")], "pods/exec", ("Request", "Request")),
        (
            [
                rule(
                    "RequestResponse",
                    "roles",
                    "rolebindings",
                    "clusterroles",
                    "clusterrolebindings",
                    group="rbac.authorization.k8s.io",
                )
            ],
            "rbac",
            ("RequestResponse", "RequestResponse"),
        ),
        ([rule("Metadata", "roles", group="rbac.authorization.k8s.io")], "rbac", ("None", "Metadata")),
        ([rule("Metadata", "roles", group="")], "rbac", NONE),
        ([rule("Metadata", namespaces=["team"])], "tokenreviews", NONE),
        ([rule("Metadata", namespaces=[""])], "tokenreviews", META),
        ([rule("Metadata", "tokenreviews", group="authentication.k8s.io")], "tokenreviews", META),
        ([rule("Metadata", "configmaps", verbs=["create", "update", "patch", "delete"])], "configmaps", META),
        ([rule("Metadata", omitStages=["RequestReceived"])], "secrets", META),
        ([rule("Metadata", omitStages=["RequestReceived", "ResponseComplete"])], "configmaps", NONE),
        ([rule("Metadata", omitStages=["RequestReceived", "ResponseComplete"])], "pods/exec", META),
    ],
)
def test_audit_levels(rules: list[dict[str, Any]], name: str, expected: tuple[str, str]) -> None:
    assert recorded(*rules)[name] == expected


def test_stages_of_the_policy_count_for_every_rule() -> None:
    assert recorded(rule("Metadata"), omitStages=["RequestReceived", "ResponseStarted", "ResponseComplete"])["pods/exec"] == NONE


RULES = st.lists(
    st.fixed_dictionaries(
        {
            "level": st.sampled_from(audit.LEVELS),
            "users": st.lists(st.sampled_from(["a"]), max_size=1),
            "groups": st.lists(st.sampled_from(["system:authenticated", "system:serviceaccounts", "x"]), max_size=2),
            "verbs": st.lists(st.sampled_from(["get", "create", "delete"]), max_size=2),
            "namespaces": st.lists(st.sampled_from(["", "team"]), max_size=1),
            "resources": st.lists(
                st.fixed_dictionaries(
                    {
                        "group": st.sampled_from(["", "apps"]),
                        "resources": st.lists(st.sampled_from(["secrets", "pods/*", "*"]), max_size=2),
                        "names": st.just([]),
                    }
                ),
                max_size=2,
            ),
            "urls": st.lists(st.just("/x"), max_size=1),
            "omit": st.just([]),
        }
    ),
    max_size=5,
)


@given(RULES)
def test_rules_behind_one_for_everything_change_nothing(rules: list[dict[str, Any]]) -> None:
    catch = {"level": "Metadata", "users": [], "groups": [], "verbs": [], "namespaces": [], "resources": [], "urls": [], "omit": []}
    assert audit.levels([*rules, catch]) == audit.levels([*rules, catch, *rules])
    assert all(audit.LEVELS.index(f["lowest"]) <= audit.LEVELS.index(f["highest"]) for f in audit.levels(rules))


def test_the_policy_that_the_api_server_names() -> None:
    subject = part("kube-apiserver", "--audit-policy-file=/etc/audit.yaml")
    assert told(subject, "audit_levels", cluster()) == UNKNOWN
    assert {f["lowest"] for f in told(subject, "audit_levels", cluster(), policy(rule("Metadata")))} == {"Metadata"}
    assert {f["highest"] for f in told(part("kube-apiserver"), "audit_levels", cluster())} == {"None"}


# ---- whence the API server is reached


def info(server: str) -> Resource:
    item = thing("v1", "ConfigMap", "cluster-info", "kube-public", kept={"settings": {"server": server}, "credentials": []})
    (found,) = projected(item, "configuration")
    return found


@pytest.mark.parametrize(
    ("subject", "others", "expected"),
    [
        (cluster(host="10.0.0.1"), [], "private"),
        (cluster(host="100.64.1.1"), [], "private"),
        (cluster(host="fd00::1"), [], "private"),
        (cluster(host="34.1.2.3"), [], "public"),
        (cluster(host="203.0.113.10"), [], "public"),
        (cluster(host="2a00::1"), [], "public"),
        (cluster(host="127.0.0.1"), [], UNKNOWN),
        (cluster(host="::1"), [], UNKNOWN),
        (cluster(host=""), [], UNKNOWN),
        (cluster(host="api.example"), [], UNKNOWN),
        (cluster(host="ip-10-0-0-1.ec2.internal"), [], "private"),
        (cluster(host="x.privatelink.eastus.azmk8s.io"), [], "private"),
        (cluster(host="x.hcp.eastus.azmk8s.io"), [], UNKNOWN),
        (cluster(host="127.0.0.1"), [info("https://203.0.113.10:6443")], "public"),
        (cluster(host="10.0.0.1"), [info("https://203.0.113.10:6443")], "public"),
        (cluster(host="127.0.0.1"), [info("https://10.0.0.1:6443")], "private"),
        (cluster(host="x.eks.amazonaws.com", scope=EKS), [eks(public=False, cidrs=[])], "private"),
        (cluster(host="x.eks.amazonaws.com", scope=EKS), [eks(public=True, cidrs=["203.0.113.0/24"])], "narrowed"),
        (cluster(host="x.eks.amazonaws.com", scope=EKS), [eks(public=True, cidrs=["0.0.0.0/0"])], "public"),
        (cluster(host="x.eks.amazonaws.com", scope=EKS), [eks(public=True, cidrs=["0.0.0.0/1", "128.0.0.0/1"])], "public"),
        (cluster(host="x.eks.amazonaws.com", scope=EKS), [eks(public=True, cidrs=["203.0.113.0/24"], name="other")], UNKNOWN),
        (cluster(host="x.eks.amazonaws.com", scope="train.us-east-1.eksctl.io"), [eks(public=False, cidrs=[])], "private"),
        (cluster(host="x.eks.amazonaws.com", scope="train.eu-west-1.eksctl.io"), [eks(public=False, cidrs=[])], UNKNOWN),
    ],
)
def test_whence_the_api_server_is_reached(subject: Resource, others: list[Resource], expected: Any) -> None:
    assert told(subject, "api_reach", *others) == expected


# ---- versions


@pytest.mark.parametrize(
    ("version", "azure", "expected"),
    [
        ("v1.36.1", False, "2027-06-28T23:59:59Z"),
        ("v1.33.2", False, "2026-06-28T23:59:59Z"),
        ("v1.33.1+k3s1", False, "2026-06-28T23:59:59Z"),
        ("v1.33.1+rke2r1", False, "2026-06-28T23:59:59Z"),
        ("v1.20.0", False, "2024-10-28T23:59:59Z"),
        ("v1.99.0", False, UNKNOWN),
        ("v1.31.2-eks-7f9249a", False, "2026-11-26T23:59:59Z"),
        ("v1.32.1-eks-1", False, "2027-03-23T23:59:59Z"),
        ("v1.36.1-eks-1", False, "2027-06-28T23:59:59Z"),
        ("v1.21.2-eks-1", False, "2025-11-26T23:59:59Z"),
        ("v1.30.5-gke.100", False, UNKNOWN),
        ("v1.36.0-gke.1", False, "2027-06-28T23:59:59Z"),
        ("v1.33.2", True, UNKNOWN),
        ("v1.35.2", True, "2027-02-28T23:59:59Z"),
        ("latest", False, Reason.UNPARSABLE),
    ],
)
def test_support(version: str, azure: bool, expected: Any) -> None:  # noqa: FBT001 - a column of the table
    labels = {"kubernetes.azure.com/cluster": "x"} if azure else {}
    machine = node(labels=labels, kubeletVersion=version, containerRuntimeVersion="cri-o://1.34.1")
    assert told(machine, "support_ends") == expected
    assert told(cluster(version), "support_ends", machine) == expected
    looked = "2026-04-24" if "-eks-" in version else "2026-09-15"
    assert told(machine, "support_as_of") == looked
    assert told(cluster(version), "support_as_of", machine) == looked


def test_every_part_of_the_data_says_when_somebody_looked() -> None:
    known = dict(support.data(MemoryWorld([])))
    edited = known.pop("edited")
    assert all(part["source"].startswith("https://") and part["as_of"] <= edited for part in known.values())


@given(st.text(max_size=20))
def test_any_version_is_a_date_or_a_gap(version: str) -> None:
    known = support.data(MemoryWorld([]))
    found = support.support_ends(version, azure=False, known=known)
    assert isinstance(found, Gap) or found.endswith("T23:59:59Z")


@pytest.mark.parametrize(
    ("kubelet", "server", "behind"),
    [
        ("v1.36.0", "v1.36.1", 0),
        ("v1.32.9-eks-1", "v1.36.1-eks-2", 4),
        ("v1.37.0", "v1.36.1", -1),
        ("v1.33.1+k3s1", "v1.36.1+k3s1", 3),
        ("odd", "v1.36.1", Reason.UNPARSABLE),
    ],
)
def test_skew(kubelet: str, server: str, behind: Any) -> None:
    machine = node(kubeletVersion=kubelet, containerRuntimeVersion="cri-o://1.34.1")
    assert told(machine, "kubelet_behind", cluster(server)) == behind


def test_skew_where_the_api_server_was_not_seen() -> None:
    machine = node(kubeletVersion="v1.36.0")
    assert told(machine, "kubelet_behind") == UNKNOWN
    assert told(placed(machine, "n.yaml"), "kubelet_behind") == UNKNOWN
    assert told(machine, "kubelet_behind", gaps={CLUSTER: DENIED}) == Reason.DENIED


@pytest.mark.parametrize(
    ("runtime", "floor", "below"),
    [
        ("containerd://2.2.9", "2.2.9", False),
        ("containerd://2.2.8", "2.2.9", True),
        ("containerd://1.7.36", "1.7.36", False),
        ("containerd://1.7.9", "1.7.36", True),
        ("containerd://1.6.38", "1.7.36", True),
        ("containerd://1.6.38-k3s1", "1.7.36", True),
        ("containerd://2.1.9", "2.2.9", True),  # ended: https://github.com/containerd/containerd/blob/main/RELEASES.md
        ("containerd://2.1.9-k3s1", "2.2.9", UNKNOWN),
        ("containerd://2.4.1", "2.4.2", True),
        ("containerd://2.9.0", UNKNOWN, UNKNOWN),
        ("containerd://3.0.0", UNKNOWN, UNKNOWN),
        ("containerd://1.7.12-0ubuntu1", "1.7.36", UNKNOWN),
        ("containerd://1.7.36-0ubuntu1", "1.7.36", False),
        ("cri-o://1.30.1", "", False),
        ("docker://20.10.7", "", False),
        ("containerd://latest", Reason.UNPARSABLE, Reason.UNPARSABLE),
        ("?", Reason.UNPARSABLE, Reason.UNPARSABLE),
    ],
)
def test_containerd(runtime: str, floor: Any, below: Any) -> None:
    machine = node(kubeletVersion="v1.36.0", containerRuntimeVersion=runtime)
    assert [told(machine, name) for name in ("runtime_floor", "runtime_below_floor")] == [floor, below]


@pytest.mark.parametrize(
    ("written", "name", "expected"),
    [
        ({"authorization": {"mode": ""}}, "kubelet_authorization", "Webhook"),
        ({"authorization": {"mode": "alwaysallow"}}, "kubelet_authorization", Reason.UNPARSABLE),
        ({"tlsCipherSuites": [1]}, "kubelet_cipher_suites", Reason.UNPARSABLE),
        ({"tlsCipherSuites": ["A"]}, "kubelet_cipher_suites", ["A"]),
    ],
)
def test_settings_that_no_kubelet_knows(written: dict[str, Any], name: str, expected: Any) -> None:
    file = given_file("kubelet.config.k8s.io/v1beta1", "KubeletConfiguration", "n1.yaml", **written)
    assert told(file, name) == expected
