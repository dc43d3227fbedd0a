"""Who may do what in EKS clusters: access entries, pod identities, node groups."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
