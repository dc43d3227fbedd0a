"""All derivations."""

from __future__ import annotations

from scanner.derive import accounts, endpoints, identities, keys, kubernetes, network, resource_policies, roles, storage
from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = (
    *keys.DERIVATIONS,
    *storage.DERIVATIONS,
    *resource_policies.DERIVATIONS,
    *network.DERIVATIONS,
    *endpoints.DERIVATIONS,
    *identities.DERIVATIONS,
    *accounts.DERIVATIONS,
    *kubernetes.DERIVATIONS,
    *roles.DERIVATIONS,
)
