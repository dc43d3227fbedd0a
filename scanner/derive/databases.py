"""Databases: whether their parameter groups make clients speak TLS, and who on the internet gets to those with a public address."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scanner.derive.addresses import INTERNET
from scanner.derive.names import unseen
from scanner.derive.network import SUBNET
from scanner.derive.reach import CLOSED, READS, Link, reach, unknown
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Resource

INSTANCE, CLUSTER, WAREHOUSE = "AWS::RDS::DBInstance", "AWS::RDS::DBCluster", "AWS::Redshift::Cluster"
GROUPS = {INSTANCE: "AWS::RDS::DBParameterGroup", CLUSTER: "AWS::RDS::DBClusterParameterGroup"}
UNCHANGED = re.compile(r"(^|[:/])default\.[^:/]+$")
"""Parameter groups of the provider's, which nobody can change:
https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/USER_WorkingWithParamGroups.html"""

PLACED = ("internet_facing", "port", "firewall_ids", "subnet_ids")
MOST = 10
"""Blocks that are told."""


def tls_only(database: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Clients must speak TLS: by the parameter group, and not only after the next restart."""
    group_id = world.fact(database, "parameter_group_id")
    if isinstance(group_id, Gap):
        return {"tls_only": group_id}
    if UNCHANGED.search(str(group_id)):
        return {"tls_only": world.fact(database, "tls_default")}
    group = world.get("data_store", str(group_id))
    if group is None:
        return {"tls_only": unseen(world, GROUPS[database.native_type], database, str(group_id) or "its parameter group")}
    required, waits = world.fact(group, "tls_required"), world.fact(group, "waits_for_restart")
    if isinstance(required, Gap) or not required or waits is False:
        return {"tls_only": required}
    pending = world.fact(database, "parameters_pending")
    if pending is True and isinstance(waits, Gap):
        return {"tls_only": waits}
    return {"tls_only": pending if isinstance(pending, Gap) else not pending}


def sources(database: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Blocks of public addresses from which the database's port is reached, by any of its subnets.

    It stands in one of them, and after a failover in another.
    """
    facts = {name: world.fact(database, name) for name in PLACED}
    if facts["internet_facing"] is False:
        return {"internet_sources": [], "internet_sources_known": True}
    gap = next((fact for fact in facts.values() if isinstance(fact, Gap)), None)
    if gap is not None:
        return {"internet_sources": [], "internet_sources_known": gap}
    number, groups, found, missed = int(str(facts["port"])), _list(facts["firewall_ids"]), set[str](), gap
    for subnet_id in _list(facts["subnet_ids"]):
        inside, link = _through(database, subnet_id, groups, world)
        sure, wanted = link.sure.at(number), inside.sure.at(number)
        # NOTE: as people wrote it (0.0.0.0/0) where the way holds all of the internet that is in it
        found |= set((wanted if sure and sure.holds(wanted & INTERNET) else sure).cidrs())
        missed = missed or (link.gap if link.maybe.at(number) - sure else None)
    told = sorted(found, key=lambda block: (int(block.rpartition("/")[2]), block))
    return {"internet_sources": told[:MOST], "internet_sources_known": missed or True}


def _list(value: JSON | Gap) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else []


def _through(database: Resource, subnet_id: str, groups: list[str], world: World) -> tuple[Link, Link]:
    """What the filters let in by a subnet, and what of the internet gets that far."""
    links, subnet = reach(world), world.get("subnet", subnet_id)
    if subnet is None:
        return CLOSED, unknown(unseen(world, SUBNET, database, subnet_id))
    inside = links.groups(groups, "ingress", "tcp", database) & links.acl(subnet, "ingress", "tcp")
    return inside, inside & links.door(subnet).link & links.answered(subnet, "tcp")


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "data_store",
        ("internet_sources", "internet_sources_known"),
        sources,
        needs=PLACED,
        reads=READS,
        native_types=(INSTANCE, WAREHOUSE),
    ),
    *(
        Derivation(
            "data_store",
            ("tls_only",),
            tls_only,
            needs=("parameter_group_id", "tls_default", "parameters_pending"),
            reads={GROUPS[native]: ("tls_required", "waits_for_restart")},
            native_types=(native,),
        )
        for native in (INSTANCE, CLUSTER)
    ),
)
