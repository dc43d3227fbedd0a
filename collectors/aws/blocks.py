"""Account-wide blocks of a region: VPC and image public access."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
