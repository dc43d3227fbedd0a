"""Queues, quotas, priorities, volumes."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
NODE_FACTS: Mapping[str, Fact] = {}
"""More facts of nodes."""
NAMESPACE_FACTS: Mapping[str, Fact] = {}
"""More facts of namespaces."""
ACCOUNT_FACTS: Mapping[str, Fact] = {}
"""More facts of service accounts."""
TABLES: tuple[ObjectTable, ...] = ()
