"""Objects that own node agents."""

from __future__ import annotations

from collections.abc import Mapping

from collectors.table import Const, Fact, Field, ObjectTable

OPERATOR_FACTS: Mapping[str, Fact] = {
    "uid": Field("item.metadata.uid", str, absent=""),
    "operand_namespace": Field("item.status.namespace || item.spec.namespace", str, absent=""),
}


def operator(native_type: str, plural: str, product: str, *, namespaced: bool = False) -> ObjectTable:
    """A type whose objects own node agents."""
    return ObjectTable("operator", native_type, plural, {**OPERATOR_FACTS, "product": Const(product)}, namespaced=namespaced)
