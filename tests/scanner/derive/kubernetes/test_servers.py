"""Who may use a server, what its version lacks, and what protects Ray."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.model import Gap, Reason
from tests.collectors.kubernetes.objects import container, deployment, thing
from tests.scanner.derive.kubernetes.test_exposure import DENIED, fact, subject, world

POLICIES = "networking.k8s.io/v1/NetworkPolicy"


def app(*containers: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return deployment("chat", {"containers": list(containers), **spec})


def vllm(*args: str, **more: Any) -> dict[str, Any]:
    return app(container("server", image="vllm/vllm-openai:v0.32.0", args=list(args), **more))


def service(kind: str = "LoadBalancer", target: int = 8000, **more: Any) -> dict[str, Any]:
    return thing(
        "v1",
        "Service",
        "s",
        spec={"selector": {"app": "chat"}, "type": kind, "ports": [{"port": 80, "targetPort": target}], **more},
    )


def policy(name: str = "np", **spec: Any) -> dict[str, Any]:
    return thing("networking.k8s.io/v1", "NetworkPolicy", name, spec={"podSelector": {}, "policyTypes": ["Ingress"], **spec})


SHUT = policy()


def door(way: str, through: str = "", **more: Any) -> dict[str, Any]:
    base = {"container": "server", "product": "vllm", "auth": "none", "internet": "no", "paths": ["/"], "dev_mode": False}
    return {**base, "way": way, "through": through, **more}


INSIDE = door("other namespaces")
BALANCED = door("load balancer", "k8s/c/Service/team/s", internet="yes")


@pytest.mark.parametrize(
    ("items", "doors"),
    [
        ([vllm(), SHUT], []),
        ([vllm()], [INSIDE]),
        ([vllm(), service("ClusterIP"), SHUT], []),
        ([vllm(), service(), SHUT], [BALANCED]),
        ([vllm(), service()], [BALANCED, INSIDE]),
        ([vllm("--api-key=k"), service(), SHUT], [{**BALANCED, "auth": "key"}]),
        ([vllm(env=[{"name": "VLLM_SERVER_DEV_MODE", "value": "1"}]), service(), SHUT], [{**BALANCED, "dev_mode": True}]),
        ([vllm("--host=127.0.0.1"), service()], []),
        # the service leads to another port
        ([vllm(), service(target=9000), SHUT], []),
        ([vllm("--port=9000"), service(target=9000), SHUT], [BALANCED]),
        # a policy that lets in whoever it names, and one that lets in everyone
        ([vllm(), policy(ingress=[{"from": [{"podSelector": {}}]}])], []),
        ([vllm(), policy(ingress=[{"from": [{"namespaceSelector": {}}], "ports": [{"port": 8000}]}])], [INSIDE]),
        ([vllm(), policy(ingress=[{"from": [{"namespaceSelector": {}}], "ports": [{"port": 9000}]}])], []),
    ],
)
def test_doors(items: list[dict[str, Any]], doors: list[dict[str, Any]]) -> None:
    assert fact("server_doors", *items) == doors
    assert fact("server_doors_settled", *items) is True


PROXY = container("proxy", image="quay.io/oauth2-proxy/oauth2-proxy:v7", args=["--http-address=:4180"])
SERVER = container("server", image="vllm/vllm-openai:v0.32.0")


def test_a_proxy_counts_for_its_own_port() -> None:
    assert fact("server_doors", app(SERVER, PROXY), service(target=4180), SHUT) == []
    assert fact("server_doors", app(SERVER, PROXY), service(), SHUT) == [BALANCED]


def asking(answer: dict[str, str]) -> dict[str, Any]:
    rules = [
        {"http": {"paths": [{"path": "/v1", "pathType": "Prefix", "backend": {"service": {"name": "s", "port": {"number": 80}}}}]}}
    ]
    return thing("networking.k8s.io/v1", "Ingress", "i", metadata={"annotations": answer}, spec={"rules": rules})


def test_ingresses_that_ask() -> None:
    inside = [vllm(), service("ClusterIP"), SHUT]
    plain = asking({})
    assert fact("server_doors", *inside, plain) == [
        door("ingress", "k8s/c/Ingress.networking.k8s.io/team/i", internet="unknown", paths=["/v1"])
    ]
    assert fact("server_doors", *inside, asking({"nginx.ingress.kubernetes.io/auth-url": "x"})) == []
    perhaps = asking({"konghq.com/plugins": "x"})
    assert (fact("server_doors", *inside, perhaps), fact("server_doors_settled", *inside, perhaps)) == ([], Reason.NOT_OFFERED)


INJECTED = thing("v1", "Namespace", "team", None, metadata={"labels": {"istio-injection": "enabled"}})
ISTIO = thing("v1", "ConfigMap", "istio", "istio-system", data={"mesh": "rootNamespace: istio-system"})
INJECTOR = thing(
    "admissionregistration.k8s.io/v1",
    "MutatingWebhookConfiguration",
    "istio",
    None,
    webhooks=[{"name": "namespace.sidecar-injector.istio.io", "clientConfig": {}, "rules": []}],
)


def authorisation(**spec: Any) -> dict[str, Any]:
    return thing("security.istio.io/v1", "AuthorizationPolicy", "a", spec=spec)


KNOWN = authorisation(action="ALLOW", rules=[{"from": [{"source": {"principals": ["cluster.local/ns/front/sa/web"]}}]}])


GATEWAY_ONLY = authorisation(
    action="ALLOW",
    rules=[{"from": [{"source": {"principals": ["cluster.local/ns/istio-system/sa/istio-ingressgateway-service-account"]}}]}],
)


def test_who_comes_through_the_gateway_is_not_known_by_it() -> None:
    """That only the gateway may call says nothing of whom it lets through."""
    items = [INJECTED, ISTIO, INJECTOR, vllm(), service(), SHUT, GATEWAY_ONLY]
    assert fact("mesh_guarded", *items) is True
    assert fact("server_doors", *items) == [BALANCED]


@pytest.mark.parametrize(("rules", "guarded"), [([KNOWN], True), ([authorisation(action="ALLOW", rules=[{}])], False), ([], False)])
def test_policies_of_the_mesh(rules: list[dict[str, Any]], guarded: bool) -> None:  # noqa: FBT001 - a column
    items = [INJECTED, ISTIO, INJECTOR, vllm(), service(), SHUT, *rules]
    assert fact("mesh_guarded", *items) is guarded
    assert fact("server_doors", *items) == ([] if guarded else [BALANCED])


@pytest.mark.parametrize(
    "of",
    [
        app(container("server", image="vllm/vllm-openai:v0.32.0", envFrom=[{"secretRef": {"name": "s"}}])),
        app(container("server", image="vllm/vllm-openai:v0.32.0", command=["/run.sh"])),
        vllm("--config=/c.yaml"),
        vllm("--host=$(POD_IP)", "--api-key=k"),
        vllm("--port=$(PORT)"),
    ],
    ids=["envFrom", "wrapper", "config", "host", "port"],
)
def test_what_is_not_told_settles_nothing(of: dict[str, Any]) -> None:
    assert fact("server_doors_settled", of, service(), SHUT) is Reason.NOT_OFFERED


def test_what_could_not_be_read_settles_nothing() -> None:
    assert fact("server_doors_settled", vllm(), SHUT, gaps={"v1/Service": DENIED}) is Reason.DENIED
    assert fact("server_doors_settled", vllm(), gaps={POLICIES: DENIED}) is Reason.DENIED
    assert fact("server_doors", vllm(), service(), manifests=True) == [BALANCED]
    assert fact("server_doors_settled", vllm(), service(), manifests=True) is Reason.NOT_OFFERED


def test_a_workload_without_servers_has_no_doors() -> None:
    assert fact("server_doors", app(container()), service()) == []
    assert fact("server_doors_settled", app(container()), service(), manifests=True) is True


# ---- settings and versions


def test_settled() -> None:
    triton = container("t", image="nvcr.io/nvidia/tritonserver:26.06-py3", args=["tritonserver", "--model-control-mode=explicit"])
    assert fact("servers_settled", app(triton)) is True
    hidden = {**triton, "args": [*triton["args"], "--http-restricted-api=$(R)"]}
    assert fact("servers_settled", app(hidden)) is Reason.NOT_OFFERED
    polling = {**triton, "args": ["tritonserver", "--model-control-mode=poll", "--model-repository=/opt/m"]}
    assert fact("servers_settled", app(polling)) is Reason.NOT_OFFERED
    assert fact("servers_settled", app({**triton, "args": None, "command": ["/run.sh"]})) is Reason.NOT_OFFERED
    somewhere = container(
        "j", image="quay.io/jupyter/base-notebook", args=["start-notebook.py", "--ip=$(IP)", "--ServerApp.token="]
    )
    assert fact("servers_settled", app(somewhere)) is Reason.NOT_OFFERED


def lacks(image: str, *args: str) -> Any:
    found = fact("advisories", app(container("c", image=image, args=list(args))))
    return found if isinstance(found, Reason) else [(a["version"], a["fixed"], a["ids"], a["told_by"]) for a in found]


def test_advisories() -> None:
    assert lacks("vllm/vllm-openai:v0.17.1") == [
        ("0.17.1", "0.22.0", ["CVE-2026-27893", "CVE-2026-41523", "CVE-2026-47155", "CVE-2026-48746"], "image")
    ]
    assert lacks("vllm/vllm-openai:v0.2.7") == [("0.2.7", "0.22.0", ["CVE-2026-41523", "CVE-2026-47155"], "image")]
    assert lacks("vllm/vllm-openai:v0.22.0-rc1")[0][:2] == ("0.22.0-rc1", "0.22.0")
    assert lacks("vllm/vllm-openai:v0.22.0") == []
    assert lacks("vllm/vllm-openai:v0.30.0", "--trust-remote-code") == [("0.30.0", "0.31.0", ["CVE-2026-114053"], "image")]
    assert lacks("vllm/vllm-openai:v0.30.0") == []
    assert lacks("nvcr.io/nvidia/tritonserver:26.05-py3") == [
        ("26.05", "26.07", ["CVE-2026-47606", "CVE-2026-47627", "CVE-2026-47630", "CVE-2026-16497"], "image")
    ]
    assert lacks("nvcr.io/nvidia/tritonserver:26.06-py3") == [("26.06", "26.07", ["CVE-2026-16497"], "image")]
    assert lacks("nvcr.io/nvidia/tritonserver:26.07-py3") == []
    assert lacks("ollama/ollama:0.1.33") == [("0.1.33", "0.1.34", ["CVE-2024-37032"], "image")]
    # the bulletin names 4.8.2 as affected and as fixed
    assert lacks("nvcr.io/nvidia/k8s/dcgm-exporter:4.5.1-4.8.2-ubuntu22.04") == [("4.8.2", "4.8.3", ["CVE-2026-47483"], "image")]
    assert lacks("grafana/grafana:1") == []


def test_versions_that_nobody_tells() -> None:
    digest = app(container(image="vllm/vllm-openai@sha256:" + "a" * 64))
    assert (fact("advisories", digest), fact("advisories_settled", digest)) == ([], Reason.NOT_OFFERED)
    assert fact("advisories_settled", app(container(image="vllm/vllm-openai:v0.32.0"))) is True


@pytest.mark.parametrize(("version", "settled"), [("v0.30.0", Reason.NOT_OFFERED), ("v0.32.0", True)])
def test_a_configuration_file_may_trust_remote_code(version: str, settled: Any) -> None:
    of = app(container(image=f"vllm/vllm-openai:{version}", args=["--config=/c.yaml"]))
    assert (fact("advisories", of), fact("advisories_settled", of)) == ([], settled)


@pytest.mark.parametrize(
    "more",
    [
        {"env": [{"name": "VLLM_SERVER_DEV_MODE", "valueFrom": {"configMapKeyRef": {"name": "c", "key": "k"}}}]},
        {"env": [{"name": "VLLM_SERVER_DEV_MODE", "value": "$(MODE)"}]},
        {"envFrom": [{"configMapRef": {"name": "c"}}]},
    ],
)
def test_development_endpoints_may_be_on(more: dict[str, Any]) -> None:
    """A key does not protect them."""
    of = vllm("--api-key=k", **more)
    assert fact("server_doors", of, service(), SHUT) == [{**BALANCED, "auth": "key"}]
    assert fact("server_doors_settled", of, service(), SHUT) is Reason.NOT_OFFERED


# ---- Ray


def ray(head: dict[str, Any] | None = None, kind: str = "RayCluster", **spec: Any) -> dict[str, Any]:
    template = {"spec": {"containers": [container("ray", image="rayproject/ray:2.53.0")]}}
    group = {"groupName": "g", "template": template}
    cluster = {"headGroupSpec": {"template": template, **(head or {})}, "workerGroupSpecs": [group], **spec}
    key = {"RayCluster": None, "RayJob": "rayClusterSpec", "RayService": "rayClusterConfig"}[kind]
    return thing("ray.io/v1", kind, "r", spec={key: cluster} if key else cluster)


def of_ray(name: str, *items: dict[str, Any], **options: Any) -> Any:
    return fact(name, *items, kind="model_service", **options)


def head_service(cluster: str = "r", kind: str = "NodePort", port: int = 8265) -> dict[str, Any]:
    selector = {"ray.io/cluster": cluster, "ray.io/node-type": "head", "ray.io/identifier": f"{cluster}-head"}
    return thing("v1", "Service", "s", spec={"selector": selector, "type": kind, "ports": [{"port": port}]})


def test_the_head_is_reached() -> None:
    assert of_ray("exposed_by", ray()) == []
    assert of_ray("exposure_settled", ray()) is True
    assert of_ray("exposure_settled", ray(), manifests=True) is Reason.NOT_OFFERED
    node_port = {
        "through": "k8s/c/Service/team/s",
        "way": "node port",
        "internet": "unknown",
        "ports": [8265],
        "paths": ["/"],
        "authenticated": "no",
    }
    assert of_ray("exposed_by", ray(), head_service()) == [node_port]
    assert of_ray("exposed_by", ray(), head_service(kind="ClusterIP")) == []
    assert of_ray("exposed_by", ray(), head_service("other")) == []
    assert of_ray("exposed_by", ray(), head_service(port=8000)) == [], "models are served there"
    asked = of_ray("exposed_by", ray({"serviceType": "NodePort"}))
    assert [(w["through"], w["way"], w["ports"]) for w in asked] == [
        ("k8s/c/RayCluster.ray.io/team/r", "node port", [6379, 8265, 10001])
    ]
    # what was asked for and is there is one way
    assert of_ray("exposed_by", ray({"serviceType": "NodePort"}), head_service()) == [node_port]


def test_an_ingress_that_asks_who_calls_is_spared() -> None:
    """What the remedy asks for is no finding."""
    inside = head_service(kind="ClusterIP")

    def to_head(**notes: str) -> dict[str, Any]:
        found = asking(notes)
        found["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]["port"]["number"] = 8265
        return found

    assert [w["way"] for w in of_ray("exposed_by", ray(), inside, to_head())] == ["ingress"]
    told = to_head(**{"nginx.ingress.kubernetes.io/auth-url": "x"})
    assert (of_ray("exposed_by", ray(), inside, told), of_ray("exposure_settled", ray(), inside, told)) == ([], True)
    perhaps = to_head(**{"konghq.com/plugins": "x"})
    assert of_ray("exposed_by", ray(), inside, perhaps) == []
    assert of_ray("exposure_settled", ray(), inside, perhaps) is Reason.NOT_OFFERED


def test_internal_load_balancers_are_spared() -> None:
    notes = {"service.beta.kubernetes.io/aws-load-balancer-internal": "true"}
    assert of_ray("exposed_by", ray({"serviceType": "LoadBalancer"}, headServiceAnnotations=notes)) == []
    assert len(of_ray("exposed_by", ray({"serviceType": "LoadBalancer"}))) == 1


@pytest.mark.parametrize("kind", ["RayJob", "RayService"])
def test_clusters_of_jobs_have_made_up_names(kind: str) -> None:
    for name, ways in (("r-x7k2q", 1), ("r-raycluster-x7k2q", 1), ("r", 0), ("other-x7k2q", 0)):
        assert len(of_ray("exposed_by", ray(kind=kind), head_service(name))) == ways, name


def operator(*args: str) -> dict[str, Any]:
    return deployment("op", {"containers": [container("op", image="quay.io/kuberay/operator:v1.7.0", args=list(args))]})


TLS = [
    {"name": "RAY_USE_TLS", "value": "1"},
    *({"name": f"RAY_TLS_{n}", "value": "/x"} for n in ("SERVER_CERT", "SERVER_KEY", "CA_CERT")),
]
PLAIN = thing("v1", "ConfigMap", "cilium-config", "kube-system", data={"enable-wireguard": "false"})


def test_traffic_of_ray() -> None:
    asked = ray(tlsOptions={"enabled": True})
    on, off = operator("--feature-gates=RayClusterMTLS=true"), operator()
    assert of_ray("traffic_protection", asked, on) == "tls"
    assert of_ray("traffic_protection", asked, PLAIN) is Reason.NOT_OFFERED, "the operator was not seen"
    template = {"spec": {"containers": [container("ray", image="a", env=TLS)]}}
    by_hand = ray({"template": template}, workerGroupSpecs=[{"groupName": "g", "template": template}])
    assert of_ray("traffic_protection", by_hand) == "tls"
    node = thing("v1", "Node", "n", None, status={"nodeInfo": {}})
    for of in (ray(), asked):
        found = of_ray("traffic_protection", of, off, PLAIN, node)
        assert found in ("none", Reason.NOT_OFFERED)


def own(name: str, **labels: str) -> dict[str, Any]:
    selector = {"matchLabels": {f"ray.io/{k.replace('_', '-')}": v for k, v in labels.items()}}
    return policy(name, podSelector=selector, policyTypes=["Ingress", "Egress"])


HEAD = own("r-head", cluster="r", node_type="head")
WORKERS = own("r-workers-g", cluster="r", node_type="worker", group="g")
DENY = policy(policyTypes=["Ingress", "Egress"])


@pytest.mark.parametrize(
    ("spec", "policies", "isolation"),
    [
        ({}, [], "none"),
        ({}, [DENY], "equivalent"),
        ({}, [SHUT], "none"),
        ({"networkPolicy": {}}, [], "missing"),
        ({"networkPolicy": {}}, [HEAD, WORKERS], "policies"),
        ({"networkPolicy": {}}, [HEAD], "missing"),
        # one of the same name that is somebody else's
        ({"networkPolicy": {}}, [policy("r-head", podSelector={"matchLabels": {"app": "x"}}), WORKERS], "missing"),
        ({"networkPolicy": {"mode": "DenyAllIngress"}}, [], "partial"),
        ({"networkPolicy": {"mode": "DenyAllEgress"}}, [DENY], "equivalent"),
        # policies that admit everyone isolate nothing
        ({}, [policy(policyTypes=["Ingress", "Egress"], ingress=[{}])], "open"),
        ({"networkPolicy": {}}, [{**HEAD, "spec": {**HEAD["spec"], "ingress": [{}]}}, WORKERS], "open"),
        ({"networkPolicy": {}}, [HEAD, WORKERS, policy(policyTypes=["Egress"], egress=[{}])], "open"),
    ],
)
def test_isolation_of_ray(spec: dict[str, Any], policies: list[dict[str, Any]], isolation: str) -> None:
    assert of_ray("isolation", ray(**spec), *policies) == isolation


def test_isolation_of_ray_in_manifests() -> None:
    asked = ray(networkPolicy={})
    assert of_ray("isolation", asked, manifests=True) is Reason.NOT_OFFERED
    assert of_ray("isolation", ray(), manifests=True) is Reason.NOT_OFFERED
    gated = operator("--feature-gates=RayClusterNetworkPolicy=true")
    assert of_ray("isolation", asked, gated, manifests=True) == "policies"
    on_host = ray({"template": {"spec": {"hostNetwork": True, "containers": [container("ray", image="a")]}}})
    assert of_ray("isolation", on_host, manifests=True) == "none", "policies do not bind it"
    assert of_ray("isolation", asked, gaps={POLICIES: DENIED}) is Reason.DENIED


def test_versions_of_ray() -> None:
    def told(image: str, **spec: Any) -> Any:
        template = {"spec": {"containers": [container("ray", image=image)]}}
        found = of_ray("advisories", ray({"template": template}, **spec))
        return [(a["version"], a["told_by"]) for a in found]

    assert told("rayproject/ray:2.44.1-py311", rayVersion="2.53.0") == [("2.44.1", "image")], "the image decides"
    assert told("rayproject/ray:2.53.0-py311", rayVersion="2.44.1") == []
    assert told("registry.example/own:1", rayVersion="2.44.1") == [("2.44.1", "rayVersion")]
    assert told("registry.example/team/ray:3.1.4", rayVersion="2.44.1") == [("2.44.1", "rayVersion")], "a number of their own"
    assert told("registry.example/rayproject/ray-ml:2.44.1") == [("2.44.1", "image")]
    unknown = ray({"template": {"spec": {"containers": [container("ray", image="rayproject/ray:nightly")]}}})
    assert (of_ray("advisories", unknown), of_ray("advisories_settled", unknown)) == ([], Reason.NOT_OFFERED)


# ---- metrics


def exporter(**more: Any) -> dict[str, Any]:
    return app(
        container(
            "server",
            image="nvcr.io/nvidia/k8s/dcgm-exporter:4.6.0-4.8.3",
            ports=[{"name": "metrics", "containerPort": 9400}],
            **more,
        )
    )


def metrics(kind: str = "ClusterIP", port: int = 9400, target: Any = "metrics", **meta: Any) -> dict[str, Any]:
    ports = [{"name": "metrics", "port": port, "targetPort": target}]
    return thing("v1", "Service", "s", metadata=meta, spec={"selector": {"app": "chat"}, "type": kind, "ports": ports})


def of_service(name: str, *items: dict[str, Any], **options: Any) -> Any:
    of = world(*items, **options)
    (resource,) = [r for r in of.all("endpoint") if r.native_type == "v1/Service"]
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def test_metrics() -> None:
    assert of_service("telemetry", exporter(), metrics(), SHUT) == [{"port": 9400, "what": "dcgm-exporter"}]
    assert of_service("telemetry_open", exporter(), metrics(), SHUT) == []
    assert of_service("telemetry_settled", exporter(), metrics(), SHUT) is True
    assert of_service("telemetry_open", exporter(), metrics()) == [{"port": 9400, "way": "other namespaces"}]
    assert of_service("telemetry_open", exporter(), metrics("NodePort"), SHUT) == [{"port": 9400, "way": "node port"}]
    assert of_service("telemetry_open", exporter(), metrics("LoadBalancer"), SHUT) == [{"port": 9400, "way": "load balancer"}]
    inside = {"annotations": {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}}
    assert of_service("telemetry_open", exporter(), metrics("LoadBalancer", **inside), SHUT) == []


def test_what_is_scraped_is_telemetry() -> None:
    served = [vllm(), SHUT]
    assert of_service("telemetry", *served, metrics(port=8000, target=8000)) == []
    noted = metrics(port=8000, target=8000, annotations={"prometheus.io/scrape": "true"})
    assert of_service("telemetry", *served, noted) == [{"port": 8000, "what": "vllm"}]
    monitor = thing(
        "monitoring.coreos.com/v1",
        "ServiceMonitor",
        "m",
        "monitoring",
        spec={"selector": {"matchLabels": {"a": "b"}}, "namespaceSelector": {"any": True}, "endpoints": [{"port": "metrics"}]},
    )
    assert of_service("telemetry", *served, metrics(port=8000, target=8000, labels={"a": "b"}), monitor) == [
        {"port": 8000, "what": "vllm"}
    ]
    assert of_service("telemetry", *served, metrics(port=8000, target=8000, labels={"a": "c"}), monitor) == []
    elsewhere = {**monitor, "spec": {**monitor["spec"], "namespaceSelector": {}}}
    assert of_service("telemetry", *served, metrics(port=8000, target=8000, labels={"a": "b"}), elsewhere) == []
    other = app(container("web", image="web:1"))
    assert of_service("telemetry", other, noted) == [], "no model server"


def test_metrics_that_could_not_be_read() -> None:
    assert of_service("telemetry_settled", metrics(), manifests=True) is Reason.NOT_OFFERED
    assert of_service("telemetry_open", metrics("NodePort"), manifests=True) == [{"port": 9400, "way": "node port"}]
    assert of_service("telemetry_settled", exporter(), metrics(), gaps={POLICIES: DENIED}) is Reason.DENIED
    nowhere = metrics()
    del nowhere["spec"]["selector"]
    assert of_service("telemetry_settled", nowhere) is Reason.NOT_OFFERED, "its endpoints may lead to any pod"


SCRAPED = {"annotations": {"prometheus.io/scrape": "true"}}
MONITORS = "monitoring.coreos.com/v1/ServiceMonitor"


def test_what_may_be_telemetry_is_not_out_of_scope() -> None:
    runtime = thing("serving.kserve.io/v1beta1", "InferenceService", "chat", spec={"predictor": {"model": {}}})
    to_it = metrics(port=8080, target=8080, **SCRAPED)
    to_it["spec"]["selector"] = {"serving.kserve.io/inferenceservice": "chat"}
    assert of_service("telemetry", runtime, to_it) is Reason.NOT_OFFERED, "it may be a model server"
    assert of_service("telemetry", metrics(port=8080, target=8080, **SCRAPED), manifests=True) is Reason.NOT_OFFERED
    plain = metrics(port=8000, target=8000)
    assert of_service("telemetry", vllm(), plain, gaps={MONITORS: DENIED}) is Reason.DENIED
    assert of_service("telemetry", vllm(), plain, manifests=True) is Reason.NOT_OFFERED
    assert of_service("telemetry", app(container(image="web:1")), plain, gaps={MONITORS: DENIED}) == []


def test_facts_of_one_workload_alone() -> None:
    of = world(vllm(), SHUT)
    assert subject(of).id == "k8s/c/Deployment.apps/team/chat"
