"""How network policies are read: what they say of peers and ports, and nothing of what stands behind a connection.

Layer 7 rules are left out but for that there are some: headers and paths hold secrets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.kubernetes.within import elements, mapping, mappings, part, sequence, switch
from collectors.table import MISSING

Item = Mapping[str, Any]

# ---- Kubernetes' own

DNS_PORTS = frozenset({53, 5353, "dns", "dns-tcp"})


def ambiguous_peers(spec: Item) -> list[dict[str, Any]]:
    """Lists of peers of a NetworkPolicy that say more than they seem to.

    `split`: an item with a namespaceSelector alone beside one with a podSelector alone, which admits either; one item with both admits
    what both pick. `all_namespaces`: a namespaceSelector that is empty, alone.
    https://kubernetes.io/docs/concepts/services-networking/network-policies/#behavior-of-to-and-from-selectors
    """
    found = []
    for direction, side in (("ingress", "from"), ("egress", "to")):
        for number, rule in enumerate(mappings(spec.get(direction))):
            peers = mappings(rule.get(side))
            spaces = [p["namespaceSelector"] for p in peers if set(p) == {"namespaceSelector"}]
            # NOTE: an empty podSelector means the whole namespace of the policy: merged into another item it would say nothing
            pods = [p["podSelector"] for p in peers if set(p) == {"podSelector"} and _narrow(p["podSelector"])]
            if any(map(_narrow, spaces)) and pods:
                found.append({"direction": direction, "rule": number, "problem": "split"})
            if not all(map(_narrow, spaces)) and not _only_dns(rule):
                found.append({"direction": direction, "rule": number, "problem": "all_namespaces"})
    return found


def _narrow(selector: Any) -> bool:
    return bool(mapping(selector).get("matchLabels") or mapping(selector).get("matchExpressions"))


def _only_dns(rule: Item) -> bool:
    ports = mappings(rule.get("ports"))
    return bool(ports) and all(p.get("port") in DNS_PORTS and not p.get("endPort") for p in ports)


# ---- Cilium

SIDES = ("from", "to")
CILIUM_PEERS = ("Endpoints", "Requires", "Entities", "CIDR", "CIDRSet", "FQDNs")
THERE = ("Nodes", "Groups", "Services")
"""Peers of which only that they are there is kept."""
SILENT = frozenset({"authentication", "log"})
"""What does not change which connections open."""


def cilium(item: Item) -> Any:
    """The rules of a Cilium policy: `spec` and `specs` are both legal.

    https://docs.cilium.io/en/stable/network/kubernetes/policy/#ciliumnetworkpolicy
    """
    specs = [*([item["spec"]] if item.get("spec") else []), *sequence(item.get("specs"))]
    return [_cilium_spec(s) for s in elements(specs, "specs")] or MISSING


def _cilium_spec(raw: Item) -> dict[str, Any]:
    found: dict[str, Any] = {"selector": raw.get("endpointSelector"), "node": raw.get("nodeSelector") is not None}
    for key in ("ingress", "egress"):
        found[key] = [_cilium_rule(r) for r in elements(raw.get(key), key)]
        found[f"{key}Deny"] = [_cilium_rule(r) for r in elements(raw.get(f"{key}Deny"), f"{key}Deny")]
    closed = {k: switch(v, "enableDefaultDeny") for k, v in part(raw.get("enableDefaultDeny"), "enableDefaultDeny").items()}
    found["enableDefaultDeny"] = {k: v for k, v in closed.items() if v is not None}
    return found


def _cilium_rule(raw: Any) -> dict[str, Any]:
    rule = mapping(raw)
    kept = {f"{side}{name}" for side in SIDES for name in CILIUM_PEERS}
    there = {f"{side}{name}" for side in SIDES for name in THERE}
    found = {k: v for k, v in rule.items() if k in kept}
    # NOTE: null is as absent, an empty list is a list of nobody
    found |= {k: [{}] if v else v for k, v in rule.items() if k in there}
    if rule.get("toPorts") is not None:
        found["toPorts"] = [_cilium_ports(p) for p in mappings(rule["toPorts"])]
    if rule.get("icmps"):
        found["icmps"] = True
    unknown = sorted(set(rule) - kept - there - SILENT - {"toPorts", "icmps"})
    return found | ({"unknown": unknown} if unknown else {})


def _cilium_ports(raw: Item) -> dict[str, Any]:
    ports = [{k: p[k] for k in ("port", "endPort", "protocol") if k in p} for p in mappings(raw.get("ports"))]
    return {"ports": ports, "layer7": bool(raw.get("rules"))}


# ---- Calico

CALICO_SPEC = (
    "tier",
    "order",
    "selector",
    "namespaceSelector",
    "serviceAccountSelector",
    "types",
    "doNotTrack",
    "preDNAT",
    "applyOnForward",
)
CALICO_RULE = ("action", "protocol", "notProtocol", "ipVersion", "icmp", "notICMP", "source", "destination")
CALICO_ENTITY = (
    "nets",
    "notNets",
    "selector",
    "notSelector",
    "namespaceSelector",
    "services",
    "ports",
    "notPorts",
    "serviceAccounts",
)


def calico(item: Item) -> Any:
    """The rules of a Calico policy: https://docs.tigera.io/calico/latest/reference/resources/networkpolicy."""
    spec = item.get("spec")
    if not isinstance(spec, dict):
        return MISSING
    found = {k: spec[k] for k in CALICO_SPEC if k in spec}
    return [found | {k: [_calico_rule(r) for r in elements(spec[k], k)] for k in ("ingress", "egress") if k in spec}]


def _calico_rule(raw: Item) -> dict[str, Any]:
    found = {k: raw[k] for k in CALICO_RULE if k in raw and k not in ("source", "destination")}
    unknown = sorted(set(raw) - set(CALICO_RULE) - {"http", "metadata"})
    for side in ("source", "destination"):
        entity = mapping(raw.get(side))
        if entity:
            found[side] = {k: entity[k] for k in CALICO_ENTITY if k in entity}
            unknown += sorted(set(entity) - set(CALICO_ENTITY))
    return found | ({"unknown": unknown} if unknown else {})


def order(item: Item) -> Any:
    """Place of a tier; without one it is the last."""
    written = mapping(item.get("spec")).get("order")
    return float(written) if isinstance(written, int | float) else None


# ---- administrators' policies

ADMIN_SPEC = ("tier", "priority", "subject")
ADMIN_RULE = ("name", "action", "from", "to", "ports", "protocols")


def admin(item: Item) -> Any:
    """The rules of an AdminNetworkPolicy, a BaselineAdminNetworkPolicy or a ClusterNetworkPolicy.

    https://network-policy-api.sigs.k8s.io/api-overview/
    """
    spec = item.get("spec")
    if not isinstance(spec, dict):
        return MISSING
    found = {k: spec[k] for k in ADMIN_SPEC if k in spec}
    for key in ("ingress", "egress"):
        found[key] = [{k: r[k] for k in ADMIN_RULE if k in r} for r in elements(spec.get(key), key)]
    return [found]
