"""Where services, ingresses and routes lead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from collectors.kubernetes.names import metadata
from collectors.kubernetes.reads import notes, public
from collectors.kubernetes.within import mapping, mappings, sequence
from collectors.table import MISSING

Item = Mapping[str, Any]
EVERYTHING = "/"


def service_ports(spec: Item) -> list[dict[str, Any]]:
    """The ports of a Service and where they lead: by default to the port of the same number.

    https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports
    """
    return [
        {"name": str(p.get("name") or ""), "port": p["port"], "target": str(p.get("targetPort") or p["port"])}
        for p in mappings(spec.get("ports"))
        if isinstance(p.get("port"), int)
    ]


def _backend(namespace: str, name: Any, port: Any, paths: list[str]) -> dict[str, Any]:
    return {"namespace": namespace, "name": str(name or ""), "port": "" if port is None else str(port), "paths": paths}


# ---- Ingress


def ingress_backends(item: Item, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """Services that an Ingress leads to."""
    spec, namespace = mapping(item.get("spec")), context["namespace"]
    found = [_of_ingress(namespace, spec.get("defaultBackend") or spec.get("backend"), EVERYTHING)]
    for rule in mappings(spec.get("rules")):
        for path in mappings(mapping(rule.get("http")).get("paths")):
            # NOTE: what a controller makes of other path types is its own: https://kubernetes.io/docs/concepts/services-networking/ingress/#path-types
            plain = path.get("pathType") in ("Exact", "Prefix")
            found.append(_of_ingress(namespace, path.get("backend"), str(path.get("path") or EVERYTHING) if plain else EVERYTHING))
    return [b for b in found if b]


def _of_ingress(namespace: str, backend: Any, path: str) -> dict[str, Any] | None:
    service = mapping(mapping(backend).get("service"))
    if service:
        port = mapping(service.get("port"))
        return _backend(namespace, service.get("name"), port.get("name") or port.get("number"), [path])
    old = mapping(backend)  # networking.k8s.io/v1beta1
    return _backend(namespace, old["serviceName"], old.get("servicePort"), [path]) if old.get("serviceName") else None


AUTH_NOTES = ("nginx.ingress.kubernetes.io/auth-url", "nginx.ingress.kubernetes.io/auth-type", "haproxy.org/auth-type")
"""Annotations that by standing there have callers asked who they are.

https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/
"""
PLUGIN_NOTES = (
    "traefik.ingress.kubernetes.io/router.middlewares",
    "konghq.com/plugins",
    "nginx.ingress.kubernetes.io/configuration-snippet",
    "nginx.ingress.kubernetes.io/server-snippet",
    "ingress.pomerium.io/policy",
    "haproxy-ingress.github.io/auth-url",
    "haproxy-ingress.github.io/oauth",
)
"""Annotations that may."""
CLIENT_CERTIFICATE = "nginx.ingress.kubernetes.io/auth-tls-verify-client"
CLIENT_SECRET = "nginx.ingress.kubernetes.io/auth-tls-secret"  # noqa: S105 - the name of an annotation
ALB_AUTH = "alb.ingress.kubernetes.io/auth-type"
"""`none` unless it says `oidc` or `cognito`: https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/"""


def ingress_authenticates(item: Item) -> str:
    """Whether an Ingress asks callers who they are."""
    noted = notes(item)
    if any(noted.get(name) for name in AUTH_NOTES) or noted.get(ALB_AUTH) in ("oidc", "cognito"):
        return "yes"
    if noted.get(CLIENT_SECRET) and noted.get(CLIENT_CERTIFICATE, "on") == "on":
        return "yes"
    return "unknown" if any(name in noted for name in PLUGIN_NOTES) else "no"


ALB_SCHEME = "alb.ingress.kubernetes.io/scheme"
CLASS_NOTE = "kubernetes.io/ingress.class"


def ingress_reach(item: Item) -> str:
    """Whether the address of an Ingress is one of the internet: what the cluster has, then what annotations ask for."""
    status = mapping(mapping(item.get("status")).get("loadBalancer"))
    found = [public(i) for i in mappings(status.get("ingress"))]
    if found and None not in found:
        return "yes" if any(found) else "no"
    noted = notes(item)
    chosen = mapping(item.get("spec")).get("ingressClassName") or noted.get(CLASS_NOTE)
    scheme = noted.get(ALB_SCHEME)
    if scheme in ("internet-facing", "internal"):
        return "yes" if scheme == "internet-facing" else "no"
    # https://cloud.google.com/kubernetes-engine/docs/concepts/ingress : `gce` is external, `gce-internal` is not
    return {"gce": "yes", "gce-internal": "no"}.get(str(chosen), "unknown")


# ---- Gateway API


def route_backends(item: Item, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """Services that a route of the Gateway API leads to.

    https://gateway-api.sigs.k8s.io/api-types/httproute/
    """
    found = []
    for rule in mappings(mapping(item.get("spec")).get("rules")):
        paths = [p for match in mappings(rule.get("matches")) for p in _route_path(match)] or [EVERYTHING]
        found += [
            _backend(str(ref.get("namespace") or context["namespace"]), ref.get("name"), ref.get("port"), paths)
            for ref in mappings(rule.get("backendRefs"))
            if ref.get("kind", "Service") == "Service" and not ref.get("group")
        ]
    return found


def _route_path(match: Item) -> Iterator[str]:
    path = mapping(match.get("path"))
    plain = path.get("type", "PathPrefix") in ("Exact", "PathPrefix")
    yield str(path.get("value") or EVERYTHING) if plain else EVERYTHING


def route_outward(item: Item) -> bool:
    """Whether a route is attached to a gateway: parents that are services are of the mesh alone."""
    parents = mappings(mapping(item.get("spec")).get("parentRefs"))
    return any(p.get("kind", "Gateway") != "Service" for p in parents)


def route_authenticates(item: Item) -> str:
    """Whether a route asks callers who they are: a filter says so, or one that is not known may."""
    kinds = {
        str(f.get("type"))
        for rule in mappings(mapping(item.get("spec")).get("rules"))
        for f in (
            *mappings(rule.get("filters")),
            *(f for b in mappings(rule.get("backendRefs")) for f in mappings(b.get("filters"))),
        )
    }
    # NOTE: a filter stands at one rule, and other rules may lead to the same service
    return "unknown" if kinds & {"ExternalAuth", "ExtensionRef"} else "no"


# ---- Istio


def virtual_backends(item: Item, context: Mapping[str, str]) -> list[dict[str, Any]]:
    """Services that a VirtualService leads to.

    https://istio.io/latest/docs/reference/config/networking/virtual-service/
    """
    spec, found = mapping(item.get("spec")), []
    for protocol in ("http", "tls", "tcp"):
        for rule in mappings(spec.get(protocol)):
            paths = [_uri(m) for m in mappings(rule.get("match"))] if protocol == "http" else []
            for route in mappings(rule.get("route")):
                to = mapping(route.get("destination"))
                namespace, name = service_of(str(to.get("host") or ""), context["namespace"])
                if name:
                    found.append(_backend(namespace, name, mapping(to.get("port")).get("number"), paths or [EVERYTHING]))
    return found


def _uri(match: Item) -> str:
    uri = mapping(match.get("uri"))
    return str(uri.get("prefix") or uri.get("exact") or EVERYTHING)


def virtual_outward(item: Item) -> bool:
    """Whether a VirtualService is bound to a gateway; without any it is of the mesh alone."""
    spec = mapping(item.get("spec"))
    rules = [r for p in ("http", "tls", "tcp") for r in mappings(spec.get(p))]
    named = [
        *sequence(spec.get("gateways")),
        *(g for r in rules for m in mappings(r.get("match")) for g in sequence(m.get("gateways"))),
    ]
    return any(g != "mesh" for g in named)


HOST = re.compile(r"([a-z0-9]([-a-z0-9]*[a-z0-9])?)(?:\.([a-z0-9]([-a-z0-9]*[a-z0-9])?)(?:\.svc(?:\.[\w.-]+)?)?)?\.?")


def service_of(host: str, namespace: str) -> tuple[str, str]:
    """(namespace, name) of the Service that a host name of the cluster names; no name where it is none."""
    found = HOST.fullmatch(host)
    return (found.group(3) or namespace, found.group(1)) if found else ("", "")


# ---- services that others stand for


def external_name(spec: Item) -> str:
    """The name that a Service of type ExternalName stands for, empty for none."""
    return str(spec.get("externalName") or "") if spec.get("type") == "ExternalName" else ""


def external_host(item: Item) -> Any:
    """Host under which KServe or Knative has published a workload; empty where it stays in the cluster.

    https://knative.dev/docs/serving/services/private-services/ ; https://kserve.github.io/website/docs/admin-guide/overview
    """
    if not isinstance(item.get("kind"), str) or (str(item.get("apiVersion")).partition("/")[0], item["kind"]) not in PUBLISHED:
        return ""
    labels = mapping(metadata(item).get("labels"))
    if "cluster-local" in (labels.get("networking.knative.dev/visibility"), labels.get("networking.kserve.io/visibility")):
        return ""
    url = mapping(item.get("status")).get("url")
    if not isinstance(url, str):
        return MISSING
    host = url.partition("://")[2].partition("/")[0].partition(":")[0]
    return "" if host.endswith((".svc", ".svc.cluster.local", ".cluster.local")) else host


PUBLISHED = frozenset({("serving.kserve.io", "InferenceService"), ("serving.knative.dev", "Service")})


def scraped(item: Item) -> bool:
    """Whether annotations ask Prometheus to scrape a Service."""
    return str(notes(item).get("prometheus.io/scrape", "")).lower() == "true"


# ---- ServiceMonitor


def monitored_ports(item: Item) -> list[str]:
    """Ports that a ServiceMonitor has scraped.

    https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.Endpoint
    """
    endpoints = mappings(mapping(item.get("spec")).get("endpoints"))
    return sorted({str(e.get("port") or e.get("targetPort")) for e in endpoints if e.get("port") or e.get("targetPort")})


def monitored_namespaces(item: Item, context: Mapping[str, str]) -> list[str]:
    """Namespaces that a ServiceMonitor looks in: its own by default."""
    chosen = mapping(mapping(item.get("spec")).get("namespaceSelector"))
    if chosen.get("any") is True:
        return ["*"]
    return [str(n) for n in sequence(chosen.get("matchNames"))] or [context["namespace"]]
