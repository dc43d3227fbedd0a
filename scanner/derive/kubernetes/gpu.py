"""Accelerators: operators, drivers, sharing, claims."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
