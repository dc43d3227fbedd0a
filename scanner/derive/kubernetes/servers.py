"""Model servers, notebooks and the tools around them: who may use them."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
