"""Container images, task definitions, functions and launch templates."""

from __future__ import annotations

from collectors.table import PlanTable

TABLES: tuple[PlanTable, ...] = ()
