"""Which ways to more permissions an identity has open (`escalations.py`), and whether it makes roles that nothing bounds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from scanner.derive.circumstances import can, grants, regions
from scanner.derive.effective import Found, Policy, Subject, Unseen, boundless, callers, names, unlimited
from scanner.derive.escalations import ADMINISTRATOR, ASSUME, EVERY, ITSELF, PATHS, Need, Path
from scanner.derive.globs import any_covers
from scanner.derive.identities import OF_AWS, POLICY, ROLE, USER
from scanner.derive.names import SCAN_ACCOUNT, planned
from scanner.derive.operators import Context
from scanner.derive.organisation import READS, levels
from scanner.derive.policy import Statement
from scanner.derive.principals import NEEDS, arn_of, context_of, partition_of, subject_of
from scanner.derive.three import Truth, all_of, any_of
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource, frozen

MAKING = ("iam:CreateRole", "iam:PutRolePolicy", "iam:AttachRolePolicy")
"""Actions of who makes roles for others: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate"""
ALL_SUFFIXES = (".amazonaws.com", ".amazonaws.com.cn")
SUFFIXES = {"aws-cn": ALL_SUFFIXES}
"""Of service principals in a partition; elsewhere the first."""
SOME = "arn:{partition}:iam::{account}:role/?*"


@dataclass(slots=True)
class Rich:
    """Identities of an account that have more than others: administrators, and who can make himself one."""

    roles: list[tuple[Resource, Truth]] = field(default_factory=list)
    """True where it is certain; else the gap."""
    users: list[tuple[Resource, Truth]] = field(default_factory=list)
    missed: Gap | None = None
    """Why there may be more."""
    serving: dict[str, list[tuple[Resource, Truth]]] = field(default_factory=dict)
    """Service → those of the roles that it may take, made once."""
    doors: Doors | None = None
    """Whom the roles let in, made once."""


@dataclass(slots=True)
class Doors:
    """Trust policies, by whom they name: so that nobody has to knock at every role."""

    named: dict[str, list[Door]] = field(default_factory=dict)
    """Principal → roles that name it."""
    wide: list[Door] = field(default_factory=list)
    """Roles that leave it to the policies of the account, or to everyone."""
    unseen: list[Door] = field(default_factory=list)


@frozen
class Door:
    """A role that has more, and its trust policy, made ready."""

    role: Resource
    truth: Truth
    trust: Found


class Look:
    """One identity, and what was found of it already."""

    def __init__(self, identity: Resource, world: World) -> None:
        self.identity = identity
        self.world = world
        self.subject: Subject = subject_of(identity, world)
        self.context: Context = context_of(identity, self.subject, world)
        self.partition = partition_of(identity)
        self.boundless = boundless(self.subject)
        self.seen = tuple(p for p in self.subject.policies if isinstance(p, Policy))
        self.services = _services(self.seen)
        unseen = [p for p in self.subject.policies if isinstance(p, Unseen)] if unlimited(self.subject) else []
        denying = next((p.gap for p in unseen if p.may_deny), None)
        self.dark = denying is not None
        """Nothing that was seen limits it, and what was not seen may deny anything: then that is the answer to everything."""
        self.blind: Gap | None = denying or next((p.gap for p in unseen), None)
        """Else it is the answer to all that is not granted by what was seen."""
        self._needs: dict[tuple[str, str], Truth] = {}
        self.passing: dict[str, Truth] = {}
        """Service → whether the identity passes a role to it that is worth it."""

    def fill(self, text: str) -> str:
        """A pattern of the table, for this identity."""
        return text.replace("{partition}", self.partition).replace("{account}", self.subject.account)

    def meets(self, need: Need, rich: Rich | None) -> Truth:
        """The identity may do what is needed."""
        quick = self.quick(need.action)
        if quick is not None:
            return quick
        key = (need.action, need.target)
        if key not in self._needs:
            places = regions(self.subject, need.action.lower()) if "{region}" in need.target else [""]
            targets = [
                *(self.fill(need.target.replace("{region}", place)) for place in places),
                *(t for name in need.others for t in self._others(name, rich)),
            ]
            says = {k: () if v is None else (self.fill(v),) for k, v in need.says.items()}
            self._needs[key] = can(self.subject, need.action.lower(), targets, self.context.plus(says))
        return self._needs[key]

    def quick(self, action: str) -> Truth | None:
        """Whether the identity may do an action, where that takes no search through resources and circumstances: nearly always."""
        if self.boundless:
            return True
        if self.dark:
            return self.blind
        speaks = self.services is None or action.partition(":")[0] in self.services
        if speaks and grants(self.seen, action.lower()):
            return None
        whole = len(self.seen) == len(self.subject.policies)
        return self.blind or (False if whole else None)

    def _others(self, name: str, rich: Rich | None) -> Iterator[str]:
        facts = self.identity.facts
        if name == f"self_{self.identity.facts.get('identity_type')}":
            yield self.subject.arn
        elif name == "own_policies":
            yield from (str(p) for p in facts.get("attached_policies") or [] if OF_AWS not in str(p))
        elif name == "own_groups":
            yield from map(str, facts.get("group_ids") or [])
        elif rich is not None and name.startswith("privileged_"):
            found = rich.roles if name == "privileged_roles" else rich.users
            yield from (arn_of(r, self.subject.account) for r, truth in found if truth is True and r.id != self.identity.id)


def _services(policies: Iterable[Policy]) -> frozenset[str] | None:
    """Services that the policies speak of; None where some may speak of any."""
    found: frozenset[str] = frozenset()
    for policy in policies:
        if policy.services is None:
            return None
        found |= policy.services
    return found


def rich(scope: str, world: World) -> Rich:
    """The privileged identities of an account or plan."""
    return world.memo(f"privileges.rich {scope}", lambda: _rich(scope, world))


def _rich(scope: str, world: World) -> Rich:
    found = Rich()
    whole = True
    for identity in world.all("identity", scope):
        if identity.native_type not in (ROLE, USER) or identity.facts.get("service_linked") is True:
            continue
        whole = whole and not planned(identity)
        truth = any_of(_privileged(identity, world))
        if truth is not False:
            (found.roles if identity.native_type == ROLE else found.users).append((identity, truth))
    found.missed = (
        world.listing(ROLE, scope)
        if whole
        else Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "a plan does not say which roles the account has")
    )
    return found


def _privileged(identity: Resource, world: World) -> Iterator[Truth]:
    admin = world.fact(identity, "grants_admin")
    yield admin if isinstance(admin, Gap) else admin is True
    look = Look(identity, world)
    for path in ITSELF:
        yield all_of(look.meets(need, None) for need in path.needs)


def escalations(identity: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The ways that an identity has open, each with its actions and where it is described."""
    look = Look(identity, world)
    others = rich(identity.scope, world)
    known: list[dict[str, JSON]] = []
    gap: Gap | None = None
    for path in PATHS:
        truth = _open(path, look, others)
        if truth is True:
            known.append({"path": path.id, "actions": path.title, "source": path.source})
        elif isinstance(truth, Gap):
            gap = gap or truth
    seen = levels(look.subject.account, "service_control", world).seen
    return {
        "escalations": known if known or gap is None else gap,
        "organisation_policies": "seen" if seen else "unseen",
    }


def _open(path: Path, look: Look, others: Rich) -> Truth:
    if path is ASSUME:
        return _assumes(look, others)
    needs = all_of(look.meets(need, others) for need in path.needs)
    if needs is False or path.gains == "itself":
        return needs
    if path.gains == "running":
        return all_of((needs, _runs(path.service, others, look.world)))
    if path.service not in look.passing:
        look.passing[path.service] = _passes(path.service, look, others)
    return all_of((needs, look.passing[path.service]))


def _passes(to: str, look: Look, others: Rich) -> Truth:
    """The identity may pass any role to a service, or one that has more and trusts it."""
    quick = look.quick("iam:PassRole")
    if quick is not None:
        return quick
    services = tuple(to + s for s in SUFFIXES.get(look.partition, ALL_SUFFIXES[:1]))
    contexts = [look.context.plus({"iam:passedtoservice": (service,)}) for service in services]

    def passes(role: str) -> Truth:
        return any_of(can(look.subject, "iam:passrole", [role], context) for context in contexts)

    some = passes(look.fill(SOME))
    if some is False:
        return False
    any_role = passes(look.fill(f"arn:{{partition}}:iam::{{account}}:role/{EVERY}"))
    if any_role is True:
        return True
    account = look.subject.account
    named = (all_of((truth, passes(arn_of(role, account)))) for role, truth in _serving(to, others, look.world))
    return any_of(itertools.chain((any_role,), named, (others.missed or False,)))


def _runs(service: str, others: Rich, world: World) -> Truth:
    """Some role that has more trusts the service."""
    return any_of(itertools.chain((truth for _, truth in _serving(service, others, world)), (others.missed or False,)))


def _serving(service: str, others: Rich, world: World) -> list[tuple[Resource, Truth]]:
    """Roles that have more and that a service may take; the certain ones first."""
    if service not in others.serving:
        names = tuple(service + suffix for suffix in ALL_SUFFIXES)
        each = ((role, all_of((truth, trusts(role, names, world)))) for role, truth in others.roles)
        others.serving[service] = sorted(((r, t) for r, t in each if t is not False), key=lambda pair: pair[1] is not True)
    return others.serving[service]


def trusts(role: Resource, services: Iterable[str], world: World) -> Truth:
    """A role may be taken by one of some services."""
    statements = world.fact(role, "trust_statements")
    return statements if isinstance(statements, Gap) else _serves(statements, {f"Service:{s}" for s in services})


def _serves(statements: Iterable[Statement], names: set[str]) -> bool:
    return any(
        s["effect"] == "Allow" and names & set(s["principals"]) and any_covers([a.lower() for a in s["actions"]], "sts:assumerole")
        for s in statements
    )


def _closer(statement: Statement) -> Statement:
    """A trust statement for everyone, as one for the account: that everyone may take the role is the role's fault, not each caller's."""
    if statement["effect"] == "Deny" or "*" not in statement["principals"]:
        return statement
    return {**statement, "principals": ["AWS:*"]}


def _assumes(look: Look, others: Rich) -> Truth:
    """The identity may become a role that has more."""
    account = look.subject.account

    def found() -> Iterator[Truth]:
        for door in _knocked(look, others):
            if door.role.id != look.identity.id:
                name = arn_of(door.role, account)
                yield all_of((can(look.subject, "sts:assumerole", [name], look.context, door.trust, "theirs"), door.truth))
        yield can(look.subject, "sts:assumerole", [look.fill(SOME)], look.context) and (others.missed or False)

    return any_of(found())


def _knocked(look: Look, others: Rich) -> Iterable[Door]:
    """Roles that may let the identity in: by its name, or because its own policies say something of taking roles."""
    if others.doors is None:
        others.doors = _doors(others, look.world)
    doors = others.doors
    by_name = (doors.named.get(name, ()) for name in callers(look.subject))
    says = any(isinstance(p, Unseen) or p.about("sts:assumerole") for p in look.subject.policies)
    return itertools.chain(doors.unseen, *by_name, doors.wide if says else ())


def _doors(others: Rich, world: World) -> Doors:
    found = Doors()
    for role, truth in others.roles:
        statements = world.fact(role, "trust_statements")
        if isinstance(statements, Gap):
            found.unseen.append(Door(role, truth, Unseen(statements)))
            continue
        trust = Policy(map(_closer, statements))
        door = Door(role, truth, trust)
        named, wide = names(trust.statements)
        if wide:
            found.wide.append(door)
        for name in named:
            found.named.setdefault(name, []).append(door)
    return found


def unbounded(identity: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Actions with which an identity makes roles that no boundary holds, though it has none itself."""
    boundary = world.fact(identity, "boundary")
    if boundary and not isinstance(boundary, Gap):
        return {"makes_unbounded_roles": []}
    look = Look(identity, world)
    context = look.context.plus({"iam:permissionsboundary": (), "iam:policyarn": (look.fill(ADMINISTRATOR),)})
    target = look.fill(SOME)
    known: list[str] = []
    gap = boundary if isinstance(boundary, Gap) else None
    for action in MAKING:
        truth = can(look.subject, action.lower(), [target], context)
        if truth is True:
            known.append(action)
        elif isinstance(truth, Gap):
            gap = gap or truth
    return {"makes_unbounded_roles": known if not isinstance(boundary, Gap) and (known or gap is None) else gap or []}


OF_IDENTITIES: Mapping[str, tuple[str, ...]] = {
    POLICY: ("statements",),
    ROLE: (*NEEDS, "service_linked", "trust_statements", "grants_admin"),
    USER: (*NEEDS, "service_linked", "grants_admin"),
    **READS,
}
FACTS = ("escalations", "organisation_policies")
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "identity",
        FACTS,
        escalations,
        needs=(*NEEDS, "group_ids", "identity_type", "service_linked"),
        reads=OF_IDENTITIES,
        native_types=(ROLE, USER),
    ),
    Derivation(
        "identity",
        ("makes_unbounded_roles",),
        unbounded,
        needs=NEEDS,
        reads={POLICY: ("statements",), **READS},
        native_types=(ROLE, USER),
    ),
)
