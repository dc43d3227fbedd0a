"""Secondary networks, and the gateways."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.kubernetes import agents, attachments, gateways
from collectors.kubernetes.reads import notes
from collectors.table import Const, Fact, Field, ObjectTable

POD_FACTS: Mapping[str, Fact] = {
    "attachments": Field(("pod_meta", "context"), attachments.attachments, absent=[]),
    "network_agents": Field("template", agents.network_agents),
    "multus": Field("template", agents.multus),
    "ingress_nginx": Field("template", agents.ingress_nginx),
    "ingress_nginx_settled": Field("template", agents.ingress_nginx_settled),
}
"""More facts of everything that makes pods."""
SNIPPETS = "nginx.ingress.kubernetes.io/"
INGRESS_FACTS: Mapping[str, Fact] = {
    "snippets": Field(
        "item",
        lambda item: sorted(n for n in map(str, notes(item)) if n.startswith(SNIPPETS) and n.endswith("-snippet")),
        source="https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations/#configuration-snippet",
    ),
}
"""More facts of ingresses."""
ROUTE_FACTS: Mapping[str, Fact] = {
    "parents": Field(("item", "context"), gateways.parents),
    "hostnames": Field("item", gateways.hostnames),
    "serves": Field("item", gateways.serves),
}
"""More facts of routes of the Gateway API."""
VIRTUAL_FACTS: Mapping[str, Fact] = {
    "parents": Field(("item", "context"), gateways.virtual_parents),
    "serves": Field("item", gateways.virtual_serves),
}
"""More facts of Istio's VirtualServices."""
LINK_FACTS: Mapping[str, Fact] = {
    "namespace": Field(("item", "context"), attachments.home),
    "plugin": Field("item", attachments.plugin),
    "master": Field("item", attachments.master),
    "vlan": Field("item", attachments.vlan),
    "pkey": Field("item", attachments.pkey),
    "device": Field("item", attachments.device),
    "rdma": Field("item", attachments.carries_rdma),
    "default_route": Field("item", attachments.default_route),
    "address_pools": Field("item", attachments.address_pools),
}
"""Facts of a network, whatever type of object describes it."""


def made(native_type: str, plural: str, *, namespaced: bool) -> ObjectTable:
    """A type of which an operator makes a NetworkAttachmentDefinition."""
    return ObjectTable(
        "fabric_network", native_type, plural, {**LINK_FACTS, "network_type": Const("request")}, namespaced=namespaced
    )


def pool(kind: str, plural: str) -> ObjectTable:
    """A type of pools of addresses of NVIDIA's plugin."""
    return ObjectTable(
        "fabric_network",
        f"nv-ipam.nvidia.com/v1alpha1/{kind}",
        plural,
        {
            "network_type": Const("address_pool"),
            "namespace": Field("context.namespace"),
            "default_route": Field("item", attachments.pool_default_route),
        },
    )


TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "fabric_network",
        "k8s.cni.cncf.io/v1/NetworkAttachmentDefinition",
        "network-attachment-definitions",
        {**LINK_FACTS, "network_type": Const("attachment")},
    ),
    made("mellanox.com/v1alpha1/MacvlanNetwork", "macvlannetworks", namespaced=False),
    made("mellanox.com/v1alpha1/HostDeviceNetwork", "hostdevicenetworks", namespaced=False),
    made("mellanox.com/v1alpha1/IPoIBNetwork", "ipoibnetworks", namespaced=False),
    made("sriovnetwork.openshift.io/v1/SriovNetwork", "sriovnetworks", namespaced=True),
    made("sriovnetwork.openshift.io/v1/SriovIBNetwork", "sriovibnetworks", namespaced=True),
    ObjectTable(
        "fabric_network",
        "sriovnetwork.openshift.io/v1/SriovNetworkNodePolicy",
        "sriovnetworknodepolicies",
        {
            "network_type": Const("node_policy"),
            "namespace": Field("context.namespace"),
            "device": Field("item", attachments.device),
            "rdma": Field("item", lambda item: "yes" if attachments.node_policy_rdma(item) else "no"),
        },
    ),
    ObjectTable(
        "fabric_network",
        "k8s.cni.cncf.io/v1beta2/MultiNetworkPolicy",
        "multi-networkpolicies",
        {
            "network_type": Const("policy"),
            "namespace": Field("context.namespace"),
            "policy_for": Field(("item", "context"), attachments.policy_for),
        },
    ),
    pool("IPPool", "ippools"),
    pool("CIDRPool", "cidrpools"),
    ObjectTable(
        "endpoint",
        "gateway.networking.k8s.io/v1/Gateway",
        "gateways",
        {
            "endpoint_type": Const("gateway"),
            "namespace": Field("context.namespace"),
            "gateway_listeners": Field("item", gateways.listeners),
        },
    ),
    ObjectTable(
        "endpoint",
        "networking.istio.io/v1/Gateway",
        "gateways",
        {
            "endpoint_type": Const("gateway"),
            "namespace": Field("context.namespace"),
            "gateway_listeners": Field("item", gateways.servers),
            "tls_versions": Field("item", gateways.tls_versions),
        },
    ),
    ObjectTable(
        "endpoint",
        "gateway.networking.k8s.io/v1beta1/ReferenceGrant",
        "referencegrants",
        {
            "endpoint_type": Const("reference_grant"),
            "namespace": Field("context.namespace"),
            "grants_from": Field("item", gateways.grants_from),
            "grants_to": Field("item", gateways.grants_to),
        },
    ),
)
