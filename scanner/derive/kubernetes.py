from scanner.derive.world import Derivation

DERIVATIONS: tuple[Derivation, ...] = ()
