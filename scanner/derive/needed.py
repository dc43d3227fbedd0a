"""The derivations that some types of resources can need: a plan without Kubernetes must not wait for what reads Kubernetes."""

from __future__ import annotations

from collections.abc import Iterable

from scanner.derive.world import Derivation


def derivations(natives: Iterable[str]) -> tuple[Derivation, ...]:
    """Those that can say something about resources of these native types; clouds' have `::` in their names, Kubernetes' have not."""
    if all("::" in native for native in natives):
        from scanner.derive import clouds, roles  # noqa: PLC0415 - those of Kubernetes take as long to import as a plan to read

        return (*clouds.DERIVATIONS, *roles.DERIVATIONS)
    from scanner.derive.catalogue import DERIVATIONS  # noqa: PLC0415 - as above

    return DERIVATIONS
