"""Backup vaults and what is protected."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
