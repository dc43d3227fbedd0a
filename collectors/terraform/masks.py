"""Paths over the masks of a plan: `after_unknown` and `after_sensitive` mirror `after`, with true where a value is hidden.

A mask may be true far above the leaf (a whole block that is not known yet), which JMESPath cannot see; so paths of plan tables
keep to a subset that is walked here: names, `[0]`, `[]`, `[*]` and, at the end, `.{a: a, b: b}` (see `pick`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

Step = str | int | frozenset[str] | None
"""A name, an index, some names of one object, or None for every element."""

_TOKEN = re.compile(r"\.?([A-Za-z_][A-Za-z0-9_]*)|\[(\d+)\]|\[\*?\]|\.\{([a-z0-9_:, ]+)\}")


@functools.lru_cache(maxsize=2048)
def steps(path: str) -> tuple[Step, ...]:
    """The steps of a path. Raises ValueError where it is not of the subset."""
    found: list[Step] = []
    at = 0
    while at < len(path):
        match = _TOKEN.match(path, at)
        if match is None:
            msg = f"not a path that a plan table may use: {path}"
            raise ValueError(msg)
        name, index, names = match.groups()
        if names:
            found.append(frozenset(n.split(":")[0].strip() for n in names.split(",")))
        else:
            found.append(name or (int(index) if index else None))
        at = match.end()
    return tuple(found)


@functools.lru_cache(maxsize=2048)
def split(path: str) -> tuple[str, tuple[Step, ...]]:
    """The part of the row that a path starts in, and the steps within it."""
    found = steps(path)
    return str(found[0]) if found else "", found[1:]


def pick(path: str, *names: str) -> str:
    """The path of some attributes of an object, or of each element of a list, kept together."""
    return f"{path}.{{{', '.join(f'{n}: {n}' for n in names)}}}"


def hits(mask: Any, path: Sequence[Step]) -> bool:
    """Some value at or below `path` is hidden by `mask`, or lies within something that is."""
    if mask is True:
        return True
    if not mask:
        return False
    if not path:
        return (
            any(hits(m, ()) for m in (mask.values() if isinstance(mask, dict) else mask))
            if isinstance(mask, (dict, list))
            else False
        )
    step, rest = path[0], path[1:]
    if isinstance(step, str):
        inner = mask.get(step) if isinstance(mask, dict) else None
        return inner is True or (bool(inner) and hits(inner, rest))
    if isinstance(step, frozenset):
        return isinstance(mask, dict) and any(hits(mask.get(n), ()) for n in step)
    if not isinstance(mask, list):
        return False
    if step is None:
        return any(hits(m, rest) for m in mask)
    return step < len(mask) and hits(mask[step], rest)


def unset(mask: Any, expressions: Any, path: Sequence[Step]) -> bool:
    """What `mask` hides at `path` is hidden only because the configuration does not set it: the provider's default will hold.

    Only where that is certain: the block that would hold the attribute is written out in the configuration, without it.
    """
    if not path or not isinstance(expressions, dict):
        return False
    step, rest = path[0], path[1:]
    if isinstance(step, frozenset):
        return all(
            n not in expressions or _unset_within(mask[n], expressions[n])
            for n in step
            if isinstance(mask, dict) and hits(mask.get(n), ())
        )
    if not isinstance(step, str):
        return False
    inner = mask.get(step) if isinstance(mask, dict) else None
    if step not in expressions:
        return True
    if inner is True or not rest or isinstance(rest[0], (str, frozenset)):
        return False
    blocks = expressions[step]
    if not isinstance(blocks, list) or not isinstance(inner, list) or len(blocks) != len(inner):
        return False
    chosen = range(len(blocks)) if rest[0] is None else [i for i in (rest[0],) if i < len(blocks)]
    return all(not hits(inner[i], rest[1:]) or unset(inner[i], blocks[i], rest[1:]) for i in chosen)


def _unset_within(mask: Any, blocks: Any) -> bool:
    """The same of everything that `mask` hides in blocks that are written out in the configuration."""
    if not isinstance(blocks, list) or not isinstance(mask, list) or len(blocks) != len(mask):
        return False
    return all(
        isinstance(block, dict) and isinstance(inner, dict) and unset(inner, block, (frozenset(inner),))
        for inner, block in zip(mask, blocks, strict=True)
        if hits(inner, ())
    )


def scrub(value: Any, mask: Any) -> Any:
    """`value` without what `mask` marks as sensitive."""
    if mask is True:
        return None
    if not mask:
        return value
    if isinstance(value, dict) and isinstance(mask, dict):
        return {k: scrub(v, mask.get(k)) for k, v in value.items()}
    if isinstance(value, list) and isinstance(mask, list):
        return [scrub(v, mask[i] if i < len(mask) else None) for i, v in enumerate(value)]
    return value
