"""VPN connections, peerings, transit gateways, network firewalls and prefix lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collectors.aws.connections import VPN, tunnel
from collectors.aws.netfirewall import DEFAULTS, GROUPS, ORDER, actions, passes_all
from collectors.table import MISSING, Const, Field, Join, PlanTable
from collectors.terraform.masks import pick
from collectors.terraform.tables.shared import CREATED, PLACE, TAGS, canonical, docs, flat, names, one, only_new, title

TRANSIT = docs("aws_ec2_transit_gateway")
TABLE = docs("aws_ec2_transit_gateway_route_table")
PREFIX_LIST = docs("aws_ec2_managed_prefix_list")

_OPTIONS = (
    "ike_versions",
    *(f"phase{n}_{o}" for n in (1, 2) for o in ("encryption_algorithms", "integrity_algorithms", "dh_group_numbers")),
)
_SHORT = {"encryption_algorithms": "encryption", "integrity_algorithms": "integrity", "dh_group_numbers": "dh_groups"}


def tunnels(*found: Any) -> list[dict[str, Any]]:
    """Both tunnels, from the values of their options one after the other."""
    half = len(_OPTIONS)
    return [tunnel(str(n + 1), dict(zip(map(_short, _OPTIONS), found[n * half : (n + 1) * half], strict=True))) for n in (0, 1)]


def _short(option: str) -> str:
    phase, _, rest = option.partition("_")
    return f"{phase}_{_SHORT[rest]}" if rest in _SHORT else option


def associations(
    partition: str,
    region: str | None,
    account: str | None,
    created: bool,  # noqa: FBT001 - a value of the row
    networks: Any,
    found: Any,
) -> Any:
    """What routes by a table of a transit gateway: networks, and attachments that are not of this plan."""
    known = {f"plan/{n['address']}": n.get("vpc_id") for n in networks or []}
    ids = [_end(partition, region, account, known, a) for a in flat(found)]
    return sorted(set(ids)) or only_new(created, [])


def _end(partition: str, region: str | None, account: str | None, known: Mapping[str, Any], attachment: str) -> str:
    network = known.get(attachment)
    kind = "vpc" if network else "transit-gateway-attachment"
    return canonical("ec2", kind, partition, region, account, str(network or attachment))


def transit_routes(
    partition: str,
    region: str | None,
    account: str | None,
    created: bool,  # noqa: FBT001 - a value of the row
    *found: Any,
) -> Any:
    """Static routes, and what propagates its blocks."""
    propagating, propagations, routed, static = found
    known = {f"plan/{n['address']}": n.get("vpc_id") for n in flat(propagating, routed)}
    made = [
        _route("", _end(partition, region, account, known, attachment), "propagated", active=True)
        for attachment in flat(propagations)
    ]
    for route in static or []:
        attachment = route.get("transit_gateway_attachment_id")
        target = _end(partition, region, account, known, attachment) if attachment else ""
        made.append(_route(route["destination_cidr_block"], target, "static", active=not route.get("blackhole")))
    made.sort(key=lambda r: (r["route_type"], r["destination"], r["target"]))
    return made or only_new(created, [])


def _route(destination: str, target: str, origin: str, *, active: bool) -> dict[str, Any]:
    kind = "" if not target else "vpc" if ":vpc/" in target or target.startswith("plan/") else "other"
    return {"destination": destination, "target": target, "target_type": kind, "route_type": origin, "active": active}


def group_rules(lines: str | None, group: Any) -> Any:
    """Rules that let everything pass, of a group in either way of writing."""
    if lines:
        return passes_all({"RulesString": lines})
    if not group:
        return MISSING
    source: Mapping[str, Any] = next(iter(group[0].get("rules_source") or []), {})
    listed: Mapping[str, Any] = next(iter(source.get("rules_source_list") or []), {})
    stateless: Mapping[str, Any] = next(iter(source.get("stateless_rules_and_custom_actions") or []), {})
    return passes_all(
        {
            "RulesString": source.get("rules_string"),
            "RulesSourceList": {"GeneratedRulesType": listed.get("generated_rules_type"), "Targets": listed.get("targets")},
            "StatefulRules": [_stateful(r) for r in source.get("stateful_rule") or []],
            "StatelessRulesAndCustomActions": {"StatelessRules": [_stateless(r) for r in stateless.get("stateless_rule") or []]},
        }
    )


def _stateful(rule: Mapping[str, Any]) -> dict[str, Any]:
    header = rule["header"][0]
    return {
        "Action": rule["action"],
        "Header": {
            "Protocol": header["protocol"], "Source": header["source"], "Destination": header["destination"],
            "DestinationPort": header["destination_port"],
        },
        "RuleOptions": [{"Keyword": o["keyword"], "Settings": o.get("settings")} for o in rule.get("rule_option") or []],
    }  # fmt: skip


def _stateless(rule: Mapping[str, Any]) -> dict[str, Any]:
    definition = rule["rule_definition"][0]
    fits = definition["match_attributes"][0]
    return {
        "Priority": rule["priority"],
        "RuleDefinition": {
            "Actions": definition["actions"],
            "MatchAttributes": {
                "Destinations": [{"AddressDefinition": d["address_definition"]} for d in fits.get("destination") or []],
                "DestinationPorts": fits.get("destination_port"),
                "SourcePorts": fits.get("source_port"),
            },
        },
    }


def endpoints(partition: str, region: str | None, account: str | None, found: Any) -> list[str]:
    """The endpoints that routes name."""
    return sorted(canonical("ec2", "vpc-endpoint", partition, region, account, v) for v in flat(found))


def prefixes(created: bool, inline: Any, own: Any) -> Any:  # noqa: FBT001 - a value of the row
    """Address blocks of a prefix list, inline and of resources of their own."""
    return names(flat(inline, own)) or only_new(created, [])


PEERINGS = PlanTable(
    "link",
    "AWS::EC2::VPCPeeringConnection",
    "aws_vpc_peering_connection",
    {
        "link_type": Const("peering"),
        "requester_id": one("vpc", "item.vpc_id"),
        "accepter_id": one("vpc", "item.peer_vpc_id"),
    },
    name=title(),
    tags=TAGS,
)

TRANSIT_GATEWAYS = PlanTable(
    "gateway",
    "AWS::EC2::TransitGateway",
    "aws_ec2_transit_gateway",
    {
        "gateway_type": Const("transit"),
        "auto_accept": Field(
            "item.auto_accept_shared_attachments", {"enable": True, "disable": False}, absent=False, source=TRANSIT
        ),
    },
    name=title("item.description"),
    tags=TAGS,
)

_ATTACHED = "aws_ec2_transit_gateway_vpc_attachment"
TRANSIT_TABLES = PlanTable(
    "route_table",
    "AWS::EC2::TransitGatewayRouteTable",
    "aws_ec2_transit_gateway_route_table",
    {
        "gateway_id": one("transit-gateway", "item.transit_gateway_id"),
        "associations": Field(
            (*PLACE, CREATED, pick("networks[]", "address", "vpc_id"), "associated[].transit_gateway_attachment_id"), associations
        ),
        "transit_routes": Field(
            (
                *PLACE, CREATED, pick("propagating[]", "address", "vpc_id"), "propagated[].transit_gateway_attachment_id",
                pick("routed[]", "address", "vpc_id"), pick("static[]", "destination_cidr_block", "blackhole", "transit_gateway_attachment_id"),
            ),
            transit_routes, absent=[], source=TABLE,
        ),
    },
    {
        "associated": Join("aws_ec2_transit_gateway_route_table_association", on="transit_gateway_route_table_id", many=True),
        "networks": Join(_ATTACHED, on="id", to="associated[].transit_gateway_attachment_id", many=True),
        "propagated": Join("aws_ec2_transit_gateway_route_table_propagation", on="transit_gateway_route_table_id", many=True),
        "propagating": Join(_ATTACHED, on="id", to="propagated[].transit_gateway_attachment_id", many=True),
        "static": Join("aws_ec2_transit_gateway_route", on="transit_gateway_route_table_id", many=True),
        "routed": Join(_ATTACHED, on="id", to="static[].transit_gateway_attachment_id", many=True),
    },
    name=title(),
    tags=TAGS,
)  # fmt: skip

VPN_CONNECTIONS = PlanTable(
    "link",
    "AWS::EC2::VPNConnection",
    "aws_vpn_connection",
    {
        "link_type": Const("vpn"),
        "tunnels": Field(
            tuple(f"item.tunnel{n}_{o}" for n in (1, 2) for o in _OPTIONS), tunnels, absent=tunnels(*[None] * 14), source=VPN
        ),
    },
    name=title(),
    tags=TAGS,
)

FIREWALLS = PlanTable(
    "firewall",
    "AWS::NetworkFirewall::Firewall",
    "aws_networkfirewall_firewall",
    {
        "firewall_type": Const("network_firewall"),
        "network_id": one("vpc", "item.vpc_id", absent="", source=docs("aws_networkfirewall_firewall")),
        "policy_id": one("firewall-policy", "item.firewall_policy_arn", service="network-firewall"),
        "endpoint_ids": Field(
            (*PLACE, "item.firewall_status[].sync_states[].attachment[].endpoint_id"),
            endpoints,
        ),
    },
    tags=TAGS,
)

_POLICY = "item.firewall_policy[0]"
POLICIES = PlanTable(
    "firewall",
    "AWS::NetworkFirewall::FirewallPolicy",
    "aws_networkfirewall_firewall_policy",
    {
        "firewall_type": Const("firewall_policy"),
        "rule_order": Field(
            f"{_POLICY}.stateful_engine_options[0].rule_order",
            {"STRICT_ORDER": "strict", "DEFAULT_ACTION_ORDER": "action"},
            absent="action",
            source=ORDER,
        ),
        "default_actions": Field(f"{_POLICY}.stateful_default_actions", sorted, absent=[], source=DEFAULTS),
        "stateless_actions": Field(
            (f"{_POLICY}.stateless_default_actions", f"{_POLICY}.stateless_fragment_default_actions"), actions
        ),
    },
    tags=TAGS,
)

RULE_GROUPS = PlanTable(
    "firewall",
    "AWS::NetworkFirewall::RuleGroup",
    "aws_networkfirewall_rule_group",
    {
        "firewall_type": Const("rule_group"),
        "passes_all": Field(("item.rules", pick("item.rule_group[]", "rules_source")), group_rules, source=GROUPS),
    },
    tags=TAGS,
)

PREFIX_LISTS = PlanTable(
    "firewall",
    "AWS::EC2::PrefixList",
    "aws_ec2_managed_prefix_list",
    {
        "firewall_type": Const("prefix_list"),
        "cidrs": Field((CREATED, "item.entry[].cidr", "own[].cidr"), prefixes, absent=[], source=PREFIX_LIST),
    },
    {"own": Join("aws_ec2_managed_prefix_list_entry", on="prefix_list_id", many=True)},
    tags=TAGS,
)

TABLES: tuple[PlanTable, ...] = (
    PEERINGS,
    TRANSIT_GATEWAYS,
    TRANSIT_TABLES,
    VPN_CONNECTIONS,
    FIREWALLS,
    POLICIES,
    RULE_GROUPS,
    PREFIX_LISTS,
)
