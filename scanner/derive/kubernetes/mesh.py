"""What the mesh, the CNI and the applications encrypt and authorise."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
