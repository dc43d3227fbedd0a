"""From planned resources to projected ones: each is a row of parts, with masks of what is hidden of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from collectors.project import UNREADABLE, Parts, converted, look, paths, project, read, tag_list
from collectors.table import MISSING, Fact, Field, Join, PlanTable
from collectors.terraform.configuration import Plan, Planned
from collectors.terraform.estate import AFTER, BLOCKS, Estate
from collectors.terraform.masks import Step, hits, split, unset
from collectors.terraform.places import places
from collectors.terraform.sources import Anchor, Sources
from collectors.terraform.tables import GLOBAL
from collectors.terraform.tables.shared import PlanField
from scanner.model import Gap, Reason, Resource, Source, Where

ELSEWHERE = frozenset(
    (
        "access_key",
        "assume_role",
        "assume_role_with_web_identity",
        "profile",
        "shared_config_files",
        "shared_credentials_files",
    )
)
"""Arguments of a provider that may lead into another account."""
MAYBE = "maybe_"
"""Start of the names of parts that facts can do without: where such a part is not seen, it says just that (`unseen`)."""


class Reader:
    """Turns planned resources into rows and projects them."""

    def __init__(self, plan: Plan, source: Source, file: str, sources: Sources | None = None, note: str = "") -> None:
        self.sources = sources
        self.note = note
        self.plan = plan
        self.estate = Estate(plan)
        self.source = source
        self.file = file
        self.account = _account(plan)

    def table(self, table: PlanTable, facts: frozenset[str] | None, late: dict[tuple[str, str], Gap]) -> Iterator[Resource]:
        """All resources of a table, with the wanted facts."""
        wanted = _wanted(table, facts)
        joins, sure = _joins_for(table, wanted), defaulted(table)
        for planned in self.plan.by_type.get(table.type, ()):
            row = _Row(self, table, planned, joins, sure)
            if not table.each:
                if table.keep is None or table.keep(row.value["item"]):
                    yield row.resource(planned.id, wanted)
                continue
            gap = row.gap(table.each)
            if gap is not None:
                late.setdefault((table.native_type, table.kind), gap)
            for suffix, element in row.elements(table.each):
                if table.keep is None or table.keep(element.value["item"]):
                    yield element.resource(planned.id + suffix, wanted)

    def outside(self, table: PlanTable, planned: Planned, facts: frozenset[str] | None) -> Resource:
        """A resource that the plan does not hold, as far as the parts of it tell."""
        wanted = _wanted(table, facts)
        row = _Row(self, table, planned, _joins_for(table, wanted), defaulted(table))
        found = row.resource(planned.id, wanted)
        told = {n: v for n in wanted if (v := table.elsewhere.get(n, row.told(table.facts[n]))) is not MISSING}
        away = row.gap("item")
        silent = {n: away for n in wanted if away and table.elsewhere.get(n) is MISSING}
        seen = {n: v for n, v in {**found.facts, **told}.items() if n not in silent}
        gaps = {n: gap for n, gap in {**found.gaps, **silent}.items() if n not in told}
        return found.replace(partial=True, facts=seen, gaps=gaps)

    def context(self, table: PlanTable, planned: Planned) -> dict[str, Any]:
        """The row's `context` part."""
        region = "global" if table.native_type in GLOBAL else self.plan.region(planned.shown)
        partition = "aws-cn" if region.startswith("cn-") else "aws-us-gov" if region.startswith("us-gov-") else "aws"
        return {
            "account": self.account, "region": region or None, "partition": partition, "scope": self.source.scope,
            "id": planned.id, "created": planned.created,
        }  # fmt: skip


def _account(plan: Plan) -> str | None:
    """The account, where the plan says it and only one can be meant."""
    mixed = [
        p for p in plan.providers.values()
        if isinstance(p, dict) and isinstance(e := p.get("expressions"), dict) and e.keys() & ELSEWHERE
    ]  # fmt: skip
    if mixed and len(plan.providers) > 1:
        return None
    found = {v for values in plan.data_values("aws_caller_identity") if isinstance(v := values.get("account_id"), str)}
    return next(iter(found)) if len(found) == 1 else None


def _wanted(table: PlanTable, facts: frozenset[str] | None) -> frozenset[str]:
    """Those of the facts that the table has; all of its own where none are named."""
    return frozenset(table.facts) if facts is None else facts & table.facts.keys()


def _joins_for(table: PlanTable, wanted: frozenset[str]) -> dict[str, Join]:
    """The joins that the wanted facts read."""
    needed = {split(p)[0] for name in wanted for p in paths(table.facts[name])}
    for own in (table.name, table.tags):
        needed |= {split(p)[0] for p in paths(own)} if own is not None else set()
    needed |= {n.removesuffix("_was") for n in needed}
    for part in reversed(list(table.joins)):
        if part in needed and "[" in table.joins[part].to:
            needed |= {split(p)[0] for p in table.joins[part].to.split("|")}
    return {part: join for part, join in table.joins.items() if part in needed}


def defaulted(table: PlanTable) -> frozenset[str]:
    """Paths of a table whose value, where nobody sets it, is a documented default."""
    fields = [f for f in (*table.facts.values(), table.name, table.tags) if isinstance(f, Field) and f.absent is not MISSING]
    return frozenset(p for f in fields for p in paths(f) if not isinstance(f, PlanField) or p not in f.strict)


class _Row:
    """One resource on its way: its values, and masks of what is hidden of them, part by part."""

    def __init__(self, reader: Reader, table: PlanTable, planned: Planned, joins: Mapping[str, Join], sure: frozenset[str]) -> None:
        self.reader = reader
        self.table = table
        self.planned = planned
        self.defaulted = sure
        facet = reader.estate.facet(planned)
        self.value: dict[str, Any] = {"item": facet.value, "context": reader.context(table, planned)}
        self.unknown: dict[str, Any] = {"item": facet.unknown}
        self.sensitive: dict[str, Any] = {"item": facet.sensitive}
        self.expressions: dict[str, Any] = {"item": planned.expressions}
        self.created: dict[str, bool] = {"item": planned.created}
        self.gaps: dict[str, Gap] = {}
        self.places: dict[str, str] = {"item": planned.address}
        self.anchors: dict[str, list[Anchor]] = {"item": [Anchor(planned.shown, facet.value)]}
        for part, join in joins.items():
            self._join(part, join)

    def _join(self, part: str, join: Join) -> None:
        estate = self.reader.estate
        members, gap = estate.part(self.planned, join)
        if "[" in join.to:
            members, gap = self._linked(join)
        if gap is not None and part.startswith(MAYBE):
            self.value[part] = {"unseen": True}
            return
        if gap is not None:
            self.gaps[part] = gap
        facets = [estate.facet(m) for m in members]
        self.anchors[part] = [Anchor(m, f.value) for f, m in zip(facets, members, strict=True)]
        if len(members) == 1:
            self.places[part] = members[0].address
        if join.many:
            self.value[part] = [{**f.value, "address": m.address} for f, m in zip(facets, members, strict=True)] or None
            self.unknown[part] = [f.unknown for f in facets]
            self.sensitive[part] = [f.sensitive for f in facets]
            self.expressions[part] = [m.expressions for m in members]
            self.created[part] = all(m.created for m in members)
            self.value[f"{part}_was"] = estate.removed(self.planned, join) or None
        elif len(facets) > 1:
            addresses = ", ".join(m.address for m in members)
            self.gaps.setdefault(part, Gap(Reason.UNPARSABLE, part, "Keep one of them.", f"several say it: {addresses}"[:300]))
        elif facets:
            self.value[part] = facets[0].value
            self.unknown[part] = facets[0].unknown
            self.sensitive[part] = facets[0].sensitive
            self.expressions[part] = members[0].expressions
            self.created[part] = members[0].created

    def _linked(self, join: Join) -> tuple[list[Planned], Gap | None]:
        """A join over other parts, whose paths `to` has, one or several with `|` between; they stand before it in the table."""
        ids: list[Any] = []
        for path in join.to.split("|"):
            part, rest = split(path)
            gap = self.gaps.get(part) or self.gap(path)
            if gap is not None:
                if gap.reason is Reason.KNOWN_AFTER_APPLY and self.created.get(part) and self._unset(part, rest):
                    continue  # NOTE: nobody sets it, so what the provider makes of it is nothing of this plan
                return [], gap
            found = look(path, self.value)
            ids += found if isinstance(found, list) else []
        return self.reader.estate.linked(join, ids)

    def gap(self, path: str) -> Gap | None:
        """Why the value at a path is not known, or may not be kept."""
        part, rest = split(path)
        if part == "item" and self.planned.parts:
            return Gap(Reason.NOT_OFFERED, self.planned.address, "Scan the account.", "the plan holds only parts of it")
        late, kept = self.unknown.get(part), self.sensitive.get(part)
        if late and hits(late, rest):
            nobody = path in self.defaulted and self.created.get(part) and self._unset(part, rest) and self._certain(part, rest)
            if not nobody:
                return self._late(path)
        if kept and hits(kept, rest):
            return Gap(Reason.SENSITIVE, self.place(path), "Terraform marks it as sensitive; scan the account for it.")
        return None

    def _late(self, path: str) -> Gap:
        return Gap(Reason.KNOWN_AFTER_APPLY, self.place(path), AFTER)

    def place(self, path: str) -> str:
        """A path of the row as a person knows it: the address of the resource that has the attribute, and the attribute."""
        part, _, rest = path.partition(".{")[0].removesuffix("[]").partition(".")
        bare = part.removesuffix("[]")
        where = self.places.get(bare, f"{self.planned.address} ({bare.removeprefix(MAYBE)})")
        return f"{where}.{rest}" if rest else where

    def _certain(self, part: str, rest: Sequence[Step]) -> bool:
        if part != "item" or not rest or (self.planned.type, str(rest[0])) not in BLOCKS:
            return True
        return self.reader.estate.written_elsewhere(self.planned, str(rest[0]))

    def _unset(self, part: str, rest: Sequence[Step]) -> bool:
        mask, expressions = self.unknown.get(part), self.expressions.get(part)
        kind = self.table.joins[part].type if part in self.table.joins else self.planned.type
        if isinstance(mask, list) and isinstance(expressions, list) and rest and rest[0] is None:
            return all(not hits(m, rest[1:]) or unset(m, e, rest[1:], kind) for m, e in zip(mask, expressions, strict=True))
        return unset(mask, expressions, rest, kind)

    def told(self, fact: Fact) -> Any:
        """What parts tell of a fact without the resource that they belong to; MISSING where they tell nothing."""
        if not isinstance(fact, Field):
            return MISSING
        row = {**self.value, "context": {**self.value["context"], "created": True}}  # NOTE: the parts are all that is told of it
        hidden = False
        for part in {split(p)[0] for p in paths(fact)} & self.unknown.keys():
            if isinstance(self.unknown[part], list):
                row[part] = self._plain(part, [split(p)[1] for p in paths(fact) if split(p)[0] == part]) or None
                hidden = hidden or len(row[part] or ()) < len(self.unknown[part])
        values = {path: look(path, row) for path in paths(fact)}
        given = [
            p for p, v in values.items()
            if v is not None and (part := split(p)[0]) not in ("item", "context") and (isinstance(row[part], list) or self.gap(p) is None)
        ]  # fmt: skip
        if not given or (hidden and fact.partial):
            return MISSING  # NOTE: a partial fact has what is seen of each of them
        try:
            found = converted(fact, list(values.values()))
        except UNREADABLE:
            return MISSING
        return MISSING if found == [] else found  # NOTE: that they tell of none does not say that there is none

    def _plain(self, part: str, wanted: Sequence[Sequence[Step]]) -> list[Any]:
        """Those of several members of which all that is wanted is known, or nobody sets it."""
        masks, kept, said, kind = self.unknown[part], self.sensitive[part], self.expressions[part], self.table.joins[part].type

        def plain(i: int, rest: Sequence[Step]) -> bool:
            late = hits(masks[i], rest[1:]) and not (self.created[part] and unset(masks[i], said[i], rest[1:], kind))
            return not late and not hits(kept[i], rest[1:])

        return [v for i, v in enumerate(self.value[part] or ()) if all(plain(i, rest) for rest in wanted)]

    def elements(self, path: str) -> Iterator[tuple[str, _Row]]:
        """Rows for the elements of an inline list: (suffix of the id, row)."""
        part, rest = split(path)
        found = look(path, self.value)
        name = str(rest[-1])
        for i, element in enumerate(found if isinstance(found, list) else ()):
            if not isinstance(element, dict):
                continue
            inner = object.__new__(_Row)
            inner.reader, inner.table, inner.planned, inner.defaulted = self.reader, self.table, self.planned, self.defaulted
            inner.gaps, inner.places = self.gaps, self.places
            for masks in ("value", "unknown", "sensitive", "expressions"):
                own = getattr(self, masks)
                setattr(inner, masks, {**own, "parent": own.get(part), "item": _element(own.get(part), rest, i)})
            inner.created = {**self.created, "parent": self.created["item"]}
            own = Anchor(self.planned, self.anchors["item"][0].value, tuple(rest), element)
            inner.anchors = {**self.anchors, "parent": self.anchors["item"], "item": [own]}
            yield inline_suffix(name, i, element), inner

    def resource(self, identity: str, wanted: frozenset[str]) -> Resource:
        """The row, projected."""
        parts = Parts(self.value, self.gaps, {}, self.gap)
        planned, table, source = self.planned, self.table, self.reader.source
        name, _ = read(table.name, parts)
        tags, untagged = read(table.tags, parts) if table.tags is not None else ({}, None)
        region = self.value["context"]["region"]
        bare = Resource(
            id=identity, kind=table.kind, native_type=table.native_type, provider=table.provider, scope=source.scope,
            region=region or "", name=name if isinstance(name, str) and name else planned.name if planned.parts else planned.address, source=source.id,
            tags=_tags(tags), where=self._where(),
        )  # fmt: skip
        made = project(parts, table.facts, wanted=wanted, resource=bare)
        if self.reader.sources is not None:
            made = made.replace(places=places(self.reader.sources, table, wanted, self.value, made.facts, self.anchors))
        silent = {
            n: self._silent(table.facts[n])
            for n, gap in made.gaps.items()
            if gap.reason is Reason.NOT_OFFERED and n not in made.facts
        }
        if untagged is not None and untagged.reason is not Reason.NOT_OFFERED:
            silent["tags"] = untagged  # tags not known yet must not read as none
        return made.replace(gaps={**made.gaps, **silent}) if silent else made

    def _where(self) -> Where:
        """The block of the resource, or the plan and why its block is not known."""
        sources, note = self.reader.sources, self.reader.note
        if sources is not None:
            found = sources.where(self.planned.shown)
            if isinstance(found, Where):
                inner = sources.reach(self.anchors["item"][0], ()) if "parent" in self.anchors else None
                return sources.place(self.planned.shown, inner) if inner is not None and inner.depth else found
            note = found
        return Where(file=self.reader.file, locator=self.planned.address, note=note)

    def _silent(self, fact: Fact) -> Gap:
        """Why there is no value where nothing is hidden: nobody sets it and its default is not certain, or a plan cannot tell it."""
        for path in paths(fact):
            part, rest = split(path)
            if part in self.gaps:
                return self.gaps[part]
            if hits(self.unknown.get(part), rest):
                return self._late(path)
        return Gap(Reason.NOT_OFFERED, self.planned.address, "Scan the account for it.", "a plan does not tell it")


def _tags(value: Any) -> dict[str, str]:
    return {k: v for k, v in tag_list(value).items() if v != "None"} if isinstance(value, Mapping) else {}


def _element(value: Any, rest: Sequence[Step], index: int) -> Any:
    """The element of a list in one of the row's layers; nothing where the layer has no such list."""
    for step in rest:
        if not isinstance(value, dict):
            return value if value is True else None
        value = value.get(step)
    if isinstance(value, list):
        return value[index] if index < len(value) else None
    return value if value is True else None


def inline_suffix(name: str, index: int, element: Mapping[str, Any]) -> str:
    """What an inline block adds to its resource's id: never its place in the list where it has a name of its own."""
    if name == "root_block_device":
        return f"/{name}"
    device = element.get("device_name")
    return f'/{name}["{device}"]' if isinstance(device, str) else f"/{name}[{index}]"
