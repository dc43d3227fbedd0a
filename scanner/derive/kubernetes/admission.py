"""What admission enforces."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
