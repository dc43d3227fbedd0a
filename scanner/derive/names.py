"""What canonical ids say by themselves, and what to answer where the resource behind one was not seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scanner.derive.world import World
from scanner.model import Gap, Reason, Resource

ARN = re.compile(r"^arn:(?P<partition>[^:]*):(?P<service>[^:]*):(?P<region>[^:]*):(?P<account>\d{12})?:(?P<resource>.+)$")
ACCOUNT = re.compile(r"^\d{12}$")
SCAN_ACCOUNT = "Scan the account as well."
NOT_THERE = (Reason.SERVICE_OFF, Reason.REGION_OFF)
"""Why a listing failed that would have been empty: where a service is not offered, nothing of it is there."""


def missed(listings: Iterable[Gap | None]) -> Iterator[Gap]:
    """Of what listings say (None: complete), why something may be there that was not seen."""
    return (gap for gap in listings if gap is not None and gap.reason not in NOT_THERE)


def account_of(resource: Resource) -> str:
    """The account that owns a resource, from its ARN or its scope; empty where neither says (a plan)."""
    match = ARN.match(resource.id)
    if match and match["account"]:
        return match["account"]
    return resource.scope if ACCOUNT.match(resource.scope) else ""


def planned(resource: Resource) -> bool:
    """The resource comes from a plan: it does not say what else is in the account."""
    return resource.id.startswith("plan/")


def unseen(world: World, native_type: str, resource: Resource, what: str) -> Gap:
    """Why `what`, which `resource` names, is not in the snapshot: its listing's gap, or that it lies outside what was looked at."""
    gap = None if planned(resource) else world.listing(native_type, resource.scope, resource.region)
    return gap or Gap(
        Reason.NOT_OFFERED,
        "",
        SCAN_ACCOUNT if planned(resource) else "Scan the account that owns it as well.",
        f"{what} was not seen",
    )
