"""SageMaker: models, domains and what else the provider can make."""

from __future__ import annotations

from collectors.table import PlanTable

TABLES: tuple[PlanTable, ...] = ()
