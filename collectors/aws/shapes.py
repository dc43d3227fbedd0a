"""Answers checked against the shapes that AWS documents (botocore's model), before anything is read from them.

An answer of another shape would be compared with the wrong type, and nothing would match: that must read as "not understood", never
as "nothing is wrong". A missing member is not a fault: services leave out what is empty or at its default.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any

from scanner.model import JSON

Check = Callable[[Any, str], None]


class UnexpectedShapeError(ValueError):
    """An answer is not of the documented shape."""


TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str, bool, int, float),  # some services, and moto, send a bare true where "yes" is documented: it is no other shape
    "character": (str,),
    "timestamp": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "long": (int,),
    "float": (int, float),
    "double": (int, float),
    "list": (list,),
    "map": (dict,),
    "structure": (dict,),
}
"""Shape type → what it is once it is JSON; `blob` is dropped on the way and any other type is not checked."""
DECODED = "policyDocumentType"
"""Texts that boto3 decodes into the policies they hold."""


class Shapes:
    """Checks of one service's operations, made when first asked for."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._checks: dict[str, Check] = {}
        self._lock = threading.Lock()

    def check(self, operation: str, answer: JSON) -> None:
        """Raise `UnexpectedShapeError` where `answer` is not what `operation` (`GetKeyPolicy`) documents."""
        shape = self._model.operation_model(operation).output_shape
        if shape is not None:
            with self._lock:
                check = self._of(shape)
            check(answer, "")

    def _of(self, shape: Any) -> Check:
        if shape.name not in self._checks:
            # NOTE: shapes refer to themselves; the name is taken before the members are looked at
            self._checks[shape.name] = lambda value, path: self._checks[shape.name](value, path)  # noqa: PLW0108 - it is replaced
            self._checks[shape.name] = self._made(shape)
        return self._checks[shape.name]

    def _made(self, shape: Any) -> Check:
        free = shape.name == DECODED or getattr(shape, "is_document_type", False)  # any JSON at all
        wanted = None if free else TYPES.get(shape.type_name)
        members = {name: self._of(member) for name, member in shape.members.items()} if shape.type_name == "structure" else {}
        inner = self._of(shape.member) if shape.type_name == "list" else self._of(shape.value) if shape.type_name == "map" else None

        def check(value: Any, path: str) -> None:
            if value is None or wanted is None:
                return
            fits = isinstance(value, wanted)
            if not fits or (value.__class__ is bool and bool not in wanted):
                msg = f"{path or 'the answer'} should be {shape.type_name}, is {type(value).__name__}"
                raise UnexpectedShapeError(msg)
            if members:
                for name, each in value.items():
                    if name in members:
                        members[name](each, f"{path}.{name}" if path else name)
            elif inner is not None:
                for each in value.values() if shape.type_name == "map" else value:
                    inner(each, f"{path}[]")

        return check
