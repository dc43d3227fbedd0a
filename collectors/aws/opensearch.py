"""OpenSearch domains, and serverless collections with their policies."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
