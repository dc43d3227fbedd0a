"""Calico's selectors: `role == "trainer" && has(team) || !all()`.

The grammar is that of https://docs.tigera.io/calico/latest/reference/resources/networkpolicy#selector ; `||` binds weaker than `&&`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from scanner.derive.three import Truth, all_of, any_of
from scanner.model import Gap, frozen

Look = Callable[[str], "str | Gap | None"]
"""The value of a label, None where there is none."""
TOKEN = re.compile(
    r"""[ \t]*(?:
    (?P<string>"[^"]*"|'[^']*')
    |(?P<mark>==|!=|&&|\|\||[(){},!])
    |(?P<call>has\([ \t]*(?P<label>[A-Za-z0-9_./-]{1,512})[ \t]*\)|all\([ \t]*\)|global\([ \t]*\))
    |(?P<word>[A-Za-z0-9_./-]{1,512})
    )""",
    re.VERBOSE,
)
OPERATOR = re.compile(r"[ \t]*(?:(==)|(!=)|(contains)|starts[ \t]*(with)|ends[ \t]*(with)|(not)[ \t]*in|(in))")
NAMES = ("==", "!=", "contains", "starts with", "ends with", "not in", "in")
DEEPEST = 64
"""Nesting that is read."""


@frozen
class Expression:
    """A selector: `kind` is `all`, `global`, `has`, `not`, `and`, `or`, or an operator over a label."""

    kind: str
    key: str = ""
    values: tuple[str, ...] = ()
    parts: tuple[Expression, ...] = ()

    def holds(self, look: Look) -> Truth:
        """Whether it picks what has these labels."""
        if self.kind in ("all", "global"):
            return True
        if self.kind == "not":
            found = self.parts[0].holds(look)
            return found if isinstance(found, Gap) else not found
        if self.kind == "and":
            return all_of(p.holds(look) for p in self.parts)
        if self.kind == "or":
            return any_of(p.holds(look) for p in self.parts)
        return self._compare(look(self.key))

    def _compare(self, value: str | Gap | None) -> Truth:
        if isinstance(value, Gap):
            return value
        if self.kind in ("!=", "not in"):
            return value is None or value not in self.values
        if value is None:
            return False
        if self.kind in ("==", "in"):
            return value in self.values
        if self.kind == "contains":
            return self.values[0] in value
        if self.kind == "starts with":
            return value.startswith(self.values)
        return self.kind == "has" or value.endswith(self.values)

    def mentions(self) -> Iterator[tuple[str, str]]:
        """Keys and values that it names; a key without a value with the empty text."""
        if self.key:
            yield self.key, ""
            yield from ((self.key, v) for v in self.values)
        for part in self.parts:
            yield from part.mentions()


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """A selector; the empty one picks everything. Raises ValueError where it is none."""
    if not text.strip(" \t"):
        return Expression("all")
    reader = _Reader(text)
    found = reader.alternatives(0)
    if reader.rest():
        raise ValueError(f"not a selector behind {text[: reader.at]!r}")
    return found


class _Reader:
    """Reads one text from the left."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def rest(self) -> str:
        return self.text[self.at :].strip(" \t")

    def peek(self) -> re.Match[str] | None:
        return TOKEN.match(self.text, self.at)

    def take(self, mark: str) -> bool:
        """Step over a mark, if it is next."""
        found = self.peek()
        if found is None or found["mark"] != mark:
            return False
        self.at = found.end()
        return True

    def alternatives(self, depth: int) -> Expression:
        parts = [self.conjunction(depth)]
        while self.take("||"):
            parts.append(self.conjunction(depth))
        return parts[0] if len(parts) == 1 else Expression("or", parts=tuple(parts))

    def conjunction(self, depth: int) -> Expression:
        parts = [self.operation(depth)]
        while self.take("&&"):
            parts.append(self.operation(depth))
        return parts[0] if len(parts) == 1 else Expression("and", parts=tuple(parts))

    def operation(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise ValueError("nested too deeply")
        negated = False
        while self.take("!"):
            negated = not negated
        found = self.atom(depth)
        return Expression("not", parts=(found,)) if negated else found

    def atom(self, depth: int) -> Expression:
        if self.take("("):
            found = self.alternatives(depth + 1)
            if not self.take(")"):
                raise ValueError("a bracket is not closed")
            return found
        token = self.peek()
        if token is None or not (token["call"] or token["word"]):
            raise ValueError("a label, or a bracket, is expected")
        self.at = token.end()
        if token["call"]:
            return Expression("has", token["label"]) if token["label"] else Expression(token["call"].partition("(")[0])
        return self.comparison(token["word"])

    def comparison(self, key: str) -> Expression:
        operator = OPERATOR.match(self.text, self.at)
        if operator is None:
            raise ValueError(f"an operator is expected behind {key!r}")
        self.at = operator.end()
        kind = NAMES[next(i for i, g in enumerate(operator.groups()) if g)]
        return Expression(kind, key, self.literals() if kind in ("in", "not in") else (self.literal(),))

    def literals(self) -> tuple[str, ...]:
        if not self.take("{"):
            raise ValueError("a set is expected")
        found: list[str] = []
        while (token := self.peek()) is not None and token["string"] is not None:
            self.at = token.end()
            found.append(token["string"][1:-1])
            if not self.take(","):
                break
        if not self.take("}"):
            raise ValueError("a set is not closed")
        return tuple(found)

    def literal(self) -> str:
        token = self.peek()
        if token is None or token["string"] is None:
            raise ValueError("a text in quotes is expected")
        self.at = token.end()
        return token["string"][1:-1]
