"""The control plane and the kubelets: static pods, and their configuration files."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
NODE_FACTS: Mapping[str, Fact] = {}
"""More facts of nodes."""
CLUSTER_FACTS: Mapping[str, Fact] = {}
"""More facts of the cluster itself."""
TABLES: tuple[ObjectTable, ...] = ()
