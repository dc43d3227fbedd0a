"""S3 Vectors: vector buckets."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
