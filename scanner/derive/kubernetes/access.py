"""Service accounts and their tokens, bindings and what they grant."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scanner.derive.kubernetes.policies.labels import Labels, selects
from scanner.derive.kubernetes.types import (
    ACCOUNT,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    NOT_HERE,
    ROLE,
    ROLE_BINDING,
    from_manifests,
    namespace_of,
    object_id,
    unseen,
)
from scanner.derive.three import Truth
from scanner.derive.world import World
from scanner.model import JSON, Gap, Reason, Resource

RBAC = "rbac.authorization.k8s.io"
CLUSTER_ADMIN = (
    {"verbs": ["*"], "api_groups": ["*"], "resources": ["*"], "resource_names": [], "non_resource_urls": []},
    {"verbs": ["*"], "api_groups": [], "resources": [], "resource_names": [], "non_resource_urls": ["*"]},
)
"""What the API server makes `cluster-admin` hold: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles"""


# ---- service accounts


def account(pod: Resource, world: World) -> Resource | Gap:
    """The service account of a pod."""
    name = world.fact(pod, "service_account")
    if isinstance(name, Gap):
        return name
    found = world.get("identity", object_id(pod.scope, "ServiceAccount", namespace_of(pod), str(name)))
    missing = Gap(
        Reason.NOT_OFFERED,
        "",
        "Create it: pods of the workload cannot start without.",
        f"the service account {name} does not exist",
    )
    return found or unseen(world, pod, ACCOUNT, f"the service account {name}", namespace_of(pod)) or missing


def token_mounted(pod: Resource, world: World) -> Truth:
    """Whether pods get a token: what a volume projects, then the pod's word, then the account's, then yes.

    https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting
    """
    projected = world.fact(pod, "projects_token")
    if projected is True:
        return True
    own = world.fact(pod, "automount_token")
    if own is None and projected is False and pod.native_type == "v1/Pod" and not from_manifests(pod):
        return False  # admission has put the volume into a pod that is there, or it has none
    if own is True:
        return True
    if isinstance(own, Gap):
        return own
    if own is None:
        of_account = account(pod, world)
        found = of_account if isinstance(of_account, Gap) else world.fact(of_account, "automount_token")
        if found is not False:
            return found if isinstance(found, Gap) else True
    return projected if isinstance(projected, Gap) else False


DEFAULT_ROLES = frozenset(
    f"system:{name}"
    for name in (
        "basic-user",
        "discovery",
        "public-info-viewer",
        "service-account-issuer-discovery",
        "cluster-trust-bundle-discovery",
    )
)
"""What the platform grants every account: https://kubernetes.io/docs/reference/access-authn-authz/rbac/#discovery-roles"""
ANYONE = "*"


def account_bound(pod: Resource, world: World) -> Truth:
    """Whether some binding grants a pod's service account something: by its name, or by a group of accounts that it is in."""
    name = world.fact(pod, "service_account")
    if isinstance(name, Gap):
        return name
    bound, gap = world.memo(f"kubernetes.bound {pod.scope}", lambda: _bound(pod.scope, world))
    if {(namespace_of(pod), str(name)), (namespace_of(pod), ANYONE), (ANYONE, ANYONE)} & bound:
        return True
    return (
        gap
        or unseen(world, pod, ROLE_BINDING, f"a binding of {name}")
        or unseen(world, pod, CLUSTER_ROLE_BINDING, f"a binding of {name}")
        or False
    )


def _bound(scope: str, world: World) -> tuple[set[tuple[str, str]], Gap | None]:
    """(namespace, name) of every service account that a binding names, and why there may be more."""
    found: set[tuple[str, str]] = set()
    gap: Gap | None = None
    for grant in world.all("grant", scope):
        subjects = world.fact(grant, "subjects")
        if isinstance(subjects, Gap):
            gap = gap or subjects
            continue
        role = world.fact(grant, "role")
        usual = not isinstance(role, Gap) and role["kind"] == "ClusterRole" and role["name"] in DEFAULT_ROLES
        accounts = (_accounts(s, namespace_of(grant), usual=usual) for s in subjects)
        found |= {a for a in accounts if a is not None}
    return found, gap


def _accounts(subject: Mapping[str, str], namespace: str, *, usual: bool) -> tuple[str, str] | None:
    """(namespace, name) of the service accounts that a subject of a binding is; None where it is none.

    A user and groups stand for accounts as well: https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/
    """
    kind, name = subject["kind"], subject["name"]
    if kind == "ServiceAccount":
        return subject["namespace"] or namespace, name
    first, *rest = name.removeprefix("system:").split(":") if name.startswith("system:") else [""]
    if kind == "User" and first == "serviceaccount" and len(rest) == 2:  # noqa: PLR2004 - namespace and name
        return rest[0], rest[1]
    if kind != "Group" or usual or first not in ("serviceaccounts", "authenticated"):
        return None
    return (rest[0], ANYONE) if rest else (ANYONE, ANYONE)


def of_workload(pod: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The access facts of a workload."""
    found = account(pod, world)
    return {
        "token_mounted": token_mounted(pod, world),
        "account_bound": account_bound(pod, world),
        "cloud_identity": found if isinstance(found, Gap) else world.fact(found, "cloud_identity"),
    }


# ---- grants


def of_grant(grant: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """The rules of the role that a binding binds."""
    role = world.fact(grant, "role")
    if isinstance(role, Gap):
        return dict.fromkeys(("rules", "role_exists", "rules_settled"), role)
    kind, name = role["kind"], role["name"]
    clusterwide = kind == "ClusterRole"
    namespace = "" if clusterwide else namespace_of(grant)
    found = world.get("permission_set", object_id(grant.scope, f"{kind}.{RBAC}", namespace, name))
    if found is not None:
        rules, settled = _rules(found, world)
        return {"rules": rules, "role_exists": True, "rules_settled": settled}
    if clusterwide and name == "cluster-admin":
        return {"rules": list(CLUSTER_ADMIN), "role_exists": True, "rules_settled": True}
    gap = unseen(world, grant, CLUSTER_ROLE if clusterwide else ROLE, f"{kind} {name}", namespace)
    if gap is not None:
        return dict.fromkeys(("rules", "role_exists", "rules_settled"), gap)
    return {"rules": [], "role_exists": False, "rules_settled": True}


def of_subjects(grant: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Service accounts that a binding names and that do not exist. Those of the control plane come when its controllers ask."""
    subjects = world.fact(grant, "subjects")
    if isinstance(subjects, Gap):
        return dict.fromkeys(("missing_accounts", "missing_settled"), subjects)
    missing: list[str] = []
    gap: Gap | None = None
    for subject in subjects:
        named = _accounts(subject, namespace_of(grant), usual=True)
        if named is None or ANYONE in named or subject["system"] is True:
            continue
        namespace, name = named
        if world.get("identity", object_id(grant.scope, "ServiceAccount", namespace, name)) is not None:
            continue
        why = unseen(world, grant, ACCOUNT, f"the service account {namespace}/{name}", namespace)
        if why is None:
            missing.append(f"{namespace}/{name}")
        gap = gap or why
    return {"missing_accounts": sorted(set(missing)), "missing_settled": gap or True}


def _rules(role: Resource, world: World) -> tuple[JSON | Gap, Truth]:
    """The rules of a role, and whether that is all of them.

    A live aggregated role holds what the controller gathered. In manifests its own rules count for nothing: the controller replaces
    them by those of every role that its selectors pick, of which some may not be in the manifests.
    """
    aggregated = world.fact(role, "aggregated")
    if aggregated is False or not from_manifests(role):
        return world.fact(role, "rules"), True
    if isinstance(aggregated, Gap):
        return aggregated, aggregated
    return world.memo(f"kubernetes.gathered {role.id}", lambda: _gathered(role, world))


def _gathered(role: Resource, world: World) -> tuple[JSON | Gap, Truth]:
    found: dict[str, JSON] = {}
    for part in _parts(role, world):
        rules = world.fact(part, "rules")
        if isinstance(rules, Gap):
            return rules, rules
        found |= {json.dumps(rule, sort_keys=True): rule for rule in rules}
    return [*found.values()], Gap(
        Reason.NOT_OFFERED,
        "",
        NOT_HERE,
        f"{role.name} gathers the rules of other roles, and not all of them may be in these manifests",
    )


def _parts(role: Resource, world: World) -> Sequence[Resource]:
    """Roles whose own rules an aggregated role gathers, chains followed."""
    every = world.memo(f"kubernetes.cluster_roles {role.scope}", lambda: _cluster_roles(role.scope, world))
    found: list[Resource] = []
    todo, seen = [role], {role.id}
    while todo:
        selectors: Sequence[Mapping[str, Any]] = todo.pop().facts.get("selectors") or []
        picked = [o for o in every if o.id not in seen and any(selects(s, Labels(o.tags)) is True for s in selectors)]
        seen |= {o.id for o in picked}
        todo += [o for o in picked if o.facts.get("aggregated") is True]
        found += [o for o in picked if o.facts.get("aggregated") is not True]
    return found


def _cluster_roles(scope: str, world: World) -> list[Resource]:
    return [r for r in world.all("permission_set", scope) if r.native_type == CLUSTER_ROLE]
