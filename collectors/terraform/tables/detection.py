"""What watches an account, and account-wide blocks."""

from __future__ import annotations

from collectors.table import PlanTable

TABLES: tuple[PlanTable, ...] = ()
