"""What the mesh, the CNI and the applications encrypt and authorise."""

from __future__ import annotations

from scanner.derive.kubernetes import authorisation, encryption, istio, linkerd, publishing
from scanner.derive.kubernetes.authorisation import AUTHORISED, WORKLOAD_FACTS, authorised
from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = (
    *istio.DERIVATIONS,
    *linkerd.DERIVATIONS,
    *authorisation.DERIVATIONS,
    *encryption.DERIVATIONS,
    *publishing.DERIVATIONS,
)
__all__ = ["AUTHORISED", "DERIVATIONS", "WORKLOAD_FACTS", "authorised"]
