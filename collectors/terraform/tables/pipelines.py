"""Queues, topics, search, vectors, logs, secrets, certificates, and what publishes them."""

from __future__ import annotations

from collectors.table import PlanTable

TABLES: tuple[PlanTable, ...] = ()
