"""API Gateway: domain names and APIs."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
