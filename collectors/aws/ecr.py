"""Elastic Container Registry."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
