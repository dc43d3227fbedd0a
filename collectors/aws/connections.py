"""VPN connections, peerings and transit gateways."""

from __future__ import annotations

from collectors.table import Table

TABLES: tuple[Table, ...] = ()
