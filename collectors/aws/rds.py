"""RDS and Aurora: instances, clusters, their parameters and snapshots."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
