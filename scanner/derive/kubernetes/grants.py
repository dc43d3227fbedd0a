"""Rules of roles and who holds them: what all bindings together give to a subject, by its name and by its groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.types import CLUSTER_ROLE_BINDING, ROLE_BINDING, namespace_of, unseen
from scanner.derive.world import World
from scanner.model import Gap, Resource, frozen

Rule = Mapping[str, Any]
Key = tuple[str, ...]
"""A subject: `("account", namespace, name)`, `("group", name)` or `("user", name)`."""
CORE, RBAC = "", "rbac.authorization.k8s.io"
ANY = "*"
ACCOUNTS = "system:serviceaccounts"
"""The group of all service accounts; with `:` and a namespace, of those in it."""


# ---- rules of roles


@frozen
class Primitive:
    """A right that is as good as mastery of the cluster, or of a large part of it."""

    words: str
    groups: frozenset[str]
    resources: frozenset[str]
    verbs: frozenset[str]
    wide: bool = False
    """Only bindings of the whole cluster grant it."""
    named: frozenset[str] = frozenset()
    """A rule that names its objects counts only with one of these names; `*`: with any."""


def _primitive(words: str, group: str, resources: str, verbs: str, *, wide: bool = False, named: str = "") -> Primitive:
    split = [frozenset(text.split()) for text in (resources, verbs, named)]
    return Primitive(words, frozenset(group.split(",")), split[0], split[1], wide, split[2])


PRIMITIVES: tuple[Primitive, ...] = (
    _primitive("write roles beyond its own", RBAC, "roles clusterroles", "escalate", named=ANY),
    _primitive("bind any role", RBAC, "roles clusterroles", "bind", named="cluster-admin"),
    _primitive(
        "impersonate others",
        ",authentication.k8s.io",
        "users groups uids userextras",
        "impersonate",
        wide=True,
        named="system:masters",
    ),
    _primitive("impersonate service accounts", ",authentication.k8s.io", "serviceaccounts", "impersonate"),
    _primitive("read every Secret of the cluster", CORE, "secrets", "get list watch", wide=True),
    _primitive("run commands in every pod", CORE, "pods/exec pods/attach pods/portforward", "create get", wide=True, named=ANY),
    _primitive("add containers to every pod", CORE, "pods/ephemeralcontainers", "update patch", wide=True, named=ANY),
    _primitive("command every kubelet", CORE, "nodes/proxy", ANY, wide=True, named=ANY),
    _primitive("mint tokens of any service account", CORE, "serviceaccounts/token", "create"),
    _primitive(
        "change what admission does",
        "admissionregistration.k8s.io",
        "mutatingwebhookconfigurations validatingwebhookconfigurations validatingadmissionpolicies validatingadmissionpolicybindings"
        " mutatingadmissionpolicies mutatingadmissionpolicybindings",
        "create update patch delete deletecollection",
        wide=True,
    ),
    _primitive("relabel namespaces", CORE, "namespaces", "update patch"),
    _primitive("relabel nodes", CORE, "nodes", "update patch", wide=True),
)
"""The rights that the rules about bindings call critical or high. Two more are no single right of one resource: everything and
wildcards, and the approval of signing requests.

https://kubernetes.io/docs/concepts/security/rbac-good-practices/#privilege-escalation-risks
"""
WILD_GROUPS = frozenset({"", "apps", "batch", RBAC, ANY})


def on(rule: Rule, groups: Iterable[str], resources: Iterable[str]) -> bool:
    """Whether a rule is about one of `resources` (`pods/exec`) of one of `groups`.

    https://kubernetes.io/docs/reference/access-authn-authz/rbac/#referring-to-resources
    """
    if not set(rule["api_groups"]) & {*groups, ANY}:
        return False
    wanted = {*resources}
    wanted |= {f"*/{r.partition('/')[2]}" for r in wanted if "/" in r} | {ANY}
    return bool(set(rule["resources"]) & wanted)


def may(rule: Rule, verbs: Iterable[str]) -> bool:
    """Whether a rule grants one of `verbs`; `*` among them is any. Verbs that begin with `impersonate` are that verb, limited."""
    wanted, held = {*verbs}, {"impersonate" if v.startswith("impersonate") else v for v in rule["verbs"]}
    return bool(held & {*wanted, ANY}) or (ANY in wanted and bool(held))


def shown(rule: Rule) -> str:
    """A rule in words: `get, list on secrets (core)`."""
    groups = ", ".join(g or "core" for g in rule["api_groups"])
    names = f" named {', '.join(rule['resource_names'])}" if rule["resource_names"] else ""
    return f"{', '.join(rule['verbs'])} on {', '.join(rule['resources'])} ({groups}){names}"


def primitives(rules: Sequence[Rule], *, wide: bool) -> Iterator[tuple[str, str]]:
    """(what it allows, the rule in words) of each critical right that rules grant."""
    everything = next((r for r in rules if _everything(r)), None)
    if everything is not None:
        yield ("do everything" if wide else "do everything in a namespace"), shown(everything)
        return
    for rule in rules:
        if set(rule["api_groups"]) & WILD_GROUPS and ANY in {*rule["verbs"], *rule["resources"]}:
            yield "use wildcards", shown(rule)
            continue
        for right in PRIMITIVES:
            names = set(rule["resource_names"])
            # NOTE: to the authorizer a listing and a creation are requests for an object whose name is empty
            bounded = bool(names) and "" not in names and not (ANY in right.named or names & right.named)
            if (wide or not right.wide) and not bounded and on(rule, right.groups, right.resources) and may(rule, right.verbs):
                yield right.words, shown(rule)


def _everything(rule: Rule) -> bool:
    return all(ANY in rule[key] for key in ("verbs", "resources", "api_groups")) and not rule["resource_names"]


# ---- who holds what


@frozen
class Held:
    """What one binding gives to each of its subjects."""

    grant: str
    role: str
    """`ClusterRole edit`."""
    wide: bool
    rules: Sequence[Rule]
    gap: Gap | None
    """Why there may be more rules."""
    rights: tuple[tuple[str, str], ...]
    """Its critical rights, as `primitives` tells them."""


@frozen
class Bindings:
    """All bindings of a cluster by subject."""

    held: Mapping[Key, Sequence[Held]]
    gap: Gap | None
    """Why a binding may have subjects that are not known."""


def key_of(subject: Mapping[str, str], namespace: str) -> Key:
    """A subject of a binding in `namespace`. A user may be a service account.

    https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
    """
    kind, name = subject["kind"], subject["name"]
    if kind == "ServiceAccount":
        return "account", subject["namespace"] or namespace, name
    parts = name.split(":")
    if kind == "User" and parts[:2] == ["system", "serviceaccount"] and len(parts) == 4:  # noqa: PLR2004 - namespace and name
        return "account", parts[2], parts[3]
    return kind.lower(), name


def keys_with(key: Key) -> tuple[Key, ...]:
    """A subject, and the groups that it is surely in."""
    if key[0] == "account":
        return key, ("group", f"{ACCOUNTS}:{key[1]}"), ("group", ACCOUNTS), ("group", "system:authenticated")
    if key[0] == "group" and key[1].startswith(f"{ACCOUNTS}:"):
        return key, ("group", ACCOUNTS), ("group", "system:authenticated")
    return (key,) if key[1] in ("system:unauthenticated", "system:anonymous") else (key, ("group", "system:authenticated"))


def bindings(world: World, scope: str) -> Bindings:
    """The index of a cluster's bindings, made once."""
    return world.memo(f"kubernetes.bindings {scope}", lambda: _bindings(world, scope))


def _bindings(world: World, scope: str) -> Bindings:
    found: dict[Key, list[Held]] = {}
    gap: Gap | None = None
    for grant in world.all("grant", scope):
        if grant.native_type not in (ROLE_BINDING, CLUSTER_ROLE_BINDING):
            continue
        subjects, role = world.fact(grant, "subjects"), world.fact(grant, "role")
        if isinstance(subjects, Gap) or isinstance(role, Gap):
            gap = gap or next(f for f in (subjects, role) if isinstance(f, Gap))
            continue
        held = held_by(grant, role, world)
        for subject in subjects:
            holders = found.setdefault(key_of(subject, namespace_of(grant)), [])
            if held not in holders[-1:]:
                holders.append(held)
    return Bindings(found, gap)


def held_by(grant: Resource, role: Mapping[str, str], world: World) -> Held:
    """What a binding gives."""
    rules, settled = world.fact(grant, "rules"), world.fact(grant, "rules_settled")
    known: Sequence[Rule] = () if isinstance(rules, Gap) else rules
    wide = grant.native_type == CLUSTER_ROLE_BINDING
    gap = next((f for f in (rules, settled) if isinstance(f, Gap)), None)
    return Held(grant.id, f"{role['kind']} {role['name']}", wide, known, gap, tuple(primitives(known, wide=wide)))


def effective(key: Key, of: Bindings) -> list[Held]:
    """All that a subject holds, by its name and by its groups."""
    return [held for k in keys_with(key) for held in of.held.get(k, ())]


def unbound(resource: Resource, world: World, of: Bindings, held: Iterable[Held]) -> Gap | None:
    """Why a subject may hold more than was seen."""
    return (
        of.gap
        or next((h.gap for h in held if h.gap is not None), None)
        or unseen(world, resource, ROLE_BINDING, "another binding of it")
        or unseen(world, resource, CLUSTER_ROLE_BINDING, "another binding of it")
    )


def spelled(key: Key) -> str:
    """A subject in words: `ServiceAccount build/ci`."""
    return f"ServiceAccount {key[1]}/{key[2]}" if key[0] == "account" else f"{key[0].capitalize()} {key[1]}"
