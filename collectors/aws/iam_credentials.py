"""Static credentials of IAM users beside access keys."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
