"""Zones that `bartizan.yaml` declares: `zones: [{name, tags: {KEY: PATTERN}, networks: [IDS OR CIDRS], namespaces: [PATTERNS], role}]`.

A resource is in the first zone of which its tags (all of them), a network or subnet of its, or its namespace match.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from scanner.derive.world import World
from scanner.model import JSON, Resource, frozen

Block = ipaddress.IPv4Network | ipaddress.IPv6Network


@frozen
class Zone:
    """One declared zone."""

    name: str
    ai_role: str
    tags: Mapping[str, str]
    ids: tuple[str, ...]
    """Networks and subnets, by canonical or bare id."""
    blocks: tuple[Block, ...]
    namespaces: tuple[str, ...]


def zone_of(resource: Resource, world: World) -> Zone | None:
    """The zone of a resource, None where it is in none."""
    zones = world.memo("zones", lambda: tuple(_zone(z) for z in _list(world.settings().get("zones"))))
    return next((z for z in zones if _within(resource, z, world)), None)


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []


def _zone(raw: Mapping[str, JSON]) -> Zone:
    ids, blocks = [], []
    for network in map(str, _list(raw.get("networks"))):
        block = _block(network)
        if block is None:
            ids.append(network)
        else:
            blocks.append(block)
    tags = {str(k): str(v) for k, v in (raw.get("tags") or {}).items()}
    return Zone(
        str(raw["name"]),
        str(raw.get("role") or ""),
        tags,
        tuple(ids),
        tuple(blocks),
        tuple(map(str, _list(raw.get("namespaces")))),
    )


def _block(text: str) -> Block | None:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _within(resource: Resource, zone: Zone, world: World) -> bool:
    if zone.tags and all(
        fnmatchcase(resource.tags.get(key, ""), pattern) and key in resource.tags for key, pattern in zone.tags.items()
    ):
        return True
    if zone.namespaces:
        namespace = resource.name if resource.kind == "namespace" else str(resource.facts.get("namespace") or "")
        if namespace and any(fnmatchcase(namespace, p) for p in zone.namespaces):
            return True
    if not zone.ids and not zone.blocks:
        return False
    places = places_of(resource, world)
    if any(place == wanted or place.endswith(f"/{wanted}") for place in places for wanted in zone.ids):
        return True
    return bool(zone.blocks) and any(_inside(block, zone.blocks) for place in places for block in _cidrs(place, resource, world))


def places_of(resource: Resource, world: World) -> tuple[str, ...]:
    """Ids of the networks and subnets that a resource is, or is in."""
    named = [resource.id] if resource.kind in ("network", "subnet") else []
    for fact in ("network_id", "subnet_id", "subnet_ids", "network_ids"):
        value = resource.facts.get(fact)
        named += [str(v) for v in (value if isinstance(value, list) else [value] if value else [])]
    for subnet_id in tuple(named):
        subnet = world.get("subnet", subnet_id) if resource.kind != "network" else None
        network = subnet.facts.get("network_id") if subnet else None
        named += [str(network)] if network else []
    return tuple(dict.fromkeys(named))


def _cidrs(place: str, resource: Resource, world: World) -> Iterable[Block]:
    network = resource if place == resource.id else world.get("network", place)
    cidrs = network.facts.get("cidrs") if network is not None and network.kind == "network" else None
    return (b for b in map(_block, map(str, _list(cidrs))) if b is not None)


def _inside(block: Block, zones: Iterable[Block]) -> bool:
    return any(block.version == zone.version and block.subnet_of(zone) for zone in zones)  # type: ignore[arg-type]
