"""Model servers, notebooks and the tools around them; and the routes that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from collectors.kubernetes import ray, routes, servers
from collectors.kubernetes.serving import CLUSTER_RUNTIME, RUNTIME
from collectors.kubernetes.tables.fabric import ROUTE_FACTS, VIRTUAL_FACTS
from collectors.table import Const, Fact, Field, ObjectTable

POD_FACTS: Mapping[str, Fact] = {
    "servers": Field("template", servers.servers),
    "proxies": Field("template", servers.proxies),
    "container_ports": Field("template", servers.container_ports),
    "external_host": Field("item", routes.external_host),
}
"""More facts of everything that makes pods."""
SERVICE_FACTS: Mapping[str, Fact] = {
    "service_ports": Field("item.spec", routes.service_ports),
    "external_name": Field("item.spec", routes.external_name),
    "scraped": Field("item", routes.scraped),
}
"""More facts of services."""
INGRESS_FACTS: Mapping[str, Fact] = {
    "backends": Field(("item", "context"), routes.ingress_backends),
    "authenticates": Field("item", routes.ingress_authenticates),
    "reach": Field("item", routes.ingress_reach),
}
"""More facts of ingresses."""
RAY_FACTS: Mapping[str, Fact] = {
    "image_version": Field("item", ray.image_version),
    "head_ports": Field("item", ray.head_ports),
    "head_ways": Field("item", ray.head_ways),
    "tls_setting": Field("item", ray.tls_setting),
    "policy_mode": Field("item", ray.policy_mode),
    "worker_groups": Field("item", ray.worker_groups),
}
"""More facts of Ray clusters."""


def _route(
    native_type: str,
    plural: str,
    backends: Callable[..., Any],
    outward: Callable[..., Any],
    asks: Fact,
    more: Mapping[str, Fact] = ROUTE_FACTS,
) -> ObjectTable:
    """A type whose objects lead requests from a gateway to services."""
    facts: dict[str, Fact] = {
        "endpoint_type": Const("route"),
        "namespace": Field("context.namespace"),
        "backends": Field(("item", "context"), backends),
        "outward": Field("item", outward),
        "authenticates": asks,
        **more,
    }
    return ObjectTable("endpoint", native_type, plural, facts)


GATEWAY_API = "gateway.networking.k8s.io"
_ASKS = Field("item", routes.route_authenticates)
_RUNTIME: Mapping[str, Fact] = {"configuration_type": Const("serving_runtime")}
TABLES: tuple[ObjectTable, ...] = (
    _route(f"{GATEWAY_API}/v1/HTTPRoute", "httproutes", routes.route_backends, routes.route_outward, _ASKS),
    _route(f"{GATEWAY_API}/v1/GRPCRoute", "grpcroutes", routes.route_backends, routes.route_outward, _ASKS),
    _route(f"{GATEWAY_API}/v1/TLSRoute", "tlsroutes", routes.route_backends, routes.route_outward, Const("no")),
    _route(f"{GATEWAY_API}/v1alpha2/TCPRoute", "tcproutes", routes.route_backends, routes.route_outward, Const("no")),
    # NOTE: what a mesh asks of callers stands in its policies, which are read by themselves
    _route(
        "networking.istio.io/v1/VirtualService",
        "virtualservices",
        routes.virtual_backends,
        routes.virtual_outward,
        Const("no"),
        VIRTUAL_FACTS,
    ),
    # NOTE: what they say of pods is read with the services that they complete (`serving.py`)
    ObjectTable("configuration", RUNTIME, "servingruntimes", {**_RUNTIME, "namespace": Field("context.namespace")}),
    ObjectTable("configuration", CLUSTER_RUNTIME, "clusterservingruntimes", {**_RUNTIME, "namespace": Const("")}, namespaced=False),
    ObjectTable(
        "configuration",
        "monitoring.coreos.com/v1/ServiceMonitor",
        "servicemonitors",
        {
            "configuration_type": Const("service_monitor"),
            "namespace": Field("context.namespace"),
            "selector": Field("item.spec.selector", dict, absent={}),
            "monitored_ports": Field("item", routes.monitored_ports),
            "monitored_namespaces": Field(("item", "context"), routes.monitored_namespaces),
        },
    ),
)
