"""What tags say in words: which of them are read, and how."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

EXPLICIT = "airole"
"""The tag that says the part of the factory, without its punctuation: `ai-role`, `AIRole`, `example.com/ai_role`."""
TELLING = frozenset(
    {
        *(EXPLICIT, "aifactory", "component", "dataclass", "dataclassification", "datarole", "datatype"),
        *("partof", "purpose", "role", "tier", "usage", "workload"),
    }
)
"""Tags of which the value may name a part of the factory."""


def plain(text: str) -> str:
    """A tag's name or value without its prefix, case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", text.rsplit("/", 1)[-1].lower())


def by_name(tags: Mapping[str, str]) -> dict[str, str]:
    """Tags by their plain name."""
    return {plain(key): value for key, value in tags.items()}


def telling(tags: Mapping[str, str]) -> Iterator[str]:
    """Values of the telling tags, as words; `tags` by plain name."""
    for key in sorted(TELLING & tags.keys()):
        yield re.sub(r"[^a-z0-9]+", " ", tags[key].lower())
