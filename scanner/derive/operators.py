"""Conditions of policies against one request: every operator of IAM, three-valued.

What the request holds under a key may be known, known to be absent, or not known at all; then a condition that hangs on it is a gap
that names the key, never false and never true.

Operators: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
Several values: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
Variables: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html
"""

from __future__ import annotations

import functools
import ipaddress
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import UTC, datetime
from typing import Any

from scanner.derive.conditions import Operator
from scanner.derive.three import Truth, all_of, any_of
from scanner.model import Gap, Reason, frozen

Values = tuple[str, ...]
BY_HAND = "Judge it by hand."
VARIABLE = re.compile(r"\$\{([^}]*)\}")
DEFAULT = re.compile(r"^\s*(?P<key>[^,]+?)\s*(?:,\s*'(?P<default>[^']*)'\s*)?$")
LITERALS = ("*", "?", "$")
"""`${*}` is a star, and so on."""
ARN_PARTS = 6
COLON = re.compile(r":(?![^{}]*\})")
"""A colon that is in no variable."""
ORDERS: Mapping[str, Callable[[float, float], bool]] = {
    "equals": operator.eq,
    "lessthan": operator.lt,
    "lessthanequals": operator.le,
    "greaterthan": operator.gt,
    "greaterthanequals": operator.ge,
}


@frozen
class Context:
    """What a request holds. Keys are lower-case."""

    known: Mapping[str, Values] = field(default_factory=dict)
    """Key → its values; none where the request is known to lack it."""
    absent: tuple[str, ...] = ()
    """Starts of further keys that the request is known to lack."""

    def values(self, key: str) -> Values | None:
        """Values of a key, empty where the request has none, None where that is not known."""
        found = self.known.get(key)
        if found is None and self.absent and key.startswith(self.absent):
            return ()
        return found

    def plus(self, more: Mapping[str, Values]) -> Context:
        """With more keys known."""
        return Context({**self.known, **more}, self.absent) if more else self


def unknown(*keys: str) -> Gap:
    """The gap of an answer that hangs on keys of the request."""
    text = f"it hangs on what a request says under {', '.join(sorted(set(keys)))}"
    return Gap(Reason.NOT_OFFERED, "", BY_HAND, text[:300])


def negated(truth: Truth) -> Truth:
    """Not that; a gap stays one."""
    return truth if isinstance(truth, Gap) else not truth


def met(conditions: Iterable[Mapping[str, Any]], context: Context) -> Truth:
    """The request meets all the conditions."""
    return all_of(holds(c, context) for c in conditions)


def holds(condition: Mapping[str, Any], context: Context) -> Truth:
    """The request meets a condition."""
    key = str(condition["key"])
    how = Operator.parse(str(condition["operator"]))
    found = context.values(key)
    if found is None:
        return unknown(key)
    wanted = [str(v) for v in condition["values"]]
    if how.base == "null":
        return any((v.lower() == "true") != bool(found) for v in wanted)
    alike = _alike(how.base)
    if alike is None or how.quantifier not in ("", "forallvalues", "foranyvalue"):
        return Gap(Reason.UNPARSABLE, "", BY_HAND, f"{condition['operator']} is no operator that is known here")
    if not found:
        return how.optional
    if len(found) > 1 and not how.quantifier:
        return unknown(key)
    each = (_one(alike, how, wanted, value, context) for value in found)
    return any_of(each) if how.quantifier == "foranyvalue" else all_of(each)


Alike = Callable[[str, str, Context], Truth]


def _one(alike: Alike, how: Operator, wanted: Iterable[str], value: str, context: Context) -> Truth:
    truth = any_of(alike(w, value, context) for w in wanted)
    return negated(truth) if how.negated else truth


@functools.cache
def _alike(base: str) -> Alike | None:
    """How one value of a policy is compared with one of a request."""
    plain: Mapping[str, Alike] = {
        "stringequals": functools.partial(_text, wild=False, fold=False),
        "stringequalsignorecase": functools.partial(_text, wild=False, fold=True),
        "stringlike": functools.partial(_text, wild=True, fold=False),
        "arnequals": _arn,
        "arnlike": _arn,
        "bool": lambda wanted, value, _: wanted.lower() == value.lower(),
        "binaryequals": lambda wanted, value, _: wanted == value,
        "ipaddress": _address,
    }
    if base in plain:
        return plain[base]
    for family, reader in (("numeric", float), ("date", moment)):
        order = ORDERS.get(base.removeprefix(family))
        if base.startswith(family) and order is not None:
            return functools.partial(_ordered, reader, order)
    return None


def _text(wanted: str, value: str, context: Context, *, wild: bool, fold: bool) -> Truth:
    found = pattern(wanted, context, wild=wild)
    if found is None or isinstance(found, Gap):
        return found or False
    return (re.compile(found.pattern, found.flags | re.IGNORECASE) if fold else found).fullmatch(value) is not None


def _arn(wanted: str, value: str, context: Context) -> Truth:
    """Each of the six parts by itself: a star of one does not reach into the next."""
    parts, others = COLON.split(wanted, ARN_PARTS - 1), value.split(":", ARN_PARTS - 1)
    if len(parts) < ARN_PARTS:
        return _odd(wanted) if wanted.strip("*") else True
    if len(others) < ARN_PARTS:
        return False
    return all_of(_text(p, o, context, wild=True, fold=False) for p, o in zip(parts, others, strict=True))


def _address(wanted: str, value: str, _: Context) -> Truth:
    try:
        block, one = ipaddress.ip_network(wanted, strict=False), ipaddress.ip_address(value)
    except ValueError:
        return _odd(wanted)
    return one.version == block.version and one in block


def _ordered(reader: Callable[[str], float], order: Callable[[float, float], bool], wanted: str, value: str, _: Context) -> Truth:
    try:
        return order(reader(value), reader(wanted))
    except (ValueError, OverflowError):
        return _odd(wanted)


def _odd(wanted: str) -> Gap:
    return Gap(Reason.UNPARSABLE, "", BY_HAND, f"a condition compares with {wanted[:80]!r}")


def moment(text: str) -> float:
    """Seconds since 1970 of a date as policies write them: ISO 8601, or the seconds. Raises ValueError."""
    try:
        return float(text)
    except ValueError:
        found = datetime.fromisoformat(text)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def pattern(text: str, context: Context, *, wild: bool = True) -> re.Pattern[str] | Gap | None:
    """A value of a policy with its variables filled in; None where the request lacks one, so that it matches nothing."""
    if "${" not in text:
        return compiled(((text, wild),))
    parts: list[tuple[str, bool]] = []
    end = 0
    for match in VARIABLE.finditer(text):
        parts.append((text[end : match.start()], wild))
        end = match.end()
        value = _variable(match[1], context)
        if value is None or isinstance(value, Gap):
            return value
        parts.append((value, False))
    return compiled((*parts, (text[end:], wild)))


def _variable(name: str, context: Context) -> str | Gap | None:
    if name in LITERALS:
        return name
    match = DEFAULT.match(name)
    if match is None:
        return None
    found = context.values(match["key"].lower())
    if found is None:
        return unknown(match["key"].lower())
    if len(found) == 1:
        return found[0]
    default: str | None = match["default"]
    return None if found else default


@functools.lru_cache(maxsize=16384)
def compiled(parts: tuple[tuple[str, bool], ...]) -> re.Pattern[str]:
    """The expression of texts, of which some are patterns."""
    each = (_expression(text) if wild else re.escape(text) for text, wild in parts)
    return re.compile("".join(each), re.DOTALL)


def _expression(text: str) -> str:
    return "".join(".*" if c == "*" else "." if c == "?" else re.escape(c) for c in text)
