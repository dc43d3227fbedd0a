"""Multus and ingress-nginx: what their ConfigMaps and versions mean for the pods that run them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scanner.derive.kubernetes.floors import Floor, below, numbers
from scanner.derive.kubernetes.several import several_tenants
from scanner.derive.kubernetes.tenants import READS
from scanner.derive.kubernetes.types import namespace_of, object_id, unseen
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

CONFIG_MAP, DAEMON_SET = "v1/ConfigMap", "apps/v1/DaemonSet"
DEPLOYED = ("apps/v1/Deployment", DAEMON_SET, "apps/v1/StatefulSet", "apps/v1/ReplicaSet", "v1/Pod")
"""Types by which ingress controllers are deployed."""
PRODUCT = "ingress-nginx"
SNIPPETS_OFF = (1, 9)
"""From this release on snippets are refused unless the ConfigMap takes them.
https://github.com/kubernetes/ingress-nginx/blob/main/changelog/controller-1.9.0.md"""


# ---- Multus


def multus_isolation(workload: Resource, world: World) -> str | Gap:
    """Whether the Multus of a workload keeps namespaces apart; the worst of several."""
    agents: Any = world.fact(workload, "multus")
    if isinstance(agents, Gap):
        return agents
    found = [_isolation(a, workload, world) for a in agents]
    gap = next((f for f in found if isinstance(f, Gap)), None)
    return "none" if not found else "off" if "off" in found else gap or "on"


def _isolation(agent: Mapping[str, Any], workload: Resource, world: World) -> str | Gap:
    on_nodes = Gap(
        Reason.NOT_OFFERED, "", "Look at /etc/cni/net.d on the nodes.", "Multus reads its configuration from a file of the nodes"
    )
    if agent["isolation"] != "config_map":
        return on_nodes if agent["isolation"] == "unknown" else str(agent["isolation"])
    if not agent["config_map"]:
        return on_nodes
    name = str(agent["config_map"])
    found = world.get("configuration", object_id(workload.scope, "ConfigMap", namespace_of(workload), name))
    if found is None:
        return unseen(world, workload, CONFIG_MAP, f"the ConfigMap {name}", namespace_of(workload)) or on_nodes
    settings: Any = world.fact(found, "settings")
    if isinstance(settings, Gap):
        return settings
    wrong = Gap(Reason.UNPARSABLE, "", f"Correct {name}.", f"what {name} says of namespaceIsolation cannot be read")
    return {"on": "on", "off": "off"}.get(str(settings.get("isolation")), wrong)


def of_multus(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The derived facts of what may run Multus."""
    return {"multus_isolation": multus_isolation(workload, world), "several_tenants": several_tenants(workload, world)}


# ---- ingress-nginx


def of_controller(workload: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Controllers of ingress-nginx that lack fixes."""
    containers: Any = world.fact(workload, "ingress_nginx")
    if isinstance(containers, Gap):
        return dict.fromkeys(("ingress_nginx_outdated", "ingress_nginx_outdated_settled"), containers)
    found: list[JSON] = []
    gap: Gap | None = None
    for one in containers:
        floor = below(PRODUCT, one["version"])
        gap = gap or (floor if isinstance(floor, Gap) else None)
        if isinstance(floor, Floor):
            found.append({"container": one["container"], "version": one["version"], "fixed": floor.fixed, "ids": list(floor.ids)})
    return {"ingress_nginx_outdated": found, "ingress_nginx_outdated_settled": gap or True}


def snippets_allowed(config: Resource, world: World) -> bool | Gap:
    """Whether ingress-nginx takes snippets by a ConfigMap: they are annotations of the highest risk.

    https://kubernetes.github.io/ingress-nginx/user-guide/nginx-configuration/annotations-risk/
    """
    settings: Any = world.fact(config, "settings")
    if isinstance(settings, Gap) or settings.get("component") != PRODUCT:
        return settings if isinstance(settings, Gap) else False
    wrong = Gap(Reason.UNPARSABLE, "", "Write true or false.", "what it says of snippets cannot be read")
    if settings["snippets"] == "off" or settings["risk"] in ("Low", "Medium", "High"):
        return False
    if settings["snippets"] == "on":
        return wrong if settings["risk"] == "unreadable" else True
    return wrong if settings["snippets"] == "unreadable" else _by_default(config, world)


def _by_default(config: Resource, world: World) -> bool | Gap:
    """What the controllers beside a ConfigMap do where it says nothing: releases before 1.9 take snippets."""
    controllers = world.memo(f"kubernetes.ingress_nginx {config.scope}", lambda: _controllers(config.scope, world))
    found = controllers.get(namespace_of(config), [])
    old = [v for v in found if numbers(v) and numbers(v) < SNIPPETS_OFF]
    unknown = Gap(Reason.NOT_OFFERED, "", "Write allow-snippet-annotations.", "the release of its controller is not known")
    if old or (found and all(numbers(v) for v in found)):
        return bool(old)
    return unknown


def _controllers(scope: str, world: World) -> dict[str, list[str]]:
    """Namespace → versions of the controllers in it."""
    found: dict[str, list[str]] = {}
    for workload in world.all("workload", scope):
        for one in workload.facts.get("ingress_nginx") or ():
            found.setdefault(namespace_of(workload), []).append(one["version"])
    return found


def of_config(config: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a ConfigMap lets snippets in."""
    return {"snippets_allowed": snippets_allowed(config, world)}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "workload",
        ("multus_isolation", "several_tenants"),
        of_multus,
        needs=("multus", "namespace"),
        reads={CONFIG_MAP: ("settings", "namespace"), **READS},
        native_types=(DAEMON_SET,),
    ),
    Derivation(
        "workload",
        ("ingress_nginx_outdated", "ingress_nginx_outdated_settled"),
        of_controller,
        needs=("ingress_nginx",),
        native_types=DEPLOYED,
    ),
    Derivation(
        "configuration",
        ("snippets_allowed",),
        of_config,
        needs=("settings", "namespace"),
        reads=dict.fromkeys(DEPLOYED, ("ingress_nginx", "namespace")),
        native_types=(CONFIG_MAP,),
    ),
)
