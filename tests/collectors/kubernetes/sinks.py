"""A sink in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scanner.model import JSON, Call, Coverage, Inline, Resource, Source


class MemorySink:
    """Keeps what it is given, in the order in which it comes."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.expected: list[Coverage] = []
        self.resources: dict[tuple[str, str], Resource] = {}
        self.pages: list[int] = []
        self.answers: list[tuple[Call, JSON]] = []
        self.rows: dict[tuple[str, str, str], Coverage] = {}
        self.problems: list[str] = []
        self.inline: list[Inline] = []

    def source(self, source: Source) -> None:
        self.sources.append(source)

    def expect(self, rows: Iterable[Coverage]) -> None:
        self.expected += rows

    def page(self, resources: Sequence[Resource]) -> None:
        self.pages.append(len(resources))
        self.resources |= {(r.kind, r.id): r for r in resources}

    def waivers(self, found: Iterable[Inline]) -> None:
        self.inline += found

    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None:
        self.answers += pairs

    def coverage(self, row: Coverage) -> None:
        self.rows[row.native_type, row.kind, row.region] = row

    def problem(self, text: str) -> None:
        self.problems.append(text)
