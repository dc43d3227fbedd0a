"""What a pod could become master of through its service account."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
