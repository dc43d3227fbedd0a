"""How API server, etcd, controllers, scheduler and kubelets are set up."""

from __future__ import annotations

from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
