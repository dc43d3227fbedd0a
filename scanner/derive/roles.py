"""Which part of the AI factory a resource belongs to, and its declared zone.

Roles rank findings. A bucket that jobs or models name is data (`data_roles.py`). Where nothing points to the factory the role is `none`; where the tags could not be read, and nothing else tells, it
is unknown, since a rule may speak of one role only. The role is read from what was collected anyway and asks for nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from scanner.derive import data_roles, placement
from scanner.derive.keys import USERS
from scanner.derive.three import Truth
from scanner.derive.words import EXPLICIT, by_name, plain, telling
from scanner.derive.world import Derivation, World
from scanner.derive.zones import Zone, places_of, zone_of
from scanner.model import JSON, Gap, Reason, Resource

ROLES = ("training", "inference", "data", "management", "fabric")
"""The order decides between several: what trains is worth most."""
KINDS = (
    "account", "admission_policy", "audit_log", "cluster", "configuration", "credential", "data_store", "device_claim", "endpoint",
    "fabric_network", "firewall", "gateway", "grant", "identity", "key", "link", "mesh_policy", "model_service", "namespace", "network",
    "network_policy", "node", "operator", "permission_set", "placement", "private_endpoint", "quota", "route_table", "runtime_class",
    "subnet", "workload",
)  # fmt: skip
WORDS = {
    "data": re.compile(
        r"\b(data ?sets?|corpus|corpora|checkpoints?|ckpts?|models?(?! serv)|weights|embeddings?|vectors?|features?|training data)\b"
    ),
    "training": re.compile(r"\b((pre ?)?train(ing|er)?|fine ?tun(e|ing)|finetun(e|ing)|ml train\w*)\b"),
    "inference": re.compile(r"\b(inference|inferencing|serving|model serving|llm gateway)\b"),
    "management": re.compile(r"\b(management|mgmt|bastion|head ?node|login ?node)\b"),
    "fabric": re.compile(r"\b(fabric|infiniband|rdma|interconnect)\b"),
}
"""Role → words of tag values. `training data` is data, so data comes first."""
SERVING = re.compile(r"/(Deployment|ReplicaSet|StatefulSet|InferenceService|LLMInferenceService|RayService)$")
"""Controllers under which accelerators serve; under others they train."""
NAMESPACED = frozenset(
    {
        "admission_policy",
        "configuration",
        "device_claim",
        "endpoint",
        "fabric_network",
        "grant",
        "identity",
        "mesh_policy",
        "network_policy",
        "quota",
        "workload",
    }
)


def facts(resource: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """`ai_role` and `zone` of any resource."""
    zone = zone_of(resource, world)
    return {"ai_role": _role(resource, world, zone), "zone": zone.name if zone else ""}


def _role(resource: Resource, world: World, zone: Zone | None) -> str | Gap:
    tags = by_name(resource.tags)
    said = plain(tags.get(EXPLICIT, ""))
    if said in ROLES:
        return said
    if zone is not None and zone.ai_role in ROLES:
        return zone.ai_role
    data = _data(resource, world)
    if data is True:
        return "data"
    known = _by_facts(resource, world) or _by_words(resource.kind, tags)
    return known or resource.gaps.get("tags") or (data if isinstance(data, Gap) else "none")


def _data(resource: Resource, world: World) -> Truth:
    """A bucket holds data of the factory. What nobody asked for is no gap here: the role asks for nothing of its own."""
    if resource.native_type != data_roles.BUCKET:
        return False
    held = data_roles.holds_data(resource, world)
    return False if isinstance(held, Gap) and held.reason is Reason.NOT_OFFERED else held


def _by_words(kind: str, tags: Mapping[str, str]) -> str:
    for value in telling(tags):
        found = next((role for role, words in WORDS.items() if words.search(value)), "")
        if found:
            return "data" if kind == "data_store" and found in ("training", "inference") else found
    return ""


def _by_facts(resource: Resource, world: World) -> str:
    kind = resource.kind
    if kind == "model_service":
        return placement.SERVICES.get(str(resource.facts.get("service_type")), "")
    if kind == "node":
        return placement.role_of(resource) if resource.facts.get("accelerator") is True else ""
    if kind == "workload" and resource.facts.get("accelerator") is True:
        return "inference" if SERVING.search(f"/{resource.native_type.rpartition('/')[2]}") else "training"
    if kind == "key":
        return _first(_roles_of_users(resource, world))
    if kind in ("namespace", *NAMESPACED):
        namespace = resource.name if kind == "namespace" else str(resource.facts.get("namespace") or "")
        return _first(_namespaces(world).get((resource.scope, namespace), ())) if namespace else ""
    return _first(_roles_of_place(resource, world))


def _first(found: Iterable[str]) -> str:
    roles = set(found)
    return next((role for role in ROLES if role in roles), "")


def _roles_of_place(resource: Resource, world: World) -> set[str]:
    """Roles of the accelerator nodes and managed services in, behind or on a resource."""
    own = (resource.kind, resource.id)
    roles = _at(own, world)
    if resource.kind == "data_store":
        nodes = (world.get("node", str(n)) for n in resource.facts.get("attached_to") or [])
        roles |= {placement.role_of(n) for n in nodes if n is not None and n.facts.get("accelerator") is True}
    if resource.kind in ("firewall", "private_endpoint", "route_table", "gateway"):
        # NOTE: by the network only where it is all that is known: a group of a GPU network is not yet a group of GPU nodes
        places = (
            places_of(resource, world) if resource.kind != "firewall" else tuple(map(str, resource.facts.get("subnet_ids") or []))
        )
        for place in places:
            for kind in ("subnet", "network"):
                roles |= _at((kind, place), world)
    return roles


def _at(place: tuple[str, str], world: World) -> set[str]:
    found = placement.nodes(world).at.get(place)
    return {*(found.roles if found else ()), *placement.services(world).get(place, ())}


def _namespaces(world: World) -> Mapping[tuple[str, str], set[str]]:
    """(scope, namespace) → roles of its accelerator workloads."""
    return world.memo("roles.namespaces", lambda: _index(world))


def _index(world: World) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for workload in world.all("workload"):
        if workload.facts.get("accelerator") is True:
            role = "inference" if SERVING.search(f"/{workload.native_type.rpartition('/')[2]}") else "training"
            found.setdefault((workload.scope, str(workload.facts.get("namespace") or "")), set()).add(role)
    return found


def _roles_of_users(key: Resource, world: World) -> set[str]:
    users = world.fact(key, "used_by")
    roles: set[str] = set()
    for user_id in users if isinstance(users, list) else []:
        user = next((u for kind in USERS if (u := world.get(kind, str(user_id))) is not None), None)
        role = world.fact(user, "ai_role") if user is not None else None
        roles |= {role} if isinstance(role, str) else set()
    return roles


DERIVATIONS: tuple[Derivation, ...] = tuple(Derivation(kind, ("ai_role", "zone"), facts) for kind in KINDS)
