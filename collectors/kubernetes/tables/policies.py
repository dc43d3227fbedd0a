"""Network policies of every engine, and what they refer to."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.kubernetes import netpols, reads
from collectors.table import Const, Fact, Field, ObjectTable

CILIUM: Mapping[str, Fact] = {"namespace": Field("context.namespace"), "specs": Field("item", netpols.cilium)}
CALICO: Mapping[str, Fact] = {"namespace": Field("context.namespace"), "specs": Field("item", netpols.calico)}
ADMIN: Mapping[str, Fact] = {"namespace": Const(""), "specs": Field("item", netpols.admin)}
TIER: Mapping[str, Fact] = {
    "configuration_type": Const("policy_tier"),
    "order": Field("item", netpols.order),
    "default_action": Field(
        "item.spec.defaultAction", str, absent="Deny", source="https://docs.tigera.io/calico/latest/reference/resources/tier"
    ),
}
SET: Mapping[str, Fact] = {
    "configuration_type": Const("network_set"),
    "namespace": Field("context.namespace"),
    "networks": Field("item.spec.nets", list, absent=[]),
}


def calico(group: str) -> tuple[ObjectTable, ...]:
    """Calico's types in one of their two groups: as they are stored, and as its own API server shows them."""
    return (
        ObjectTable("network_policy", f"{group}/NetworkPolicy", "networkpolicies", CALICO),
        ObjectTable("network_policy", f"{group}/GlobalNetworkPolicy", "globalnetworkpolicies", CALICO, namespaced=False),
        ObjectTable("configuration", f"{group}/Tier", "tiers", TIER, namespaced=False),
        ObjectTable("configuration", f"{group}/NetworkSet", "networksets", SET),
        ObjectTable("configuration", f"{group}/GlobalNetworkSet", "globalnetworksets", SET, namespaced=False),
    )


TABLES: tuple[ObjectTable, ...] = (
    ObjectTable(
        "network_policy",
        "networking.k8s.io/v1/NetworkPolicy",
        "networkpolicies",
        {
            "namespace": Field("context.namespace"),
            "selector": Field("item.spec.podSelector", dict, absent={}),
            "policy_types": Field("item.spec", reads.policy_types),
            "ingress": Field("item.spec.ingress", reads.policy_rules, absent=[]),
            "egress": Field("item.spec.egress", reads.policy_rules, absent=[]),
            "ambiguous_peers": Field("item.spec", netpols.ambiguous_peers),
        },
    ),
    ObjectTable("network_policy", "cilium.io/v2/CiliumNetworkPolicy", "ciliumnetworkpolicies", CILIUM),
    ObjectTable(
        "network_policy",
        "cilium.io/v2/CiliumClusterwideNetworkPolicy",
        "ciliumclusterwidenetworkpolicies",
        CILIUM,
        namespaced=False,
    ),
    ObjectTable(
        "configuration",
        "cilium.io/v2/CiliumCIDRGroup",
        "ciliumcidrgroups",
        {"configuration_type": Const("address_group"), "networks": Field("item.spec.externalCIDRs", list, absent=[])},
        namespaced=False,
    ),
    *calico("crd.projectcalico.org/v1"),
    *calico("projectcalico.org/v3"),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy",
        "adminnetworkpolicies",
        ADMIN,
        namespaced=False,
    ),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy",
        "baselineadminnetworkpolicies",
        ADMIN,
        namespaced=False,
    ),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy",
        "clusternetworkpolicies",
        ADMIN,
        namespaced=False,
    ),
)
