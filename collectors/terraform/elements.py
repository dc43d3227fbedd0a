"""Elements of facts that rules show by name: rules of packet filters, in the words of `policies/lib/filter.rego`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from collectors.project import UNREADABLE
from collectors.terraform.tables import filters
from scanner.model import frozen

Words = Callable[[Mapping[str, Any], str, Mapping[str, Any]], Iterable[str]]
"""(the row's context, the resource's type, the values of a block) → what rules call what the block makes."""


@frozen
class Element:
    """How the elements of one fact are called."""

    words: Words
    names: tuple[str, ...]
    """The fact, and those derived from it whose elements are the same."""


def _shown(entry: Mapping[str, Any]) -> str:
    """As `filter.shown` says it."""
    protocol, first, last, source = (entry[n] for n in ("protocol", "from_port", "to_port", "source"))
    if protocol not in ("tcp", "udp"):
        return f"{'all traffic' if protocol == 'all' else protocol} from {source}"
    return f"{protocol} {first if first == last else f'{first}-{last}'} from {source}"


def _entries(context: Mapping[str, Any], kind: str, value: Mapping[str, Any], direction: str) -> Iterator[Mapping[str, Any]]:
    if "network_acl" in kind:
        own = "rule_action" in value
        if not own or (value.get("egress") or False) is (direction == "egress"):
            made = filters.acl_entries([], [value]) if own else filters.acl_entries([value], [])
            yield from (e for e in made if e["priority"] != filters.LAST)
    elif value.get("type", direction) == direction:
        yield from filters.entries(context["partition"], context["region"], context["account"], context["id"], [value])


def _words(direction: str) -> Words:
    def words(context: Mapping[str, Any], kind: str, value: Mapping[str, Any]) -> Iterable[str]:
        try:
            return dict.fromkeys(_shown(e) for e in _entries(context, kind, value, direction))
        except UNREADABLE:  # a rule with something that is not known yet has no words
            return ()

    return words


ELEMENTS: Mapping[tuple[str, str], Element] = {
    ("firewall", direction): Element(_words(direction), (direction, f"ordered_{direction}")) for direction in ("ingress", "egress")
}
"""(kind, fact) → its elements."""
