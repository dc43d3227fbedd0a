"""Random roles and bindings, the same on every run."""

from __future__ import annotations

import random
from typing import Any

from tests.collectors.kubernetes.objects import thing

RBAC = "rbac.authorization.k8s.io"
NAMESPACES = ("alpha", "beta")
ACCOUNTS = ("bot", "trainer")
GROUPS = ("", "apps", "batch", RBAC, "ray.io", "*")
RESOURCES = (
    "pods",
    "pods/exec",
    "secrets",
    "deployments",
    "jobs",
    "nodes/proxy",
    "serviceaccounts/token",
    "clusterroles",
    "rayclusters",
    "*",
    "*/exec",
)
VERBS = ("get", "list", "create", "update", "delete", "escalate", "bind", "*")
NAMES = ("one", "two")
SUBJECTS = (
    *({"kind": "ServiceAccount", "name": a, "namespace": n} for n in NAMESPACES for a in ACCOUNTS),
    {"kind": "User", "name": "jane", "apiGroup": RBAC},
    {"kind": "User", "name": "system:serviceaccount:beta:trainer", "apiGroup": RBAC},
    {"kind": "Group", "name": "researchers", "apiGroup": RBAC},
    {"kind": "Group", "name": "system:serviceaccounts:alpha", "apiGroup": RBAC},
    {"kind": "Group", "name": "system:serviceaccounts", "apiGroup": RBAC},
    {"kind": "Group", "name": "system:authenticated", "apiGroup": RBAC},
)
WEIGHTS = (*([6] * 4), 6, 3, 4, 1, 1, 1)


def objects(seed: int, roles: int = 40, bindings: int = 24) -> list[dict[str, Any]]:
    """Roles, cluster roles (some of which gather others), and bindings of both kinds."""
    dice = random.Random(seed)
    found: list[dict[str, Any]] = []
    for number in range(roles):
        namespace = dice.choice((*NAMESPACES, None))
        kind = "Role" if namespace else "ClusterRole"
        body: dict[str, Any] = {"rules": [rule(dice) for _ in range(dice.randint(1, 3))]}
        labels = {"gather": dice.choice("xyz")} if kind == "ClusterRole" else {}
        if kind == "ClusterRole" and dice.random() < 0.25:
            body = {"rules": [], "aggregationRule": {"clusterRoleSelectors": [{"matchLabels": {"gather": dice.choice("xy")}}]}}
            labels = {"gather": "w"}
        found.append(thing(f"{RBAC}/v1", kind, f"r{number}", namespace, metadata={"labels": labels}, **body))
    for number in range(bindings):
        role = dice.choice(found[:roles])
        clusterwide = role["kind"] == "ClusterRole"
        namespace = dice.choice((None, *NAMESPACES)) if clusterwide else role["metadata"]["namespace"]
        found.append(
            thing(
                f"{RBAC}/v1",
                "RoleBinding" if namespace else "ClusterRoleBinding",
                f"b{number}",
                namespace,
                roleRef={"apiGroup": RBAC, "kind": role["kind"], "name": role["metadata"]["name"]},
                subjects=dice.choices(SUBJECTS, WEIGHTS, k=dice.randint(1, 2)),
            )
        )
    return found


def rule(dice: random.Random) -> dict[str, Any]:
    """One rule of a role."""
    found: dict[str, Any] = {
        "apiGroups": dice.sample(GROUPS, dice.randint(1, 2)),
        "resources": dice.sample(RESOURCES, dice.randint(1, 3)),
        "verbs": dice.sample(VERBS, dice.randint(1, 2)),
    }
    return found | ({"resourceNames": [dice.choice(NAMES)]} if dice.random() < 0.2 else {})
