"""Bedrock: models, guardrails, agents, knowledge bases, runtimes, invocation logging."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
