"""What a live source is to the interpreter, and what it hands its findings to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from collectors.table import Call as Question
from scanner.model import JSON, Call, Coverage, Inline, Reason, Resource, Source, frozen


@frozen
class Fault:
    """Why a question got no answer."""

    reason: Reason
    code: str
    """The provider's error code, or the exception's name."""
    detail: str
    """What it said, bounded."""
    remedy: str = ""
    """What to do, where the provider knows better than the reason alone tells."""
    fatal: bool = False
    """No further question of this scope can succeed (expired credentials)."""


class Client(Protocol):
    """One account, project or cluster, as one identity. Threads share it."""

    def pages(self, question: Question, args: Mapping[str, Any], region: str) -> Iterator[tuple[JSON, int]]:
        """The answers to a question, a page at a time, each with the number of retries it took."""

    def fault(self, error: Exception) -> Fault:
        """An exception of the client library, in the closed list of reasons."""

    def title(self, question: Question) -> str:
        """How a person calls it: `kms:GetKeyRotationStatus`."""

    def actions(self, question: Question) -> tuple[str, ...]:
        """The permissions it takes."""


class Sink(Protocol):
    """Where a collector puts what it saw (a snapshot, mostly). Every method is one transaction."""

    def source(self, source: Source) -> None:
        """Who looks."""

    def expect(self, rows: Iterable[Coverage]) -> None:
        """What will be listed; it counts as interrupted until it is done."""

    def page(self, resources: Sequence[Resource]) -> None:
        """Resources seen."""

    def waivers(self, found: Iterable[Inline]) -> None:
        """Waivers that stand in what was seen."""

    def calls(self, pairs: Sequence[tuple[Call, JSON]]) -> None:
        """Calls made, with their redacted answers."""

    def coverage(self, row: Coverage) -> None:
        """How a listing ended."""

    def problem(self, text: str) -> None:
        """What went wrong on the way, for a reader to see."""
