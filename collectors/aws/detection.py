"""Config, GuardDuty, Security Hub and Access Analyzer."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
