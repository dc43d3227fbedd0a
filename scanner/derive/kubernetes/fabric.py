"""Secondary networks, the engine of network policies, and gateways."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
