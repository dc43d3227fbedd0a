"""What a cluster serves: for each type of the tables the version to list it in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from collectors.kubernetes.client import DISCOVERY, Broken, Cluster, Refused
from collectors.kubernetes.names import split
from collectors.kubernetes.pods import mapping, mappings
from collectors.table import ObjectTable


@dataclass(slots=True)
class Served:
    """What discovery found."""

    versions: dict[tuple[str, str], str] = field(default_factory=dict)
    """(group, plural) → version."""
    groups: set[str] = field(default_factory=set)
    """Groups whose resources are all known."""
    whole: bool = False
    """The list of groups itself is known."""
    failed: Exception | None = None
    """Why not."""

    def version(self, table: ObjectTable) -> str | None:
        """The `group/version` to list a type in; None where the cluster surely serves no such type.

        The core group is always served; where discovery failed, the version of the table is tried.
        """
        group, version, _ = split(table.native_type)
        if not group:
            return version
        found = self.versions.get((group, table.plural))
        if found:
            return f"{group}/{found}"
        absent = self.whole and (group in self.groups or not self.failed_group(group))
        return None if absent else f"{group}/{version}"

    def failed_group(self, group: str) -> bool:
        """Whether a group is there, and its resources could not be read."""
        return (group, "") in self.versions


def discover(cluster: Cluster, tables: Iterable[ObjectTable]) -> Served:
    """Ask once for everything; a server without aggregated discovery is asked group by group."""
    served = Served()
    try:
        answer, _ = cluster.ask("GET", "/apis", accept=DISCOVERY)
    except (Refused, Broken) as error:
        served.failed = error
        return served
    if mapping(answer).get("kind") == "APIGroupDiscoveryList":
        served.whole = True
        for group in mappings(answer.get("items")):
            _aggregated(served, group)
    elif mapping(answer).get("kind") == "APIGroupList":
        served.whole = True
        wanted = {split(t.native_type)[0] for t in tables}
        for group in mappings(answer.get("groups")):
            if group.get("name") in wanted:
                _group(cluster, served, group)
    return served


def _aggregated(served: Served, group: Mapping[str, Any]) -> None:
    """The versions of a group come in the server's order of preference."""
    name = str(mapping(group.get("metadata")).get("name", ""))
    served.groups.add(name)
    for version in mappings(group.get("versions")):
        for resource in mappings(version.get("resources")):
            served.versions.setdefault((name, str(resource.get("resource"))), str(version.get("version")))


def _group(cluster: Cluster, served: Served, group: Mapping[str, Any]) -> None:
    name = str(group["name"])
    preferred = str(mapping(group.get("preferredVersion")).get("version", ""))
    others = [str(v.get("version")) for v in mappings(group.get("versions"))]
    for version in dict.fromkeys([preferred, *others]):
        try:
            answer, _ = cluster.ask("GET", f"/apis/{name}/{version}")
        except (Refused, Broken):
            served.versions[name, ""] = version
            continue
        for resource in mappings(mapping(answer).get("resources")):
            served.versions.setdefault((name, str(resource.get("name"))), version)
    if (name, "") not in served.versions:
        served.groups.add(name)
