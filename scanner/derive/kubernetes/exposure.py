"""By which services, ingresses and routes a workload is reached, and from where."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
