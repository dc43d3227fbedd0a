"""All derivations."""

from __future__ import annotations

from scanner.derive import clouds, kubernetes, roles
from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = (*clouds.DERIVATIONS, *kubernetes.DERIVATIONS, *roles.DERIVATIONS)
"""Of several that make one fact of a resource the first that says it is heard; the roles are the last resort."""
