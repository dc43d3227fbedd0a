"""The least role that a scan takes, and what the cluster says that an identity may not do."""

from __future__ import annotations

from collections.abc import Sequence

from collectors.demand import Demand
from collectors.kubernetes.client import Broken, Cluster, Refused, connect
from collectors.kubernetes.discovery import discover
from collectors.kubernetes.live import NOT_LISTED
from collectors.kubernetes.names import FILES, split
from collectors.kubernetes.serving import completed
from collectors.kubernetes.tables import MADE, TABLES
from collectors.kubernetes.within import mapping
from collectors.table import Call as Question
from collectors.table import ObjectTable
from scanner.model import JSON, Gap, Reason

REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"


def listed(demand: Demand, *, secret_metadata: bool = False) -> list[ObjectTable]:
    """One table of each type that the demand lists."""
    refused = FILES if secret_metadata else NOT_LISTED.keys() | FILES
    demand = completed(demand)
    wanted = (t for t in TABLES if t.native_type not in MADE and (demand is None or t.native_type in demand))
    return list({t.native_type: t for t in wanted if t.native_type not in refused}.values())


def cluster_role(demand: Demand = None, *, name: str = "bartizan", secret_metadata: bool = False) -> JSON:
    """A ClusterRole that allows what the demand lists, and nothing else: no Secrets, no exec, no proxy.

    NOTE: with `secret_metadata` whoever has it may read the values of Secrets too: RBAC knows no right to metadata alone
    (https://github.com/kubernetes/kubernetes/issues/55564).
    """
    by_group: dict[str, set[str]] = {}
    for table in listed(demand, secret_metadata=secret_metadata):
        by_group.setdefault(split(table.native_type)[0], set()).add(table.plural)
    rules = [
        {"apiGroups": [group], "resources": sorted(plurals), "verbs": ["get", "list"]}
        for group, plurals in sorted(by_group.items())
    ]
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name}, "rules": rules}


def preflight(
    demand: Demand = None,
    *,
    kubeconfig: str | None = None,
    context: str | None = None,
    namespaces: Sequence[str] = (),
    cluster: Cluster | None = None,
    secret_metadata: bool = False,
) -> list[tuple[str, Gap]]:
    """Native types that could not be listed, and why: asks the cluster's own authorizer (SelfSubjectAccessReview), lists nothing.

    Raises BartizanError where there is no usable kubeconfig.
    """
    cluster = cluster or Cluster(connect(kubeconfig, context))
    tables = listed(demand, secret_metadata=secret_metadata)
    served = discover(cluster, tables)
    found: list[tuple[str, Gap]] = []
    for table in tables:
        version = served.version(table)
        if version is None:
            continue  # the cluster has no such type, so nothing is missing
        for namespace in namespaces if table.namespaced and namespaces else ("",):
            gap = _review(cluster, table, version, namespace, single=bool(namespaces) and table.native_type == "v1/Namespace")
            if gap is not None and (table.native_type, gap) not in found:
                found.append((table.native_type, gap))
    if not secret_metadata:
        found += [(native, gap) for native, gap in NOT_LISTED.items() if demand is None or native in demand]
    return found


def _review(cluster: Cluster, table: ObjectTable, version: str, namespace: str, *, single: bool) -> Gap | None:
    verb = "get" if single else "list"
    attributes = {"verb": verb, "group": split(table.native_type)[0], "resource": table.plural} | (
        {"namespace": namespace} if namespace else {}
    )
    body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": {"resourceAttributes": attributes}}
    question = Question(version, table.plural)
    try:
        answer, _ = cluster.ask("POST", REVIEWS, body=body)
    except (Refused, Broken) as error:
        return cluster.gap(error, "authorization.k8s.io/v1:selfsubjectaccessreviews")
    if mapping(mapping(answer).get("status")).get("allowed") is True:
        return None
    where = f" in {namespace}" if namespace else ""
    return Gap(
        Reason.DENIED,
        cluster.title(question),
        f"Allow {', '.join(cluster.actions(question))}{where}.",
        "the cluster's authorizer says no",
    )
