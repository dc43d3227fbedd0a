"""Resources that a plan does not hold, and of which it makes or changes a part: an open rule in somebody else's group.

A part is judged by itself: what it shows may fail, and nothing passes, since the rest of the resource is not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectors.table import PlanTable
from collectors.terraform.configuration import Planned
from collectors.terraform.document import Change
from collectors.terraform.estate import AFTER, Estate
from collectors.terraform.identities import IDENTITIES
from scanner.model import Gap, Reason

THERE = Change(("update",))
"""Of a resource that is there already, and of which the plan says nothing itself."""
LINKS = frozenset(
    (
        "aws_dx_connection_association",
        "aws_ec2_transit_gateway_route_table_association",
        "aws_ec2_transit_gateway_route_table_propagation",
        "aws_elb_attachment",
        "aws_iam_group_membership",
        "aws_iam_instance_profile",
        "aws_iam_user_group_membership",
        "aws_internet_gateway_attachment",
        "aws_kms_alias",
        "aws_lb_target_group_attachment",
        "aws_alb_target_group_attachment",
        "aws_main_route_table_association",
        "aws_network_acl_association",
        "aws_network_interface_attachment",
        "aws_organizations_policy_attachment",
        "aws_route_table_association",
        "aws_volume_attachment",
        "aws_vpc_endpoint_route_table_association",
    )
)
"""Parts that only say that two things belong together: of one that is elsewhere they tell nothing that could be judged."""
LINKED = ("aws_iam_policy",)
"""Types of which all parts are links: attachments say something of who gets the policy."""


def outside(estate: Estate, tables: Sequence[PlanTable]) -> Iterator[tuple[PlanTable, Planned, Gap]]:
    """Each of these resources with the table of its type, and why no more is known of it. Parts of the same resource are together."""
    owners = _owners(tables)
    found: dict[tuple[str, str, str], list[Planned]] = {}
    for kind, names in owners.items():
        for planned in estate.plan.by_type.get(kind, ()):
            for name, table in names.items():
                for value in _elsewhere(estate, planned, name):
                    found.setdefault((table.type, value, estate.plan.region(planned)), []).append(planned)
    by_type = {t.type: t for t in reversed(tables) if not t.each}
    for (kind, value, _), parts in found.items():
        first = parts[0]
        stub = Planned(first.read, first.address, first.module, first.mode, kind, value, None, THERE, None, tuple(parts))
        if value == first.address:
            gap = Gap(Reason.KNOWN_AFTER_APPLY, first.address, AFTER, "which resource it belongs to is not known yet")
        else:
            gap = Gap(Reason.NOT_OFFERED, first.address, "Scan the account.", "what it belongs to is not part of this plan")
        yield by_type[kind], stub, gap


def _owners(tables: Sequence[PlanTable]) -> dict[str, dict[str, PlanTable]]:
    """Type of a part → attribute that names what it belongs to → a table of that."""
    own = {t.type for t in tables}
    owners: dict[str, dict[str, PlanTable]] = {}
    for table in tables:
        for join in table.joins.values():
            direct = join.on and "[" not in join.to and join.to in IDENTITIES.get(table.type, ("id",))
            if direct and join.type not in own | LINKS and table.type not in LINKED and not table.each:
                owners.setdefault(join.type, {}).setdefault(join.on, table)
    return owners


def _elsewhere(estate: Estate, planned: Planned, name: str) -> Iterator[str]:
    """What a part names that is no resource of the plan; its own address where that is not known yet."""
    facet = estate.facet(planned)
    value, mask = facet.value.get(name), facet.unknown.get(name)
    told = [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str) and v]
    if any(v.startswith("plan/") for v in told):
        return
    yield from dict.fromkeys(told)
    if mask is True or (isinstance(mask, list) and any(mask)):
        yield planned.address
