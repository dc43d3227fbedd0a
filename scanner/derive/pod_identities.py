"""Roles that pods of EKS get by Pod Identity: whose they are, and how tightly their trust policies say so.

https://docs.aws.amazon.com/eks/latest/userguide/pod-id-role.html
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.globs import everything
from scanner.derive.identities import ROLE
from scanner.derive.names import SCAN_ACCOUNT, missed, planned, unseen
from scanner.derive.policy import Statement
from scanner.derive.workload_roles import does
from scanner.derive.world import Derivation, World
from scanner.model import JSON, Gap, Reason, Resource

POD = "AWS::EKS::PodIdentityAssociation"
PODS = "pods.eks.amazonaws.com"
ASSUME = "sts:assumerole"
PINS = frozenset(
    (
        "aws:requesttag/eks-cluster-arn",
        "aws:requesttag/eks-cluster-name",
        "aws:requesttag/kubernetes-namespace",
        "aws:requesttag/kubernetes-service-account",
        "aws:sourceaccount",
        "aws:sourcearn",
        "aws:sourceorgid",
        "aws:sourceorgpaths",
    )
)
"""Condition keys that say whose pods may have a role: https://docs.aws.amazon.com/eks/latest/userguide/pod-id-abac.html"""


def pod_facts(grant: Resource, world: World) -> Mapping[str, JSON | Gap]:
    """Whether the role of a pod identity is its own."""
    identity = world.fact(grant, "identity")
    if isinstance(identity, Gap):
        return dict.fromkeys(("identity_pinned", "identity_namespaces"), identity)
    role = world.get("identity", str(identity))
    if role is None:
        return {
            "identity_pinned": unseen(world, ROLE, grant, f"the role {identity}"),
            "identity_namespaces": _namespaces(grant, str(identity), world),
        }
    statements: Any = world.fact(role, "trust_statements")
    return {
        "identity_pinned": statements if isinstance(statements, Gap) else pinned(statements),
        "identity_namespaces": _namespaces(grant, str(identity), world),
    }


def pinned(statements: Iterable[Statement]) -> bool:
    """Every statement that lets in EKS Pod Identity says whose pods it means."""
    allows = (s for s in statements if s["effect"] == "Allow" and {"*", f"Service:{PODS}"}.intersection(s["principals"]))
    return all(any(_pins(c) for c in s["conditions"]) for s in allows if does(s, ASSUME))


def _pins(condition: Mapping[str, Any]) -> bool:
    operator = Operator.parse(str(condition["operator"]))
    # NOTE: a session without tags (`disableSessionTags`) meets an optional condition, and none that is not
    certain = operator.compares and not operator.optional and not operator.negated and bool(condition["values"])
    wide = operator.patterns and any(everything(str(v)) for v in condition["values"])
    return certain and not wide and str(condition["key"]).lower() in PINS


@dataclass(slots=True)
class _Pods:
    at: dict[tuple[str, str], set[str]] = field(default_factory=dict)
    """(scope, role) → namespaces."""
    lost: dict[str, Gap] = field(default_factory=dict)


def _pods(world: World) -> _Pods:
    found = _Pods()
    for grant in world.all("grant"):
        if grant.native_type == POD:
            identity, namespace = world.fact(grant, "identity"), world.fact(grant, "namespace")
            gap = next((v for v in (identity, namespace) if isinstance(v, Gap)), None)
            if gap is None:
                found.at.setdefault((grant.scope, str(identity)), set()).add(str(namespace))
            else:
                found.lost.setdefault(grant.scope, gap)
    return found


def _namespaces(grant: Resource, identity: str, world: World) -> list[str] | Gap:
    pods = world.memo("pod_identities.pods", lambda: _pods(world))
    found = sorted(pods.at.get((grant.scope, identity), ()))
    if len(found) > 1:
        return found
    if planned(grant) and not identity.startswith("plan/"):
        return Gap(Reason.NOT_OFFERED, "", SCAN_ACCOUNT, "whom else the role serves is not in the plan")
    listing = None if planned(grant) else world.listing(POD, grant.scope)
    missing = next(missed([listing]), None)
    return pods.lost.get(grant.scope) or missing or found


DERIVATIONS: tuple[Derivation, ...] = (
    Derivation(
        "grant",
        ("identity_pinned", "identity_namespaces"),
        pod_facts,
        needs=("identity", "namespace"),
        reads={ROLE: ("trust_statements",)},
        native_types=(POD,),
    ),
)
