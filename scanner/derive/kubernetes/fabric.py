"""Secondary networks, the engine of network policies, and gateways."""

from __future__ import annotations

from scanner.derive.kubernetes import doors, fabric_networks, gateways, policy_engine
from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = (
    *policy_engine.DERIVATIONS,
    *fabric_networks.DERIVATIONS,
    *gateways.DERIVATIONS,
    *doors.DERIVATIONS,
)
