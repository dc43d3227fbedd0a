"""Objects that own node agents."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Const, Fact, Field, ObjectTable

OPERATOR_FACTS: Mapping[str, Fact] = {
    "uid": Field("item.metadata.uid", str, absent=""),
    "operand_namespace": Field("item.status.namespace || item.spec.namespace", str, absent=""),
}


def operator(
    native_type: str, plural: str, product: str, facts: Mapping[str, Fact] | None = None, *, namespaced: bool = False
) -> ObjectTable:
    """A type whose objects own node agents, with more facts of it."""
    own = {**OPERATOR_FACTS, "product": Const(product), **(facts or {})}
    return ObjectTable("operator", native_type, plural, own, namespaced=namespaced)
