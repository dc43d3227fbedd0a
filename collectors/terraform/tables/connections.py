"""VPN connections, peerings, transit gateways, network firewalls and VPC encryption."""

from __future__ import annotations

from collectors.table import PlanTable

TABLES: tuple[PlanTable, ...] = ()
