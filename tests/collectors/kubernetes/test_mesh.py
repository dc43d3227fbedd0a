"""What is read of meshes, of encryption by the network plugin, and of how models are published."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.kubernetes.kept import mesh as kept
from collectors.kubernetes.redact import clean
from collectors.kubernetes.tables.mesh import ports
from scanner.model import Reason, Resource
from tests.collectors.kubernetes.objects import container, deployment, one, projected, thing

NOTHING = {
    "istio": "",
    "istio_pod": "",
    "istio_revision": "",
    "dataplane": "",
    "linkerd": "",
    "linkerd_policy": "",
    "linkerd_skipped": [],
    "istio_excluded": [],
}


def config(name: str, **data: str) -> dict[str, Any]:
    item = thing("v1", "ConfigMap", name, "kube-system", data={k.replace("_", "-"): v for k, v in data.items()})
    return dict(one(clean(item)).facts["settings"])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({}, {}),
        ({"enable_wireguard": "true", "enable_ipsec": "false"}, {"wireguard": "on", "ipsec": "off"}),
        ({"enable_wireguard": "True"}, {"wireguard": "on"}),  # a text, of any case
        ({"enable_ipsec": "yes, please"}, {"ipsec": "unreadable"}),
        ({"enable_encryption_strict_mode": "true"}, {"strict": "on"}),
        ({"enable_encryption_strict_mode_egress": "true"}, {"strict_egress": "on"}),
        ({"enable_ztunnel": "true", "encrypt_node": ""}, {"ztunnel": "on", "nodes": "off"}),
    ],
)
def test_cilium(data: dict[str, str], expected: dict[str, str]) -> None:
    assert config("cilium-config", cluster_name="x", **data) == {"component": "cilium", **expected}


@pytest.mark.parametrize(
    ("mesh", "root"),
    [
        ("accessLogFile: /dev/stdout\n", "istio-system"),
        ("rootNamespace: istio-config\n", "istio-config"),
        ("a: 1\nrootNamespace: 'mesh'  # here\n", "mesh"),
        ("rootNamespace: *alias\n", None),
        ("defaultConfig:\n  rootNamespace: no\n", "istio-system"),
    ],
)
@pytest.mark.parametrize("name", ["istio", "istio-1-28"])
def test_the_root_namespace_of_a_mesh(name: str, mesh: str, root: str | None) -> None:
    assert config(name, mesh=mesh) == {"component": "istio"} | ({"root_namespace": root} if root else {})


def test_other_config_maps_of_istio() -> None:
    assert config("istio-sidecar-injector", values="{}") == {}


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("#trafficEncryptionMode: none", "none"),
        ("trafficEncryptionMode: wireGuard", "wireguard"),
        ("x: 1\ntrafficEncryptionMode: 'ipsec'\n", "ipsec"),
        ("trafficEncryptionMode: rot13", "rot13"),
    ],
)
@pytest.mark.parametrize("name", ["antrea-config", "antrea-config-8b2f"])
def test_antrea(name: str, text: str, mode: str) -> None:
    found = one(clean(thing("v1", "ConfigMap", name, "kube-system", data={"antrea-agent.conf": text})))
    assert found.facts["settings"] == {"component": "antrea", "mode": mode}


def test_linkerd() -> None:
    values = "identity:\n  x: 1\nproxy:\n  defaultInboundPolicy: {}\n"
    assert config("linkerd-config", values=values.format("deny")) == {"component": "linkerd", "default_inbound_policy": "deny"}
    assert config("linkerd-config", values=values.format("whatever")) == {"component": "linkerd"}
    assert config("linkerd-config") == {"component": "linkerd"}


@pytest.mark.parametrize(
    ("ingress", "deploy", "expected"),
    [
        (None, None, ("http", False, True, "")),
        ({}, {}, ("http", False, True, "")),
        ({"urlScheme": "https"}, {"defaultDeploymentMode": "RawDeployment"}, ("https", False, True, "RawDeployment")),
        ({"urlScheme": "gopher", "disableIngressCreation": True}, {"defaultDeploymentMode": "x"}, ("other", False, False, "other")),
        ({"ingressDomain": "svc.cluster.local"}, {}, ("http", True, True, "")),
    ],
)
def test_kserve(ingress: Any, deploy: Any, expected: tuple[Any, ...]) -> None:
    data = {k: json.dumps(v) for k, v in (("ingress", ingress), ("deploy", deploy)) if v is not None}
    found = config("inferenceservice-config", **data)
    assert tuple(found[k] for k in ("url_scheme", "local_domain", "makes_ingress", "mode")) == expected


@pytest.mark.parametrize("text", ["{", "[]", '"x"', "[" * 100_000])
def test_a_broken_configuration_of_kserve(text: str) -> None:
    assert config("inferenceservice-config", ingress=text) == {"component": "kserve"}


@given(st.dictionaries(st.sampled_from(["mesh", "values", "ingress", "deploy", "antrea-agent.conf", "enable-ipsec"]), st.text()))
def test_no_configuration_breaks_a_reader_or_leaks(data: dict[str, str]) -> None:
    for read in {*kept.SETTINGS.values(), *kept.PREFIXES.values()}:
        shown = json.dumps(read(data))
        assert len(shown) < 300


# ---- pods and namespaces


@pytest.mark.parametrize(
    ("labels", "notes", "expected"),
    [
        ({}, {}, {}),
        ({"istio-injection": "enabled"}, {}, {"istio": "enabled"}),
        (
            {"istio.io/rev": "canary", "istio.io/dataplane-mode": "ambient"},
            {},
            {"istio_revision": "canary", "dataplane": "ambient"},
        ),
        ({"sidecar.istio.io/inject": "true"}, {}, {"istio_pod": "enabled"}),
        ({"sidecar.istio.io/inject": True}, {}, {"istio_pod": "enabled"}),
        ({"sidecar.istio.io/inject": "false"}, {"sidecar.istio.io/inject": "true"}, {"istio_pod": "disabled"}),
        ({}, {"sidecar.istio.io/inject": "true"}, {"istio_pod": "enabled"}),
        (
            {},
            {"linkerd.io/inject": "enabled", "config.linkerd.io/default-inbound-policy": "deny"},
            {"linkerd": "enabled", "linkerd_policy": "deny"},
        ),
        ({}, {"config.linkerd.io/skip-inbound-ports": "22, 8000-8010"}, {"linkerd_skipped": [[22, 22], [8000, 8010]]}),
        ({}, {"traffic.sidecar.istio.io/excludeInboundPorts": "9090"}, {"istio_excluded": [[9090, 9090]]}),
    ],
)
def test_words_on_meshes(labels: dict[str, Any], notes: dict[str, str], expected: dict[str, Any]) -> None:
    namespace = thing("v1", "Namespace", "n", None, metadata={"labels": labels, "annotations": notes})
    assert one(clean(namespace)).facts["mesh_settings"] == {**NOTHING, **expected}
    pods = deployment(labels=labels)
    pods["spec"]["template"]["metadata"]["annotations"] = dict(notes)
    found = one(clean(pods)).facts["mesh_settings"]
    assert found == {**NOTHING, **expected}


@pytest.mark.parametrize(
    "notes", [{"config.linkerd.io/default-inbound-policy": "$(POLICY)"}, {"config.linkerd.io/skip-inbound-ports": "http"}]
)
def test_words_that_are_none(notes: dict[str, str]) -> None:
    found = one(clean(thing("v1", "Namespace", "n", None, metadata={"annotations": notes})))
    assert found.gaps["mesh_settings"].reason is Reason.UNPARSABLE


@given(st.lists(st.tuples(st.integers(1, 65535), st.integers(1, 65535)), max_size=5))
def test_ports_read_back(found: list[tuple[int, int]]) -> None:
    text = ",".join(str(a) if a == b else f"{a}-{b}" for a, b in found)
    assert ports(text) == [[a, b] for a, b in found]


def test_kubeflow_profiles() -> None:
    label = {"app.kubernetes.io/part-of": "kubeflow-profile"}
    assert one(thing("v1", "Namespace", "n", None, metadata={"labels": label})).facts["kubeflow_profile"] is True
    assert one(thing("v1", "Namespace", "n", None)).facts["kubeflow_profile"] is False


@pytest.mark.parametrize(
    ("spec", "mesh"),
    [
        ({}, ""),
        ({"containers": [container(), container("istio-proxy")]}, "istio"),
        ({"initContainers": [container("istio-proxy", restartPolicy="Always")]}, "istio"),  # a native sidecar
        ({"containers": [container(), container("linkerd-proxy")]}, "linkerd"),
        ({"containers": [container("istio-proxy")]}, "istio-gateway"),
    ],
)
def test_proxies(spec: dict[str, Any], mesh: str) -> None:
    assert one(deployment(spec=spec)).facts["mesh_sidecar"] == mesh


def test_ports_that_are_served() -> None:
    served = [{"containerPort": 8000, "name": "http"}, {"containerPort": 53, "protocol": "UDP"}, {"containerPort": "x"}]
    spec = {"containers": [container(ports=served), container("istio-proxy", ports=[{"containerPort": 15090}])]}
    assert one(deployment(spec=spec)).facts["listens_on"] == [{"container": "main", "port": 8000, "name": "http"}]


@pytest.mark.parametrize(
    ("main", "speaks"),
    [
        ({}, False),
        ({"args": ["--model", "m", "--ssl-keyfile", "/tls/key.pem"]}, True),
        ({"args": ["--ssl-keyfile=/tls/key.pem"]}, True),
        ({"command": ["sh", "-c", "exec llama-server --ssl-key-file /k --port 1"]}, True),
        ({"args": ["--ssl-keyfile="]}, False),
        ({"args": ["--grpc-use-ssl=true"]}, True),
        ({"args": ["--grpc-use-ssl", "false"]}, False),
        ({"args": ["--grpc-use-ssl=$(TLS)"]}, None),
        ({"env": [{"name": "RAY_USE_TLS", "value": "1"}]}, True),
        ({"env": [{"name": "RAY_USE_TLS", "value": "0"}]}, False),
        ({"env": [{"name": "RAY_USE_TLS", "value": ""}]}, False),
        ({"env": [{"name": "RAY_USE_TLS", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}]}, None),
        ({"env": [{"name": "RAY_USE_TLS", "value": "$(X)"}], "args": ["--ssl-keyfile=/k"]}, True),
    ],
)
def test_servers_that_speak_tls(main: dict[str, Any], speaks: bool | None) -> None:  # noqa: FBT001 - a column of the table
    found = one(clean(deployment(spec={"containers": [container(**main)]})))
    assert found.facts.get("speaks_tls") is speaks


# ---- nodes


def node(size: str = "", provider: str = "", **notes: str) -> Resource:
    return one(
        thing(
            "v1",
            "Node",
            "n",
            None,
            metadata={"labels": {"node.kubernetes.io/instance-type": size} if size else {}, "annotations": notes},
            spec={"providerID": provider},
        )
    )


def test_nodes() -> None:
    assert node("p5.48xlarge", "aws:///us-east-1a/i-0").facts["fabric_encrypted"] is True
    assert node("p3.16xlarge", "aws:///us-east-1a/i-0").facts["fabric_encrypted"] is False
    for found in (node("p5.48xlarge"), node("m7i.large", "aws:///z/i"), node("p5.48xlarge", "gce://p/z/i"), node("", "aws:///z/i")):
        assert found.gaps["fabric_encrypted"].reason is Reason.NOT_OFFERED
    assert [node("", p).facts["cloud"] for p in ("aws:///z/i", "azure:///s", "")] == ["aws", "azure", ""]
    keyed = node("", "", **{"projectcalico.org/WireguardPublicKey": "k", "projectcalico.org/IPv6Address": "fd00::1/64"})
    assert (keyed.facts["wireguard_keys"], keyed.facts["dual_stack"]) == (["4"], True)
    plain = node("", "", **{"flannel.alpha.coreos.com/backend-type": "vxlan"})
    assert (plain.facts["wireguard_keys"], plain.facts["dual_stack"], plain.facts["flannel_backend"]) == ([], False, "vxlan")


# ---- policies


def test_peer_authentication() -> None:
    item = thing(
        "security.istio.io/v1beta1",
        "PeerAuthentication",
        "p",
        metadata={"creationTimestamp": "2026-01-01T00:00:00Z"},
        spec={
            "selector": {"matchLabels": {"app": "a"}},
            "mtls": {"mode": "STRICT"},
            "portLevelMtls": {8080: {"mode": "DISABLE"}, "9": {}},
        },
    )
    found = one(item)
    assert (found.native_type, found.facts) == (
        "security.istio.io/v1/PeerAuthentication",
        {
            "policy_type": "peer_authentication",
            "namespace": "team",
            "selector": {"matchLabels": {"app": "a"}},
            "mtls_mode": "STRICT",
            "port_modes": {"8080": "DISABLE", "9": "UNSET"},
            "created": "2026-01-01T00:00:00Z",
        },
    )
    empty = one(thing("security.istio.io/v1", "PeerAuthentication", "p")).facts
    assert (empty["selector"], empty["mtls_mode"], empty["port_modes"]) == ({"matchLabels": {}}, "UNSET", {})
    odd = one(thing("security.istio.io/v1", "PeerAuthentication", "p", spec={"mtls": {"mode": "LAX"}}))
    assert odd.gaps["mtls_mode"].reason is Reason.UNPARSABLE


def rules(*given_rules: Any) -> Any:
    return one(thing("security.istio.io/v1", "AuthorizationPolicy", "p", spec={"rules": list(given_rules)})).facts[
        "authorization_rules"
    ]


def test_authorization_rules() -> None:
    anyone = {"sources": [], "everywhere": True, "not_paths": [], "paths": [], "when": [], "when_not": []}
    nobody = {"known": [], "anyone": False, "relays": False, "strangers": [], "other": []}
    assert rules({}) == [anyone]
    assert rules({"to": [{"operation": {"paths": ["/healthz"]}}]}) == [{**anyone, "everywhere": False, "paths": ["/healthz"]}]
    assert rules({"to": [{"operation": {"paths": ["/a"]}}, {"operation": {"methods": ["GET"]}}]}) == [
        {**anyone, "everywhere": False}
    ]
    assert rules({"to": [{}]}) == [anyone]
    source = {"principals": ["a"], "ipBlocks": ["10.0.0.0/8"], "namespaces": []}
    assert rules({"from": [{"source": source}, {"source": {"notRequestPrincipals": ["*"]}}]}) == [
        {
            **anyone,
            "sources": [
                {**nobody, "known": ["principals"], "other": ["ipBlocks"]},
                {**nobody, "strangers": ["notRequestPrincipals"]},
            ],
        }
    ]
    assert rules({"to": [{"operation": {"notPaths": ["/b", "/a"]}}]}) == [
        {**anyone, "everywhere": False, "not_paths": ["/a", "/b"]}
    ]
    assert rules({"to": [{"operation": {"notPaths": ["/b"], "ports": ["80"]}}]})[0]["not_paths"] == []
    assert rules({"from": [{"source": {"notPrincipals": ["cluster.local/ns/x/sa/y"]}}]})[0]["sources"] == [
        {**nobody, "other": ["notPrincipals"]}
    ]


@pytest.mark.parametrize(
    ("source", "anyone", "relays"),
    [
        ({"principals": ["cluster.local/ns/istio-system/sa/istio-ingressgateway-service-account"]}, False, True),
        ({"principals": ["cluster.local/ns/knative-serving/sa/activator"]}, False, True),
        ({"principals": ["cluster.local/ns/web/sa/my-gateway"]}, False, True),
        ({"serviceAccounts": ["istio-ingress/gw"], "namespaces": ["istio-system"]}, False, True),
        ({"principals": ["*"]}, True, True),
        ({"principals": ["*"], "namespaces": ["istio-system"]}, False, True),
        ({"principals": ["cluster.local/ns/web/sa/front", "cluster.local/ns/web/sa/gateway"]}, False, True),
        ({"principals": ["cluster.local/ns/web/sa/front"]}, False, False),
        ({"principals": ["cluster.local/ns/web/sa/front", "*"]}, True, True),
        ({"principals": ["cluster.local/ns/web/sa/front"], "namespaces": ["istio-system"]}, False, False),
        ({"namespaces": ["my-istio-systems"]}, False, False),
        ({"requestPrincipals": ["*"]}, False, False),
        ({"requestPrincipals": ["*"], "namespaces": ["istio-system"]}, False, False),
    ],
)
def test_sources_that_stand_for_many(source: dict[str, Any], anyone: bool, relays: bool) -> None:  # noqa: FBT001 - columns
    (found,) = rules({"from": [{"source": source}]})[0]["sources"]
    assert (found["anyone"], found["relays"]) == (anyone, relays)


def test_values_of_headers_are_not_kept() -> None:
    found = rules(
        {"when": [{"key": "request.headers[x-key]", "values": ["hunter2"]}, {"key": "source.ip", "notValues": ["10.0.0.1"]}]}
    )
    assert (found[0]["when"], found[0]["when_not"]) == (["request.headers[x-key]"], ["source.ip"])
    assert "hunter2" not in json.dumps(found)


def test_authorization_policies() -> None:
    empty = one(thing("security.istio.io/v1", "AuthorizationPolicy", "p", spec={})).facts
    assert {k: empty[k] for k in ("action", "authorization_rules", "targets", "selector")} == {
        "action": "ALLOW", "authorization_rules": [], "targets": [], "selector": {"matchLabels": {}},
    }  # fmt: skip
    bare = one(thing("security.istio.io/v1", "AuthorizationPolicy", "p")).facts  # no spec at all is an empty one
    assert (bare["action"], bare["authorization_rules"]) == ("ALLOW", [])
    attached = {"action": "DENY", "targetRefs": [{"kind": "Service", "name": "s"}]}
    found = one(thing("security.istio.io/v1", "AuthorizationPolicy", "p", spec=attached)).facts
    assert (found["action"], found["targets"]) == ("DENY", [{"group": "", "kind": "Service", "name": "s"}])


@pytest.mark.parametrize(
    ("api", "kind", "fact", "spec"),
    [
        ("security.istio.io/v1", "AuthorizationPolicy", "authorization_rules", {"rules": "all"}),
        ("security.istio.io/v1", "AuthorizationPolicy", "authorization_rules", {"rules": ["all"]}),
        ("security.istio.io/v1", "AuthorizationPolicy", "selector", {"selector": "all"}),
        ("security.istio.io/v1", "AuthorizationPolicy", "selector", {"selector": {"matchLabels": ["a"]}}),
        ("security.istio.io/v1", "PeerAuthentication", "port_modes", {"portLevelMtls": ["8080"]}),
        ("networking.istio.io/v1", "DestinationRule", "client_tls", {"trafficPolicy": {"tls": {"mode": "{{ x }}"}}}),
        ("networking.istio.io/v1", "DestinationRule", "client_tls", {"trafficPolicy": {"tls": "DISABLE"}}),
        ("policy.linkerd.io/v1beta3", "Server", "selector", {"podSelector": "all"}),
        ("policy.linkerd.io/v1beta3", "Server", "access_policy", {"accessPolicy": "{{ x }}"}),
    ],
)
def test_what_is_of_another_shape_is_a_gap(api: str, kind: str, fact: str, spec: dict[str, Any]) -> None:
    found = one(thing(api, kind, "x", spec=spec))
    assert fact in found.gaps
    assert fact not in found.facts


def test_a_null_rule_is_an_empty_one() -> None:
    assert rules(None) == rules({})


def test_destination_rules() -> None:
    spec = {
        "host": "h",
        "trafficPolicy": {
            "tls": {"mode": "ISTIO_MUTUAL"},
            "portLevelSettings": [{"port": {"number": 9}, "tls": {"mode": "DISABLE"}}],
        },
        "subsets": [{"name": "v1", "trafficPolicy": {"tls": {"mode": "SIMPLE"}}}, {"name": "v2"}],
    }
    found = one(thing("networking.istio.io/v1beta1", "DestinationRule", "d", spec=spec)).facts
    assert (found["host"], found["client_tls"]) == (
        "h",
        [{"where": "", "mode": "ISTIO_MUTUAL"}, {"where": "port 9", "mode": "DISABLE"}, {"where": "subset v1", "mode": "SIMPLE"}],
    )
    assert one(thing("networking.istio.io/v1", "DestinationRule", "d", spec={"host": "h"})).facts["client_tls"] == []


def test_linkerd_policies() -> None:
    group = "policy.linkerd.io"
    server = one(thing(f"{group}/v1beta3", "Server", "s", spec={"podSelector": {"matchLabels": {"a": "b"}}, "port": 8000})).facts
    assert {k: server[k] for k in ("selector", "port", "access_policy")} == {
        "selector": {"matchLabels": {"a": "b"}}, "port": "8000", "access_policy": "deny",
    }  # fmt: skip
    spec = {
        "targetRef": {"group": group, "kind": "Server", "name": "s"},
        "requiredAuthenticationRefs": [{"kind": "NetworkAuthentication"}],
    }
    policy = one(thing(f"{group}/v1alpha1", "AuthorizationPolicy", "a", spec=spec))
    assert policy.native_type == "policy.linkerd.io/v1alpha1/AuthorizationPolicy"
    assert (policy.facts["targets"], policy.facts["requires"]) == (
        [{"group": group, "kind": "Server", "name": "s"}],
        ["NetworkAuthentication"],
    )
    for client, open_ in (
        ({"unauthenticated": True}, True),
        ({"meshTLS": {"unauthenticatedTLS": True}}, True),
        ({"meshTLS": {}}, False),
    ):
        old = one(thing(f"{group}/v1beta1", "ServerAuthorization", "o", spec={"server": {"name": "s"}, "client": client}))
        assert (old.facts["server"], old.facts["unauthenticated"]) == ("s", open_)


# ---- configuration objects and models


def test_felix() -> None:
    found = one(thing("projectcalico.org/v3", "FelixConfiguration", "default", None, spec={"wireguardEnabled": True})).facts
    assert found["settings"] == {
        "component": "calico", "wireguard": True, "wireguard_v6": False, "host_encryption": False, "written": ["wireguard"],
    }  # fmt: skip
    assert one(thing("crd.projectcalico.org/v1", "FelixConfiguration", "default", None)).facts["settings"]["wireguard"] is False


@pytest.mark.parametrize(
    ("ovn", "mode"),
    [
        ({}, "none"),
        ({"ipsecConfig": {}}, "ipsec"),  # before 4.15 there were no modes
        ({"ipsecConfig": {"mode": "Full"}}, "ipsec"),
        ({"ipsecConfig": {"mode": "External"}}, "external"),
        ({"ipsecConfig": {"mode": "Disabled"}}, "none"),
        ({"ipsecConfig": {"mode": "Odd"}}, None),
    ],
)
def test_openshift(ovn: dict[str, Any], mode: str | None) -> None:
    spec = {"defaultNetwork": {"type": "OVNKubernetes", "ovnKubernetesConfig": ovn}}
    found = one(thing("operator.openshift.io/v1", "Network", "cluster", None, spec=spec))
    assert found.facts.get("settings", {}).get("mode") == mode
    assert (mode is None) == ("settings" in found.gaps)


def publishing(item: dict[str, Any]) -> Any:
    (found,) = projected(clean(item), "model_service")
    return found.facts["publishing"]


def test_publishing() -> None:
    isvc = thing(
        "serving.kserve.io/v1beta1",
        "InferenceService",
        "i",
        metadata={
            "labels": {"networking.knative.dev/visibility": "cluster-local"},
            "annotations": {"security.opendatahub.io/enable-auth": "true", "serving.kserve.io/deploymentMode": "RawDeployment"},
        },
        spec={"predictor": {"containers": [container()]}},
    )
    local = {"visibility": "", "knative_visibility": "cluster-local"}
    assert publishing(isvc) == {"serves": "kserve", **local, "mode": "RawDeployment", "asks_identity": True}
    llm = thing("serving.kserve.io/v1alpha2", "LLMInferenceService", "l", spec={"router": {"route": {}}})
    plain = {"serves": "kserve", "visibility": "", "knative_visibility": "", "mode": "", "asks_identity": False}
    assert publishing(llm) == {**plain, "routed": True}
    made = thing("serving.kserve.io/v1alpha1", "LLMInferenceService", "l", spec={"baseRefs": [{"name": "b"}]})
    assert publishing(made)["routed"] is None
    assert publishing(thing("serving.kserve.io/v1alpha1", "LLMInferenceService", "l"))["routed"] is False
    seldon = thing("machinelearning.seldon.io/v1", "SeldonDeployment", "s", spec={"predictors": []})
    assert publishing(seldon)["serves"] == "seldon"


@pytest.mark.parametrize(
    ("expose", "visibility"),
    [
        ({}, "cluster-local"),
        ({"service": {"type": "LoadBalancer"}}, "exposed"),
        ({"service": {"type": "ClusterIP"}, "ingress": {"enabled": False}}, "cluster-local"),
        ({"ingress": {"enabled": True}}, "exposed"),
        ({"router": {"ingress": {"ingressClass": "nginx"}}}, "exposed"),
        ({"router": {"gateway": {"name": "g"}}}, "exposed"),
        ({"router": {"hostDomainName": "x.example"}}, "cluster-local"),
    ],
)
def test_nim(expose: dict[str, Any], visibility: str) -> None:
    assert publishing(thing("apps.nvidia.com/v1alpha1", "NIMService", "n", spec={"expose": expose}))["visibility"] == visibility
