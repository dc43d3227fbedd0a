"""The rights that make a pod a way to the cluster are those that the rules about bindings find, one by one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import yaml

from collectors.kubernetes.manifests import read_manifests
from scanner.derive.kubernetes.grants import primitives
from scanner.evaluate import Plan, evaluate
from scanner.model import Status
from scanner.rules.library import load
from scanner.snapshot import Snapshot
from tests.collectors.kubernetes.objects import thing

RBAC = "rbac.authorization.k8s.io"
ADMISSION = "admissionregistration.k8s.io"
RULES = {
    "do everything": "iam.k8s_cluster_admin",
    "do everything in a namespace": "iam.k8s_cluster_admin",
    "use wildcards": "iam.k8s_wildcards",
    "write roles beyond its own": "iam.k8s_escalate_bind",
    "bind any role": "iam.k8s_escalate_bind",
    "impersonate others": "iam.k8s_impersonate",
    "impersonate service accounts": "iam.k8s_impersonate",
    "read every Secret of the cluster": "iam.k8s_secrets_read",
    "run commands in every pod": "iam.k8s_pod_exec",
    "add containers to every pod": "iam.k8s_pod_exec",
    "command every kubelet": "iam.k8s_nodes_proxy",
    "mint tokens of any service account": "iam.k8s_token_minting",
    "change what admission does": "iam.k8s_webhook_write",
    "relabel namespaces": "iam.k8s_labels_write",
    "relabel nodes": "iam.k8s_labels_write",
}
"""What a right is called → the rule about bindings that finds it."""
GROUPS = ("", "", "", "apps", RBAC, ADMISSION, "authentication.k8s.io", "ray.io", "*")
RESOURCES = (
    *("pods", "pods/exec", "pods/attach", "pods/ephemeralcontainers", "secrets", "nodes", "nodes/proxy", "namespaces", "roles"),
    *("clusterroles", "users", "groups", "serviceaccounts", "serviceaccounts/token", "uids", "*/exec", "*/proxy", "*/token"),
    *("validatingwebhookconfigurations", "validatingadmissionpolicybindings", "deployments", "rayclusters", "*"),
)
VERBS = ("get", "list", "create", "update", "patch", "delete", "escalate", "bind", "impersonate", "impersonate:user-info", "*")
NAMES: tuple[list[str], ...] = ([], [], [], [], ["one"], ["one", ""], ["system:masters"], ["cluster-admin"])


def made(number: int) -> tuple[dict[str, Any], bool]:
    """A rule, and whether it is bound in the whole cluster."""
    dice = random.Random(number)
    rule = {
        "apiGroups": [dice.choice(GROUPS)],
        "resources": dice.sample(RESOURCES, 2),
        "verbs": dice.sample(VERBS, dice.randint(1, 2)),
    }
    names = dice.choice(NAMES)
    return {**rule, "resourceNames": names} if names else rule, dice.random() < 0.7


def test_the_same_rights(tmp_path: Path) -> None:
    everything = {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}
    cases = {"all": (everything, True), "all-of-one": (everything, False)} | {f"g{n}": made(n) for n in range(1500)}
    objects: list[dict[str, Any]] = []
    for name, (rule, wide) in cases.items():
        objects += [
            thing(f"{RBAC}/v1", "ClusterRole", name, None, rules=[rule]),
            thing(
                f"{RBAC}/v1",
                "ClusterRoleBinding" if wide else "RoleBinding",
                name,
                None if wide else "team",
                roleRef={"kind": "ClusterRole", "name": name},
                subjects=[{"kind": "User", "name": "jane"}],
            ),
        ]
    (tmp_path / "a.yaml").write_text(yaml.safe_dump_all(objects))
    library = load()
    rules = tuple(library.rules[r] for r in sorted({*RULES.values()}))
    estate = read_manifests([tmp_path / "a.yaml"])
    with Snapshot.create(tmp_path / "s") as snapshot:
        snapshot.source(estate.source)
        for row in estate.coverage:
            snapshot.coverage(row)
        snapshot.page(estate.resources)
        snapshot.finish()
    verdicts = evaluate(Plan(tmp_path / "s", rules, library.modules, {r.id: r.params for r in rules if r.params})).verdicts
    found: dict[str, set[str]] = {name: set() for name in cases}
    for verdict in verdicts:
        assert verdict.status is not Status.UNKNOWN, verdict.message
        if verdict.status is Status.FAIL:
            found[verdict.name].add(verdict.rule)
    roles = {r.name: r.facts["rules"] for r in estate.resources if r.kind == "permission_set"}
    differing = {}
    for name, (rule, wide) in cases.items():
        right = {RULES[words] for words, _ in primitives(roles[name], wide=wide)}
        told = found[name]
        if right & {"iam.k8s_wildcards"}:
            told = told & {"iam.k8s_wildcards"}  # told as such, whatever else a wildcard makes of it
        if told != right:
            differing[name] = (rule, wide, told ^ right)
    assert differing == {}
    assert {rule for each in found.values() for rule in each} == {*RULES.values()}
