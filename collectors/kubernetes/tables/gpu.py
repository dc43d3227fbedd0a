"""The GPU and Network Operators, claims and classes of devices."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.kubernetes.tables.operators import operator
from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
NODE_FACTS: Mapping[str, Fact] = {}
"""More facts of nodes."""
NAMESPACE_FACTS: Mapping[str, Fact] = {}
"""More facts of namespaces."""
TABLES: tuple[ObjectTable, ...] = (
    operator("nvidia.com/v1/ClusterPolicy", "clusterpolicies", "NVIDIA GPU Operator"),
    operator("nvidia.com/v1alpha1/NVIDIADriver", "nvidiadrivers", "NVIDIA GPU Operator"),
    operator("nvidia.com/v1alpha1/GPUCluster", "gpuclusters", "NVIDIA GPU Operator"),
    operator("mellanox.com/v1alpha1/NicClusterPolicy", "nicclusterpolicies", "NVIDIA Network Operator"),
    operator("mellanox.com/v1alpha1/NicNodePolicy", "nicnodepolicies", "NVIDIA Network Operator"),
    operator(
        "sriovnetwork.openshift.io/v1/SriovOperatorConfig", "sriovoperatorconfigs", "SR-IOV Network Operator", namespaced=True
    ),
)
