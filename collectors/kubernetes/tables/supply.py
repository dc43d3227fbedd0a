"""Images, models, and the entries of ConfigMaps."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Fact, ObjectTable

POD_FACTS: Mapping[str, Fact] = {}
"""More facts of everything that makes pods."""
ACCOUNT_FACTS: Mapping[str, Fact] = {}
"""More facts of service accounts."""
TABLES: tuple[ObjectTable, ...] = ()
