"""Model servers, notebooks and the tools around them."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
SERVICE_FACTS: Mapping[str, Fact] = {}
"""More facts of services."""
TABLES: tuple[ObjectTable, ...] = ()
