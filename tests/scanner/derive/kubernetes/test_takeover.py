"""What subjects hold by all their bindings together, and what pods could become master of."""

from __future__ import annotations

from typing import Any

import pytest

from scanner.derive.kubernetes import DERIVATIONS
from scanner.derive.kubernetes.grants import key_of, keys_with, may, on, primitives
from scanner.model import Gap, Reason, Where
from tests.collectors.kubernetes.objects import deployment, pod, projected, thing
from tests.scanner.derive.worlds import MemoryWorld

RBAC = "rbac.authorization.k8s.io/v1"
DENIED = Gap(Reason.DENIED, "", "Allow it.")


def world(*items: dict[str, Any], gaps: dict[str, Gap] | None = None, manifests: bool = False) -> MemoryWorld:
    found = [r for i in items for r in projected(i)]
    if manifests:
        found = [r.replace(where=Where("a.yaml", 1, 1)) for r in found]
    return MemoryWorld(found, gaps or {}, DERIVATIONS)


def told(of: MemoryWorld, kind: str, *names: str, identity: str = "") -> list[Any]:
    (resource,) = [r for r in of.all(kind) if not identity or r.name == identity]
    found = [of.fact(resource, name) for name in names]
    return [f.reason if isinstance(f, Gap) else f for f in found]


def rule(verbs: str, resources: str, group: str = "", names: tuple[str, ...] = ()) -> dict[str, list[str]]:
    return {
        "verbs": verbs.split(), "api_groups": group.split(",") if group else [""], "resources": resources.split(),
        "resource_names": list(names), "non_resource_urls": [],
    }  # fmt: skip


# ---- rules


@pytest.mark.parametrize(
    ("given", "wide", "expected"),
    [
        (rule("*", "*", "*"), True, ["do everything"]),
        (rule("*", "*", "*"), False, ["do everything in a namespace"]),
        (rule("*", "deployments", "apps"), False, ["use wildcards"]),
        (rule("get", "*"), True, ["use wildcards"]),
        (rule("*", "widgets", "example.com"), True, []),
        (rule("escalate", "clusterroles", "rbac.authorization.k8s.io"), False, ["write roles beyond its own"]),
        (rule("bind", "roles", "rbac.authorization.k8s.io"), False, ["bind any role"]),
        (rule("bind", "clusterroles", "rbac.authorization.k8s.io", ("view",)), True, []),
        (rule("bind", "clusterroles", "rbac.authorization.k8s.io", ("cluster-admin",)), True, ["bind any role"]),
        (rule("impersonate", "groups"), True, ["impersonate others"]),
        (rule("impersonate", "groups", "", ("readers",)), True, []),
        (rule("impersonate", "groups", "", ("system:masters",)), True, ["impersonate others"]),
        (rule("impersonate:user-info", "users", "authentication.k8s.io"), True, ["impersonate others"]),
        # users and groups are in no namespace
        (rule("impersonate", "users groups"), False, []),
        (rule("impersonate", "serviceaccounts"), False, ["impersonate service accounts"]),
        (rule("list", "secrets"), True, ["read every Secret of the cluster"]),
        # a listing is a request for an object without a name, which an empty name allows:
        # https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/rbac/v1/evaluation_helpers.go
        (rule("list", "secrets", "", ("own", "")), True, ["read every Secret of the cluster"]),
        (rule("list", "secrets"), False, []),
        (rule("get", "secrets", "", ("one",)), True, []),
        (rule("create", "secrets"), True, []),
        (rule("create", "pods/exec"), True, ["run commands in every pod"]),
        (rule("get", "*/attach"), True, ["run commands in every pod"]),
        (rule("create", "pods/exec"), False, []),
        (rule("patch", "pods/ephemeralcontainers"), True, ["add containers to every pod"]),
        # get alone is enough: https://github.com/kubernetes/kubernetes/issues/136550
        (rule("get", "nodes/proxy"), True, ["command every kubelet"]),
        (rule("get", "nodes/metrics"), True, []),
        (rule("create", "serviceaccounts/token"), False, ["mint tokens of any service account"]),
        (rule("create", "serviceaccounts/token", "", ("own",)), False, []),
        (rule("delete", "validatingadmissionpolicybindings", "admissionregistration.k8s.io"), True, ["change what admission does"]),
        (rule("patch", "mutatingwebhookconfigurations", "admissionregistration.k8s.io", ("own",)), True, []),
        (rule("patch", "namespaces nodes"), True, ["relabel namespaces", "relabel nodes"]),
        (rule("patch", "namespaces nodes"), False, ["relabel namespaces"]),
        (rule("create", "pods"), True, []),
    ],
)
def test_rights_that_count(given: dict[str, list[str]], wide: bool, expected: list[str]) -> None:  # noqa: FBT001 - a column
    assert [words for words, _ in primitives([given], wide=wide)] == expected


def test_everything_is_told_once() -> None:
    assert [w for w, _ in primitives([rule("escalate", "roles", "rbac.authorization.k8s.io"), rule("*", "*", "*")], wide=True)] == [
        "do everything"
    ]


def test_matching() -> None:
    assert on(rule("get", "pods/exec"), ("",), ("pods/exec",))
    assert on(rule("get", "*/exec"), ("",), ("pods/exec",))
    assert not on(rule("get", "*/exec"), ("",), ("pods",))
    assert not on(rule("get", "pods"), ("",), ("pods/exec",))
    assert not on(rule("get", "pods", "apps"), ("",), ("pods",))
    assert may(rule("get", "x"), ("*",))
    assert not may({"verbs": []}, ("*",))


def test_subjects() -> None:
    assert key_of({"kind": "ServiceAccount", "name": "s", "namespace": ""}, "team") == ("account", "team", "s")
    assert key_of({"kind": "User", "name": "system:serviceaccount:a:b", "namespace": ""}, "") == ("account", "a", "b")
    assert key_of({"kind": "User", "name": "system:serviceaccount:a", "namespace": ""}, "") == ("user", "system:serviceaccount:a")
    assert keys_with(("account", "a", "b")) == (
        ("account", "a", "b"), ("group", "system:serviceaccounts:a"), ("group", "system:serviceaccounts"),
        ("group", "system:authenticated"),
    )  # fmt: skip
    assert keys_with(("user", "ada")) == (("user", "ada"), ("group", "system:authenticated"))
    assert keys_with(("user", "system:anonymous")) == (("user", "system:anonymous"),)


# ---- pods


def role(name: str, *rules: dict[str, Any], kind: str = "ClusterRole") -> dict[str, Any]:
    return thing(RBAC, kind, name, None if kind == "ClusterRole" else "team", rules=list(rules))


def raw(verbs: str, resources: str, group: str = "", *names: str) -> dict[str, Any]:
    return {"verbs": verbs.split(), "apiGroups": [group], "resources": resources.split(), "resourceNames": list(names)}


SA = {"kind": "ServiceAccount", "name": "s", "namespace": "team"}


def binding(
    name: str, of: str, subject: dict[str, str] = SA, kind: str = "ClusterRoleBinding", namespace: str = "team"
) -> dict[str, Any]:
    where = None if kind == "ClusterRoleBinding" else namespace
    return thing(RBAC, kind, name, where, roleRef={"kind": "ClusterRole", "name": of}, subjects=[subject])


ACCOUNT = thing("v1", "ServiceAccount", "s")
POD = deployment(spec={"serviceAccountName": "s"})
READS = role("reads", raw("list", "secrets"))


def path(words: str, grant: str, of: str, text: str, *pods: str) -> dict[str, Any]:
    ids = list(pods or ["k8s/c/Deployment.apps/team/d"])
    return {"path": words, "grant": grant, "role": f"ClusterRole {of}", "rule": text, "pods": ids}


SECRETS = path(
    "read every Secret of the cluster", "k8s/c/ClusterRoleBinding.rbac.authorization.k8s.io//b", "reads", "list on secrets (core)"
)


def takeover(*items: dict[str, Any], **options: Any) -> list[Any]:
    return told(world(ACCOUNT, *items, **options), "identity", "takeover_paths", "takeover_settled", identity="s")


@pytest.mark.parametrize(
    "subject",
    [
        SA,
        {"kind": "User", "name": "system:serviceaccount:team:s"},
        {"kind": "Group", "name": "system:serviceaccounts:team"},
        {"kind": "Group", "name": "system:serviceaccounts"},
        {"kind": "Group", "name": "system:authenticated"},
    ],
)
def test_paths_by_every_name_of_an_account(subject: dict[str, str]) -> None:
    assert takeover(POD, READS, binding("b", "reads", subject)) == [[SECRETS], True]


@pytest.mark.parametrize(
    "subject",
    [{**SA, "namespace": "other"}, {"kind": "Group", "name": "system:serviceaccounts:other"}, {"kind": "User", "name": "s"}],
)
def test_others_give_no_path(subject: dict[str, str]) -> None:
    assert takeover(POD, READS, binding("b", "reads", subject)) == [[], True]


def test_a_token_is_needed() -> None:
    bound = (READS, binding("b", "reads"))
    assert takeover(*bound) == [[], True]
    assert takeover(deployment(spec={"serviceAccountName": "s", "automountServiceAccountToken": False}), *bound) == [[], True]
    assert takeover(deployment(), *bound) == [[], True]
    ended = {**pod("p", {"serviceAccountName": "s", "automountServiceAccountToken": True}), "status": {"phase": "Succeeded"}}
    assert takeover(ended, *bound) == [[], True]


def test_what_was_not_seen() -> None:
    bound = (READS, binding("b", "reads"))
    # nothing critical is bound, or no pod has the token: what is left unseen could change that
    assert takeover(POD, gaps={f"{RBAC}/ClusterRoleBinding": DENIED}) == [[], Reason.DENIED]
    assert takeover(*bound, gaps={"v1/Pod": DENIED}) == [[], Reason.DENIED]
    assert takeover(gaps={"v1/Pod": DENIED}) == [[], True]
    assert takeover(POD, *bound, gaps={f"{RBAC}/RoleBinding": DENIED}) == [[SECRETS], Reason.DENIED]
    assert takeover(POD, binding("b", "gone"), gaps={f"{RBAC}/ClusterRole": DENIED}) == [[], Reason.DENIED]
    assert takeover(POD, *bound, manifests=True) == [[SECRETS], Reason.NOT_OFFERED]
    assert takeover(POD, manifests=True) == [[], Reason.NOT_OFFERED]


def test_a_namespace_of_the_platform_is_left_alone() -> None:
    account = thing("v1", "ServiceAccount", "s", "kube-system")
    of = world(
        account,
        deployment(spec={"serviceAccountName": "s"}, namespace="kube-system"),
        READS,
        binding("b", "reads", {**SA, "namespace": "kube-system"}),
    )
    assert told(of, "identity", "takeover_paths", "takeover_settled") == [[], True]


def test_rights_of_two_bindings_and_one_namespace() -> None:
    approve = role("approves", raw("approve", "signers", "certificates.k8s.io", "kubernetes.io/kube-apiserver-client"))
    update = role("updates", raw("update", "certificatesigningrequests/approval", "certificates.k8s.io"))
    both = (approve, update, binding("a", "approves"), binding("u", "updates"))
    text = "update on certificatesigningrequests/approval (certificates.k8s.io), approve on signers (certificates.k8s.io), by ClusterRole updates and ClusterRole approves"
    assert takeover(POD, *both) == [
        [path("approve signing requests", "k8s/c/ClusterRoleBinding.rbac.authorization.k8s.io//u", "updates", text)],
        True,
    ]
    assert takeover(POD, approve, binding("a", "approves")) == [[], True]
    # the signer of kubelets' serving certificates makes nobody
    serving = role("approves", raw("approve", "signers", "certificates.k8s.io", "kubernetes.io/kubelet-serving"))
    assert takeover(POD, serving, *both[1:]) == [[], True]
    # in one namespace no Secret of the cluster is read
    assert takeover(POD, READS, binding("b", "reads", kind="RoleBinding")) == [[], True]


def test_bindings_are_read_once_a_world() -> None:
    items = [thing("v1", "ServiceAccount", f"s{n}") for n in range(40)] + [binding(f"b{n}", "reads") for n in range(40)]
    of = world(*items, READS, POD)
    accounts = list(of.all("identity"))
    of.reads = 0
    for account in accounts:
        of.fact(account, "takeover_paths")
    assert of.reads < 100


# ---- signing requests


def approvals(*items: dict[str, Any], name: str = "u", **options: Any) -> list[Any]:
    return told(world(*items, **options), "grant", "csr_approvals", "csr_settled", identity=name)


UPDATES = role("updates", raw("update", "certificatesigningrequests/approval", "certificates.k8s.io"))
APPROVES = role("approves", raw("approve", "signers", "certificates.k8s.io"))


def test_approval_takes_both_rights() -> None:
    ways = {
        "subject": "ServiceAccount team/s",
        "signers": ["*"],
        "path": "update on certificatesigningrequests/approval (certificates.k8s.io), approve on signers (certificates.k8s.io), by ClusterRole updates and ClusterRole approves",
    }
    assert approvals(UPDATES, APPROVES, binding("u", "updates"), binding("a", "approves")) == [[ways], True]
    assert approvals(UPDATES, APPROVES, binding("u", "updates"), binding("a", "approves", {**SA, "name": "other"})) == [[], True]
    assert approvals(UPDATES, APPROVES, binding("u", "updates"), binding("a", "approves"), name="a") == [[], True]
    group = {"kind": "Group", "name": "ops"}
    found, _ = approvals(UPDATES, APPROVES, binding("u", "updates", group), binding("a", "approves", group))
    assert [f["subject"] for f in found] == ["Group ops"]
    # signing requests are in no namespace
    assert approvals(UPDATES, APPROVES, binding("u", "updates", kind="RoleBinding"), binding("a", "approves")) == [[], True]


EVERYONE = {"kind": "Group", "name": "system:serviceaccounts"}


def test_a_right_that_comes_by_a_group() -> None:
    """The other half is told of the binding that names the account; of the group's alone nobody may approve."""
    world_ = (UPDATES, APPROVES, binding("u", "updates", EVERYONE), binding("a", "approves"))
    assert approvals(*world_) == [[], True]
    found, settled = approvals(*world_, name="a")
    assert ([(f["subject"], f["signers"]) for f in found], settled) == ([("ServiceAccount team/s", ["*"])], True)
    group = {"kind": "Group", "name": "system:serviceaccounts:team"}
    found, _ = approvals(UPDATES, APPROVES, binding("u", "updates", EVERYONE), binding("a", "approves", group), name="a")
    assert [f["subject"] for f in found] == ["Group system:serviceaccounts:team"]


def test_approvals_that_were_not_seen() -> None:
    assert approvals(UPDATES, binding("u", "updates"), manifests=True) == [[], Reason.NOT_OFFERED]
    assert approvals(UPDATES, binding("u", "updates"), gaps={f"{RBAC}/ClusterRoleBinding": DENIED}) == [[], Reason.DENIED]
    assert approvals(binding("u", "updates"), gaps={f"{RBAC}/ClusterRole": DENIED}) == [[], Reason.DENIED]
    assert approvals(READS, binding("u", "reads"), manifests=True) == [[], True]


# ---- what bindings name


def missing(*items: dict[str, Any], **options: Any) -> list[Any]:
    return told(world(*items, **options), "grant", "missing_accounts", "missing_settled")


def test_accounts_that_do_not_exist() -> None:
    assert missing(binding("b", "reads"), ACCOUNT) == [[], True]
    assert missing(binding("b", "reads")) == [["team/s"], True]
    assert missing(binding("b", "reads", {"kind": "User", "name": "system:serviceaccount:team:s"})) == [["team/s"], True]
    for other in ({"kind": "Group", "name": "system:serviceaccounts:team"}, {"kind": "User", "name": "ada"}):
        assert missing(binding("b", "reads", other)) == [[], True]
    assert missing(binding("b", "reads"), gaps={"v1/ServiceAccount": DENIED}) == [[], Reason.DENIED]
    assert missing(binding("b", "reads"), manifests=True) == [[], Reason.NOT_OFFERED]


# ---- identity mappings


def masters(settings: Any) -> Any:
    item = {**thing("v1", "ConfigMap", "aws-auth", "kube-system"), "kept": {"settings": settings, "credentials": []}}
    return told(world(item), "configuration", "masters_mapped")[0]


def test_mapped_masters() -> None:
    one, two = (
        {"arn": "arn:a", "map": "mapRoles", "groups": ["system:masters"]},
        {"arn": "", "map": "mapUsers", "groups": ["system:masters"]},
    )
    assert masters({}) == []
    assert masters({"identity_mappings": [one, two, {**one, "arn": "arn:b", "groups": ["x"]}], "unreadable": []}) == [
        "arn:a",
        "mapUsers",
    ]
    assert masters({"identity_mappings": [], "unreadable": ["mapRoles"]}) is Reason.UNPARSABLE
    assert masters({"identity_mappings": [one], "unreadable": ["mapUsers"]}) == ["arn:a"]
