"""What evaluates Rego: the embedded engine by default, an OPA server for those who run one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from scanner.judge import Proof
from scanner.model import JSON, Resource, Rule


class UnfitError(Exception):
    """The engine cannot read the input: something in it is beyond its numbers, its depth or its characters."""


class Engine(Protocol):
    """Evaluates rules over one chunk of resources. Both implementations give the same proofs."""

    @property
    def name(self) -> str:
        """`regorus 0.13.0`, `opa 1.22.3`."""

    def prove(self, rules: Sequence[Rule], document: JSON) -> Mapping[str, Proof]:
        """Rule id → what the rule proves about the chunk. A rule that fails at run time has its `error` set.

        Raises UnfitError where the chunk itself cannot be read.
        """

    def close(self) -> None:
        """Let go of what the engine holds."""


def document(
    resources: Iterable[Resource], params: Mapping[str, Mapping[str, JSON]], now: str, facts: Collection[str] | None = None
) -> dict[str, JSON]:
    """The `input` of a chunk: resources by kind with their facts as fields, parameters by rule id, and the time of the look.

    `facts` are those that the rules declare (all, where it is None): what no rule names, none can read.
    """
    by_kind: dict[str, list[dict[str, Any]]] = {}
    for resource in resources:
        shown: dict[str, Any] = {
            "id": resource.id,
            "native_type": resource.native_type,
            "provider": resource.provider,
            "name": resource.name,
            "region": resource.region,
            "tags": dict(resource.tags),
        }
        for fact, value in resource.facts.items():
            if facts is not None and fact not in facts:
                continue
            drawer, _, rest = fact.partition(".")
            if rest:
                shown.setdefault(drawer, {})[rest] = value
            else:
                shown[fact] = value
        by_kind.setdefault(resource.kind, []).append(shown)
    return {"resources": by_kind, "params": params, "now": now}


def proof_of(sets: Mapping[str, Any]) -> Proof:
    """A `Proof` from the sets that a rule defines, as JSON. Raises ValueError where one is missing, or not of the documented shape."""
    for name in ("fail", "exempt", "scope", "safe"):
        # NOTE: an engine that says nothing must not read as a rule that proves nothing
        if not isinstance(sets.get(name, None if name in ("fail", "scope") else []), list):
            msg = f"`{name}` is no set"
            raise ValueError(msg)  # noqa: TRY004 - callers treat every malformed set alike
    fail: dict[str, list[Mapping[str, Any]]] = {}
    for item in sets["fail"]:
        if not isinstance(item, dict) or not isinstance(item.get("id"), str):
            msg = f"`fail` holds {str(item)[:80]}, which is no object with an id"
            raise ValueError(msg)  # noqa: TRY004 - callers treat every malformed set alike
        fail.setdefault(item["id"], []).append(item)
    exempt: dict[str, str] = {}
    for item in sets.get("exempt", ()):
        if not isinstance(item, dict) or not isinstance(item.get("id"), str) or not item.get("reason"):
            msg = f"`exempt` holds {str(item)[:80]}, which is no object with id and reason"
            raise ValueError(msg)
        exempt[item["id"]] = min(exempt.get(item["id"], str(item["reason"])), str(item["reason"]))
    plain = {}
    for name in ("scope", "safe"):
        items = sets.get(name, ())
        if not all(isinstance(i, str) for i in items):
            msg = f"`{name}` holds something that is no resource id"
            raise ValueError(msg)
        plain[name] = frozenset(items)
    return Proof(fail, plain["scope"], plain["safe"], exempt)
