"""Who the tenants are, and what they share: nodes, volumes, identities, priorities."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
