"""Tokens of service accounts, and what bindings grant."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.model import Gap, Reason, Resource, Where
from tests.collectors.kubernetes.objects import deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

RBAC = "rbac.authorization.k8s.io/v1"
DENIED = Gap(Reason.DENIED, "", "Allow it.")
OTHERS = Gap(Reason.NOT_OFFERED, "", "", "only team was asked for")


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, name: str, kind: str = "workload") -> Any:
    (resource,) = of.all(kind)
    found = of.fact(resource, name)
    return found.reason if isinstance(found, Gap) else found


def account(name: str = "default", **more: Any) -> dict[str, Any]:
    return thing("v1", "ServiceAccount", name, **more)


def token(name: str) -> dict[str, Any]:
    return {"volumes": [{"name": name, "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]}


@pytest.mark.parametrize(
    ("own", "of_account", "mounted"),
    [
        ({}, {}, True),
        ({"automountServiceAccountToken": True}, {"automountServiceAccountToken": False}, True),
        ({"automountServiceAccountToken": False}, {"automountServiceAccountToken": True}, False),
        ({}, {"automountServiceAccountToken": False}, False),
        ({}, {"automountServiceAccountToken": True}, True),
        ({"automountServiceAccountToken": False, **token("by-hand")}, {}, True),
    ],
)
def test_tokens(own: dict[str, Any], of_account: dict[str, Any], mounted: bool) -> None:  # noqa: FBT001 - a column of the table
    assert told(world(deployment(spec=own), account(**of_account)), "token_mounted") is mounted


def test_tokens_of_accounts_that_were_not_seen() -> None:
    said, silent = deployment(spec={"automountServiceAccountToken": False}), deployment()
    assert told(world(silent), "token_mounted") is Reason.NOT_OFFERED
    assert told(world(silent, gaps={"v1/ServiceAccount": DENIED}), "token_mounted") is Reason.DENIED
    assert told(world(silent, manifests=True), "token_mounted") is Reason.NOT_OFFERED
    assert told(world(said, manifests=True), "token_mounted") is False
    assert told(world(silent, account(), manifests=True), "token_mounted") is True


def test_cloud_identities() -> None:
    irsa = {"metadata": {"annotations": {"eks.amazonaws.com/role-arn": "arn:r"}}}
    assert told(world(deployment(spec={"serviceAccountName": "s"}), account("s", **irsa)), "cloud_identity") == "arn:r"
    assert told(world(deployment(spec={"serviceAccountName": "s"}), account("s")), "cloud_identity") == ""
    assert told(world(deployment(spec={"serviceAccountName": "s"}), manifests=True), "cloud_identity") is Reason.NOT_OFFERED


def binding(
    kind: str = "RoleBinding",
    name: str = "b",
    namespace: str | None = "team",
    role: tuple[str, str] = ("Role", "r"),
    who: str = "ServiceAccount",
) -> dict[str, Any]:
    subject = {"kind": who, "name": "s"}
    return thing(
        RBAC,
        kind,
        name,
        None if kind == "ClusterRoleBinding" else namespace,
        roleRef={"kind": role[0], "name": role[1]},
        subjects=[subject],
    )


POD = deployment(spec={"serviceAccountName": "s"})


def test_bindings_of_an_account() -> None:
    assert told(world(POD), "account_bound") is False
    assert told(world(POD, binding()), "account_bound") is True
    assert told(world(POD, binding(namespace="elsewhere")), "account_bound") is False
    elsewhere = thing(
        RBAC,
        "RoleBinding",
        "b",
        "elsewhere",
        roleRef={"kind": "Role", "name": "r"},
        subjects=[{"kind": "ServiceAccount", "name": "s", "namespace": "team"}],
    )
    assert told(world(POD, elsewhere), "account_bound") is True
    assert told(world(POD, binding(kind="ClusterRoleBinding")), "account_bound") is False
    assert told(world(POD, binding(who="User")), "account_bound") is False


@pytest.mark.parametrize(
    ("kind", "name", "role", "bound"),
    [
        ("User", "system:serviceaccount:team:s", ("ClusterRole", "view"), True),
        ("User", "system:serviceaccount:other:s", ("ClusterRole", "view"), False),
        ("User", "system:serviceaccount:team", ("ClusterRole", "view"), False),
        ("Group", "system:serviceaccounts:team", ("ClusterRole", "view"), True),
        ("Group", "system:serviceaccounts:other", ("ClusterRole", "view"), False),
        ("Group", "system:serviceaccounts", ("ClusterRole", "view"), True),
        ("Group", "system:authenticated", ("ClusterRole", "view"), True),
        ("Group", "system:authenticated", ("ClusterRole", "system:discovery"), False),
        ("Group", "system:serviceaccounts", ("ClusterRole", "system:service-account-issuer-discovery"), False),
        ("Group", "system:authenticated", ("Role", "system:discovery"), True),
        ("Group", "system:unauthenticated", ("ClusterRole", "view"), False),
        ("Group", "serviceaccounts", ("ClusterRole", "view"), False),
    ],
)
def test_bindings_of_what_an_account_is_in(kind: str, name: str, role: tuple[str, str], bound: bool) -> None:  # noqa: FBT001 - a column
    item = binding(kind="ClusterRoleBinding", role=role)
    item["subjects"] = [{"kind": kind, "name": name, "apiGroup": "rbac.authorization.k8s.io"}]
    assert told(world(POD, item), "account_bound") is bound


def test_a_pod_that_is_there_shows_its_token() -> None:
    assert told(world(pod("p")), "token_mounted") is False
    assert told(world(pod("p", token("kube-api-access-x"))), "token_mounted") is True
    assert told(world(pod("p", {"automountServiceAccountToken": True}), account()), "token_mounted") is True
    assert told(world(pod("p"), manifests=True), "token_mounted") is Reason.NOT_OFFERED


def test_bindings_that_were_not_seen() -> None:
    assert told(world(POD, gaps={f"{RBAC}/RoleBinding": OTHERS}), "account_bound") is Reason.NOT_OFFERED
    assert told(world(POD, gaps={f"{RBAC}/ClusterRoleBinding": DENIED}), "account_bound") is Reason.DENIED
    assert told(world(POD, binding(), gaps={f"{RBAC}/ClusterRoleBinding": DENIED}), "account_bound") is True
    assert told(world(POD, manifests=True), "account_bound") is Reason.NOT_OFFERED
    of = world(POD)
    unread = Resource(
        "k8s/c/RoleBinding/x", "grant", f"{RBAC}/RoleBinding", "kubernetes", "c", "", "x", gaps={"subjects": Gap(Reason.UNPARSABLE)}
    )
    assert told(MemoryWorld([*of.all("workload"), unread], {}, DERIVATIONS), "account_bound") is Reason.UNPARSABLE


def rule(*verbs: str) -> dict[str, Any]:
    return {"verbs": list(verbs), "apiGroups": [""], "resources": ["pods"]}


def read(*verbs: str) -> dict[str, Any]:
    return {"verbs": list(verbs), "api_groups": [""], "resources": ["pods"], "resource_names": [], "non_resource_urls": []}


def role(kind: str, name: str = "r", rules: Any = (), labels: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    return thing(
        RBAC, kind, name, None if kind == "ClusterRole" else "team", rules=list(rules), metadata={"labels": labels or {}}, **more
    )


def grants(of: MemoryWorld) -> tuple[Any, Any, Any]:
    return told(of, "rules", "grant"), told(of, "role_exists", "grant"), told(of, "rules_settled", "grant")


def test_rules_of_a_grant() -> None:
    assert grants(world(binding(), role("Role", rules=[rule("get")]))) == ([read("get")], True, True)
    assert grants(
        world(binding(role=("ClusterRole", "r")), role("Role", rules=[rule("get")]), role("ClusterRole", rules=[rule("list")]))
    ) == ([read("list")], True, True)
    assert grants(world(binding())) == ([], False, True)
    assert grants(world(binding(), gaps={f"{RBAC}/Role": DENIED})) == (Reason.DENIED,) * 3
    assert grants(world(binding(), manifests=True)) == (Reason.NOT_OFFERED,) * 3
    assert grants(world(binding(), role("Role", rules=[rule("get")]), manifests=True)) == ([read("get")], True, True)


def test_cluster_admin_is_known_by_its_name() -> None:
    for options in ({"manifests": True}, {"gaps": {f"{RBAC}/ClusterRole": DENIED}}):
        rules, exists, settled = grants(world(binding(role=("ClusterRole", "cluster-admin")), **options))  # type: ignore[arg-type]
        assert rules[0]["verbs"] == rules[0]["resources"] == rules[0]["api_groups"] == ["*"]
        assert (exists, settled) == (True, True)
    # a Role of that name is somebody's own
    assert grants(world(binding(role=("Role", "cluster-admin")), manifests=True)) == (Reason.NOT_OFFERED,) * 3


AGGREGATED = {
    "aggregationRule": {
        "clusterRoleSelectors": [{"matchLabels": {"to": "top"}}, {"matchExpressions": [{"key": "also", "operator": "Exists"}]}]
    }
}


def test_aggregation() -> None:
    parts = [
        role("ClusterRole", "a", [rule("get")], {"to": "top"}),
        role("ClusterRole", "b", [rule("list")], {"also": "x"}),
        role("ClusterRole", "c", [rule("delete")], {"to": "other"}),
        role(
            "ClusterRole",
            "middle",
            [rule("ignored")],
            {"to": "top"},
            aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"to": "middle"}}]},
        ),
        role("ClusterRole", "d", [rule("watch")], {"to": "middle"}),
        role(
            "ClusterRole",
            "circle",
            [rule("ignored")],
            {"to": "top"},
            aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"to": "top"}}]},
        ),
    ]
    top = role("ClusterRole", "r", [rule("stale")], **AGGREGATED)
    bound = binding(role=("ClusterRole", "r"))
    rules, exists, settled = grants(world(bound, top, *parts, manifests=True))
    assert sorted(r["verbs"][0] for r in rules) == ["get", "list", "watch"]
    assert (exists, settled) == (True, Reason.NOT_OFFERED)
    # the controller of a live cluster has gathered them already
    assert grants(world(bound, top, *parts)) == ([read("stale")], True, True)


def test_a_long_chain_is_gathered_once() -> None:
    """Roles that gather roles, a thousand deep and bound often: neither too deep for Python nor done again for each binding."""
    links = [
        role(
            "ClusterRole",
            f"link{n}",
            [],
            {"link": str(n)},
            aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"link": str(n + 1)}}]},
        )
        for n in range(1200)
    ]
    last = role("ClusterRole", "last", [rule("get"), rule("get")], {"link": "1200"})
    bound = [binding(role=("ClusterRole", "link0"), name=f"b{n}") for n in range(300)]
    of = world(*bound, *links, last, manifests=True)
    assert {str(of.fact(grant, "rules")) for grant in of.all("grant")} == {str([read("get")])}
