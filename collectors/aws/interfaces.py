"""Network interfaces and the targets of load balancers."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
