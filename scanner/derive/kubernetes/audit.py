"""What an audit policy records: the first rule that matches a request decides, and without one nothing is recorded.

https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/#audit-policy and the API server's own checker:
https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apiserver/pkg/audit/policy/checker.go
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scanner.model import frozen

LEVELS = ("None", "Metadata", "Request", "RequestResponse")
SOME = "\0"
"""A name that no rule writes: some user, some namespace, some object."""
PEOPLE = ("system:authenticated",)
ACCOUNTS = ("system:serviceaccounts", f"system:serviceaccounts:{SOME}", "system:authenticated")
BEGINNING = "RequestReceived"
END = "ResponseComplete"
STARTED = "ResponseStarted"


@frozen
class Request:
    """What is asked, by somebody of these groups."""

    group: str
    resource: str
    verb: str
    groups: Sequence[str]
    namespaced: bool = True


READS = ("get", "list", "watch")
WRITES = ("create", "update", "patch", "delete")
RBAC = ("roles", "rolebindings", "clusterroles", "clusterrolebindings")
MATTERS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "secrets": ("", ("secrets",), (*READS, *WRITES)),
    "configmaps": ("", ("configmaps",), WRITES),
    "tokenreviews": ("authentication.k8s.io", ("tokenreviews",), ("create",)),
    "pods/exec": ("", ("pods/exec", "pods/attach", "pods/portforward"), ("create", "get")),
    "rbac": ("rbac.authorization.k8s.io", RBAC, WRITES),
}
"""Name → (API group, resources, verbs): of what a trail must be left, by people and service accounts that no rule names."""
WIDE = frozenset({"tokenreviews", "clusterroles", "clusterrolebindings"})


def requests(name: str) -> Iterator[Request]:
    """The requests that stand for something that matters."""
    group, resources, verbs = MATTERS[name]
    for resource in resources:
        for verb in verbs:
            for groups in (PEOPLE, ACCOUNTS):
                yield Request(group, resource, verb, groups, resource not in WIDE)


def level(rules: Sequence[Mapping[str, Any]], request: Request) -> str:
    """The level at which a request is recorded."""
    rule = next((r for r in rules if matches(r, request)), None)
    if rule is None:
        return "None"
    long = request.verb == "watch" or request.resource.startswith("pods/")
    told = {BEGINNING, END, *([STARTED] if long else [])} - set(rule["omit"])
    return str(rule["level"]) if told else "None"


def matches(rule: Mapping[str, Any], request: Request) -> bool:
    """Whether a rule speaks of a request."""
    if rule["users"] or (rule["groups"] and not set(rule["groups"]) & set(request.groups)):
        return False
    if rule["verbs"] and request.verb not in rule["verbs"]:
        return False
    if not rule["namespaces"] and not rule["resources"]:
        return not rule["urls"]
    if rule["namespaces"] and (request.namespaced or "" not in rule["namespaces"]):
        return False
    return not rule["resources"] or any(_names(entry, request) for entry in rule["resources"])


def _names(entry: Mapping[str, Any], request: Request) -> bool:
    if entry["group"] != request.group:
        return False
    if not entry["resources"]:
        return True
    resource, _, sub = request.resource.partition("/")
    wanted = {request.resource, "*", f"{resource}/*"} | ({f"*/{sub}"} if sub else set())
    return not entry["names"] and bool(wanted & set(entry["resources"]))


def levels(rules: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The `audit_levels` fact."""
    found = []
    for name in MATTERS:
        seen = [LEVELS.index(level(rules, request)) for request in requests(name)]
        found.append({"of": name, "lowest": LEVELS[min(seen)], "highest": LEVELS[max(seen)]})
    return found
