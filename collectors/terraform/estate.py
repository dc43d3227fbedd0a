"""Resources of a plan as rows: references settled, sensitive values gone, split resources joined.

A join is the part of a resource that Terraform writes as a resource of its own (the versioning of a bucket). Which resource it
completes is found by value or by reference; where that cannot be told, the part is unknown for every resource that it might
belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collectors.table import Join
from collectors.terraform.configuration import KEPT, Plan, Planned
from collectors.terraform.identities import BALANCERS, IDENTITIES, LISTS, named
from collectors.terraform.masks import hits, scrub
from collectors.terraform.references import Resolver, references_of
from scanner.model import Gap, Reason, frozen

AFTER = "It is known after apply; scan the account then."
ALIKE: Mapping[str, tuple[str, ...]] = {"aws_lb": BALANCERS}
"""Types that are one and the same under two names."""
ABSENT = object()


@frozen
class Block:
    """An attribute that is written as blocks (`ingress { }`), or as resources of their own."""

    joins: tuple[Join, ...]
    """The resources of their own."""
    feeders: tuple[str, ...]
    """Types whose ids may stand in a block."""


def _direction(rule: Planned) -> str:
    """Which blocks a rule of its own stands for: `ingress` and `egress` may be written in different ways; empty of a route."""
    if rule.type == "aws_route":
        return ""
    if rule.type == "aws_network_acl_rule":
        return "egress" if rule.after.get("egress") else "ingress"
    told = rule.after.get("type") if rule.type == "aws_security_group_rule" else rule.type.split("_")[-2]
    return told if isinstance(told, str) else "unknown"


def _rules(on: str, *kinds: str) -> tuple[Join, ...]:
    return tuple(Join(kind, on=on, many=True) for kind in kinds)


_GROUP = Block(
    _rules(
        "security_group_id", "aws_security_group_rule", "aws_vpc_security_group_ingress_rule", "aws_vpc_security_group_egress_rule"
    ),
    ("aws_security_group", "aws_default_security_group", "aws_ec2_managed_prefix_list", "aws_prefix_list", "aws_vpc_endpoint"),
)
_ACL = Block(_rules("network_acl_id", "aws_network_acl_rule"), ())
_ROUTES = Block(
    _rules("route_table_id", "aws_route"),
    (
        "aws_internet_gateway", "aws_nat_gateway", "aws_vpc_peering_connection", "aws_vpc_peering_connection_accepter",
        "aws_ec2_transit_gateway", "aws_ec2_transit_gateway_vpc_attachment", "aws_egress_only_internet_gateway", "aws_network_interface",
        "aws_instance", "aws_vpn_gateway", "aws_vpc_endpoint", "aws_ec2_carrier_gateway", "aws_ec2_managed_prefix_list",
        "aws_networkfirewall_firewall", "aws_networkmanager_core_network",
    ),
)  # fmt: skip
BLOCKS: Mapping[tuple[str, str], Block] = {
    **{(kind, name): _GROUP for kind in ("aws_security_group", "aws_default_security_group") for name in ("ingress", "egress")},
    **{(kind, name): _ACL for kind in ("aws_network_acl", "aws_default_network_acl") for name in ("ingress", "egress")},
    **{(kind, "route"): _ROUTES for kind in ("aws_route_table", "aws_default_route_table")},
}
"""https://developer.hashicorp.com/terraform/language/attr-as-blocks"""


WORLDWIDE = ("aws_s3_bucket", "aws_iam_", "aws_cloudfront_", "aws_organizations_", "aws_vpc", "aws_default_vpc")
"""Types whose names are not repeated from region to region, or that are named across regions."""
BY_INTERFACE = ("network_interface", "network_interface_id")
"""What names an instance by one of its interfaces: the provider then fills in which instance that is."""


@dataclass(slots=True)
class Facet:
    """A resource's values with what is hidden of them."""

    value: dict[str, Any]
    unknown: dict[str, Any]
    sensitive: Mapping[str, Any]


@dataclass(slots=True)
class Joined:
    """All joined resources of one join, by the resource that they complete."""

    members: dict[str, list[Planned]] = field(default_factory=dict)
    """Address of the completed resource → the joined ones."""
    lost: list[str] = field(default_factory=list)
    """Addresses of joined resources of which it is not known what they complete."""
    removed: dict[str, list[Planned]] = field(default_factory=dict)
    """Address of the completed resource → joined ones that go or change, with their `before`."""


class Estate:
    """Rows of a plan, made on demand."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.resolver = Resolver(plan)
        self._facets: dict[Planned, Facet] = {}
        """The last ones that were asked for."""
        self._joined: dict[Join, Joined] = {}
        self._values: dict[str, dict[str, list[str]]] = {}

    def written_elsewhere(self, planned: Planned, attribute: str) -> bool:
        """An attribute written as blocks, and not set in the configuration, is certainly empty.

        A `dynamic` block leaves no trace in a plan's configuration. So it is certain only where rules are resources of their own
        (which the provider forbids beside blocks), or where nothing in the plan that is unknown could stand in such a block.
        """
        rules = BLOCKS[planned.type, attribute]
        members = (m for j in rules.joins for m in self._join(j).members.get(planned.address, ()))
        return any(_direction(m) in (attribute, "") for m in members) or self.plan.nothing_late(rules.feeders)

    # values

    def facet(self, planned: Planned) -> Facet:
        """The values of a resource after apply, with references settled."""
        facet = self._facets.get(planned)
        if facet is None:
            value, mask = self._settle(
                planned, "", scrub(dict(planned.after), planned.sensitive), dict(planned.unknown), planned.expressions
            )
            facet = Facet(value, mask, planned.sensitive)
            if len(self._facets) == KEPT:
                self._facets.clear()
            self._facets[planned] = facet
        return facet

    def _settle(
        self, planned: Planned, name: str, value: Any, mask: Any, expressions: Any, *, shared: bool = False
    ) -> tuple[Any, Any]:
        """`value` and `mask` with every attribute that names another resource replaced by that resource's id."""
        want = named(planned.type, name)
        own = want is not None and planned.type in want.to and name in IDENTITIES.get(planned.type, ())
        # NOTE: a block of such a name (`destination { bucket { bucket_arn } }`) names nothing itself
        block = isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value))
        if want is not None and not own and (mask is True or (isinstance(value, (str, list)) and not block)):
            return self._name(planned, name, value, mask, expressions, shared=shared)
        if isinstance(value, dict):
            return self._settle_object(planned, value, mask, expressions, shared=shared)
        if isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
            return self._settle_list(planned, value, mask, expressions, shared=shared)
        return value, mask

    def _settle_object(
        self, planned: Planned, value: dict[str, Any], mask: Any, expressions: Any, *, shared: bool
    ) -> tuple[Any, Any]:
        masks = mask if isinstance(mask, dict) else {}
        late = shared or not isinstance(expressions, dict) or "references" in expressions
        values, hidden = dict(value), dict(masks)
        for key in dict.fromkeys((*value, *masks)):
            if not isinstance(value.get(key), (dict, list)) and named(planned.type, key) is None:
                continue
            inner = expressions if late else expressions.get(key, ABSENT)
            kept, still = self._settle(planned, key, value.get(key), masks.get(key), inner, shared=late)
            if kept is not None:
                values[key] = kept
            if key in masks:
                hidden[key] = still
        return values, hidden

    def _settle_list(self, planned: Planned, value: list[Any], mask: Any, expressions: Any, *, shared: bool) -> tuple[Any, Any]:
        masks = mask if isinstance(mask, list) else []
        blocks = expressions if isinstance(expressions, list) else None
        parallel = blocks is not None and len(blocks) == len(value)
        values, hidden = [], []
        for i, element in enumerate(value):
            inner = blocks[i] if blocks is not None and parallel else {"references": references_of(expressions)}
            kept, still = self._settle(
                planned, "", element, masks[i] if i < len(masks) else None, inner, shared=shared or not parallel
            )
            values.append(kept)
            hidden.append(still)
        return values, (hidden if masks else mask)

    def _name(self, planned: Planned, name: str, value: Any, mask: Any, expressions: Any, *, shared: bool) -> tuple[Any, Any]:
        want = named(planned.type, name)
        assert want is not None  # noqa: S101 - the caller has looked
        if isinstance(value, str):
            return self._by_value(planned, value, want.to), mask
        if isinstance(value, list):
            return self._name_list(planned, name, value, mask, expressions, shared=shared)
        if expressions is ABSENT:
            return value, mask
        found = self.resolver.find(references_of(expressions), self.resolver.scope(planned), want, shared=shared)
        if name in LISTS:
            several = found.all
            return (value, mask) if several is None else ([f"plan/{a}" for a in several], None)
        return (value, mask) if found.only is None else (f"plan/{found.only}", None)

    def _name_list(
        self, planned: Planned, name: str, value: list[Any], mask: Any, expressions: Any, *, shared: bool
    ) -> tuple[Any, Any]:
        want = named(planned.type, name)
        assert want is not None  # noqa: S101 - the caller has looked
        masks = mask if isinstance(mask, list) else []
        late = [i for i in range(len(value)) if i < len(masks) and masks[i] is True]
        known = [self._by_value(planned, v, want.to) if isinstance(v, str) else v for v in value]
        if not late or expressions is ABSENT:
            return known, mask
        found = self.resolver.find(references_of(expressions), self.resolver.scope(planned), want, shared=shared)
        ids = [f"plan/{a}" for a in found.addresses if f"plan/{a}" not in known]
        if found.opaque or found.elsewhere or len(ids) != len(late):
            return known, mask
        for i, settled in zip(late, ids, strict=True):
            known[i] = settled
        return known, [False] * len(value)

    def _by_value(self, planned: Planned, value: str, kinds: tuple[str, ...]) -> str:
        """The id of the plan's resource that `value` identifies, else `value` as it stands."""
        found = [a for kind in kinds for a in self._by_kind(kind).get(value, ())]
        if found and not value.startswith(("arn:", "https://")) and not kinds[0].startswith(WORLDWIDE):
            # NOTE: a name is one only within its region
            here = self.plan.region(planned)
            found = [a for a in found if self.plan.region(self.plan.managed[a]) in (here, "") or not here]
        if len(found) > 1:
            same = [a for a in found if self.plan.managed[a].provider == planned.provider]
            found = same if len(same) == 1 else [a for a in same or found if self.plan.managed[a].module == planned.module]
        return f"plan/{found[0]}" if len(found) == 1 else value

    def _by_kind(self, kind: str) -> dict[str, list[str]]:
        values = self._values.get(kind)
        if values is None:
            values = {}
            for planned in self.plan.by_type.get(kind, ()):
                told = {
                    v
                    for a in IDENTITIES.get(kind, ())
                    for s in (planned.after, planned.before)
                    if isinstance(v := s.get(a), str) and v
                }
                for v in told:
                    values.setdefault(v, []).append(planned.address)
            self._values[kind] = values
        return values

    # joins

    def part(self, planned: Planned, join: Join) -> tuple[list[Planned], Gap | None]:
        """The resources that complete `planned` by `join`, and why there may be others."""
        if not join.on:
            held = self.plan.withheld.get(join.type)
            kin = [planned, *self.plan.by_type.get(join.type, ())]
            held = held or next((p.address for p in kin if len(kin) > 1 and self.plan.placeless(p)), None)
            if held:
                return [], Gap(Reason.KNOWN_AFTER_APPLY, held, "Its region is not known yet. " + AFTER)
            return self._of_region(planned, join.type), None
        if planned.parts:
            members = [p for p in planned.parts if p.type == join.type]
            away = Gap(Reason.NOT_OFFERED, planned.address, "Scan the account.", "the plan does not hold it")
            return members, None if members else away
        if "[" in join.to:
            return [], None  # NOTE: a join over another part; see `linked`
        if join.to not in IDENTITIES.get(planned.type, ("id",)):
            return self._forward(planned, join)
        joined = self._join(join)
        members = joined.members.get(planned.address, [])
        if joined.lost and (join.many or not members):
            return members, Gap(Reason.KNOWN_AFTER_APPLY, joined.lost[0], f"Which resource it belongs to is not known yet. {AFTER}")
        if not members and not join.many and joined.removed.get(planned.address):
            gone = joined.removed[planned.address][0].address
            return [], Gap(Reason.KNOWN_AFTER_APPLY, gone, f"It is taken away; what holds then is the provider's. {AFTER}")
        return members, None

    def linked(self, join: Join, ids: Sequence[Any]) -> tuple[list[Planned], Gap | None]:
        """A join over another part of the row: the resources that are, or that refer to, one of `ids`."""
        addresses = [i[5:] for i in ids if isinstance(i, str) and i.startswith("plan/")]
        if join.on == "id":
            found = [p for a in addresses if (p := self.plan.managed.get(a)) is not None and p.type == join.type]
            away = next((i for i in ids if isinstance(i, str) and not i.startswith("plan/")), None)
            gap = Gap(Reason.NOT_OFFERED, str(away), "It is not part of this plan; scan the account for it.") if away else None
            return found, gap
        joined = self._join(join)
        gap = Gap(Reason.KNOWN_AFTER_APPLY, joined.lost[0], AFTER) if joined.lost and addresses else None
        return [p for a in addresses for p in joined.members.get(a, [])], gap

    def removed(self, planned: Planned, join: Join) -> list[dict[str, Any]]:
        """What joined resources of `planned` that go or change with this plan are now."""
        gone = self._join(join).removed.get(planned.address, []) if join.on and join.many and "[" not in join.to else []
        return [self._settle(p, "", dict(p.before), {}, None)[0] for p in gone]

    def _of_region(self, planned: Planned, kind: str) -> list[Planned]:
        """Resources without an owner attribute: those of the same provider configuration and region."""

        def place(p: Planned) -> tuple[str, str]:
            return self.plan.region(p), p.provider

        return [p for p in self.plan.by_type.get(kind, ()) if place(p) == place(planned)]

    def _forward(self, planned: Planned, join: Join) -> tuple[list[Planned], Gap | None]:
        """A join the other way round: this resource names the other one."""
        facet = self.facet(planned)
        name = facet.value.get(join.to)
        if isinstance(name, str) and name.startswith("plan/"):
            other = self.plan.managed.get(name[5:])
            if other is not None and other.type in ALIKE.get(join.type, (join.type,)):
                return [other], None
        if facet.unknown.get(join.to):
            return [], Gap(Reason.KNOWN_AFTER_APPLY, f"{planned.address}.{join.to}", AFTER)
        if planned.after.get(join.to) and hits(facet.sensitive, (join.to,)):
            return [], Gap(
                Reason.SENSITIVE, f"{planned.address}.{join.to}", "Terraform marks it as sensitive; scan the account for it."
            )
        if name:
            return [], Gap(
                Reason.NOT_OFFERED, f"{planned.address}.{join.to}", "It is not part of this plan; scan the account for it."
            )
        return [], None

    def _join(self, join: Join) -> Joined:
        joined = self._joined.get(join)
        if joined is None:
            joined = Joined()
            if join.type in self.plan.withheld:
                joined.lost.append(self.plan.withheld[join.type])
            for planned in self.plan.by_type.get(join.type, ()):
                self._attribute(planned, join, joined)
            for planned in self.plan.gone:
                if planned.type == join.type:
                    for owner in self.owners(planned, planned.before.get(join.on), join.on):
                        joined.removed.setdefault(owner, []).append(planned)
            self._joined[join] = joined
        return joined

    def owners(self, planned: Planned, value: Any, name: str) -> Iterator[str]:
        """Addresses of the plan's resources that `value` of an attribute names."""
        want = named(planned.type, name)
        for v in value if isinstance(value, list) else [value]:
            if isinstance(v, str) and want is not None:
                settled = self._by_value(planned, v, want.to)
                if settled.startswith("plan/"):
                    yield settled[5:]

    def _attribute(self, planned: Planned, join: Join, joined: Joined) -> None:
        facet = self.facet(planned)
        value, mask = facet.value.get(join.on), facet.unknown.get(join.on)
        if mask is not True and hits(facet.sensitive, (join.on,)):
            # NOTE: which resource a secret name names is no secret: only its address is kept
            for owner in self.owners(planned, planned.after.get(join.on), join.on):
                joined.members.setdefault(owner, []).append(planned)
            return
        for v in value if isinstance(value, list) else [value]:
            if isinstance(v, str) and v.startswith("plan/"):
                joined.members.setdefault(v[5:], []).append(planned)
        if (mask is True or (isinstance(mask, list) and any(mask))) and planned.sets(join.on, *BY_INTERFACE):
            want = named(planned.type, join.on)
            names = references_of(planned.expressions.get(join.on)) if isinstance(planned.expressions, dict) else []
            found = self.resolver.find(names, self.resolver.scope(planned), want) if want is not None and names else None
            if found is None or found.opaque or found.addresses:
                joined.lost.append(planned.address)
