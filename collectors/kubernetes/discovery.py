"""What a cluster serves: for each type of the tables the version to list it in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collectors.kubernetes.client import DISCOVERY, Broken, Cluster, Refused
from collectors.kubernetes.names import ANY, split
from collectors.kubernetes.within import mapping, mappings
from collectors.table import ObjectTable


@dataclass(slots=True)
class Served:
    """What discovery found."""

    versions: dict[tuple[str, str], str] = field(default_factory=dict)
    """(group, plural) → version."""
    whole: bool = False
    """The list of groups itself is known."""
    doubtful: set[str] = field(default_factory=set)
    """Groups that are there, and of which not all resources are known: their own server is down, or did not answer."""

    def version(self, table: ObjectTable) -> str | None:
        """The `group/version` to list a type in; None where the cluster surely serves no such type.

        The core group is always served; where discovery failed, the version of the table is tried: the listing then tells.
        """
        group, version, _ = split(table.native_type)
        if not group:
            return version
        found = self.versions.get((group, table.plural))
        if table.plural == ANY:
            found = next((v for (g, _), v in self.versions.items() if g == group), None)
        if found:
            return f"{group}/{found}"
        return None if self.whole and group not in self.doubtful else f"{group}/{version}"

    def every(self, table: ObjectTable) -> dict[str, str] | None:
        """Plural → `group/version` of every type of a table's group; None where discovery did not tell all of them."""
        group = split(table.native_type)[0]
        if not self.whole or group in self.doubtful:
            return None
        return {p: f"{g}/{version}" for (g, p), version in sorted(self.versions.items()) if g == group and "/" not in p}


def discover(cluster: Cluster, tables: Iterable[ObjectTable]) -> Served:
    """Ask once for everything; a server without aggregated discovery is asked group by group.

    An answer that is not of the documented shape, or names no group at all, is no answer: every cluster serves some.
    """
    served = Served()
    try:
        answer, _ = cluster.ask("GET", "/apis", accept=DISCOVERY)
    except (Refused, Broken):
        return served
    aggregated = mapping(answer).get("kind") == "APIGroupDiscoveryList"
    if not aggregated and mapping(answer).get("kind") != "APIGroupList":
        return served
    groups = mapping(answer).get("items" if aggregated else "groups")
    if not isinstance(groups, list) or not groups or not all(_name(g, aggregated=aggregated) for g in groups):
        return served
    served.whole = not mapping(mapping(answer).get("metadata")).get("continue")
    wanted = {split(t.native_type)[0] for t in tables}
    for group in groups:
        if _name(group, aggregated=aggregated) in wanted:
            if aggregated:
                _aggregated(served, group)
            else:
                _group(cluster, served, group)
    return served


def _name(group: Any, *, aggregated: bool) -> str:
    """The name of a group; empty where the entry is none."""
    found = mapping(mapping(group).get("metadata")).get("name") if aggregated else mapping(group).get("name")
    return found if isinstance(found, str) else ""


def _aggregated(served: Served, group: Mapping[str, Any]) -> None:
    """The versions of a group come in the server's order of preference.

    A stale one is what is remembered of a server that does not answer now, mostly nothing:
    https://kubernetes.io/docs/reference/using-api/api-concepts/#aggregated-discovery
    """
    name = _name(group, aggregated=True)
    versions = mappings(group.get("versions"))
    if not versions or any(v.get("freshness") == "Stale" or not isinstance(v.get("resources", []), list) for v in versions):
        served.doubtful.add(name)
    for version in versions:
        for resource in mappings(version.get("resources")):
            served.versions.setdefault((name, str(resource.get("resource"))), str(version.get("version")))


def _group(cluster: Cluster, served: Served, group: Mapping[str, Any]) -> None:
    name = str(group["name"])
    preferred = str(mapping(group.get("preferredVersion")).get("version") or "")
    versions = [v for v in dict.fromkeys([preferred, *(str(v.get("version")) for v in mappings(group.get("versions")))]) if v]
    if not versions:
        served.doubtful.add(name)
    for version in versions:
        try:
            answer, _ = cluster.ask("GET", f"/apis/{name}/{version}")
        except (Refused, Broken):
            answer = None
        resources = mapping(answer).get("resources")
        if mapping(answer).get("kind") != "APIResourceList" or not isinstance(resources, list):
            served.doubtful.add(name)
        for resource in mappings(resources):
            served.versions.setdefault((name, str(resource.get("name"))), version)
