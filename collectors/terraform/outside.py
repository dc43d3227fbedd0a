"""Resources that a plan does not hold, and of which it makes or changes a part: an open rule in somebody else's group.

A part is judged by itself: what it shows may fail, and nothing passes, since the rest of the resource is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collectors.table import PlanTable
from collectors.terraform.configuration import Planned, suffix
from collectors.terraform.document import Change
from collectors.terraform.estate import AFTER, WORLDWIDE, Estate
from collectors.terraform.identities import IDENTITIES
from collectors.terraform.masks import hits
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

NAMED_TWICE = ("aws_kms_key", "aws_lambda_function")
"""Types whose parts may give their ARN or what stands at its end."""


def outside(estate: Estate, tables: Sequence[PlanTable]) -> Iterator[tuple[PlanTable, Planned, Gap]]:
    """Each of these resources with the table of its type, and why no more is known of it. Parts of the same resource are together.

    Its id is made of what names it, not of its parts: what is found stays the same finding when parts come and go.
    """
    found: dict[tuple[str, str], tuple[PlanTable, str, Gap | None, list[Planned]]] = {}
    for kind, names in _owners(tables).items():
        for planned in estate.plan.by_type.get(kind, ()):
            for name, table in names.items():
                for value, gap in _elsewhere(estate, planned, name):
                    late = planned.address if len(names) == 1 else f"{planned.address}/{name}"
                    held = late if gap else _held(estate, planned, table.type, value)
                    found.setdefault((table.type, held), (table, value, gap, []))[3].append(planned)
    for (kind, held), (table, value, gap, parts) in found.items():
        first = parts[0]
        stub = Planned(first.read, first.address, first.module, first.mode, kind, value, None, THERE, None, tuple(parts), held)
        away = Gap(Reason.NOT_OFFERED, first.address, "Scan the account.", "what it belongs to is not part of this plan")
        yield table, stub, gap or away


def _held(estate: Estate, planned: Planned, kind: str, value: str) -> str:
    """What a resource of a type is known by: its name or id, its region where names are regional, and the provider's alias."""
    region = "" if kind.startswith(WORLDWIDE) else estate.plan.region(planned)
    fields = value.split(":", 5)
    if fields[0] == "arn" and len(fields) == 6:  # noqa: PLR2004 - an ARN has six fields
        region = fields[3]
        if kind in NAMED_TWICE:
            value = re.split("[:/]", fields[5] + ":")[1] or value
    alias = planned.provider.rpartition(":")[2]
    return "/".join([kind + suffix(value), *([region] if region else ()), *([alias] if "." in alias else ())])


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


def _elsewhere(estate: Estate, planned: Planned, name: str) -> Iterator[tuple[str, Gap | None]]:
    """What a part names that is no resource of the plan; its own address, and why, where that cannot be told."""
    facet = estate.facet(planned)
    value, mask = facet.value.get(name), facet.unknown.get(name)
    if mask is not True and hits(facet.sensitive, (name,)):
        if planned.after.get(name) and not any(estate.owners(planned, planned.after[name], name)):
            yield (
                planned.address,
                Gap(Reason.SENSITIVE, planned.address, "Scan the account.", "which resource it belongs to is secret"),
            )
        return
    told = [v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str) and v and not v.startswith("plan/")]
    yield from ((v, None) for v in dict.fromkeys(told))
    if (mask is True or (isinstance(mask, list) and any(mask))) and planned.sets(name):
        yield (
            planned.address,
            Gap(Reason.KNOWN_AFTER_APPLY, planned.address, AFTER, "which resource it belongs to is not known yet"),
        )
