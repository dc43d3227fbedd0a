"""Who may do what beyond roles and bindings: signing requests, identity mappings."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
TABLES: tuple[ObjectTable, ...] = ()
