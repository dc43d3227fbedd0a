"""Front doors: what listeners forward to, and whether a policy narrows who may call an API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scanner.derive.fronts import BALANCER, CLASSIC, LISTENER, TARGETS, fronts, places
from scanner.derive.names import unseen
from scanner.derive.placement import NODE
from scanner.derive.policy import public, unclear
from scanner.derive.three import Truth, any_of, is_true
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

REST_API, HTTP_API = "AWS::ApiGateway::RestApi", "AWS::ApiGatewayV2::Api"
CLEAR_PORTS = (80, 8000, 8080)
"""Ports on which servers speak HTTP."""


def listener_facts(listener: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Ports that a listener forwards to, and whether accelerators stand there."""
    groups = world.fact(listener, "target_group_ids")
    if isinstance(groups, Gap):
        return {"target_ports": groups, "accelerator_targets": groups}
    ports: set[int] = set()
    gap: Gap | None = None
    late: Gap | None = None  # of a group that was not seen `accelerator_targets` tells, of a port nothing else does
    for name in map(str, groups):
        group = world.get("endpoint", name)
        port = unseen(world, TARGETS, listener, name) if group is None else world.fact(group, "port")
        targets = world.fact(group, "targets") if group is not None else []
        # NOTE: a target may have a port of its own
        ports |= {int(t["port"]) for t in (group.facts.get("targets") or [] if group is not None else [])}
        if isinstance(port, Gap):
            gap = gap or port
            late = late or (port if group is not None else None)
        else:
            ports.add(int(str(port)))
        gap = gap or (targets if isinstance(targets, Gap) else None)
    return {
        "target_ports": late or (gap if gap is not None and not ports else sorted(ports - {0})),
        "accelerator_targets": any_of(_accelerated(listener, map(str, groups), world)),
    }


def _accelerated(listener: Resource, groups: Iterator[str], world: World) -> Iterator[Truth]:
    nodes = world.memo("doors.nodes", lambda: _nodes(world))
    for name in groups:
        group = world.get("endpoint", name)
        if group is None:
            yield unseen(world, TARGETS, listener, name)
            continue
        targets, network, kind = (world.fact(group, f) for f in ("targets", "network_id", "target_type"))
        for target in group.facts.get("targets") or []:
            keys = places(str(network), str(target["id"])) if kind == "ip" else (str(target["id"]),)
            yield from (nodes.get(key, False) for key in keys)
        if isinstance(targets, Gap):
            yield targets
    yield world.listing(NODE, listener.scope, listener.region) or False


def _nodes(world: World) -> dict[str, Truth]:
    """Node, or `network address` of one → whether it has accelerators."""
    found: dict[str, Truth] = {}
    for node in world.all("node"):
        if node.native_type != NODE:
            continue
        value = world.fact(node, "accelerator")
        truth = is_true(value)
        found[node.id] = truth
        for interface in node.facts.get("interfaces") or []:
            subnet = world.get("subnet", str(interface["subnet_id"]))
            network = world.fact(subnet or node, "network_id")
            for address in (*interface["private_addresses"], *interface["ipv6_addresses"]):
                found[f"{network} {address}"] = truth
    return found


def balancer_facts(balancer: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the listeners of a load balancer forward to, together."""
    found = list(fronts(world).of.get(balancer.id, ()))
    gap = fronts(world).gaps.get(balancer.scope) or world.listing(LISTENER, balancer.scope, balancer.region)
    ports: set[int] = set()
    for listener in found:
        told = world.fact(listener, "target_ports")
        if isinstance(told, Gap):
            gap = gap or told
        else:
            ports |= {int(p) for p in told}
    truths = [is_true(world.fact(listener, "accelerator_targets")) for listener in found]
    return {
        "target_ports": gap if gap is not None and not ports else sorted(ports),
        "accelerator_targets": any_of([*truths, gap or False]),
    }


def group_facts(group: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a target group takes in clear text what came to a listener."""
    protocol, port = world.fact(group, "protocol"), world.fact(group, "port")
    if isinstance(protocol, Gap):
        return {"forwards_in_clear": protocol}
    if protocol not in ("http", "tcp", "tcp_udp"):
        return {"forwards_in_clear": False}
    index = fronts(world)
    gap = index.gaps.get(group.scope) or world.listing(LISTENER, group.scope, group.region)
    found = index.listeners.get(group.id, ())
    if protocol == "http":
        return {"forwards_in_clear": True if found else gap or False}
    truths: list[Truth] = [_in_clear(listener, port, world) for listener in found]
    return {"forwards_in_clear": any_of([*truths, gap or False])}


def _in_clear(listener: Resource, port: JSON | Gap, world: World) -> Truth:
    """TCP to a target: clear text where TLS ended before, or on a port of clear text; else nobody knows."""
    protocol = world.fact(listener, "protocol")
    return protocol if isinstance(protocol, Gap) else _tcp_in_clear(ended=protocol == "tls", port=port)


def _tcp_in_clear(*, ended: bool, port: JSON | Gap) -> Truth:
    if ended or port in CLEAR_PORTS:
        return True
    said = "TCP may carry TLS through to the target"
    return port if isinstance(port, Gap) else Gap(Reason.NOT_OFFERED, "", "Look at the target.", said)


def classic_facts(balancer: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What a load balancer of the first generation forwards to, and whether in clear text: its listeners are its own."""
    listeners, targets = world.fact(balancer, "listeners"), world.fact(balancer, "targets")
    nodes = world.memo("doors.nodes", lambda: _nodes(world))
    known = [nodes.get(str(t["id"]), False) for t in balancer.facts.get("targets") or []]
    missed = targets if isinstance(targets, Gap) else world.listing(NODE, balancer.scope, balancer.region)
    if isinstance(listeners, Gap):
        return {"target_ports": listeners, "forwards_in_clear": listeners, "accelerator_targets": any_of([*known, missed or False])}
    return {
        "target_ports": sorted({int(each["target_port"]) for each in listeners}),
        "forwards_in_clear": any_of(_passed_in_clear(each) for each in listeners),
        "accelerator_targets": any_of([*known, missed or False]),
    }


def _passed_in_clear(listener: Mapping[str, JSON]) -> Truth:
    """HTTP to a target, and TCP as `_in_clear` has it."""
    behind, front = listener["target_protocol"], listener["protocol"]
    if behind == "http":
        return True
    return behind == "tcp" and _tcp_in_clear(ended=front in ("https", "ssl"), port=listener["target_port"])


def policy_facts(api: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether a resource policy narrows who may call; an API without one lets everyone call. What it forwards to is not looked at."""
    return {"limited_by_policy": _limited(api, world), "target_ports": [], "accelerator_targets": False}


def _limited(api: Resource, world: World) -> Truth:
    statements = world.fact(api, "policy_statements")
    if isinstance(statements, Gap):
        return statements
    answer = public(statements, "execute-api") if statements else "yes"
    return unclear(statements) if answer == "conditional" else answer == "no"


def never(_listener: Resource, _world: World) -> Mapping[str, JSON | Gap]:
    """Listeners have no policies of their own."""
    return {"limited_by_policy": False}


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "endpoint",
        ("target_ports", "accelerator_targets"),
        listener_facts,
        needs=("target_group_ids",),
        reads={
            TARGETS: ("port", "targets", "network_id", "target_type"),
            NODE: ("accelerator", "interfaces", "network_id"),
            "AWS::EC2::Subnet": ("network_id",),
        },
        native_types=(LISTENER,),
    ),
    Derivation(
        "endpoint",
        ("forwards_in_clear",),
        group_facts,
        needs=("protocol", "port"),
        reads={LISTENER: ("target_group_ids", "protocol"), TARGETS: ("target_type", "network_id", "targets")},
        native_types=(TARGETS,),
    ),
    Derivation(
        "endpoint",
        ("target_ports", "accelerator_targets"),
        balancer_facts,
        reads={LISTENER: ("balancer_id", "target_group_ids", "target_ports", "accelerator_targets")},
        native_types=(BALANCER,),
    ),
    Derivation(
        "endpoint",
        ("target_ports", "accelerator_targets", "forwards_in_clear"),
        classic_facts,
        needs=("listeners", "targets"),
        reads={NODE: ("accelerator",)},
        native_types=(CLASSIC,),
    ),
    Derivation(
        "endpoint",
        ("limited_by_policy", "target_ports", "accelerator_targets"),
        policy_facts,
        needs=("policy_statements",),
        native_types=(REST_API, HTTP_API),
    ),
    Derivation("endpoint", ("limited_by_policy",), never, native_types=(LISTENER,)),
)
