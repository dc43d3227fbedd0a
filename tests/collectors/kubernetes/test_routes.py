"""Where services, ingresses and routes lead; and what Ray objects ask for."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from collectors.kubernetes.routes import service_of
from tests.collectors.kubernetes.objects import container, one, thing


def facts(item: dict[str, Any], kind: str = "") -> dict[str, Any]:
    return dict(one(clean(item), kind).facts)


def test_ports_of_services() -> None:
    ports = [{"port": 80}, {"name": "web", "port": 443, "targetPort": "https"}, {"port": 9400, "targetPort": 9401}]
    found = facts(thing("v1", "Service", "s", spec={"ports": ports}))
    assert found["service_ports"] == [
        {"name": "", "port": 80, "target": "80"},
        {"name": "web", "port": 443, "target": "https"},
        {"name": "", "port": 9400, "target": "9401"},
    ]
    assert (found["external_name"], found["scraped"]) == ("", False)
    other = thing("v1", "Service", "s", spec={"type": "ExternalName", "externalName": "chat.inference.svc.cluster.local"})
    assert facts(other)["external_name"] == "chat.inference.svc.cluster.local"
    noted = thing("v1", "Service", "s", metadata={"annotations": {"prometheus.io/scrape": "true"}}, spec={})
    assert facts(noted)["scraped"] is True


def ingress(spec: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return thing("networking.k8s.io/v1", "Ingress", "i", spec=spec or {}, **more)


def test_backends_of_ingresses() -> None:
    def path(name: str, path_type: str, port: dict[str, Any]) -> dict[str, Any]:
        return {"path": "/v1", "pathType": path_type, "backend": {"service": {"name": name, "port": port}}}

    paths = [path("a", "Prefix", {"number": 80}), path("b", "ImplementationSpecific", {"name": "http"})]
    spec = {
        "defaultBackend": {"service": {"name": "c", "port": {"number": 1}}},
        "rules": [{"http": {"paths": paths}}, {"host": "x"}],
    }
    assert facts(ingress(spec))["backends"] == [
        {"namespace": "team", "name": "c", "port": "1", "paths": ["/"]},
        {"namespace": "team", "name": "a", "port": "80", "paths": ["/v1"]},
        {"namespace": "team", "name": "b", "port": "http", "paths": ["/"]},
    ]
    old = {"rules": [{"http": {"paths": [{"backend": {"serviceName": "d", "servicePort": "web"}}]}}]}
    assert facts(ingress(old))["backends"] == [{"namespace": "team", "name": "d", "port": "web", "paths": ["/"]}]


NGINX = "nginx.ingress.kubernetes.io/"


@pytest.mark.parametrize(
    ("notes", "answer"),
    [
        ({}, "no"),
        ({f"{NGINX}auth-url": "https://login.example/auth"}, "yes"),
        ({f"{NGINX}auth-type": "basic"}, "yes"),
        ({"alb.ingress.kubernetes.io/auth-type": "oidc"}, "yes"),
        ({"alb.ingress.kubernetes.io/auth-type": "none"}, "no"),
        ({f"{NGINX}auth-tls-secret": "ns/ca"}, "yes"),
        ({f"{NGINX}auth-tls-secret": "ns/ca", f"{NGINX}auth-tls-verify-client": "optional_no_ca"}, "no"),
        ({"traefik.ingress.kubernetes.io/router.middlewares": "ns-auth@kubernetescrd"}, "unknown"),
        ({"konghq.com/plugins": "key-auth"}, "unknown"),
    ],
)
def test_ingresses_that_ask(notes: dict[str, str], answer: str) -> None:
    item = ingress(metadata={"annotations": notes})
    assert facts(item)["authenticates"] == answer
    assert "login.example" not in str(item), "the address is not kept: it may hold a secret"


@pytest.mark.parametrize(
    ("spec", "notes", "status", "reach"),
    [
        ({}, {}, [], "unknown"),
        ({"ingressClassName": "public"}, {}, [], "unknown"),
        ({}, {"alb.ingress.kubernetes.io/scheme": "internet-facing"}, [], "yes"),
        ({}, {"alb.ingress.kubernetes.io/scheme": "internal"}, [], "no"),
        ({}, {"kubernetes.io/ingress.class": "gce"}, [], "yes"),
        ({}, {"kubernetes.io/ingress.class": "gce-internal"}, [], "no"),
        ({}, {}, [{"ip": "10.0.0.1"}], "no"),
        ({}, {}, [{"ip": "8.8.8.8"}], "yes"),
        ({}, {}, [{"hostname": "internal-a.elb.amazonaws.com"}], "no"),
        ({}, {}, [{"hostname": "a.example"}], "unknown"),
    ],
)
def test_addresses_of_ingresses(spec: dict[str, Any], notes: dict[str, str], status: list[Any], reach: str) -> None:
    item = ingress(spec, metadata={"annotations": notes}, status={"loadBalancer": {"ingress": status}})
    assert facts(item)["reach"] == reach


GATEWAY = "gateway.networking.k8s.io"


@pytest.mark.parametrize(
    ("version", "kind"),
    [("v1", "HTTPRoute"), ("v1", "GRPCRoute"), ("v1alpha2", "TCPRoute"), ("v1", "TLSRoute"), ("v1beta1", "HTTPRoute")],
)
def test_routes_of_the_gateway_api(version: str, kind: str) -> None:
    rules = [
        {
            "backendRefs": [
                {"name": "a", "port": 80},
                {"kind": "Service", "namespace": "other", "name": "b"},
                {"kind": "InferencePool", "name": "p"},
            ]
        }
    ]
    found = facts(thing(f"{GATEWAY}/{version}", kind, "r", spec={"parentRefs": [{"name": "g"}], "rules": rules}))
    assert found["backends"] == [
        {"namespace": "team", "name": "a", "port": "80", "paths": ["/"]},
        {"namespace": "other", "name": "b", "port": "", "paths": ["/"]},
    ]
    assert (found["endpoint_type"], found["outward"], found["authenticates"]) == ("route", True, "no")


def route(**spec: Any) -> dict[str, Any]:
    return facts(thing(f"{GATEWAY}/v1", "HTTPRoute", "r", spec=spec))


def test_paths_filters_and_parents_of_routes() -> None:
    matches = [
        {"path": {"value": "/v1"}},
        {"path": {"type": "Exact", "value": "/health"}},
        {"path": {"type": "RegularExpression", "value": "/.*"}},
        {},
    ]
    found = route(rules=[{"matches": matches, "backendRefs": [{"name": "a"}]}])
    assert found["backends"][0]["paths"] == ["/v1", "/health", "/", "/"]
    assert found["outward"] is False, "no parent: it is attached to nothing"
    assert route(parentRefs=[{"kind": "Service", "group": "", "name": "a"}])["outward"] is False, "of the mesh alone"
    assert route(rules=[{"filters": [{"type": "ExtensionRef"}]}])["authenticates"] == "unknown"
    assert route(rules=[{"backendRefs": [{"name": "a", "filters": [{"type": "ExternalAuth"}]}]}])["authenticates"] == "unknown"


def virtual(**spec: Any) -> dict[str, Any]:
    return facts(thing("networking.istio.io/v1", "VirtualService", "v", spec=spec))


def test_virtual_services() -> None:
    http = [
        {
            "match": [{"uri": {"prefix": "/v1"}}, {"uri": {"regex": ".*"}}],
            "route": [{"destination": {"host": "a", "port": {"number": 80}}}],
        },
        {"route": [{"destination": {"host": "b.other.svc.cluster.local"}}]},
        {"route": [{"destination": {"host": "api.example.com"}}]},
    ]
    tcp = [{"route": [{"destination": {"host": "c.other"}}]}]
    found = virtual(gateways=["kubeflow/kubeflow-gateway"], http=http, tcp=tcp)
    assert found["backends"] == [
        {"namespace": "team", "name": "a", "port": "80", "paths": ["/v1", "/"]},
        {"namespace": "other", "name": "b", "port": "", "paths": ["/"]},
        {"namespace": "other", "name": "c", "port": "", "paths": ["/"]},
    ]
    assert found["outward"] is True


@pytest.mark.parametrize(
    ("spec", "outward"),
    [
        ({}, False),
        ({"gateways": ["mesh"]}, False),
        ({"gateways": ["mesh", "g"]}, True),
        ({"http": [{"match": [{"gateways": ["g"]}]}]}, True),
    ],
)
def test_virtual_services_of_the_mesh_alone(spec: dict[str, Any], outward: bool) -> None:  # noqa: FBT001 - a column
    assert virtual(**spec)["outward"] is outward


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("a", ("team", "a")),
        ("a.other", ("other", "a")),
        ("a.other.svc", ("other", "a")),
        ("a.other.svc.cluster.local.", ("other", "a")),
        ("www.example.com", ("", "")),
        ("*.example", ("", "")),
        ("", ("", "")),
    ],
)
def test_names_of_services(host: str, expected: tuple[str, str]) -> None:
    assert service_of(host, "team") == expected


def test_service_monitors() -> None:
    spec = {
        "selector": {"matchLabels": {"app": "vllm"}},
        "namespaceSelector": {"any": True},
        "endpoints": [{"port": "http"}, {"targetPort": 8000}, {"path": "/m"}],
    }
    found = facts(thing("monitoring.coreos.com/v1", "ServiceMonitor", "m", spec=spec))
    assert found == {
        "configuration_type": "service_monitor",
        "namespace": "team",
        "selector": {"matchLabels": {"app": "vllm"}},
        "monitored_ports": ["8000", "http"],
        "monitored_namespaces": ["*"],
    }
    bare = facts(thing("monitoring.coreos.com/v1", "ServiceMonitor", "m", spec={"namespaceSelector": {"matchNames": ["a"]}}))
    assert (bare["selector"], bare["monitored_namespaces"]) == ({}, ["a"])
    assert facts(thing("monitoring.coreos.com/v1", "ServiceMonitor", "m", spec={}))["monitored_namespaces"] == ["team"]


# ---- Ray


def ray(head: dict[str, Any] | None = None, containers: list[dict[str, Any]] | None = None, **spec: Any) -> dict[str, Any]:
    template = {"spec": {"containers": containers or [container(image="rayproject/ray:2.53.0-py311-cu123")]}}
    return thing("ray.io/v1", "RayCluster", "r", spec={"headGroupSpec": {**(head or {}), "template": template}, **spec})


def of_ray(*args: Any, **spec: Any) -> dict[str, Any]:
    return facts(ray(*args, **spec), "model_service")


HEAD_PORTS = [6379, 8265, 10001]


@pytest.mark.parametrize(
    ("head", "spec", "ways"),
    [
        # 0.0.0.0 is what the operator sets where nothing is written: it says nothing of who comes near
        ({"rayStartParams": {}}, {}, []),
        ({"serviceType": "ClusterIP"}, {}, []),
        ({"serviceType": "NodePort"}, {}, [{"way": "node port", "internet": "unknown", "ports": HEAD_PORTS}]),
        ({"serviceType": "LoadBalancer"}, {}, [{"way": "load balancer", "internet": "yes", "ports": HEAD_PORTS}]),
        (
            {"serviceType": "LoadBalancer"},
            {"headServiceAnnotations": {"service.beta.kubernetes.io/aws-load-balancer-scheme": "internal"}},
            [{"way": "load balancer", "internet": "no", "ports": HEAD_PORTS}],
        ),
        (
            {"headService": {"spec": {"type": "NodePort", "ports": [{"port": 80}]}}, "serviceType": "ClusterIP"},
            {},
            [{"way": "node port", "internet": "unknown", "ports": HEAD_PORTS}],
        ),
        ({"headService": {"spec": {"type": "ClusterIP"}}, "serviceType": "NodePort"}, {}, []),
        ({"enableIngress": True}, {}, [{"way": "ingress", "internet": "unknown", "ports": [8265]}]),
        ({"enableIngress": False}, {}, []),
    ],
)
def test_ways_that_a_ray_cluster_asks_for(head: dict[str, Any], spec: dict[str, Any], ways: list[Any]) -> None:
    found = of_ray(head, **spec)
    assert (found["head_ways"], found["head_ports"]) == (ways, HEAD_PORTS)


def test_ports_that_a_head_declares() -> None:
    ports = [{"name": "serve", "containerPort": 8000}, {"name": "dashboard", "containerPort": 8266}]
    found = of_ray({"serviceType": "NodePort", "rayStartParams": {"dashboard-port": "8266"}}, [container(image="a", ports=ports)])
    assert found["head_ports"] == [6379, 8266, 10001]
    assert found["head_ways"] == [{"way": "node port", "internet": "unknown", "ports": [8266]}]
    only = of_ray({"serviceType": "NodePort"}, [container(image="a", ports=ports[:1])])
    assert only["head_ways"] == []


def test_the_serving_service_of_a_ray_service() -> None:
    cluster = {
        "headGroupSpec": {
            "template": {"spec": {"containers": [container(image="a", ports=[{"name": "serve", "containerPort": 8000}])]}}
        }
    }
    serve = {"spec": {"type": "LoadBalancer", "ports": [{"name": "dash", "port": 80, "targetPort": 8265}]}}
    item = thing("ray.io/v1", "RayService", "r", spec={"serveService": serve, "rayClusterConfig": cluster})
    assert facts(item, "model_service")["head_ways"] == [{"way": "load balancer", "internet": "yes", "ports": [8265]}]


FILES = [{"name": f"RAY_TLS_{name}", "value": "/tls/x"} for name in ("SERVER_CERT", "SERVER_KEY", "CA_CERT")]
USE = {"name": "RAY_USE_TLS", "value": "1"}


def part(*env: dict[str, Any], **more: Any) -> dict[str, Any]:
    return container(image="a", env=list(env), **more)


def group(*env: dict[str, Any]) -> dict[str, Any]:
    return {"groupName": "g", "template": {"spec": {"containers": [part(*env)]}}}


@pytest.mark.parametrize(
    ("head", "workers", "spec", "setting"),
    [
        ((), (), {}, "none"),
        ((), (), {"tlsOptions": {"enabled": True}}, "operator"),
        ((), (), {"tlsOptions": {}}, "none"),
        ((USE, *FILES), (USE, *FILES), {}, "variables"),
        ((USE, *FILES), (), {}, "none"),
        ((USE,), (USE, *FILES), {}, "none"),
        (({**USE, "value": "0"}, *FILES), (USE, *FILES), {}, "none"),
        ((USE, *FILES), (USE, *FILES), {"enableInTreeAutoscaling": True}, "none"),
        ((USE, *FILES), (USE, *FILES), {"enableInTreeAutoscaling": True, "autoscalerOptions": {"env": [USE, *FILES]}}, "variables"),
        (({"name": "RAY_USE_TLS", "valueFrom": {}}, *FILES), (USE, *FILES), {}, None),
    ],
)
def test_tls_of_ray(head: tuple[Any, ...], workers: tuple[Any, ...], spec: dict[str, Any], setting: str | None) -> None:
    found = of_ray({}, [part(*head)], workerGroupSpecs=[group(*workers)], **spec)
    assert found.get("tls_setting") == setting


def test_tls_of_ray_from_elsewhere_is_unknown() -> None:
    assert "tls_setting" not in of_ray({}, [part(envFrom=[{"secretRef": {"name": "s"}}])])


@pytest.mark.parametrize(
    ("spec", "mode"),
    [({}, "none"), ({"networkPolicy": {}}, "DenyAll"), ({"networkPolicy": {"mode": "DenyAllIngress"}}, "DenyAllIngress")],
)
def test_policies_that_a_ray_cluster_asks_for(spec: dict[str, Any], mode: str) -> None:
    found = of_ray({}, None, workerGroupSpecs=[group()], **spec)
    assert (found["policy_mode"], found["worker_groups"]) == (mode, ["g"])


@pytest.mark.parametrize(
    ("image", "version"),
    [
        ("rayproject/ray:2.53.0-py311-cu123", "2.53.0"),
        ("rayproject/ray-ml:2.40.0", "2.40.0"),
        ("rayproject/ray:nightly", None),
        ("rayproject/ray@sha256:aa", None),
        ("registry.example/own:2.53.0", None),
    ],
)
def test_versions_of_ray_images(image: str, version: str | None) -> None:
    assert of_ray({}, [container(image=image)]).get("image_version") == version
