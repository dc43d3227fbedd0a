"""By which ways workloads are reached."""

from __future__ import annotations

from typing import Any

import pytest

from collectors.kubernetes.redact import clean
from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import container, deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

DENIED = Gap(Reason.DENIED, "v1:services", "Allow it.")
NAMESPACE = thing("v1", "Namespace", "team", None)


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in (NAMESPACE, *items) for r in projected(clean(i))]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def subject(of: MemoryWorld, kind: str = "workload") -> Resource:
    (resource,) = of.all(kind)
    return resource


def fact(name: str, *items: dict[str, Any], kind: str = "workload", **options: Any) -> Any:
    of = world(*items, **options)
    found = of.fact(subject(of, kind), name)
    return found.reason if isinstance(found, Gap) else found


APP = deployment("chat", {"containers": [container(ports=[{"name": "http", "containerPort": 8000}, {"containerPort": 9000}])]})


def service(name: str = "s", selector: dict[str, str] | None = None, namespace: str = "team", **spec: Any) -> dict[str, Any]:
    return thing(
        "v1",
        "Service",
        name,
        namespace,
        spec={"selector": {"app": "chat"} if selector is None else selector, "ports": [{"port": 80, "targetPort": "http"}], **spec},
    )


def way(through: str, how: str, **more: Any) -> dict[str, Any]:
    base = {"internet": "unknown", "ports": [8000], "paths": ["/"], "authenticated": "no"}
    return {"through": f"k8s/c/{through}", "way": how, **base, **more}


@pytest.mark.parametrize(
    ("items", "ways"),
    [
        ([service()], []),
        ([service(clusterIP="None")], []),
        ([service(type="LoadBalancer")], [way("Service/team/s", "load balancer", internet="yes")]),
        (
            [service(type="LoadBalancer", loadBalancerClass="service.k8s.aws/nlb")],
            [way("Service/team/s", "load balancer", internet="no")],
        ),
        ([service(type="LoadBalancer", loadBalancerClass="x.example/lb")], [way("Service/team/s", "load balancer")]),
        ([service(type="NodePort")], [way("Service/team/s", "node port")]),
        ([service(externalIPs=["203.0.113.7"])], [way("Service/team/s", "external address")]),
        ([service(type="NodePort", ports=[{"port": 9000}])], [way("Service/team/s", "node port", ports=[9000])]),
        # of another namespace, or for other pods
        ([service(type="NodePort", namespace="other")], []),
        ([service(type="NodePort", selector={"app": "other"})], []),
        ([service(type="NodePort", selector={"app": "chat", "tier": "a"})], []),
    ],
)
def test_services(items: list[dict[str, Any]], ways: list[dict[str, Any]]) -> None:
    assert fact("exposed_by", APP, *items) == ways
    assert fact("exposure_settled", APP, *items) is True


def ingress(name: str = "s", port: dict[str, Any] | None = None, path: str = "/", **more: Any) -> dict[str, Any]:
    backend = {"service": {"name": name, "port": port or {"number": 80}}}
    rules = [{"http": {"paths": [{"path": path, "pathType": "Prefix", "backend": backend}]}}]
    return thing("networking.k8s.io/v1", "Ingress", "i", spec={"rules": rules}, **more)


INGRESS = "Ingress.networking.k8s.io/team/i"
TWO_PORTS = service(ports=[{"name": "api", "port": 80, "targetPort": "http"}, {"name": "admin", "port": 81, "targetPort": 9000}])


@pytest.mark.parametrize(
    ("items", "ways"),
    [
        ([service(), ingress()], [way(INGRESS, "ingress")]),
        ([service(), ingress(path="/v1")], [way(INGRESS, "ingress", paths=["/v1"])]),
        ([TWO_PORTS, ingress(port={"name": "admin"})], [way(INGRESS, "ingress", ports=[9000])]),
        ([TWO_PORTS, ingress(port={"number": 80})], [way(INGRESS, "ingress")]),
        ([service(), ingress(name="other")], []),
        (
            [service(), ingress(metadata={"annotations": {"nginx.ingress.kubernetes.io/auth-url": "https://x"}})],
            [way(INGRESS, "ingress", authenticated="yes")],
        ),
        # a name that stands for the service of another namespace
        (
            [
                service(),
                thing("v1", "Service", "alias", "front", spec={"type": "ExternalName", "externalName": "s.team.svc.cluster.local"}),
                {**ingress(name="alias"), "metadata": {"name": "i", "namespace": "front"}},
            ],
            [way("Ingress.networking.k8s.io/front/i", "ingress")],
        ),
    ],
)
def test_ingresses(items: list[dict[str, Any]], ways: list[dict[str, Any]]) -> None:
    assert fact("exposed_by", APP, *items) == ways
    assert fact("exposure_settled", APP, *items) is True


def http_route(namespace: str = "team", **spec: Any) -> dict[str, Any]:
    rules = [{"backendRefs": [{"name": "s", "namespace": "team", "port": 80}]}]
    return thing(
        "gateway.networking.k8s.io/v1", "HTTPRoute", "r", namespace, spec={"parentRefs": [{"name": "g"}], "rules": rules, **spec}
    )


def test_routes() -> None:
    assert fact("exposed_by", APP, service(), http_route()) == [way("HTTPRoute.gateway.networking.k8s.io/team/r", "route")]
    assert fact("exposed_by", APP, service(), http_route("front")) == [way("HTTPRoute.gateway.networking.k8s.io/front/r", "route")]
    assert fact("exposed_by", APP, service(), http_route(parentRefs=[{"kind": "Service", "name": "s"}])) == []
    http = [{"route": [{"destination": {"host": "s.team.svc.cluster.local"}}]}]
    virtual = thing("networking.istio.io/v1", "VirtualService", "v", spec={"gateways": ["istio-system/g"], "http": http})
    assert fact("exposed_by", APP, service(), virtual) == [way("VirtualService.networking.istio.io/team/v", "route")]
    inside = thing("networking.istio.io/v1", "VirtualService", "v", spec={"http": http})
    assert fact("exposed_by", APP, service(), inside) == []


def test_ports_of_the_host() -> None:
    host = deployment("chat", {"containers": [container(ports=[{"containerPort": 9400, "hostPort": 80}])]})
    assert fact("exposed_by", host) == [way("Deployment.apps/team/chat", "host port", ports=[9400])]
    assert fact("exposed_by", deployment("chat", {"hostNetwork": True})) == [
        way("Deployment.apps/team/chat", "host port", ports=[])
    ]


def test_manifests_never_settle_it() -> None:
    assert fact("exposure_settled", APP, service(), manifests=True) is Reason.NOT_OFFERED
    assert fact("exposed_by", APP, service(type="NodePort"), manifests=True) == [way("Service/team/s", "node port")]


@pytest.mark.parametrize(
    "native",
    [
        "v1/Service",
        "networking.k8s.io/v1/Ingress",
        "gateway.networking.k8s.io/v1/HTTPRoute",
        "networking.istio.io/v1/VirtualService",
    ],
)
def test_what_could_not_be_listed_may_be_a_way(native: str) -> None:
    assert fact("exposure_settled", APP, service(), gaps={native: DENIED}) is Reason.DENIED
    assert fact("exposed_by", APP, service(type="NodePort"), gaps={native: DENIED}) == [way("Service/team/s", "node port")]


def test_a_service_without_a_selector_may_lead_anywhere() -> None:
    assert fact("exposure_settled", APP, service(selector={}, type="LoadBalancer")) is Reason.NOT_OFFERED
    # one that nobody comes to from outside, as the API server's own, changes nothing
    assert fact("exposure_settled", APP, service(selector={})) is True


def test_a_port_that_no_container_declares_is_unknown() -> None:
    unnamed = deployment("chat")
    assert fact("exposed_by", unnamed, service(type="NodePort")) == []
    assert fact("exposure_settled", unnamed, service(type="NodePort")) is Reason.NOT_OFFERED


def test_labels_that_a_controller_adds() -> None:
    notebook = thing("kubeflow.org/v1", "Notebook", "mine", spec={"template": {"spec": {"containers": [container()]}}})
    own = service(selector={"statefulset": "mine"}, type="NodePort", ports=[{"port": 80, "targetPort": 8888}])
    assert fact("exposed_by", notebook, own) == [way("Service/team/s", "node port", ports=[8888])]
    hashed = service(selector={"pod-template-hash": "x"}, type="NodePort")
    assert (fact("exposed_by", APP, hashed), fact("exposure_settled", APP, hashed)) == ([], Reason.NOT_OFFERED)
    bare = pod("chat", {"containers": [container(ports=[{"name": "http", "containerPort": 8000}])]}, labels={"app": "chat"})
    assert fact("exposure_settled", bare, hashed) is True, "a pod has all its labels"


def test_what_a_serving_layer_publishes() -> None:
    spec = {"predictor": {"containers": [container()]}}
    made = thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec=spec, status={"url": "http://x.example.com"})
    assert fact("exposed_by", made) == [way("InferenceService.serving.kserve.io/team/x#predictor", "route", ports=[])]
    assert fact("exposure_settled", thing("serving.kserve.io/v1beta1", "InferenceService", "x", spec=spec)) is Reason.NOT_OFFERED


def test_time_is_linear() -> None:
    """Each workload looks at the services of its namespace, not at the snapshot."""
    items = [d for n in range(60) for d in (deployment(f"d{n}", namespace=f"n{n}"), service(f"s{n}", {"app": f"d{n}"}, f"n{n}"))]
    of = world(*items)
    for resource in [*of.all("workload")]:
        of.fact(resource, "exposed_by")
    assert of.reads < 10 * len(items)
