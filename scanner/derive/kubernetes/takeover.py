"""What a subject may do by all its bindings together, and what a pod could become master of through its service account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scanner.derive.kubernetes import access
from scanner.derive.kubernetes.grants import (
    ANY,
    Held,
    Rule,
    bindings,
    effective,
    held_by,
    key_of,
    may,
    on,
    shown,
    spelled,
    unbound,
)
from scanner.derive.kubernetes.types import (
    ACCOUNT,
    CLUSTER_ROLE,
    CLUSTER_ROLE_BINDING,
    POD_LIKE,
    ROLE,
    ROLE_BINDING,
    SYSTEM_NAMESPACES,
    namespace_of,
    unseen,
)
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

CERTIFICATES = "certificates.k8s.io"
CLIENT_SIGNERS = frozenset(
    {ANY, "kubernetes.io/*", "kubernetes.io/kube-apiserver-client", "kubernetes.io/kube-apiserver-client-kubelet"}
)
"""Signers of certificates that the API server takes for somebody."""
MOST_PODS = 20
"""Pods that are named as evidence of one path."""


# ---- signing requests


def _updates(held: Held) -> list[Rule]:
    """Rules by which a binding lets approve requests; the rest takes a signer. Requests are in no namespace.

    https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/#authorization
    """
    wanted = ("certificatesigningrequests/approval",)
    return [r for r in held.rules if held.wide and on(r, (CERTIFICATES,), wanted) and may(r, ("update", "patch"))]


def _signers(held: Held) -> set[str]:
    """Signers for which a binding lets approve: `*` for all."""
    rules = [r for r in held.rules if held.wide and on(r, (CERTIFICATES,), ("signers",)) and may(r, ("approve",))]
    return {name for r in rules for name in (r["resource_names"] or (ANY,))}


def approvals(held: Iterable[Held]) -> tuple[list[str], str]:
    """Signers for which a holder of all these may approve requests, and by which roles; empty where it may not."""
    held = list(held)
    ways = [(h, r) for h in held for r in _updates(h)]
    signers = sorted({name for h in held for name in _signers(h)})
    if not ways or not signers:
        return [], ""
    roles = list(dict.fromkeys([ways[0][0].role, *(h.role for h in held if _signers(h))]))
    return signers, f"{shown(ways[0][1])}, approve on signers ({CERTIFICATES}), by {' and '.join(roles)}"


def of_grant(grant: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Which subjects of a binding may approve signing requests by it."""
    subjects, role = world.fact(grant, "subjects"), world.fact(grant, "role")
    if isinstance(subjects, Gap) or isinstance(role, Gap):
        return dict.fromkeys(("csr_approvals", "csr_settled"), subjects if isinstance(subjects, Gap) else role)
    own = held_by(grant, role, world)
    updates = bool(_updates(own))
    if not updates and not _signers(own):
        return {"csr_approvals": [], "csr_settled": own.gap or True}
    of = bindings(world, grant.scope)
    found: list[JSON] = []
    more: Gap | None = own.gap
    for subject in subjects:
        if subject["system"] is True:
            continue
        key = key_of(subject, namespace_of(grant))
        others = effective(key, of)
        if not updates and any(_updates(held) for held in of.held.get(key, ())):
            continue  # told of the binding that lets it approve; where a group of it has that right, it is told here
        signers, path = approvals([own, *(h for h in others if h.grant != own.grant)])
        more = more or unbound(grant, world, of, others)
        if signers:
            found.append({"subject": spelled(key), "signers": signers, "path": path})
    return {"csr_approvals": found, "csr_settled": more or True}


# ---- pods


@dataclass(slots=True)
class _Holders:
    """Pods that hold tokens of service accounts."""

    pods: dict[tuple[str, str], list[str]]
    gaps: dict[tuple[str, str], Gap]
    """Account (of a namespace alone: any) → why more pods may hold its token."""


def _holders(world: World, scope: str) -> _Holders:
    found = _Holders({}, {})
    for pod in world.all("workload", scope):
        namespace = namespace_of(pod)
        if (
            pod.native_type not in POD_LIKE
            or not namespace
            or namespace in SYSTEM_NAMESPACES
            or world.fact(pod, "finished") is True
        ):
            continue
        name = world.fact(pod, "service_account")
        if isinstance(name, Gap):
            found.gaps.setdefault((namespace, ""), name)
            continue
        mounted = access.token_mounted(pod, world)
        if isinstance(mounted, Gap):
            found.gaps.setdefault((namespace, str(name)), mounted)
        elif mounted:
            found.pods.setdefault((namespace, str(name)), []).append(pod.id)
    return found


def of_account(account: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """What the pods that hold a service account's token could become master of."""
    namespace = namespace_of(account)
    if namespace in SYSTEM_NAMESPACES:
        return {"takeover_paths": [], "takeover_settled": True}
    holders = world.memo(f"kubernetes.holders {account.scope}", lambda: _holders(world, account.scope))
    of = bindings(world, account.scope)
    held = effective(("account", namespace, account.name), of)
    rights = [(words, h.grant, h.role, rule) for h in held for words, rule in h.rights]
    signers, by = approvals(held)
    if CLIENT_SIGNERS & {*signers}:
        grant, role = next((h.grant, h.role) for h in held if _updates(h))
        rights.append(("approve signing requests", grant, role, by))
    pods = sorted(holders.pods.get((namespace, account.name), ()))
    more_pods = (
        holders.gaps.get((namespace, account.name))
        or holders.gaps.get((namespace, ""))
        or next((g for native in POD_LIKE if (g := unseen(world, account, native, "a pod of it", namespace)) is not None), None)
    )
    more_rights = unbound(account, world, of, held)
    paths: list[JSON] = [
        {"path": words, "grant": grant, "role": role, "rule": rule, "pods": pods[:MOST_PODS]}
        for words, grant, role, rule in dict.fromkeys(rights)
        if pods
    ]
    if not rights and more_rights is None:
        more: Gap | None = None
    elif not pods:
        more = more_pods
    else:
        more = more_rights
    return {"takeover_paths": paths, "takeover_settled": more or True}


# ---- identity mappings


def of_configuration(configuration: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Who of a cloud is in system:masters by the ConfigMap `aws-auth`."""
    settings = world.fact(configuration, "settings")
    if isinstance(settings, Gap):
        return {"masters_mapped": settings}
    unreadable = settings.get("unreadable") or []
    mapped = [str(m["arn"] or m["map"]) for m in settings.get("identity_mappings") or [] if "system:masters" in m["groups"]]
    if unreadable and not mapped:
        return {
            "masters_mapped": Gap(
                Reason.UNPARSABLE, "", "Mend the text: it must be a YAML list.", f"{', '.join(unreadable)} is no YAML list"
            )
        }
    return {"masters_mapped": sorted(set(mapped))}


BINDINGS = ("subjects", "namespace", "role")
ROLES = {ROLE: ("rules", "aggregated"), CLUSTER_ROLE: ("rules", "aggregated", "selectors")}
DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "grant",
        ("missing_accounts", "missing_settled"),
        access.of_subjects,
        needs=("subjects", "namespace"),
        reads={ACCOUNT: ("namespace",)},
        native_types=(ROLE_BINDING, CLUSTER_ROLE_BINDING),
    ),
    Derivation(
        "grant",
        ("csr_approvals", "csr_settled"),
        of_grant,
        needs=(*BINDINGS, "rules", "rules_settled"),
        reads={ROLE_BINDING: BINDINGS, CLUSTER_ROLE_BINDING: BINDINGS, **ROLES},
        native_types=(ROLE_BINDING, CLUSTER_ROLE_BINDING),
    ),
    Derivation(
        "identity",
        ("takeover_paths", "takeover_settled"),
        of_account,
        needs=("namespace", "automount_token"),
        reads={
            **dict.fromkeys(POD_LIKE, ("namespace", "finished", "service_account", "automount_token", "projects_token")),
            ROLE_BINDING: (*BINDINGS, "rules", "rules_settled"),
            CLUSTER_ROLE_BINDING: (*BINDINGS, "rules", "rules_settled"),
        },
        native_types=(ACCOUNT,),
    ),
    Derivation("configuration", ("masters_mapped",), of_configuration, needs=("settings",), native_types=("v1/ConfigMap",)),
)
