"""FSx: Lustre, ONTAP and OpenZFS file systems, and what they exchange with buckets."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
