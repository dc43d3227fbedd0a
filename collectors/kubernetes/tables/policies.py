"""Network policies of every engine."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.kubernetes import reads
from collectors.table import Fact, Field, ObjectTable

FOREIGN_POLICY: Mapping[str, Fact] = {"namespace": Field("context.namespace")}
"""Policies of other engines are listed, so that a pod without a NetworkPolicy is not called open; their rules are not read."""
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
        },
    ),
    ObjectTable("network_policy", "cilium.io/v2/CiliumNetworkPolicy", "ciliumnetworkpolicies", FOREIGN_POLICY),
    ObjectTable(
        "network_policy",
        "cilium.io/v2/CiliumClusterwideNetworkPolicy",
        "ciliumclusterwidenetworkpolicies",
        FOREIGN_POLICY,
        namespaced=False,
    ),
    ObjectTable("network_policy", "crd.projectcalico.org/v1/NetworkPolicy", "networkpolicies", FOREIGN_POLICY),
    ObjectTable(
        "network_policy", "crd.projectcalico.org/v1/GlobalNetworkPolicy", "globalnetworkpolicies", FOREIGN_POLICY, namespaced=False
    ),
    ObjectTable("network_policy", "projectcalico.org/v3/NetworkPolicy", "networkpolicies", FOREIGN_POLICY),
    ObjectTable(
        "network_policy", "projectcalico.org/v3/GlobalNetworkPolicy", "globalnetworkpolicies", FOREIGN_POLICY, namespaced=False
    ),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy",
        "adminnetworkpolicies",
        FOREIGN_POLICY,
        namespaced=False,
    ),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy",
        "baselineadminnetworkpolicies",
        FOREIGN_POLICY,
        namespaced=False,
    ),
    ObjectTable(
        "network_policy",
        "policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy",
        "clusternetworkpolicies",
        FOREIGN_POLICY,
        namespaced=False,
    ),
)
