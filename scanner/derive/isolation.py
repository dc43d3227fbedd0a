"""Which nodes must have hardware of their own: their tags say so."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

NODE = "AWS::EC2::Instance"
NAMES = frozenset(("isolation", "isolationrequired", "hardwareisolation", "tenancy", "tenancyrequired", "dedicatedhardware"))
"""Tags that demand it, without their punctuation; `example.com/isolation` counts."""
VALUES = frozenset(("dedicated", "required", "host", "baremetal", "metal", "true", "yes"))


def isolation_required(node: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """A tag demands hardware of its own; where tags could not be read, nobody knows."""
    del world
    if any(_plain(n.rsplit("/", 1)[-1]) in NAMES and _plain(v) in VALUES for n, v in node.tags.items()):
        return {"isolation_required": True}
    return {"isolation_required": node.gaps.get("tags") or False}


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


DERIVATIONS: tuple[Derivation, ...] = (Derivation("node", ("isolation_required",), isolation_required, native_types=(NODE,)),)
